"""Kernels for hands stored as state numbers: label, pack and unpack."""

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import inner, kernel
from mjopt.tables._kernels import (
    BLOCK,
    INT,
    OCTET,
    Bytes,
    Joins,
    Labels,
    Ranks,
    U,
    full_label,
    m0_label,
    renumber,
)
from mjopt.tables._simd_rows import full_row, m0_row, prefetch_ahead
from mjopt.tables.table_file import HONOURS, NUM_CLASSES, NUM_HONOUR, NUM_SUIT

_SUIT_MASK = U(HONOURS - 1)
_HONOUR_MASK = U(NUM_CLASSES - HONOURS - 1)
_LOW = U(0xFFFFFFFF)
_HIGH = U(32)
TOO_MANY = NUM_SUIT - 1  # the class of a suit of more than fourteen tiles
TOO_MANY_HONOURS = NUM_HONOUR - 1

Numbers = NDArray[np.uint32]


@inner
def _m0_number(numbers: Numbers, classes: Bytes, pair_start: Joins, answer: Labels, i: U) -> OCTET:
    suits = U(numbers[i]) | U(numbers[i + U(1)]) << _HIGH
    return m0_label(classes, pair_start, answer, suits, U(numbers[i + U(2)]))


@kernel
def label_packed_m0(
    numbers: Numbers, classes: Bytes, pair_start: Joins, answer: Labels, out: Labels
) -> OCTET:
    """Label hands of three state numbers; the result is negative if one is invalid."""
    worst = OCTET(0)
    for start in range(U(0), U(out.size), U(BLOCK)):
        stop = min(start + U(BLOCK), U(out.size))
        seen = np.uint32(0)
        for k in range(U(3) * start, U(3) * stop):
            seen |= numbers[k]
        if seen > _SUIT_MASK:
            return OCTET(-1)
        last = start + ((stop - start) & ~U(3))
        for i in range(start, last, U(4)):
            prefetch_ahead(numbers, U(3) * i)
            a = _m0_number(numbers, classes, pair_start, answer, U(3) * i)
            b = _m0_number(numbers, classes, pair_start, answer, U(3) * i + U(3))
            c = _m0_number(numbers, classes, pair_start, answer, U(3) * i + U(6))
            d = _m0_number(numbers, classes, pair_start, answer, U(3) * i + U(9))
            out[i], out[i + U(1)], out[i + U(2)], out[i + U(3)] = a, b, c, d
        for i in range(last, stop):
            out[i] = _m0_number(numbers, classes, pair_start, answer, U(3) * i)
        for i in range(start, stop):
            worst = OCTET(worst | out[i])
    return worst


@inner
def _full_number(
    numbers: Numbers, classes: Bytes, pair: Joins, mixed: Joins, answer: Labels, i: U
) -> OCTET:
    suits = U(numbers[i]) | U(numbers[i + U(1)]) << _HIGH
    rest = U(numbers[i + U(2)]) | U(numbers[i + U(3)]) << _HIGH
    return full_label(classes, pair, mixed, answer, suits, rest)


@kernel
def label_packed_full(
    numbers: Numbers, classes: Bytes, pair: Joins, mixed: Joins, answer: Labels, out: Labels
) -> OCTET:
    """Label hands of four state numbers, the last for the honours."""
    worst = OCTET(0)
    for start in range(U(0), U(out.size), U(BLOCK)):
        stop = min(start + U(BLOCK), U(out.size))
        seen = np.uint32(0)
        honours = np.uint32(0)
        for i in range(start, stop):
            seen |= numbers[U(4) * i] | numbers[U(4) * i + U(1)] | numbers[U(4) * i + U(2)]
            honours |= numbers[U(4) * i + U(3)]
        if seen > _SUIT_MASK or honours > _HONOUR_MASK:
            return OCTET(-1)
        last = start + ((stop - start) & ~U(3))
        for i in range(start, last, U(4)):
            prefetch_ahead(numbers, U(4) * i)
            a = _full_number(numbers, classes, pair, mixed, answer, U(4) * i)
            b = _full_number(numbers, classes, pair, mixed, answer, U(4) * i + U(4))
            c = _full_number(numbers, classes, pair, mixed, answer, U(4) * i + U(8))
            d = _full_number(numbers, classes, pair, mixed, answer, U(4) * i + U(12))
            out[i], out[i + U(1)], out[i + U(2)], out[i + U(3)] = a, b, c, d
        for i in range(last, stop):
            out[i] = _full_number(numbers, classes, pair, mixed, answer, U(4) * i)
        for i in range(start, stop):
            worst = OCTET(worst | out[i])
    return worst


@kernel
def pack_rows(
    rows: Bytes, width: int, classes: Bytes, steps: Ranks, starts: Ranks, out: Numbers
) -> int:
    """Write the state numbers of every row; return the first row without them, or -1."""
    columns = 3 if width == 27 else 4
    for row in range(out.size // columns):
        if width == 27:
            high, suits, rest = m0_row(rows, 27 * row)
        else:
            high, suits, rest = full_row(rows, 34 * row)
        if high:
            suits, rest = renumber(rows, width * row, width, suits, rest, steps, starts)
        numbers = (suits & _LOW, suits >> _HIGH, rest & _LOW)
        for suit in range(3):
            if classes[numbers[suit]] == TOO_MANY:
                return row
            out[columns * row + suit] = numbers[suit]
        if columns == 4:
            if classes[U(HONOURS) + (rest >> _HIGH)] == TOO_MANY_HONOURS:
                return row
            out[columns * row + 3] = rest >> _HIGH
    return -1


@kernel
def unpack_rows(numbers: Numbers, columns: int, steps: Ranks, starts: Ranks, out: Bytes) -> int:
    """Write the copies of every hand; return the first with an invalid number, or -1."""
    width = 27 if columns == 3 else 34
    for i in range(numbers.size):
        kinds = 7 if i % columns == 3 else 9
        place = i // columns * width + i % columns * 9
        rank = INT(numbers[i]) - (1 << 2 * kinds)
        if rank < 0:
            copies = U(numbers[i])
            for kind in range(U(kinds)):
                out[U(place) + kind] = copies & U(3)
                copies >>= U(2)
            continue
        if rank >= starts[kinds, 15]:
            return i // columns
        left = 14
        while starts[kinds, left] > rank:
            left -= 1
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
    return -1
