"""The expected number of draws until a hand is complete, exactly."""

from mjopt.answers.draws.automaton import Automaton, derive_automaton, minimise
from mjopt.answers.draws.calls import CallDraws, judge_calls
from mjopt.answers.draws.expect import expected_draws, expected_draws_many, mean_draws
from mjopt.answers.draws.long_suit import long_suit_draws
from mjopt.answers.draws.ranking import DiscardDraws, rank_discards
from mjopt.answers.draws.variants import MODELS, ModelDraws, compare_models
from mjopt.answers.draws.waiting import Draws, Waiting, Within

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
