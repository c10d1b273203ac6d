"""Labels in bulk when only so many copies of each kind can still arrive."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mjopt.errors import TileError
from mjopt.hands.forms import SEVEN_PAIRS, STANDARD, THIRTEEN_ORPHANS, UNREACHABLE, check_forms
from mjopt.hands.tiles import COPIES
from mjopt.tables._batches import (
    Labels,
    Rows,
    as_bytes,
    as_rows,
    fill_by_called,
    fill_one_by_one,
    flat,
    share_out,
)
from mjopt.tables.checks import faulty_rows, tiles_by_length
from mjopt.tables.limited import label_limited_one

FEW: Final = 16
"""Fewer rows than this are labelled one by one, so that nothing need be compiled."""


def label_limited(
    counts: ArrayLike,
    unseen: ArrayLike,
    *,
    called: ArrayLike = 0,
    forms: Sequence[str] = (STANDARD,),
    partial: bool = False,
    threads: int = 1,
    out: Labels | None = None,
) -> Labels:
    """Return the deficiency of every hand when only so many copies can still arrive.

    Parameters
    ----------
    counts
        Copies per kind, shape ``(N, 27)`` or ``(N, 34)``.
    unseen
        Copies of each kind that can still arrive, each in ``0..4``: one row for all
        hands, or one row each. No more than ``4 - counts`` ever can.
    called, forms, partial, threads, out
        As for :func:`label`.

    Returns
    -------
    Labels
        Shape ``(N,)``, int8; ``UNREACHABLE`` where those tiles cannot complete the
        hand.

    Examples
    --------
    >>> hand = [3, 1, 1, 1, 1, 1, 1, 1, 3, 1] + [0] * 17
    >>> label_limited([hand, hand], [[1] * 27, [0] * 27]).tolist() == [1, UNREACHABLE]
    True
    """
    rows = as_rows(counts)
    chosen = check_forms(forms, tiles_by_length(rows.shape[1]))
    caps = np.asarray(unseen)
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
        if len(part) < FEW:
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
    special = [form for form in forms if form != STANDARD and not called]

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
        if SEVEN_PAIRS in special:
            _form_kernels.seven_pairs(octets, left, step, num_kinds, some)
        if THIRTEEN_ORPHANS in special:
            _form_kernels.thirteen_orphans(octets, left, step, _form_kernels.ORPHAN_KINDS, some)
        return -1

    return share_out(work, len(rows), threads, in_place=False)
