"""Moves as mjai actions, and the actions that a server names as possible."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from mjopt._internal.sanitize import short_repr
from mjopt.errors import FileError
from mjopt.hands.blocks import pong
from mjopt.play.game.events import KIND_OF, RED_OF, by_kind, event_of
from mjopt.play.game.mjai_messages import WORDS, Message, messages_of, sign_of, tile_of
from mjopt.play.game.moves import PASS, Action, Move
from mjopt.play.game.observation import View
from mjopt.play.game.public_state import Phase
from mjopt.play.mjai.seat import Seat

NAMED: Final = frozenset(WORDS) - {Action.DRAW, Action.DISCARD}
"""The actions that a server may list as possible."""


def permitted(message: Message, moves: tuple[Move, ...], view: View) -> tuple[Move, ...]:
    """Return those of the certainly legal moves that the server allows, if its message names them.

    In the message, which is the last event, ``possible_actions`` lists actions other than discards,
    and ``cannot_dahai`` tiles that must not be discarded.
    """
    kinds = {KIND_OF[tile_of(sign)] for sign in _list_of(message, "cannot_dahai") or ()}
    kept = tuple(
        move
        for move in moves
        if (move.action not in NAMED or is_possible(message, WORDS[move.action]))
        and (move.action is not Action.DISCARD or move.kind not in kinds)
    )
    is_named = _list_of(message, "possible_actions") is not None
    if (
        is_named
        and is_possible(message, "hora")
        and not any(move.action is Action.WIN for move in kept)
    ):
        kind = view.drawn if view.phase is Phase.TURN else view.tile
        return (Move(Action.WIN, kind), *(kept or (PASS,)))
    return kept


def is_possible(message: Message, word: str) -> bool:
    """Return whether a server allows a type of action: it names it, or names none at all.

    Examples
    --------
    >>> is_possible({}, "pon"), is_possible({"possible_actions": [{"type": "chi"}]}, "pon")
    (True, False)
    """
    named = _list_of(message, "possible_actions")
    if named is None:
        return True
    return any(isinstance(action, dict) and action.get("type") == word for action in named)


def _list_of(message: Message, name: str) -> list[Any] | None:
    """Return the list in a field, or None if it is absent or null; FileError for other values."""
    value: object = message.get(name)
    if value is None or isinstance(value, list):
        return value
    raise FileError(argument=name, value=short_repr(value), expected="a list")


def write_action(move: Move, seat: Seat) -> Message:
    """Return a legal move of a seat at its decision as an mjai action.

    A red five stays in the hand if another five can be discarded, and goes into a meld first.
    """
    if move == PASS:
        return {"type": "none"}
    state, number = seat.round, seat.number
    assert state is not None
    assert number is not None
    table, action = state.table, move.action
    is_claim = seat.phase in (Phase.CLAIM, Phase.ROB)
    event = event_of(number, move, table.tile, table.turn if is_claim else -1)
    if action is Action.DISCARD:
        [tile] = [state.drawn] if table.ready[number] else state.pick(number, [move.kind])
        is_drawn = seat.phase is Phase.TURN and tile == state.drawn
        event = event._replace(tile=tile, is_drawn=is_drawn)
    elif action is Action.WIN:
        event = event._replace(tile=state.offered if is_claim else state.drawn)
    else:
        tiles = _from_hand(seat, event.laid)
        if action is Action.ADDED_KONG:
            [meld] = [m for m in table.melds[number] if m.block == pong(move.kind)]
            [message] = messages_of(event._replace(tile=tiles[0]))
            return {**message, "consumed": [sign_of(tile) for tile in by_kind(meld.tiles)]}
        event = event._replace(tiles=tiles)
        if action is not Action.CLOSED_KONG:
            event = event._replace(tile=state.offered)
    [message] = messages_of(event)
    return message


def _from_hand(seat: Seat, kinds: Sequence[int]) -> tuple[int, ...]:
    """Return tiles of some kinds from the hand, red fives first."""
    assert seat.round is not None
    held = Counter(seat.round.tiles(seat.number or 0))
    tiles = []
    for kind in kinds:
        red = RED_OF.get(kind, kind)
        tiles.append(red if held[red] else kind)
        held[tiles[-1]] -= 1
    return by_kind(tiles)
