"""The moves of a seat in riichi that are certainly legal."""

from typing import Final

from mjopt.play.game.events import CALLS as CALL_ACTIONS
from mjopt.play.game.events import KONGS
from mjopt.play.game.legal import claims_of, possible_discards, ready_discards, turn_moves
from mjopt.play.game.moves import PASS, Action, Move
from mjopt.play.game.observation import View
from mjopt.play.game.open_hands import value_kinds
from mjopt.play.game.public_state import Phase
from mjopt.play.game.yaku import find_yaku
from mjopt.play.mjai.seat import Seat

CALLS: Final[dict[str, str]] = {
    "never": "no chow, pong or open kong",
    "yaku": "only with a pong or kong of value honours on the table, which is a yaku",
    "free": "as the agent decides: a hand without a yaku then cannot win",
}
"""When an agent may call."""

MOST_KONGS: Final = 4
LEAST_LIVE: Final = 4  # tiles that must be left for a declaration


def legal_moves(seat: Seat, *, calls: str = "yaku") -> tuple[Move, ...]:
    """Return the moves at a decision that every riichi rule allows; empty if there is none.

    ``calls`` is one of :data:`CALLS`. The order is that of :func:`mjopt.play.game.legal_moves`. A
    win needs a certain yaku, and on a discard a hand that is not furiten. There is no kong after a
    declaration and no discard that undoes a call (swap calling).
    """
    view = seat.view()
    if seat.declared:
        return tuple(Move(Action.DISCARD, kind) for kind in _ready_kinds(view))
    if view.phase in (Phase.CLAIM, Phase.ROB):
        moves = claims_of(view.table, view.seat, view.hand)
    else:
        moves = turn_moves(view.table, view.seat, view.hand, view.drawn)
    allowed = tuple(move for move in moves if _is_allowed(seat, view, move, calls))
    return () if allowed == (PASS,) else allowed


def may_declare(seat: Seat, kind: int) -> bool:
    """Return whether the seat may declare riichi and then discard a tile of a kind."""
    view = seat.view()
    return (
        view.phase is Phase.TURN
        and not seat.declared
        and not view.table.ready[view.seat]
        and seat.is_closed
        and seat.can_pay
        and view.table.live >= LEAST_LIVE
        and kind in _ready_kinds(view)
    )


def _ready_kinds(view: View) -> list[int]:
    return ready_discards(view.table, view.seat, view.hand, possible_discards(view.hand))


def _is_allowed(seat: Seat, view: View, move: Move, calls: str) -> bool:
    table = view.table
    if move.action is Action.WIN:
        return _may_win(seat, view)
    if move.action in KONGS and (table.ready[view.seat] or table.num_kongs >= MOST_KONGS):
        return False
    return move.action not in CALL_ACTIONS or _may_call(seat, view, move, calls)


def _may_win(seat: Seat, view: View) -> bool:
    """Return whether a complete hand has a yaku for certain, and no discard made it furiten."""
    state = seat.round
    assert state is not None
    is_own = view.phase is Phase.TURN
    if not is_own and seat.furiten.bars(state, view.seat):
        return False
    return bool(find_yaku(state, view.seat, None if is_own else view.tile))


def _may_call(seat: Seat, view: View, move: Move, calls: str) -> bool:
    if calls != "yaku":
        return calls == "free"
    assert seat.deal is not None
    values = value_kinds(view.seat, view.table.dealer, seat.deal.wind)
    pongs = {meld.kind for meld in view.melds if meld.action is not Action.CHOW}
    if move.action is not Action.CHOW:
        pongs.add(move.kind)
    return bool(pongs & values)
