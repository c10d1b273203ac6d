"""A round replayed event by event: what does not add up is refused, and where."""

from collections import Counter
from collections.abc import Iterable, Iterator
from enum import Enum, auto
from typing import Final, NamedTuple

from mjopt.errors import LogError
from mjopt.game_review.events import (
    EAST_KIND,
    KIND_OF,
    NO_TILE,
    NORTH_KIND,
    RED,
    RED_OF,
    TILE_NAMES,
    Did,
    Event,
    Game,
    Round,
    Ruling,
    Why,
    by_kind,
)
from mjopt.hands.tiles import COPIES
from mjopt.hands.winning_forms import SEVEN_PAIRS, STANDARD, THIRTEEN_ORPHANS, UNREACHABLE
from mjopt.tables.lookup import label_one, special_deficiency

HAND_SIZE: Final = 13
KONGS: Final = (Did.KONG, Did.CLOSED_KONG, Did.ADDED_KONG)
DEPOSIT: Final = 1000
"""Points that a declaration costs until somebody wins it."""


class Laid(NamedTuple):
    """A meld on the table: how it was made, and its tiles."""

    did: Did
    tiles: tuple[int, ...]


class Waits(Enum):
    """What the round waits for."""

    FIRST = auto()  # the dealer's first tile
    ACTION = auto()  # the seat has drawn
    DISCARD = auto()  # the seat has called, or declared itself ready
    ANSWER = auto()  # a discard lies
    REPLACEMENT = auto()  # a kong was made, or a north set aside: it may be robbed
    END = auto()


