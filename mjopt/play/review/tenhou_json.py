"""Read tenhou.net/6 JSON: draws and discards by seat, without the order between seats."""

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import replace
from itertools import islice
from typing import Any, Final, NamedTuple

from mjopt._internal.sanitize import short_repr
from mjopt.errors import FileError
from mjopt.hands.tiles import FULL
from mjopt.play.game.events import CALLS, KIND_OF, RED, TILE_NAMES, Event, by_kind
from mjopt.play.game.log import (
    MALFORMED,
    NORTH_KIND,
    DrawReason,
    LogGame,
    LogRound,
    LogRules,
    last_tile,
    riichi_rules,
)
from mjopt.play.game.log_replay import check_round
from mjopt.play.game.moves import NO_KIND, Action

NAME: Final = "tenhou-json"
WON: Final = "和了"
DRAWN_TILE: Final = 60  # the drawn tile is discarded
MOST_ORDERS: Final = 256  # maximum number of orders tried per round
FOURTH_HAND: Final = 13  # index in a round; empty or absent with three players
DRAWN, DISCARDED = 0, 1  # indices of a track
LETTERS: Final = {
    "c": Action.CHOW,
    "p": Action.PONG,
    "m": Action.KONG,
    "a": Action.CLOSED_KONG,
    "k": Action.ADDED_KONG,
    "f": Action.NORTH,
    "r": Action.READY,
}
DRAW_REASONS: Final = {
    "流局": DrawReason.WALL_EMPTY,
    "全員聴牌": DrawReason.WALL_EMPTY,
    "全員不聴": DrawReason.WALL_EMPTY,
    "流し満貫": DrawReason.MANGAN,
    "九種九牌": DrawReason.NINE_KINDS,
    "四風連打": DrawReason.FOUR_WINDS,
    "四槓散了": DrawReason.FOUR_KONGS,
    "四家立直": DrawReason.FOUR_READY,
    "三家和了": DrawReason.THREE_WINNERS,
    "三家和": DrawReason.THREE_WINNERS,
}


class Special(NamedTuple):
    """An entry of a track other than a plain tile: a call, a kong or a declaration."""

    action: Action
    tile: int  # the tile after the letter: called, added, set aside or discarded
    held: tuple[int, ...]  # the other tiles
    place: int  # position of the letter, in tiles


Entry = int | Special


class Track(NamedTuple):
    """The draws and calls, and the discards and kongs, of one seat in order."""

    drawn: tuple[Entry, ...]
    discarded: tuple[Entry, ...]


class RoundResult(NamedTuple):
    """The result of a round."""

    wins: tuple[tuple[int, int], ...]  # winner and giver
    draw_reason: DrawReason | None
    change: tuple[int, ...]


def read(documents: Sequence[object]) -> LogGame:
    """Read a game from documents with one or more rounds each."""
    rounds: list[LogRound] = []
    rules, names = LogRules(), tuple[str, ...](("", "", "", ""))
    for document in documents:
        if not isinstance(document, dict) or not isinstance(document.get("log"), list):
            raise FileError("no 'log' in a document of tenhou.net/6")
        given = document.get("name") or names
        if not isinstance(given, list | tuple):
            raise FileError(
                argument="name", value=short_repr(given), expected="the names of the players"
            )
        rules = _rules(document.get("rule"), given, document["log"])
        names = tuple(map(str, given))[: rules.seats]
        for deal in document["log"]:
            where = f"round {len(rounds) + 1} of the log"
            try:
                rounds.append(_round(deal, rules))
            except FileError as error:
                error.locate(where)
                raise
            except MALFORMED:
                raise FileError(f"{where}: not a round of tenhou.net/6") from None
    if not rounds:
        raise FileError("no round in the log")
    return LogGame(form=NAME, names=names, rules=rules, rounds=tuple(rounds))


def _rules(rule: object, names: Sequence[object], log: list[object]) -> LogRules:
    """Return the rules of a document; without ``aka`` the tiles show which fives are red."""
    if isinstance(rule, dict):
        three = "三" in str(rule.get("disp", ""))
    else:  # tournament lobbies give a list of texts, in which "三" may be part of a name
        three = all(isinstance(deal, list) and not any(deal[FOURTH_HAND:-1]) for deal in log)
    seats = 3 if three or len(names) == 3 else 4
    given = rule if isinstance(rule, dict) else {}
    if not any(key in given for key in ("aka", "aka51", "aka52", "aka53")):
        return riichi_rules(seats)
    reds = [given.get(f"aka{red}", 1 if given.get("aka") else 0) for red in (51, 52, 53)]
    if not all(isinstance(red, int) and 0 <= red <= 4 for red in reds):
        raise FileError(f"red fives {short_repr(reds)}")
    return riichi_rules(seats, (reds[0], reds[1], reds[2]))


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


