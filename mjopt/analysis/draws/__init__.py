"""The expected number of draws until a hand is complete, exactly."""

from mjopt.analysis.draws.automaton import Automaton, derive_automaton, minimise
from mjopt.analysis.draws.calls import CallDraws, judge_calls
from mjopt.analysis.draws.distribution import Draws, Waiting, Within
from mjopt.analysis.draws.expected_draws import expected_draws, expected_draws_many, mean_draws
from mjopt.analysis.draws.ranking import DiscardDraws, rank_discards
from mjopt.analysis.draws.variants import MODELS, ModelDraws, compare_models
from mjopt.analysis.draws.zjoi2019 import long_suit_draws

__all__ = [
    "MODELS",
    "Automaton",
    "CallDraws",
    "DiscardDraws",
    "Draws",
    "ModelDraws",
    "Waiting",
    "Within",
    "compare_models",
    "derive_automaton",
    "expected_draws",
    "expected_draws_many",
    "judge_calls",
    "long_suit_draws",
    "mean_draws",
    "minimise",
    "rank_discards",
]
