"""Repair and cost of one individual, as kernels; ``repair`` and ``encoding`` say it plainly.

Half of a search is spent here, and most of that on branches that cannot be foreseen.
So positions are bits of a mask wherever a choice is made among them.
"""

from mjopt.heuristics._draws import Source, integer
from mjopt.heuristics._elements import (
    CALLED,
    FIELD,
    FIELDS,
    HELD,
    HIGH_BITS,
    MAX_POSITIONS,
    NUMBER,
    PAIRS,
    POSITIONS,
    RULE,
    SPECIAL_1,
    SPECIAL_2,
    WEIGHT,
    Ints,
    Problem,
)
from mjopt.runtime.kernels import kernel

PREFER_MELDS, PREFER_ANY = 1, 2
FROM_LAST, AT_RANDOM = 1, 2
ALL_POSITIONS = (1 << MAX_POSITIONS) - 1


@kernel
def judge(chosen: Ints, problem: Problem, source: Source) -> int:
    """Repair an individual in place and return its cost.

    Parameters
    ----------
    chosen
        Elements of S, 1-based, 0 for an empty position; shape ``(5,)``, of which as
        many count as the hand has positions, the rest being 0.
    problem
        The hand and the rules.
    source
        Random numbers, for the rules that draw some.
    """
    total = (
        problem[chosen[0]]
        + problem[chosen[1]]
        + problem[chosen[2]]
        + problem[chosen[3]]
        + problem[chosen[4]]
    )
    over = _overused(total, problem[HELD])
    if over:
        total = _repair(chosen, over, problem, source)
    return _cost(chosen, total, problem)


@kernel
def _overused(total: int, held: int) -> int:
    """Return the top bit of every field that uses more than is held."""
    used = total & FIELDS
    return (~((held | HIGH_BITS) - (used & ~HIGH_BITS)) | used) & HIGH_BITS


@kernel
def _repair(chosen: Ints, over: int, problem: Problem, source: Source) -> int:
    """Empty positions until no field is overused; return the sum of what is left."""
    held = problem[HELD]
    prefer, place = problem[RULE] // 3, problem[RULE] % 3
    # Five variables, not an array: they stay in registers.
    a, b, c = problem[chosen[0]], problem[chosen[1]], problem[chosen[2]]
    d, e = problem[chosen[3]], problem[chosen[4]]
    liked = _bits(a, b, c, d, e, 2 << WEIGHT)
    if prefer != PREFER_MELDS:
        liked = ALL_POSITIONS if prefer == PREFER_ANY else ~liked
    kept = ALL_POSITIONS
    while over:
        lowest = over & -over  # the top bit of the first field that is overused
        having = _bits(a, b, c, d, e, (lowest << 1) - (lowest >> (FIELD - 1)))
        choices = having & liked
        choices = choices if choices else having
        if place == FROM_LAST:
            while choices & (choices - 1):
                choices &= choices - 1
        elif place == AT_RANDOM:
            choices = _any_bit(choices, source)
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
    return int(a + b + c + d + e)


@kernel
def _bits(a: int, b: int, c: int, d: int, e: int, mask: int) -> int:
    """Return the positions whose word touches a mask, as bits."""
    return (
        int(a & mask != 0)
        | int(b & mask != 0) << 1
        | int(c & mask != 0) << 2
        | int(d & mask != 0) << 3
        | int(e & mask != 0) << 4
    )


@kernel
def _any_bit(bits: int, source: Source) -> int:
    """Return the bits from one drawn at random on."""
    number = 0
    rest = bits
    while rest:
        rest &= rest - 1
        number += 1
    for _ in range(integer(source, number)):
        bits &= bits - 1
    return bits


@kernel
def _cost(chosen: Ints, total: int, problem: Problem) -> int:
    """Eq. 8 and its special cases."""
    weight = (total >> WEIGHT) & 15
    number = total >> NUMBER
    cost = 9 - 2 * problem[CALLED] - weight
    if number == problem[POSITIONS]:
        seen = twice = 0
        for j in range(MAX_POSITIONS):
            pair = problem[PAIRS + chosen[j]]
            twice |= seen & pair
            seen |= pair
        cost += int(seen == 0) | (int(twice != 0) & problem[SPECIAL_1])
    elif problem[SPECIAL_2] and weight == 2 * number and number + problem[CALLED] == 4:
        left = problem[HELD] - (total & FIELDS)
        for j in range(MAX_POSITIONS):
            used = problem[chosen[j]] & FIELDS
            low = used & -used
            if used == 3 * low:  # a pong: what is left of its kind starts no eye
                left &= ~(15 * low)
        cost += int(left == 0)
    return int(cost)
