"""View of a board: seats, melds, discards and visible tiles."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import zip_longest
from typing import Final

from mjopt.analysis.deficiency import decompositions
from mjopt.hands.blocks import Block
from mjopt.hands.hand import Hand
from mjopt.hands.tiles import TileSet
from mjopt.play.game.events import CALLS, DISCARDS, KIND_OF, Event, Meld, by_kind
from mjopt.play.game.moves import NO_KIND, Action, Move
from mjopt.play.game.observation import View, view_of
from mjopt.play.game.public_state import OpenTable, Phase
from mjopt.play.game.rules import HAND_SIZE, NUM_SEATS, RIICHI_TABLE, SEATS, GameRules
from mjopt.play.game.state import Outcome, RoundState, held_tiles
from mjopt.play.serve.language import gettext, ngettext
from mjopt.play.serve.tiles import BACK, tile_name, tile_words

WINDS: Final = ("East", "South", "West", "North")
"""The dealer is East, and the others follow in turn."""

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
"""Change of the number of concealed tiles by action."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TileView:
    """View of a tile."""

    name: str  # picture: ``1m`` to ``7z``, ``0m``, ``0p`` or ``0s`` for a red five, ``back``
    mark: str = ""  # highlight: empty, ``drawn``, ``last``, ``called``, ``winning``
    called_from: str = ""  # wind of the seat that discarded a called tile

    @property
    def kind(self) -> str:
        """The name of its kind: a red five is a five."""
        return self.name.replace("0", "5")

    @property
    def words(self) -> str:
        """The label for screen readers, in the current language."""
        words = tile_words(self.name)
        if self.mark in ("thrown", "best"):
            word = gettext("thrown") if self.mark == "thrown" else gettext("best")
            return gettext(", ").join((words, word))
        if not self.called_from:
            return words
        wind = gettext(self.called_from)
        return gettext("%(tile)s, called from %(wind)s") % {"tile": words, "wind": wind}


Tiles = tuple[TileView, ...]
Points = Sequence[int | None]  # points by seat, if known


def kinds_of(did: Move | Event) -> Sequence[int]:
    """Return the kinds of a move or an event: three of a chow, none of a pass."""
    if did.action is Action.CHOW:
        return range(did.kind, did.kind + 3)
    return () if did.kind == NO_KIND else (did.kind,)


def tiles_of(event: Event) -> Sequence[int]:
    """Return the kinds of an event, of one with a single tile that tile: it may be a red five."""
    return kinds_of(event) if event.action is Action.CHOW or event.tile < 0 else (event.tile,)


def points_words(points: int, rules: GameRules) -> str:
    """Return the points of a seat: in riichi the sum that it has, else with a sign."""
    if rules.name == RIICHI_TABLE.name:
        return f"{points:,}"
    return f"{points:+d}" if points else "0"


def round_name(wind: int, number: int, honba: int) -> str:
    """Return the name of a round, such as "South 3, counter 1"."""
    values = {"wind": gettext(WINDS[wind % NUM_SEATS]), "number": number, "count": honba}
    if honba:
        return gettext("%(wind)s %(number)d, counter %(count)d") % values
    return gettext("%(wind)s %(number)d") % values


def table_words(wind: int, number: int, honba: int, sticks: int) -> str:
    """Return the name of a round with the deposits on the table, if there are any."""
    name = round_name(wind, number, honba)
    if not sticks:
        return name
    deposits = ngettext("%(num)d deposit", "%(num)d deposits", sticks) % {"num": sticks}
    return gettext(", ").join((name, deposits))


@cache
def tile_view(tile: int | str, mark: str = "") -> TileView:
    """Return the view of a tile given by kind or name."""
    return TileView(name=tile_name(tile), mark=mark)


