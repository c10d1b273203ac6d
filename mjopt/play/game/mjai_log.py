"""Games as mjai JSON lines, one message a line: read logs, and export records."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, cast

from mjopt.errors import FileError
from mjopt.play.game.events import Event
from mjopt.play.game.log import MALFORMED, LogGame
from mjopt.play.game.log_repair import TILES_AND_TURNS
from mjopt.play.game.mjai_messages import (
    ACTIONS,
    HIDDEN,
    REASONS,
    Message,
    MessageReader,
    is_message,
    messages_of,
    round_label,
    sign_of,
)
from mjopt.play.game.moves import Action
from mjopt.play.game.record import Record, read_record
from mjopt.play.game.replay import replay_steps
from mjopt.play.game.rules import NUM_SEATS
from mjopt.play.game.state import Outcome

NAME: Final = "mjai"
ENDS: Final = (Action.WIN, Action.FAULT)
OF_TILES: Final = frozenset(
    ("start_kyoku", *(kind for kind, action in ACTIONS.items() if action in TILES_AND_TURNS))
)
"""Types of messages that decisions need."""


def read(messages: Iterable[object]) -> LogGame:
    """Read a game from messages, or errors in place of them.

    A message that cannot be read may be one that no decision needs: if it was not, the next one is
    out of turn. Two in a row end the round.
    """
    reader = MessageReader()
    is_unread = False
    for number, message in enumerate(messages, start=1):
        kind = message["type"] if is_message(message) else ""
        if reader.skips and kind != "start_kyoku":
            continue
        was_unread, is_unread = is_unread, not kind
        try:
            if isinstance(message, FileError):
                raise message
            reader.read(message)
        except FileError as error:
            if error is not message:
                error.locate(position=number, unit="message")
            if kind in OF_TILES or (is_unread and (was_unread or reader.deal is None)):
                reader.cut_round(error)
            else:
                reader.ignore(error)
    return reader.game(NAME)


def label_of(message: object) -> tuple[int, int, int] | None:
    """Return wind, number and counters of a ``start_kyoku``, or None if it is malformed."""
    try:
        return round_label(cast("Message", message))
    except MALFORMED:
        return None


def mjai_lines(line: str | Record) -> list[str]:
    """Return a record as mjai messages, one JSON document per line.

    Seat 0 is mjai's first player. These rules have no dora: its marker is ``?``.
    Points are basic scores and start at 0. A forfeited game ends in
    ``ryukyoku`` with the reason ``fault``.

    Parameters
    ----------
    line
        A line written by :func:`mjopt.play.game.write_record`.

    Raises
    ------
    FileError
        If the line is not a record, or the record breaks the rules.

    Examples
    --------
    >>> from mjopt.play.game import M0_RULES, legal_moves, shuffle_wall, start, step, write_record
    >>> state = start(M0_RULES, shuffle_wall(1, 0, M0_RULES.tiles))
    >>> while not state.is_over:
    ...     state = step(state, legal_moves(state)[-1])
    >>> lines = mjai_lines(write_record(state, names=["a", "b", "c", "d"], seed=1, game=0))
    >>> lines[0]
    '{"type":"start_game","names":["a","b","c","d"]}'
    >>> lines[2]
    '{"type":"tsumo","actor":0,"pai":"3s"}'
    """
    record = line if isinstance(line, Record) else read_record(line)
    return [
        json.dumps(message, separators=(",", ":"), ensure_ascii=False)
        for message in _messages(record)
    ]


def _messages(record: Record) -> Iterator[Message]:
    names = record.rules.tiles.names
    yield {"type": "start_game", "names": list(record.names)}
    yield {
        "type": "start_kyoku",
        "bakaze": "E",
        "kyoku": record.dealer + 1,
        "honba": 0,
        "kyotaku": 0,
        "oya": record.dealer,
        "dora_marker": HIDDEN,
        "scores": [0] * NUM_SEATS,
        "tehais": [[sign_of(kind, names) for kind in hand] for hand in record.hands],
    }
    state = drawn = None
    for state, events in replay_steps(record):
        for event in events:
            if event.action not in ENDS:
                yield from messages_of(event._replace(is_drawn=drawn == event.tile), names)
        drawn = state.drawn
    if state is not None and state.outcome is not None:
        yield from _of_end(state.outcome, names)
    yield {"type": "end_kyoku"}
    yield {"type": "end_game"}


def _of_end(outcome: Outcome, names: Sequence[str]) -> Iterator[Message]:
    deltas = list(outcome.scores)
    if not outcome.winners:
        reason = REASONS.get(outcome.ending, "fault")
        yield {"type": "ryukyoku", "reason": reason, "deltas": deltas, "scores": deltas}
        return
    for winner in outcome.winners:
        # The last winner carries the points of all winners.
        points = deltas if winner == outcome.winners[-1] else [0] * NUM_SEATS
        giver = winner if outcome.by_own_draw else outcome.payer
        [message] = messages_of(Event(winner, Action.WIN, outcome.kind, giver), names)
        yield {**message, "deltas": points, "scores": points}
