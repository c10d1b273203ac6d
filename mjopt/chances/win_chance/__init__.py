"""Proven bounds of the chance to win within a number of draws under optimal play."""
