"""Notations: convert text to tile counts and back."""

from mjopt.hands.notation.base import Parsed
from mjopt.hands.notation.registry import Notation, get_notation, read_tiles

__all__ = ["Notation", "Parsed", "get_notation", "read_tiles"]
