"""Tables of useful tiles: which draws lower the deficiency."""
