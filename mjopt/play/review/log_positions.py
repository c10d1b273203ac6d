"""Decisions of a logged game as positions, which an advice can judge."""

from collections.abc import Iterable
from operator import sub
from typing import Final, NamedTuple

from mjopt.chances.advice.calls import CallOption, own_draws
from mjopt.chances.advice.position import Position
from mjopt.chances.danger.opponent import Opponent
from mjopt.hands.blocks import Block
from mjopt.hands.hand import Hand
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import places_in_full
from mjopt.play.game.events import BLOCK_OF, KIND_OF, Event
from mjopt.play.game.legal import barred_now
from mjopt.play.game.log_replay import LogState
from mjopt.play.game.moves import NO_KIND, Action
from mjopt.play.review.log_danger import riichi_opponents
from mjopt.play.review.missed_calls import legal_calls, own_kongs

THREAT: Final = 3
"""Called melds from which on a player counts as close to a win."""


class LoggedDecision(NamedTuple):
    """A position, and what the seat did; kinds and melds are those of the position's tiles."""

    position: Position
    discard: int = NO_KIND
    meld: Block | None = None  # the call; without it and a discard, the seat passed
    rival: Block | None = None  # the call passed up, for which the decision is listed
    opponents: tuple[Opponent, ...] = ()  # those in riichi, of a discard


def draws_left(state: LogState, seat: int) -> int:
    """Return the own draws left after a discard of a seat, if nothing is called."""
    seats = state.rules.seats
    return own_draws(state.table.live, (seat + 1) % seats, seat, seats)


def threats(state: LogState, seat: int) -> list[int]:
    """Return the other players who declared ready or called three melds."""
    table = state.table
    called = (Action.CHOW, Action.PONG, Action.KONG, Action.ADDED_KONG)
    return [
        other
        for other in range(state.rules.seats)
        if other != seat
        and (
            table.ready[other]
            or sum(meld.action in called for meld in table.melds[other]) >= THREAT
        )
    ]


def is_fold(state: LogState, discard: Event) -> bool:
    """Return whether a discard is safe from a player close to a win, by that player's discards."""
    return any(
        discard.kind in [KIND_OF[tile] for tile in state.table.discards_of(other)]
        for other in threats(state, discard.seat)
    )


def discard_decision(
    state: LogState, event: Event, forms: tuple[WinningForm, ...]
) -> LoggedDecision:
    """Return the decision of a discard.

    If it is a swap call, the rules of the log allow it.
    """
    has_kongs = state.drawn != NO_KIND and not state.table.ready[event.seat]
    kongs = own_kongs(state, event.seat) if has_kongs else ()
    barred = barred_now(state.table, event.seat)
    barred = () if event.kind in barred else barred
    position = _position(state, event.seat, forms, kongs, barred=barred)
    opponents = tuple(riichi_opponents(state, event.seat).values())
    return LoggedDecision(position, discard=_local(state, event.kind), opponents=opponents)


def call_decision(
    state: LogState, call: Event, forms: tuple[WinningForm, ...], event: Event
) -> LoggedDecision | None:
    """Return the decision of a call, made or passed up; None of a win.

    ``state`` is the one before the call; ``event`` is the actual event: the call itself if it was
    made.
    """
    if call.action is Action.WIN:
        return None
    meld = _meld(state, call)
    if call.action in (Action.CLOSED_KONG, Action.ADDED_KONG):
        position = _position(state, call.seat, forms, own_kongs(state, call.seat))
        if event == call:
            return LoggedDecision(position, meld=meld)
        return LoggedDecision(position, discard=_local(state, event.kind), rival=meld)
    calls = [*legal_calls(state, call.seat)]
    position = _position(state, call.seat, forms, calls, offered=_local(state, KIND_OF[call.tile]))
    chosen, rival = (meld, None) if event == call else (None, meld)
    return LoggedDecision(position, meld=chosen, rival=rival)


def _position(
    state: LogState,
    seat: int,
    forms: tuple[WinningForm, ...],
    calls: Iterable[Event],
    offered: int | None = None,
    barred: Iterable[int] = (),
) -> Position:
    table, rules, tiles = state.table, state.rules, state.rules.tiles
    kinds = places_in_full(tiles)

    def draws(next_seat: int) -> int:
        return own_draws(table.live, next_seat % rules.seats, seat, rules.seats)

    def of_set(counts: Iterable[int]) -> tuple[int, ...]:
        every = tuple(counts)
        return tuple(every[kind] for kind in kinds)

    melds = [
        Block(tuple(_local(state, kind) for kind in meld.block.kinds), meld.block.shape)
        for meld in table.melds[seat]
        if meld.action is not Action.NORTH
    ]
    hand = Hand.from_counts(of_set(state.hands[seat]), tiles=tiles, called=len(melds), melds=melds)
    unseen = map(sub, map(sub, rules.copies, state.hands[seat]), table.shown)
    elsewhere = (n - (kind == offered) for kind, n in enumerate(hand.unseen))
    return Position(
        hand=hand,
        wall=tuple(max(0, min(pair)) for pair in zip(of_set(unseen), elsewhere, strict=True)),
        draws=draws((seat if offered is None else table.turn) + 1),
        forms=forms,
        offered=offered,
        calls=tuple(
            CallOption(
                _meld(state, call),
                draws(seat + (call.action in (Action.CHOW, Action.PONG))),
            )
            for call in calls
        ),
        swaps=rules.rule_set.swaps,
        barred=tuple(_local(state, kind) for kind in barred),
    )


def _local(state: LogState, kind: int) -> int:
    """Return a kind of the rule set as one of the tiles that a hand can hold."""
    return places_in_full(state.rules.tiles).index(kind)


def _meld(state: LogState, call: Event) -> Block:
    return BLOCK_OF[call.action](_local(state, call.kind))
