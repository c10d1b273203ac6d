"""Notations: convert text to tile counts and back."""

from mjopt.hands.notation.base import Notation, Parsed
from mjopt.hands.notation.registry import NOTATIONS, get_notation, read_tiles

__all__ = ["NOTATIONS", "Notation", "Parsed", "get_notation", "read_tiles"]
