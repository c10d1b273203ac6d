"""Live play by the mjai protocol: an agent of this package at the table of another program."""

from mjopt.mjai.legal import CALLS
from mjopt.mjai.player import Player
from mjopt.mjai.seat import RIICHI_TABLE

__all__ = ["CALLS", "RIICHI_TABLE", "Player"]
