"""Drawing: the next tile, the replacement tile, and the end when none is left."""

from dataclasses import replace

import numpy as np

from mjopt.errors import GameError
from mjopt.game.legal import turn_moves
from mjopt.game.moves import NO_KIND, Action
from mjopt.game.state import Ending, Outcome, State
from mjopt.game.table import Event, Phase

Hands = tuple[tuple[int, ...], ...]


def end_game(state: State, outcome: Outcome, events: tuple[Event, ...] = ()) -> State:
    """Return the state with which a game ends."""
    table = replace(state.table, phase=Phase.OVER, events=state.table.events + events)
    return replace(state, table=table, asked=(), claims=(), outcome=outcome)


def draw_tile(
    state: State, seat: int, rng: np.random.Generator | None, *, replacement: bool = False
) -> State:
    """Give a seat its next tile and ask it; without a tile the game is drawn."""
    table = state.table
    if not table.live:
        return end_game(state, Outcome(ending=Ending.WALL_EMPTY))
    wall, front, back = state.wall, state.front, state.back
    place = len(wall) - 1 - back if replacement else front
    if state.unordered:
        wall = _bring_to(place, state, rng)
    kind = wall[place]
    hands = with_change(state.hands, seat, kind, 1)
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
        front=front + (not replacement),
        back=back + replacement,
        hands=hands,
        drawn=kind,
        draws=(*state.draws, kind),
        asked=((seat, turn_moves(table, seat, hands[seat], kind)),),
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


def with_change(hands: Hands, seat: int, kind: int, by: int) -> Hands:
    """Return the hands with so many more copies of a kind in one of them."""
    hand = list(hands[seat])
    hand[kind] += by
    return (*hands[:seat], tuple(hand), *hands[seat + 1 :])


def with_copies(row: tuple[int, ...], kind: int, by: int) -> tuple[int, ...]:
    """Return the counts with so many more of a kind."""
    return (*row[:kind], row[kind] + by, *row[kind + 1 :])
