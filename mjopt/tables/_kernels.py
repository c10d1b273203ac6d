"""Label kernels: five look-ups per hand.

``classes`` holds the class of every suit state, then from ``HONOURS`` on that of every
honour state. Both parts are padded with "more than fourteen tiles", so that any masked
number is a valid index. Indices are unsigned, otherwise numba tests their sign.
"""

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import inner, kernel, specialised
from mjopt.tables._simd_rows import full_row, full_rows, m0_row, m0_rows
from mjopt.tables.table_file import HONOURS, NUM_HONOUR, NUM_MIXED, NUM_SUIT

BLOCK: Final = 1024  # rows between two passes over those with four of a kind

U = np.uint64
INT = np.int64
OCTET = np.int8
_LOW = U(0xFFFFFFFF)
_HIGH = U(32)
_HONOURS = U(HONOURS)
_SUITS = U(NUM_SUIT)
_HONOUR_CLASSES = U(NUM_HONOUR)
_MIXED = U(NUM_MIXED)

Bytes = NDArray[np.uint8]
Labels = NDArray[np.int8]
Joins = NDArray[np.uint16]
Ranks = NDArray[np.int32]
Integers = NDArray[np.int64]
LabelKernel = Callable[[Bytes, Bytes, Joins, Joins, Labels, Ranks, Ranks, Integers, Labels], OCTET]


@inner
def m0_label(classes: Bytes, pair_start: Joins, answer: Labels, suits: U, rest: U) -> OCTET:
    """Look up one hand: ``suits`` holds two state numbers, ``rest`` one or two more."""
    start = U(pair_start[U(classes[suits & _LOW]) * _SUITS + U(classes[suits >> _HIGH])])
    label: OCTET = answer[start + U(classes[rest & _LOW])]
    return label


@inner
def full_label(
    classes: Bytes, pair: Joins, mixed: Joins, answer: Labels, suits: U, rest: U
) -> OCTET:
    both = U(pair[U(classes[suits & _LOW]) * _SUITS + U(classes[suits >> _HIGH])])
    third = U(classes[rest & _LOW])
    other = U(mixed[third * _HONOUR_CLASSES + U(classes[_HONOURS + (rest >> _HIGH)])])
    label: OCTET = answer[both * _MIXED + other]
    return label


@inner
def group_number(rows: Bytes, start: int, kinds: int, steps: Ranks, starts: Ranks) -> INT:
    """Return the state number of the kinds from a byte on.

    Kinds with more than four copies, or with a four and more than fourteen tiles, have no
    number. They get that of three of every kind: of seven or nine kinds too many tiles, too.
    """
    number = tiles = most = INT(0)
    for kind in range(kinds):
        held = INT(rows[U(start) + U(kind)])
        number |= held << INT(2 * kind)
        tiles += held
        most = max(most, held)
    if most < 4:
        return number
    number = INT((1 << 2 * kinds) - 1)
    if most == 4 and tiles <= 14:
        number += 1 + INT(starts[kinds, tiles])
        four = INT(0)
        for kind in range(kinds):
            held = INT(rows[U(start) + U(kind)])
            number += INT(steps[kinds - kind, tiles, four, held])
            tiles -= held
            four |= held >> 2
    return number


@inner
def renumber(
    rows: Bytes, start: int, num_kinds: int, suits: U, rest: U, steps: Ranks, starts: Ranks
) -> tuple[U, U]:
    """Correct the state numbers of a row in which some count exceeds three."""
    for first in range(0, num_kinds, 9):
        number = U(group_number(rows, start + first, 9 if first < 27 else 7, steps, starts))
        if first == 0:
            suits = (suits & ~_LOW) | number
        elif first == 9:
            suits = (suits & _LOW) | number << _HIGH
        elif first == 18:
            rest = (rest & ~_LOW) | number
        else:
            rest = (rest & _LOW) | number << _HIGH
    return suits, rest


def label_block(
    rows: Bytes,
    start: int,
    stop: int,
    classes: Bytes,
    pair: Joins,
    other: Joins,
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
        a = look_up(classes, pair, other, answer, a0, a1)
        b = look_up(classes, pair, other, answer, b0, b1)
        c = look_up(classes, pair, other, answer, c0, c1)
        d = look_up(classes, pair, other, answer, d0, d1)
        u = U(i)
        out[u], out[u + U(1)], out[u + U(2)], out[u + U(3)] = a, b, c, d
        if high:
            again[num_again] = i
            num_again += 1
    return num_again


def label_rows(
    rows: Bytes,
    classes: Bytes,
    pair: Joins,
    other: Joins,
    answer: Labels,
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
        num_again = label_block(rows, start, stop, classes, pair, other, answer, out, again)
        for k in range(4 * num_again):
            row = again[k >> 2] + (k & 3)
            high, suits, rest = read_one(rows, WIDTH * row)
            if high:
                suits, rest = correct(rows, WIDTH * row, suits, rest, steps, starts)
                out[row] = look_up(classes, pair, other, answer, suits, rest)
        for k in range(U(start), U(stop)):
            worst = OCTET(worst | out[k])
    return worst


WIDTH = 0  # counts of a row


def read_four(rows: Bytes, start: int) -> tuple[U, ...]:
    """Return whether some count exceeds three, and two words of state numbers of each row."""
    raise NotImplementedError


def read_one(rows: Bytes, start: int) -> tuple[U, U, U]:
    """Return the same of one row."""
    raise NotImplementedError


def correct(rows: Bytes, start: int, suits: U, rest: U, steps: Ranks, starts: Ranks) -> tuple[U, U]:
    """Correct the two words of a row with four of a kind."""
    raise NotImplementedError


def look_up(classes: Bytes, pair: Joins, other: Joins, answer: Labels, suits: U, rest: U) -> OCTET:
    """Return the label of a hand, given by two words."""
    raise NotImplementedError


@inner
def _m0(classes: Bytes, pair: Joins, _: Joins, answer: Labels, suits: U, rest: U) -> OCTET:
    return m0_label(classes, pair, answer, suits, rest)


@inner
def _correct_m0(
    rows: Bytes, start: int, suits: U, rest: U, steps: Ranks, starts: Ranks
) -> tuple[U, U]:
    return renumber(rows, start, 27, suits, rest, steps, starts)


@inner
def _correct_full(
    rows: Bytes, start: int, suits: U, rest: U, steps: Ranks, starts: Ranks
) -> tuple[U, U]:
    return renumber(rows, start, 34, suits, rest, steps, starts)


def label_kernel(
    name: str,
    width: int,
    *,
    read_four: Callable[..., tuple[U, ...]],
    read_one: Callable[..., tuple[U, ...]],
    correct: Callable[..., tuple[U, U]],
    look_up: Callable[..., OCTET],
) -> LabelKernel:
    """Return the kernel of a tile set, whose rows have ``width`` counts."""
    names: dict[str, object] = {"WIDTH": width, "look_up": look_up}
    block = inner(specialised(label_block, f"{name}_block", read_four=read_four, **names))
    names |= {"label_block": block, "read_one": read_one, "correct": correct}
    return kernel(specialised(label_rows, name, **names))


label_m0 = label_kernel(
    "label_m0", 27, read_four=m0_rows, read_one=m0_row, correct=_correct_m0, look_up=_m0
)
label_full = label_kernel(
    "label_full",
    34,
    read_four=full_rows,
    read_one=full_row,
    correct=_correct_full,
    look_up=full_label,
)
