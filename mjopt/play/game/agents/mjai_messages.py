"""The view of a seat as mjai messages."""

from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from mjopt.hands.notation.mjai import SYMBOLS
from mjopt.play.game.mjai_log import DRAWN_GAMES, HIDDEN, OFFERS, messages_of
from mjopt.play.game.moves import NO_KIND, Action, Move, after_call, with_copies
from mjopt.play.game.observation import View
from mjopt.play.game.public_state import Event, Phase
from mjopt.play.game.rules import HAND_SIZE, NUM_SEATS, SEATS
from mjopt.play.game.state import Ending

Message = dict[str, Any]

MARKER: Final = "N"
"""The dora indicator sent: these rules have no dora, and public bots refuse a hidden indicator."""

POINTS: Final = 25_000
DISCARDS: Final = (Action.DISCARD, Action.READY)
CALLS: Final = (Action.CHOW, Action.PONG, Action.KONG)


@dataclass(slots=True)
class Feed:
    """State of the messages that a program received in the current game."""

    rng: np.random.Generator
    seat: int
    events: tuple[Event, ...] = ()
    offer: Event | None = None  # the last discard or added kong, until the next draw
    held: list[Message] = field(default_factory=list)  # to be sent before the next event
    has_declared: bool = False  # the program, also where the rules know no declaration
    is_drawn: bool = False  # whether its last discard is the tile just drawn


def deal_message(view: View) -> Message:
    """Return the message that begins the round.

    The view does not tell which tiles the seat drew before. If a program joins a game, each of
    its draws is taken to be the tile that it used next, so that its hand is right.
    """
    hand = with_copies(view.hand, view.drawn, -1) if view.drawn != NO_KIND else view.hand
    tile, has_drawn = NO_KIND, False
    for event in view.table.events:
        if event.seat == view.seat:
            if event.action in CALLS:
                none = (0,) * len(hand)
                used = after_call(none, Move(event.action, event.kind), tile)
                hand = tuple(held - copies for held, copies in zip(hand, used, strict=True))
            elif event.action is Action.CLOSED_KONG:
                hand = with_copies(hand, event.kind, 3)
            elif event.action in DISCARDS and not has_drawn:
                hand = with_copies(hand, event.kind, 1)
            has_drawn = event.action is Action.DRAW
        if event.action in DISCARDS:
            tile = event.kind
    signs = [SYMBOLS[name] for name in view.tiles.names]
    own = [signs[kind] for kind, copies in enumerate(hand) for _ in range(copies)]
    return {
        "type": "start_kyoku",
        "bakaze": "E",
        "kyoku": view.table.dealer + 1,
        "honba": 0,
        "kyotaku": 0,
        "oya": view.table.dealer,
        "dora_marker": MARKER,
        "scores": [POINTS] * NUM_SEATS,
        "tehais": [own if seat == view.seat else [HIDDEN] * HAND_SIZE for seat in SEATS],
    }


def new_messages(feed: Feed, view: View) -> list[Message]:
    """Return the messages of the events since the last decision."""
    names, events, begin = view.tiles.names, view.table.events, len(feed.events)
    messages, feed.held = feed.held, []
    used = view.drawn  # by the next own event, backwards
    tiles = dict[int, int]()
    for place in reversed(range(begin, len(events))):
        if events[place].seat == feed.seat:
            tiles[place] = used if events[place].action is Action.DRAW else events[place].kind
            used = events[place].kind
    for place, event in enumerate(events[begin:], begin):
        is_own = event.seat == feed.seat
        if event.action is Action.WIN:
            messages = [m for m in messages if m["type"] != "reach_accepted"]
            target = event.seat if feed.offer is None else feed.offer.seat
            win = {"type": "hora", "actor": event.seat, "target": target}
            messages.append({**win, "pai": SYMBOLS[names[event.kind]]})
        elif event.action is Action.FAULT:
            messages.append({"type": "ryukyoku", "reason": "fault"})
        is_drawn = feed.is_drawn if place == begin else _follows_draw(events, place)
        written = list(
            messages_of(
                event._replace(kind=tiles[place]) if is_own else event,
                offer=feed.offer,
                is_drawn=is_own and is_drawn,
                names=names,
            )
        )
        if is_own and feed.has_declared and event.action in DISCARDS:
            feed.has_declared = False
            accepted = {"type": "reach_accepted", "actor": feed.seat}
            written = [*(m for m in written if m["type"] == "dahai"), accepted]
        messages += written
        if event.action in OFFERS:
            feed.offer = event
        elif event.action is Action.DRAW:
            feed.offer = None
    if messages and messages[-1]["type"] == "reach_accepted":
        feed.held = [messages.pop()]  # the discard may be won first
    if view.phase is Phase.OVER and events[-1].action not in (Action.WIN, Action.FAULT):
        ending = Ending.FOUR_KONGS if view.table.live else Ending.WALL_EMPTY
        messages.append({"type": "ryukyoku", "reason": DRAWN_GAMES[ending]})
    feed.events = events
    return messages


def _follows_draw(events: tuple[Event, ...], place: int) -> bool:
    """Return whether an event is the first of its seat after a draw."""
    return place > 0 and events[place - 1] == Event(events[place].seat, Action.DRAW, NO_KIND)
