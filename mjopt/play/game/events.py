"""Events of a round and melds on the table, of games and of logs."""

from collections.abc import Iterable
from functools import cache
from typing import Final, NamedTuple

from mjopt.hands.blocks import Block, Shape, chow, kong, pong
from mjopt.hands.tiles import FULL
from mjopt.play.game.moves import NO_KIND, Action, Move

RED: Final = FULL.num_kinds
"""In logs the red fives follow the 34 kinds: of characters, dots and bamboos."""

TILE_NAMES: Final = (*FULL.names, "0m", "0p", "0s")
KIND_OF: Final[tuple[int, ...]] = (*range(RED), 4, 13, 22)
"""The kind of each tile: a red five is a five."""

RED_OF: Final = {4: RED, 13: RED + 1, 22: RED + 2}
"""The red five of each kind that has one."""

DISCARDS: Final = (Action.DISCARD, Action.READY)
CALLS: Final = (Action.CHOW, Action.PONG, Action.KONG)
KONGS: Final = (Action.KONG, Action.CLOSED_KONG, Action.ADDED_KONG)
BLOCK_OF: Final = {Action.CHOW: chow, Action.PONG: pong, **dict.fromkeys(KONGS, kong)}
"""The function that returns the meld of a call, given the kind of its move."""

SINGLES: Final = (*DISCARDS, Action.ADDED_KONG, Action.NORTH)
"""Actions that take one tile from the hand."""

_SHAPES: Final = {1: Shape.SINGLE, 3: Shape.PONG, 4: Shape.KONG}


def by_kind(tiles: Iterable[int]) -> tuple[int, ...]:
    """Return tiles sorted by kind, red fives after the other fives."""
    return tuple(sorted(tiles, key=lambda tile: (KIND_OF[tile], tile)))


class Event(NamedTuple):
    """An event of a round.

    Parameters
    ----------
    seat
        The acting seat, or -1.
    action
        The action. A declaration is one event with its discard; in a log the discard may be the
        next event, and the declaration then has no tile.
    tile
        The tile drawn, discarded, called, added, revealed or won on, ``0..36``; -1 if there is
        none or it is hidden.
    other
        The seat whose tile was called or won on; the seat itself for an own draw; else -1.
    tiles
        Tiles from the hand laid down for a meld, ascending.
    is_drawn
        Of a discard in a log: whether it is the tile just drawn.

    Examples
    --------
    >>> from mjopt.play.game import M0_RULES, shuffle_wall, start
    >>> start(M0_RULES, shuffle_wall(1, 0, M0_RULES.tiles)).table.events[0].tile
    -1
    >>> event = Event(1, Action.CHOW, 6, 0, (4, 5))
    >>> str(event), event.kind
    ('seat 1 chow 7m with 5m 6m', 4)
    """

    seat: int
    action: Action
    tile: int = NO_KIND
    other: int = -1
    tiles: tuple[int, ...] = ()
    is_drawn: bool = False

    def __str__(self) -> str:
        words = [f"seat {self.seat}"] if self.seat >= 0 else []
        tile = [] if self.tile < 0 else [TILE_NAMES[self.tile]]
        with_tiles = ["with", *(TILE_NAMES[tile] for tile in self.tiles)] if self.tiles else []
        return " ".join([*words, self.action.word, *tile, *with_tiles])

    @property
    def kind(self) -> int:
        """The kind of the move: that of the tile; for a chow the lowest of its three tiles."""
        if self.tile < 0:
            return self.tile
        if self.action is Action.CHOW:
            return min(KIND_OF[tile] for tile in (self.tile, *self.tiles))
        return KIND_OF[self.tile]

    @property
    def plain(self) -> "Event":
        """The event with fives instead of red fives."""
        tile = self.tile if self.tile < 0 else KIND_OF[self.tile]
        return self._replace(tile=tile, tiles=tuple(KIND_OF[tile] for tile in self.tiles))

    @property
    def laid(self) -> tuple[int, ...]:
        """The tiles that leave the hand."""
        is_single = self.tile != NO_KIND and self.action in SINGLES
        return (self.tile,) if is_single else self.tiles


def event_of(seat: int, move: Move, offered: int = NO_KIND, giver: int = -1) -> Event:
    """Return the event of a move, no pass; the tile on offer, if any, came from ``giver``.

    Examples
    --------
    >>> event_of(1, Move(Action.CHOW, 4), 6, 0).tiles
    (4, 5)
    """
    action, kind = move.action, move.kind
    match action:
        case Action.CHOW:
            tiles = tuple(k for k in range(kind, kind + 3) if k != offered)
            return Event(seat, action, offered, giver, tiles)
        case Action.PONG | Action.KONG:
            return Event(seat, action, kind, giver, (kind,) * (2 if action is Action.PONG else 3))
        case Action.CLOSED_KONG:
            return Event(seat, action, kind, tiles=(kind,) * 4)
        case Action.WIN:
            return Event(seat, action, kind, seat if giver < 0 else giver)
    return Event(seat, action, kind)


class Meld(NamedTuple):
    """A meld on the table, or a north set aside.

    Parameters
    ----------
    action
        The last action that formed it.
    tiles
        Its tiles: from the hand, ascending, then the called one, then one added.
    seat_from
        The seat whose discard was called; for a closed kong and a north, the owner.

    Examples
    --------
    >>> meld = Meld(Action.CHOW, (0, 2, 1), seat_from=3)
    >>> meld.block, meld.kind, meld.is_kong
    (Block((0, 1, 2), Shape.CHOW), 1, False)
    """

    action: Action
    tiles: tuple[int, ...]
    seat_from: int

    @property
    def block(self) -> Block:
        """The kinds of its tiles."""
        return _block(self.tiles)

    @property
    def kind(self) -> int:
        """The kind of the called tile."""
        return KIND_OF[self.tiles[:3][-1]]

    @property
    def is_kong(self) -> bool:
        """Whether it is four of a kind."""
        return self.action in KONGS


@cache
def _block(tiles: tuple[int, ...]) -> Block:
    kinds = tuple(sorted(KIND_OF[tile] for tile in tiles))
    return Block(kinds, _SHAPES[len(kinds)] if kinds[0] == kinds[-1] else Shape.CHOW)
