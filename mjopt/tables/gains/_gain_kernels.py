"""Kernels: useful tiles of a hand, and of the hands after each discard, for any winning forms.

The kernels of a tile set are specialised for its groups, in the order in which tables join them;
the bundles are data, see `gain_layout`. A discard changes the state of one group;
in each bundle the useful tiles are then a look-up of the rest, the way and the kinds of each group.
Kinds are bits of a word. Indices are unsigned, otherwise numba tests their sign.
"""

from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import Kernel, inner, kernel, specialised
from mjopt.hands.rules.classic_forms import UNREACHABLE
from mjopt.hands.tiles import TileSet
from mjopt.tables.gains.gain_layout import CLASS_BITS, SET_BITS
from mjopt.tables.rows._simd_rows import num_bits, row_reader
from mjopt.tables.standard._kernels import group_number
from mjopt.tables.suits.groups import MOST_GROUPS, groups_of

# A tile x is useful to a hand h if D(h + x) < D(h), the definition of `useful` in
# docs/reference/engines.md. A tile changes the class of one group only, so `gain_layout` stores,
# for each state of a group and each set of answers with the other groups, the useful kinds of the
# group: all kinds of a hand are then one look-up for each group instead of 27 or 34 labels.
#
# Of the three groups that a discard does not change, everything that their look-ups share is
# computed once (`fix`). The places of a bundle are data and not constants, so one kernel serves all
# forms of a tile set.

Bytes = NDArray[np.uint8]
Ranks = NDArray[np.int32]
Words = NDArray[np.uint16]
States = NDArray[np.uint32]
Places = NDArray[np.uint64]
Integers = NDArray[np.int64]
U = np.uint64
INT = np.int64
_LOW = U(0xFFFFFFFF)
_CLASS = U((1 << CLASS_BITS) - 1)
_SET = U((1 << SET_BITS) - 1)
_CLASS_BITS, _SET_BITS = U(CLASS_BITS), U(SET_BITS)
_NINE = U(0x1FF)

# Columns of the places of a bundle: `GainPlaces`.
_STATE, _JOIN, _JOIN_ROW, _REST, _REST_ROW, _WAY, _WAY_ROW = 0, 4, 6, 8, 12, 16, 20
_DEEP, _DEEP_END, _JOKERS = 24, 28, 32
NUM_FIXED: Final = 20  # numbers of a bundle that the discards of a group share

# `specialised` replaces these names, functions too, by those of a tile set.
WIDTH = 0  # counts of a row
NUM_GROUPS = 4
FIRST = (U(0), U(9), U(18), U(27))  # kind of each group
RANKS = (9, 9, 9, 7)  # kinds of each group


def read_one(rows: Bytes, start: U) -> tuple[U, U, U]:
    """Return whether some count exceeds three, and two words of state numbers of a row."""
    raise NotImplementedError  # `kernels_of` puts the reader of a tile set here


@inner
def _even_bits(words: U) -> U:
    """Return every other bit of the two halves of a word, nine bits of each."""
    # Halve the gaps between the bits four times: 1, 2, 4, then 8 bits stand together in each half.
    words &= U(0x5555_5555_5555_5555)
    words = (words | words >> U(1)) & U(0x3333_3333_3333_3333)
    words = (words | words >> U(2)) & U(0x0F0F_0F0F_0F0F_0F0F)
    words = (words | words >> U(4)) & U(0x00FF_00FF_00FF_00FF)
    words = (words | words >> U(8)) & U(0x0000_FFFF_0000_FFFF)
    return (words | words >> U(23)) & U(0x3FFFF)


def spread(first: U, others: U) -> U:
    """Return every other bit of the state numbers of the groups as one bit for each kind."""
    low, high = _even_bits(first), _even_bits(others)
    rest = (high & _NINE) << FIRST[2] | (high >> U(9)) << FIRST[3]
    return (low & _NINE) << FIRST[0] | (low >> U(9)) << FIRST[1] | rest


@inner
def _copies(found: U, ones: U, twos: U, fours: U) -> INT:
    """Count the available copies of some kinds, four each; those gone are given in binary."""
    # The sum of 4 - gone over the kinds found, bit by bit. A kind with four gone counts 4 - 4 = 0,
    # by a mask.
    copies = 4 * num_bits(found & ~fours) - num_bits(found & ones)
    return copies - 2 * num_bits(found & twos)


@inner(inline=True)
def _in_binary(copies: Bytes, row: int, first: int, by: int) -> tuple[U, U, U]:
    """Return ``first + by * copies`` of each kind in binary: a word for each of three digits."""
    ones = twos = fours = U(0)
    for kind in range(copies.shape[1]):
        number = U(first + by * INT(copies[row, kind]))
        ones |= (number & U(1)) << U(kind)
        twos |= (number >> U(1) & U(1)) << U(kind)
        fours |= (number >> U(2)) << U(kind)
    return ones, twos, fours


