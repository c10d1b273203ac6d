"""mjopt: how many tiles must change before this Mahjong hand wins? Answered with proof."""

from mjopt.answers import Answer, decompositions, deficiency, is_win, solve
from mjopt.blocks import Block
from mjopt.candidates import candidates
from mjopt.errors import MjoptError
from mjopt.forms import FORMS, UNREACHABLE
from mjopt.hand import Hand
from mjopt.models.registry import FORMULATIONS
from mjopt.notation import NOTATIONS
from mjopt.predecomposition import Predecomposition
from mjopt.solvers.base import SolveOptions
from mjopt.solvers.registry import SOLVERS
from mjopt.tiles import FULL, M0, TILE_SETS, TileSet

__all__ = [
    "FORMS",
    "FORMULATIONS",
    "FULL",
    "M0",
    "NOTATIONS",
    "SOLVERS",
    "TILE_SETS",
    "UNREACHABLE",
    "Answer",
    "Block",
    "Hand",
    "MjoptError",
    "Predecomposition",
    "SolveOptions",
    "TileSet",
    "candidates",
    "decompositions",
    "deficiency",
    "is_win",
    "solve",
]

__version__ = "0.1.0"
