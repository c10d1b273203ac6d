"""Ceilings and the best play alone, in plain Python: the references for ceiling tables."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import perm
from typing import Any

from mjopt import TileSet
from mjopt._internal.progress import NoProgress
from mjopt.chances.ceiling.layout import Layout, make_layout
from mjopt.chances.ceiling.recursion import (
    Counts,
    changed,
    discard_value,
    draw_value,
    drawn_kinds,
    held_kinds,
    is_complete,
)
from mjopt.chances.ceiling.sweeps import TableFields, sweeping
from mjopt.hands.tiles import Suit

NINE = tuple(range(1, 10))
ONE_SUIT = TileSet("one suit", (Suit("m", "characters", NINE),))
TWO_SUITS = TileSet("two suits", (Suit("m", "characters", NINE), Suit("p", "dots", NINE)))


@dataclass(frozen=True)
class Small:
    """A question about any tile set."""

    tile_set: TileSet
    size: int
    draws: int

    @property
    def wall_size(self) -> int:
        return self.tile_set.num_tiles - self.size - 1


def built_layers(question: TableFields) -> tuple[Layout, list[list[int]]]:
    """Return the values after 0, 1, ... draws as the kernels compute them."""
    with sweeping(question, 1, NoProgress()) as sweeps:
        layers = [sweeps.held.tolist()]
        sweeps.run(observe=lambda _draws, _full, held: layers.append(held.tolist()))
    return make_layout(question.tile_set, question.size), layers


def suit_slices(tiles: TileSet) -> list[slice]:
    return [part for part, suit in zip(tiles.slices, tiles.suits, strict=True) if suit.has_chows]


@cache
def canonical(hand: Counts, tiles: TileSet) -> Counts:
    """Return the same hand for all orders of suits, mirror images and orders of honours."""
    suits = [hand[part] for part in suit_slices(tiles)]
    honours = sorted(hand[len(suits) * 9 :])
    return (
        *(n for suit in sorted(min(suit, suit[::-1]) for suit in suits) for n in suit),
        *honours,
    )


def canonical_hands(tiles: TileSet, size: int) -> set[Counts]:
    """Return a representative of all hands of one size."""
    if not size:
        return {(0,) * tiles.num_kinds}
    return {
        canonical(changed(hand, kind, 1), tiles)
        for hand in canonical_hands(tiles, size - 1)
        for kind in drawn_kinds(hand)
    }


def exact_layers(question: TableFields) -> Iterator[dict[Counts, Fraction]]:
    """Yield the ceilings of all hands after 0, 1, ... draws, with no rounding.

    Values are integers: a multiple of the product of the sizes of the wall.
    """
    tiles = question.tile_set
    values: dict[Counts, int] = dict.fromkeys(canonical_hands(tiles, question.size), 0)
    full_hands, one = canonical_hands(tiles, question.size + 1), 1

    def before(hand: Counts) -> int:
        return values[canonical(hand, tiles)]

    yield dict.fromkeys(values, Fraction(0))
    for draws in range(1, question.draws + 1):
        best = {hand: discard_value(hand, tiles, before, one) for hand in full_hands}
        in_wall = question.wall_size - (question.draws - draws)

        def full_value(hand: Counts, best: dict[Counts, Any] = best) -> Any:
            return best[canonical(hand, tiles)]

        values = {
            hand: int(in_wall * draw_value(hand, in_wall, own, full_value, one))
            for hand, own in values.items()
        }
        one *= in_wall
        yield {hand: Fraction(value, one) for hand, value in values.items()}


def best_play(tiles: TileSet) -> Callable[[Counts, Counts, int], Fraction]:
    """Return the chance to win with best play by hand after a discard, wall and draws."""

    @cache
    def orders(hand: Counts, wall: Counts, draws: int) -> int:
        """Count the orders of the next draws that win."""
        if not draws:
            return 0
        others = sum(wall) - 1
        total = 0
        for drawn in held_kinds(wall):
            full = changed(hand, drawn, 1)
            if is_complete(full, tiles):
                total += wall[drawn] * perm(others, draws - 1)
                continue
            rest = changed(wall, drawn, -1)
            total += wall[drawn] * max(
                orders(changed(full, kind, -1), rest, draws - 1) for kind in held_kinds(full)
            )
        return total

    return lambda hand, wall, draws: Fraction(orders(hand, wall, draws), perm(sum(wall), draws))
