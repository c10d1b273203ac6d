"""Useful tiles and discards of many hands, as arrays."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mjopt._internal.validation import expect
from mjopt.analysis.row_parts import first_invalid, judge_parts, unseen_rows
from mjopt.analysis.useful_rows import count_copies, find_useful
from mjopt.hands.hand import Hand, check_called
from mjopt.hands.rules.classic_forms import UNREACHABLE
from mjopt.hands.rules.read_forms import FormsLike, read_forms
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.rules.winning_form import WinningForm, templates_of
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.tables.neighbours import discards as judge_discards
from mjopt.tables.rows._array_input import CountRows, as_bytes, read_rows

EXCHANGES: Final = 1 << 9
"""Discards at a time for which every draw is tried: about thirty hands for each."""

_FEW_EXCHANGES: Final = 8
"""The same for a look one exchange further, which takes about 30 milliseconds a hand."""

Counts = NDArray[np.uint8]
Small = NDArray[np.int8]
Flags = NDArray[np.bool_]
Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class UsefulBatch:
    """Useful tiles of N hands of K kinds.

    Parameters
    ----------
    deficiency
        Tile changes, shape ``(N,)``, int8; ``UNREACHABLE`` where the unseen tiles cannot
        complete the hand.
    useful
        Whether a kind lowers the deficiency, shape ``(N, K)``, bool.
    num_copies
        Number of unseen useful tiles, shape ``(N,)``, int16.

    Examples
    --------
    >>> import mjopt
    >>> batch = mjopt.useful_tiles_many(["1112345678999m", "13345m34577p117s"])
    >>> batch.deficiency.tolist(), batch.num_copies.tolist()
    ([1, 2], [23, 8])
    """

    deficiency: "Small"
    useful: "Flags"
    num_copies: "NDArray[np.int16]"

    def __len__(self) -> int:
        return len(self.deficiency)

    def __repr__(self) -> str:
        return f"<UsefulBatch of {len(self)} hands>"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DiscardBatch:
    """Results of every discard of N hands of K kinds.

    Parameters
    ----------
    deficiency
        Tile changes after discarding that kind, shape ``(N, K)``, int8; ``UNREACHABLE`` also
        for kinds not in the hand.
    num_copies
        Number of unseen useful tiles after the discard, shape ``(N, K)``, int16; -1 for kinds
        not in the hand.
    improving
        Shape ``(N, K, K)``, int16: after a discard of least deficiency (second axis) and a draw
        that does not lower it (third), the largest number of useful copies after another
        discard if it exceeds the previous number, else 0. None if not requested.

    Examples
    --------
    >>> import mjopt
    >>> hand = mjopt.Hand.parse("13345m34577p1167z")
    >>> batch = mjopt.discards_many([hand.counts])
    >>> mjopt.FULL.names[batch.best[0]], batch.deficiency.shape
    ('6z', (1, 34))
    """

    deficiency: "Small"
    num_copies: "NDArray[np.int16]"
    improving: "NDArray[np.int16] | None" = None

    def __len__(self) -> int:
        return len(self.deficiency)

    def __repr__(self) -> str:
        return f"<DiscardBatch of {len(self)} hands>"

    @property
    def best(self) -> "NDArray[np.intp]":
        """The best kind to discard by the order of :func:`mjopt.discards`, shape ``(N,)``, intp."""
        score = self.num_copies - np.int16(200) * self.deficiency  # at most 136 tiles are unseen
        kinds: NDArray[np.intp] = score.argmax(axis=1)
        return kinds


def useful_tiles_many(
    counts: "ArrayLike",
    *,
    tiles: TileSet | str | None = None,
    called: int = 0,
    unseen: "ArrayLike | None" = None,
    forms: FormsLike = None,
    rules: RuleSet | str | Path | None = None,
    threads: int = 1,
) -> UsefulBatch:
    """Find the useful tiles of many hands.

    Parameters
    ----------
    counts
        Copies per kind of hands before their draw, integers of shape ``(N, 27)`` or
        ``(N, 34)``: 13 tiles, less three for each called meld.
    tiles
        The tile set, as for :func:`mjopt.label`. The answers have as many kinds as ``counts``.
    called
        Melds on the table, the same number for every hand.
    unseen
        Copies of each kind that can still arrive, one row for all hands or one row each; by
        default all copies not held. If given, a hand takes a few microseconds.
    forms, rules
        As for :func:`mjopt.label`. Forms other than those of riichi take the labels of about
        thirty hands each.
    threads
        Number of threads.

    Returns
    -------
    UsefulBatch
        Arrays with one entry per hand.

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
    hands = read_rows(counts, tiles, rules)
    rows, melds = hands.rows, check_called(called, hands.most_called)
    chosen = read_forms(forms, hands.tiles, hands.size, rules=hands.rules)
    size = hands.size - 1 - 3 * melds
    number, width = rows.shape
    found = UsefulBatch(
        deficiency=np.empty(number, np.int8),
        useful=np.zeros((number, width), np.bool_),
        num_copies=np.zeros(number, np.int16),
    )

    def judge(part: Counts, left: Counts | None, here: slice) -> int:
        fault = first_invalid(part, size)
        if fault < 0:
            least, useful = find_useful(part, left, hands.tiles, melds, chosen, num_rows=number)
            found.deficiency[here], found.useful[here] = least, useful
            found.num_copies[here] = count_copies(useful, part, left)
        return fault

    judge_parts(hands, size, "before its draw", judge, melds, unseen, threads)
    return replace(found, useful=hands.widen(found.useful, 0))


