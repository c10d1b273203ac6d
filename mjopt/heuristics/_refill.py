"""Refill of one individual, as kernels; a plain twin in the tests says the same.

A group of elements is gone through once, from a place that is drawn and around; each that
fits goes to the first empty position, again as long as it fits. Under Eq. 8 this never
costs: a piece more is worth at least what the empty position is.
"""

import numpy as np

from mjopt.heuristics._draws import Source, integer
from mjopt.heuristics._elements import (
    FIELDS,
    HELD,
    HIGH_BITS,
    MAX_ELEMENTS,
    NUM_ELEMENTS,
    PAIRS,
    POSITIONS,
    WEIGHT,
    Ints,
    Problem,
)
from mjopt.runtime.kernels import kernel

NONE, ANY, MELDS_FIRST = 0, 1, 2

# Places in ``groups``: the elements, melds first, then pairs, then pchows; then how many.
NUM_MELDS = MAX_ELEMENTS
NUM_PAIRS = MAX_ELEMENTS + 1


def new_groups() -> Ints:
    """Return room for the elements of one hand, group by group."""
    return np.zeros(MAX_ELEMENTS + 2, np.int64)


@kernel
def list_groups(problem: Problem, groups: Ints) -> None:
    """List the elements of S by group."""
    number = 0
    for group in range(3):
        for e in range(1, problem[NUM_ELEMENTS] + 1):
            is_meld = (problem[e] >> WEIGHT) & 15 == 2
            if group == (0 if is_meld else 1 if problem[PAIRS + e] else 2):
                groups[number] = e
                number += 1
        if group == 0:
            groups[NUM_MELDS] = number
        elif group == 1:
            groups[NUM_PAIRS] = number - groups[NUM_MELDS]


@kernel
def fill_up(chosen: Ints, rule: int, groups: Ints, problem: Problem, source: Source) -> None:
    """Fill the empty positions of a repaired individual."""
    empty = _next_empty(chosen, 0, problem)
    if rule == NONE or empty == problem[POSITIONS]:
        return
    total = 0
    pairs = 0
    for j in range(problem[POSITIONS]):
        total += problem[chosen[j]]
        pairs |= problem[PAIRS + chosen[j]]
    # No field is above 7 after a repair and one more element, so none borrows from the next.
    room = (problem[HELD] | HIGH_BITS) - (total & FIELDS)
    every, num_melds, num_pairs = problem[POSITIONS], groups[NUM_MELDS], groups[NUM_PAIRS]
    rest = problem[NUM_ELEMENTS]
    if rule == ANY:
        _add(chosen, empty, room, 0, rest, every, groups, problem, source)
        return
    empty, room = _add(chosen, empty, room, 0, num_melds, every, groups, problem, source)
    rest -= num_melds
    if rule != MELDS_FIRST:
        wanted = 1 if pairs == 0 else 0
        empty, room = _add(
            chosen, empty, room, num_melds, num_pairs, wanted, groups, problem, source
        )
    _add(chosen, empty, room, num_melds, rest, every, groups, problem, source)


@kernel
def _next_empty(chosen: Ints, start: int, problem: Problem) -> int:
    """Return the first empty position from a place on, or the number of positions."""
    while start < problem[POSITIONS] and chosen[start]:
        start += 1
    return start


@kernel
def _add(
    chosen: Ints,
    empty: int,
    room: int,
    start: int,
    number: int,
    at_most: int,
    groups: Ints,
    problem: Problem,
    source: Source,
) -> tuple[int, int]:
    """Add what fits from a group, from a place that is drawn and around.

    Takes and returns the first empty position and the room there is: what the hand
    holds beyond what is used, with the top bit of every field set.
    """
    if empty == problem[POSITIONS] or number == 0:
        return empty, room
    at = integer(source, number)
    for _ in range(number if at_most else 0):
        e = groups[start + at]
        at = at + 1 if at + 1 < number else 0
        used = problem[e] & FIELDS
        while (room - used) & HIGH_BITS == HIGH_BITS:
            chosen[empty] = e
            room -= used
            at_most -= 1
            empty = _next_empty(chosen, empty + 1, problem)
            if at_most == 0 or empty == problem[POSITIONS]:
                return empty, room
    return empty, room
