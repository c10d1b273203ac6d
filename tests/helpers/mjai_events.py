"""Logged games as the mjai messages that one seat receives."""

from collections.abc import Iterator
from typing import Any

from mjopt.play.game.events import Event
from mjopt.play.game.log import LogGame, LogRound
from mjopt.play.game.mjai_messages import ACTIONS, sign_of
from mjopt.play.game.moves import Action

WORDS = {action: word for word, action in ACTIONS.items() if word != "kita"}
HIDDEN = ["?"] * 13
WITH_TARGET = (Action.CHOW, Action.PONG, Action.KONG, Action.WIN)
WITHOUT_TILE = (Action.READY, Action.READY_STANDS, Action.CLOSED_KONG)


def messages_for(game: LogGame, seat: int) -> Iterator[dict[str, Any]]:
    """Yield the messages of a game; tiles that the seat does not see are hidden."""
    yield {"type": "start_game", "names": list(game.names), "id": seat}
    for deal in game.rounds:
        yield _start(deal, seat)
        pongs: dict[tuple[int, int], list[str]] = {}
        for event in deal.events:
            yield _message(event, seat, pongs)
        yield {"type": "end_kyoku"}
    yield {"type": "end_game"}


def _start(deal: LogRound, seat: int) -> dict[str, Any]:
    return {
        "type": "start_kyoku",
        "bakaze": "ESWN"[deal.wind],
        "kyoku": deal.number,
        "honba": deal.honba,
        "kyotaku": deal.sticks,
        "oya": deal.dealer,
        "dora_marker": sign_of(deal.dora),
        "scores": list(deal.points),
        "tehais": [
            [sign_of(tile) for tile in hand] if other == seat else HIDDEN
            for other, hand in enumerate(deal.hands)
        ],
    }


def _message(event: Event, seat: int, pongs: dict[tuple[int, int], list[str]]) -> dict[str, Any]:
    if event.action is Action.DORA:
        return {"type": "dora", "dora_marker": sign_of(event.tile)}
    if event.action is Action.DRAWN_GAME:
        return {"type": "ryukyoku"}
    message: dict[str, Any] = {"type": WORDS[event.action], "actor": event.seat}
    if event.action not in WITHOUT_TILE:
        is_hidden = event.action is Action.DRAW and event.seat != seat
        message["pai"] = "?" if is_hidden else sign_of(event.tile)
    if event.action is Action.DISCARD:
        message["tsumogiri"] = event.is_drawn
    if event.action in WITH_TARGET:
        message["target"] = event.other
    if event.tiles:
        message["consumed"] = [sign_of(tile) for tile in event.tiles]
    place = event.seat, event.tile if event.tile < 34 else (4, 13, 22)[event.tile - 34]
    if event.action is Action.PONG:
        pongs[place] = [message["pai"], *message["consumed"]]
    if event.action is Action.ADDED_KONG:
        message["consumed"] = pongs[place]
    return message
