"""Moves as mjai actions, and the actions that a server names as possible."""

from collections.abc import Sequence
from typing import Any, Final

from mjopt.play.game.moves import PASS, Action, Move, after_call
from mjopt.play.game.observation import View
from mjopt.play.game.public_state import Phase
from mjopt.play.mjai.seat import Seat
from mjopt.play.review.events import KIND_OF, RED_OF
from mjopt.play.review.mjai_log import SIGNS, tile_of

Message = dict[str, Any]

WORDS: Final = {
    Action.WIN: "hora",
    Action.CHOW: "chi",
    Action.PONG: "pon",
    Action.KONG: "daiminkan",
    Action.CLOSED_KONG: "ankan",
    Action.ADDED_KONG: "kakan",
}
"""The actions that a server may list as possible."""


def permitted(message: Message, moves: tuple[Move, ...], view: View) -> tuple[Move, ...]:
    """Return the moves that the server allows, if its message names them.

    Parameters
    ----------
    message
        The last event: ``possible_actions`` lists actions other than discards, and
        ``cannot_dahai`` tiles that must not be discarded.
    moves
        The moves that are certainly legal.
    view
        The observation of the seat.
    """
    barred: Any = message.get("cannot_dahai") or ()
    kinds = {KIND_OF[tile_of(sign)] for sign in barred}
    kept = tuple(
        move
        for move in moves
        if (move.action not in WORDS or is_possible(message, WORDS[move.action]))
        and (move.action is not Action.DISCARD or move.kind not in kinds)
    )
    is_named = "possible_actions" in message and is_possible(message, "hora")
    if is_named and not any(move.action is Action.WIN for move in kept):
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
    named = message.get("possible_actions")
    if not isinstance(named, list):
        return True
    return any(isinstance(action, dict) and action.get("type") == word for action in named)


def write_action(move: Move, seat: Seat) -> Message:
    """Return a move of a seat as an mjai action.

    A red five stays in the hand if another five can be discarded, and goes into a meld first.

    Parameters
    ----------
    move
        A legal move.
    seat
        The seat at its decision.
    """
    if move == PASS:
        return {"type": "none"}
    state, number = seat.round, seat.number
    assert state is not None
    assert number is not None
    actor = {"actor": number}
    if move.action is Action.DISCARD:
        [tile] = [state.drawn] if state.ready[number] else state.pick(number, [move.kind])
        return {
            "type": "dahai",
            **actor,
            "pai": SIGNS[tile],
            "tsumogiri": seat.phase is Phase.TURN and tile == state.drawn,
        }
    word = {"type": WORDS[move.action], **actor}
    if move.action is Action.WIN:
        is_claim = seat.phase in (Phase.CLAIM, Phase.ROB)
        tile = state.offered if is_claim else state.drawn
        return {**word, "target": state.turn if is_claim else number, "pai": SIGNS[tile]}
    if move.action is Action.CLOSED_KONG:
        return {**word, "consumed": _signs(_from_hand(seat, [move.kind] * 4))}
    if move.action is Action.ADDED_KONG:
        [meld] = [
            meld
            for meld in state.melds[number]
            if {KIND_OF[tile] for tile in meld.tiles} == {move.kind}
        ]
        [tile] = _from_hand(seat, [move.kind])
        return {**word, "pai": SIGNS[tile], "consumed": _signs(meld.tiles)}
    before = tuple(state.concealed(number))
    after = after_call(before, move, KIND_OF[state.offered])
    kinds = [kind for kind, held in enumerate(before) for _ in range(held - after[kind])]
    return {
        **word,
        "target": state.turn,
        "pai": SIGNS[state.offered],
        "consumed": _signs(_from_hand(seat, kinds)),
    }


def _from_hand(seat: Seat, kinds: Sequence[int]) -> list[int]:
    """Return tiles of some kinds from the hand, red fives first."""
    assert seat.round is not None
    held = list(seat.round.hands[seat.number or 0])
    tiles = []
    for kind in kinds:
        red = RED_OF.get(kind, kind)
        tiles.append(red if held[red] else kind)
        held[tiles[-1]] -= 1
    return tiles


def _signs(tiles: Sequence[int]) -> list[str]:
    return [SIGNS[tile] for tile in sorted(tiles, key=lambda tile: (KIND_OF[tile], tile))]
