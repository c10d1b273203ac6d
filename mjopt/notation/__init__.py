"""Notations: text to counts of tiles and back, each notation under its name."""

from mjopt.notation.base import Notation, Parsed
from mjopt.notation.registry import NOTATIONS, get_notation

__all__ = ["NOTATIONS", "Notation", "Parsed", "get_notation"]
