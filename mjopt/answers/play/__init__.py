"""Optimal play: the chance to win within so many draws, with bounds that are proven."""

from mjopt.answers.play.discards import PlayedDiscard
from mjopt.answers.play.playing import Play, optimal_play

__all__ = ["Play", "PlayedDiscard", "optimal_play"]
