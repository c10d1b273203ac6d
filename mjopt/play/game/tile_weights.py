"""The tile weights of GMJBG's agents.

The source is the report on The Genius of Mahjong Boys and Girls (Tamkang University, 2017),
sections 3.3 and 3.4. It does not specify how many chows are locked and how a call is judged;
a :class:`WeightVariant` makes both choices.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mjopt.errors import GameError
from mjopt.play.game.moves import PASS, Action, Move, after_call, with_copies
from mjopt.play.game.rules import HAND_SIZE

Counts = Sequence[int]
NO_LOCK: Final = (0,) * 34
RANKS: Final = 9
FIRST_HONOUR: Final = 27

ORPHAN_TOTAL: Final = 6
"""Maximum total weight of a fourteen-tile hand that aims at thirteen orphans.

A hand one tile away, with its pair and one other tile of weight 2, weighs 6.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightVariant:
    """The choices that the source does not specify."""

    # Maximum number of chows locked at the same time: the lowest, then the lowest of the other
    # tiles. The printed code locks one.
    locked_chows: int = 1
    # How a chow or pong is judged. False: by the total weight of the hand without the meld. True:
    # by the total weight of the hand with the called tile added, which decreases if this completes
    # a chow.
    counts_called_tile: bool = False


DEFAULT: Final = WeightVariant()
"""The literal reading: one locked chow; calls are judged by the remaining concealed tiles."""

VARIANTS: Final[dict[str, WeightVariant]] = {
    "default": DEFAULT,
    "nearest": WeightVariant(locked_chows=2, counts_called_tile=True),
}
"""Variants by name: the literal reading, and the closest to the published percentages."""


def basic_weight(kind: int) -> int:
    """Return the basic weight of a kind: honours, ones and nines 0; twos and eights 1; else 2.

    Examples
    --------
    >>> [basic_weight(kind) for kind in (0, 1, 2, 7, 8, 9, 27)]
    [0, 1, 2, 1, 0, 0, 0]
    """
    if kind >= FIRST_HONOUR:
        return 0
    rank = kind % RANKS
    return min(rank, RANKS - 1 - rank, 2)


def _neighbours(kind: int) -> tuple[tuple[int, int], ...]:
    """Return the kinds up to two ranks away in the same suit, with the weight each adds."""
    if kind >= FIRST_HONOUR:
        return ()
    steps = ((-2, 1), (-1, 2), (1, 2), (2, 1))
    return tuple((kind + step, add) for step, add in steps if 0 <= kind % RANKS + step < RANKS)


_BASIC: Final = tuple(map(basic_weight, range(34)))
_NEIGHBOURS: Final = tuple(map(_neighbours, range(34)))


def locked_copies(counts: Counts, variant: WeightVariant = DEFAULT) -> tuple[int, ...]:
    """Return the number of locked copies of each kind, shape as ``counts``.

    Examples
    --------
    >>> locked_copies([1, 1, 2, 1, 1, 0, 0, 0, 0] + [0] * 18)[:5]
    (1, 1, 1, 0, 0)
    >>> locked_copies([1, 1, 2, 1, 1, 0, 0, 0, 0] + [0] * 18, VARIANTS["nearest"])[:5]
    (1, 1, 2, 1, 1)
    """
    free = list(counts)
    chows_left = variant.locked_chows
    for start in range(0, FIRST_HONOUR, RANKS):
        for first in range(start, start + RANKS - 2):
            while chows_left and min(free[first : first + 3]) > 0:
                chows_left -= 1
                for kind in range(first, first + 3):
                    free[kind] -= 1
    return tuple(c - f for c, f in zip(counts, free, strict=True))