@inner
def _held(jokers: U, ones: U, twos: U, fours: U) -> INT:
    """Count the tiles of some kinds, given in binary."""
    held = num_bits(jokers & ones) + 2 * num_bits(jokers & twos)
    return INT(held + 4 * num_bits(jokers & fours))


@inner
def _with_bundle(
    least: INT, found: U, way: U, kinds: U, jokers: U, has_jokers: U, held: INT
) -> tuple[INT, U]:
    """Return the least deficiency and its useful kinds, with those of one more bundle.

    One tile lowers a deficiency by at most one: a bundle above the least never counts.
    """
    value = INT(way >> _SET_BITS)
    if has_jokers and value < UNREACHABLE:
        value -= held
        kinds |= jokers
    # A complete hand has no useful tiles, in whatever form it is complete.
    if value <= 0:
        return INT(0), U(0)
    if value < least:
        return value, kinds
    if value == least:
        found |= kinds
    return least, found


@inner
def _is_in(code: U, codes: States, start: U, stop: U) -> bool:
    """Return whether a part of an array in ascending order has a number."""
    # Binary search: codes before `start` are below the code, those from `stop` on are not.
    end = stop
    while start < stop:
        middle = start + ((stop - start) >> U(1))
        if U(codes[middle]) < code:
            start = middle + U(1)
        else:
            stop = middle
    return bool(start < end and U(codes[start]) == code)


def numbers_of(
    rows: Bytes,
    row: U | int,
    is_high: U,
    first: U,
    others: U,
    groups: Integers,
    steps: Ranks,
    starts: Ranks,
    out: Places,
) -> None:
    """Write the state number of each group of a row."""
    out[0], out[1] = first & _LOW, first >> U(32)
    out[2], out[3] = others & _LOW, others >> U(32)
    if is_high:
        for group in range(NUM_GROUPS):
            start = INT(U(WIDTH) * row) + groups[group, 0]
            out[group] = U(
                group_number(rows, start, groups[group, 1], groups[group, 2], steps, starts)
            )


def look_up(
    bundle: int, numbers: Places, states: States, words: Words, places: Places
) -> tuple[U, U]:
    """Return a way of a hand in a bundle, which holds the deficiency, and the useful kinds."""
    at = places[bundle]
    a = U(states[at[_STATE] + numbers[0]])
    b = U(states[at[_STATE + 1] + numbers[1]])
    c = U(states[at[_STATE + 2] + numbers[2]])
    d = U(states[at[_STATE + 3] + numbers[3]])
    i, j, k, m = a & _CLASS, b & _CLASS, c & _CLASS, d & _CLASS
    pair = U(words[at[_JOIN] + i * at[_JOIN_ROW] + j])
    other = U(words[at[_JOIN + 1] + k * at[_JOIN_ROW + 1] + m])
    rest = U(words[at[_REST] + j * at[_REST_ROW] + other])
    way = U(words[at[_WAY] + rest * at[_WAY_ROW] + i])
    kinds = U(words[(a >> _CLASS_BITS) + (way & _SET)]) << FIRST[0]
    rest = U(words[at[_REST + 1] + i * at[_REST_ROW + 1] + other])
    way = U(words[at[_WAY + 1] + rest * at[_WAY_ROW + 1] + j])
    kinds |= U(words[(b >> _CLASS_BITS) + (way & _SET)]) << FIRST[1]
    rest = U(words[at[_REST + 2] + m * at[_REST_ROW + 2] + pair])
    way = U(words[at[_WAY + 2] + rest * at[_WAY_ROW + 2] + k])
    kinds |= U(words[(c >> _CLASS_BITS) + (way & _SET)]) << FIRST[2]
    if NUM_GROUPS == 4:
        rest = U(words[at[_REST + 3] + k * at[_REST_ROW + 3] + pair])
        way = U(words[at[_WAY + 3] + rest * at[_WAY_ROW + 3] + m])
        kinds |= U(words[(d >> _CLASS_BITS) + (way & _SET)]) << FIRST[3]
    return way, kinds


