"""Label kernels of ``SANMA``: five look-ups per hand, as for the other tile sets."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import inner, kernel
from mjopt.tables._kernels import (
    BLOCK,
    OCTET,
    Bytes,
    Joins,
    Labels,
    Ranks,
    U,
    group_number,
)
from mjopt.tables._simd_rows import sanma_row, sanma_rows
from mjopt.tables.sanma import NUM_OUTER, TERMINAL_ROWS
from mjopt.tables.table_file import HONOURS, NUM_CLASSES, NUM_HONOUR, NUM_SUIT

_LOW = U(0xFFFFFFFF)
_HIGH = U(32)
_HONOURS = U(HONOURS)
_SUITS = U(NUM_SUIT)
_HONOUR_CLASSES = U(NUM_HONOUR)
_OUTER = U(NUM_OUTER)
_PLAIN = U(15)  # two bits for each terminal
_NO_STATE = U(TERMINAL_ROWS - 1)

Numbers = NDArray[np.uint32]


@inner
def sanma_label(
    classes: Bytes, pair: Joins, outer: Joins, answer: Labels, suits: Any, terminals: Any, z: Any
) -> Any:
    """Look up one hand: ``suits`` holds two state numbers, the others are one each."""
    both = U(pair[U(classes[suits & _LOW]) * _SUITS + U(classes[suits >> _HIGH])])
    rest = U(outer[terminals * _HONOUR_CLASSES + U(classes[_HONOURS + z])])
    return answer[both * _OUTER + rest]


@inner
def _plain(classes: Bytes, pair: Joins, outer: Joins, answer: Labels, suits: Any, rest: Any) -> Any:
    """Look up one hand without four of a kind, as the rows are read."""
    terminals = (rest | rest >> U(6)) & _PLAIN  # two bytes become four bits
    return sanma_label(classes, pair, outer, answer, suits, terminals, rest >> _HIGH)


@inner
def _by_counts(
    rows: Bytes,
    start: int,
    classes: Bytes,
    pair: Joins,
    outer: Joins,
    answer: Labels,
    steps: Ranks,
    starts: Ranks,
) -> Any:
    """Look up one hand with four of a kind, or find that it is no hand."""
    terminals = U(group_number(rows, start, 2, steps, starts))
    if max(rows[U(start)], rows[U(start) + U(1)]) > 4:
        terminals = _NO_STATE
    p = U(group_number(rows, start + 2, 9, steps, starts))
    s = U(group_number(rows, start + 11, 9, steps, starts))
    z = U(group_number(rows, start + 20, 7, steps, starts))
    return sanma_label(classes, pair, outer, answer, p | s << _HIGH, terminals, z)


@inner
def _sanma_block(
    rows: Bytes,
    start: int,
    stop: int,
    classes: Bytes,
    pair: Joins,
    outer: Joins,
    answer: Labels,
    out: Labels,
    again: NDArray[np.int64],
) -> int:
    num_again = 0
    for i in range(start, stop, 4):
        high, a0, a1, b0, b1, c0, c1, d0, d1 = sanma_rows(rows, 27 * i)
        a = _plain(classes, pair, outer, answer, a0, a1)
        b = _plain(classes, pair, outer, answer, b0, b1)
        c = _plain(classes, pair, outer, answer, c0, c1)
        d = _plain(classes, pair, outer, answer, d0, d1)
        u = U(i)
        out[u], out[u + U(1)], out[u + U(2)], out[u + U(3)] = a, b, c, d
        if high:
            again[num_again] = i
            num_again += 1
    return num_again


@kernel
def label_sanma(
    rows: Bytes,
    classes: Bytes,
    pair: Joins,
    outer: Joins,
    answer: Labels,
    steps: Ranks,
    starts: Ranks,
    again: NDArray[np.int64],
    out: Labels,
) -> int:
    """Label at least four rows of 27 counts, as :func:`mjopt.tables._kernels.label_full` does."""
    worst: int = OCTET(0)
    stop = 0
    while stop < out.size:
        start = stop
        stop = start + BLOCK
        if stop > out.size:
            stop = start + ((out.size - start) & ~3)
        if stop == start:
            start, stop = out.size - 4, out.size
        num_again = _sanma_block(rows, start, stop, classes, pair, outer, answer, out, again)
        for k in range(4 * num_again):
            row = again[k >> 2] + (k & 3)
            byte = 27 * row
            high, _, _ = sanma_row(rows, byte)
            if high:
                out[row] = _by_counts(rows, byte, classes, pair, outer, answer, steps, starts)
        for k in range(U(start), U(stop)):
            worst = OCTET(worst | out[k])
    return worst


@kernel
def label_packed_sanma(
    numbers: Numbers, classes: Bytes, pair: Joins, outer: Joins, answer: Labels, out: Labels
) -> Any:
    """Label hands of four state numbers: terminals, dots, bamboos, honours."""
    worst = OCTET(0)
    for i in range(U(0), U(out.size)):
        at = U(4) * i
        m, p, s, z = numbers[at], numbers[at + U(1)], numbers[at + U(2)], numbers[at + U(3)]
        if m >= TERMINAL_ROWS or max(p, s) >= HONOURS or z >= NUM_CLASSES - HONOURS:
            return OCTET(-1)
        found = sanma_label(classes, pair, outer, answer, U(p) | U(s) << _HIGH, U(m), U(z))
        out[i] = found
        worst = OCTET(worst | found)
    return worst
