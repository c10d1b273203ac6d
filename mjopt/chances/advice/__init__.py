"""Advice: how to continue from a position, with the chance to win of every option."""
