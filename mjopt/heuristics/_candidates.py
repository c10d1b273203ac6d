"""Kernels: the candidate set S of a hand as machine words; repair and cost of an individual."""

from typing import Any

import numpy as np
import numpy.typing as npt

from mjopt._internal.jit import inner
from mjopt.hands.tiles import COPIES
from mjopt.heuristics._random_streams import random_below
from mjopt.heuristics.seeding import Rng

INT: Any = np.int64
"""NumPy's class of numbers in kernels, where numba decides the types."""

Ints = npt.NDArray[np.int64]

# The model is that of Yan and Li: S is the set of all melds and pmelds of the hand, an individual
# chooses up to five of them, and Eq. 8 is its cost (docs/reference/formulations.md and
# docs/results/paper-cost.md; readable versions are `mjopt.heuristics.encoding` and
# `mjopt.heuristics.repair`, and the tests compare both).
#
# Only kinds in the hand are usable, and there are at most fourteen: each gets a field of four bits,
# enough for the copies of five pongs. Element e of S is the word ``problem[e]``, 1-based;
# ``problem[0] = 0`` is the empty position. So the sum of the words of an individual holds the
# copies used of each kind and, above those bits, the weight and the number of its elements.

MAX_ELEMENTS = 80  # fourteen kinds with five cases each, and the empty position
MAX_POSITIONS = 5
FIELD = 4  # bits for each kind
FIELDS = (1 << 56) - 1
HIGH_BITS = 0x88888888888888  # the top bit of each of the fourteen fields
WEIGHT = 56  # bit offset of the weight: 2 for a meld, 1 for a pmeld; four bits
NUMBER = 60  # bit offset of the number of elements
PMELD_MARK = (1 << NUMBER) | (1 << WEIGHT)
MELD_MARK = (1 << NUMBER) | (2 << WEIGHT)

# Indices in a problem.
PAIRS = MAX_ELEMENTS
NUM_ELEMENTS = 2 * MAX_ELEMENTS  # NS
POSITIONS = NUM_ELEMENTS + 1  # 5 less the number of called melds
CALLED = NUM_ELEMENTS + 2
HELD = NUM_ELEMENTS + 3  # copies in the hand, in the same fields
BY_TILE = NUM_ELEMENTS + 4  # whether S is listed tile by tile
RULE = NUM_ELEMENTS + 5  # number of the repair rule
SPECIAL_1 = NUM_ELEMENTS + 6
SPECIAL_2 = NUM_ELEMENTS + 7
SIZE = NUM_ELEMENTS + 8

Problem = Ints
"""A hand, its set S and the rules of evaluation, shape ``(SIZE,)``: the words of the elements, then
from ``PAIRS`` on one bit for each element that is a pair, then parameters. It is a single array
because unpacking arrays in a kernel costs atomic reference counts."""


def new_problem(
    *, called: int, by_tile: bool, rule: int, special_case_1: bool, special_case_2: bool
) -> Problem:
    """Return a problem without a hand; ``list_elements`` adds the hand."""
    problem = np.zeros(SIZE, np.int64)
    problem[POSITIONS] = MAX_POSITIONS - called
    problem[CALLED] = called
    problem[BY_TILE] = by_tile
    problem[RULE] = rule
    problem[SPECIAL_1] = special_case_1
    problem[SPECIAL_2] = special_case_2
    return problem


@inner
def list_elements(
    counts: npt.NDArray[np.uint8], chow_at: npt.NDArray[np.uint8], problem: Problem
) -> None:
    """List S in the order of ``Encoding``, in ``problem``.

    Copies per kind have shape ``(K,)``; ``chow_at`` is 1 where a chow begins, shape ``(K + 2,)``.
    """
    by_tile, num, held = problem[BY_TILE], 1, 0
    for case in range(1 if by_tile else 4):  # S is listed case by case, or tile by tile
        field, here, held = 0, 1, 0  # ``here``: one tile of kind k
        for k in range(len(counts)):
            copies = INT(counts[k])
            if copies == 0:
                continue
            field += 1
            held += here * copies
            # 1 if k and the kind above are in a suit, and the same for the kind below; the last
            # entry of ``chow_at``, which k = 0 reads, is 0.
            begins, below = np.int64(chow_at[k]), np.int64(chow_at[k - 1])
            one_above = (begins | below) * counts[k + 1] if k + 1 < len(counts) else 0
            two_above = begins * counts[k + 2] if begins else 0
            # Kinds not in the hand have no field: without the kind above, two above is next.
            one = here << FIELD
            two = one << FIELD if one_above else one
            if by_tile or case == 0:
                arrives = (begins > 0) & (two_above < COPIES)
                arrives |= (below > 0) & (counts[k - 1] < COPIES)
                num = _append((one_above > 0) & arrives, here + one + PMELD_MARK, 0, num, problem)
                is_gap = (two_above > 0) & (one_above < COPIES)
                num = _append(is_gap, here + two + PMELD_MARK, 0, num, problem)
            if by_tile or case == 2:
                is_chow = (one_above > 0) & (two_above > 0)
                num = _append(is_chow, here + one + two + MELD_MARK, 0, num, problem)
            if by_tile or case == 1:
                num = _append(copies >= 2, 2 * here + PMELD_MARK, 1 << field, num, problem)
            if by_tile or case == 3:
                num = _append(copies >= 3, 3 * here + MELD_MARK, 0, num, problem)
            here <<= FIELD
    problem[NUM_ELEMENTS] = num - 1
    problem[HELD] = held


