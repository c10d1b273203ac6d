"""Useful tiles and discards of many hands."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mjopt._internal.arrays import as_array, distinct
from mjopt._internal.jit import is_few
from mjopt.errors import HandError
from mjopt.hands.hand import check_called
from mjopt.hands.rule_set import WinningForm
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.hands.winning_forms import (
    DEFAULT_FORM,
    UNREACHABLE,
    check_forms,
    has_plain,
    orphan_kinds,
)
from mjopt.tables._array_input import Which, as_hands
from mjopt.tables.batch import label
from mjopt.tables.lookup import special_deficiency
from mjopt.tables.marginal_costs import find_gains
from mjopt.tables.packed import pack
from mjopt.tables.state_index import rank_tables
from mjopt.tables.useful_lookup import find_wait
from mjopt.tables.validation import tiles_by_length

if TYPE_CHECKING:  # kernels are loaded on first use
    from mjopt.tables._useful_kernels import JudgeTables

_FEW: Final = 256  # hands: for fewer, plain Python is faster than loading numba

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
    from mjopt.tables import _useful_kernels

    rows = as_hands(counts, called, tiles)
    masks = np.zeros(len(rows), np.uint64)
    if not len(rows):
        return masks
    known = tiles_by_length(rows.shape[1], tiles)
    write_useful, _ = _useful_kernels.kernels_of(known)
    write_useful(pack(rows, tiles=known), *find_gains(known, called), masks)
    return masks


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
    best = np.zeros((len(counts), 64), np.bool_)
    np.equal(score, score.max(axis=1, keepdims=True), out=best[:, : counts.shape[1]])
    best[is_complete] = False
    return np.packbits(best, axis=1, bitorder="little").view(np.uint64).ravel()


def judge_discards(
    counts: ArrayLike,
    unseen: ArrayLike,
    *,
    called: ArrayLike = 0,
    forms: str | Iterable[str | WinningForm] = DEFAULT_FORM,
    tiles: TileSet | None = None,
) -> Judged:
    """Return the deficiency and the useful copies after each discard of a hand.

    The deficiency is that of the tables, as if every copy not held could arrive. The useful
    tiles are the unseen copies that lower it. (In :func:`mjopt.discards` unavailable tiles
    also raise the deficiency; it takes about a hundred times as long.)

    Parameters
    ----------
    counts
        Copies held after the draw, shape ``(K,)`` or ``(N, K)``, K = 27 or 34.
    unseen
        Copies of each kind that may still arrive, in the same shape, ``0..4``.
    called
        Melds on the table: one number, or one per hand.
    forms
        The winning forms.
    tiles
        As for :func:`useful_masks`.

    Returns
    -------
    deficiency
        In the shape of ``counts``, int8: tile changes after that discard; 127 if the
        hand does not hold the kind.
    useful
        In the same shape, int16, in tiles.

    Raises
    ------
    HandError
        If a row is not a hand after its draw.

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

    Parameters
    ----------
    counts, unseen, called, forms, tiles
        As for :func:`judge_discards`, one tile fewer.

    Returns
    -------
    deficiency, useful
        Shape ``()`` or ``(N,)``.

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
        raise HandError(f"unseen of shape {left.shape}, counts of shape {held.shape}: no hands")
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


def write_discards(
    counts: Counts,
    tiles: TileSet,
    called: int,
    forms: Sequence[WinningForm],
    deficiency: NDArray[np.int8],
    useful: NDArray[np.int16],
) -> tuple[int, NDArray[np.int64]]:
    """Write the results of :func:`judge_discards` for kinds held, with all other tiles unseen.

    Parameters
    ----------
    counts
        Hands after their draw: bytes, one row after the other.
    tiles, called, forms
        As for :func:`judge_discards`, the same for all hands.
    deficiency, useful
        Output arrays in the shape of ``counts``.

    Returns
    -------
    tuple of int and ndarray
        The first row that is not such a hand, or -1; and ``row * K + kind`` of the discards
        whose result may be too good, since the discarded tile can return here.
    """
    doubtful = np.empty(4 * len(counts) + 1, np.int64)  # at most four kinds per hand
    found = _write(counts, counts[:0], tiles, called, forms, True, deficiency, useful, doubtful)
    return max(found, -1), doubtful[: max(0, -1 - found)]


