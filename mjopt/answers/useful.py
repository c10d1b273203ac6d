"""Useful tiles: those whose arrival brings the win one tile nearer."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from mjopt.answers.nearest import nearest
from mjopt.errors import HandError
from mjopt.hands.forms import STANDARD, UNREACHABLE, capped_unseen, check_forms, missing_tiles
from mjopt.hands.hand import Hand


@dataclass(frozen=True, slots=True, kw_only=True)
class UsefulTiles:
    """The tiles that help a hand, and how many of them are left.

    Parameters
    ----------
    hand
        A hand before its draw.
    deficiency
        Tile changes with the tiles that can still arrive.
    shape
        Tile changes if all copies not held could arrive: less than ``deficiency``
        if what the hand waits for is gone.
    copies
        Useful kinds and copies unseen, by kind.
    """

    hand: Hand
    deficiency: int
    shape: int
    copies: tuple[tuple[int, int], ...]

    @property
    def kinds(self) -> tuple[int, ...]:
        """The useful kinds."""
        return tuple(kind for kind, _ in self.copies)

    @property
    def num_copies(self) -> int:
        """How many useful tiles are unseen."""
        return sum(copies for _, copies in self.copies)

    @property
    def is_dead_wait(self) -> bool:
        """Whether the hand is ready in shape, but nothing it waits for is left."""
        return self.shape == 1 and self.deficiency > 1

    @property
    def words(self) -> str:
        """The state of the hand in words."""
        if self.deficiency == UNREACHABLE:
            return "cannot win with the tiles that are left"
        if self.is_dead_wait:
            return f"ready in shape, but nothing it waits for is left: {self.deficiency} changes"
        if self.deficiency == 0:
            return "complete"
        return "ready" if self.deficiency == 1 else f"{self.deficiency} changes"


def useful_of(
    hands: Sequence[Hand],
    unseen: Sequence[tuple[int, ...]],
    forms: tuple[str, ...] = (STANDARD,),
) -> list[UsefulTiles]:
    """Find the useful tiles of many hands with the same table.

    A tile of the standard form is useful exactly if some nearest complete hand
    draws it. For several forms it must lower the least over them.

    Parameters
    ----------
    hands
        Hands of one tile set with as many called melds.
    unseen
        Copies of each kind that can still arrive, for each hand.
    forms
        The winning forms.
    """
    if not hands:
        return []
    tiles, called = hands[0].tiles, hands[0].called
    held = np.array([hand.counts for hand in hands], dtype=np.uint8)
    left = np.array(unseen, dtype=np.uint8)
    found = nearest(held, left, tiles, called)
    shape = nearest(held, np.array([hand.unseen for hand in hands], dtype=np.uint8), tiles, called)
    others = [form for form in forms if form != STANDARD]
    results = []
    for i, hand in enumerate(hands):
        standard = int(found.deficiency[i]) if STANDARD in forms else UNREACHABLE
        best = min([standard, *(_missing(form, hand, unseen[i]) for form in others)])
        best_shape = min(
            [
                int(shape.deficiency[i]) if STANDARD in forms else UNREACHABLE,
                *(_missing(form, hand, hand.unseen) for form in others),
            ]
        )
        helps: set[int] = set()
        if standard == best < UNREACHABLE:
            helps = {int(kind) for kind in np.flatnonzero(found.drawn[i])}
        for form in others:
            helps |= _helpful(form, hand, unseen[i], best)
        results.append(
            UsefulTiles(
                hand=hand,
                deficiency=best,
                shape=best_shape,
                copies=tuple((kind, unseen[i][kind]) for kind in sorted(helps)),
            )
        )
    return results


def _missing(form: str, hand: Hand, unseen: tuple[int, ...]) -> int:
    missing = missing_tiles(form, hand, unseen)
    return UNREACHABLE if missing is None else sum(missing)


def _helpful(form: str, hand: Hand, unseen: tuple[int, ...], best: int) -> set[int]:
    """Return the kinds whose arrival brings this form below the best."""
    if best in (0, UNREACHABLE):
        return set()
    helpful = set()
    for kind, copies in enumerate(unseen):
        if copies:
            counts = [c + (k == kind) for k, c in enumerate(hand.counts)]
            left = tuple(c - (k == kind) for k, c in enumerate(unseen))
            if _missing(form, hand.with_counts(counts), left) < best:
                helpful.add(kind)
    return helpful


def useful_tiles(
    hand: Hand, *, unseen: Iterable[int] | None = None, forms: Iterable[str] = (STANDARD,)
) -> UsefulTiles:
    """Return the tiles whose arrival lowers the deficiency, with the copies unseen.

    Parameters
    ----------
    hand
        A hand before its draw (13 tiles, less three for each called meld).
    unseen
        Copies of each kind that can still arrive; by default all not held or shown.
    forms
        The winning forms.

    Raises
    ------
    HandError
        If the hand has drawn already: ask :func:`discards` then.

    Examples
    --------
    >>> tiles = useful_tiles(Hand.parse("1112345678999m"))
    >>> tiles.num_copies, tiles.words
    (23, 'ready')
    """
    if hand.is_full:
        raise HandError(f"{hand.num_tiles} tiles, expected a hand before its draw; see discards")
    cap = capped_unseen(hand, unseen)
    return useful_of([hand], [cap], check_forms(forms, hand.tiles))[0]
