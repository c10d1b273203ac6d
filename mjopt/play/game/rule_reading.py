"""Which tiles may complete a hand at the table: the same for every rule set and every caller.

A hand can draw the copies of the game that are neither in it nor in its own melds nor just
discarded by it: never a fifth copy. Tiles seen elsewhere (discards and melds of other seats,
indicators) never raise the deficiency; they reduce the number of useful copies alone. Three
players have the tiles of ``SANMA``.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt.analysis.deficiency import deficiency
from mjopt.analysis.useful_tiles import helpful_copies
from mjopt.hands.hand import Hand
from mjopt.hands.rules.read_forms import check_forms
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import COPIES, TileSet, from_full
from mjopt.play.game.events import KIND_OF, Meld
from mjopt.play.game.moves import Action
from mjopt.play.game.observation import View
from mjopt.play.game.rules import GameRules
from mjopt.tables.lookup import label_one
from mjopt.tables.useful import judge_discards, judge_waits

FEW: Final = 64
"""Plain Python answers fewer hands in less time than kernels take to load."""

Counts = NDArray[np.uint8]
Judged = tuple[NDArray[np.int8], NDArray[np.int16]]


def copies_in(melds: Sequence[Meld], tiles: TileSet) -> tuple[int, ...]:
    """Return the copies of each kind in melds, norths set aside included."""
    copies = [0] * tiles.num_kinds
    for meld in melds:
        for tile in meld.tiles:
            copies[KIND_OF[tile]] += 1
    return tuple(copies)


def away_with_melds(
    counts: Sequence[int],
    melds: Sequence[Meld],
    rules: GameRules,
    *,
    tiles: TileSet | None = None,
    in_game: Sequence[int] | None = None,
) -> int:
    """Return the deficiency of the hand of a seat: its concealed copies per kind, and its melds.

    All numbers of kinds are those of the tile set of the rules. ``tiles`` are the tiles that a hand
    can hold, if these are fewer; ``in_game`` are the copies of each kind in the game, by default
    four.
    """
    tiles, laid = tiles or rules.tiles, copies_in(melds, rules.tiles)
    every = (COPIES,) * rules.tiles.num_kinds if in_game is None else in_game
    left = [n - held - gone for n, held, gone in zip(every, counts, laid, strict=True)]
    drawable = [max(copies, 0) for copies in left]
    if tiles != rules.tiles:
        counts, drawable = (from_full(each, tiles) for each in (counts, drawable))
    called = sum(meld.action is not Action.NORTH for meld in melds)
    return away_at_table(tuple(counts), tuple(drawable), called, rules.forms, tiles)


@lru_cache(maxsize=256)
def away_at_table(
    counts: tuple[int, ...],
    drawable: tuple[int, ...],
    called: int,
    forms: tuple[WinningForm, ...],
    tiles: TileSet,
) -> int:
    """Return the deficiency of one hand with ``called`` melds, of concealed copies per kind.

    ``drawable`` are the copies of each kind that the hand can draw.

    Examples
    --------
    >>> from mjopt.hands.tiles import FULL
    >>> from mjopt.hands.rules.read_forms import check_forms
    >>> hand = Hand.parse("13m456p789s11z", called=1, tiles=FULL)
    >>> kong = [4 - copies for copies in hand.counts]
    >>> kong[1] = 0  # 2222m
    >>> standard = check_forms("standard", FULL)
    >>> away_at_table(hand.counts, hand.unseen, 1, standard, FULL)
    1
    >>> away_at_table(hand.counts, tuple(kong), 1, standard, FULL)
    2
    """
    is_free = all(held + left == COPIES for held, left in zip(counts, drawable, strict=True))
    if is_free and tiles.is_built_in:
        return label_one(counts, called, forms=forms, tiles=tiles)
    hand = Hand.from_counts(counts, tiles=tiles, called=called)
    return deficiency(hand, forms=forms, unseen=drawable)


def drawable_of(view: View) -> tuple[int, ...]:
    """Return the copies of each kind that the hand of a seat can draw."""
    laid = copies_in(view.melds, view.tiles)
    return tuple(COPIES - held - gone for held, gone in zip(view.hand, laid, strict=True))


def judge_at(
    view: View,
    held: Sequence[int],
    called: int,
    drawable: Sequence[int],
    *,
    is_discard: bool,
) -> tuple[list[int], list[int]]:
    """Return the deficiency and the useful copies of one hand, or of each discard of it.

    The view gives the rules and the unseen copies; the other arguments are as for
    :func:`judge_hands`.
    """
    rows = (np.array([row], np.uint8) for row in (held, drawable, view.unseen))
    away, useful = judge_hands(
        *rows,
        called=np.array([called], np.int8),
        forms=view.rules.forms,
        tiles=view.tiles,
        is_discard=is_discard,
    )
    return away[0].tolist(), useful[0].tolist()


def judge_hands(
    held: Counts,
    drawable: Counts,
    unseen: Counts,
    *,
    called: NDArray[np.int8],
    forms: tuple[WinningForm, ...],
    tiles: TileSet,
    is_discard: bool,
) -> Judged:
    """Return the deficiency and the useful copies of hands, or of each discard of hands.

    Arguments of shape ``(N, K)``: ``held``, the concealed copies per kind; ``drawable``, the copies
    of each kind that the hand can draw; ``unseen``, those that the seat cannot see. ``called`` is
    the number of melds of each hand. Both results have shape ``(N, K)`` if the hands are after
    their draw (``is_discard``), else ``(N, 1)``; the deficiency of kinds that are not held is 127,
    useful copies count tiles.
    """
    forms = check_forms(forms, tiles)  # those of a table may be of more tiles
    judge = judge_discards if is_discard else judge_waits
    away, copies = judge(held, unseen, called=called, forms=forms, tiles=tiles)
    away, copies = away.reshape(len(held), -1), copies.reshape(len(held), -1)
    is_limited = (held + drawable < COPIES).any(axis=1)
    if is_discard:  # a nearest hand may need the discarded tile only if four of a kind are held
        is_limited |= (held == COPIES).any(axis=1)
    for number in np.unique(called[is_limited]).tolist():
        rows = np.flatnonzero(is_limited & (called == number))
        at, kind = np.nonzero(held[rows]) if is_discard else (np.arange(len(rows)), 0)
        rows, after = rows[at], held[rows[at]]
        if is_discard:
            after[np.arange(len(rows)), kind] -= 1
        least, useful = _find(after, drawable[rows], number, forms, tiles)
        away[rows, kind] = least
        copies[rows, kind] = (useful * unseen[rows]).sum(axis=1)
    return away, copies


def _find(
    hands: Counts, drawable: Counts, called: int, forms: tuple[WinningForm, ...], tiles: TileSet
) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
    """Return deficiency and useful kinds of hands before their draw."""
    if len(hands) >= FEW:
        from mjopt.analysis.useful_rows import find_useful  # loads kernels

        return find_useful(hands, drawable, tiles, called, forms)
    empty = Hand.from_counts([0] * tiles.num_kinds, tiles=tiles, called=called, partial=True)
    some = [empty.with_checked(tuple(hand)) for hand in hands.tolist()]
    answers = helpful_copies(some, list(map(tuple, drawable.tolist())), forms)
    least, useful = np.empty(len(hands), np.int8), np.zeros(hands.shape, np.bool_)
    for row, (value, pairs) in enumerate(answers):
        least[row], useful[row, [kind for kind, _ in pairs]] = value, True
    return least, useful
