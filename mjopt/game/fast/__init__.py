"""Compiled twins: whole games of GMJBG's agents, and discards judged by the tables."""

from mjopt.game.fast.discards import judge_discards, judge_waits
from mjopt.game.fast.games import GameBatch, play_games

__all__ = ["GameBatch", "judge_discards", "judge_waits", "play_games"]
