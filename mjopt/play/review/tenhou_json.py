"""Read tenhou.net/6 JSON: draws and discards by seat, without the order between seats."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any, Final

from mjopt._internal.sanitize import short_repr
from mjopt.errors import FileError
from mjopt.hands.tiles import FULL
from mjopt.play.game.events import KONGS, RED, by_kind
from mjopt.play.game.log import (
    MALFORMED,
    MOST_UNREAD,
    LogGame,
    LogRound,
    LogRules,
    check_points,
    check_range,
    no_round,
    read_optional,
    riichi_rules,
)
from mjopt.play.game.log_repair import repair_round
from mjopt.play.game.log_sequence import is_next, points_after
from mjopt.play.game.moves import NO_KIND, Action
from mjopt.play.game.state import Ending
from mjopt.play.review.round_order import Entry, RoundResult, Special, Track, orders, tile_of

NAME: Final = "tenhou-json"
WON: Final = "和了"
Part = LogGame | FileError
"""The rounds of a document, or the error."""

ABOUT_GAME: Final = ("ref", "title", "name", "rule")
"""Entries of a document that are the same in all documents of a game."""

FOURTH_HAND: Final = 13  # index in a round; empty or absent with three players
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
    "流局": Ending.WALL_EMPTY,
    "全員聴牌": Ending.WALL_EMPTY,
    "全員不聴": Ending.WALL_EMPTY,
    "流し満貫": Ending.MANGAN,
    "九種九牌": Ending.NINE_KINDS,
    "四風連打": Ending.FOUR_WINDS,
    "四槓散了": Ending.FOUR_KONGS,
    "四家立直": Ending.FOUR_READY,
    "三家和了": Ending.THREE_WINNERS,
    "三家和": Ending.THREE_WINNERS,
}


def read_games(
    documents: Iterable[tuple[int, object]],
) -> Iterator[tuple[int, LogGame | FileError]]:
    """Yield the games of documents of one or more rounds each, with the line of the first.

    Each document comes with its line, and may be the error that it could not be parsed. It begins
    another game if its reference, title, players or rules differ from those before it, or if its
    first round does not follow. Rounds of named players may be missing or repeated; those of
    unnamed players must be consecutive, and their points must fit.
    """
    first, num_errors, facts = 1, 0, dict[str, object]()
    parts: list[Part] = []
    for line, document in documents:
        given = _facts(document)
        part = _game_or_error(document, facts)
        is_same = all(facts.get(name, value) == value for name, value in given.items())
        num_errors += isinstance(part, FileError)
        is_next_part = is_same and num_errors <= MOST_UNREAD and _continues(parts, part, facts)
        if parts and not is_next_part:
            yield first, _join(parts)
            parts, facts, num_errors = [], {}, 0
        first = first if parts else line
        parts.append(part)
        facts |= given
    if parts:
        yield first, _join(parts)


def _facts(document: object) -> dict[str, object]:
    """Return what a document says about its whole game."""
    if not isinstance(document, dict):
        return {}
    return {name: document[name] for name in ABOUT_GAME if document.get(name)}


def _game_or_error(document: object, facts: Mapping[str, object]) -> Part:
    if isinstance(document, FileError):
        return document
    try:
        return read(document, facts)
    except FileError as error:
        return error


def _continues(parts: Sequence[Part], part: Part, facts: Mapping[str, object]) -> bool:
    """Return whether a part with the same players belongs to a game."""
    names = facts.get("name")
    is_named = isinstance(names, list) and any(names)
    before = next((each for each in reversed(parts) if isinstance(each, LogGame)), None)
    if before is None or isinstance(part, FileError):
        return is_named
    last, deal = before.rounds[-1], part.rounds[0]
    if before.rules != part.rules:
        return False
    if is_named:
        return deal.label > last.label or deal == last
    return is_next(last, deal) and points_after(last) in (None, deal.points)


def _join(parts: Sequence[Part]) -> Part:
    """Return the game of all parts, or the first error if none can be read."""
    games, rounds = list[LogGame](), list[LogRound]()
    unread, flaws = list[str](), list[str]()
    for part in parts:
        if isinstance(part, FileError):
            unread.append(str(part))
        else:
            games.append(part)
            rounds += part.rounds
            unread += part.unread
            flaws += part.flaws
    first = parts[0]
    if len(unread) > MOST_UNREAD or not games:
        return first if isinstance(first, FileError) else FileError(unread[0])
    return replace(games[0], rounds=tuple(rounds), unread=tuple(unread), flaws=tuple(flaws))


def read(document: object, facts: Mapping[str, object] = MappingProxyType({})) -> LogGame:
    """Read a document of one or more rounds.

    ``facts`` are the players and rules of the game if the document does not say them.
    """
    if not isinstance(document, dict) or not isinstance(document.get("log"), list):
        raise FileError("no 'log' in a document of tenhou.net/6")
    log = document["log"]
    names = document.get("name") or facts.get("name") or ()
    flaws = list[str]()
    if not isinstance(names, list | tuple):
        error = FileError(
            argument="name", value=short_repr(names), expected="the names of the players"
        )
        flaws.append(f"{error}: ignored")
        names = ()
    seats, rule = _num_seats(names, log), document.get("rule") or facts.get("rule")
    try:
        rules = _rules(rule, seats)
    except FileError as error:
        flaws.append(f"{error}: ignored")
        rules = riichi_rules(seats)
    rounds, unread = list[LogRound](), list[FileError]()
    for number, deal in enumerate(log, start=1):
        try:
            rounds.append(_round(deal, rules))
            continue
        except FileError as error:
            problem = error
        except MALFORMED:
            problem = FileError("not a round of tenhou.net/6")
        problem.locate(f"round {number} of the log")
        unread.append(problem)
        if len(unread) > MOST_UNREAD:
            break
    dealt = {tile for deal in rounds for hand in deal.hands for tile in hand}
    if rules.reds == (0, 0, 0) and max(dealt, default=0) >= RED:
        flaws.append("the rule has no red fives, but hands hold some: ignored")
        rules = riichi_rules(seats)
    if not rounds or len(unread) > MOST_UNREAD:
        raise unread[0] if unread else no_round(flaws)
    return LogGame(
        form=NAME,
        names=(*map(str, names), "", "", "", "")[: rules.seats],
        rules=rules,
        rounds=tuple(rounds),
        unread=tuple(map(str, unread)),
        flaws=tuple(flaws),
    )


def _num_seats(names: Sequence[object], log: Sequence[object]) -> int:
    """Count the seats that hold tiles; the fourth hand of three players is empty or absent."""
    deals = [deal for deal in log if isinstance(deal, list)]
    if not deals:
        return 3 if len(names) == 3 else 4
    return 4 if any(any(deal[FOURTH_HAND:-1]) for deal in deals) else 3


def _rules(rule: object, seats: int) -> LogRules:
    """Return the rules of a document; without ``aka`` the tiles show which fives are red."""
    given = rule if isinstance(rule, dict) else {}  # tournament lobbies give a list of texts
    if not any(key in given for key in ("aka", "aka51", "aka52", "aka53")):
        return riichi_rules(seats)
    reds = [given.get(f"aka{red}", 1 if given.get("aka") else 0) for red in (51, 52, 53)]
    if not all(isinstance(red, int) and 0 <= red <= 4 for red in reds):
        raise FileError(f"red fives {short_repr(reds)}", expected="0..4 of each suit")
    return riichi_rules(seats, (reds[0], reds[1], reds[2]))


def _entry(value: object) -> Entry:
    """Parse an entry; return an error if it is none, which ends the round where it comes."""
    try:
        return _parse_entry(value)
    except FileError as error:
        return error


def _parse_entry(value: object) -> int | Special:
    """Parse an entry; plain numbers remain codes, since 60 and 0 are no tiles."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if not isinstance(value, str) or not 3 <= len(value) <= 9:
        raise FileError(f"{value!r:.40} is no draw, discard or call")
    place = next((i for i, letter in enumerate(value) if letter in LETTERS), -1)
    digits = value[:place] + value[place + 1 :]
    if place < 0 or place % 2 or not digits.isdecimal() or not digits.isascii() or len(digits) % 2:
        raise FileError(f"{value!r} is no draw, discard or call")
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
    seats, number, unknown = rules.seats, int(head[0]), list[FileError]()
    optional = partial(read_optional, unknown)
    tracks = tracks_of(data, seats)
    result = optional(lambda: result_of(data, seats), RoundResult((), False, None, ()), "result")
    codes = dora if isinstance(dora, list) else []
    if not codes:
        unknown.append(FileError(f"dora {short_repr(dora)}, expected the indicators"))
    first, *others = [optional(partial(tile_of, code), NO_KIND, "dora") for code in codes] or [
        NO_KIND
    ]
    indicators = tuple(tile for tile in others if tile != NO_KIND)
    base = LogRound(
        wind=number // 4,
        number=number % 4 + 1,
        honba=optional(lambda: check_range("honba", int(head[1])), 0, "honba"),
        sticks=optional(lambda: check_range("sticks", int(head[2])), 0, "deposits"),
        dealer=number % 4,
        points=optional(lambda: check_points([*map(int, points[:seats])], seats), (), "points"),
        dora=first,
        hands=tuple(by_kind(map(tile_of, rest[3 * seat])) for seat in range(seats)),
        events=(),
        draw_reason=result.draw_reason,
        change=result.change,
    )
    base = replace(base, flaws=tuple(f"{base.name}: {error}: ignored" for error in unknown))
    found = list(orders(tracks, base.dealer, result, indicators))
    found = [order for order in found if not order.cut] or found
    candidates = [
        replace(base, events=order.events, cut=order.cut and f"{base.name}: {order.cut}")
        for order in found
    ]
    if len(candidates) > 1:  # a single candidate is replayed later, with the game
        ranks = [_rank(repair_round(deal, rules)[0]) for deal in candidates]
        pairs = zip(candidates, ranks, strict=True)
        candidates = [deal for deal, rank in pairs if rank == min(ranks)]
    num_kongs = sum(event.action in KONGS for event in candidates[0].events)
    if len(indicators) > num_kongs and not candidates[0].cut:
        text = f"{base.name}: {len(indicators)} more indicators, but {num_kongs} kongs: ignored"
        candidates = [replace(deal, flaws=(*deal.flaws, text)) for deal in candidates]
    return candidates[0] if candidates[0].cut else _with_ambiguity_note(candidates)


