"""Find the order of play in tenhou.net/6 JSON, which lists draws and discards by seat."""

from collections.abc import Iterator, Sequence
from copy import copy
from itertools import islice
from typing import Final, NamedTuple

from mjopt.errors import FileError
from mjopt.play.game.events import CALLS, KIND_OF, RED, TILE_NAMES, Event, by_kind
from mjopt.play.game.log import NORTH_KIND, last_tile
from mjopt.play.game.moves import NO_KIND, Action
from mjopt.play.game.state import Ending

DRAWN_TILE: Final = 60  # the drawn tile is discarded
MOST_ORDERS: Final = 256  # maximum number of orders tried per round
DRAWN, DISCARDED = 0, 1  # indices of a track


class Special(NamedTuple):
    """An entry of a track other than a plain tile: a call, a kong or a declaration."""

    action: Action
    tile: int  # the tile after the letter: called, added, set aside or discarded
    held: tuple[int, ...]  # the other tiles
    place: int  # position of the letter, in tiles


Entry = int | Special | FileError


class Track(NamedTuple):
    """The draws and calls, and the discards and kongs, of one seat in order."""

    drawn: tuple[Entry, ...]
    discarded: tuple[Entry, ...]


class RoundResult(NamedTuple):
    """The result of a round; neither wins nor a draw if it is unknown."""

    wins: tuple[tuple[int, int], ...]  # winner and giver
    is_drawn: bool
    draw_reason: Ending | None
    change: tuple[int, ...]


class Order(NamedTuple):
    """The events of all seats in order."""

    events: tuple[Event, ...]
    cut: str = ""  # why the order is impossible after them


def tile_of(code: int) -> int:
    """Return the tile of a code: 11 to 47, or 51 to 53 for red fives.

    Examples
    --------
    >>> [TILE_NAMES[tile_of(code)] for code in (11, 29, 47, 52)]
    ['1m', '9p', '7z', '0p']
    """
    suit, rank = divmod(code, 10) if isinstance(code, int) else (0, 0)
    if suit == 5 and 1 <= rank <= 3:
        return RED + rank - 1
    if not (1 <= suit <= 4 and 1 <= rank <= (7 if suit == 4 else 9)):
        raise FileError(f"{code} is no tile", expected="11 to 47 or 51 to 53")
    return 9 * (suit - 1) + rank - 1


def orders(
    tracks: Sequence[Track], dealer: int, result: RoundResult, indicators: tuple[int, ...]
) -> Iterator[Order]:
    """Yield every possible order of the events of all seats.

    A discard that a seat can call next is tried as called first. An impossible order is
    yielded up to the event that is impossible.

    ``dealer`` draws first; ``indicators`` are those revealed during the round.
    """
    return islice(_RoundOrder(tracks, result, dealer, indicators).orders(), MOST_ORDERS)


