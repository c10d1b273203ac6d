"""What knows no tile: processes, files, plans as text, compiled kernels."""
