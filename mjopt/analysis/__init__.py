"""What a player asks of a hand: useful tiles, discards, targets."""

from mjopt.analysis.discards import Discard, discards
from mjopt.analysis.targets import Targets, targets
from mjopt.analysis.useful import UsefulTiles, useful_tiles

__all__ = ["Discard", "Targets", "UsefulTiles", "discards", "targets", "useful_tiles"]
