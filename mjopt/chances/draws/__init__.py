"""Exact expected number of draws until a hand is complete."""

from mjopt.chances.draws.automaton import Automaton, derive_automaton, minimise
from mjopt.chances.draws.distribution import Waiting, Within

__all__ = [
    "Automaton",
    "Waiting",
    "Within",
    "derive_automaton",
    "minimise",
]
