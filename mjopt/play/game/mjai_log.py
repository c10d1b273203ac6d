"""Export recorded games as mjai JSON lines."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from mjopt.hands.notation.mjai import SYMBOLS
from mjopt.play.game.moves import Action
from mjopt.play.game.public_state import Event
from mjopt.play.game.record import Record, read_record
from mjopt.play.game.replay import replay_steps
from mjopt.play.game.rules import NUM_SEATS
from mjopt.play.game.state import Ending, Outcome, State

Message = dict[str, Any]

HIDDEN: Final = "?"
OFFERS: Final = (Action.DISCARD, Action.READY, Action.ADDED_KONG)
CALLS = {Action.CHOW: "chi", Action.PONG: "pon", Action.KONG: "daiminkan"}
DRAWN_GAMES = {Ending.WALL_EMPTY: "fanpai", Ending.FOUR_KONGS: "suukantsu"}


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
    RecordError
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
        "dora_marker": "?",
        "scores": [0] * NUM_SEATS,
        "tehais": [[SYMBOLS[names[kind]] for kind in hand] for hand in record.hands],
    }
    state = before = offer = None
    for state, events in replay_steps(record):
        for event in events:
            is_drawn = before is not None and before.drawn == event.kind
            yield from messages_of(event, offer=offer, is_drawn=is_drawn, names=names)
            offer = event if event.action in OFFERS else offer
        before = state
    if state is not None and state.outcome is not None:
        yield from _of_end(state.outcome, state)
    yield {"type": "end_kyoku"}
    yield {"type": "end_game"}


def messages_of(
    event: Event, *, offer: Event | None, is_drawn: bool, names: Sequence[str]
) -> Iterator[Message]:
    """Yield the messages of an event that is no end of a game.

    Parameters
    ----------
    event
        The event. The tile of a draw may be hidden.
    offer
        The last discard or added kong before the event, if any.
    is_drawn
        Whether a discard is the tile just drawn.
    names
        The names of the tile kinds.
    """
    signs = [*(SYMBOLS[name] for name in names), HIDDEN]  # NO_KIND is the last
    actor = {"actor": event.seat}
    pai = {"pai": signs[event.kind]}
    match event.action:
        case Action.DRAW:
            yield {"type": "tsumo", **actor, **pai}
        case Action.DISCARD | Action.READY:
            if event.action is Action.READY:
                yield {"type": "reach", **actor}
            yield {"type": "dahai", **actor, **pai, "tsumogiri": is_drawn}
            if event.action is Action.READY:
                yield {"type": "reach_accepted", **actor}
        case Action.CHOW | Action.PONG | Action.KONG if offer is not None:
            rest = [event.kind] * (3 if event.action is Action.KONG else 2)
            if event.action is Action.CHOW:
                rest = [kind for kind in range(event.kind, event.kind + 3) if kind != offer.kind]
            yield {
                "type": CALLS[event.action],
                **actor,
                "target": offer.seat,
                "pai": signs[offer.kind],
                "consumed": [signs[kind] for kind in rest],
            }
        case Action.CLOSED_KONG:
            yield {"type": "ankan", **actor, "consumed": [signs[event.kind]] * 4}
        case Action.ADDED_KONG:
            yield {"type": "kakan", **actor, **pai, "consumed": [signs[event.kind]] * 3}


def _of_end(outcome: Outcome, state: State) -> Iterator[Message]:
    deltas = list(outcome.scores)
    if not outcome.winners:
        reason = DRAWN_GAMES.get(outcome.ending, "fault")
        yield {"type": "ryukyoku", "reason": reason, "deltas": deltas, "scores": deltas}
        return
    sign = SYMBOLS[state.table.rules.tiles.names[outcome.kind]]
    for winner in outcome.winners:
        # The last winner carries the points of all winners.
        points = deltas if winner == outcome.winners[-1] else [0] * NUM_SEATS
        yield {
            "type": "hora",
            "actor": winner,
            "target": winner if outcome.by_own_draw else outcome.payer,
            "pai": sign,
            "deltas": points,
            "scores": points,
        }
