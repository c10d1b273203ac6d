"""Actions of the engine as moves, and its endings."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from mjopt.errors import GameError
from mjopt.hands.tiles import COPIES
from mjopt.play.game.events import KIND_OF, RED_OF, Event, by_kind
from mjopt.play.game.moves import NO_KIND, Action, Move
from mjopt.play.game.state import RoundState
from mjopt.play.riichi.wall import from_engine

if TYPE_CHECKING:
    from jansou.game.actions import Action as EngineAction
    from jansou.game.events import Call

ORDER: Final = (
    Action.WIN,
    *(Action.KONG, Action.PONG, Action.CHOW, Action.CLOSED_KONG, Action.ADDED_KONG),
    *(Action.DISCARD, Action.READY, Action.DRAWN_GAME, Action.PASS),
)
"""The order of moves, as at other tables; a drawn game for nine kinds comes last."""

DRAWS: Final = {
    "EXHAUSTIVE": "fanpai",
    "NAGASHI": "nagashimangan",
    "NINE_TERMINALS": "kyushukyuhai",
    "FOUR_WINDS": "sufonrenta",
    "FOUR_RIICHI": "suchareach",
    "FOUR_KANS": "suukaikan",
    "TRIPLE_RON": "sanchaho",
}
"""The reasons in mjai by the engine's kinds of draws."""

ACTIONS: Final = {
    "Tsumo": Action.WIN,
    "Ron": Action.WIN,
    "OpenKan": Action.KONG,
    "Pon": Action.PONG,
    "Chii": Action.CHOW,
    "ClosedKan": Action.CLOSED_KONG,
    "AddedKan": Action.ADDED_KONG,
    "Discard": Action.DISCARD,
    "Riichi": Action.READY,
    "NineTerminals": Action.DRAWN_GAME,
    "Pass": Action.PASS,
}
"""The actions by the names of the engine's classes."""

_CALLS: Final = {"CHII": Action.CHOW, "PON": Action.PONG, "DAIMINKAN": Action.KONG}
"""The calls by the engine's types of melds."""


def answers_of(actions: Iterable["EngineAction"], state: RoundState) -> dict[Move, "EngineAction"]:
    """Return the moves that the actions of a decision make possible, in order.

    Moves are of kinds, actions of tiles: a red five is discarded last and called first, and of
    two equal tiles the drawn one is discarded.
    """
    answers: dict[Move, EngineAction] = {}
    for action in sorted(actions, key=_preference):
        answers.setdefault(_move_of(action, state), action)
    moves = sorted(answers, key=lambda move: (ORDER.index(move.action), move.kind))
    return {move: answers[move] for move in moves}


def _preference(action: Any) -> tuple[int, bool]:
    match type(action).__name__:
        case "Discard" | "Riichi":
            return int(action.tile.red), not action.tsumogiri
        case "Chii" | "Pon":
            return -sum(tile.red for tile in action.tiles), False
    return 0, False


def _move_of(action: Any, state: RoundState) -> Move:
    """Return the move of an action; GameError for one that this table does not know."""
    offered = state.table.tile
    name = type(action).__name__
    if name not in ACTIONS:
        raise GameError(f"the engine offers {name}", expected="an action that this table knows")
    match name:
        case "Tsumo":
            kind = KIND_OF[state.drawn]
        case "Ron" | "OpenKan" | "Pon":
            kind = offered
        case "Chii":
            kind = min(offered, *(int(tile.kind) for tile in action.tiles))
        case "ClosedKan":
            kind = int(action.kind)
        case "AddedKan" | "Discard" | "Riichi":
            kind = int(action.tile.kind)
        case _:
            kind = NO_KIND
    return Move(ACTIONS[name], kind)


def kong_event(action: Any, seat: int, state: RoundState) -> Event | None:
    """Return the event of a closed or added kong, None of other actions.

    The engine reports it after the seats that may rob it have answered: they must see it.
    """
    match type(action).__name__:
        case "AddedKan":
            return Event(seat, Action.ADDED_KONG, from_engine(action.tile))
        case "ClosedKan":
            kind = int(action.kind)
            has_red = kind in RED_OF and state.held(seat, RED_OF[kind])
            tiles = [kind] * (COPIES - has_red) + [RED_OF.get(kind, NO_KIND)] * has_red
            return Event(seat, Action.CLOSED_KONG, kind, tiles=tuple(tiles))
    return None


def call_event(call: "Call", state: RoundState) -> Event | None:
    """Return the event of a chow, pong or kong of a discard; None of a kong of one's own tiles."""
    action = _CALLS.get(call.meld_type.name)
    if action is None:
        return None
    offered = state.table.events[-1].tile
    tiles = list(map(from_engine, call.tiles))
    tiles.remove(offered)
    return Event(call.caller, action, offered, call.source, by_kind(tiles))
