"""Useful tiles and discards of many hands."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mjopt._internal.arrays import as_array, distinct
from mjopt.errors import HandError
from mjopt.hands.hand import check_called
from mjopt.hands.rules.classic_forms import DEFAULT_FORM, UNREACHABLE, standard_template
from mjopt.hands.rules.read_forms import check_forms
from mjopt.hands.rules.winning_form import WinningForm, templates_of
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.tables.labels.batch import label
from mjopt.tables.neighbours import discards, waits
from mjopt.tables.rows._array_input import Which, as_hands
from mjopt.tables.rows.validation import sum_rows, tiles_by_length

Counts = NDArray[np.uint8]
Masks = NDArray[np.uint64]
Judged = tuple[NDArray[np.int8], NDArray[np.int16]]


def useful_masks(counts: "Counts", *, called: int = 0, tiles: TileSet | None = None) -> "Masks":
    """Return the tiles that some nearest complete hand draws, standard form.

    For a hand before its draw these tiles lower the deficiency; for a hand after its
    draw they do so after the right discard.

    Parameters
    ----------
    counts
        Copies per kind, shape (N, 27) or (N, 34).
    called
        Melds on the table. Copies not held count as unseen.
    tiles
        The tile set; by default ``M0`` for 27 kinds and ``FULL`` for 34.

    Returns
    -------
    ndarray of uint64, shape (N,)
        Bit k is kind k; 0 for a complete hand.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> mask = useful_masks(np.array([Hand.parse("1112345678999m").counts], np.uint8))[0]
    >>> [kind for kind in range(27) if int(mask) >> kind & 1]
    [0, 1, 2, 3, 4, 5, 6, 7, 8]
    """
    rows = as_hands(counts, called, tiles)
    known = tiles_by_length(rows.shape[1], tiles)
    _, useful = waits(rows, (standard_template(known),), known, called)
    return _as_masks(useful)


def best_discard_masks(
    counts: "Counts", *, called: int = 0, tiles: TileSet | None = None
) -> "Masks":
    """Return the discards of least deficiency and, among those, of most useful unseen tiles.

    Parameters
    ----------
    counts
        Hands after their draw.
    called
        Melds on the table.
    tiles
        As for :func:`useful_masks`.

    Returns
    -------
    ndarray of uint64, shape (N,)
        Bit k is kind k; several bits for equally good discards, 0 for a complete hand.

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
    counts, full = as_hands(counts, called, tiles), 14 - 3 * called
    small = np.flatnonzero(counts.sum(axis=1, dtype=np.int64) != full)
    if len(small):
        row = int(small[0])
        raise HandError(
            f"{counts[row].sum()} tiles",
            position=row,
            unit="row",
            expected=f"{full} to discard from",
        )
    is_complete = label(counts, called=called, tiles=tiles) == 0
    deficiency, useful = judge_discards(counts, COPIES - counts, called=called, tiles=tiles)
    score = useful - np.int16(200) * deficiency  # a hand has at most 136 useful copies
    best = np.equal(score, score.max(axis=1, keepdims=True))
    best[is_complete] = False
    return _as_masks(best)


def _as_masks(flags: NDArray[np.bool_]) -> Masks:
    """Return a bit for each kind."""
    wide = np.zeros((len(flags), 64), np.bool_)
    wide[:, : flags.shape[1]] = flags
    return np.packbits(wide, axis=1, bitorder="little").view(np.uint64).ravel()


def judge_discards(
    counts: ArrayLike,
    unseen: ArrayLike,
    *,
    called: ArrayLike = 0,
    forms: str | Iterable[str | WinningForm] = DEFAULT_FORM,
    tiles: TileSet | None = None,
) -> Judged:
    """Return the deficiency and the useful copies after each discard of a hand.

    The deficiency is that of the tables, as if every copy not held could arrive. The useful tiles
    are the unseen copies that lower it. (In :func:`mjopt.discards` unavailable tiles also raise the
    deficiency; it takes hundreds of times as long as many hands do here.)

    Counts, after the draw, and ``unseen`` copies have shape ``(K,)`` or ``(N, K)``, K = 27 or 34;
    ``called`` is one number, or one per hand. The results have that shape too: deficiencies, int8,
    127 if the hand does not hold the kind, and useful copies, int16. A row that is not a hand after
    its draw raises `HandError`.

    Examples
    --------
    >>> from mjopt import FULL, Hand
    >>> hand = Hand.parse("123456m789p1146s1z", tiles=FULL)
    >>> deficiency, useful = judge_discards(hand.counts, hand.unseen)
    >>> int(deficiency[27]), int(useful[27])
    (1, 4)
    """
    return _judge(counts, unseen, called, forms, tiles, discarding=True)


