"""Notations: text to counts of tiles and back, each notation under its name."""

from mjopt.hands.notation.base import Notation, Parsed
from mjopt.hands.notation.detect import read_tiles
from mjopt.hands.notation.registry import NOTATIONS, get_notation

__all__ = ["NOTATIONS", "Notation", "Parsed", "get_notation", "read_tiles"]
