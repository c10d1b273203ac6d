"""The view of a seat as mjai messages."""

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from mjopt.play.game.events import CALLS, DISCARDS, Event
from mjopt.play.game.mjai_log import ENDS
from mjopt.play.game.mjai_messages import (
    HIDDEN,
    REASONS,
    START_POINTS,
    Message,
    messages_of,
    sign_of,
)
from mjopt.play.game.moves import NO_KIND, Action, with_copies
from mjopt.play.game.observation import View
from mjopt.play.game.public_state import Phase
from mjopt.play.game.rules import HAND_SIZE, NUM_SEATS, RIICHI_GAME, SEATS
from mjopt.play.game.state import Ending

MARKER: Final = "N"
"""The dora indicator sent: these rules have no dora, and public bots refuse a hidden indicator."""


@dataclass(slots=True)
class Feed:
    """State of the messages that a program received in the current game."""

    rng: np.random.Generator
    seat: int
    events: tuple[Event, ...] = ()
    held: list[Message] = field(default_factory=list)  # to be sent before the next event
    has_declared: bool = False  # the program, also where the rules know no declaration
    is_drawn: bool = False  # whether its last discard is the tile just drawn
    num_sent: int = 0  # messages of a riichi table


def deal_message(view: View) -> Message:
    """Return the message that begins the round.

    The view does not tell which tiles the seat drew before. If a program joins a game, each of
    its draws is taken to be the tile that it used next, so that its hand is right.
    """
    hand = with_copies(view.hand, view.drawn, -1) if view.drawn != NO_KIND else view.hand
    has_drawn = False
    for event in view.table.events:
        if event.seat != view.seat:
            continue
        if event.action in CALLS:
            for kind in event.tiles:
                hand = with_copies(hand, kind, 1)
        elif event.action is Action.CLOSED_KONG:
            hand = with_copies(hand, event.kind, 3)
        elif event.action in DISCARDS and not has_drawn:
            hand = with_copies(hand, event.kind, 1)
        has_drawn = event.action is Action.DRAW
    names = view.tiles.names
    own = [sign_of(kind, names) for kind, copies in enumerate(hand) for _ in range(copies)]
    return {
        "type": "start_kyoku",
        "bakaze": "E",
        "kyoku": view.table.dealer + 1,
        "honba": 0,
        "kyotaku": 0,
        "oya": view.table.dealer,
        "dora_marker": MARKER,
        "scores": [START_POINTS] * NUM_SEATS,
        "tehais": [own if seat == view.seat else [HIDDEN] * HAND_SIZE for seat in SEATS],
    }


def new_messages(feed: Feed, view: View) -> list[Message]:
    """Return the messages of the events since the last decision."""
    if view.rules == RIICHI_GAME:
        return _table_messages(feed, view)
    names, events, begin = view.tiles.names, view.table.events, len(feed.events)
    messages, feed.held = feed.held, []
    used = view.drawn  # by the next own event, backwards
    tiles = dict[int, int]()
    for place in reversed(range(begin, len(events))):
        if events[place].seat == feed.seat:
            if events[place].action is Action.DRAW:
                tiles[place] = used
            used = events[place].kind
    for place in range(begin, len(events)):
        event = events[place].plain
        is_own = event.seat == feed.seat
        if event.action is Action.WIN:
            messages = [m for m in messages if m["type"] != "reach_accepted"]
        elif event.action is Action.FAULT:
            messages.append({"type": "ryukyoku", "reason": "fault"})
            continue
        if is_own:
            is_drawn = feed.is_drawn if place == begin else _follows_draw(events, place)
            event = event._replace(tile=tiles.get(place, event.tile), is_drawn=is_drawn)
        written = list(messages_of(event, names))
        if is_own and feed.has_declared and event.action in DISCARDS:
            feed.has_declared = False
            accepted: Message = {"type": "reach_accepted", "actor": feed.seat}
            written = [*(m for m in written if m["type"] == "dahai"), accepted]
        messages += written
    if messages and messages[-1]["type"] == "reach_accepted":
        feed.held = [messages.pop()]  # the discard may be won first
    if view.phase is Phase.OVER and events[-1].action not in ENDS:
        ending = Ending.FOUR_KONGS if view.table.live else Ending.WALL_EMPTY
        messages.append({"type": "ryukyoku", "reason": REASONS[ending]})
    feed.events = events
    return messages


def _table_messages(feed: Feed, view: View) -> list[Message]:
    """Return the new messages of a riichi table, which writes them itself."""
    messages = list(view.messages[feed.num_sent :])
    if feed.has_declared and messages and messages[0]["type"] == "reach":
        del messages[0]  # the program was sent it when it declared
    feed.num_sent, feed.has_declared = len(view.messages), False
    feed.events = view.table.events
    return messages


def _follows_draw(events: tuple[Event, ...], place: int) -> bool:
    """Return whether an event is the first of its seat after a draw."""
    return place > 0 and events[place - 1] == Event(events[place].seat, Action.DRAW)
