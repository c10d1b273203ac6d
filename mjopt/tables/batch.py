"""Labels of many hands: the deficiency of every row of an array."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mjopt._internal.jit import is_few
from mjopt._internal.validation import expect
from mjopt.errors import TileError
from mjopt.hands.tiles import COPIES
from mjopt.hands.winning_forms import (
    SEVEN_PAIRS,
    STANDARD,
    THIRTEEN_ORPHANS,
    UNREACHABLE,
    check_forms,
)
from mjopt.tables._array_input import (
    Labels,
    Rows,
    as_bytes,
    as_integers,
    as_rows,
    check_threads,
    fill_by_called,
    fill_one_by_one,
    flat,
    is_in_place,
    share_out,
)
from mjopt.tables.lookup import label_limited_one, label_one
from mjopt.tables.table_file import answers, lookups
from mjopt.tables.validation import faulty_rows, tiles_by_length

FEW: Final = 4096
"""Fewer rows are labelled one by one: at 4 us per row that is faster than loading numba."""

FEW_LIMITED: Final = 16
"""The same limit for limited unseen tiles."""


def label(
    counts: ArrayLike,
    *,
    called: ArrayLike = 0,
    forms: Sequence[str] = (STANDARD,),
    unseen: ArrayLike | None = None,
    partial: bool = False,
    threads: int | None = 1,
    out: Labels | None = None,
) -> Labels:
    """Return the deficiency of every hand.

    Every row is validated: at most four copies of a kind, and a valid number of tiles.

    Parameters
    ----------
    counts
        Copies per kind, shape ``(N, 27)`` or ``(N, 34)``. ``uint8`` and ``int8``
        rows in C order, in memory or in a mapped file, are read in place; any other integer
        array is copied in parts. Also a list of texts in mpsz notation: all are hands of FULL
        if one has honours.
    called
        Melds on the table: one number, or one per row. A row then holds
        ``14 - 3 * called`` tiles or one fewer.
    forms
        The winning forms; the least deficiency over them is returned. Seven pairs and
        thirteen orphans need a hand without called melds.
    unseen
        Copies of each kind that can still arrive; see :func:`label_limited`.
    partial
        Allow fewer tiles than a hand has.
    threads
        Number of threads; None: one for each core.
    out
        An ``int8`` output array of shape ``(N,)``.

    Returns
    -------
    Labels
        Shape ``(N,)``, int8; ``out`` if given. ``UNREACHABLE`` where no chosen form is
        possible.

    Raises
    ------
    TileError, HandError
        If some row is not a hand; the message names the first such row and the expected
        value. The content of ``out`` is then undefined.

    Notes
    -----
    Fewer than 4,096 rows are labelled one by one without compilation. For more, the kernel
    of 27 or of 34 kinds is compiled on its first call, which takes a few seconds once after
    an installation; later processes load it from a cache.

    Rows of ``uint8`` or ``int8`` in C order are fastest; others are converted first.
    ``benchmarks/test_tables_label.py`` measures the time of a hand.

    Examples
    --------
    >>> label([[3, 1, 1, 1, 1, 1, 1, 1, 3, 1] + [0] * 17, [2] * 7 + [0] * 20])
    array([1, 0], dtype=int8)
    >>> label(["1112345678999m1p", "11223344556677m"])
    array([1, 0], dtype=int8)
    >>> label([[2] * 7 + [0] * 20, [4] * 4 + [0] * 23])
    Traceback (most recent call last):
    mjopt.errors.HandError: row 1: 16 tiles, expected 14 or 13
    """
    expect(partial, bool, "partial")
    if unseen is not None:
        return label_limited(
            counts, unseen, called=called, forms=forms, partial=partial, threads=threads, out=out
        )
    rows, threads = as_rows(counts), check_threads(threads)
    chosen = check_forms(forms, tiles_by_length(rows.shape[1]))

    def fill(which: Any, melds: int, labels: Labels) -> int:
        part = rows[which]
        if is_few(len(part), FEW):
            return fill_one_by_one(
                labels,
                lambda i: label_one(part[i].tolist(), melds, forms=chosen, partial=partial),
            )
        return _fill_plain(part, melds, chosen, partial, threads, labels)

    return fill_by_called(rows, called, partial, out, fill)


def label_limited(
    counts: ArrayLike,
    unseen: ArrayLike,
    *,
    called: ArrayLike = 0,
    forms: Sequence[str] = (STANDARD,),
    partial: bool = False,
    threads: int | None = 1,
    out: Labels | None = None,
) -> Labels:
    """Return the deficiency of every hand with a limit on the copies that can still arrive.

    Parameters
    ----------
    counts
        Copies per kind, shape ``(N, 27)`` or ``(N, 34)``.
    unseen
        Copies of each kind that can still arrive, each in ``0..4``: one row for all
        hands, or one row each. Larger numbers are reduced to ``4 - counts``.
    called, forms, partial, threads, out
        As for :func:`label`.

    Returns
    -------
    Labels
        Shape ``(N,)``, int8; ``UNREACHABLE`` where those copies cannot complete the hand.

    Examples
    --------
    >>> hand = [3, 1, 1, 1, 1, 1, 1, 1, 3, 1] + [0] * 17
    >>> label_limited([hand, hand], [[1] * 27, [0] * 27]).tolist() == [1, UNREACHABLE]
    True
    """
    rows, threads = as_rows(counts), check_threads(threads)
    chosen = check_forms(forms, tiles_by_length(rows.shape[1]))
    caps = as_integers(unseen, "unseen")
    if caps.shape not in (rows.shape, rows.shape[1:]) or caps.dtype.kind not in "iu":
        raise TileError(
            f"unseen: {caps.dtype} of shape {caps.shape}, "
            f"expected integers of shape {rows.shape[1:]} or {rows.shape}"
        )
    faults = np.argwhere((caps < 0) | (caps > COPIES))
    if len(faults):
        where = f"row {faults[0][0]}, " if caps.ndim == 2 else ""
        number = caps[tuple(faults[0])]
        raise TileError(f"unseen: {where}kind {faults[0][-1]}: {number} copies, expected 0..4")
    caps = caps.astype(np.uint8, copy=False)

    def fill(which: Any, melds: int, labels: Labels) -> int:
        part = rows[which]
        left = caps if caps.ndim == 1 else caps[which]
        if len(part) < FEW_LIMITED:
            return fill_one_by_one(
                labels,
                lambda i: label_limited_one(
                    part[i].tolist(),
                    (left if left.ndim == 1 else left[i]).tolist(),
                    melds,
                    forms=chosen,
                    partial=partial,
                ),
            )
        return _fill_limited(part, left, melds, chosen, partial, threads, labels)

    return fill_by_called(rows, called, partial, out, fill)


def _kernel(rows: Rows) -> Any:
    from mjopt.tables import _kernels  # numba takes a while to load

    return _kernels.label_m0 if rows.shape[1] == 27 else _kernels.label_full


def _fill_plain(
    rows: Rows, called: int, forms: Sequence[str], partial: bool, threads: int, labels: Labels
) -> int:
    from mjopt.tables._kernels import BLOCK

    tables = lookups()
    num_kinds, kernel = rows.shape[1], _kernel(rows)
    answer = answers(num_kinds, called, partial=partial).reshape(-1)
    all_unseen = flat(np.full(num_kinds, COPIES, np.uint8))
    joins: tuple[NDArray[np.uint16], ...] = (tables.pair, tables.mixed)
    if num_kinds == 27:
        joins = (tables.pair_start,)

    def work(start: int, stop: int) -> int:
        part = rows[start:stop]
        some = labels[start:stop]
        if len(part) < 4:  # a kernel reads four rows at once
            part = np.concatenate([part, part, part, part])
            some = np.empty(len(part), np.int8)
        again = np.empty(BLOCK // 4, np.int64)
        octets = flat(as_bytes(part))
        worst = kernel(
            octets, tables.classes, *joins, answer, tables.steps, tables.starts, again, some
        )
        if worst < 0:
            return start + int(faulty_rows(rows[start:stop], called=called, partial=partial)[0])
        if STANDARD not in forms:
            some[:] = UNREACHABLE
        if not called:
            _fill_special(octets, all_unseen, 0, num_kinds, forms, some)
        if len(some) > stop - start:
            labels[start:stop] = some[: stop - start]
        return -1

    return share_out(work, len(rows), threads, in_place=is_in_place(rows))


def _fill_limited(
    rows: Rows,
    unseen: NDArray[np.uint8],
    called: int,
    forms: Sequence[str],
    partial: bool,
    threads: int,
    labels: Labels,
) -> int:
    from mjopt.tables import _form_kernels

    num_kinds = rows.shape[1]
    step = 0 if unseen.ndim == 1 else num_kinds

    def work(start: int, stop: int) -> int:
        faults = faulty_rows(rows[start:stop], called=called, partial=partial)
        if len(faults):
            return start + int(faults[0])
        octets = flat(as_bytes(rows[start:stop]))
        left = flat(unseen[start:stop] if step else unseen)
        some = labels[start:stop]
        some[:] = UNREACHABLE
        if STANDARD in forms:
            _form_kernels.limited(
                octets, left, step, num_kinds, 4 - called, _form_kernels.MOVE_TABLE, some
            )
        if not called:
            _fill_special(octets, left, step, num_kinds, forms, some)
        return -1

    return share_out(work, len(rows), threads, in_place=False)


def _fill_special(
    octets: NDArray[np.uint8],
    unseen: NDArray[np.uint8],
    step: int,
    num_kinds: int,
    forms: Sequence[str],
    labels: Labels,
) -> None:
    """Lower the labels to the deficiencies of the forms without melds."""
    from mjopt.tables import _form_kernels

    if SEVEN_PAIRS in forms:
        _form_kernels.seven_pairs(octets, unseen, step, num_kinds, labels)
    if THIRTEEN_ORPHANS in forms:
        _form_kernels.thirteen_orphans(octets, unseen, step, _form_kernels.ORPHAN_KINDS, labels)
