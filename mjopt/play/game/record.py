"""Game records: one line per game, with numbers for tiles and letters for actions."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final
from urllib.parse import quote, unquote

from mjopt._internal.sanitize import short_repr, shorten
from mjopt._internal.validation import expect, expect_all, whole
from mjopt.errors import ArgumentError, FileError, GameError
from mjopt.hands.tiles import TileSet
from mjopt.play.game.events import DISCARDS, Event, event_of
from mjopt.play.game.moves import NO_KIND, Action, Move
from mjopt.play.game.rules import HAND_SIZE, NUM_SEATS, SEATS, GameRules, read_rules, write_rules
from mjopt.play.game.state import State

VERSION: Final = "game1"
_FIELDS: Final = ("rules", "seed", "game", "dealer", "names", "hands", "moves", "end", "scores")
_MISSING: Final = "-"
_MOST_CHARACTERS: Final = 4000  # of the moves; no game has 400 moves


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A recorded game as read from its line, not yet checked against the rules.

    Parameters
    ----------
    rules
        The rules.
    seed, game
        The seed and game number of the wall, or None.
    dealer
        The seat that drew first.
    names
        The players by seat.
    hands
        The four hands as dealt, kinds ascending, by seat.
    events
        The events; draws include their tiles.
    ending
        The ending, a value of :class:`Ending`.
    scores
        Points by seat.
    fault
        The fault of an agent, or an empty text.

    Examples
    --------
    >>> from mjopt.play.game import M0_RULES, agent_stream, read_record, run_game, shuffle_wall
    >>> from mjopt.play.game.agents import L1
    >>> rngs = [agent_stream(1, 0, seat) for seat in range(4)]
    >>> wall = shuffle_wall(1, 0, M0_RULES.tiles)
    >>> result = run_game([L1()] * 4, wall, rules=M0_RULES, rngs=rngs)
    >>> record = read_record(result.line)
    >>> record.ending, len(record.hands), sum(record.scores)
    ('wall empty', 4, 0)
    """

    rules: GameRules
    seed: int | None
    game: int | None
    dealer: int
    names: tuple[str, ...]
    hands: tuple[tuple[int, ...], ...]
    events: tuple[Event, ...]
    ending: str
    scores: tuple[int, ...]
    fault: str = ""


@cache
def _numbers(tiles: TileSet) -> tuple[tuple[str, ...], dict[str, int]]:
    """Return each tile as two digits, suit number and rank, and the kind of each number."""
    numbers = tuple(f"{n}{rank}" for n, suit in enumerate(tiles.suits) for rank in suit.ranks)
    return numbers, {number: kind for kind, number in enumerate(numbers)}


def to_numbers(kinds: Sequence[int], tiles: TileSet) -> str:
    """Write kinds as two digits each, without separators.

    Examples
    --------
    >>> from mjopt.hands.tiles import FULL
    >>> to_numbers([0, 8, 9, 33], FULL)
    '01091137'
    """
    numbers, _ = _numbers(tiles)
    return "".join(numbers[kind] for kind in kinds)


def kind_of(number: str, tiles: TileSet) -> int:
    """Return the kind of a two-digit number; FileError if the number is no tile of the set.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> kind_of("29", M0)
    26
    >>> kind_of("31", M0)
    Traceback (most recent call last):
    mjopt.errors.FileError: '31' is not a tile of M0, expected a suit 0..2 and a rank 1..9
    """
    kind = _numbers(tiles)[1].get(number)
    if kind is None:
        raise FileError(
            f"{number!r} is not a tile of {tiles.name}",
            expected=f"a suit 0..{len(tiles.suits) - 1} and a rank 1..9",
        )
    return kind


def _quoted(text: str, safe: str) -> str:
    try:
        return quote(text, safe=safe)
    except UnicodeEncodeError:
        raise ArgumentError(short_repr(text), expected="text that UTF-8 can encode") from None


def full_events(state: State, first: int = 0) -> Iterator[Event]:
    """Yield the events from number ``first`` on, with the tiles of draws."""
    events = state.table.events[first:]
    num_draws = sum(event.action is Action.DRAW for event in events)
    draws = iter(state.draws[len(state.draws) - num_draws :])
    for event in events:
        yield event._replace(tile=next(draws)) if event.action is Action.DRAW else event


def dealt_hands(wall: tuple[int, ...], dealer: int, tiles: TileSet) -> str:
    """Write the four dealt hands of a wall, by seat."""
    starts = [HAND_SIZE * ((seat - dealer) % NUM_SEATS) for seat in SEATS]
    return ",".join(to_numbers(sorted(wall[at : at + HAND_SIZE]), tiles) for at in starts)


