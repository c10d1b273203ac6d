"""Compiled twins: whole games of GMJBG's agents, and discards judged by the tables."""

from mjopt.game.fast.games import GameBatch, play_games
from mjopt.tables.useful import judge_discards, judge_waits

__all__ = ["GameBatch", "judge_discards", "judge_waits", "play_games"]
