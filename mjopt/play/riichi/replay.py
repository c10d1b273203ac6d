"""Replay of recorded riichi hands on the engine, which must write the same messages again."""

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from mjopt._internal.strict_json import read_json
from mjopt.errors import FileError
from mjopt.play.game.game_replay import ReplayedGame, watch, watched
from mjopt.play.game.mjai_log import mjai_lines
from mjopt.play.game.mjai_messages import WORDS, Message, sign_of
from mjopt.play.game.replay import replay
from mjopt.play.game.table import GameTable, HandInPlay
from mjopt.play.riichi.actions import ACTIONS
from mjopt.play.riichi.record import RiichiRecord, is_riichi, read_riichi
from mjopt.play.riichi.rules import engine_version
from mjopt.play.riichi.table import RiichiTable
from mjopt.play.riichi.wall import from_engine, riichi_wall

_BETWEEN: Final = ("reach_accepted", "dora")  # messages before that of an action


def replay_riichi(record: str | RiichiRecord) -> RiichiTable:
    """Play a recorded hand again on the engine, and return the finished table.

    The wall comes from the seed and the game number; decisions that left no message are passes.

    Raises
    ------
    FileError
        If the line is not a record, another version of the engine wrote it, or the replay does
        not give the same messages.

    Examples
    --------
    >>> from mjopt.play.riichi import RiichiTable
    >>> table = RiichiTable(riichi_wall(1, 0))
    >>> while table.to_move is not None:
    ...     table.play(table.options()[0])
    >>> line = table.record(["a", "b", "c", "d"], seed=1, game=0)
    >>> replay_riichi(line).outcome == table.outcome
    True
    """
    found = record if isinstance(record, RiichiRecord) else read_riichi(record)
    if found.engine != (current := engine_version()):
        raise FileError(f"a record of {found.engine}", expected=f"{current}, which is installed")
    if found.messages[-1].get("actor") == -1:
        raise FileError("the engine failed in this hand: nothing to replay")
    table = RiichiTable(riichi_wall(found.seed, found.game), **found.start)
    messages = found.messages
    is_broken = messages[-1].get("reason") == "fault"
    while (seat := table.to_move) is not None:
        made = len(table.messages)
        if table.messages != list(messages[:made]):
            break
        if is_broken and made == len(messages) - 1:
            table.forfeit(messages[-1].get("actor", seat))
            break
        table.act(_choose(table, seat, messages[made:]))
    for number, (own, other) in enumerate(zip(table.messages, messages, strict=False), start=2):
        if own != other:
            raise FileError(f"message {number} ({other['type']}) is not what the engine writes")
    if len(table.messages) != len(messages) or table.outcome is None:
        raise FileError(f"{len(messages)} messages", expected=str(len(table.messages)))
    return table


def _choose(table: RiichiTable, seat: int, coming: Sequence[Message]) -> Any:
    """Return the action that the next message of the record shows."""
    following = [message for message in coming if message["type"] not in _BETWEEN]
    wins = [m for m in following if m["type"] == "hora" and m.get("actor") == seat]
    passes = None
    for action in table.actions:
        name = type(action).__name__
        if name == "Pass":
            passes = action
        elif name == "NineTerminals":
            if _reason(following) == "kyushukyuhai":
                return action
        elif name == "Ron":
            is_first = bool(following) and following[0]["type"] == "hora"
            if (wins and is_first) or _reason(following) == "sanchaho":
                return action
        elif following and _is_of(action, name, seat, following):
            return action
    if passes is None:
        raise FileError(f"seat {seat} cannot do what message {len(table.messages) + 2} says")
    return passes


def _reason(following: Sequence[Message]) -> str:
    """Return why the hand is drawn next; empty if it is not."""
    is_drawn = bool(following) and following[0]["type"] == "ryukyoku"
    return str(following[0].get("reason")) if is_drawn else ""


def _is_of(action: Any, name: str, seat: int, following: Sequence[Message]) -> bool:
    """Return whether the next message is that of an action."""
    message = following[0]
    if message["type"] != WORDS[ACTIONS[name]] or message.get("actor") != seat:
        return False
    if name in ("Discard", "Riichi"):
        discard = following[name == "Riichi"]
        tile = sign_of(from_engine(action.tile))
        return discard.get("pai") == tile and discard.get("tsumogiri") == action.tsumogiri
    if name in ("Chii", "Pon"):
        signs = sorted(sign_of(from_engine(tile)) for tile in action.tiles)
        return sorted(message.get("consumed", ())) == signs
    if name == "AddedKan":
        return message.get("pai") == sign_of(from_engine(action.tile))
    if name == "ClosedKan":
        return sign_of(int(action.kind)) in message.get("consumed", ())
    return True


def watch_line(line: str) -> ReplayedGame:
    """Return the steps of a record by any rules; one of riichi must be without fault.

    FileError if the line is not a record, or one of riichi does not replay.
    """
    if not is_riichi(line):
        return watch(line)
    return _watch_riichi(line)


@lru_cache(maxsize=32)
def _watch_riichi(line: str) -> ReplayedGame:
    return watched(replay_riichi(line).steps, read_riichi(line).names)


def mjai_lines_of(line: str) -> list[str]:
    """Return a record by any rules as mjai messages, one a line; one of riichi is a list of them.

    FileError if the line is not a record, or breaks the rules of this package.
    """
    if not is_riichi(line):
        return mjai_lines(line)
    read_riichi(line)
    messages: Any = read_json(line.strip())
    return [json.dumps(message, separators=(",", ":")) for message in messages]


def replay_line(line: str) -> HandInPlay:
    """Return the finished table of a record by any rules.

    FileError if the line is not a record, or the record breaks the rules.
    """
    if is_riichi(line):
        return replay_riichi(line)
    return GameTable(replay(line))
