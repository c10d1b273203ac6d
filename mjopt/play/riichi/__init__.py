"""Riichi: a table on the engine of the package jansou, with this package's walls and agents."""

from mjopt.play.game.rules import RIICHI_GAME
from mjopt.play.riichi.match import RiichiMatch, open_match, run_next_hand
from mjopt.play.riichi.replay import replay_riichi
from mjopt.play.riichi.rules import get_table_rules
from mjopt.play.riichi.table import RiichiTable, deal_table
from mjopt.play.riichi.wall import riichi_wall

__all__ = [
    "RIICHI_GAME",
    "RiichiMatch",
    "RiichiTable",
    "deal_table",
    "get_table_rules",
    "open_match",
    "replay_riichi",
    "riichi_wall",
    "run_next_hand",
]
