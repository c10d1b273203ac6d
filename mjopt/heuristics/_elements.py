"""The set S of a hand as numbers that kernels add up.

Only kinds that the hand holds can be used, and there are at most fourteen: each gets
four bits of a word, enough for five pongs. Element e of S is ``problem[e]``, 1-based;
``problem[0] = 0`` is the empty position. A sum of words is a predecomposition: how often
each kind is used, and above those bits the number of elements and their weight.
"""

import numpy as np
import numpy.typing as npt

from mjopt.runtime.kernels import kernel

Ints = npt.NDArray[np.int64]

MAX_ELEMENTS = 80  # fourteen kinds, five cases each, and the empty one
MAX_POSITIONS = 5
FIELD = 4  # bits a kind
FIELDS = (1 << 56) - 1
HIGH_BITS = 0x88888888888888  # the top bit of each of the fourteen fields
WEIGHT = 56  # where the weight stands: 2 a meld, 1 a pmeld; four bits
NUMBER = 60  # where the number of elements stands
PMELD_MARK = (1 << NUMBER) | (1 << WEIGHT)
MELD_MARK = (1 << NUMBER) | (2 << WEIGHT)

# Places in a problem.
PAIRS = MAX_ELEMENTS
NUM_ELEMENTS = 2 * MAX_ELEMENTS  # NS
POSITIONS = NUM_ELEMENTS + 1  # 5, less one a called meld
CALLED = NUM_ELEMENTS + 2
HELD = NUM_ELEMENTS + 3  # what the hand holds, in the same fields
BY_TILE = NUM_ELEMENTS + 4  # whether S is listed tile by tile
RULE = NUM_ELEMENTS + 5  # of the repair
SPECIAL_1 = NUM_ELEMENTS + 6
SPECIAL_2 = NUM_ELEMENTS + 7
SIZE = NUM_ELEMENTS + 8

Problem = Ints
"""A hand, its set S and how to judge a choice from it, shape ``(SIZE,)``: the words of the
elements, then from ``PAIRS`` on one bit for each element that is a pair, then facts. One
array, because every array that a kernel unpacks costs it atomic counts of references."""


def new_problem(
    *, called: int, by_tile: bool, rule: int, special_case_1: bool, special_case_2: bool
) -> Problem:
    """Return a problem without its hand; ``list_elements`` adds that."""
    problem = np.zeros(SIZE, np.int64)
    problem[POSITIONS] = MAX_POSITIONS - called
    problem[CALLED] = called
    problem[BY_TILE] = by_tile
    problem[RULE] = rule
    problem[SPECIAL_1] = special_case_1
    problem[SPECIAL_2] = special_case_2
    return problem


@kernel
def list_elements(
    counts: npt.NDArray[np.uint8], chow_at: npt.NDArray[np.uint8], problem: Problem
) -> None:
    """List S, as ``Encoding`` does.

    Parameters
    ----------
    counts
        Copies per kind, shape ``(K,)``.
    chow_at
        1 where a chow begins, shape ``(K + 2,)``.
    problem
        Written to.
    """
    unit = np.zeros(len(counts) + 2, np.int64)  # one tile of a kind
    copies = np.zeros(len(counts) + 2, np.int64)
    unit_now = 1
    held = 0
    for kind in range(len(counts)):
        copies[kind] = counts[kind]
        if counts[kind]:
            unit[kind] = unit_now
            held += unit_now * copies[kind]
            unit_now <<= FIELD
    num = 1
    by_tile = problem[BY_TILE]
    for case in range(1 if by_tile else 4):
        field = 0
        for k in range(len(counts)):
            if copies[k] == 0:
                continue
            field += 1
            here, begins = unit[k], chow_at[k]
            begins_below = chow_at[k - 1] if k else np.uint8(0)
            if by_tile or case == 0:
                above_arrives = begins and copies[k + 2] < 4
                below_arrives = begins_below and copies[k - 1] < 4
                if copies[k + 1] and (above_arrives or below_arrives):
                    problem[num] = here + unit[k + 1] + PMELD_MARK
                    problem[PAIRS + num] = 0
                    num += 1
                if begins and copies[k + 2] and copies[k + 1] < 4:
                    problem[num] = here + unit[k + 2] + PMELD_MARK
                    problem[PAIRS + num] = 0
                    num += 1
            if by_tile and begins and copies[k + 1] and copies[k + 2]:
                problem[num] = here + unit[k + 1] + unit[k + 2] + MELD_MARK
                problem[PAIRS + num] = 0
                num += 1
            if (by_tile or case == 1) and copies[k] >= 2:
                problem[num] = 2 * here + PMELD_MARK
                problem[PAIRS + num] = 1 << field
                num += 1
            if not by_tile and case == 2 and begins and copies[k + 1] and copies[k + 2]:
                problem[num] = here + unit[k + 1] + unit[k + 2] + MELD_MARK
                problem[PAIRS + num] = 0
                num += 1
            if (by_tile or case == 3) and copies[k] >= 3:
                problem[num] = 3 * here + MELD_MARK
                problem[PAIRS + num] = 0
                num += 1
    problem[NUM_ELEMENTS] = num - 1
    problem[HELD] = held
