"""Calling: melds laid down with another seat's discard, and kongs of one's own."""

from dataclasses import replace

import numpy as np

from mjopt.game.drawing import draw_tile, with_change, with_copies
from mjopt.game.legal import offered, turn_moves
from mjopt.game.moves import NO_KIND, Action, Move
from mjopt.game.state import State
from mjopt.game.table import Event, Meld, Phase, Table
from mjopt.hands.blocks import chow, kong, pong


def call_tile(state: State, seat: int, move: Move, rng: np.random.Generator | None) -> State:
    """Move the tile on offer from the river to a meld of the seat that called it."""
    table, kind, giver = state.table, state.table.tile, state.table.turn
    if move.action is Action.CHOW:
        block = chow(move.kind)
    else:
        block = kong(kind) if move.action is Action.KONG else pong(kind)
    hand, shown = list(state.hands[seat]), list(table.shown)
    for k in block.kinds:
        hand[k] -= 1
        shown[k] += 1
    hand[kind] += 1  # that one came from the river, where it was shown already
    shown[kind] -= 1
    table = replace(
        table,
        turn=seat,
        phase=Phase.CALLED,
        tile=NO_KIND,
        melds=_with_meld(table, seat, Meld(block, giver, kind)),
        rivers=(*table.rivers[:giver], table.rivers[giver][:-1], *table.rivers[giver + 1 :]),
        shown=tuple(shown),
        events=(*table.events, Event(seat, move.action, move.kind)),
    )
    hands = (*state.hands[:seat], tuple(hand), *state.hands[seat + 1 :])
    state = replace(state, table=table, hands=hands, claims=())
    if move.action is Action.KONG:
        return draw_tile(state, seat, rng, replacement=True)
    return replace(state, asked=((seat, turn_moves(table, seat, hands[seat], NO_KIND)),))


def _with_meld(table: Table, seat: int, meld: Meld) -> tuple[tuple[Meld, ...], ...]:
    melds = table.melds
    return (*melds[:seat], (*melds[seat], meld), *melds[seat + 1 :])


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
    hands = with_change(state.hands, seat, kind, -used)
    state = replace(state, table=table, hands=hands, drawn=NO_KIND, asked=())
    if not is_offered:
        return draw_tile(state, seat, rng, replacement=True)
    return replace(state, asked=offered(table, hands))


def _with_added(table: Table, seat: int, kind: int) -> tuple[tuple[Meld, ...], ...]:
    own = tuple(
        meld._replace(block=kong(kind)) if meld.block == pong(kind) else meld
        for meld in table.melds[seat]
    )
    return (*table.melds[:seat], own, *table.melds[seat + 1 :])
