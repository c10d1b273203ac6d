"""mjopt: how many tiles must change before this Mahjong hand wins? Answered with proof."""

from typing import TYPE_CHECKING

from mjopt._internal.lazy_import import load_later
from mjopt.analysis.deficiency import decompositions, deficiency, is_win, shanten
from mjopt.errors import MjoptError
from mjopt.hands.blocks import Block
from mjopt.hands.hand import Hand
from mjopt.hands.notation import NOTATIONS
from mjopt.hands.predecomposition import Predecomposition, candidates
from mjopt.hands.tiles import FULL, M0, SANMA, TILE_SETS, TileSet
from mjopt.hands.winning_forms import FORMS, UNREACHABLE
from mjopt.models.registry import FORMULATIONS
from mjopt.models.solve import Answer, solve
from mjopt.models.solvers.base import SolveOptions
from mjopt.models.solvers.registry import SOLVERS

if TYPE_CHECKING:
    from mjopt import heuristics
    from mjopt.analysis.batch import (
        DiscardBatch,
        UsefulBatch,
        discards_many,
        useful_tiles_many,
    )
    from mjopt.analysis.ceiling.lookup import Ceiling, CeilingDiscard, ceiling, ceiling_many
    from mjopt.analysis.certificate import Certificate
    from mjopt.analysis.certify import certify, certify_many
    from mjopt.analysis.discard import Discard, discards
    from mjopt.analysis.draws.calls import CallDraws, judge_calls
    from mjopt.analysis.draws.distribution import Draws
    from mjopt.analysis.draws.expected_draws import expected_draws, expected_draws_many
    from mjopt.analysis.draws.ranking import DiscardDraws, rank_discards
    from mjopt.analysis.explanation import Explanation, explain
    from mjopt.analysis.formats.verify_file import verify
    from mjopt.analysis.targets import Targets, targets
    from mjopt.analysis.useful_tiles import UsefulTiles, useful_tiles
    from mjopt.analysis.win_chance.discard_bounds import PlayedDiscard
    from mjopt.analysis.win_chance.optimal_play import Play, optimal_play
    from mjopt.game_review.api import Review, review
    from mjopt.models.export import export
    from mjopt.studies.api import compare
    from mjopt.tables.batch import label
    from mjopt.tables.census import Census, census
    from mjopt.tables.packed import label_packed, pack, unpack
    from mjopt.tournaments.api import battle

__all__ = [
    "FORMS",
    "FORMULATIONS",
    "FULL",
    "M0",
    "NOTATIONS",
    "SANMA",
    "SOLVERS",
    "TILE_SETS",
    "UNREACHABLE",
    "Answer",
    "Block",
    "CallDraws",
    "Ceiling",
    "CeilingDiscard",
    "Census",
    "Certificate",
    "Discard",
    "DiscardBatch",
    "DiscardDraws",
    "Draws",
    "Explanation",
    "Hand",
    "MjoptError",
    "Play",
    "PlayedDiscard",
    "Predecomposition",
    "Review",
    "SolveOptions",
    "Targets",
    "TileSet",
    "UsefulBatch",
    "UsefulTiles",
    "battle",
    "candidates",
    "ceiling",
    "ceiling_many",
    "census",
    "certify",
    "certify_many",
    "compare",
    "decompositions",
    "deficiency",
    "discards",
    "discards_many",
    "expected_draws",
    "expected_draws_many",
    "explain",
    "export",
    "heuristics",
    "is_win",
    "judge_calls",
    "label",
    "label_packed",
    "optimal_play",
    "pack",
    "rank_discards",
    "review",
    "shanten",
    "solve",
    "targets",
    "unpack",
    "useful_tiles",
    "useful_tiles_many",
    "verify",
]

__version__ = "1.0.0"


# Names whose modules import NumPy are loaded on first use, which halves the time of `import mjopt`
# and `mjopt --help`.
_LATER = {
    "export": "mjopt.models.export",
    "CallDraws": "mjopt.analysis.draws.calls",
    "Ceiling": "mjopt.analysis.ceiling.lookup",
    "CeilingDiscard": "mjopt.analysis.ceiling.lookup",
    "Census": "mjopt.tables.census",
    "Certificate": "mjopt.analysis.certificate",
    "Discard": "mjopt.analysis.discard",
    "DiscardBatch": "mjopt.analysis.batch",
    "DiscardDraws": "mjopt.analysis.draws.ranking",
    "Draws": "mjopt.analysis.draws.distribution",
    "Explanation": "mjopt.analysis.explanation",
    "Play": "mjopt.analysis.win_chance.optimal_play",
    "PlayedDiscard": "mjopt.analysis.win_chance.discard_bounds",
    "Targets": "mjopt.analysis.targets",
    "Review": "mjopt.game_review.api",
    "UsefulBatch": "mjopt.analysis.batch",
    "UsefulTiles": "mjopt.analysis.useful_tiles",
    "battle": "mjopt.tournaments.api",
    "ceiling": "mjopt.analysis.ceiling.lookup",
    "ceiling_many": "mjopt.analysis.ceiling.lookup",
    "census": "mjopt.tables.census",
    "certify": "mjopt.analysis.certify",
    "certify_many": "mjopt.analysis.certify",
    "compare": "mjopt.studies.api",
    "discards": "mjopt.analysis.discard",
    "discards_many": "mjopt.analysis.batch",
    "expected_draws": "mjopt.analysis.draws.expected_draws",
    "expected_draws_many": "mjopt.analysis.draws.expected_draws",
    "explain": "mjopt.analysis.explanation",
    "judge_calls": "mjopt.analysis.draws.calls",
    "label": "mjopt.tables.batch",
    "label_packed": "mjopt.tables.packed",
    "optimal_play": "mjopt.analysis.win_chance.optimal_play",
    "pack": "mjopt.tables.packed",
    "rank_discards": "mjopt.analysis.draws.ranking",
    "review": "mjopt.game_review.api",
    "targets": "mjopt.analysis.targets",
    "unpack": "mjopt.tables.packed",
    "useful_tiles": "mjopt.analysis.useful_tiles",
    "useful_tiles_many": "mjopt.analysis.batch",
    "verify": "mjopt.analysis.formats.verify_file",
    "heuristics": "mjopt.heuristics",
}

__getattr__ = load_later(__name__, _LATER)


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted({*globals(), *__all__})
