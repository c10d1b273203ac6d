"""mjopt: how many tiles must change before this Mahjong hand wins? Answered with proof."""

import signal
import sys
from os.path import basename

if (
    [*map(basename, sys.orig_argv[-len(sys.argv) :][:1])] == ["mjopt"]
    and signal.getsignal(signal.SIGINT) is signal.default_int_handler
):  # `mjopt` or `python -m mjopt`: before the command line handles Ctrl-C, it shows no traceback
    signal.signal(signal.SIGINT, signal.SIG_DFL)

from typing import TYPE_CHECKING

from mjopt._internal.lazy_import import load_later
from mjopt._version import __version__ as __version__
from mjopt.errors import MjoptError

if TYPE_CHECKING:
    from mjopt import heuristics, play
    from mjopt.analysis.batch import (
        DiscardBatch,
        UsefulBatch,
        discards_many,
        useful_tiles_many,
    )
    from mjopt.analysis.certificate import Certificate
    from mjopt.analysis.certify import certify, certify_many
    from mjopt.analysis.deficiency import decompositions, deficiency, is_win, shanten
    from mjopt.analysis.discard import Discard, discards
    from mjopt.analysis.explanation import Explanation, explain
    from mjopt.analysis.formats.verify_file import verify
    from mjopt.analysis.targets import Targets, targets
    from mjopt.analysis.useful_tiles import UsefulTiles, useful_tiles
    from mjopt.chances.advice.advise import advise, judge_calls
    from mjopt.chances.advice.calls import CallOption
    from mjopt.chances.advice.options import Advice, AdvisedOption
    from mjopt.chances.advice.position import Position
    from mjopt.chances.ceiling.lookup import Ceiling, CeilingDiscard, ceiling, ceiling_many
    from mjopt.chances.danger.danger import Danger, KindDanger, OpponentDanger, danger
    from mjopt.chances.danger.opponent import Opponent
    from mjopt.chances.danger.prior import PRIORS, Prior
    from mjopt.chances.draws.distribution import Draws
    from mjopt.chances.draws.expected_draws import expected_draws, expected_draws_many
    from mjopt.chances.draws.ranking import DiscardDraws, rank_discards
    from mjopt.chances.win_chance.discard_bounds import PlayedDiscard
    from mjopt.chances.win_chance.optimal_play import optimal_play
    from mjopt.chances.win_chance.play_bounds import Play
    from mjopt.hands.blocks import Block
    from mjopt.hands.hand import Hand
    from mjopt.hands.notation.registry import NOTATIONS
    from mjopt.hands.predecomposition import Predecomposition, candidates
    from mjopt.hands.rules.classic_forms import FORMS, UNREACHABLE
    from mjopt.hands.rules.rule_file import RULE_SETS, get_rules
    from mjopt.hands.rules.rule_set import RuleSet
    from mjopt.hands.rules.winning_form import WinningForm
    from mjopt.hands.tiles import FULL, M0, SANMA, TILE_SETS, TileSet
    from mjopt.models.export import export
    from mjopt.models.registry import FORMULATIONS
    from mjopt.models.solve import Answer, solve
    from mjopt.models.solvers.base import SolveOptions
    from mjopt.models.solvers.registry import SOLVERS
    from mjopt.studies.api import compare
    from mjopt.tables.census import Census, census
    from mjopt.tables.labels.batch import label
    from mjopt.tables.standard.packed import label_packed, pack, unpack

__all__ = [
    "FORMS",
    "FORMULATIONS",
    "FULL",
    "M0",
    "NOTATIONS",
    "PRIORS",
    "RULE_SETS",
    "SANMA",
    "SOLVERS",
    "TILE_SETS",
    "UNREACHABLE",
    "Advice",
    "AdvisedOption",
    "Answer",
    "Block",
    "CallOption",
    "Ceiling",
    "CeilingDiscard",
    "Census",
    "Certificate",
    "Danger",
    "Discard",
    "DiscardBatch",
    "DiscardDraws",
    "Draws",
    "Explanation",
    "Hand",
    "KindDanger",
    "MjoptError",
    "Opponent",
    "OpponentDanger",
    "Play",
    "PlayedDiscard",
    "Position",
    "Predecomposition",
    "Prior",
    "RuleSet",
    "SolveOptions",
    "Targets",
    "TileSet",
    "UsefulBatch",
    "UsefulTiles",
    "WinningForm",
    "advise",
    "candidates",
    "ceiling",
    "ceiling_many",
    "census",
    "certify",
    "certify_many",
    "compare",
    "danger",
    "decompositions",
    "deficiency",
    "discards",
    "discards_many",
    "expected_draws",
    "expected_draws_many",
    "explain",
    "export",
    "get_rules",
    "heuristics",
    "is_win",
    "judge_calls",
    "label",
    "label_packed",
    "optimal_play",
    "pack",
    "play",
    "rank_discards",
    "shanten",
    "solve",
    "targets",
    "unpack",
    "useful_tiles",
    "useful_tiles_many",
    "verify",
]

