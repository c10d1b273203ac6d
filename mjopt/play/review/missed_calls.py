"""Find missed calls and wins that a log proves."""

from collections.abc import Iterator
from typing import Final

from mjopt.hands.tiles import COPIES, FULL
from mjopt.play.game.engine import PRIORITY
from mjopt.play.game.events import KIND_OF, Event
from mjopt.play.game.legal import barred_discards
from mjopt.play.game.log import DrawReason
from mjopt.play.game.log_replay import LogState
from mjopt.play.game.moves import NO_KIND, Action
from mjopt.play.game.public_state import Phase

PRECEDENCE: Final = {
    Action.DRAW: 0,
    Action.DRAWN_GAME: 2,
    **PRIORITY,
}
"""Precedence of responses to a discard; the actual response hides calls of lower precedence."""

CHOW_PAIRS: Final = tuple(
    tuple(
        (first + (first == kind), first + 2 - (first + 2 == kind))
        for first in range(kind - 2, kind + 1)
        if first in FULL.chow_starts
    )
    for kind in range(FULL.num_kinds)
)
"""The pairs of kinds that complete a chow with each kind."""

OWN_ACTIONS: Final = frozenset(
    (Action.DISCARD, Action.CLOSED_KONG, Action.ADDED_KONG, Action.NORTH)
)
NO_WINNER: Final = frozenset(DrawReason) - {DrawReason.THREE_WINNERS, DrawReason.UNTOLD}
"""Reasons of a drawn game that exclude a win on the last discard."""


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
    counts, melds = state.hands[seat], state.table.melds[seat]
    if not (COPIES in counts or melds) or not state.can_kong:
        return
    for kind, copies in enumerate(counts):
        if copies == COPIES:
            tiles = state.pick(seat, (kind,) * COPIES)
            yield Event(seat, Action.CLOSED_KONG, kind, tiles=tiles)
    for meld in melds:
        if meld.action is Action.PONG and counts[meld.kind]:
            [tile] = state.pick(seat, (meld.kind,))
            yield Event(seat, Action.ADDED_KONG, tile)


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
    can_win = action is not Action.DRAWN_GAME or deal.draw_reason in NO_WINNER
    can_win &= is_discard or state.can_be_robbed
    can_call = is_discard and bool(table.live or rules.rule_set.calls_on_last_discard)
    for step in range(1, rules.seats):
        seat = (turn + step) % rules.seats
        if seat in winners:
            break  # a later seat may have been overridden
        if can_win and state.wins_with(seat, tile):
            missed.append(Event(seat, Action.WIN, tile, turn))
        can_chow = step == 1 and rules.seats > 3
        if not can_call or table.ready[seat]:
            continue
        if not can_chow and state.hands[seat][table.tile] < 2:
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
    counts, tile, turn = state.hands[seat], state.offered, state.table.turn
    kind = KIND_OF[tile]
    if counts[kind] == 3 and state.can_kong:
        tiles = state.pick(seat, (kind,) * 3)
        yield Event(seat, Action.KONG, tile, turn, tiles)
    melds: list[tuple[Action, tuple[int, int]]] = []
    if counts[kind] >= 2:
        melds.append((Action.PONG, (kind, kind)))
    if state.rules.seats > 3 and seat == (turn + 1) % state.rules.seats:
        pairs = CHOW_PAIRS[kind]
        melds += [(Action.CHOW, pair) for pair in pairs if counts[pair[0]] and counts[pair[1]]]
    for action, pair in melds:
        call = Event(seat, action, tile, turn, state.pick(seat, pair))
        # After a first call eleven concealed tiles remain, at most eight of them barred.
        has_melds, rules = bool(state.table.melds[seat]), state.rules.rule_set
        barred = barred_discards(call, kind, rules) if has_melds else ()
        if not barred or any(
            copies - pair.count(other) and other not in barred
            for other, copies in enumerate(counts)
        ):
            yield call
