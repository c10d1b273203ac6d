"""Records of riichi hands: one line, a list of mjai messages, which every reader of mjai reads."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from mjopt._internal.sanitize import short_repr
from mjopt._internal.strict_json import read_json
from mjopt._internal.validation import as_whole, expect, expect_all
from mjopt.errors import FileError
from mjopt.play.game.events import KIND_OF, Event
from mjopt.play.game.mjai_messages import DRAW_REASONS, WINDS, Message, is_message, tile_of
from mjopt.play.game.moves import Action
from mjopt.play.game.record import Record, read_record
from mjopt.play.game.rules import NUM_SEATS, RIICHI_GAME, SEATS, GameRules
from mjopt.play.game.state import Ending
from mjopt.play.game.wall import WORDS
from mjopt.play.riichi.actions import DRAWS
from mjopt.play.riichi.rules import engine_version
from mjopt.play.riichi.values import win_values

_AROUND: Final = 3  # messages besides those of the hand: start_game, end_kyoku, end_game


@dataclass(frozen=True, slots=True, kw_only=True)
class RiichiRecord:
    """A recorded hand of riichi as read from its line, not yet replayed."""

    names: tuple[str, ...]  # the players by seat
    seed: int  # of the wall, as is the game number
    game: int
    engine: str  # the engine that played it, with its version
    messages: tuple[Message, ...]  # of the hand, start_kyoku first
    fault: str = ""  # the fault that ended it, or empty

    @property
    def rules(self) -> GameRules:
        """The rules, those of riichi."""
        return RIICHI_GAME

    @property
    def dealer(self) -> int:
        """The seat that drew first."""
        return int(self.messages[0]["oya"])

    @property
    def events(self) -> tuple[Event, ...]:
        """The wins, in turn order after the payer; no other events."""
        return tuple(
            Event(m["actor"], Action.WIN, tile_of(m["pai"]), m["target"]) for m in self.wins
        )

    @property
    def wins(self) -> list[Message]:
        """The messages of the wins."""
        return [message for message in self.messages if message["type"] == "hora"]

    @property
    def ending(self) -> str:
        """How the hand ended; a robbed kong is a discard here, a replacement tile an own draw."""
        if not self.wins:
            reason = self.messages[-1]["reason"]
            return DRAW_REASONS[reason] if reason in DRAWS.values() else Ending.FAULT
        is_own = self.wins[0]["actor"] == self.wins[0]["target"]
        return Ending.OWN_DRAW if is_own else Ending.DISCARD

    @property
    def scores(self) -> tuple[int, ...]:
        """The change of points of each seat."""
        pairs = zip(self.messages[-1]["scores"], self.start["points"], strict=True)
        return tuple(after - before for after, before in pairs)

    @property
    def hands(self) -> tuple[tuple[int, ...], ...]:
        """The four hands as dealt, kinds without red fives, by seat."""
        signs = self.messages[0]["tehais"]
        return tuple(tuple(KIND_OF[tile_of(sign)] for sign in hand) for hand in signs)

    @property
    def start(self) -> dict[str, Any]:
        """The position of the hand, as the arguments of a table."""
        first = self.messages[0]
        return {
            "dealer": first["oya"],
            "wind": WINDS.index(first["bakaze"]),
            "number": first["kyoku"],
            "honba": first["honba"],
            "sticks": first["kyotaku"],
            "points": tuple(first["scores"]),
        }


def read_line(line: str) -> Record | RiichiRecord:
    """Parse the record of a hand by any rules; FileError if the line is not a record.

    Examples
    --------
    >>> read_line("[1]")
    Traceback (most recent call last):
    mjopt.errors.FileError: not the record of a riichi hand, expected a list of mjai messages ...
    """
    return read_riichi(line) if is_riichi(line) else read_record(line)


def is_riichi(line: str) -> bool:
    """Return whether a line is meant as the record of a riichi hand."""
    return line.lstrip().startswith("[")


def write_messages(
    messages: Sequence[Message],
    names: Sequence[str],
    *,
    seed: int | None,
    game: int | None,
    fault: str = "",
) -> str:
    """Write a hand as one line."""
    head: Message = {
        "type": "start_game",
        "names": list(expect_all(names, str, "names")),
        "rules": RIICHI_GAME.name,
        "engine": engine_version(),
    }
    if seed is not None and game is not None:
        head |= {"seed": seed, "game": game}
    expect(fault, str, "fault")
    if fault:
        head["fault"] = fault
    lines = [head, *messages, {"type": "end_kyoku"}, {"type": "end_game"}]
    return json.dumps(lines, separators=(",", ":"))


def read_riichi(line: str) -> RiichiRecord:
    """Parse the line of a hand; FileError if it is not a record of a riichi hand.

    Examples
    --------
    >>> read_riichi("[]")
    Traceback (most recent call last):
    mjopt.errors.FileError: not the record of a riichi hand, expected a list of mjai messages ...
    """
    expect(line, str, "line")
    try:
        document = read_json(line.strip())
    except ValueError as error:
        raise FileError(f"{short_repr(line)} is not JSON: {error}") from None
    try:
        return _parse(document)
    except (KeyError, TypeError, ValueError, IndexError, FileError):
        raise FileError(
            "not the record of a riichi hand",
            expected=f"a list of mjai messages with rules {RIICHI_GAME.name}, engine, seed, game",
        ) from None


def _parse(document: Any) -> RiichiRecord:
    head, *messages = document
    if not (all(map(is_message, document)) and len(messages) >= _AROUND):
        raise ValueError
    record = RiichiRecord(
        names=tuple(head["names"]),
        seed=head["seed"],
        game=head["game"],
        engine=head["engine"],
        messages=tuple(messages[: 1 - _AROUND]),
        fault=head.get("fault", ""),
    )
    start = record.start
    texts = (*record.names, record.engine, record.fault)
    numbers = (record.seed, record.game, start["honba"], start["sticks"], *start["points"])
    is_sound = (
        head["rules"] == RIICHI_GAME.name
        and all(isinstance(text, str) for text in texts)
        and all(as_whole(number) == number for number in numbers)
        and min(record.seed, record.game, start["honba"], start["sticks"]) >= 0
        and max(record.seed, record.game) < WORDS
        and len(record.names) == len(start["points"]) == NUM_SEATS
        and start["dealer"] in SEATS
        and start["number"] in range(1, NUM_SEATS + 1)
        and all(as_whole(points) == points for points in record.scores)
        and {seat for win in record.wins for seat in (win["actor"], win["target"])} <= {*SEATS}
        and all(event.tile >= 0 for event in record.events)
        and isinstance(record.ending, str)
        and all(as_whole(n) == n for win in win_values(record.messages) for n in (win.han, win.fu))
    )
    if not is_sound:
        raise ValueError
    return record
