"""The rules in motion: from a state and a move to the next state."""

from dataclasses import replace

import numpy as np

from mjopt.errors import GameError
from mjopt.game.calling import call_tile, make_kong
from mjopt.game.drawing import draw_tile, end_game, with_change, with_copies
from mjopt.game.legal import offered
from mjopt.game.moves import NO_KIND, PASS, Action, Move
from mjopt.game.rules import DEALT, HAND_SIZE, NUM_SEATS, SEATS, RuleSet
from mjopt.game.settling import settle
from mjopt.game.state import Ending, Outcome, State, check_wall
from mjopt.game.table import Event, Phase, Table
from mjopt.game.winning import forfeit_outcome, own_win, win_on_offer


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
    hands = [[0] * rules.tiles.num_kinds for _ in SEATS]
    for place, kind in enumerate(wall[:DEALT]):
        hands[(dealer + place // HAND_SIZE) % NUM_SEATS][kind] += 1
    table = Table(
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
        return own_win(state, seat)
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
    """
    if state.is_over:
        raise GameError("the game is over: nobody can break it")
    return end_game(
        state,
        forfeit_outcome(seat, state.table.rules),
        (Event(seat, Action.FAULT, NO_KIND),),
    )


def _discard(state: State, seat: int, move: Move, rng: np.random.Generator | None) -> State:
    table, kind = state.table, move.kind
    ready = table.ready
    if move.action is Action.READY:
        ready = (*ready[:seat], True, *ready[seat + 1 :])
    rivers = table.rivers
    table = replace(
        table,
        phase=Phase.CLAIM,
        tile=kind,
        rivers=(*rivers[:seat], (*rivers[seat], kind), *rivers[seat + 1 :]),
        ready=ready,
        shown=with_copies(table.shown, kind, 1),
        on_replacement=False,
        events=(*table.events, Event(seat, move.action, kind)),
    )
    hands = with_change(state.hands, seat, kind, -1)
    state = replace(state, table=table, hands=hands, drawn=NO_KIND, asked=offered(table, hands))
    return state if state.asked else _settled(state, rng)


def _answer(state: State, seat: int, move: Move, rng: np.random.Generator | None) -> State:
    claims = state.claims if move == PASS else (*state.claims, (seat, move))
    asked = state.asked[1:]
    if move.action is Action.WIN and not state.table.rules.all_winners:
        asked = ()  # seats are asked in turn order: nobody can come before it
    state = replace(state, asked=asked, claims=claims)
    return state if asked else _settled(state, rng)


def _settled(state: State, rng: np.random.Generator | None) -> State:
    """Let the strongest answers to the tile on offer take it, or go on without them."""
    table = state.table
    best = settle(state.claims)
    if best and best[0][1].action is Action.WIN:
        return win_on_offer(state, tuple(seat for seat, _ in best))
    if table.phase is Phase.ROB:
        return draw_tile(state, table.turn, rng, replacement=True)
    if _ends_by_kongs(table):
        return end_game(state, Outcome(ending=Ending.FOUR_KONGS))
    if best:
        return call_tile(state, *best[0], rng)
    return draw_tile(state, (table.turn + 1) % NUM_SEATS, rng)


def _ends_by_kongs(table: Table) -> bool:
    if not table.rules.four_kongs_draw or table.num_kongs < NUM_SEATS:
        return False
    return sum(any(meld.is_kong for meld in melds) for melds in table.melds) > 1
