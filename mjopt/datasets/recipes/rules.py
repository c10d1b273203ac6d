"""Rules that hands are drawn under."""

from collections.abc import Callable
from typing import Any

from mjopt.datasets.recipes.ways import Rule
from mjopt.errors import RecipeError
from mjopt.hands.tiles import COPIES, TileSet

Rules = tuple[Any, Rule, Callable[[Any], bool]]


def any_hand(num_tiles: int) -> Rules:
    """Return the rule of all hands of so many tiles; the state is how many are left."""

    def step(_: int, left: int, held: int) -> int | None:
        return left - held if held <= left else None

    return num_tiles, step, lambda left: left == 0


def with_kongs(num_tiles: int, least: int) -> Rules:
    """Return the rule of hands that hold at least so many kinds four times.

    The state is the tiles left and the kongs still to come.
    """
    if not 0 <= least <= num_tiles // COPIES:
        raise RecipeError(f"{least} kongs, expected 0..{num_tiles // COPIES} in {num_tiles} tiles")

    def step(_: int, state: tuple[int, int], held: int) -> tuple[int, int] | None:
        left, wanted = state
        if held > left:
            return None
        return left - held, max(0, wanted - (held == COPIES))

    return (num_tiles, least), step, lambda state: state == (0, 0)


def with_types(tiles: TileSet, num_tiles: int, num_types: int) -> Rules:
    """Return the rule of hands with tiles of exactly so many suits.

    The state is the tiles left, the suits still to come, and whether this suit is held.
    """
    if not 1 <= num_types <= len(tiles.suits):
        raise RecipeError(f"{num_types} types, expected 1..{len(tiles.suits)} in {tiles.name}")
    first = {part.start for part in tiles.slices}

    def step(kind: int, state: tuple[int, int, bool], held: int) -> tuple[int, int, bool] | None:
        left, wanted, is_held = state
        if kind in first:
            is_held = False
        if held and not is_held:
            wanted, is_held = wanted - 1, True
        return None if held > left or wanted < 0 else (left - held, wanted, is_held)

    return (num_tiles, num_types, False), step, lambda state: state[:2] == (0, 0)
