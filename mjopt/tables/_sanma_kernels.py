"""Label kernels of ``SANMA``: five look-ups per hand, as for the other tile sets."""

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import inner, kernel
from mjopt.tables._kernels import OCTET, Bytes, Joins, Labels, Ranks, U, group_number, label_kernel
from mjopt.tables._simd_rows import sanma_row, sanma_rows
from mjopt.tables.sanma import NUM_OUTER, TERMINAL_ROWS
from mjopt.tables.table_file import HONOURS, NUM_CLASSES, NUM_HONOUR, NUM_SUIT

_LOW = U(0xFFFFFFFF)
_HIGH = U(32)
_HONOURS = U(HONOURS)
_SUITS = U(NUM_SUIT)
_HONOUR_CLASSES = U(NUM_HONOUR)
_OUTER = U(NUM_OUTER)
_NO_STATE = U(TERMINAL_ROWS - 1)  # all bits of a state number of the terminals

Numbers = NDArray[np.uint32]


@inner
def _sanma_label(
    classes: Bytes, pair: Joins, outer: Joins, answer: Labels, suits: U, rest: U
) -> OCTET:
    """Look up one hand.

    ``suits`` holds the state numbers of dots and bamboos, and ``rest`` those of the terminals and
    the honours; or, as the rows are read, the copies of each terminal in a byte of its own.
    """
    both = U(pair[U(classes[suits & _LOW]) * _SUITS + U(classes[suits >> _HIGH])])
    terminals = (rest | rest >> U(6)) & _NO_STATE
    honours = U(classes[_HONOURS + (rest >> _HIGH)])
    label: OCTET = answer[both * _OUTER + U(outer[terminals * _HONOUR_CLASSES + honours])]
    return label


@inner
def _correct_sanma(
    rows: Bytes, start: int, _suits: U, _rest: U, steps: Ranks, starts: Ranks
) -> tuple[U, U]:
    """Correct the state numbers of a row in which some count exceeds three."""
    terminals = U(group_number(rows, start, 2, steps, starts))
    if max(rows[U(start)], rows[U(start) + U(1)]) > 4:
        terminals = _NO_STATE
    p = U(group_number(rows, start + 2, 9, steps, starts))
    s = U(group_number(rows, start + 11, 9, steps, starts))
    z = U(group_number(rows, start + 20, 7, steps, starts))
    return p | s << _HIGH, terminals | z << _HIGH


label_sanma = label_kernel(
    "label_sanma",
    27,
    read_four=sanma_rows,
    read_one=sanma_row,
    correct=_correct_sanma,
    look_up=_sanma_label,
)


@kernel
def label_packed_sanma(
    numbers: Numbers, classes: Bytes, pair: Joins, outer: Joins, answer: Labels, out: Labels
) -> OCTET:
    """Label hands of four state numbers: terminals, dots, bamboos, honours."""
    worst = OCTET(0)
    for i in range(U(0), U(out.size)):
        at = U(4) * i
        m, p, s, z = numbers[at], numbers[at + U(1)], numbers[at + U(2)], numbers[at + U(3)]
        if m >= TERMINAL_ROWS or max(p, s) >= HONOURS or z >= NUM_CLASSES - HONOURS:
            return OCTET(-1)
        suits, rest = U(p) | U(s) << _HIGH, U(m) | U(z) << _HIGH
        found = _sanma_label(classes, pair, outer, answer, suits, rest)
        out[i] = found
        worst = OCTET(worst | found)
    return worst