# Everything is loaded on first use, so that `import mjopt` takes some milliseconds.
_LATER = {
    "decompositions": "mjopt.analysis.deficiency",
    "deficiency": "mjopt.analysis.deficiency",
    "is_win": "mjopt.analysis.deficiency",
    "shanten": "mjopt.analysis.deficiency",
    "Block": "mjopt.hands.blocks",
    "Hand": "mjopt.hands.hand",
    "NOTATIONS": "mjopt.hands.notation.registry",
    "Predecomposition": "mjopt.hands.predecomposition",
    "candidates": "mjopt.hands.predecomposition",
    "RULE_SETS": "mjopt.hands.rules.rule_file",
    "get_rules": "mjopt.hands.rules.rule_file",
    "RuleSet": "mjopt.hands.rules.rule_set",
    "WinningForm": "mjopt.hands.rules.rule_set",
    "FULL": "mjopt.hands.tiles",
    "M0": "mjopt.hands.tiles",
    "SANMA": "mjopt.hands.tiles",
    "TILE_SETS": "mjopt.hands.tiles",
    "TileSet": "mjopt.hands.tiles",
    "FORMS": "mjopt.hands.rules.classic_forms",
    "UNREACHABLE": "mjopt.hands.rules.classic_forms",
    "FORMULATIONS": "mjopt.models.registry",
    "Answer": "mjopt.models.solve",
    "solve": "mjopt.models.solve",
    "SolveOptions": "mjopt.models.solvers.base",
    "SOLVERS": "mjopt.models.solvers.registry",
    "export": "mjopt.models.export",
    "Advice": "mjopt.chances.advice.options",
    "AdvisedOption": "mjopt.chances.advice.options",
    "CallOption": "mjopt.chances.advice.calls",
    "Position": "mjopt.chances.advice.position",
    "advise": "mjopt.chances.advice.advise",
    "Danger": "mjopt.chances.danger.danger",
    "KindDanger": "mjopt.chances.danger.danger",
    "OpponentDanger": "mjopt.chances.danger.danger",
    "danger": "mjopt.chances.danger.danger",
    "Opponent": "mjopt.chances.danger.opponent",
    "PRIORS": "mjopt.chances.danger.prior",
    "Prior": "mjopt.chances.danger.prior",
    "Ceiling": "mjopt.chances.ceiling.lookup",
    "CeilingDiscard": "mjopt.chances.ceiling.lookup",
    "Census": "mjopt.tables.census",
    "Certificate": "mjopt.analysis.certificate",
    "Discard": "mjopt.analysis.discard",
    "DiscardBatch": "mjopt.analysis.batch",
    "DiscardDraws": "mjopt.chances.draws.ranking",
    "Draws": "mjopt.chances.draws.distribution",
    "Explanation": "mjopt.analysis.explanation",
    "Play": "mjopt.chances.win_chance.play_bounds",
    "PlayedDiscard": "mjopt.chances.win_chance.discard_bounds",
    "Targets": "mjopt.analysis.targets",
    "UsefulBatch": "mjopt.analysis.batch",
    "UsefulTiles": "mjopt.analysis.useful_tiles",
    "ceiling": "mjopt.chances.ceiling.lookup",
    "ceiling_many": "mjopt.chances.ceiling.lookup",
    "census": "mjopt.tables.census",
    "certify": "mjopt.analysis.certify",
    "certify_many": "mjopt.analysis.certify",
    "compare": "mjopt.studies.api",
    "discards": "mjopt.analysis.discard",
    "discards_many": "mjopt.analysis.batch",
    "expected_draws": "mjopt.chances.draws.expected_draws",
    "expected_draws_many": "mjopt.chances.draws.expected_draws",
    "explain": "mjopt.analysis.explanation",
    "judge_calls": "mjopt.chances.advice.advise",
    "label": "mjopt.tables.labels.batch",
    "label_packed": "mjopt.tables.standard.packed",
    "optimal_play": "mjopt.chances.win_chance.optimal_play",
    "pack": "mjopt.tables.standard.packed",
    "rank_discards": "mjopt.chances.draws.ranking",
    "targets": "mjopt.analysis.targets",
    "unpack": "mjopt.tables.standard.packed",
    "useful_tiles": "mjopt.analysis.useful_tiles",
    "useful_tiles_many": "mjopt.analysis.batch",
    "verify": "mjopt.analysis.formats.verify_file",
    "analysis": "mjopt.analysis",
    "hands": "mjopt.hands",
    "heuristics": "mjopt.heuristics",
    "models": "mjopt.models",
    "play": "mjopt.play",
}

__getattr__ = load_later(__name__, _LATER)


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted({*globals(), *__all__})
