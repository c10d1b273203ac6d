"""Optimal play by brute force over hand and wall, independent of the search."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache

from mjopt.tables.lookup import label_one

Counts = tuple[int, ...]


@cache
def is_complete(hand: Counts, eye: bool = False) -> bool:
    """Return whether tiles of one suit are melds, with one eye if ``eye``."""
    if not any(hand):
        return eye
    kind = next(kind for kind, held in enumerate(hand) if held)
    ways = [(2,)] if not eye else []
    ways += [(3,), (1, 1, 1)]
    for way in ways:
        after = list(hand)
        if kind + len(way) > len(hand):
            continue
        for step, copies in enumerate(way):
            after[kind + step] -= copies
        if min(after) >= 0 and is_complete(tuple(after), eye or way == (2,)):
            return True
    return False


def changed(counts: Counts, kind: int, by: int) -> Counts:
    """Return counts with one kind changed."""
    return (*counts[:kind], counts[kind] + by, *counts[kind + 1 :])


def best_play(first: Counts, waste: int | None = None) -> Callable[[Counts, Counts, int], Fraction]:
    """Return a function: the value of a waiting hand, a wall and a number of draws.

    Parameters
    ----------
    first
        The hand that defines the class.
    waste
        The width of the class; None for all hands.
    """

    def misses(hand: Counts) -> int:
        """Return the deficiency over all kinds of M0, as in the definition of the class."""
        return label_one([*hand, *[0] * (27 - len(hand))], (14 - sum(hand)) // 3)

    most = None if waste is None else misses(first) + waste

    @cache
    def is_in(hand: Counts) -> bool:
        new = sum(max(0, held - had) for held, had in zip(hand, first, strict=True))
        return most is None or new + misses(hand) <= most

    @cache
    def value(hand: Counts, wall: Counts, draws: int) -> Fraction:
        if not draws or not is_in(hand):
            return Fraction(0)
        total = Fraction(0)
        for kind, copies in enumerate(wall):
            if not copies:
                continue
            full, rest = changed(hand, kind, 1), changed(wall, kind, -1)
            if is_complete(full):
                total += copies
                continue
            total += copies * max(
                value(after, rest, draws - 1)
                for after in (changed(full, out, -1) for out, held in enumerate(full) if held)
            )
        return total / sum(wall)

    return value
