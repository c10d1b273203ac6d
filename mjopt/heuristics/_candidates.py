"""The set S of a hand as machine words, and kernels that repair, refill and evaluate individuals.

Only kinds in the hand are usable, and there are at most fourteen: each gets a field of four bits,
enough for five pongs. Element e of S is ``problem[e]``, 1-based; ``problem[0] = 0`` is the empty
position. The sum of the words of an individual holds the copies used of each kind and, above those
bits, the number of elements and their weight.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from mjopt._internal.jit import inner
from mjopt.hands.tiles import COPIES
from mjopt.heuristics.seeding import Rng

INT: Any = np.int64
"""NumPy's class of numbers in kernels, where numba decides the types."""

Ints = npt.NDArray[np.int64]
Stream = npt.NDArray[np.uint64]
"""The random generator of compiled code, shape ``(5,)``: the state of an SFC64 and 0, or of a PCG64
(high and low word of the state, high and low word of the increment) and 1."""

STREAM_WORDS = 5

Streams = Sequence[Rng] | npt.NDArray[np.uint64]
"""The random source of each row: in Python a generator, compiled a ``Stream``."""

# All operands have one type: numba promotes a uint64 and a signed integer to a float.
_1, _3, _11, _24, _40 = (np.uint64(n) for n in (1, 3, 11, 24, 40))
_32, _58, _63, _64, _LOW = (np.uint64(n) for n in (32, 58, 63, 64, 2**32 - 1))
_UNIT = 1.0 / 2**53
# The multiplier of PCG64: its high word, its low word, and the two halves of the low word.
_HIGH_FACTOR, _LOW_FACTOR = np.uint64(0x2360ED051FC65DA4), np.uint64(0x4385DF649FCCF645)
_HIGH_HALF, _LOW_HALF = np.uint64(0x4385DF64), np.uint64(0x9FCCF645)


@inner(inline=True)
def _next_double(stream: Stream) -> float:
    """Advance the state of a generator and return a number as ``Generator.random`` does."""
    word = _next_pcg64(stream) if stream[4] else _next_sfc64(stream)
    return np.int64(word >> _11) * _UNIT


@inner(inline=True)
def _next_sfc64(stream: Stream) -> np.uint64:
    """Return the next word of NumPy's SFC64."""
    word: np.uint64 = stream[0] + stream[1] + stream[3]
    stream[3] += _1
    stream[0] = stream[1] ^ (stream[1] >> _11)
    stream[1] = stream[2] + (stream[2] << _3)
    stream[2] = ((stream[2] << _24) | (stream[2] >> _40)) + word
    return word


@inner
def _next_pcg64(stream: Stream) -> np.uint64:
    """Return the next word of NumPy's PCG64: state * factor + increment, in 128 bits."""
    high, low = stream[0], stream[1]
    upper, lower = low >> _32, low & _LOW
    first = upper * _LOW_HALF + ((lower * _LOW_HALF) >> _32)
    second = lower * _HIGH_HALF + (first & _LOW)
    carried = upper * _HIGH_HALF + (first >> _32) + (second >> _32)
    high = carried + high * _LOW_FACTOR + low * _HIGH_FACTOR + stream[2]
    low = low * _LOW_FACTOR + stream[3]
    if low < stream[3]:
        high += _1
    stream[0], stream[1] = high, low
    mixed, turn = high ^ low, high >> _58
    word: np.uint64 = (mixed >> turn) | (mixed << ((_64 - turn) & _63))
    return word


@inner(compiled_as=_next_double)
def random(rng: Rng) -> float:
    """Draw a number in ``[0, 1)``."""
    return rng.random()


@inner(inline=True)
def _copy_stream(streams: npt.NDArray[np.uint64], row: int, stream: Stream) -> Stream:
    """Copy the state of a row's random stream into the work record of a search."""
    for i in range(streams.shape[1]):
        stream[i] = streams[row, i]
    return stream


@inner(compiled_as=_copy_stream)
def stream_of(streams: Streams, row: int, _stream: Stream) -> Rng:
    """Return the random source of a row."""
    rng: Rng = streams[row]
    return rng


