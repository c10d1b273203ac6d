"""Count the draws of one hand in plain Python: a polynomial is one long integer.

The numbers of ways to draw 0, 1, ... tiles are the digits of an integer, in a base larger than
any of them. Python multiplies such integers quickly, and nothing is compiled.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from math import comb
from typing import Final

from mjopt.chances.draws.suit_classes import SuitClasses

KEPT: Final = 256  # cached suits, at most about 100 kB each

SuitPart = tuple[tuple[int, int, int, int, int], ...]
"""For each kind: copies held, copies in the wall, least and most copies at the end, gap after."""

Ways = dict[int, int]
"""Number of ways to each reachable class."""


def count_incomplete(
    classes: SuitClasses,
    suits: Sequence[SuitPart],
    variants: Sequence[tuple[int, SuitPart]],
    size: int,
) -> list[list[int]]:
    """Count the draws that leave a hand incomplete, for variants that replace one suit.

    Parameters
    ----------
    classes
        Suit classes and their joins.
    suits
        The suits of the first hand.
    variants
        Index of a suit, and its replacement.
    size
        Tiles in the wall.

    Returns
    -------
    list of list of int
        For each variant, by the number of draws, ``0..size``.
    """
    digit = comb(size, size // 2).bit_length()
    joins: list[list[int]] = classes.joins.tolist()
    parts = [_suit_ways(classes, suit, digit) for suit in suits]
    before = list(accumulate(parts, lambda one, two: _join(one, two, joins), initial={0: 1}))
    after = list(accumulate(parts[::-1], lambda one, two: _join(one, two, joins), initial={0: 1}))
    beside: dict[int, Ways] = {}
    found = []
    for place, suit in variants:
        if place not in beside:
            rest = _join(before[place], after[len(suits) - 1 - place], joins)
            beside[place] = {
                one: sum(ways for two, ways in rest.items() if row[two] >= 0)
                for one, row in enumerate(joins)
            }
        ways = _suit_ways(classes, suit, digit)
        total = sum(number * beside[place][one] for one, number in ways.items())
        found.append([total >> digit * i & (1 << digit) - 1 for i in range(size + 1)])
    return found


def _join(one: Ways, two: Ways, joins: list[list[int]]) -> Ways:
    """Join two groups of suits; complete hands are left out."""
    both: Ways = {}
    for a, ways in one.items():
        for b, others in two.items():
            if (c := joins[a][b]) >= 0:
                both[c] = both.get(c, 0) + ways * others
    return both


@lru_cache(maxsize=KEPT)
def _suit_ways(classes: SuitClasses, suit: SuitPart, digit: int) -> Ways:
    """Count the draws from one suit that lead to each class."""
    steps, after_gap = classes.automaton.steps.tolist(), classes.after_gap.tolist()
    is_win: list[bool] = classes.automaton.wins.tolist()
    states: Ways = {0: 1}
    for held, left, low, high, gap in suit:
        after: Ways = {}
        for state, ways in states.items():
            for drawn in range(max(low - held, 0), min(left, high - held) + 1):
                target = steps[state][held + drawn]
                if gap:
                    target = steps[steps[target][0]][0]
                if not is_win[target]:
                    more = comb(left, drawn) * ways << digit * drawn
                    after[target] = after.get(target, 0) + more
        states = after
    found: Ways = {}
    for state, ways in states.items():
        if (number := after_gap[state]) >= 0:
            found[number] = found.get(number, 0) + ways
    return found
