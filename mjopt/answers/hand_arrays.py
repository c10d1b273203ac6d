"""Useful tiles and discards of many hands: arrays in, arrays out."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mjopt.answers.useful import helpful_copies
from mjopt.errors import HandError
from mjopt.hands.forms import SEVEN_PAIRS, STANDARD, THIRTEEN_ORPHANS, UNREACHABLE, check_forms
from mjopt.hands.hand import Hand
from mjopt.hands.tiles import COPIES
from mjopt.tables._batches import as_array, as_bytes, as_rows, share_out
from mjopt.tables.batch import FEW, label
from mjopt.tables.checks import check_called, not_a_hand, tiles_by_length
from mjopt.tables.single import ORPHANS
from mjopt.tables.useful import useful_masks, write_discards

PART: Final = 1 << 12
"""Hands at a time: what is worked out of them stays in the cache."""

WIDTH: Final = 40  # bytes of a padded row: five words
_ONES: Final = np.uint64(0x0101_0101_0101_0101)

Counts = NDArray[np.uint8]
Small = NDArray[np.int8]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class UsefulBatch:
    """The tiles that help each of N hands of K kinds.

    Parameters
    ----------
    deficiency
        Tile changes, shape ``(N,)``, int8; ``UNREACHABLE`` where the tiles that can arrive
        cannot complete the hand.
    useful
        Whether a kind lowers that, shape ``(N, K)``, bool.
    num_copies
        How many useful tiles are unseen, shape ``(N,)``, int16.
    """

    deficiency: Small
    useful: Flags
    num_copies: NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.deficiency)

    def __repr__(self) -> str:
        return f"<UsefulBatch of {len(self)} hands>"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DiscardBatch:
    """What every discard of N hands of K kinds leaves.

    Parameters
    ----------
    deficiency
        Tile changes after throwing that kind, shape ``(N, K)``, int8; ``UNREACHABLE`` also
        where the hand holds none.
    num_copies
        How many useful tiles are then unseen, shape ``(N, K)``, int16; -1 where it holds none.
    """

    deficiency: Small
    num_copies: NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.deficiency)

    def __repr__(self) -> str:
        return f"<DiscardBatch of {len(self)} hands>"

    @property
    def best(self) -> NDArray[np.intp]:
        """The kind to throw, as :func:`mjopt.discards` ranks them, shape ``(N,)``, intp."""
        score = self.num_copies - np.int16(200) * self.deficiency  # at most 136 tiles are unseen
        kinds: NDArray[np.intp] = score.argmax(axis=1)
        return kinds


def useful_tiles_many(
    counts: ArrayLike,
    *,
    called: int = 0,
    unseen: ArrayLike | None = None,
    forms: Iterable[str] = (STANDARD,),
    threads: int = 1,
) -> UsefulBatch:
    """Return what :func:`mjopt.useful_tiles` says of many hands, in some 0.1 us each.

    Parameters
    ----------
    counts
        Copies per kind of hands before their draw, integers of shape ``(N, 27)`` or
        ``(N, 34)``: 13 tiles, less three for each called meld.
    called
        Melds on the table, of every hand.
    unseen
        Copies of each kind that can still arrive, one row for all hands or one row each; by
        default all that a hand does not hold. With it a hand takes as long as by itself.
    forms
        As for :func:`mjopt.deficiency`.
    threads
        How many threads share the work.

    Returns
    -------
    UsefulBatch
        Arrays with one entry a hand.

    Raises
    ------
    HandError, TileError
        If some row is no such hand: the message names it.

    Examples
    --------
    >>> found = useful_tiles_many([[3, 1, 1, 1, 1, 1, 1, 1, 3] + [0] * 18])
    >>> found.deficiency, found.num_copies, found.useful.sum(axis=1)
    (array([1], dtype=int8), array([23], dtype=int16), array([9]))
    """
    rows, melds = as_rows(counts), check_called(called)
    chosen = check_forms(forms, tiles_by_length(rows.shape[1]))
    number, width = rows.shape
    found = UsefulBatch(
        deficiency=np.empty(number, np.int8),
        useful=np.zeros((number, width), np.bool_),
        num_copies=np.zeros(number, np.int16),
    )

    def judge(part: Counts, start: int) -> None:
        here = slice(start, start + len(part))
        found.deficiency[here], found.useful[here] = _useful(part, melds, chosen)
        found.num_copies[here] = _copies(found.useful[here], part)

    asked = _share(rows, 13 - 3 * melds, "before its draw", judge, melds, unseen, threads)
    answers = helpful_copies([hand for _, hand, _ in asked], [left for *_, left in asked], chosen)
    for (row, _, _), (least, useful) in zip(asked, answers, strict=True):
        found.deficiency[row], found.num_copies[row] = least, sum(copies for _, copies in useful)
        found.useful[row, [kind for kind, _ in useful]] = True
    return found


def discards_many(
    counts: ArrayLike,
    *,
    called: int = 0,
    unseen: ArrayLike | None = None,
    forms: Iterable[str] = (STANDARD,),
    threads: int = 1,
) -> DiscardBatch:
    """Return what :func:`mjopt.discards` says of many hands, in some 0.3 us each.

    Parameters
    ----------
    counts
        Copies per kind of hands after their draw, integers of shape ``(N, 27)`` or
        ``(N, 34)``: 14 tiles, less three for each called meld.
    called, unseen, forms, threads
        As for :func:`mjopt.useful_tiles_many`. What is thrown away never comes back.

    Returns
    -------
    DiscardBatch
        Arrays with one entry a hand and kind.

    Raises
    ------
    HandError, TileError
        If some row is no such hand: the message names it.

    Examples
    --------
    >>> found = discards_many([[3, 1, 1, 1, 1, 1, 1, 1, 3, 1] + [0] * 17])
    >>> found.best, found.deficiency[0, 9], found.num_copies[0, 9]
    (array([9]), np.int8(1), np.int16(23))
    """
    rows, melds = as_rows(counts), check_called(called)
    tiles = tiles_by_length(rows.shape[1])
    chosen = check_forms(forms, tiles)
    found = DiscardBatch(
        deficiency=np.full(rows.shape, UNREACHABLE, np.int8),
        num_copies=np.full(rows.shape, -1, np.int16),
    )

    asked: list[tuple[int, int, Hand, tuple[int, ...]]] = []
    none = Hand(tiles=tiles, counts=(0,) * tiles.num_kinds, called=melds, partial=True)

    def judge(part: Counts, start: int) -> None:
        here = slice(start, start + len(part))
        write_discards(part, melds, chosen, found.deficiency[here], found.num_copies[here])
        for row, kind in _draws_back(part, melds) if STANDARD in chosen else ():
            hand = none.with_checked(tuple(part[row].tolist()))
            asked.append((start + row, kind, hand.with_one(kind, -1), hand.unseen))

    one_by_one = _share(rows, 14 - 3 * melds, "after its draw", judge, melds, unseen, threads)
    for row, hand, left in one_by_one:
        kinds = np.flatnonzero(hand.counts).tolist()
        asked += [(row, kind, hand.with_one(kind, -1), left) for kind in kinds]
    answers = helpful_copies([hand for _, _, hand, _ in asked], [one[3] for one in asked], chosen)
    for (row, kind, _, _), (least, useful) in zip(asked, answers, strict=True):
        found.deficiency[row, kind] = least
        found.num_copies[row, kind] = sum(copies for _, copies in useful)
    return found


def _share(
    rows: NDArray[Any],
    size: int,
    when: str,
    judge: Callable[[Counts, int], None],
    called: int,
    unseen: ArrayLike | None,
    threads: int,
) -> list[tuple[int, Hand, tuple[int, ...]]]:
    """Judge the rows in parts; return those to be judged one by one, and what is unseen.

    That is all where only so many tiles can arrive, or for few: then nothing is compiled.
    """
    is_one_by_one = unseen is not None or len(rows) < FEW

    def work(start: int, stop: int) -> int:
        for first in range(start, stop, PART):
            part = np.ascontiguousarray(as_bytes(rows[first : min(first + PART, stop)]))
            if part.max(initial=0) > COPIES or (_sums(part) != size).any():
                sums = part.sum(axis=1, dtype=np.int64)
                return first + int(((part > COPIES).any(axis=1) | (sums != size)).argmax())
            if not is_one_by_one:
                judge(part, first)
        return -1

    fault = share_out(work, len(rows), threads, in_place=True)
    if fault >= 0:
        held, where = rows[fault].tolist(), f"row {fault}: "
        if not all(0 <= copies <= COPIES for copies in held):
            raise not_a_hand(held, called=called, where=where)
        raise HandError(f"{where}{sum(held)} tiles, expected {size}: a hand {when}")
    if not is_one_by_one:
        return []
    every = _each_left(rows, np.array(COPIES) if unseen is None else unseen)
    return [
        (row, Hand.from_counts(held, called=called), left)
        for row, (held, left) in enumerate(zip(rows.tolist(), every, strict=True))
    ]


def _each_left(rows: NDArray[Any], unseen: ArrayLike) -> Iterable[tuple[int, ...]]:
    """Return what can arrive of each kind, for every row."""
    left = as_array(unseen, "unseen")
    if left.shape not in (rows.shape, rows.shape[1:], ()) or left.dtype.kind not in "iu":
        expected = f"expected integers of shape {rows.shape[1:]} or {rows.shape}"
        raise HandError(f"unseen: {left.dtype} of shape {left.shape}, {expected}")
    if ((left < 0) | (left > COPIES)).any():
        raise HandError(f"unseen: {left.min()}..{left.max()} copies, expected 0..{COPIES}")
    return map(tuple, np.minimum(left, COPIES - rows).tolist())


def _useful(part: Counts, called: int, forms: tuple[str, ...]) -> tuple[Small, Flags]:
    """Return deficiency and useful kinds, over all forms that the hands can take."""
    best = np.full(len(part), UNREACHABLE, np.int8)
    useful = np.zeros(part.shape, np.bool_)
    for form in forms:
        if called and form != STANDARD:
            continue
        value, helps = _FORMS[form](part, called)
        if form == forms[0]:
            best, useful = value, helps
            continue
        useful[value < best] = False
        useful |= helps & (value <= best)[:, None]
        best = np.minimum(best, value)
    return best, useful


def _standard(part: Counts, called: int) -> tuple[Small, Flags]:
    octets = useful_masks(part, called=called).view(np.uint8).reshape(-1, 8)
    bits = np.unpackbits(octets, axis=1, bitorder="little", count=part.shape[1])
    return label(part, called=called), bits.view(np.bool_)


def _pairs(part: Counts, _: int) -> tuple[Small, Flags]:
    """Return what seven pairs lack, and the kinds that are among the seven cheapest."""
    prices = np.maximum(2 - part.astype(np.int8), 0)
    cheapest = np.partition(prices, 6, axis=1)
    helps = (prices > 0) & (prices <= cheapest[:, 6:7])
    return cheapest[:, :7].sum(axis=1, dtype=np.int8), helps


def _orphans(part: Counts, _: int) -> tuple[Small, Flags]:
    held = part[:, ORPHANS]
    is_paired: Flags = np.greater(held.max(axis=1), 1)
    helps = np.zeros(part.shape, np.bool_)
    helps[:, ORPHANS] = (held == 0) | (~is_paired[:, None] & (held < COPIES))
    return (held == 0).sum(axis=1, dtype=np.int8) + ~is_paired, helps


_FORMS: Final = {STANDARD: _standard, SEVEN_PAIRS: _pairs, THIRTEEN_ORPHANS: _orphans}


def _sums(octets: NDArray[Any]) -> NDArray[np.uint64]:
    """Return the sum of every row of bytes, each sum below 256: eight bytes at a time."""
    words = np.zeros((len(octets), WIDTH), np.uint8)
    words[:, : octets.shape[1]] = octets
    columns = words.view(np.uint64)
    total: NDArray[np.uint64] = columns[:, 0].copy()
    for column in range(1, columns.shape[1]):
        total += columns[:, column]
    return (total * _ONES) >> np.uint64(56)


def _copies(useful: Flags, part: Counts) -> NDArray[np.uint64]:
    return _sums(useful.view(np.uint8) * (COPIES - part))


def _draws_back(part: Counts, called: int) -> list[tuple[int, int]]:
    """Return the discards that a nearest complete hand may draw back, too many of them.

    The tables let what is thrown away come back. That matters only where a nearest complete
    hand holds four of the kind, and nothing else is as near: with four or three of it in
    the hand, and then only beside four of another kind of its suit. (*Checked* on every
    hand of one suit, with every number of called melds.)
    """
    some = np.unique(np.flatnonzero(part == COPIES) // part.shape[1])
    suits = part[some, :27]
    beside = (suits == COPIES).reshape(-1, 3, 9).any(axis=2).repeat(9, axis=1)
    place, kinds = np.nonzero((suits >= 3) & beside)
    if not len(kinds):
        return []
    after = part[some[place]]
    after[np.arange(len(kinds)), kinds] -= 1
    is_drawn = useful_masks(after, called=called) >> kinds.astype(np.uint64) & np.uint64(1)
    chosen = np.flatnonzero(is_drawn)
    return list(zip(some[place[chosen]].tolist(), kinds[chosen].tolist(), strict=True))
