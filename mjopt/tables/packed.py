"""Packed hands: one state number per suit, 12 or 16 bytes per hand."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mjopt._internal.validation import expect
from mjopt.errors import HandError, TileError
from mjopt.hands.hand import check_called
from mjopt.hands.tiles import COPIES
from mjopt.tables._array_input import (
    Labels,
    as_array,
    as_bytes,
    as_labels,
    as_rows,
    flat,
    is_in_place,
    share_out,
)
from mjopt.tables.state_index import MOST_TILES
from mjopt.tables.table_file import NUM_HONOUR_STATES, NUM_SUIT_STATES, answers, lookups
from mjopt.tables.validation import faulty_rows, not_a_hand

Numbers = NDArray[np.uint32]

_LIMITS: Final = (*[NUM_SUIT_STATES] * 3, NUM_HONOUR_STATES)


def pack(counts: ArrayLike, *, threads: int | None = 1) -> Numbers:
    """Convert every hand to the state numbers of its suits.

    Parameters
    ----------
    counts
        Copies per kind, shape ``(N, 27)`` or ``(N, 34)``; at most fourteen tiles of
        one suit.
    threads
        Number of threads; None: one for each core.

    Returns
    -------
    Numbers
        Shape ``(N, 3)``, or ``(N, 4)`` with the honours last. The number of a suit without
        four of a kind has two bits per rank, the first rank lowest; see
        :mod:`mjopt.tables.state_index` for the others.

    Examples
    --------
    >>> hand = [3, 1, 1, 1, 1, 1, 1, 1, 4] + [0] * 18
    >>> pack([hand]).tolist()
    [[487599, 0, 0]]
    >>> unpack(pack([hand])).tolist() == [hand]
    True
    """
    from mjopt.tables import _packed_kernels

    rows = as_rows(counts)
    tables = lookups()
    columns = 3 if rows.shape[1] == 27 else 4
    numbers = np.empty((len(rows), columns), np.uint32)

    def work(start: int, stop: int) -> int:
        fault = _packed_kernels.pack_rows(
            flat(as_bytes(rows[start:stop])),
            rows.shape[1],
            tables.classes,
            tables.steps,
            tables.starts,
            numbers[start:stop].reshape(-1),
        )
        return start + fault if fault >= 0 else -1

    fault = share_out(work, len(rows), threads, in_place=is_in_place(rows))
    if fault >= 0:
        if ((rows[fault] < 0) | (rows[fault] > COPIES)).any():
            raise not_a_hand(rows[fault].tolist(), where=f"row {fault}: ")
        raise HandError(f"row {fault}: more than {MOST_TILES} tiles of one suit")
    return numbers


def unpack(packed: ArrayLike, *, threads: int | None = 1) -> NDArray[np.uint8]:
    """Return the copies per kind of packed hands, shape ``(N, 27)`` or ``(N, 34)``.

    Raises
    ------
    TileError
        If a number is too large for a state; the message names the row.

    Examples
    --------
    >>> import mjopt
    >>> hand = mjopt.Hand.parse("1112345678999m1p")
    >>> mjopt.unpack(mjopt.pack([hand.counts]))[0, :10].tolist()
    [3, 1, 1, 1, 1, 1, 1, 1, 3, 1]
    """
    from mjopt.tables import _packed_kernels

    numbers = _as_numbers(packed)
    tables = lookups()
    columns = numbers.shape[1]
    counts = np.empty((len(numbers), 27 if columns == 3 else 34), np.uint8)

    def work(start: int, stop: int) -> int:
        fault = _packed_kernels.unpack_rows(
            flat(numbers[start:stop]),
            columns,
            tables.steps,
            tables.starts,
            counts[start:stop].reshape(-1),
        )
        return start + fault if fault >= 0 else -1

    fault = share_out(work, len(numbers), threads, in_place=numbers.flags.c_contiguous)
    if fault >= 0:
        _check_states(numbers[fault].tolist(), fault)
    return counts


def label_packed(
    packed: ArrayLike,
    *,
    called: int = 0,
    partial: bool = False,
    threads: int | None = 1,
    out: Labels | None = None,
) -> Labels:
    """Return the deficiency of every packed hand, standard form.

    Parameters
    ----------
    packed
        Hands from :func:`pack`, shape ``(N, 3)`` or ``(N, 4)``.
    called, partial, threads, out
        As for :func:`mjopt.label`; ``called`` is one number for all.

    Examples
    --------
    >>> label_packed(pack([[3, 1, 1, 1, 1, 1, 1, 1, 3, 1] + [0] * 17]))
    array([1], dtype=int8)
    """
    from mjopt.tables import _packed_kernels

    numbers = _as_numbers(packed)
    tables = lookups()
    kernel: Any = _packed_kernels.label_packed_full
    width = 34
    joins: tuple[NDArray[np.uint16], ...] = (tables.pair, tables.mixed)
    if numbers.shape[1] == 3:
        kernel = _packed_kernels.label_packed_m0
        width, joins = 27, (tables.pair_start,)
    expect(partial, bool, "partial")
    answer = answers(width, check_called(called), partial=partial).reshape(-1)
    labels = as_labels(out, len(numbers))
    target = labels if labels.flags.c_contiguous else np.empty(len(numbers), np.int8)

    def work(start: int, stop: int) -> int:
        some = flat(numbers[start:stop])
        worst = kernel(some, tables.classes, *joins, answer, target[start:stop])
        return _first_fault(numbers[start:stop], called, partial) + start if worst < 0 else -1

    fault = share_out(work, len(numbers), threads, in_place=numbers.flags.c_contiguous)
    if fault >= 0:
        _check_states(numbers[fault].tolist(), fault)
        counts = unpack(numbers[fault : fault + 1])[0].tolist()
        raise not_a_hand(counts, called=called, partial=partial, where=f"row {fault}: ")
    if target is not labels:
        labels[:] = target
    return labels


def _as_numbers(packed: ArrayLike) -> Numbers:
    numbers = as_array(packed, "packed")
    if numbers.ndim != 2 or numbers.dtype != np.uint32 or numbers.shape[1] not in (3, 4):
        raise TileError(
            f"packed: {numbers.dtype} of shape {numbers.shape}, "
            "expected uint32 of shape (N, 3) or (N, 4)"
        )
    return numbers


def _check_states(numbers: Sequence[int], row: int) -> None:
    """Raise TileError if a row has a number that is too large for a state."""
    for number, limit in zip(numbers, _LIMITS, strict=False):
        if number >= limit:
            raise TileError(f"row {row}: state {number}, expected 0..{limit - 1}")


def _first_fault(numbers: Numbers, called: int, partial: bool) -> int:
    """Return the first row that is not a hand; such a row must exist."""
    great = np.flatnonzero((numbers >= np.array(_LIMITS[: numbers.shape[1]])).any(axis=1))
    sound = numbers[: great[0]] if len(great) else numbers
    faults = faulty_rows(unpack(sound), called=called, partial=partial)
    return int(faults[0] if len(faults) else great[0])