def find_waits(
    rows: Bytes,
    groups: Integers,
    steps: Ranks,
    starts: Ranks,
    places: Places,
    states: States,
    words: Words,
    jokers: U,
    least: NDArray[np.int8],
    masks: NDArray[np.uint64],
) -> None:
    """Write the deficiency and the useful kinds of hands with valid counts.

    ``groups`` has the first kind, the number of kinds and the number of no state of each group;
    ``steps`` and ``starts`` are those of `rank_tables`. ``places``, ``states`` and ``words`` are
    the gain tables; ``jokers`` are the kinds whose tiles are jokers, one bit each.
    """
    numbers = np.zeros(4, np.uint64)
    for i in range(U(least.size)):
        is_high, first, others = read_one(rows, U(WIDTH) * i)
        numbers_of(rows, i, is_high, first, others, groups, steps, starts, numbers)
        held, can_draw = INT(0), jokers
        if jokers:
            for kind in range(WIDTH):
                if jokers >> U(kind) & U(1):
                    copies = INT(rows[U(WIDTH) * i + U(kind)])
                    held += copies
                    can_draw &= ~(U(copies == 4) << U(kind))
        value, found = INT(UNREACHABLE), U(0)
        for bundle in range(len(places)):
            way, kinds = look_up(bundle, numbers, states, words, places)
            has_jokers = places[bundle, _JOKERS]
            value, found = _with_bundle(value, found, way, kinds, can_draw, has_jokers, held)
        least[i], masks[i] = value, found


def fix(
    group: int, bundle: int, entries: Places, words: Words, places: Places, out: Places
) -> None:
    """Write what the discards of a group share in a bundle.

    ``x`` is the other group of its half, ``y`` and ``z`` are those of the other half.
    """
    at = places[bundle]
    x = group ^ 1
    y = (group & 2) ^ 2
    z = y + 1
    half, other_half = group >> 1, 1 - (group >> 1)
    cx, cy, cz = entries[x] & _CLASS, entries[y] & _CLASS, entries[z] & _CLASS
    other = U(words[at[_JOIN + other_half] + cy * at[_JOIN_ROW + other_half] + cz])
    # The class of this half by the own class, which only the discard decides: a row of the join if
    # the group is the second of its half, else a column.
    if group & 1:
        out[0], out[1] = at[_JOIN + half] + cx * at[_JOIN_ROW + half], U(1)
    else:
        out[0], out[1] = at[_JOIN + half] + cx, at[_JOIN_ROW + half]
    rest = U(words[at[_REST + group] + cx * at[_REST_ROW + group] + other])
    out[2] = at[_WAY + group] + rest * at[_WAY_ROW + group]
    out[3], out[4] = at[_REST + x] + other, at[_REST_ROW + x]
    out[5], out[6] = at[_WAY + x] + cx, at[_WAY_ROW + x]
    out[7] = at[_REST + y] + cz * at[_REST_ROW + y]
    out[8], out[9] = at[_WAY + y] + cy, at[_WAY_ROW + y]
    out[10] = at[_REST + z] + cy * at[_REST_ROW + z]
    out[11], out[12] = at[_WAY + z] + cz, at[_WAY_ROW + z]
    out[13], out[14] = entries[x] >> _CLASS_BITS, entries[y] >> _CLASS_BITS
    out[15], out[16] = entries[z] >> _CLASS_BITS, at[_STATE + group]
    out[17] = at[_JOKERS]


