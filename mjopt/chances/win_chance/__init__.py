"""Proven bounds of the chance to win within a number of draws under optimal play."""

from mjopt.chances.win_chance.discard_bounds import PlayedDiscard
from mjopt.chances.win_chance.optimal_play import Play, optimal_play

__all__ = ["Play", "PlayedDiscard", "optimal_play"]
