"""A board as a page shows it: who sits where, and which tiles lie open."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from mjopt.answers.values import decompositions
from mjopt.game.moves import NO_KIND, Action, with_copies
from mjopt.game.open_table import Meld, OpenTable, Phase
from mjopt.game.rules import HAND_SIZE, NUM_SEATS, SEATS
from mjopt.game.state import Outcome, State
from mjopt.game.view import View
from mjopt.hands.blocks import Block
from mjopt.hands.hand import Hand
from mjopt.hands.tiles import TileSet
from mjopt.serve.tiles import BACK, tile_words

WINDS: Final = ("East", "South", "West", "North")
"""The dealer is East, and the others follow in turn."""

THROWN: Final = frozenset((Action.DISCARD, Action.READY))
CALLED: Final = frozenset((Action.CHOW, Action.PONG, Action.KONG))
CHANGE: Final = {
    Action.DRAW: 1,
    Action.DISCARD: -1,
    Action.READY: -1,
    Action.CHOW: -2,
    Action.PONG: -2,
    Action.KONG: -3,
    Action.ADDED_KONG: -1,
    Action.CLOSED_KONG: -4,
}
"""By how many the concealed tiles of a seat grow with what it does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TileView:
    """A tile as it is shown."""

    name: str  # its picture: ``1m`` to ``7z``, ``0m``, ``0p`` or ``0s`` for a red five, ``back``
    words: str  # what is read aloud
    mark: str = ""  # how it stands out: empty, ``drawn``, ``last``, ``called``, ``winning``


Tiles = tuple[TileView, ...]