def tile_weights(counts: Counts, locked: Counts = NO_LOCK) -> tuple[tuple[int, int, int], ...]:
    """Return kind, copies and weight of every tile that is not locked, in order of kind.

    The weight is the basic weight plus additions from the rest of the hand: 1 for each of the two
    kinds two ranks away, 2 for each of the two adjacent kinds, regardless of their number of
    copies; 2 if the hand has two copies of the tile, 4 if three or four. Locked tiles count as
    absent. ``counts`` are concealed copies per kind, shape ``(27,)`` or ``(34,)``; ``locked`` has
    at least as many kinds.

    Examples
    --------
    >>> hand = [2, 0, 1, 0, 0, 0, 0, 0, 1] + [0] * 9 + [0] * 9 + [3] + [0] * 6
    >>> tile_weights(hand)
    ((0, 2, 3), (2, 1, 3), (8, 1, 0), (27, 3, 4))
    """
    free = [c - lock for c, lock in zip(counts, locked, strict=False)]
    return tuple(
        (kind, copies, _BASIC[kind] + _addition(kind, free))
        for kind, copies in enumerate(free)
        if copies
    )


def _addition(kind: int, free: Counts) -> int:
    addition = (0, 0, 2, 4, 4)[free[kind]]
    for neighbour, weight in _NEIGHBOURS[kind]:
        if free[neighbour]:
            addition += weight
    return addition


def total_weight(counts: Counts, locked: Counts = NO_LOCK) -> int:
    """Return the total weight of the tiles that are not locked.

    Examples
    --------
    >>> orphans = [1, 0, 0, 0, 0, 0, 0, 0, 1] * 3 + [1] * 6 + [2]
    >>> total_weight(orphans)
    4
    """
    return sum(copies * weight for _, copies, weight in tile_weights(counts, locked))


def choose_discard(counts: Counts, *, locking: bool, variant: WeightVariant = DEFAULT) -> int:
    """Return the kind that GMJBG discards: the first tile of minimum weight.

    A hand near thirteen orphans (total weight at most :data:`ORPHAN_TOTAL`) discards the first tile
    of maximum weight instead. ``counts`` has shape ``(27,)`` or ``(34,)``; ``locking`` locks
    complete chows (L2 and L3). GameError if every tile is locked.

    Examples
    --------
    >>> from mjopt import FULL, Hand
    >>> hand = Hand.parse("123m4455p678s1135z", tiles=FULL)
    >>> FULL.names[choose_discard(hand.counts, locking=False)]
    '3z'
    >>> hand = Hand.parse("123m44556p678s557z", tiles=FULL)
    >>> FULL.names[choose_discard(hand.counts, locking=False)]
    '7z'
    """
    weights = tile_weights(counts)
    if sum(counts) == HAND_SIZE + 1:
        total = sum(copies * weight for _, copies, weight in weights)
        if total <= ORPHAN_TOTAL:
            return max(weights, key=lambda tile: (tile[2], -tile[0]))[0]
    if locking:
        weights = tile_weights(counts, locked_copies(counts, variant))
    if not weights:
        raise GameError("every tile is locked: none can be discarded")
    return min(weights, key=lambda tile: (tile[2], tile[0]))[0]


def call_totals(
    counts: Counts, move: Move, tile: int, *, variant: WeightVariant = DEFAULT
) -> tuple[int, int]:
    """Return the total weights before and after a chow or pong, which decide about it.

    ``counts`` are the concealed copies per kind before the call, ``tile`` is the tile on offer.

    Examples
    --------
    >>> from mjopt import FULL, Hand
    >>> held = Hand.parse("345m1199p159s1122z", tiles=FULL, partial=True).counts
    >>> call_totals(held, Move(Action.PONG, 9), 9)
    (18, 14)
    """
    if variant.counts_called_tile:
        after = with_copies(counts, tile, 1)
    else:
        after = after_call(counts, move, tile)
    totals = [total_weight(c, locked_copies(c, variant)) for c in (counts, after)]
    return totals[0], totals[1]


def _lowers_total(counts: Counts, move: Move, tile: int, variant: WeightVariant) -> bool:
    before, after = call_totals(counts, move, tile, variant=variant)
    return after < before


def choose_call(
    counts: Counts, moves: Sequence[Move], tile: int, *, variant: WeightVariant = DEFAULT
) -> Move:
    """Return the first pong, else the lowest chow, that reduces the total weight; else a pass.

    Arguments are as for :func:`call_totals`; wins and kongs among the moves are ignored.
    """
    for action in (Action.PONG, Action.CHOW):
        calls = [
            move
            for move in moves
            if move.action is action and _lowers_total(counts, move, tile, variant)
        ]
        if calls:
            return min(calls)
    return PASS
