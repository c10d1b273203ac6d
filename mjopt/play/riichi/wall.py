"""Walls of riichi: those of this package with red fives, and in the order of the engine."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from mjopt._internal.validation import whole
from mjopt.errors import GameError
from mjopt.hands.tiles import COPIES, FULL, as_list
from mjopt.play.game.events import KIND_OF, RED, RED_OF
from mjopt.play.game.rules import DEALT, HAND_SIZE, NUM_SEATS, SEATS
from mjopt.play.game.wall import agent_stream, shuffle_wall

if TYPE_CHECKING:
    from jansou.core.tiles import Tile

DEAD_WALL: Final = 14
_BY_TURNS: Final = (4, 4, 4, 1)  # tiles that the engine deals to each seat at a time


def riichi_wall(seed: int, game: int) -> tuple[int, ...]:
    """Return the wall of a game with one red five of each suit.

    The kinds are those of :func:`mjopt.play.game.shuffle_wall`. Which of the four copies of a
    five is red comes from a random stream of its own, so that no position is preferred.

    Parameters
    ----------
    seed, game
        As for :func:`mjopt.play.game.shuffle_wall`.

    Returns
    -------
    tuple of int
        Tiles ``0..36``, red fives last, of length 136, in the order of ``shuffle_wall``.

    Examples
    --------
    >>> wall = riichi_wall(1, 0)
    >>> len(wall), sorted(wall)[-3:], tuple(KIND_OF[t] for t in wall) == shuffle_wall(1, 0, FULL)
    (136, [34, 35, 36], True)
    """
    wall = list(shuffle_wall(seed, game, FULL))
    rng = agent_stream(seed, game, NUM_SEATS)  # after the streams of the four seats
    for kind, red in RED_OF.items():
        places = [place for place, tile in enumerate(wall) if tile == kind]
        wall[places[int(rng.integers(COPIES))]] = red
    return tuple(wall)


def check_riichi_wall(wall: Iterable[object]) -> tuple[int, ...]:
    """Return a wall; raise GameError unless it has four of each kind, one five of a suit red."""
    tiles = tuple(whole(tile, "wall") for tile in as_list(wall, "wall", "tiles"))
    copies = [COPIES - (kind in RED_OF) for kind in range(FULL.num_kinds)]
    expected = [kind for kind, number in enumerate(copies) for _ in range(number)]
    if sorted(tiles) != [*expected, *RED_OF.values()]:
        raise GameError(
            f"{len(tiles)} tiles", argument="wall", expected="4 of each kind, one five a suit red"
        )
    return tiles


def engine_wall(wall: Sequence[int], dealer: int) -> tuple["Tile", ...]:
    """Return a wall in the order of the engine.

    That is the dead wall first: four replacement tiles, then five times an indicator and the one
    below it. The engine then deals four tiles a turn from seat 0 on. Here the first thirteen
    tiles are the dealer's, and the dead wall is the end of the wall, replacement tiles last.
    """
    hands = [
        wall[HAND_SIZE * ((seat - dealer) % NUM_SEATS) :][:HAND_SIZE]  # by seat
        for seat in SEATS
    ]
    dealt, given = list[int](), 0
    for number in _BY_TURNS:
        for hand in hands:
            dealt += hand[given : given + number]
        given += number
    return tuple(map(to_engine, [*wall[: -DEAD_WALL - 1 : -1], *dealt, *wall[DEALT:-DEAD_WALL]]))


def to_engine(tile: int) -> "Tile":
    """Return a tile of the engine."""
    from jansou.core.tiles import Tile, TileKind

    return Tile(TileKind(KIND_OF[tile]), tile >= RED)


def from_engine(tile: "Tile") -> int:
    """Return a tile of the engine as ``0..36``."""
    return RED_OF[int(tile.kind)] if tile.red else int(tile.kind)