HIDDEN: Final = TileView(name=BACK, words=tile_words(BACK))
"""All that is told of a tile which lies face down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatView:
    """One side of the board."""

    seat: int  # the seat, ``0..3``
    wind: str  # its wind in this hand
    name: str  # who plays
    points: int  # the standing before this hand
    dealer: bool
    turn: bool
    ready: bool
    # its tiles, the drawn one last and marked; backs where they are hidden
    concealed: tuple[TileView, ...]
    # what it has on the table; the tile that was called is marked
    melds: tuple[tuple[TileView, ...], ...]
    # its discards that still lie, in order; the last one of the table is marked
    river: tuple[TileView, ...]
    # Of a winner: melds and a pair, seven pairs, or one row of orphans; the winning tile marked.
    groups: tuple[tuple[TileView, ...], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardView:
    """A whole board, the seat that looks first."""

    seats: tuple[SeatView, ...]  # the four sides, in turn order from the one that looks
    live: int  # tiles that may still be drawn; at 0 the game is drawn
    wall: int  # tiles that lie in the wall, the dead ones included
    offered: TileView | None  # the tile on offer, or None


def board_of(view: View, *, names: tuple[str, ...], points: tuple[int, ...]) -> BoardView:
    """Return what one seat sees: made of its view, so nothing hidden can be in it.

    Examples
    --------
    >>> from mjopt.game import GMJBG, shuffle_wall, start, view_of
    >>> state = start(GMJBG, shuffle_wall(1, 0, GMJBG.tiles))
    >>> board = board_of(view_of(state, 1), names=("a", "b", "c", "d"), points=(0, 0, 0, 0))
    >>> [(seat.wind, seat.name, seat.concealed[0].name) for seat in board.seats]
    [('South', 'b', '6m'), ('West', 'c', 'back'), ('North', 'd', 'back'), ('East', 'a', 'back')]
    """
    table = view.table
    hands = tuple(
        _row(view.tiles, view.hand, view.drawn)
        if seat == view.seat
        else (HIDDEN,) * _concealed(table, seat)
        for seat in SEATS
    )
    asked = table.turn if table.phase in (Phase.TURN, Phase.CALLED) else None
    return _board(table, view.seat, asked, hands, names, points)


def open_board(
    state: State, *, names: tuple[str, ...], points: tuple[int, ...], first: int = 0
) -> BoardView:
    """Return a board with all hands open, for when the hand has ended."""
    table, outcome = state.table, state.outcome
    hands = tuple(
        _row(table.rules.tiles, hand, state.drawn if seat == table.turn else NO_KIND)
        for seat, hand in enumerate(state.hands)
    )
    board = _board(table, first, state.to_move, hands, names, points)
    if outcome is None or not outcome.winners:
        return board
    seats = tuple(
        replace(one, groups=_laid_out(state, outcome, one.seat))
        if one.seat in outcome.winners
        else one
        for one in board.seats
    )
    return replace(board, seats=seats)


def _board(
    table: OpenTable,
    first: int,
    asked: int | None,
    hands: tuple[Tiles, ...],
    names: tuple[str, ...],
    points: tuple[int, ...],
) -> BoardView:
    seats = tuple(
        SeatView(
            seat=seat,
            wind=_wind(table, seat),
            name=names[seat],
            points=points[seat],
            dealer=seat == table.dealer,
            turn=seat == asked,
            ready=table.ready[seat],
            concealed=hands[seat],
            melds=tuple(_meld(table, seat, meld) for meld in table.melds[seat]),
            river=_river(table, seat),
        )
        for seat in ((first + place) % NUM_SEATS for place in SEATS)
    )
    is_offered = table.phase in (Phase.CLAIM, Phase.ROB)
    return BoardView(
        seats=seats,
        live=table.live,
        wall=table.live + table.rules.dead_wall,
        offered=_tile(table.rules.tiles, table.tile) if is_offered else None,
    )


def _wind(table: OpenTable, seat: int) -> str:
    return WINDS[(seat - table.dealer) % NUM_SEATS]


def _tile(tiles: TileSet, kind: int, mark: str = "") -> TileView:
    name = tiles.names[kind]
    return TileView(name=name, words=tile_words(name), mark=mark)


def _row(tiles: TileSet, hand: Sequence[int], drawn: int) -> Tiles:
    """Return a hand by kind, the tile just drawn at its right end."""
    kept = [kind for kind, held in enumerate(hand) for _ in range(held - (kind == drawn))]
    row = tuple(_tile(tiles, kind) for kind in kept)
    return row if drawn == NO_KIND else (*row, _tile(tiles, drawn, "drawn"))


def _concealed(table: OpenTable, seat: int) -> int:
    """Return how many tiles a seat holds, as everyone can count them."""
    return HAND_SIZE + sum(CHANGE.get(e.action, 0) for e in table.events if e.seat == seat)


def _meld(table: OpenTable, seat: int, meld: Meld) -> Tiles:
    """Return a meld, the called tile lying where the seat that gave it sits."""
    tiles = table.rules.tiles
    row = [_tile(tiles, kind) for kind in meld.block.kinds]
    if meld.seat_from == seat:
        return tuple(row)
    row.remove(_tile(tiles, meld.kind))
    words = f"{tile_words(tiles.names[meld.kind])}, called from {_wind(table, meld.seat_from)}"
    called = TileView(name=tiles.names[meld.kind], words=words, mark="called")
    place = {1: len(row), 2: 1, 3: 0}[(meld.seat_from - seat) % NUM_SEATS]
    return (*row[:place], called, *row[place:])


def _river(table: OpenTable, seat: int) -> Tiles:
    row = [_tile(table.rules.tiles, kind) for kind in table.rivers[seat]]
    last = next((e for e in reversed(table.events) if e.action in THROWN | CALLED), None)
    if row and last is not None and last.seat == seat and last.action in THROWN:
        row[-1] = replace(row[-1], mark="last")
    return tuple(row)


def _laid_out(state: State, outcome: Outcome, seat: int) -> tuple[Tiles, ...]:
    """Return what a winner holds in groups, the tile it won on marked in one of them."""
    table = state.table
    tiles = table.rules.tiles
    held = with_copies(state.hands[seat], outcome.kind, 0 if outcome.by_own_draw else 1)
    groups = _groups(held, tuple(meld.block for meld in table.melds[seat]), tiles)
    won = next(place for place, group in enumerate(groups) if outcome.kind in group)
    return tuple(
        _marked(tiles, group, outcome.kind if place == won else NO_KIND)
        for place, group in enumerate(groups)
    )


@lru_cache(maxsize=1024)  # a page that is looked at again solves nothing again
def _groups(
    held: tuple[int, ...], melds: tuple[Block, ...], tiles: TileSet
) -> tuple[tuple[int, ...], ...]:
    """Return kinds as melds and a pair, as seven pairs, or in one row."""
    splits = decompositions(Hand.from_counts(held, tiles=tiles, melds=melds))
    if splits:
        return tuple(block.kinds for block in splits[0])
    if held.count(2) == 7:
        return tuple((kind, kind) for kind, copies in enumerate(held) if copies)
    return (tuple(kind for kind, copies in enumerate(held) for _ in range(copies)),)


def _marked(tiles: TileSet, group: Sequence[int], kind: int) -> Tiles:
    row = [_tile(tiles, one) for one in group]
    if kind != NO_KIND:
        row[group.index(kind)] = _tile(tiles, kind, "winning")
    return tuple(row)
