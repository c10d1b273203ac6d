"""Labels of many hands: kernels of tables, templates and limited walls."""
