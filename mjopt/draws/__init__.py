"""The expected number of draws until a hand is complete, exactly."""

from mjopt.draws.automaton import Automaton, derive_automaton, minimise
from mjopt.draws.calls import CallDraws, judge_calls
from mjopt.draws.expect import expected_draws, expected_draws_many, mean_draws
from mjopt.draws.long_suit import long_suit_draws
from mjopt.draws.ranking import DiscardDraws, rank_discards
from mjopt.draws.record import Draws
from mjopt.draws.variants import MODELS, ModelDraws, compare_models
from mjopt.draws.waiting import Waiting, Within

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
