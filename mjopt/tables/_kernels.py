"""Label kernels: a look-up for each group of a hand, two joins and an answer.

``classes`` holds the class of every state of every group, padded with "too many tiles", so that
any masked number is a valid index. Indices are unsigned, otherwise numba tests their sign.
"""

from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import Kernel, inner, kernel, specialised
from mjopt.hands.tiles import TileSet
from mjopt.tables._simd_rows import row_reader
from mjopt.tables.hand_tables import Shape, standard_tables

BLOCK: Final = 1024  # rows between two passes over those with four of a kind

U = np.uint64
INT = np.int64
OCTET = np.int8
_LOW = U(0xFFFFFFFF)
_HIGH = U(32)

Bytes = NDArray[np.uint8]
Labels = NDArray[np.int8]
Joins = NDArray[np.uint16]
Starts = NDArray[np.uint32]
Ranks = NDArray[np.int32]
Integers = NDArray[np.int64]


@inner
def find(
    classes: Bytes, first: Starts, second: Joins, answer: Labels, shape: Shape, suits: U, rest: U
) -> OCTET:
    """Look up one hand: ``suits`` holds the state numbers of two groups, ``rest`` those of others.

    ``shape`` is a constant of the kernel, so that the branch costs nothing.
    """
    if shape[5] > 1:
        return find_joined(classes, first, second, answer, shape, suits, rest)
    one = U(classes[U(shape[0]) + (suits & _LOW)])
    two = U(classes[U(shape[1]) + (suits >> _HIGH)])
    other = U(classes[U(shape[2]) + (rest & _LOW)])
    label: OCTET = answer[U(first[one * U(shape[4]) + two]) + other]
    return label


@inner
def find_joined(
    classes: Bytes, first: Starts, second: Joins, answer: Labels, shape: Shape, suits: U, rest: U
) -> OCTET:
    """Look up one hand; ``shape`` can be an argument of the kernel."""
    one = U(classes[U(shape[0]) + (suits & _LOW)])
    two = U(classes[U(shape[1]) + (suits >> _HIGH)])
    three = U(classes[U(shape[2]) + (rest & _LOW)])
    four = U(classes[U(shape[3]) + (rest >> _HIGH)])
    other = U(second[three * U(shape[5]) + four])
    label: OCTET = answer[U(first[one * U(shape[4]) + two]) + other]
    return label


@inner
def group_number(
    rows: Bytes, start: int, kinds: int, none: int, steps: Ranks, starts: Ranks
) -> INT:
    """Return the state number of the kinds from a byte on.

    Kinds with more than four copies, or with a four and too many tiles, have the number ``none``.
    """
    number = tiles = most = INT(0)
    for kind in range(kinds):
        held = INT(rows[U(start) + U(kind)])
        number |= held << INT(2 * kind)
        tiles += held
        most = max(most, held)
    if most < 4:
        return number
    number = INT(none)
    if most == 4 and tiles < steps.shape[1]:
        number = (INT(1) << INT(2 * kinds)) + INT(starts[kinds, tiles])
        four = INT(0)
        for kind in range(kinds):
            held = INT(rows[U(start) + U(kind)])
            number += INT(steps[kinds - kind, tiles, four, held])
            tiles -= held
            four |= held >> 2
    return number


@inner
def renumber(rows: Bytes, start: int, groups: Integers, steps: Ranks, starts: Ranks) -> tuple[U, U]:
    """Return the two words of a row in which some count exceeds three.

    ``groups`` holds the first kind, the number of kinds and the number of no state of each group.
    """
    suits = rest = U(0)
    for place in range(4):
        first, kinds, none = groups[place, 0], groups[place, 1], groups[place, 2]
        number = U(group_number(rows, start + first, kinds, none, steps, starts))
        if place < 2:
            suits |= number << U(32 * place)
        else:
            rest |= number << U(32 * (place - 2))
    return suits, rest


def label_block(
    rows: Bytes,
    start: int,
    stop: int,
    classes: Bytes,
    first: Starts,
    second: Joins,
    answer: Labels,
    out: Labels,
    again: Integers,
) -> int:
    """Label the rows of a block, and return how many groups of four rows hold four of a kind.

    This loop does only the work that every hand needs: one more addition per row is measurable.
    As a function of its own it is about 2 % faster than inside `label_rows`.
    """
    num_again = 0
    for i in range(start, stop, 4):
        high, a0, a1, b0, b1, c0, c1, d0, d1 = read_four(rows, WIDTH * i)
        a = find(classes, first, second, answer, SHAPE, a0, a1)
        b = find(classes, first, second, answer, SHAPE, b0, b1)
        c = find(classes, first, second, answer, SHAPE, c0, c1)
        d = find(classes, first, second, answer, SHAPE, d0, d1)
        u = U(i)
        out[u], out[u + U(1)], out[u + U(2)], out[u + U(3)] = a, b, c, d
        if high:
            again[num_again] = i
            num_again += 1
    return num_again


def label_rows(
    rows: Bytes,
    classes: Bytes,
    first: Starts,
    second: Joins,
    answer: Labels,
    groups: Integers,
    steps: Ranks,
    starts: Ranks,
    again: Integers,
    out: Labels,
) -> OCTET:
    """Label at least four rows of counts, one after the other in ``rows``.

    The kernel of a tile set is this function with readers and look-ups of its own. Rows with four
    of a kind, about one in 200, are corrected after their block.

    Returns a negative number if some row is not a hand; its label is then -1.
    """
    worst = OCTET(0)
    stop = 0
    while stop < out.size:
        start = stop
        stop = start + BLOCK
        if stop > out.size:
            stop = start + ((out.size - start) & ~3)
        if stop == start:  # fewer than four remain: overlap rows already labelled
            start, stop = out.size - 4, out.size
        num_again = label_block(rows, start, stop, classes, first, second, answer, out, again)
        for k in range(4 * num_again):
            row = again[k >> 2] + (k & 3)
            high, suits, rest = read_one(rows, WIDTH * row)
            if high:
                suits, rest = renumber(rows, WIDTH * row, groups, steps, starts)
                out[row] = find(classes, first, second, answer, SHAPE, suits, rest)
        for k in range(U(start), U(stop)):
            worst = OCTET(worst | out[k])
    return worst


WIDTH = 0  # counts of a row
SHAPE: Shape = (0, 0, 0, 0, 0, 0, 0)


def read_four(rows: Bytes, start: int) -> tuple[U, ...]:
    """Return whether some count exceeds three, and two words of state numbers of each row."""
    raise NotImplementedError


def read_one(rows: Bytes, start: int) -> tuple[U, U, U]:
    """Return the same of one row."""
    raise NotImplementedError


LabelKernel = Kernel[
    Bytes, Bytes, Starts, Joins, Labels, Integers, Ranks, Ranks, Integers, Labels, OCTET
]


@cache
def label_kernel(tiles: TileSet) -> LabelKernel:
    """Return the kernel of a tile set for the standard form."""
    name = f"label_{tiles.key}"
    names: dict[str, object] = {
        "WIDTH": tiles.num_kinds,
        "SHAPE": standard_tables(tiles).shape,
        "read_four": row_reader(4, tiles),
        "read_one": row_reader(1, tiles),
    }
    names["label_block"] = inner(specialised(label_block, f"{name}_block", **names))
    return kernel(specialised(label_rows, name, **names))
