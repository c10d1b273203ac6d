"""The public state: the information visible to all seats."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeVar

from mjopt.play.game.events import CALLS, DISCARDS, KIND_OF, KONGS, Event, Meld
from mjopt.play.game.moves import NO_KIND, Action, with_copies
from mjopt.play.game.rules import NUM_SEATS, GameRules

T = TypeVar("T")
R = TypeVar("R")


def evolve(record: R, **changes: object) -> R:
    """Return a frozen dataclass, without slots, with some fields changed.

    This is ``dataclasses.replace`` without ``__init__``, which took half the time of a game.
    """
    copy = object.__new__(type(record))
    object.__setattr__(copy, "__dict__", record.__dict__ | changes)
    return copy


def with_item(row: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    """Return a row with one item replaced."""
    return (*row[:index], item, *row[index + 1 :])


class Phase(StrEnum):
    """The phase of the game.

    Examples
    --------
    >>> [phase.name for phase in Phase]
    ['DEALT', 'TURN', 'CALLED', 'CLAIM', 'ROB', 'OVER']
    """

    DEALT = "dealt"  # the dealer draws
    TURN = "turn"  # the seat has drawn: win, kong or discard
    CALLED = "called"  # the seat has called chow or pong: discard
    CLAIM = "claim"  # a discard is on offer: the others may win or call it
    ROB = "rob"  # after a kong: the others may win its tile, or the seat draws a replacement
    OVER = "over"


@dataclass(frozen=True, kw_only=True)
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
        All events of seats so far; the tiles of draws are hidden.
    indicators
        In riichi the dora indicators in the order in which they were turned, red fives as such.

    Examples
    --------
    >>> from mjopt.play.game import M0_RULES, shuffle_wall, start
    >>> state = start(M0_RULES, shuffle_wall(1, 0, M0_RULES.tiles))
    >>> state.table.dealer, state.table.phase.name, state.table.live, state.table.rivers
    (0, 'TURN', 55, ((), (), (), ()))
    """

    rules: GameRules
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
    indicators: tuple[int, ...] = ()

    def after(self, event: Event) -> "OpenTable":
        """Return the state after an event, which is trusted to be possible.

        A declaration comes with its discard.
        """
        return _TRANSITIONS[event.action](self, event)

    def _draw(self, event: Event) -> "OpenTable":
        return evolve(
            self,
            turn=event.seat,
            phase=Phase.TURN,
            tile=NO_KIND,
            live=self.live - 1,
            on_replacement=bool(self.events) and self.events[-1].action in KONGS,
            events=(*self.events, Event(event.seat, Action.DRAW)),
        )

    def _discard(self, event: Event) -> "OpenTable":
        seat, kind = event.seat, KIND_OF[event.tile]
        declares = event.action is Action.READY
        return evolve(
            self,
            phase=Phase.CLAIM,
            tile=kind,
            rivers=with_item(self.rivers, seat, (*self.rivers[seat], kind)),
            ready=with_item(self.ready, seat, True) if declares else self.ready,
            shown=with_copies(self.shown, kind, 1),
            on_replacement=False,
            events=(*self.events, event),
        )

    def _call(self, event: Event) -> "OpenTable":
        """Move the tile on offer, which is already shown, from the river to a meld."""
        seat, giver = event.seat, event.other
        meld = Meld(event.action, (*event.tiles, event.tile), giver)
        return evolve(
            self,
            turn=seat,
            phase=Phase.ROB if event.action is Action.KONG else Phase.CALLED,
            tile=NO_KIND,
            melds=with_item(self.melds, seat, (*self.melds[seat], meld)),
            rivers=with_item(self.rivers, giver, self.rivers[giver][:-1]),
            shown=self._shown_with(event.tiles),
            events=(*self.events, event),
        )

    def _lay_down(self, event: Event) -> "OpenTable":
        """Lay down a closed or added kong, or a north."""
        seat, kind, melds = event.seat, KIND_OF[event.tile], self.melds[event.seat]
        if event.action is Action.ADDED_KONG:
            melds = tuple(
                meld._replace(action=event.action, tiles=(*meld.tiles, event.tile))
                if meld.action is Action.PONG and meld.kind == kind
                else meld
                for meld in melds
            )
        else:
            melds = (*melds, Meld(event.action, event.laid, seat))
        return evolve(
            self,
            phase=Phase.ROB,
            tile=kind,
            melds=with_item(self.melds, seat, melds),
            shown=self._shown_with(event.laid),
            on_replacement=False,
            events=(*self.events, event),
        )

    def _reveal_dora(self, event: Event) -> "OpenTable":
        indicators = (*self.indicators, event.tile)
        return evolve(self, shown=self._shown_with((event.tile,)), indicators=indicators)

    def _end(self, event: Event) -> "OpenTable":
        events = self.events if event.seat < 0 else (*self.events, event)
        return evolve(self, phase=Phase.OVER, events=events)

    def _shown_with(self, tiles: tuple[int, ...]) -> tuple[int, ...]:
        shown = list(self.shown)
        for tile in tiles:
            shown[KIND_OF[tile]] += 1
        return tuple(shown)

    @property
    def num_kongs(self) -> int:
        """Number of kongs on the table."""
        return sum(meld.is_kong for melds in self.melds for meld in melds)

    def num_discards(self, seat: int) -> int:
        """Return the number of tiles that a seat has discarded, called ones too."""
        called = [m for other in range(len(self.melds)) if other != seat for m in self.melds[other]]
        return len(self.rivers[seat]) + sum(meld.seat_from == seat for meld in called)

    def discards_of(self, seat: int) -> list[int]:
        """Return all tiles that a seat has discarded, called ones too."""
        return [e.tile for e in self.events if e.seat == seat and e.action in DISCARDS]

    def draws_of(self, seat: int) -> int:
        """Return the number of tiles that a seat has drawn."""
        return sum(event.seat == seat and event.action is Action.DRAW for event in self.events)

    def left_for(self, seat: int) -> int:
        """Return the number of tiles that a seat may still draw, from the wall or from its part."""
        if not self.rules.seat_walls:
            return self.live
        offset = (seat - self.dealer) % NUM_SEATS
        return len(range(offset, self.rules.draws, NUM_SEATS)) - self.draws_of(seat)


_TRANSITIONS: Final = {
    Action.DRAW: OpenTable._draw,
    Action.DISCARD: OpenTable._discard,
    Action.READY: OpenTable._discard,
    **dict.fromkeys(CALLS, OpenTable._call),
    **dict.fromkeys(
        (Action.CLOSED_KONG, Action.ADDED_KONG, Action.NORTH),
        OpenTable._lay_down,
    ),
    Action.DORA: OpenTable._reveal_dora,
    **dict.fromkeys((Action.WIN, Action.FAULT, Action.DRAWN_GAME), OpenTable._end),
}