def judge_waits(
    counts: ArrayLike,
    unseen: ArrayLike,
    *,
    called: ArrayLike = 0,
    forms: str | Iterable[str | WinningForm] = DEFAULT_FORM,
    tiles: TileSet | None = None,
) -> Judged:
    """Return the deficiency and the useful copies of hands before their draw.

    Hands have one tile fewer than in :func:`judge_discards`; results have shape ``()`` or ``(N,)``.

    Examples
    --------
    >>> from mjopt import FULL, Hand
    >>> hand = Hand.parse("123456m789p1146s", tiles=FULL)
    >>> [int(number) for number in judge_waits(hand.counts, hand.unseen)]
    [1, 4]
    """
    deficiency, useful = _judge(counts, unseen, called, forms, tiles, discarding=False)
    return deficiency[..., 0], useful[..., 0]


def _judge(
    counts: ArrayLike,
    unseen: ArrayLike,
    called: ArrayLike,
    forms: str | Iterable[str | WinningForm],
    tiles: TileSet | None,
    *,
    discarding: bool,
) -> Judged:
    held = np.array(counts, np.uint8)
    left = np.array(unseen, np.uint8)
    if left.shape != held.shape or held.ndim not in (1, 2):
        raise HandError(
            f"unseen of shape {left.shape}, counts of shape {held.shape}",
            expected="(K,) or (N, K) for both",
        )
    width = held.shape[-1]
    rows, left = held.reshape(-1, width), left.reshape(-1, width)
    known = tiles_by_length(width, tiles)
    chosen = check_forms(forms, known)
    melds = as_array(called, "called")
    groups: list[tuple[Which, int]] = (
        [(slice(None), int(melds))]
        if melds.ndim == 0
        else [(np.flatnonzero(melds == number), int(number)) for number in distinct(melds)]
    )
    shape = (len(rows), width if discarding else 1)
    deficiency, useful = np.full(shape, UNREACHABLE, np.int8), np.zeros(shape, np.int16)
    faults = []
    for which, number in groups:
        some, copies = deficiency[which], useful[which]
        check_called(number)
        hands = rows[which], left[which]
        fault = _write(*hands, known, number, chosen, discarding, some, copies)
        deficiency[which], useful[which] = some, copies
        if fault >= 0:
            faults.append((int(np.arange(len(rows))[which][fault]), number))
    if faults:
        fault, number = min(faults)
        if rows[fault].max() > COPIES:
            raise HandError(f"more than {COPIES} copies of a kind", position=fault, unit="row")
        size = 13 + discarding - 3 * number
        raise HandError(
            f"{rows[fault].sum()} tiles", position=fault, unit="row", expected=str(size)
        )
    if held.ndim == 1:
        return deficiency[0], useful[0]
    return deficiency, useful


def _write(
    rows: Counts,
    unseen: Counts,
    tiles: TileSet,
    called: int,
    forms: Sequence[WinningForm],
    discarding: bool,
    deficiency: NDArray[np.int8],
    useful: NDArray[np.int16],
) -> int:
    """Judge hands with the same number of called melds; return the first that is none, or -1."""
    templates = templates_of(forms)
    size = templates[0].num_tiles - 1 + discarding - 3 * called
    faults = np.flatnonzero((rows > COPIES).any(axis=1) | (rows.sum(axis=1) != size))
    if len(faults):
        return int(faults[0])
    if discarding:
        found = discards(rows, unseen, templates, tiles, called)
        deficiency[:], useful[:] = found.deficiency, found.copies
    else:
        deficiency[:, 0], helps = waits(rows, templates, tiles, called)
        useful[:, 0] = sum_rows(helps.view(np.uint8) * unseen)
    return -1
