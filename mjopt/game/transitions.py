"""What comes of a move: tiles drawn and called, kongs made, and the end of a game."""

from dataclasses import replace
from typing import TypeVar

import numpy as np

from mjopt.errors import GameError
from mjopt.game.legal import offered, turn_moves
from mjopt.game.moves import NO_KIND, Action, Move, after_call, with_copies
from mjopt.game.public_state import Event, Meld, OpenTable, Phase
from mjopt.game.rules import DEALT, NUM_SEATS
from mjopt.game.scoring import multiplier, payments
from mjopt.game.state import Ending, Outcome, State
from mjopt.hands.blocks import chow, kong, pong

T = TypeVar("T")
Melds = tuple[tuple[Meld, ...], ...]


def with_item(row: tuple[T, ...], place: int, item: T) -> tuple[T, ...]:
    """Return a row with another item at one place."""
    return (*row[:place], item, *row[place + 1 :])


def end_game(state: State, outcome: Outcome, *events: Event) -> State:
    """Return the state with which a game ends."""
    table = replace(state.table, phase=Phase.OVER, events=state.table.events + events)
    return replace(state, table=table, asked=(), claims=(), outcome=outcome)


def draw_tile(
    state: State, seat: int, rng: np.random.Generator | None, *, replacement: bool = False
) -> State:
    """Give a seat its next tile and ask it; without a tile the game is drawn."""
    table = state.table
    if not table.left_for(seat):
        return end_game(state, Outcome(ending=Ending.WALL_EMPTY))
    wall, front, back = state.wall, state.front, state.back
    from_end = replacement and not table.rules.seat_walls
    place = len(wall) - 1 - back if from_end else front
    if table.rules.seat_walls:
        place = DEALT + (seat - table.dealer) % NUM_SEATS + NUM_SEATS * table.draws_of(seat)
    if state.unordered:
        wall = _bring_to(place, state, rng)
    kind = wall[place]
    hand = with_copies(state.hands[seat], kind, 1)
    table = replace(
        table,
        turn=seat,
        phase=Phase.TURN,
        tile=NO_KIND,
        live=table.live - 1,
        on_replacement=replacement,
        events=(*table.events, Event(seat, Action.DRAW, NO_KIND)),
    )
    return State(
        table=table,
        wall=wall,
        front=front + (not from_end),
        back=back + from_end,
        hands=with_item(state.hands, seat, hand),
        drawn=kind,
        draws=(*state.draws, kind),
        asked=((seat, turn_moves(table, seat, hand, kind)),),
        unordered=state.unordered,
    )


def _bring_to(place: int, state: State, rng: np.random.Generator | None) -> tuple[int, ...]:
    """Choose any tile that is left, and swap it to the place that is drawn from."""
    if rng is None:
        raise GameError("an unordered wall needs rng to draw from")
    wall = list(state.wall)
    chosen = int(rng.integers(state.front, len(wall) - state.back))
    wall[place], wall[chosen] = wall[chosen], wall[place]
    return tuple(wall)


def call_tile(state: State, seat: int, move: Move, rng: np.random.Generator | None) -> State:
    """Move the tile on offer from the river to a meld of the seat that called it."""
    table, kind, giver = state.table, state.table.tile, state.table.turn
    if move.action is Action.CHOW:
        block = chow(move.kind)
    else:
        block = kong(kind) if move.action is Action.KONG else pong(kind)
    before, hand = state.hands[seat], after_call(state.hands[seat], move, kind)
    # The tile that was called came from the river, where it was shown already.
    shown = tuple(s + b - h for s, b, h in zip(table.shown, before, hand, strict=True))
    table = replace(
        table,
        turn=seat,
        phase=Phase.CALLED,
        tile=NO_KIND,
        melds=_with_meld(table, seat, Meld(block, giver, kind)),
        rivers=with_item(table.rivers, giver, table.rivers[giver][:-1]),
        shown=shown,
        events=(*table.events, Event(seat, move.action, move.kind)),
    )
    state = replace(state, table=table, hands=with_item(state.hands, seat, hand), claims=())
    if move.action is Action.KONG:
        return draw_tile(state, seat, rng, replacement=True)
    return replace(state, asked=((seat, turn_moves(table, seat, hand, NO_KIND)),))


def _with_meld(table: OpenTable, seat: int, meld: Meld) -> Melds:
    return with_item(table.melds, seat, (*table.melds[seat], meld))


def make_kong(state: State, seat: int, move: Move, rng: np.random.Generator | None) -> State:
    """Make a closed kong, or add a tile to a pong.

    If others may rob the tile they are asked next; it may be that nobody can.
    """
    table, kind = state.table, move.kind
    if move.action is Action.CLOSED_KONG:
        melds, used = _with_meld(table, seat, Meld(kong(kind), seat, kind)), 4
    else:
        melds, used = _with_added(table, seat, kind), 1
    is_offered = move.action is Action.ADDED_KONG and table.rules.robbing
    table = replace(
        table,
        phase=Phase.ROB if is_offered else table.phase,
        tile=kind if is_offered else NO_KIND,
        melds=melds,
        shown=with_copies(table.shown, kind, used),
        on_replacement=False,
        events=(*table.events, Event(seat, move.action, kind)),
    )
    hands = with_item(state.hands, seat, with_copies(state.hands[seat], kind, -used))
    state = replace(state, table=table, hands=hands, drawn=NO_KIND, asked=())
    if not is_offered:
        return draw_tile(state, seat, rng, replacement=True)
    return replace(state, asked=offered(table, hands))


def _with_added(table: OpenTable, seat: int, kind: int) -> Melds:
    own = tuple(
        meld._replace(block=kong(kind)) if meld.block == pong(kind) else meld
        for meld in table.melds[seat]
    )
    return with_item(table.melds, seat, own)


def end_with_win(state: State, winners: tuple[int, ...]) -> State:
    """Return the end of a game that is won with the tile drawn, or the one on offer.

    What was on offer stays where it lies; a kong that is robbed, as it was shown.
    """
    table = state.table
    if table.phase is Phase.TURN:
        ending = Ending.REPLACEMENT if table.on_replacement else Ending.OWN_DRAW
        kind, payer, arriving = state.drawn, None, 0
    else:
        ending = Ending.ROBBED_KONG if table.phase is Phase.ROB else Ending.DISCARD
        kind, payer, arriving = table.tile, table.turn, 1
    worth = []
    for seat in winners:
        held = with_copies(state.hands[seat], kind, arriving)
        worth.append(multiplier(held, table.melds[seat], table.rules, declared=table.ready[seat]))
    outcome = Outcome(
        ending=ending,
        winners=winners,
        payer=-1 if payer is None else payer,
        kind=kind,
        multipliers=tuple(worth),
        scores=payments(winners, worth, payer, table.rules),
    )
    return end_game(state, outcome, *(Event(seat, Action.WIN, kind) for seat in winners))