HIDDEN: Final = tile_view(BACK)  # every face-down tile


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatView:
    """One side of the board."""

    seat: int  # the seat, ``0..3``
    wind: str
    name: str  # name of the player
    points: str = ""  # points before this hand, if known; in riichi those at the moment
    dealer: bool = False
    turn: bool = False
    ready: bool = False
    concealed: Tiles = ()  # the drawn tile last and marked; backs if hidden
    melds: tuple[Tiles, ...] = ()  # the tile that was called is marked
    river: Tiles = ()  # uncalled discards in order; the last one of the board is marked
    # For a winner: melds and a pair, seven pairs, or orphans; the winning tile is marked.
    groups: tuple[Tiles, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardView:
    """View of a board; the observing seat comes first."""

    seats: tuple[SeatView, ...]  # the four sides, in turn order from the observing seat
    live: int  # tiles that may still be drawn; at 0 the game is drawn
    wall: int  # tiles in the wall, including the dead wall
    offered: TileView | None  # the tile on offer, or None
    indicators: Tiles = ()  # of dora
    about: str = ""  # the round, counters and deposits; empty if the rules have none


def board_at(
    state: RoundState, seat: int | None, *, names: tuple[str, ...], points: Points, about: str = ""
) -> BoardView:
    """Return the board as seen by a seat; with open hands for None, or after the end."""
    if seat is None or state.is_over:
        board = open_board(state, names=names, points=points, first=seat or 0)
    else:
        board = board_of(view_of(state, seat), names=names, points=points, drawn=state.drawn)
    return replace(board, about=about)


def board_of(
    view: View, *, names: tuple[str, ...], points: Points, drawn: int = NO_KIND
) -> BoardView:
    """Return the board from the observation of a seat, which has no hidden information.

    While a tile is on offer no seat is to move, since the order of decisions is hidden. ``drawn``
    is the drawn tile if it may be a red five.
    """
    table, own = view.table, held_tiles(view.hand, view.reds)
    last = drawn if view.drawn != NO_KIND and drawn in own else view.drawn
    hands = tuple(
        _row(own, last) if seat == view.seat else (HIDDEN,) * _concealed(table, seat)
        for seat in SEATS
    )
    asked = table.turn if table.phase in (Phase.TURN, Phase.CALLED) else None
    return _board(table, view.seat, asked, hands, names, points)


def open_board(
    state: RoundState, *, names: tuple[str, ...], points: Points, first: int = 0
) -> BoardView:
    """Return a board with all hands open."""
    table, outcome = state.table, state.outcome
    hands = tuple(
        _row(state.tiles(seat), state.drawn if seat == table.turn else NO_KIND) for seat in SEATS
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
    points: Points,
) -> BoardView:
    seats = tuple(
        SeatView(
            seat=seat,
            wind=_wind(table, seat),
            name=names[seat],
            points="" if (held := points[seat]) is None else points_words(held, table.rules),
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
        offered=tile_view(table.tile) if is_offered else None,
        indicators=tuple(map(tile_view, table.indicators)),
    )


def _wind(table: OpenTable, seat: int) -> str:
    return WINDS[(seat - table.dealer) % NUM_SEATS]


def _row(held: Sequence[int], drawn: int) -> Tiles:
    """Return a hand sorted by kind, the drawn tile last."""
    kept = list(held)
    if drawn == NO_KIND:
        return tuple(map(tile_view, kept))
    kept.remove(drawn)
    return (*map(tile_view, kept), tile_view(drawn, "drawn"))


def _concealed(table: OpenTable, seat: int) -> int:
    """Return the number of concealed tiles of a seat, from public events."""
    return HAND_SIZE + sum(CHANGE.get(e.action, 0) for e in table.events if e.seat == seat)


def _meld(table: OpenTable, seat: int, meld: Meld) -> Tiles:
    """Return a meld; the position of the called tile shows which seat discarded it."""
    row = [tile_view(tile) for tile in by_kind(meld.tiles)]
    if meld.seat_from == seat:
        return tuple(row)
    # The tiles of the hand come first, then the called one, and last one that made it a kong.
    called = tile_view(meld.tiles[3 if meld.action is Action.KONG else 2])
    row.remove(called)
    called = replace(called, called_from=_wind(table, meld.seat_from), mark="called")
    place = {1: len(row), 2: 1, 3: 0}[(meld.seat_from - seat) % NUM_SEATS]
    return (*row[:place], called, *row[place:])


def _river(table: OpenTable, seat: int) -> Tiles:
    row = [tile_view(tile) for tile in _uncalled(table, seat)]
    last = next((e for e in reversed(table.events) if e.action in DISCARDS + CALLS), None)
    if row and last is not None and last.seat == seat and last.action in DISCARDS:
        row[-1] = replace(row[-1], mark="last")
    return tuple(row)


def _uncalled(table: OpenTable, seat: int) -> list[int]:
    """Return the uncalled discards in order; a red five is a tile of its own."""
    found = []
    for event, after in zip_longest(table.events, table.events[1:]):
        is_called = after is not None and after.action in CALLS
        if event.seat == seat and event.action in DISCARDS and not is_called:
            found.append(event.tile)
    return found


def _laid_out(state: RoundState, outcome: Outcome, seat: int) -> tuple[Tiles, ...]:
    """Return the hand of a winner in groups, with the winning tile and red fives marked."""
    table = state.table
    melds = tuple(meld.block for meld in table.melds[seat])
    groups = _groups(state.winning_hand(seat), melds, table.rules.tiles)
    rows = [[*map(tile_view, group)] for group in groups]
    won = tile_view(outcome.kind)
    row = next(row for row in rows if won in row)
    row[row.index(won)] = replace(won, mark="winning")
    for tile in [*state.tiles(seat), *(t for meld in table.melds[seat] for t in meld.tiles)]:
        five = tile_view(KIND_OF[tile])
        if tile != KIND_OF[tile] and (row := next((row for row in rows if five in row), [])):
            row[row.index(five)] = tile_view(tile)
    return tuple(map(tuple, rows))


@lru_cache(maxsize=1024)  # so that reloading a page needs no new search
def _groups(
    held: tuple[int, ...], melds: tuple[Block, ...], tiles: TileSet
) -> tuple[tuple[int, ...], ...]:
    """Return kinds as melds and a pair, as seven pairs, or as one group."""
    splits = decompositions(Hand.from_counts(held, tiles=tiles, melds=melds))
    if splits:
        return tuple(block.kinds for block in splits[0])
    if held.count(2) == 7:
        return tuple((kind, kind) for kind, copies in enumerate(held) if copies)
    return (tuple(kind for kind, copies in enumerate(held) for _ in range(copies)),)