def _entry(value: object) -> Entry:
    """Parse an entry; plain numbers remain codes, since 60 and 0 are no tiles."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if not isinstance(value, str) or not 3 <= len(value) <= 9:
        raise FileError(f"{value!r:.40} is no entry")
    place = next((i for i, letter in enumerate(value) if letter in LETTERS), -1)
    digits = value[:place] + value[place + 1 :]
    if place < 0 or place % 2 or not digits.isdecimal() or not digits.isascii() or len(digits) % 2:
        raise FileError(f"{value!r} is no entry")
    action = LETTERS[value[place]]
    codes = [int(digits[i : i + 2]) for i in range(0, len(digits), 2)]
    if action is Action.READY:
        return Special(action, codes[0], (), 0)  # a code, possibly 60
    place //= 2
    tiles = [tile_of(code) for code in codes]
    tile = tiles.pop(min(place, len(tiles) - 1))
    return Special(action, tile, by_kind(tiles), place)


def _round(data: Sequence[Any], rules: LogRules) -> LogRound:
    head, points, dora, _, *rest = data
    number, honba, sticks = map(int, head)
    tracks, result = tracks_of(data, rules.seats)
    first, *indicators = [tile_of(code) for code in dora] or [NO_KIND]
    base = LogRound(
        wind=number // 4,
        number=number % 4 + 1,
        honba=honba,
        sticks=sticks,
        dealer=number % 4,
        points=tuple(map(int, points[: rules.seats])),
        dora=first,
        hands=tuple(by_kind(map(tile_of, rest[3 * seat])) for seat in range(rules.seats)),
        events=(),
        draw_reason=result.draw_reason,
        change=result.change,
    )
    candidates, errors = list[LogRound](), list[FileError]()
    for events in orders(tracks, base.dealer, result, tuple(indicators)):
        if isinstance(events, FileError):
            errors.append(events)
        else:
            candidates.append(replace(base, events=events))
    if len(candidates) > 1:  # a single candidate is replayed later, with the game
        for deal in candidates.copy():
            try:
                check_round(deal, rules)
            except FileError as error:
                errors.append(error)
                candidates.remove(deal)
    if not candidates:
        raise errors[0]
    return _with_ambiguity_note(candidates)


def tracks_of(deal: Sequence[Any], seats: int) -> tuple[list[Track], RoundResult]:
    """Return the track of each seat, and the result of the round."""
    tracks = [
        Track(tuple(map(_entry, drawn)), tuple(map(_entry, discarded)))
        for drawn, discarded in (deal[5 + 3 * seat : 7 + 3 * seat] for seat in range(seats))
    ]
    if any(len(entries) > FULL.num_tiles for track in tracks for entries in track):
        raise FileError(f"more than {FULL.num_tiles} draws or discards of one seat")
    return tracks, _result(deal[-1], seats)


def _with_ambiguity_note(candidates: list[LogRound]) -> LogRound:
    """Return the first reading of a round, with a note on the first difference to another."""
    first, *others = candidates
    if not others:
        return first
    pairs = enumerate(zip(first.events, others[0].events, strict=False))
    at, (event, other) = next((at, pair) for at, pair in pairs if pair[0] != pair[1])
    note = (
        f"event {at + 1}: the log does not say which of two equal tiles was called: "
        f"read as '{event}', it could be '{other}' ({len(candidates)} ways in all)"
    )
    return replace(first, notes=(note,))


def _result(data: Sequence[Any], seats: int) -> RoundResult:
    word, *rest = data
    if word == WON:
        wins = tuple((int(win[0]), int(win[1])) for win in rest[1::2])
        if not wins:
            raise FileError("a win without a winner")
        changes = [tuple(map(int, change))[:seats] for change in rest[::2]]
        return RoundResult(wins, None, tuple(map(sum, zip(*changes, strict=True))))
    change = tuple(map(int, rest[0]))[:seats] if rest else (0,) * seats
    return RoundResult((), DRAW_REASONS.get(word, DrawReason.UNTOLD), change)


def orders(
    tracks: Sequence[Track], dealer: int, result: RoundResult, indicators: tuple[int, ...]
) -> Iterator[tuple[Event, ...] | FileError]:
    """Yield every possible order of the events of all seats.

    A discard that a seat can call next is tried as called first. An impossible order is
    yielded as the error that explains it.

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

    def orders(self, caller: int | None = None) -> Iterator[tuple[Event, ...] | FileError]:
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
            yield error

    def _copy(self) -> "_RoundOrder":
        other = copy(self)
        other.indicators, other.events = self.indicators.copy(), self.events.copy()
        other.done = self.done[0].copy(), self.done[1].copy()
        return other

    def _peek(self, part: int, seat: int) -> Entry | None:
        """Return the next entry of a part of a track, or None at its end."""
        entries, at = self.tracks[seat][part], self.done[part][seat]
        return entries[at] if at < len(entries) else None

    def _next(self, part: int) -> Entry | None:
        entry = self._peek(part, self.turn)
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

    def _discard(self, entry: Entry, drawn: int) -> int:
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

    def _end(self) -> tuple[Event, ...]:
        if not self._is_over():
            raise FileError(f"the round ends at seat {self.turn}, but tiles remain")
        if not self.result.wins:
            self.events.append(Event(-1, Action.DRAWN_GAME))
        for winner, giver in self.result.wins:
            self.events.append(Event(winner, Action.WIN, last_tile(self.events), other=giver))
        return tuple(self.events)
