"""Exact expected number of draws until a hand is complete."""

from mjopt.chances.draws.automaton import Automaton, derive_automaton, minimise
from mjopt.chances.draws.calls import CallDraws, judge_calls
from mjopt.chances.draws.distribution import Draws, Waiting, Within
from mjopt.chances.draws.expected_draws import expected_draws, expected_draws_many
from mjopt.chances.draws.ranking import DiscardDraws, rank_discards

__all__ = [
    "Automaton",
    "CallDraws",
    "DiscardDraws",
    "Draws",
    "Waiting",
    "Within",
    "derive_automaton",
    "expected_draws",
    "expected_draws_many",
    "judge_calls",
    "minimise",
    "rank_discards",
]