class _RoundOrder:
    """A partial order of the events of all seats, extended by backtracking."""

    def __init__(
        self, tracks: Sequence[Track], result: RoundResult, turn: int, indicators: Sequence[int]
    ) -> None:
        self.tracks, self.result, self.turn = tracks, result, turn
        self.indicators = list(indicators)
        self.done = [0] * len(tracks), [0] * len(tracks)  # entries used of each track
        self.events: list[Event] = []
        self.dora_due = False  # whether the next discard or kong reveals an indicator

    def orders(self, caller: int | None = None) -> Iterator[Order]:
        """Yield every completion after a call by ``caller``, or after the next draw."""
        try:
            draws = caller is None or self._call(caller)
            while True:
                drawn = self._draw() if draws else NO_KIND
                entry = None if drawn is None else self._next(DISCARDED)
                if drawn is None or entry is None:
                    break
                draws = True
                if isinstance(entry, Special) and entry.action is not Action.READY:
                    self._own_kong(entry)
                    continue
                tile = self._discard(entry, drawn)
                for seat in self._callers(tile):
                    yield from self._copy().orders(seat)
                self.turn = (self.turn + 1) % len(self.tracks)
            yield self._end()
        except FileError as error:
            yield Order(tuple(self.events), str(error))

    def _copy(self) -> "_RoundOrder":
        other = copy(self)
        other.indicators, other.events = self.indicators.copy(), self.events.copy()
        other.done = self.done[0].copy(), self.done[1].copy()
        return other

    def _peek(self, part: int, seat: int) -> Entry | None:
        """Return the next entry of a part of a track, or None at its end."""
        entries, at = self.tracks[seat][part], self.done[part][seat]
        return entries[at] if at < len(entries) else None

    def _next(self, part: int) -> int | Special | None:
        entry = self._peek(part, self.turn)
        if isinstance(entry, FileError):
            raise entry
        self.done[part][self.turn] += entry is not None
        return entry

    def _draw(self) -> int | None:
        entry = self._next(DRAWN)
        if isinstance(entry, Special):
            name = TILE_NAMES[entry.tile]
            raise FileError(f"seat {self.turn} calls {name}, which no seat has just discarded")
        if entry is None:
            return None
        tile = tile_of(entry)
        self.events.append(Event(self.turn, Action.DRAW, tile))
        return tile

    def _reveal_dora(self) -> None:
        if self.indicators:
            self.events.append(Event(-1, Action.DORA, self.indicators.pop(0)))

    def _reveal_due(self, *, due: bool) -> None:
        """Reveal a delayed indicator, if any, and record whether another one is delayed."""
        if self.dora_due:
            self._reveal_dora()
        self.dora_due = due

    def _own_kong(self, entry: Special) -> None:
        if entry.action in CALLS:
            raise FileError(f"seat {self.turn} discards a {entry.action.word}")
        if entry.action is Action.NORTH and entry.tile != NORTH_KIND:
            raise FileError(f"seat {self.turn} sets {TILE_NAMES[entry.tile]} aside")
        closed = entry.action is Action.CLOSED_KONG
        laid = by_kind((*entry.held, entry.tile)) if closed else ()
        # The kind identifies a closed kong: the tile after the letter has no meaning.
        tile = KIND_OF[entry.tile] if closed else entry.tile
        self.events.append(Event(self.turn, entry.action, tile, tiles=laid))
        self._reveal_due(due=entry.action is Action.ADDED_KONG)
        if closed:
            self._reveal_dora()

    def _discard(self, entry: int | Special, drawn: int) -> int:
        declares = isinstance(entry, Special)
        code = entry.tile if isinstance(entry, Special) else entry
        if declares:
            self.events.append(Event(self.turn, Action.READY))
        is_drawn = code == DRAWN_TILE
        if is_drawn and drawn == NO_KIND:
            raise FileError(f"seat {self.turn} discards its draw, but it has called")
        tile = drawn if is_drawn else tile_of(code)
        self._reveal_due(due=False)
        self.events.append(Event(self.turn, Action.DISCARD, tile, is_drawn=is_drawn))
        if declares and not (self.result.wins and self._is_over()):
            self.events.append(Event(self.turn, Action.READY_STANDS))
        return tile

    def _is_over(self) -> bool:
        seats = range(len(self.tracks))
        return all(self._peek(part, seat) is None for part in (DRAWN, DISCARDED) for seat in seats)

    def _callers(self, tile: int) -> list[int]:
        """Return the seats that may call a discard, pongs before chows."""
        seats = len(self.tracks)
        able: list[tuple[bool, int]] = []
        for step in range(1, seats):
            seat = (self.turn + step) % seats
            entry = self._peek(DRAWN, seat)
            if isinstance(entry, Special) and entry.action in CALLS and entry.tile == tile:
                across = min(entry.place, 2) if entry.action is not Action.CHOW else 0
                if seats == 3 or (seat - 1 - across) % seats == self.turn:
                    able.append((entry.action is Action.CHOW, seat))
        return [seat for _, seat in sorted(able)]

    def _call(self, seat: int) -> bool:
        """Let a seat call the discard; return whether it then draws."""
        giver, self.turn = self.turn, seat
        entry = self._next(DRAWN)
        assert isinstance(entry, Special)
        self.events.append(Event(seat, entry.action, entry.tile, other=giver, tiles=entry.held))
        if entry.action is not Action.KONG:
            return False
        if self._next(DISCARDED) != 0:
            raise FileError(f"seat {seat} calls a kong without a 0 in place of its discard")
        self._reveal_due(due=True)
        return True

    def _end(self) -> Order:
        if not self._is_over():
            raise FileError(f"the round ends at seat {self.turn}, but tiles remain")
        if self.result.is_drawn:
            self.events.append(Event(-1, Action.DRAWN_GAME))
        for winner, giver in self.result.wins:
            self.events.append(Event(winner, Action.WIN, last_tile(self.events), other=giver))
        return Order(tuple(self.events))
