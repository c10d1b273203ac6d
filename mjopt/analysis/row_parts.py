"""Judge the rows of an array of hands in parts, on several threads; invalid rows are errors."""

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mjopt._internal.arrays import as_integers
from mjopt.errors import HandError
from mjopt.hands.tiles import COPIES
from mjopt.tables.rows._array_input import CountRows, as_bytes, share_out
from mjopt.tables.rows.validation import not_a_hand, sum_rows

PART: Final = 1 << 12
"""Hands at a time, so that intermediate arrays stay in the CPU cache."""

Counts = NDArray[np.uint8]


def judge_parts(
    hands: CountRows,
    size: int,
    when: str,
    judge: Callable[[Counts, Counts | None, slice], int],
    called: int,
    unseen: ArrayLike | None,
    threads: int,
) -> None:
    """Judge the rows in parts; ``judge`` returns the first invalid row, or -1."""
    rows, tiles = hands.rows, hands.tiles
    left = None if unseen is None else unseen_rows(hands, unseen)

    def work(start: int, stop: int) -> int:
        for first in range(start, stop, PART):
            here = slice(first, min(first + PART, stop))
            part = as_bytes(rows[here])
            rest = None if left is None else np.minimum(left[here], COPIES - part)
            fault = judge(part, rest, here)
            if fault >= 0:
                return first + fault
        return -1

    fault = share_out(work, len(rows), threads, in_place=True)
    if fault >= 0:
        held = rows[fault].tolist()
        if not all(0 <= copies <= COPIES for copies in held):
            raise not_a_hand(held, called=called, row=fault, tiles=tiles, size=hands.size)
        raise HandError(
            f"{sum(held)} tiles", position=fault, unit="row", expected=f"{size}: a hand {when}"
        )


def first_invalid(part: Counts, size: int) -> int:
    """Return the first row that is not a hand of ``size`` tiles, or -1."""
    if part.max(initial=0) <= COPIES and (sum_rows(part) == size).all():
        return -1
    return int(((part > COPIES).any(axis=1) | (part.sum(axis=1, dtype=np.int64) != size)).argmax())


def unseen_rows(hands: CountRows, unseen: ArrayLike) -> Counts:
    """Return the unseen copies as one row for each hand."""
    rows, left = hands.rows, hands.narrow(as_integers(unseen, "unseen"), "unseen")
    if left.shape not in (rows.shape, rows.shape[1:]) or left.dtype.kind not in "iu":
        expected = f"expected integers of shape {rows.shape[1:]} or {rows.shape}"
        raise HandError(f"{left.dtype} of shape {left.shape}, {expected}", argument="unseen")
    if ((left < 0) | (left > COPIES)).any():
        raise HandError(
            f"{left.min()}..{left.max()} copies", argument="unseen", expected=f"0..{COPIES}"
        )
    return np.broadcast_to(left.astype(np.uint8), rows.shape)
