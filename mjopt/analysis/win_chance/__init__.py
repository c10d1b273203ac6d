"""Optimal play: the chance to win within so many draws, with bounds that are proven."""

from mjopt.analysis.win_chance.discard_bounds import PlayedDiscard
from mjopt.analysis.win_chance.optimal_play import Play, optimal_play

__all__ = ["Play", "PlayedDiscard", "optimal_play"]
