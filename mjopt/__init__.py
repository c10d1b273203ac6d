"""mjopt: how many tiles must change before this Mahjong hand wins? Answered with proof."""

import mjopt.runtime.loading  # isort: skip (first of all)

import os
from typing import TYPE_CHECKING

from mjopt.answers.values import decompositions, deficiency, is_win, shanten
from mjopt.errors import MjoptError
from mjopt.hands.blocks import Block
from mjopt.hands.candidate_blocks import candidates
from mjopt.hands.forms import FORMS, UNREACHABLE
from mjopt.hands.hand import Hand
from mjopt.hands.notation import NOTATIONS
from mjopt.hands.predecomposition import Predecomposition
from mjopt.hands.tiles import FULL, M0, TILE_SETS, TileSet
from mjopt.models.registry import FORMULATIONS
from mjopt.models.solvers.base import SolveOptions
from mjopt.models.solvers.registry import SOLVERS
from mjopt.models.solving import Answer, solve
from mjopt.runtime.later import load_later
from mjopt.runtime.moved import keep_old_names

if TYPE_CHECKING:
    from mjopt import heuristics
    from mjopt.answers.certificate import Certificate
    from mjopt.answers.certifying import certify, certify_many
    from mjopt.answers.discard import Discard, discards
    from mjopt.answers.draws.calls import CallDraws, judge_calls
    from mjopt.answers.draws.expect import expected_draws, expected_draws_many, mean_draws
    from mjopt.answers.draws.ranking import DiscardDraws, rank_discards
    from mjopt.answers.draws.variants import compare_models
    from mjopt.answers.draws.waiting import Draws
    from mjopt.answers.hand_arrays import (
        DiscardBatch,
        UsefulBatch,
        discards_many,
        useful_tiles_many,
    )
    from mjopt.answers.play.discards import PlayedDiscard
    from mjopt.answers.play.playing import Play, optimal_play
    from mjopt.answers.target_hands import Targets, targets
    from mjopt.answers.useful import UsefulTiles, useful_tiles
    from mjopt.experiments.battles.fighting import battle
    from mjopt.experiments.studies.comparing import compare
    from mjopt.reviews.reviewing import Review, review
    from mjopt.tables.batch import label
    from mjopt.tables.counting import Census, census
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
    "DiscardBatch",
    "DiscardDraws",
    "Draws",
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
    "census",
    "certify",
    "certify_many",
    "compare",
    "compare_models",
    "decompositions",
    "deficiency",
    "discards",
    "discards_many",
    "expected_draws",
    "expected_draws_many",
    "heuristics",
    "is_win",
    "judge_calls",
    "label",
    "label_packed",
    "mean_draws",
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
]

__version__ = "0.1.0"

keep_old_names()

# Our kernels have no threads of numba's, but without a number above 0 it does not load.
_threads = os.environ.get("NUMBA_NUM_THREADS", "1")
if not (_threads.isdecimal() and int(_threads)):
    del os.environ["NUMBA_NUM_THREADS"]

# What stands on NumPy loads when it is first asked for: `import mjopt` and
# `mjopt --help` are then twice as quick.
_LATER = {
    "CallDraws": "mjopt.answers.draws.calls",
    "Census": "mjopt.tables.counting",
    "Certificate": "mjopt.answers.certificate",
    "Discard": "mjopt.answers.discard",
    "DiscardBatch": "mjopt.answers.hand_arrays",
    "DiscardDraws": "mjopt.answers.draws.ranking",
    "Draws": "mjopt.answers.draws.waiting",
    "Play": "mjopt.answers.play.playing",
    "PlayedDiscard": "mjopt.answers.play.discards",
    "Targets": "mjopt.answers.target_hands",
    "Review": "mjopt.reviews.reviewing",
    "UsefulBatch": "mjopt.answers.hand_arrays",
    "UsefulTiles": "mjopt.answers.useful",
    "battle": "mjopt.experiments.battles.fighting",
    "census": "mjopt.tables.counting",
    "certify": "mjopt.answers.certifying",
    "certify_many": "mjopt.answers.certifying",
    "compare": "mjopt.experiments.studies.comparing",
    "compare_models": "mjopt.answers.draws.variants",
    "discards": "mjopt.answers.discard",
    "discards_many": "mjopt.answers.hand_arrays",
    "expected_draws": "mjopt.answers.draws.expect",
    "expected_draws_many": "mjopt.answers.draws.expect",
    "judge_calls": "mjopt.answers.draws.calls",
    "label": "mjopt.tables.batch",
    "label_packed": "mjopt.tables.packed",
    "mean_draws": "mjopt.answers.draws.expect",
    "optimal_play": "mjopt.answers.play.playing",
    "pack": "mjopt.tables.packed",
    "rank_discards": "mjopt.answers.draws.ranking",
    "review": "mjopt.reviews.reviewing",
    "targets": "mjopt.answers.target_hands",
    "unpack": "mjopt.tables.packed",
    "useful_tiles": "mjopt.answers.useful",
    "useful_tiles_many": "mjopt.answers.hand_arrays",
    "heuristics": "mjopt.heuristics",
}

__getattr__ = load_later(__name__, _LATER)

mjopt.runtime.loading.end_loading()


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted({*globals(), *__all__})
