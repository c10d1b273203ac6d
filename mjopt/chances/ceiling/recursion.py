"""One step of the recursion for one hand, in exact fractions and plain Python.

It checks the tables, so it shares no code with them.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache

from mjopt.hands.tiles import COPIES, TileSet

# c_m(h) = min(1, c_{m-1}(h) + sum over x of u_x(h) / (N - t) * max(0, w_{m-1}(h + x) -
# c_{m-1}(h))), docs/reference/ceiling.md. Hands are copies of each kind of the tile set, without
# classes, mirror images or layout, and completeness is decided by taking melds away: a mistake in a
# table is not repeated here.

Counts = tuple[int, ...]
Number = int | Fraction
Values = Callable[[Counts], Number]
"""The ceiling of a hand, by its copies per kind."""


def draw_value(
    hand: Counts, in_wall: int, own: Number, full_values: Values, one: int = 1
) -> Fraction:
    """Return the ceiling of a hand before its draw, with copies per kind.

    ``in_wall`` is the number of tiles in the wall; ``own`` is the ceiling of this hand with one
    draw less, and ``full_values`` those of the hands with a drawn tile. ``one`` is chance 1 in
    their unit.

    Examples
    --------
    >>> from mjopt import M0
    >>> waits_for_its_pair = (1,) + (0,) * 26
    >>> draw_value(waits_for_its_pair, 106, 0, lambda hand: int(is_complete(hand, M0)))
    Fraction(3, 106)
    """
    gains: Number = 0
    for kind in drawn_kinds(hand):
        gain = full_values(changed(hand, kind, 1)) - own
        gains += (COPIES - hand[kind]) * max(0, gain)
    return min(Fraction(one), own + Fraction(gains) / in_wall)


def discard_value(hand: Counts, tiles: TileSet, values: Values, one: int = 1) -> Number:
    """Return the ceiling of a hand with its drawn tile: of the best discard, or 1 if complete.

    The hand is copies per kind; ``values`` are the ceilings of the hands after a discard, with as
    many draws to come, ``one`` is chance 1 in their unit.
    """
    if is_complete(hand, tiles):
        return one
    return max(values(changed(hand, kind, -1)) for kind in held_kinds(hand))


def is_complete(hand: Counts, tiles: TileSet) -> bool:
    """Return whether a hand is melds and one eye.

    Examples
    --------
    >>> from mjopt import M0
    >>> [is_complete((2, 2, 2) + (0,) * 21 + last, M0) for last in ((2, 0, 0), (1, 1, 0))]
    [True, False]
    """
    suits = [
        (hand[part], suit.has_chows) for part, suit in zip(tiles.slices, tiles.suits, strict=True)
    ]
    others = [suit for suit in suits if not _is_melds(*suit)]
    return len(others) == 1 and _has_eye_and_melds(*others[0])


@cache
def _has_eye_and_melds(copies: Counts, has_chows: bool) -> bool:
    return any(
        held >= 2 and _is_melds(changed(copies, rank, -2), has_chows)
        for rank, held in enumerate(copies)
    )


@cache
def _is_melds(copies: Counts, has_chows: bool) -> bool:
    """Return whether a suit is melds only, or nothing: the first tile is in a pong or a chow."""
    first = next((rank for rank, held in enumerate(copies) if held), None)
    if first is None:
        return True
    if copies[first] >= 3 and _is_melds(changed(copies, first, -3), has_chows):
        return True
    if not has_chows or not all((*copies, 0, 0)[first : first + 3]):
        return False
    return _is_melds(
        tuple(held - (first <= rank < first + 3) for rank, held in enumerate(copies)), has_chows
    )


def hands_after(hand: Counts) -> Iterator[Counts]:
    """Yield every hand that one draw and one discard can lead to, some twice."""
    for drawn in drawn_kinds(hand):
        full = changed(hand, drawn, 1)
        for kind in held_kinds(full):
            yield changed(full, kind, -1)


def drawn_kinds(hand: Sequence[int]) -> list[int]:
    """Return the kinds that a hand can draw."""
    return [kind for kind, held in enumerate(hand) if held < COPIES]


def held_kinds(hand: Sequence[int]) -> list[int]:
    """Return the kinds of a hand."""
    return [kind for kind, held in enumerate(hand) if held]


def changed(hand: Counts, kind: int, copies: int) -> Counts:
    """Return a hand with more or fewer copies of a kind."""
    return (*hand[:kind], hand[kind] + copies, *hand[kind + 1 :])