def write_record(
    state: State,
    *,
    names: Sequence[str],
    seed: int | None = None,
    game: int | None = None,
    fault: str = "",
) -> str:
    """Write a finished game as one line, without a newline.

    Each event has four characters: the seat, the letter of the action (``M`` draws,
    ``D`` discards, ``R`` declares ready with a discard, ``C`` chow, ``P`` pong, ``K``
    kong, ``A`` added kong, ``S`` closed kong, ``H`` wins, ``F`` broke the game) and the
    tile in two digits; for a chow the lowest of its tiles. Passes are not written.

    Parameters
    ----------
    state
        A finished game.
    names
        The players by seat.
    seed, game
        The seed and game number, if the wall is from :func:`mjopt.play.game.shuffle_wall`.
    fault
        The fault of an agent, or an empty text.

    Raises
    ------
    GameError
        If the game is not over.

    Examples
    --------
    >>> from mjopt.play.game import M0_RULES, legal_moves, shuffle_wall, start, step
    >>> state = start(M0_RULES, shuffle_wall(1, 0, M0_RULES.tiles))
    >>> while not state.is_over:
    ...     state = step(state, legal_moves(state)[-1])
    >>> line = write_record(state, names=["last"] * 4, seed=1, game=0)
    >>> line[:38], line[-40:]
    ('game1 rules=m0 seed=1 game=0 dealer=0 ', '253M093D15 end=wall-empty scores=0,0,0,0')
    """
    expect(state, State, "state")
    outcome = state.outcome
    if outcome is None:
        raise GameError("the game is not over, so it has no record")
    expect(fault, str, "fault")
    rules, dealer = state.table.rules, state.table.dealer
    moves = (
        f"{event.seat}{event.action.value}"
        f"{'00' if event.kind == NO_KIND else to_numbers((event.kind,), rules.tiles)}"
        for event in full_events(state)
    )
    values = {
        "rules": write_rules(rules),
        "seed": _MISSING if seed is None else str(whole(seed, "seed")),
        "game": _MISSING if game is None else str(whole(game, "game")),
        "dealer": str(dealer),
        "names": ",".join(_quoted(name, "+@:()") for name in expect_all(names, str, "names")),
        "hands": dealt_hands(state.wall, dealer, rules.tiles),
        "moves": "".join(moves),
        "end": outcome.ending.value.replace(" ", "-"),
        "scores": ",".join(map(str, outcome.scores)),
    }
    if fault:
        values["fault"] = _quoted(fault, "/")
    return f"{VERSION} " + " ".join(f"{key}={value}" for key, value in values.items())


_MOVE: Final = re.compile(r"([0-3])([MDRCPKASHF])([0-9]{2})")
_WHOLE: Final = re.compile(r"[+-]?[0-9]+")


def read_record(line: str) -> Record:
    """Parse a record; :func:`mjopt.play.game.replay` also checks it against the rules.

    Raises
    ------
    FileError
        If the line is not a record; the message names the field and the position in it.

    Examples
    --------
    >>> read_record("game0 rules=m0")
    Traceback (most recent call last):
    mjopt.errors.FileError: begins with 'game0', expected 'game1'
    """
    expect(line, str, "line")
    version, *words = line.split() or [""]
    if version != VERSION:
        raise FileError(f"begins with {short_repr(version)}", expected=repr(VERSION))
    values = dict(word.partition("=")[::2] for word in words)
    if tuple(values) not in (_FIELDS, (*_FIELDS, "fault")) or len(values) != len(words):
        names = shorten(", ".join(values), 120)
        raise FileError(argument="fields", value=names, expected=", ".join(_FIELDS))
    rules = read_rules(values["rules"])
    hands = _four("hands", values["hands"])
    for seat, hand in enumerate(hands):
        if len(hand) != 2 * HAND_SIZE:
            raise FileError(
                f"hand of seat {seat}: {len(hand) / 2:g} tiles", expected=str(HAND_SIZE)
            )
    if values["dealer"] not in ("0", "1", "2", "3"):
        raise FileError(argument="dealer", value=short_repr(values["dealer"]), expected="0..3")
    return Record(
        rules=rules,
        seed=_number("seed", values["seed"]),
        game=_number("game", values["game"]),
        dealer=int(values["dealer"]),
        names=tuple(map(unquote, _four("names", values["names"]))),
        hands=tuple(
            tuple(kind_of(hand[i : i + 2], rules.tiles) for i in range(0, len(hand), 2))
            for hand in hands
        ),
        events=tuple(_events(values["moves"], rules)),
        ending=values["end"].replace("-", " "),
        scores=tuple(_points(text) for text in _four("scores", values["scores"])),
        fault=unquote(values.get("fault", "")),
    )


def _four(what: str, text: str) -> list[str]:
    parts = text.split(",")
    if len(parts) != NUM_SEATS:
        raise FileError(
            f"{len(parts)} parts", argument=what, expected=f"{NUM_SEATS} between commas"
        )
    return parts


def _number(what: str, text: str) -> int | None:
    if text == _MISSING:
        return None
    number = _whole(text)
    if number is None or number < 0:
        raise FileError(argument=what, value=short_repr(text), expected=f"a number or {_MISSING}")
    return number


def _points(text: str) -> int:
    number = _whole(text)
    if number is None:
        raise FileError(short_repr(text), argument="scores", expected="a whole number")
    return number


def _whole(text: str) -> int | None:
    """Parse a whole number; return None if it is malformed or too long for Python."""
    try:
        return int(text) if _WHOLE.fullmatch(text) else None
    except ValueError:
        return None


def _events(text: str, rules: GameRules) -> Iterator[Event]:
    if len(text) > _MOST_CHARACTERS:
        raise FileError(
            f"{len(text)} characters", argument="moves", expected=f"at most {_MOST_CHARACTERS}"
        )
    offered, giver = NO_KIND, -1
    for number, start in enumerate(range(0, len(text), 4), start=1):
        token = text[start : start + 4]
        match = _MOVE.fullmatch(token)
        if not match:
            raise FileError(
                value=repr(token),
                position=number,
                unit="move",
                expected="a seat 0..3, a letter and two digits",
            )
        seat, letter, tile = match.groups()
        try:
            kind = NO_KIND if letter == Action.FAULT else kind_of(tile, rules.tiles)
        except FileError as error:
            error.locate(position=number, unit="move", value=repr(token))
            raise
        action = Action(letter)
        event = event_of(int(seat), Move(action, kind), offered, giver)
        # A call of another tile than the one on offer is no event of the game.
        yield event if event.kind == kind else Event(int(seat), action, kind)
        if action is Action.DRAW:
            offered, giver = NO_KIND, -1
        elif action in (*DISCARDS, Action.ADDED_KONG):
            offered, giver = kind, int(seat)
