"""Kernels: fill the positions of an individual that its repair has emptied."""

from typing import NamedTuple

import numpy as np

from mjopt._internal.jit import inner
from mjopt.heuristics._candidates import (
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
    _repair,
)
from mjopt.heuristics._random_streams import random_below
from mjopt.heuristics.seeding import Rng

# Each part of S is scanned once, cyclically from a random start, and an element that fits is placed
# in the first empty position, repeatedly while it fits. One scan suffices: the free copies only
# decrease, so an element that does not fit never fits later. A refill never raises the cost of
# Eq. 8, because an element is worth at least as much as an empty position (docs/results/refill.md).
# The tests compare it with a readable version.

ANY, MELDS_FIRST = 1, 2  # the rules; any other rule adds one pair after the melds

# Parts of S.
ALL, MELDS, EYES, PMELDS = 0, 1, 2, 3
NUM_PARTS = 4

# Indices in ``groups``: the elements, namely melds, then pairs, then pchows, and from here on where
# each part begins and ends among them. Parts overlap: pairs are pmelds too.
STARTS = MAX_ELEMENTS
ENDS = STARTS + NUM_PARTS


def new_groups() -> Ints:
    """Return an empty array for the elements of a hand by group."""
    return np.zeros(ENDS + NUM_PARTS, np.int64)


@inner
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
            groups[ENDS + MELDS] = groups[STARTS + EYES] = groups[STARTS + PMELDS] = number
        elif group == 1:
            groups[ENDS + EYES] = number
    groups[STARTS + ALL] = groups[STARTS + MELDS] = 0
    groups[ENDS + ALL] = groups[ENDS + PMELDS] = number


class Space(NamedTuple):
    """What an individual can still take."""

    empty: int  # its first empty position, or the number of positions
    # In the field of each kind, the copies in the hand beyond those used, and the top bit. Of an
    # element that does not fit, a subtraction clears a top bit: elements have at most 3 copies.
    room: int


@inner
def fill_up(chosen: Ints, rule: int, groups: Ints, problem: Problem, rng: Rng) -> None:
    """Repair an individual and fill its empty positions."""
    total, every = _repair(chosen, problem, rng), problem[POSITIONS]
    empty = _next_empty(chosen, 0, problem)
    if empty == every:
        return
    pairs = 0
    for j in range(every):
        pairs |= problem[PAIRS + chosen[j]]
    space = Space(empty, (problem[HELD] | HIGH_BITS) - (total & FIELDS))
    if rule == ANY:
        _add_fitting(chosen, space, ALL, every, groups, problem, rng)
        return
    space = _add_fitting(chosen, space, MELDS, every, groups, problem, rng)
    if rule != MELDS_FIRST:
        wanted = 1 if pairs == 0 else 0
        space = _add_fitting(chosen, space, EYES, wanted, groups, problem, rng)
    _add_fitting(chosen, space, PMELDS, every, groups, problem, rng)


@inner
def _next_empty(chosen: Ints, start: int, problem: Problem) -> int:
    """Return the first empty position at or after an index, or the number of positions."""
    while start < problem[POSITIONS] and chosen[start]:
        start += 1
    return start


@inner
def _add_fitting(
    chosen: Ints, space: Space, part: int, at_most: int, groups: Ints, problem: Problem, rng: Rng
) -> Space:
    """Add elements of a part of S that fit; return the space that is left."""
    empty, room = space
    start = groups[STARTS + part]
    number = groups[ENDS + part] - start
    if empty == problem[POSITIONS] or number == 0:
        return space
    at = random_below(rng, number)
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
                return Space(empty, room)
    return Space(empty, room)
