"""The moves of a seat in riichi that are certainly legal."""

from typing import Final

from mjopt.play.game import events
from mjopt.play.game.legal import claims_of, turn_moves
from mjopt.play.game.moves import PASS, Action, Move, with_copies
from mjopt.play.game.observation import View
from mjopt.play.game.open_hands import value_kinds
from mjopt.play.game.public_state import Phase
from mjopt.play.game.rules import RIICHI_TABLE
from mjopt.play.game.scoring import away
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
OWN_KONGS: Final = (Action.CLOSED_KONG, Action.ADDED_KONG)


def legal_moves(seat: Seat, *, calls: str = "yaku") -> tuple[Move, ...]:
    """Return the moves at a decision that every riichi rule allows; empty if there is none.

    Parameters
    ----------
    seat
        A seat with a decision.
    calls
        One of :data:`CALLS`.

    Returns
    -------
    tuple of Move
        In the order of :func:`mjopt.play.game.legal_moves`. A win needs a certain yaku, and on a
        discard a hand that is not furiten. There is no kong after a declaration and no discard
        that undoes a call (swap calling).
    """
    view = seat.view()
    table = view.table
    if seat.phase in (Phase.CLAIM, Phase.ROB):
        moves = [
            move
            for move in claims_of(table, view.seat, view.hand)
            if move == PASS
            or (move.action is Action.WIN and _may_win(seat, view))
            or (move.action in events.CALLS and _may_call(seat, view, move, calls))
        ]
        return tuple(moves) if moves != [PASS] else ()
    if seat.declared:
        return tuple(Move(Action.DISCARD, kind) for kind in ready_discards(view))
    return tuple(
        move
        for move in turn_moves(table, view.seat, view.hand, view.drawn)
        if (move.action is Action.WIN and _may_win(seat, view))
        or (move.action in OWN_KONGS and _may_kong(view))
        or move.action is Action.DISCARD
    )


def may_declare(seat: Seat, view: View, kind: int) -> bool:
    """Return whether the seat may declare riichi and then discard a tile of a kind."""
    return (
        seat.phase is Phase.TURN
        and not seat.declared
        and not view.table.ready[view.seat]
        and seat.is_closed
        and seat.can_pay
        and view.table.live >= LEAST_LIVE
        and away(with_copies(view.hand, kind, -1), view.called, RIICHI_TABLE) == 1
    )


def ready_discards(view: View) -> list[int]:
    """Return the kinds after whose discard the hand waits for one tile."""
    return [
        kind
        for kind, held in enumerate(view.hand)
        if held and away(with_copies(view.hand, kind, -1), view.called, RIICHI_TABLE) == 1
    ]


def _may_win(seat: Seat, view: View) -> bool:
    """Return whether a complete hand has a yaku for certain, and no discard made it furiten."""
    state = seat.round
    assert state is not None
    is_own = seat.phase is Phase.TURN
    if not is_own and (seat.was_missed or state.has_discarded_wait(view.seat)):
        return False
    return bool(find_yaku(state, view.seat, None if is_own else view.tile))


def _may_call(seat: Seat, view: View, move: Move, calls: str) -> bool:
    if calls == "never" or (move.action is Action.KONG and not _may_kong(view)):
        return False
    if calls == "yaku":
        assert seat.deal is not None
        values = value_kinds(view.seat, view.table.dealer, seat.deal.wind)
        pongs = {meld.kind for meld in view.melds if len(set(meld.block.kinds)) == 1}
        if move.action is not Action.CHOW:
            pongs.add(move.kind)
        return bool(pongs & values)
    return True


def _may_kong(view: View) -> bool:
    return not view.table.ready[view.seat] and view.table.num_kongs < MOST_KONGS
