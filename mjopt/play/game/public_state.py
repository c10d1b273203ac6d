"""The public state: the information visible to all seats."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from mjopt.hands.blocks import Block, Shape
from mjopt.play.game.moves import NO_KIND, Action
from mjopt.play.game.rules import NUM_SEATS, RuleSet


class Phase(StrEnum):
    """The phase of the game.

    Examples
    --------
    >>> [phase.name for phase in Phase]
    ['TURN', 'CALLED', 'CLAIM', 'ROB', 'OVER']
    """

    TURN = "turn"  # the seat has drawn: win, kong or discard
    CALLED = "called"  # the seat has called chow or pong: discard
    CLAIM = "claim"  # a discard is on offer: the others may win or call it
    ROB = "rob"  # a tile was added to a pong: the others may win it
    OVER = "over"


class Meld(NamedTuple):
    """A meld on the table.

    Parameters
    ----------
    block
        Its tiles.
    seat_from
        The seat whose discard was called; for a closed kong, the owner.
    kind
        The called tile.

    Examples
    --------
    >>> from mjopt.hands.blocks import Block, Shape
    >>> Meld(Block((0, 1, 2), Shape.CHOW), seat_from=3, kind=1).is_kong
    False
    """

    block: Block
    seat_from: int
    kind: int

    @property
    def is_kong(self) -> bool:
        """Whether it is four of a kind."""
        return self.block.shape is Shape.KONG


class Event(NamedTuple):
    """A public event; the tile of a draw is hidden (kind -1).

    Examples
    --------
    >>> from mjopt.play.game import M0_RULES, shuffle_wall, start
    >>> start(M0_RULES, shuffle_wall(1, 0, M0_RULES.tiles)).table.events[0]
    Event(seat=0, action=<Action.DRAW: 'M'>, kind=-1)
    """

    seat: int
    action: Action
    kind: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTable:
    """The public state of a game.

    Parameters
    ----------
    rules
        The rules of the game.
    dealer
        The seat that drew first.
    turn
        The seat whose turn it is; while a tile is on offer, the seat it came from.
    phase
        The phase of the game.
    tile
        The kind on offer (phases CLAIM and ROB), else -1.
    melds
        Each seat's melds, in order of time. Closed kongs are visible.
    rivers
        Each seat's discards in order, without called tiles, which belong to melds.
    ready
        Whether each seat has declared ready.
    shown
        Copies per kind in melds and rivers, shape ``(K,)``.
    live
        Tiles that may still be drawn.
    on_replacement
        Whether the turn began with the replacement tile of a kong.
    events
        All events so far.

    Examples
    --------
    >>> from mjopt.play.game import M0_RULES, shuffle_wall, start
    >>> state = start(M0_RULES, shuffle_wall(1, 0, M0_RULES.tiles))
    >>> state.table.dealer, state.table.phase.name, state.table.live, state.table.rivers
    (0, 'TURN', 55, ((), (), (), ()))
    """

    rules: RuleSet
    dealer: int
    turn: int
    phase: Phase
    tile: int = NO_KIND
    melds: tuple[tuple[Meld, ...], ...] = ((), (), (), ())
    rivers: tuple[tuple[int, ...], ...] = ((), (), (), ())
    ready: tuple[bool, ...] = (False, False, False, False)
    shown: tuple[int, ...]
    live: int
    on_replacement: bool = False
    events: tuple[Event, ...] = ()

    @property
    def num_kongs(self) -> int:
        """Number of kongs on the table."""
        return sum(meld.is_kong for melds in self.melds for meld in melds)

    def draws_of(self, seat: int) -> int:
        """Return the number of tiles that a seat has drawn."""
        return sum(event.seat == seat and event.action is Action.DRAW for event in self.events)

    def left_for(self, seat: int) -> int:
        """Return the number of tiles that a seat may still draw, from the wall or from its part."""
        if not self.rules.seat_walls:
            return self.live
        offset = (seat - self.dealer) % NUM_SEATS
        return len(range(offset, self.rules.draws, NUM_SEATS)) - self.draws_of(seat)