def discards_many(
    counts: "ArrayLike",
    *,
    tiles: TileSet | str | None = None,
    called: int = 0,
    unseen: "ArrayLike | None" = None,
    forms: FormsLike = None,
    rules: RuleSet | str | Path | None = None,
    improving: bool = False,
    threads: int = 1,
) -> DiscardBatch:
    """Judge the discards of many hands.

    Parameters
    ----------
    counts
        Copies per kind of hands after their draw, integers of shape ``(N, 27)`` or
        ``(N, 34)``: 14 tiles, less three for each called meld.
    tiles, called, unseen, forms, rules, threads
        As for :func:`mjopt.useful_tiles_many`. A discarded tile never returns.
    improving
        Also look one exchange further, for the discards of least deficiency; takes about a
        millisecond a hand.

    Returns
    -------
    DiscardBatch
        Arrays with one entry per hand and kind.

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
    expect(improving, bool, "improving")
    hands = read_rows(counts, tiles, rules)
    rows, melds = hands.rows, check_called(called, hands.most_called)
    chosen = read_forms(forms, hands.tiles, hands.size, rules=hands.rules)
    size, num_rows = hands.size - 3 * melds, len(rows)
    found = DiscardBatch(
        deficiency=np.empty(rows.shape, np.int8), num_copies=np.empty(rows.shape, np.int16)
    )

    doubtful_parts: list[Places] = []  # a few discards in each part, judged together below

    def judge(part: Counts, left: Counts | None, here: slice) -> int:
        deficiency, copies = found.deficiency[here], found.num_copies[here]
        deficiency.fill(UNREACHABLE)
        copies.fill(-1)
        fault = first_invalid(part, size)
        if fault >= 0:
            return fault
        if left is None:
            judged = judge_discards(
                part, None, templates_of(chosen), hands.tiles, melds, num_rows=num_rows
            )
            deficiency[:] = judged.deficiency
            np.copyto(copies, judged.copies, where=part > 0)
            doubtful_parts.append(here.start * part.shape[1] + judged.doubtful)
        else:
            row, kind = np.nonzero(part)
            answer(part[row], left[row], here.start + row, kind)
        return fault

    def answer(after: Counts, left: Counts, row: Places, kind: Places) -> None:
        after[np.arange(len(row)), kind] -= 1
        found.deficiency[row, kind], useful = find_useful(
            after, left, hands.tiles, melds, chosen, num_rows=num_rows
        )
        found.num_copies[row, kind] = count_copies(useful, after, left)

    judge_parts(hands, size, "after its draw", judge, melds, unseen, threads)
    if any(map(len, doubtful_parts)):
        row, kind = np.divmod(np.concatenate(doubtful_parts), rows.shape[1])
        some = as_bytes(rows[row])
        answer(some, COPIES - some, row, kind)
    improving_copies = None
    if improving:
        look = _improving_few if 0 < num_rows < _FEW_EXCHANGES else _improving_many
        improving_copies = look(hands, melds, chosen, unseen, found, threads)
        improving_copies = hands.widen(improving_copies, 0, axes=2)
    return DiscardBatch(
        deficiency=hands.widen(found.deficiency, UNREACHABLE),
        num_copies=hands.widen(found.num_copies, -1),
        improving=improving_copies,
    )


def _improving_few(
    of: CountRows,
    called: int,
    forms: tuple[WinningForm, ...],
    unseen: ArrayLike | None,
    found: DiscardBatch,
    _threads: int,
) -> NDArray[np.int16]:
    """Return the improving draws of each best discard, hand by hand, without compilation."""
    from mjopt.analysis.discard import discards

    improving_copies = np.zeros((*found.deficiency.shape, found.deficiency.shape[1]), np.int16)
    left = COPIES - of.rows
    if unseen is not None:
        left = np.minimum(left, unseen_rows(of, unseen))
    empty = Hand.from_counts([0] * of.tiles.num_kinds, tiles=of.tiles, called=called, partial=True)
    for place, (held, copies) in enumerate(zip(of.rows.tolist(), left.tolist(), strict=True)):
        hand = empty.with_checked(tuple(held))
        for judged in discards(hand, unseen=copies, forms=forms, improving=True):
            for drawn, _, best in judged.improving or ():
                improving_copies[place, judged.kind, drawn] = best
    return improving_copies


def _improving_many(
    of: CountRows,
    called: int,
    forms: tuple[WinningForm, ...],
    unseen: ArrayLike | None,
    found: DiscardBatch,
    threads: int,
) -> NDArray[np.int16]:
    """Return the most useful copies after each best discard, other draw and second discard."""
    rows = of.rows
    improving_copies = np.zeros((*found.deficiency.shape, rows.shape[1]), np.int16)
    all_left = None if unseen is None else unseen_rows(of, unseen)
    least = found.deficiency.min(axis=1)
    is_best = (found.num_copies >= 0) & (found.deficiency == least[:, None])
    is_best[(least == 0) | (least == UNREACHABLE)] = False
    place, thrown = np.nonzero(is_best)
    for first in range(0, len(place), EXCHANGES):
        at, kind = place[first : first + EXCHANGES], thrown[first : first + EXCHANGES]
        hands = as_bytes(rows[at])
        left = COPIES - hands
        if all_left is not None:
            np.minimum(left, all_left[at], out=left)
        hands[np.arange(len(at)), kind] -= 1
        # Each is tried with thirty draws.
        _, useful = find_useful(hands, left, of.tiles, called, forms, num_rows=30 * len(place))
        which, drawn = np.nonzero((left > 0) & ~useful)
        each = np.arange(len(which))
        after, rest = hands[which], left[which]
        after[each, drawn] += 1
        rest[each, drawn] -= 1
        judged = discards_many(
            after,
            tiles=None if of.rules else of.tiles,
            called=called,
            unseen=rest,
            forms=forms,
            rules=of.rules,
            threads=threads,
        )
        is_as_near = judged.deficiency == least[at[which], None]
        is_as_near[each, drawn] = False  # another tile than the one drawn
        best = np.where(is_as_near, judged.num_copies, 0).max(axis=1, initial=0)
        best[best <= found.num_copies[at, kind][which]] = 0
        improving_copies[at[which], kind[which], drawn] = best
    return improving_copies