class RoundTable:
    """The table of one round as it goes on: ``deal`` under ``ruling``."""

    def __init__(self, deal: Round, ruling: Ruling) -> None:
        seats = range(ruling.seats)
        self.deal, self.ruling = deal, ruling
        # Concealed copies of each kind by seat, and those that everyone sees: melds, discards,
        # indicators. A called tile lies in the meld, and its discard stays told.
        self.kinds = [[0] * RED for _ in seats]
        self.melds: list[list[Laid]] = [[] for _ in seats]
        self.rivers: list[list[int]] = [[] for _ in seats]
        self.ready = [False for _ in seats]  # who has declared
        self.shown = [0] * RED
        self.live = ruling.draws  # tiles that may still be drawn
        self.turn = deal.dealer
        self.drawn = NO_TILE
        self.offered = NO_TILE
        self.waits = Waits.FIRST
        self._reds = [[0] * 3 for _ in seats]
        self._norths = [0 for _ in seats]
        # Whether one tile completes what a seat held before its draw; None until that is asked.
        self.is_near: list[bool | None] = [None for _ in seats]
        self._asked: list[dict[int, bool]] = [{} for _ in seats]  # of what is held now
        self._in_play = [0] * len(TILE_NAMES)  # copies of each tile that were ever told
        self._declares = self._is_to_stand = False
        if len(deal.hands) != ruling.seats or not 0 <= deal.dealer < ruling.seats:
            raise LogError(f"{deal.name}: {len(deal.hands)} hands, dealer {deal.dealer}")
        for seat, hand in enumerate(deal.hands):
            if len(hand) != HAND_SIZE:
                raise self._error(f"seat {seat} is dealt {len(hand)} tiles, expected {HAND_SIZE}")
            for tile in hand:
                self._arrive(seat, tile)
        if deal.dora != NO_TILE:
            self._turn_up(deal.dora)

    def unseen(self, seat: int) -> list[int]:
        """Return the copies of each kind that a seat cannot see."""
        left = [
            COPIES - held - shown for held, shown in zip(self.kinds[seat], self.shown, strict=True)
        ]
        for kind in self.ruling.missing:
            left[kind] = 0
        return left[: self.ruling.tiles.num_kinds]

    def concealed(self, seat: int) -> tuple[int, ...]:
        """Return the copies of each kind that a seat holds."""
        return tuple(self.kinds[seat][: self.ruling.tiles.num_kinds])

    def reds(self, seat: int) -> tuple[int, ...]:
        """Return how many red fives of each suit a seat holds."""
        return tuple(self._reds[seat])

    def tiles(self, seat: int) -> list[int]:
        """Return the tiles that a seat holds, red fives apart, ascending by kind."""
        held: list[int] = []
        for kind, copies in enumerate(self.kinds[seat]):
            red = self._reds[seat][RED_OF[kind] - RED] if kind in RED_OF else 0
            held += [RED_OF.get(kind, kind)] * red + [kind] * (copies - red)
        return held

    def some(self, seat: int, kinds: Iterable[int]) -> tuple[int, ...]:
        """Return tiles of some kinds that a seat holds, ascending, red fives last."""
        found = list[int]()
        for kind, copies in Counter(kinds).items():
            red = self._reds[seat][RED_OF[kind] - RED] if kind in RED_OF else 0
            plain = min(copies, self.kinds[seat][kind] - red)
            found += [kind] * plain + [RED_OF.get(kind, kind)] * (copies - plain)
        return by_kind(found)

    @property
    def may_kong(self) -> bool:
        """Whether one more kong may be made, and a tile is left in its place."""
        made = sum(laid.did in KONGS for melds in self.melds for laid in melds)
        return self.live > 0 and made < self.ruling.kongs

    def away(self, seat: int) -> int:
        """Return the deficiency of what a seat holds, over the forms of the game."""
        return label_one(self.concealed(seat), self.called(seat), forms=self.ruling.forms)

    def wins_with(self, seat: int, kind: int) -> bool:
        """Return whether a kind completes what a seat holds, or held before its draw."""
        asked = self._asked[seat]
        if kind in asked or self.is_near[seat] is False:
            return asked.get(kind, False)
        held, called = self.kinds[seat][: self.ruling.tiles.num_kinds], self.called(seat)
        if seat == self.turn and self.drawn != NO_TILE:
            held[KIND_OF[self.drawn]] -= 1
        if self.is_near[seat] is None:
            self.is_near[seat] = self._at_most(held, called) == 1
        held[kind] += 1
        is_near = bool(self.is_near[seat])
        asked[kind] = is_near and held[kind] <= COPIES and not self._at_most(held, called)
        return asked[kind]

    def _at_most(self, held: list[int], called: int) -> int:
        """Return the deficiency of a hand if it is 0 or 1, else what may be more: sooner."""
        forms = self.ruling.forms
        least = label_one(held, called) if STANDARD in forms else UNREACHABLE
        if called:
            return least
        pairs = len(held) - held.count(0) - held.count(1)
        near = {SEVEN_PAIRS: pairs > 5, THIRTEEN_ORPHANS: held[EAST_KIND:].count(0) < 2}
        special = [form for form in forms if near.get(form)]
        return min(least, special_deficiency(held, special)) if special else least

    def called(self, seat: int) -> int:
        """Return how many melds a seat has on the table."""
        return len(self.melds[seat]) - self._norths[seat]

    def apply(self, event: Event) -> None:
        """Go on by one event, or refuse it: the error names round, turn and tile."""
        nobody = event.did in (Did.DORA, Did.DRAWN)
        if not (event.seat == -1 if nobody else 0 <= event.seat < self.ruling.seats):
            raise self._error(f"{event}: there are {self.ruling.seats} seats")
        if event.tile >= len(TILE_NAMES):
            raise self._error(f"no tile {event.tile}")
        if self._is_to_stand and event.did not in (Did.READY_STANDS, Did.WIN, Did.DRAWN):
            raise self._error(f"{event}, but the declaration of seat {self.turn} has not stood yet")
        self._is_to_stand = False
        _APPLY[event.did](self, event)

    def finish(self) -> None:
        """Refuse a round without an end, or one whose wall was not as empty as the log says."""
        if self.waits is not Waits.END:
            raise self._error("the round stops without an end")
        if self.deal.why in (Why.WALL_EMPTY, Why.MANGAN) and self.live:
            raise self._error(f"{self.deal.why}, but {self.live} tiles are left")

    def _error(self, text: str) -> LogError:
        turn = max((len(river) for river in self.rivers), default=0) + 1
        return LogError(f"{self.deal.name}, turn {turn}: {text}")

    def _expect(self, event: Event, *waits: Waits) -> None:
        if self.waits not in waits:
            raise self._error(f"{event} out of turn")

    def _own_turn(self, event: Event, *waits: Waits) -> None:
        self._expect(event, *waits)
        if event.seat != self.turn:
            raise self._error(f"{event}, but it is the turn of seat {self.turn}")

    def _tell(self, tile: int) -> None:
        """Count a tile that was not told before."""
        kind = KIND_OF[tile]
        if kind in self.ruling.missing or kind >= self.ruling.tiles.num_kinds:
            raise self._error(f"{TILE_NAMES[tile]} is not in the game")
        self._in_play[tile] += 1
        copies = self._in_play[kind]
        if (red := RED_OF.get(kind, NO_TILE)) != NO_TILE:
            copies += self._in_play[red]
            if tile == red and self.ruling.reds is not None:
                most = self.ruling.reds[red - RED]
                if self._in_play[red] > most:
                    raise self._error(f"{self._in_play[red]} of {TILE_NAMES[red]}, of {most}")
        if copies > COPIES:
            raise self._error(f"a fifth {TILE_NAMES[tile]}")

    def _arrive(self, seat: int, tile: int) -> None:
        self._tell(tile)
        self.kinds[seat][KIND_OF[tile]] += 1
        if tile >= RED:
            self._reds[seat][tile - RED] += 1

    def _leave(self, event: Event, tiles: tuple[int, ...]) -> None:
        """Take tiles from a hand, onto the table."""
        seat = event.seat
        if tiles != (self.drawn,):
            self.is_near[seat], self._asked[seat] = None, {}
        for tile in tiles:
            kind = KIND_OF[tile]
            self.kinds[seat][kind] -= 1
            self.shown[kind] += 1
            if tile >= RED:
                self._reds[seat][tile - RED] -= 1
            reds = self._reds[seat][RED_OF[kind] - RED] if kind in RED_OF else 0
            if reds < 0 or self.kinds[seat][kind] < reds:
                raise self._error(f"{event}, but it holds no {TILE_NAMES[tile]}")

    def _turn_up(self, tile: int) -> None:
        self._tell(tile)
        self.shown[KIND_OF[tile]] += 1

    def _draw(self, event: Event) -> None:
        self._expect(event, Waits.FIRST, Waits.ANSWER, Waits.REPLACEMENT)
        turn = self.turn
        if self.waits is Waits.ANSWER:
            turn = (turn + 1) % self.ruling.seats
        if event.seat != turn:
            raise self._error(f"{event}, but it is the turn of seat {turn}")
        if not self.live:
            raise self._error(f"{event}, but the wall is empty")
        self.live -= 1
        self._arrive(event.seat, event.tile)
        self.turn, self.drawn, self.offered = turn, event.tile, NO_TILE
        self.waits = Waits.ACTION

    def _discard(self, event: Event) -> None:
        self._own_turn(event, Waits.ACTION, Waits.DISCARD)
        seat, tile = event.seat, event.tile
        if (event.is_drawn or self.ready[seat]) and tile != self.drawn:
            why = "it was not drawn" if event.is_drawn else "the seat has declared itself ready"
            raise self._error(f"{event}, but {why}")
        self._leave(event, (tile,))
        if self._declares:
            if self.away(seat) != 1:
                raise self._error(f"{event}: declared, but the hand is not ready")
            self.ready[seat], self._declares, self._is_to_stand = True, False, True
        self.rivers[seat].append(tile)
        self.drawn, self.offered, self.waits = NO_TILE, tile, Waits.ANSWER

    def _call(self, event: Event) -> None:
        self._expect(event, Waits.ANSWER)
        seat, tile = event.seat, event.tile
        if seat == self.turn or event.other != self.turn or tile != self.offered:
            raise self._error(f"{event}, but {TILE_NAMES[self.offered]} of seat {self.turn} lies")
        if self.ready[seat]:
            raise self._error(f"{event}, but it has declared itself ready")
        kinds = sorted([KIND_OF[tile], *(KIND_OF[held] for held in event.tiles)])
        if event.did is Did.CHOW:
            first = kinds[0]
            if kinds != [first, first + 1, first + 2] or first not in self.ruling.tiles.chow_starts:
                raise self._error(f"{event}: no chow")
            if seat != (self.turn + 1) % self.ruling.seats or self.ruling.seats == 3:
                raise self._error(f"{event}: only the next seat of four may chow")
        elif len(set(kinds)) > 1 or len(kinds) != 3 + (event.did is Did.KONG):
            raise self._error(f"{event}: no {event.did}")
        self._leave(event, event.tiles)
        self.melds[seat].append(Laid(event.did, (*event.tiles, tile)))
        self.turn, self.offered = seat, NO_TILE
        self.waits = Waits.REPLACEMENT if event.did is Did.KONG else Waits.DISCARD

    def _own_kong(self, event: Event) -> None:
        self._own_turn(event, Waits.ACTION)
        seat, tile = event.seat, event.tile
        if event.did is Did.CLOSED_KONG:
            if len(event.tiles) != 4 or {KIND_OF[held] for held in event.tiles} != {KIND_OF[tile]}:
                raise self._error(f"{event}: no kong")
            self._leave(event, event.tiles)
            self.melds[seat].append(Laid(event.did, event.tiles))
        else:
            pongs = [
                place
                for place, laid in enumerate(self.melds[seat])
                if laid.did is Did.PONG and KIND_OF[laid.tiles[0]] == KIND_OF[tile]
            ]
            if not pongs:
                raise self._error(f"{event}, but it has no such pong")
            self._leave(event, (tile,))
            laid = self.melds[seat][pongs[0]]
            self.melds[seat][pongs[0]] = Laid(event.did, (*laid.tiles, tile))
        self.drawn, self.offered, self.waits = NO_TILE, tile, Waits.REPLACEMENT

    def _north(self, event: Event) -> None:
        self._own_turn(event, Waits.ACTION)
        if self.ruling.seats != 3 or event.tile != NORTH_KIND:
            raise self._error(f"{event}: only three players set a north aside")
        self._leave(event, (event.tile,))
        self.melds[event.seat].append(Laid(event.did, (event.tile,)))
        self._norths[event.seat] += 1
        self.drawn, self.offered, self.waits = NO_TILE, event.tile, Waits.REPLACEMENT

    def _declare(self, event: Event) -> None:
        self._own_turn(event, Waits.ACTION, Waits.DISCARD)
        seat = event.seat
        if self.ready[seat] or self._declares:
            raise self._error(f"{event}: declared before")
        is_open = any(laid.did not in (Did.CLOSED_KONG, Did.NORTH) for laid in self.melds[seat])
        if is_open and self.ruling.ready_closed:
            raise self._error(f"{event}, but it has called")
        self._declares, self.waits = True, Waits.DISCARD

    def _stands(self, event: Event) -> None:
        self._expect(event, Waits.ANSWER)
        if event.seat != self.turn or not self.ready[event.seat]:
            raise self._error(f"{event}: it has not declared")

    def _dora(self, event: Event) -> None:
        self._turn_up(event.tile)

    def _win(self, event: Event) -> None:
        seat, tile = event.seat, event.tile
        if self.waits is Waits.END and event.other in (seat, -1):
            raise self._error(f"{event} after the end")
        if event.other == seat:
            self._own_turn(event, Waits.ACTION)
            if tile != self.drawn:
                raise self._error(f"{event}, but {TILE_NAMES[self.drawn]} was drawn")
            away = self.away(seat)
        else:
            self._expect(event, Waits.ANSWER, Waits.REPLACEMENT, Waits.END)
            if seat == self.turn or event.other != self.turn or tile != self.offered:
                raise self._error(f"{event}, but no such tile of seat {event.other} lies")
            self.kinds[seat][KIND_OF[tile]] += 1
            away = self.away(seat)
            self.kinds[seat][KIND_OF[tile]] -= 1
        if away:
            raise self._error(f"{event}, but its hand is {away} away from a win")
        self.waits = Waits.END

    def _drawn_game(self, event: Event) -> None:
        if self.waits is Waits.END:
            raise self._error(f"{event} after the end")
        self.waits = Waits.END