@inner(inline=True)
def random_below(rng: Rng, number: int) -> int:
    """Draw one of ``0..number - 1``: the floor of a uniform times the number.

    The bias is below ``number / 2**53``, and every draw takes one word.
    """
    return int(random(rng) * number)


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


# Repair and cost of an individual; ``repair`` and ``encoding`` are readable versions. Half of the
# run time of a search is spent here, mostly on mispredicted branches. Positions are therefore bits
# of a mask where one of them is selected.

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
    while over:
        lowest = over & -over  # the top bit of the first field that is overused
        having = _bits(a, b, c, d, e, (lowest << 1) - (lowest >> (FIELD - 1)))
        choices = having & liked
        choices = choices if choices else having
        if place == FROM_LAST:
            while choices & (choices - 1):
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
    if number == problem[POSITIONS]:
        seen = twice = 0
        for j in range(MAX_POSITIONS):
            pair = problem[PAIRS + chosen[j]]
            twice |= seen & pair
            seen |= pair
        cost += (seen == 0) | ((twice != 0) & problem[SPECIAL_1])
    elif problem[SPECIAL_2] and weight == 2 * number and number + problem[CALLED] == 4:
        left = problem[HELD] - (total & FIELDS)
        for j in range(MAX_POSITIONS):
            used = problem[chosen[j]] & FIELDS
            low = used & -used
            if used == 3 * low:  # a pong: the fourth copy cannot start an eye
                left &= ~(15 * low)
        cost += left == 0
    return cost


# Refill of an individual; the tests compare it with a readable version. Each group of elements is
# scanned once, cyclically from a random start. An element that fits is placed in the first empty
# position, repeatedly while it fits. A refill never raises the cost of Eq. 8: another element is
# worth at least as much as the empty position.

ANY, MELDS_FIRST = 1, 2

# Indices in ``groups``: the elements (melds, then pairs, then pchows), then the group sizes.
NUM_MELDS = MAX_ELEMENTS
NUM_PAIRS = MAX_ELEMENTS + 1


def new_groups() -> Ints:
    """Return an empty array for the elements of a hand by group."""
    return np.zeros(MAX_ELEMENTS + 2, np.int64)


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
            groups[NUM_MELDS] = number
        elif group == 1:
            groups[NUM_PAIRS] = number - groups[NUM_MELDS]


@inner
def fill_up(chosen: Ints, rule: int, groups: Ints, problem: Problem, rng: Rng) -> None:
    """Repair an individual and fill its empty positions."""
    total = _repair(chosen, problem, rng)
    empty = _next_empty(chosen, 0, problem)
    if empty == problem[POSITIONS]:
        return
    pairs = 0
    for j in range(problem[POSITIONS]):
        pairs |= problem[PAIRS + chosen[j]]
    # After a repair and one more element every field is at most 7, so there is no borrow.
    room = (problem[HELD] | HIGH_BITS) - (total & FIELDS)
    every, num_melds, num_pairs = problem[POSITIONS], groups[NUM_MELDS], groups[NUM_PAIRS]
    rest = problem[NUM_ELEMENTS]
    if rule == ANY:
        _add(chosen, empty, room, 0, rest, every, groups, problem, rng)
        return
    empty, room = _add(chosen, empty, room, 0, num_melds, every, groups, problem, rng)
    rest -= num_melds
    if rule != MELDS_FIRST:
        wanted = 1 if pairs == 0 else 0
        empty, room = _add(chosen, empty, room, num_melds, num_pairs, wanted, groups, problem, rng)
    _add(chosen, empty, room, num_melds, rest, every, groups, problem, rng)


@inner
def _next_empty(chosen: Ints, start: int, problem: Problem) -> int:
    """Return the first empty position at or after an index, or the number of positions."""
    while start < problem[POSITIONS] and chosen[start]:
        start += 1
    return start


@inner
def _add(
    chosen: Ints,
    empty: int,
    room: int,
    start: int,
    number: int,
    at_most: int,
    groups: Ints,
    problem: Problem,
    rng: Rng,
) -> tuple[int, int]:
    """Add the elements of a group that fit, scanning cyclically from a random start.

    Takes and returns the first empty position and the free copies: those in the hand beyond the
    copies used, with the top bit of every field set.
    """
    if empty == problem[POSITIONS] or number == 0:
        return empty, room
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
                return empty, room
    return empty, room
