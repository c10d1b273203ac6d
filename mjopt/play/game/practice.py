"""Practice alone: throw a tile, draw one, until the hand wins or the draws are used up."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mjopt.chances.advice.position import Position
from mjopt.errors import GameError
from mjopt.hands.hand import Hand
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.tables.lookup import label_one


@dataclass(frozen=True, slots=True)
class Decision:
    """A full hand before a discard."""

    hand: Hand
    drawn: int | None  # the kind drawn last; None for a hand that was given in full
    wall: tuple[int, ...]  # copies of each kind
    draws: int  # draws to come
    barred: tuple[int, ...] = ()  # kinds that must not be thrown, right after a call

    def position(self, forms: tuple[WinningForm, ...]) -> Position:
        """Return the position, without kongs."""
        return Position(
            hand=self.hand,
            wall=self.wall,
            draws=self.draws,
            forms=forms,
            calls=(),
            barred=self.barred,
        )

    @property
    def kept(self) -> tuple[int, ...]:
        """Concealed copies per kind without the tile drawn last."""
        return self.hand.counts if self.drawn is None else self.after(self.drawn).counts

    def after(self, kind: int) -> Hand:
        """Return the hand after a discard."""
        return self.hand.with_one(kind, -1)


@dataclass(frozen=True, slots=True)
class Practice:
    """The decisions so far, and the kinds thrown at them; the last one is open or a win."""

    decisions: tuple[Decision, ...]
    thrown: tuple[int, ...]
    has_won: bool

    @property
    def is_over(self) -> bool:
        """Whether the hand has won, or the last draw was thrown."""
        return self.has_won or len(self.thrown) == len(self.decisions)


def deal(tiles: TileSet, *, rng: np.random.Generator) -> Hand:
    """Return a random hand after its draw."""
    wall = rng.permutation(np.arange(tiles.num_tiles) // COPIES)
    counts = np.bincount(wall[:14], minlength=tiles.num_kinds)
    return Hand.from_counts(counts.tolist(), tiles=tiles)


def practise(
    hand: Hand,
    thrown: Sequence[int],
    *,
    wall: tuple[int, ...],
    draws: int,
    forms: tuple[WinningForm, ...],
    barred: tuple[int, ...] = (),
    rng: np.random.Generator,
) -> Practice:
    """Play a hand alone from a shuffled wall, as far as the throws are given.

    ``thrown`` lists the kinds to throw, one after another; a first hand before its draw draws a
    tile first. ``barred`` are kinds that must not be thrown first, from a hand that has just
    called. GameError if a tile is not in the hand, must not be thrown, or is thrown after the end.

    Examples
    --------
    >>> from mjopt.hands.rules.read_forms import check_forms
    >>> hand = Hand.parse("1112345678999m1p")
    >>> how = {"wall": hand.unseen, "draws": 18, "forms": check_forms("standard", hand.tiles)}
    >>> practice = practise(hand, [9], **how, rng=np.random.default_rng(8))
    >>> [decision.draws for decision in practice.decisions], practice.has_won
    ([18, 17], True)
    """
    order = rng.permutation(np.repeat(np.arange(len(wall)), wall))[:draws].tolist()
    left, moves, decisions = list(wall), list(thrown), list[Decision]()
    drawn, has_won = None, False
    while True:
        if decisions or not hand.is_full:
            if not order:
                break
            drawn = order.pop(0)
            hand = hand.with_one(drawn, 1)
            left[drawn] -= 1
        now = Decision(hand, drawn, tuple(left), len(order), () if decisions else barred)
        decisions.append(now)
        lacks = label_one(hand.counts, hand.called, forms=forms, tiles=hand.tiles)
        has_won = drawn is not None and not lacks
        if has_won or not moves:
            break
        kind = moves.pop(0)
        if not hand.counts[kind]:
            raise GameError(f"{hand.tiles.names[kind]} is not in the hand")
        if kind in now.barred:
            raise GameError(f"{hand.tiles.names[kind]} must not be thrown right after the call")
        hand = hand.with_one(kind, -1)
    if moves:
        raise GameError(f"{hand.tiles.names[moves[0]]} after the end")
    return Practice(tuple(decisions), tuple(thrown), has_won)
