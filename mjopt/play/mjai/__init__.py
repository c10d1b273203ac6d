"""Live play by the mjai protocol: an agent of this package at the table of another program."""

from mjopt.play.mjai.legal import CALLS
from mjopt.play.mjai.player import Player
from mjopt.play.mjai.seat import RIICHI_TABLE

__all__ = ["CALLS", "RIICHI_TABLE", "Player"]