def judge(  # noqa: PLR0912, PLR0915 - one loop over the rows
    rows: Bytes,
    unseen: Bytes,
    size: int,
    groups: Integers,
    steps: Ranks,
    starts: Ranks,
    places: Places,
    states: States,
    words: Words,
    jokers: U,
    deep: States,
    least_deep: int,
    doubtful: Integers,
    deficiency: NDArray[np.int8],
    useful: NDArray[np.int16],
) -> INT:
    """Judge every discard of every hand; return the first row that is not a hand, else a negative.

    ``rows`` and ``unseen``, the copies that may arrive, have shape ``(N, K)``; ``unseen`` without
    rows means all copies not held. ``size`` is the number of concealed tiles of every hand. The
    arguments from ``groups`` to ``jokers`` are those of :func:`find_waits`; ``deep`` holds the
    states in which three tiles of a kind are too few, and ``least_deep`` the fewest tiles of a kind
    before such a discard: see `GainTables`.

    Outputs for each possible discard, shape ``(N, K)``, are the deficiency and the number of unseen
    copies that lower it. ``doubtful`` is empty, or a buffer for ``row * K + kind`` of every discard
    whose table entries may overestimate, since they let the discarded tile return. That can matter
    only if some nearest complete hand draws it, and the state after the discard is deep. If all
    rows are hands, the result is -1 minus the number of doubtful discards.
    """
    flat = rows.reshape(-1)
    row = np.empty(WIDTH, np.uint8)
    numbers = np.zeros(4, np.uint64)
    entries = np.zeros((len(places), 4), np.uint64)
    fixed = np.zeros((len(places), NUM_FIXED), np.uint64)
    num_doubtful = INT(0)
    for i in range(U(rows.shape[0])):
        high, first, others = read_one(flat, U(WIDTH) * i)
        # The copies held in binary, three words with one bit per kind: bit operations count copies.
        # With at most three copies of each kind, state numbers hold them in two bits per rank.
        ones, twos, fours = spread(first, others), spread(first >> U(1), others >> U(1)), U(0)
        if high:
            for kind in range(WIDTH):
                row[kind] = rows[i, kind]
                if row[kind] > 4:
                    return INT(i)
            ones, twos, fours = _in_binary(rows, i, 0, 1)
        if num_bits(ones) + 2 * num_bits(twos) + 4 * num_bits(fours) != size:
            return INT(i)
        numbers_of(flat, i, high, first, others, groups, steps, starts, numbers)
        kept = ones | twos | fours
        many = kept
        if least_deep == 2:
            many = twos | fours
        elif least_deep == 3:
            many = ones & twos | fours
        elif least_deep > 3:
            many = fours
        held = _held(jokers, ones, twos, fours)
        for bundle in range(len(places)):
            for group in range(4):
                entries[bundle, group] = states[places[bundle, _STATE + group] + numbers[group]]
        if len(unseen):  # the same for the copies that cannot arrive
            ones, twos, fours = _in_binary(unseen, i, 4, -1)
        for group in range(NUM_GROUPS):
            shift, shift_x = FIRST[group], FIRST[group ^ 1]
            y = (group & 2) ^ 2
            shift_y, shift_z = FIRST[y], FIRST[y + 1]
            bits = kept >> shift & U((1 << RANKS[group]) - 1)
            if bits:
                for bundle in range(len(places)):
                    fix(group, bundle, entries[bundle], words, places, fixed[bundle])
            while bits:
                lowest = bits & -bits
                bits ^= lowest
                thrown = shift + U(num_bits(lowest - U(1)))
                number = numbers[group] - lowest * lowest  # two bits per rank
                if high:
                    row[thrown] -= 1
                    number = U(
                        group_number(
                            row, groups[group, 0], groups[group, 1], groups[group, 2], steps, starts
                        )
                    )
                    row[thrown] += 1
                left = held - INT(jokers >> thrown & U(1))
                least, found = INT(UNREACHABLE), U(0)
                for bundle in range(len(places)):
                    at = fixed[bundle]
                    # `look_up` after the discard, with all that `fix` has prepared: x is the
                    # partner of the group, y and z are the other half, whose rest is the new class
                    # of this half.
                    own = U(states[at[16] + number])
                    there = own & _CLASS
                    half = U(words[at[0] + there * at[1]])
                    way = U(words[at[2] + there])
                    kinds = U(words[(own >> _CLASS_BITS) + (way & _SET)]) << shift
                    way_x = U(words[at[5] + U(words[at[3] + there * at[4]]) * at[6]])
                    kinds |= U(words[at[13] + (way_x & _SET)]) << shift_x
                    way_y = U(words[at[8] + U(words[at[7] + half]) * at[9]])
                    kinds |= U(words[at[14] + (way_y & _SET)]) << shift_y
                    way_z = U(words[at[11] + U(words[at[10] + half]) * at[12]])
                    kinds |= U(words[at[15] + (way_z & _SET)]) << shift_z
                    least, found = _with_bundle(least, found, way, kinds, jokers, at[17], left)
                # The discarded kind is useful, and the table lets its fourth copy return: see
                # `deep_states`.
                if found & many & (lowest << shift) and len(doubtful):
                    code = number << U(4) | (thrown - shift)
                    for bundle in range(len(places)):
                        start, stop = (
                            places[bundle, _DEEP + group],
                            places[bundle, _DEEP_END + group],
                        )
                        if _is_in(code, deep, start, stop):
                            doubtful[num_doubtful] = i * WIDTH + thrown
                            num_doubtful += 1
                            break
                deficiency[i, thrown], useful[i, thrown] = least, _copies(found, ones, twos, fours)
    return -1 - num_doubtful


@cache
def kernels_of(
    tiles: TileSet,
) -> tuple[Kernel[*tuple[object, ...], None], Kernel[*tuple[object, ...], INT]]:
    """Return the kernels of a tile set: :func:`find_waits` and :func:`judge`."""
    groups, width = groups_of(tiles), tiles.num_kinds
    padding = MOST_GROUPS - len(groups)
    names: dict[str, object] = {
        "WIDTH": width,
        "NUM_GROUPS": len(groups),
        "FIRST": (*(U(group.start) for group in groups), *[U(width)] * padding),
        "RANKS": (*(group.width for group in groups), *[0] * padding),
        "read_one": row_reader(1, tiles),
    }
    for function in (look_up, spread, numbers_of, fix):
        own = specialised(function, f"{function.__name__}_{tiles.key}", **names)
        names[function.__name__] = inner(own)
    return (
        kernel(specialised(find_waits, f"find_waits_{tiles.key}", **names)),
        kernel(specialised(judge, f"judge_{tiles.key}", **names)),
    )
