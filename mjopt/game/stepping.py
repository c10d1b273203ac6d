"""The rules in motion: from a state and a move to the next state."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from mjopt.errors import GameError
from mjopt.game.legal import offered
from mjopt.game.moves import NO_KIND, PASS, Action, Move, with_copies
from mjopt.game.public_state import Event, OpenTable, Phase
from mjopt.game.rules import DEALT, HAND_SIZE, NUM_SEATS, SEATS, RuleSet
from mjopt.game.state import Ending, Outcome, State, check_wall
from mjopt.game.transitions import (
    call_tile,
    draw_tile,
    end_game,
    end_with_win,
    make_kong,
    with_item,
)

PRIORITY: Final = {Action.WIN: 3, Action.KONG: 2, Action.PONG: 2, Action.CHOW: 1}
"""The greater takes the tile. Kong and pong never meet: there are four copies."""


def start(
    rules: RuleSet,
    wall: tuple[int, ...],
    *,
    dealer: int = 0,
    unordered: bool = False,
    rng: np.random.Generator | None = None,
) -> State:
    """Deal the hands, and draw the dealer's first tile.

    Parameters
    ----------
    rules
        The rules.
    wall
        All tiles, kinds in order; see :func:`mjopt.game.shuffle_wall`.
    dealer
        The seat that begins; the first thirteen tiles are its hand.
    unordered
        Take the rest of the wall as a heap: each draw is then made with ``rng``.
    rng
        Needed for an unordered wall only.

    Raises
    ------
    GameError
        If the wall is not the tiles of the rules.

    Examples
    --------
    >>> from mjopt.game import GMJBG, shuffle_wall
    >>> state = start(GMJBG, shuffle_wall(1, 0, GMJBG.tiles))
    >>> state.to_move, sum(state.hands[0]), state.table.live
    (0, 14, 69)
    """
    if dealer not in SEATS:
        raise GameError(f"dealer {dealer}, expected 0..3")
    check_wall(wall, rules.tiles.num_kinds)
    if unordered and rules.seat_walls:
        raise GameError("an unordered wall has no parts: seat_walls needs its order")
    hands = [[0] * rules.tiles.num_kinds for _ in SEATS]
    for place, kind in enumerate(wall[:DEALT]):
        hands[(dealer + place // HAND_SIZE) % NUM_SEATS][kind] += 1
    table = OpenTable(
        rules=rules,
        dealer=dealer,
        turn=dealer,
        phase=Phase.TURN,
        shown=(0,) * rules.tiles.num_kinds,
        live=rules.draws,
    )
    state = State(
        table=table,
        wall=wall,
        front=DEALT,
        hands=tuple(tuple(hand) for hand in hands),
        unordered=unordered,
    )
    return draw_tile(state, dealer, rng)


def legal_moves(state: State) -> tuple[Move, ...]:
    """Return the moves of the seat that is asked; none when the game is over."""
    return state.asked[0][1] if state.asked else ()


def step(state: State, move: Move, *, rng: np.random.Generator | None = None) -> State:
    """Return the state after a move of the seat that is asked.

    Answers to a tile on offer are collected seat by seat, and settled when the last
    seat has answered. The next tile is drawn at once.

    Parameters
    ----------
    state
        A game that is not over.
    move
        One of its legal moves.
    rng
        Needed for an unordered wall only.

    Raises
    ------
    GameError
        If the move is not legal, or the game is over.

    Examples
    --------
    >>> from mjopt.game import GMJBG, shuffle_wall
    >>> state = start(GMJBG, shuffle_wall(1, 0, GMJBG.tiles))
    >>> state = step(state, legal_moves(state)[-1])
    >>> [event.action.value for event in state.table.events[:2]], state.table.rivers[0]
    (['M', 'D'], (33,))
    """
    if not state.asked:
        raise GameError("the game is over: no move is legal")
    seat, moves = state.asked[0]
    if move not in moves:
        raise GameError(f"seat {seat} cannot {move.action.name.lower()} {move.kind} now")
    if state.table.phase in (Phase.CLAIM, Phase.ROB):
        return _answer(state, seat, move, rng)
    if move.action is Action.WIN:
        return end_with_win(state, (seat,))
    if move.action in (Action.DISCARD, Action.READY):
        return _discard(state, seat, move, rng)
    state = make_kong(state, seat, move, rng)
    # An added kong that nobody can rob is settled at once.
    return state if state.asked else _settled(state, rng)


def break_off(state: State, seat: int) -> State:
    """Return the end of a game that a seat has broken: it pays a forfeit to the others.

    Raises
    ------
    GameError
        If the game is over.

    Examples
    --------
    >>> from mjopt.game import GMJBG, shuffle_wall
    >>> break_off(start(GMJBG, shuffle_wall(1, 0, GMJBG.tiles)), 1).outcome.scores
    (1, -3, 1, 1)
    """
    if state.is_over:
        raise GameError("the game is over: nobody can break it")
    points = state.table.rules.forfeit * state.table.rules.basic_score
    scores = with_item((points,) * NUM_SEATS, seat, -3 * points)
    outcome = Outcome(ending=Ending.FAULT, payer=seat, scores=scores)
    return end_game(state, outcome, Event(seat, Action.FAULT, NO_KIND))


def _discard(state: State, seat: int, move: Move, rng: np.random.Generator | None) -> State:
    table, kind = state.table, move.kind
    declares = move.action is Action.READY
    table = replace(
        table,
        phase=Phase.CLAIM,
        tile=kind,
        rivers=with_item(table.rivers, seat, (*table.rivers[seat], kind)),
        ready=with_item(table.ready, seat, True) if declares else table.ready,
        shown=with_copies(table.shown, kind, 1),
        on_replacement=False,
        events=(*table.events, Event(seat, move.action, kind)),
    )
    hands = with_item(state.hands, seat, with_copies(state.hands[seat], kind, -1))
    state = replace(state, table=table, hands=hands, drawn=NO_KIND, asked=offered(table, hands))
    return state if state.asked else _settled(state, rng)


def _answer(state: State, seat: int, move: Move, rng: np.random.Generator | None) -> State:
    claims = state.claims if move == PASS else (*state.claims, (seat, move))
    asked = state.asked[1:]
    if move.action is Action.WIN and not state.table.rules.all_winners:
        asked = ()  # seats are asked in turn order: nobody can come before it
    state = replace(state, asked=asked, claims=claims)
    return state if asked else _settled(state, rng)


def settle(claims: Sequence[tuple[int, Move]]) -> tuple[tuple[int, Move], ...]:
    """Return the claims that are carried out: the first of the highest priority, or all wins.

    Parameters
    ----------
    claims
        Seats and what they want, in turn order after the seat that gave the tile. Under
        rules with a single winner at most one of them is a win.

    Examples
    --------
    >>> pong, chow = Move(Action.PONG, 4), Move(Action.CHOW, 3)
    >>> settle([(1, chow), (3, pong)])
    ((3, Move(action=<Action.PONG: 'P'>, kind=4)),)
    >>> settle([])
    ()
    """
    highest = max((PRIORITY[move.action] for _, move in claims), default=0)
    best = tuple(claim for claim in claims if PRIORITY[claim[1].action] == highest)
    return best if highest == PRIORITY[Action.WIN] else best[:1]


def _settled(state: State, rng: np.random.Generator | None) -> State:
    """Let the strongest answers to the tile on offer take it, or go on without them."""
    table = state.table
    best = settle(state.claims)
    if best and best[0][1].action is Action.WIN:
        return end_with_win(state, tuple(seat for seat, _ in best))
    if table.phase is Phase.ROB:
        return draw_tile(state, table.turn, rng, replacement=True)
    if _ends_by_kongs(table):
        return end_game(state, Outcome(ending=Ending.FOUR_KONGS))
    if best:
        return call_tile(state, *best[0], rng)
    return draw_tile(state, (table.turn + 1) % NUM_SEATS, rng)


def _ends_by_kongs(table: OpenTable) -> bool:
    if not table.rules.four_kongs_draw or table.num_kongs < NUM_SEATS:
        return False
    return sum(any(meld.is_kong for meld in melds) for melds in table.melds) > 1