@inner(inline=True)
def _append(is_element: bool, word: int, pair: int, num: int, problem: Problem) -> int:
    """Append an element to S if it is one; return the number of the next element."""
    if is_element:
        problem[num] = word
        problem[PAIRS + num] = pair
        num += 1
    return num


# Half of the run time of a search is spent in repair and cost, mostly on mispredicted branches.
# Positions are therefore bits of a mask where one of them is selected.

PREFER_MELDS, PREFER_ANY = 1, 2
FROM_LAST, AT_RANDOM = 1, 2
ALL_POSITIONS = (1 << MAX_POSITIONS) - 1


@inner(inline=True)
def judge(chosen: Ints, problem: Problem, rng: Rng) -> int:
    """Repair an individual in place and return its cost.

    ``chosen`` has elements of S, 1-based, 0 for an empty position; shape ``(5,)``. Entries beyond
    the positions of the hand are 0. Randomised rules draw from ``rng``.
    """
    return cost_of(chosen, _repair(chosen, problem, rng), problem)


@inner(inline=True)
def _repair(chosen: Ints, problem: Problem, rng: Rng) -> int:
    """Make an individual feasible in place; return the sum of its words."""
    total: int = (
        problem[chosen[0]]
        + problem[chosen[1]]
        + problem[chosen[2]]
        + problem[chosen[3]]
        + problem[chosen[4]]
    )
    over = _overused(total, problem[HELD])
    if over:
        total = _empty_positions(chosen, over, problem, rng)
    return total


@inner
def _overused(total: int, held: int) -> int:
    """Return the top bit of every field with more copies used than the hand has."""
    # All fields are compared by one subtraction. A field of the hand with its top bit set keeps it
    # unless the low three bits of the copies used exceed the copies held, and never borrows from
    # the next field. Eight copies or more have the top bit set themselves.
    used = total & FIELDS
    return (~((held | HIGH_BITS) - (used & ~HIGH_BITS)) | used) & HIGH_BITS


@inner(inline=True)
def _empty_positions(chosen: Ints, over: int, problem: Problem, rng: Rng) -> int:
    """Empty positions until no field is overused; return the sum of the remaining words."""
    held = problem[HELD]
    prefer, place = problem[RULE] // 3, problem[RULE] % 3
    # Five variables, not an array: they stay in registers.
    a, b, c = problem[chosen[0]], problem[chosen[1]], problem[chosen[2]]
    d, e = problem[chosen[3]], problem[chosen[4]]
    liked = _bits(a, b, c, d, e, 2 << WEIGHT)
    if prefer != PREFER_MELDS:
        liked = ALL_POSITIONS if prefer == PREFER_ANY else ~liked
    kept = ALL_POSITIONS
    # Kinds are repaired in ascending order. A removal only lowers fields, and cannot undo that.
    while over:
        lowest = over & -over  # the top bit of the first field that is overused
        # The mask is the four bits of that field.
        having = _bits(a, b, c, d, e, (lowest << 1) - (lowest >> (FIELD - 1)))
        choices = having & liked
        choices = choices if choices else having
        if place == FROM_LAST:
            while choices & (choices - 1):  # clear the lowest bit until one is left
                choices &= choices - 1
        elif place == AT_RANDOM:
            choices = _any_bit(choices, rng)
        gone = choices & -choices
        kept -= gone
        a = 0 if gone == 1 else a
        b = 0 if gone == 2 else b
        c = 0 if gone == 4 else c
        d = 0 if gone == 8 else d
        e = 0 if gone == 16 else e
        over = _overused(a + b + c + d + e, held)
    for j in range(MAX_POSITIONS):
        chosen[j] = chosen[j] if kept >> j & 1 else 0
    total: int = a + b + c + d + e
    return total


@inner
def _bits(a: int, b: int, c: int, d: int, e: int, mask: int) -> int:
    """Return a bit mask of the positions whose word overlaps a mask."""
    return (
        (a & mask != 0)
        | (b & mask != 0) << 1
        | (c & mask != 0) << 2
        | (d & mask != 0) << 3
        | (e & mask != 0) << 4
    )


@inner(inline=True)
def _any_bit(bits: int, rng: Rng) -> int:
    """Rotate a bit mask to a random start and return the bits from there on."""
    number = 0
    rest = bits
    while rest:
        rest &= rest - 1
        number += 1
    for _ in range(random_below(rng, number)):
        bits &= bits - 1
    return bits


@inner(inline=True)
def cost_of(chosen: Ints, total: int, problem: Problem) -> int:
    """Return the cost of a feasible individual whose words have a sum: Eq. 8, special cases."""
    weight = (total >> WEIGHT) & 15
    number = total >> NUMBER
    cost: int = 9 - 2 * problem[CALLED] - weight
    # With all positions filled, a pair is the eye. Two pairs of a kind hold all its copies, so no
    # tile can complete the one that is not the eye (special case 1).
    if number == problem[POSITIONS]:
        seen = twice = 0
        for j in range(MAX_POSITIONS):
            pair = problem[PAIRS + chosen[j]]
            twice |= seen & pair
            seen |= pair
        cost += (seen == 0) | ((twice != 0) & problem[SPECIAL_1])
    # With four melds and nothing else, some tile must be able to start the eye (special case 2).
    elif problem[SPECIAL_2] and weight == 2 * number and number + problem[CALLED] == 4:
        left = problem[HELD] - (total & FIELDS)
        for j in range(MAX_POSITIONS):
            used = problem[chosen[j]] & FIELDS
            low = used & -used
            if used == 3 * low:  # a pong: the fourth copy cannot start an eye
                left &= ~(15 * low)
        cost += left == 0
    return cost
