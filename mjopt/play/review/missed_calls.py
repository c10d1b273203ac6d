"""Find missed calls and wins that a log proves."""

from collections.abc import Iterator
from typing import Final

from mjopt.hands.tiles import COPIES, FULL
from mjopt.play.review.events import KIND_OF, NO_TILE, ActionType, DrawReason, Event, LogRules
from mjopt.play.review.round_state import Phase, RoundState

PRECEDENCE: Final = {
    ActionType.DRAW: 0,
    ActionType.CHOW: 1,
    ActionType.PONG: 2,
    ActionType.KONG: 2,
    ActionType.DRAWN: 2,
    ActionType.WIN: 3,
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
    (ActionType.DISCARD, ActionType.CLOSED_KONG, ActionType.ADDED_KONG, ActionType.NORTH)
)
NO_WINNER: Final = frozenset(DrawReason) - {DrawReason.THREE_WINNERS, DrawReason.UNTOLD}
"""Reasons of a drawn game that exclude a win on the last discard."""


def find_missed(state: RoundState, event: Event) -> list[Event]:
    """Return the calls and wins that seats could have made instead of an event.

    This excludes calls that another call may have overridden (the log would be the same) and
    other calls of the seat that called. Wins are checked by winning form only, without yaku
    and furiten.
    """
    if state.offered != NO_TILE:
        return _missed_answers(state, event) if event.action in PRECEDENCE else []
    if state.drawn == NO_TILE or event.action not in OWN_ACTIONS:
        return []
    seat, missed = event.seat, list[Event]()
    if state.wins_with(seat, state.drawn):
        missed.append(Event(seat, ActionType.WIN, state.drawn, seat))
    if event.action is ActionType.DISCARD and not state.ready[seat]:
        missed += _own_kongs(state, seat)
    return missed


def _own_kongs(state: RoundState, seat: int) -> Iterator[Event]:
    """Yield the kongs that a seat can make of its own tiles.

    The caller must exclude seats that have declared ready, because rules differ for them.
    """
    counts = state.counts[seat]
    if not (COPIES in counts or state.melds[seat]) or not state.can_kong:
        return
    for kind, copies in enumerate(counts):
        if copies == COPIES:
            tiles = state.pick(seat, (kind,) * COPIES)
            yield Event(seat, ActionType.CLOSED_KONG, kind, tiles=tiles)
    for meld in state.melds[seat]:
        kind = KIND_OF[meld.tiles[0]]
        if meld.action is ActionType.PONG and counts[kind]:
            [tile] = state.pick(seat, (kind,))
            yield Event(seat, ActionType.ADDED_KONG, tile)


def _missed_answers(state: RoundState, event: Event) -> list[Event]:
    missed = list[Event]()
    if state.phase is Phase.END:
        return missed
    action, deal, rules = event.action, state.deal, state.rules
    turn, tile = state.turn, state.offered
    winners = set[int]()
    if action is ActionType.WIN:
        winners = {each.seat for each in deal.events if each.action is ActionType.WIN}
    is_discard = state.phase is Phase.ANSWER
    can_win = action is not ActionType.DRAWN or deal.draw_reason in NO_WINNER
    can_win &= is_discard or _can_be_robbed(state)
    can_call = is_discard and bool(state.live or rules.last_calls)
    for step in range(1, rules.seats):
        seat = (turn + step) % rules.seats
        if seat in winners:
            break  # a later seat may have been overridden
        if can_win and state.wins_with(seat, tile):
            missed.append(Event(seat, ActionType.WIN, tile, turn))
        can_chow = step == 1 and rules.seats > 3
        if not can_call or state.ready[seat]:
            continue
        if not can_chow and state.counts[seat][KIND_OF[tile]] < 2:
            continue
        is_free = action is ActionType.DRAW
        if is_free or seat != event.seat:
            calls = _calls(state, seat, can_chow=can_chow)
            missed += [
                call for call in calls if is_free or PRECEDENCE[call.action] > PRECEDENCE[action]
            ]
    return missed


def _can_be_robbed(state: RoundState) -> bool:
    """Return whether the offered tile was set aside as a north or added to a pong."""
    robbed = (ActionType.NORTH, ActionType.ADDED_KONG)
    kind = KIND_OF[state.offered]
    return state.rules.robbing and any(
        meld.action in robbed and KIND_OF[meld.tiles[0]] == kind for meld in state.melds[state.turn]
    )


def _calls(state: RoundState, seat: int, *, can_chow: bool) -> Iterator[Event]:
    """Yield the kong, the pong and the chows that a seat can make with the offered tile."""
    counts, tile = state.counts[seat], state.offered
    kind = KIND_OF[tile]
    if counts[kind] == 3 and state.can_kong:
        tiles = state.pick(seat, (kind,) * 3)
        yield Event(seat, ActionType.KONG, tile, state.turn, tiles)
    melds: list[tuple[ActionType, tuple[int, int]]] = []
    if counts[kind] >= 2:
        melds.append((ActionType.PONG, (kind, kind)))
    if can_chow:
        pairs = CHOW_PAIRS[kind]
        melds += [(ActionType.CHOW, pair) for pair in pairs if counts[pair[0]] and counts[pair[1]]]
    for action, pair in melds:
        call = Event(seat, action, tile, state.turn, state.pick(seat, pair))
        # After a first call eleven concealed tiles remain, at most eight of them barred.
        barred = barred_discards(call, state.rules) if state.melds[seat] else ()
        if not barred or any(
            copies - pair.count(other) and other not in barred
            for other, copies in enumerate(counts)
        ):
            yield call


def barred_discards(call: Event, rules: LogRules) -> tuple[int, ...]:
    """Return the kinds that must not be discarded immediately after a call.

    Under rules without swap calls these are the called kind and, after a chow, the kind at the
    other end of the two tiles from the hand.

    Examples
    --------
    >>> barred_discards(Event(0, ActionType.CHOW, 1, 3, (2, 3)), LogRules())
    (1, 4)
    """
    if rules.swaps or call.action not in (ActionType.CHOW, ActionType.PONG):
        return ()
    kind = KIND_OF[call.tile]
    low, high = sorted(KIND_OF[tile] for tile in call.tiles)
    starts = rules.tiles.chow_starts
    if kind == low - 1 and low in starts:
        return kind, high + 1
    if kind == high + 1 and low - 1 in starts:
        return kind, low - 1
    return (kind,)
