"""Evaluate discards by single look-ups: the reference for the kernel."""

from collections.abc import Sequence

from mjopt.hands.rules.classic_forms import UNREACHABLE
from mjopt.hands.tiles import TileSet
from mjopt.tables.lookup import label_one


def judge(
    hand: Sequence[int],
    unseen: Sequence[int],
    *,
    called: int,
    forms: tuple[str, ...],
    tiles: TileSet | None = None,
) -> dict[int, tuple[int, int]]:
    """Return the deficiency after each possible discard, and the unseen copies that lower it."""
    found = {}
    for kind, held in enumerate(hand):
        if held:
            left = [copies - (k == kind) for k, copies in enumerate(hand)]
            value = label_one(left, called, forms=forms, tiles=tiles, partial=True)
            assert value != UNREACHABLE
            useful = 0
            for k, copies in enumerate(unseen):
                if copies and left[k] < 4:
                    more = [held + (j == k) for j, held in enumerate(left)]
                    if label_one(more, called, forms=forms, tiles=tiles, partial=True) < value:
                        useful += copies
            found[kind] = (value, useful)
    return found
