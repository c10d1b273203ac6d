"""Live play by the mjai protocol: an agent of this package at the table of another program."""

from mjopt.play.game.rules import RIICHI_TABLE
from mjopt.play.mjai.legal import CALLS
from mjopt.play.mjai.player import Player

__all__ = ["CALLS", "RIICHI_TABLE", "Player"]
