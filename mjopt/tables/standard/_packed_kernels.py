"""Kernels for hands stored as state numbers: label, pack and unpack.

The numbers of a hand are in the order of the suits of its tile set; ``PLACE`` has those of the
groups that tables join.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import Kernel, inner, kernel, specialised
from mjopt.hands.tiles import TileSet
from mjopt.tables.rows._simd_rows import prefetch_ahead, row_reader
from mjopt.tables.standard._kernels import (
    BLOCK,
    INT,
    OCTET,
    Bytes,
    Integers,
    Joins,
    Labels,
    Ranks,
    Starts,
    U,
    find,
    renumber,
)
from mjopt.tables.standard.hand_tables import Shape, standard_tables
from mjopt.tables.suits.groups import groups_of

# A packed hand is one 32-bit state number for each suit: 12 or 16 bytes instead of 27 or 34 counts,
# and a label (the recurrence is in `_kernels`) needs no bits to be gathered from bytes. Any number
# may come from a file: those above the padded classes are found by `BEYOND` before they index
# anything, those of no state lead to the class of too many tiles, whose answer is negative.

_LOW = U(0xFFFFFFFF)
_HIGH = U(32)

Numbers = NDArray[np.uint32]

COLUMNS = 4  # numbers of a hand
# `specialised` replaces these names, functions too, by those of a tile set.
WIDTH = 0  # counts of a row
PLACE = (0, 1, 2, 3)
BEYOND = (np.uint32(0),) * 4  # bits that no state number of a suit has
IS_ALIKE = True  # whether the groups have the same numbers
SHAPE: Shape = (0, 0, 0, 0, 0, 0, 0)


def read_one(rows: Bytes, start: int) -> tuple[U, U, U]:
    """Return whether some count exceeds three, and two words of state numbers of a row."""
    raise NotImplementedError


def label_one(
    numbers: Numbers, classes: Bytes, first: Starts, second: Joins, answer: Labels, i: U
) -> OCTET:
    """Look up the hand whose numbers begin at ``i``."""
    suits = U(numbers[i + U(PLACE[0])]) | U(numbers[i + U(PLACE[1])]) << _HIGH
    rest = U(numbers[i + U(PLACE[2])])
    if COLUMNS == 4:
        rest |= U(numbers[i + U(PLACE[3])]) << _HIGH
    return find(classes, first, second, answer, SHAPE, suits, rest)


def label_numbers(
    numbers: Numbers, classes: Bytes, first: Starts, second: Joins, answer: Labels, out: Labels
) -> OCTET:
    """Label packed hands; the result is negative if one is invalid."""
    worst = OCTET(0)
    for start in range(U(0), U(out.size), U(BLOCK)):
        stop = min(start + U(BLOCK), U(out.size))
        too_large = np.uint32(0)
        # One test for a block of hands: a single number with a forbidden bit leaves it in the union
        # of all.
        if IS_ALIKE:  # vectorised
            for k in range(U(COLUMNS) * start, U(COLUMNS) * stop):
                too_large |= numbers[k]
            too_large &= BEYOND[0]
        else:
            for i in range(start, stop):
                at = U(COLUMNS) * i
                too_large |= numbers[at] & BEYOND[0] | numbers[at + U(1)] & BEYOND[1]
                too_large |= numbers[at + U(2)] & BEYOND[2] | numbers[at + U(3)] & BEYOND[3]
        if too_large:
            return OCTET(-1)
        # Four hands at a time, so that the reads of one need not wait for those of another.
        last = start + ((stop - start) & ~U(3))
        for i in range(start, last, U(4)):
            at = U(COLUMNS) * i
            prefetch_ahead(numbers, at)
            a = label_one(numbers, classes, first, second, answer, at)
            b = label_one(numbers, classes, first, second, answer, at + U(COLUMNS))
            c = label_one(numbers, classes, first, second, answer, at + U(2 * COLUMNS))
            d = label_one(numbers, classes, first, second, answer, at + U(3 * COLUMNS))
            out[i], out[i + U(1)], out[i + U(2)], out[i + U(3)] = a, b, c, d
        for i in range(last, stop):
            out[i] = label_one(numbers, classes, first, second, answer, U(COLUMNS) * i)
        for i in range(start, stop):
            # Only an invalid hand has a negative label, so the sign of the union tells whether
            # there is one.
            worst = OCTET(worst | out[i])
    return worst


def pack_rows(
    rows: Bytes,
    classes: Bytes,
    too_many: Integers,
    groups: Integers,
    steps: Ranks,
    starts: Ranks,
    out: Numbers,
) -> int:
    """Write the state numbers of every row; return the first row without them, or -1.

    ``too_many`` holds, for each group, where its classes begin and the class of too many tiles.
    """
    for row in range(out.size // COLUMNS):
        high, suits, rest = read_one(rows, WIDTH * row)
        if high:
            suits, rest = renumber(rows, WIDTH * row, groups, steps, starts)
        numbers = (suits & _LOW, suits >> _HIGH, rest & _LOW, rest >> _HIGH)
        for group in range(COLUMNS):
            if classes[U(too_many[group, 0]) + numbers[group]] == too_many[group, 1]:
                return row
            out[COLUMNS * row + PLACE[group]] = numbers[group]
    return -1


@cache
def kernels_of(
    tiles: TileSet,
) -> tuple[
    Kernel[Numbers, Bytes, Starts, Joins, Labels, Labels, OCTET],
    Kernel[Bytes, Bytes, Integers, Integers, Ranks, Ranks, Numbers, int],
]:
    """Return the kernels of a tile set that label and pack."""
    tables, groups = standard_tables(tiles), groups_of(tiles)
    places = [group.place for group in groups]
    beyond = tuple(~np.uint32(none) for none in tables.groups[np.argsort(places), 2])
    names: dict[str, object] = {
        "COLUMNS": len(groups),
        "WIDTH": tiles.num_kinds,
        "PLACE": tuple(places + places[: 4 - len(places)]),
        "BEYOND": (*beyond, np.uint32(0))[:4],
        "IS_ALIKE": len(set(beyond)) == 1,
        "SHAPE": tables.shape,
        "read_one": row_reader(1, tiles),
    }
    key = tiles.key
    names["label_one"] = inner(specialised(label_one, f"label_one_{key}", **names))
    return (
        kernel(specialised(label_numbers, f"label_numbers_{key}", **names)),
        kernel(specialised(pack_rows, f"pack_rows_{key}", **names)),
    )


@kernel
def unpack_rows(numbers: Numbers, widths: Integers, steps: Ranks, starts: Ranks, out: Bytes) -> int:
    """Write the copies of every hand; return the first with an invalid number, or -1.

    ``widths`` has the kinds of each suit.
    """
    place = 0
    for i in range(numbers.size):
        kinds = widths[i % widths.size]
        rank = INT(numbers[i]) - (1 << 2 * kinds)
        if rank < 0:
            copies = U(numbers[i])
            for kind in range(U(kinds)):
                out[U(place) + kind] = copies & U(3)
                copies >>= U(2)
            place += kinds
            continue
        most = steps.shape[1] - 1
        if rank >= starts[kinds, most + 1]:
            return i // widths.size
        left = most
        while starts[kinds, left] > rank:
            left -= 1
        # The inverse of `group_number`: the greatest copies whose states before do not exceed the
        # rank.
        rank -= starts[kinds, left]
        four = 0
        for kind in range(kinds):
            held = 0
            while held < 4 and steps[kinds - kind, left, four, held + 1] <= rank:
                held += 1
            rank -= steps[kinds - kind, left, four, held]
            out[place + kind] = held
            left -= held
            four |= held >> 2
        place += kinds
    return -1