def _write(
    rows: Counts,
    unseen: Counts,
    tiles: TileSet,
    called: int,
    forms: Sequence[WinningForm],
    discarding: bool,
    deficiency: NDArray[np.int8],
    useful: NDArray[np.int16],
    doubtful: NDArray[np.int64] | None = None,
) -> int:
    """Judge hands with the same number of called melds; return the result of the kernel."""
    alive = tuple(form for form in forms if form.is_plain or not called)
    noted = np.empty(0, np.int64) if doubtful is None else doubtful
    if is_few(len(rows), _FEW):
        return _judge_in_python(
            tiles, called, alive, discarding, rows, unseen, deficiency, useful, noted
        )
    return _judge_in_kernel(
        tiles, called, alive, discarding, rows, unseen, deficiency, useful, noted
    )


def _judge_in_kernel(
    tiles: TileSet,
    called: int,
    forms: tuple[WinningForm, ...],
    discarding: bool,
    rows: Counts,
    unseen: Counts,
    deficiency: NDArray[np.int8],
    useful: NDArray[np.int16],
    doubtful: NDArray[np.int64],
) -> int:
    """Judge hands by the kernel."""
    from mjopt.tables import _useful_kernels

    flags = (
        has_plain(forms) * _useful_kernels.MELDS_TOO,
        any(form.is_pairs for form in forms) * _useful_kernels.PAIRS_TOO,
        any(form.is_singles for form in forms) * _useful_kernels.ORPHANS_TOO,
    )
    _, judge = _useful_kernels.kernels_of(tiles)
    return int(
        judge(
            rows,
            unseen,
            13 + discarding - 3 * called,
            sum(flags),
            discarding,
            _kernel_tables(tiles, called),
            doubtful,
            deficiency,
            useful,
        )
    )


def _judge_in_python(
    tiles: TileSet,
    called: int,
    forms: tuple[WinningForm, ...],
    discarding: bool,
    rows: Counts,
    unseen: Counts,
    deficiency: NDArray[np.int8],
    useful: NDArray[np.int16],
    doubtful: NDArray[np.int64],
) -> int:
    """Judge hands one by one in plain Python."""
    unseen = unseen if len(unseen) else COPIES - rows
    num_doubtful = 0
    others = [form for form in forms if not form.is_plain]
    for i, (row, left) in enumerate(zip(rows.tolist(), unseen.tolist(), strict=True)):
        if max(row) > COPIES or sum(row) != 13 + discarding - 3 * called:
            return i
        for kind in range(len(row) if discarding else 1):
            if discarding and not row[kind]:
                continue
            if row[kind] >= COPIES - 1 and len(doubtful):
                doubtful[num_doubtful] = i * len(row) + kind
                num_doubtful += 1
            row[kind] -= discarding
            least, kinds = UNREACHABLE, set[int]()
            if len(others) < len(forms):
                least, drawn, _ = find_wait(row, called=called, tiles=tiles)
                kinds.update(drawn)
            value = special_deficiency(row, others)
            if value < least:
                least, kinds = value, set()
            if others and value == least:
                arriving = [k for k, copies in enumerate(left) if copies and row[k] < COPIES]
                more = {k: [held + (k == at) for at, held in enumerate(row)] for k in arriving}
                kinds.update(k for k in more if special_deficiency(more[k], others) < least)
            deficiency[i, kind], useful[i, kind] = least, sum(left[k] for k in kinds)
            row[kind] += discarding
    return -1 - num_doubtful


@cache
def _kernel_tables(tiles: TileSet, called: int) -> "JudgeTables":
    """Return the tables of the judging kernel."""
    from mjopt.tables._useful_kernels import JudgeTables

    is_orphan = np.zeros(tiles.num_kinds, np.uint8)
    is_orphan[list(orphan_kinds(tiles))] = 1
    steps, starts = rank_tables()
    states, third, words = find_gains(tiles, called)
    return JudgeTables(is_orphan, steps, starts, states, third, words)