def _rank(repaired: LogRound) -> tuple[bool, int, int]:
    """Return a rank that is lowest for the reading that explains most."""
    return bool(repaired.cut), -len(repaired.events), len(repaired.flaws)


def tracks_of(deal: Sequence[Any], seats: int) -> list[Track]:
    """Return the track of each seat."""
    tracks = [
        Track(tuple(map(_entry, drawn)), tuple(map(_entry, discarded)))
        for drawn, discarded in (deal[5 + 3 * seat : 7 + 3 * seat] for seat in range(seats))
    ]
    if any(len(entries) > FULL.num_tiles for track in tracks for entries in track):
        raise FileError(f"more than {FULL.num_tiles} draws or discards of one seat")
    return tracks


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


def result_of(deal: Sequence[Any], seats: int) -> RoundResult:
    """Return the result of a round."""
    if not isinstance(deal[-1], list):
        raise FileError("result missing or malformed")
    word, *rest = deal[-1]
    if word == WON:
        wins = tuple((int(win[0]), int(win[1])) for win in rest[1::2])
        if not wins:
            raise FileError("a win without a winner")
        changes = [tuple(map(int, change))[:seats] for change in rest[::2]]
        return RoundResult(wins, False, None, tuple(map(sum, zip(*changes, strict=True))))
    change = tuple(map(int, rest[0]))[:seats] if rest else (0,) * seats
    return RoundResult((), True, DRAW_REASONS.get(word), change)
