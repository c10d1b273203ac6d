"""Useful tiles and best discards of many hands, as bits by kind."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mjopt.errors import HandError
from mjopt.tables.batch import label
from mjopt.tables.gains import find_gains
from mjopt.tables.packed import pack
from mjopt.tables.store import answers, load_tables, lookups

Counts = NDArray[np.uint8]
Masks = NDArray[np.uint64]


def useful_masks(counts: Counts, *, called: int = 0) -> Masks:
    """Return the tiles that some nearest complete hand draws, standard form.

    For a hand before its draw these are the tiles whose arrival brings the win one
    nearer; after it, those worth waiting for once the right tile is thrown away.

    Parameters
    ----------
    counts
        Copies per kind, shape (N, 27) or (N, 34).
    called
        Melds on the table. Copies not held count as unseen.

    Returns
    -------
    ndarray of uint64, shape (N,)
        Bit k is kind k; no bit for a complete hand.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> mask = useful_masks(np.array([Hand.parse("1112345678999m").counts], np.uint8))[0]
    >>> [kind for kind in range(27) if int(mask) >> kind & 1]
    [0, 1, 2, 3, 4, 5, 6, 7, 8]
    """
    from mjopt.tables import _useful

    masks = np.zeros(len(counts), np.uint64)
    if len(counts):
        _useful.useful(pack(counts), _tables(counts.shape[1], called), masks)
    return masks


def best_discard_masks(counts: Counts, *, called: int = 0) -> Masks:
    """Return the discards that leave least missing, and then most useful tiles unseen.

    Parameters
    ----------
    counts
        Hands after their draw.
    called
        Melds on the table.

    Returns
    -------
    ndarray of uint64, shape (N,)
        Bit k is kind k; several bits where discards are equally good, none for a
        complete hand.

    Raises
    ------
    HandError
        If a hand has not drawn yet.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> from mjopt.hands.tiles import FULL
    >>> hand = Hand.parse("123456m789p1146s1z", tiles=FULL)
    >>> best_discard_masks(np.array([hand.counts], np.uint8)).tolist() == [1 << 27]
    True
    """
    from mjopt.tables import _useful

    masks = np.zeros(len(counts), np.uint64)
    if not len(counts):
        return masks
    full = 14 - 3 * called
    small = np.flatnonzero(counts.sum(axis=1, dtype=np.int64) != full)
    if len(small):
        row = int(small[0])
        raise HandError(f"row {row}: {counts[row].sum()} tiles, expected {full} to discard from")
    width = counts.shape[1]
    answer = answers(width, called)
    _useful.best_discards(
        np.ascontiguousarray(counts),
        pack(counts),
        answer,
        load_tables().mixed_class,
        lookups().steps,
        lookups().starts,
        _tables(width, called),
        masks,
    )
    masks[label(counts, called=called) == 0] = 0
    return masks


def _tables(width: int, called: int) -> tuple[Any, ...]:
    """Return what the kernels read, in their order."""
    gains = find_gains(width, called)
    return (
        lookups().classes,
        load_tables().pair_class,
        gains.suit.row_of,
        gains.suit.kinds,
        gains.cheapest,
        gains.honour.row_of,
        gains.honour.kinds,
        gains.cheapest_honours,
        gains.rest,
        gains.rest_of_honours,
    )
