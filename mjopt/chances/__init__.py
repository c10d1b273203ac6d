"""Draws until a hand wins, its chance to win, and the danger of its discards."""
