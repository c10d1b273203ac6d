"""Find missed calls and wins that a log proves."""

from collections.abc import Iterator
from typing import Final

from mjopt.play.game.engine import PRIORITY
from mjopt.play.game.events import KIND_OF, Event, event_of
from mjopt.play.game.legal import possible_calls, possible_kongs
from mjopt.play.game.log_replay import LogState
from mjopt.play.game.moves import NO_KIND, Action
from mjopt.play.game.public_state import Phase
from mjopt.play.game.state import Ending

PRECEDENCE: Final = {
    Action.DRAW: 0,
    Action.DRAWN_GAME: 2,
    **PRIORITY,
}
"""Precedence of responses to a discard; the actual response hides calls of lower precedence."""

OWN_ACTIONS: Final = frozenset(
    (Action.DISCARD, Action.CLOSED_KONG, Action.ADDED_KONG, Action.NORTH)
)
MAY_HAVE_WINNERS: Final = (None, Ending.THREE_WINNERS)
"""Reasons of a drawn game, None if unknown, that do not exclude a win on the last discard."""


def find_missed(state: LogState, event: Event) -> list[Event]:
    """Return the calls and wins that seats could have made instead of an event.

    This excludes calls that another call may have overridden (the log would be the same) and
    other calls of the seat that called. Wins are complete hands:
    :mod:`mjopt.play.review.riichi_wins` judges yaku and furiten.
    """
    if state.offered != NO_KIND:
        return _missed_answers(state, event) if event.action in PRECEDENCE else []
    if state.drawn == NO_KIND or event.action not in OWN_ACTIONS:
        return []
    seat, missed = event.seat, list[Event]()
    if state.wins_with(seat, state.drawn):
        missed.append(Event(seat, Action.WIN, state.drawn, seat))
    if event.action is Action.DISCARD and not state.table.ready[seat]:
        missed += own_kongs(state, seat)
    return missed


def own_kongs(state: LogState, seat: int) -> Iterator[Event]:
    """Yield the kongs that a seat can make of its own tiles.

    The caller must exclude seats that have declared ready, because rules differ for them.
    """
    for move in possible_kongs(state.hands[seat], state.table.melds[seat]):
        if state.can_kong:
            call = event_of(seat, move)
            tiles = state.pick(seat, call.laid)
            is_added = move.action is Action.ADDED_KONG
            yield call._replace(tile=tiles[0]) if is_added else call._replace(tiles=tiles)


def _missed_answers(state: LogState, event: Event) -> list[Event]:
    missed = list[Event]()
    action, deal, rules, table = event.action, state.deal, state.rules, state.table
    if table.phase is Phase.OVER:
        return missed
    turn, tile = table.turn, state.offered
    winners = set[int]()
    if action is Action.WIN:
        winners = {each.seat for each in deal.events if each.action is Action.WIN}
    is_discard = table.phase is Phase.CLAIM
    can_win = action is not Action.DRAWN_GAME or deal.draw_reason not in MAY_HAVE_WINNERS
    can_win &= is_discard or state.can_be_robbed
    can_call = is_discard and bool(table.live or rules.rule_set.calls_on_last_discard)
    for step in range(1, rules.seats):
        seat = (turn + step) % rules.seats
        if seat in winners:
            break  # a later seat may have been overridden
        if can_win and state.wins_with(seat, tile):
            missed.append(Event(seat, Action.WIN, tile, turn))
        if not can_call or table.ready[seat]:
            continue
        is_free = action is Action.DRAW
        if is_free or seat != event.seat:
            calls = legal_calls(state, seat)
            missed += [
                call for call in calls if is_free or PRECEDENCE[call.action] > PRECEDENCE[action]
            ]
    return missed


def legal_calls(state: LogState, seat: int) -> Iterator[Event]:
    """Yield the kong, the pong and the chows that a seat can make with the offered tile.

    The caller must exclude seats that have declared ready.
    """
    tile, turn, rules = state.offered, state.table.turn, state.rules
    may_chow = rules.seats > 3 and seat == (turn + 1) % rules.seats
    called, kind = len(state.table.melds[seat]), KIND_OF[tile]
    for move in possible_calls(
        state.hands[seat], kind, rules.rule_set, may_chow=may_chow, called=called
    ):
        if move.action is not Action.KONG or state.can_kong:
            call = event_of(seat, move, kind, turn)
            yield call._replace(tile=tile, tiles=state.pick(seat, call.tiles))
