"""Studies: methods against certified hands, raw rows first, tables and figures from them."""
