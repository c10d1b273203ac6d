"""mjopt: how many tiles must change before this Mahjong hand wins? Answered with proof."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from mjopt.answers import decompositions, deficiency, is_win
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
from mjopt.solving import Answer, solve
from mjopt.tiles import FULL, M0, TILE_SETS, TileSet

if TYPE_CHECKING:
    from mjopt import heuristics
    from mjopt.analysis.discards import Discard, discards
    from mjopt.analysis.targets import Targets, targets
    from mjopt.analysis.useful import UsefulTiles, useful_tiles
    from mjopt.certificate import Certificate
    from mjopt.certifying import certify, certify_many
    from mjopt.draws.calls import CallDraws, judge_calls
    from mjopt.draws.expect import expected_draws, expected_draws_many, mean_draws
    from mjopt.draws.ranking import DiscardDraws, rank_discards
    from mjopt.draws.record import Draws
    from mjopt.draws.variants import compare_models
    from mjopt.tables.census import Census, census
    from mjopt.tables.label import label
    from mjopt.tables.packed import label_packed, pack, unpack

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
    "CallDraws",
    "Census",
    "Certificate",
    "Discard",
    "DiscardDraws",
    "Draws",
    "Hand",
    "MjoptError",
    "Predecomposition",
    "SolveOptions",
    "Targets",
    "TileSet",
    "UsefulTiles",
    "candidates",
    "census",
    "certify",
    "certify_many",
    "compare_models",
    "decompositions",
    "deficiency",
    "discards",
    "expected_draws",
    "expected_draws_many",
    "heuristics",
    "is_win",
    "judge_calls",
    "label",
    "label_packed",
    "mean_draws",
    "pack",
    "rank_discards",
    "solve",
    "targets",
    "unpack",
    "useful_tiles",
]

__version__ = "0.1.0"

# What stands on NumPy loads when it is first asked for: `import mjopt` and
# `mjopt --help` are then twice as quick.
_LATER = {
    "CallDraws": "mjopt.draws.calls",
    "Census": "mjopt.tables.census",
    "Certificate": "mjopt.certificate",
    "Discard": "mjopt.analysis.discards",
    "DiscardDraws": "mjopt.draws.ranking",
    "Draws": "mjopt.draws.record",
    "Targets": "mjopt.analysis.targets",
    "UsefulTiles": "mjopt.analysis.useful",
    "census": "mjopt.tables.census",
    "certify": "mjopt.certifying",
    "certify_many": "mjopt.certifying",
    "compare_models": "mjopt.draws.variants",
    "discards": "mjopt.analysis.discards",
    "expected_draws": "mjopt.draws.expect",
    "expected_draws_many": "mjopt.draws.expect",
    "judge_calls": "mjopt.draws.calls",
    "label": "mjopt.tables.label",
    "label_packed": "mjopt.tables.packed",
    "mean_draws": "mjopt.draws.expect",
    "pack": "mjopt.tables.packed",
    "rank_discards": "mjopt.draws.ranking",
    "targets": "mjopt.analysis.targets",
    "unpack": "mjopt.tables.packed",
    "useful_tiles": "mjopt.analysis.useful",
}
_PACKAGES = ("heuristics",)


def __getattr__(name: str) -> Any:
    """Load a public name on its first use."""
    if name in _PACKAGES:
        return import_module(f"mjopt.{name}")
    if name not in _LATER:
        raise AttributeError(f"module 'mjopt' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_LATER[name]), name)
    return value


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted({*globals(), *__all__})
