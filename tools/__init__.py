"""Programs that write and check the documentation, run from the root of the project."""