_APPLY: Final = {
    Did.DRAW: RoundTable._draw,
    Did.DISCARD: RoundTable._discard,
    Did.CHOW: RoundTable._call,
    Did.PONG: RoundTable._call,
    Did.KONG: RoundTable._call,
    Did.CLOSED_KONG: RoundTable._own_kong,
    Did.ADDED_KONG: RoundTable._own_kong,
    Did.NORTH: RoundTable._north,
    Did.READY: RoundTable._declare,
    Did.READY_STANDS: RoundTable._stands,
    Did.DORA: RoundTable._dora,
    Did.WIN: RoundTable._win,
    Did.DRAWN: RoundTable._drawn_game,
}


def replayed(deal: Round, ruling: Ruling) -> Iterator[tuple[RoundTable, Event]]:
    """Yield the table before each event, and the event; the end is checked too.

    The table is one object that goes on: what is kept of it must be copied.

    Examples
    --------
    >>> none = Round(wind=0, number=1, dealer=0, points=(), hands=((0,) * 13,) * 4, events=())
    >>> list(replayed(none, Ruling()))
    Traceback (most recent call last):
    mjopt.errors.LogError: East 1, turn 1: a fifth 1m
    """
    table = RoundTable(deal, ruling)
    for event in deal.events:
        yield table, event
        table.apply(event)
    table.finish()


def check_round(deal: Round, ruling: Ruling) -> Round:
    """Return a round that adds up."""
    for _ in replayed(deal, ruling):
        pass
    return deal


def check_game(game: Game) -> Game:
    """Return a game whose rounds add up, and whose points go from round to round."""
    for deal in game.rounds:
        check_round(deal, game.ruling)
    check_points(game)
    return game


def check_points(game: Game) -> None:
    """Refuse a game whose points do not go from round to round."""
    before: list[int] | None = None
    for deal in game.rounds:
        if before is not None and before != list(deal.points):
            told = f"{list(deal.points)} points, but the round before leaves {before}"
            raise LogError(f"{deal.name}: {told}")
        before = None
        if len(deal.change) == len(deal.points):
            before = [sum(pair) for pair in zip(deal.points, deal.change, strict=True)]
            for event in deal.events:
                if event.did is Did.READY_STANDS:
                    before[event.seat] -= DEPOSIT
