"""The game engine: apply moves to immutable states."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from mjopt._internal.validation import expect
from mjopt.errors import GameError
from mjopt.play.game.events import DISCARDS, Event, event_of
from mjopt.play.game.legal import offered, turn_moves
from mjopt.play.game.moves import PASS, Action, Move, with_copies
from mjopt.play.game.public_state import OpenTable, Phase, evolve, with_item
from mjopt.play.game.rules import DEALT, HAND_SIZE, NUM_SEATS, SEATS, GameRules, check_seat
from mjopt.play.game.scoring import multiplier, payments
from mjopt.play.game.state import Ending, Outcome, State, check_wall

PRIORITY: Final = {Action.WIN: 3, Action.KONG: 2, Action.PONG: 2, Action.CHOW: 1}
"""The claim of higher priority takes the tile.

Kong and pong cannot be claimed together: there are four copies.
"""


def start(
    rules: GameRules,
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
        All tiles, kinds in order; see :func:`mjopt.play.game.shuffle_wall`.
    dealer
        The seat that draws first; the first thirteen tiles are its hand.
    unordered
        Whether the rest of the wall has no order: each draw then takes a random tile with ``rng``.
    rng
        Needed for an unordered wall only.

    Raises
    ------
    GameError
        If the wall does not have the tiles of the rules.

    Examples
    --------
    >>> from mjopt.play.game import GMJBG, shuffle_wall
    >>> state = start(GMJBG, shuffle_wall(1, 0, GMJBG.tiles))
    >>> state.to_move, sum(state.hands[0]), state.table.live
    (0, 14, 69)
    """
    expect(rules, GameRules, "rules")
    expect(unordered, bool, "unordered")
    check_seat(dealer, "dealer")
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
        phase=Phase.DEALT,
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
    """Return the legal moves of the seat to move; empty when the game is over.

    Examples
    --------
    >>> from mjopt.play.game import M0_RULES, shuffle_wall, start
    >>> state = start(M0_RULES, shuffle_wall(1, 0, M0_RULES.tiles))
    >>> moves = legal_moves(state)
    >>> len(moves), moves[0]
    (11, Move(action=<Action.DISCARD: 'D'>, kind=0))
    """
    expect(state, State, "state")
    return state.pending[0][1] if state.pending else ()


def step(state: State, move: Move, *, rng: np.random.Generator | None = None) -> State:
    """Return the state after a move of the seat to move.

    Claims for a tile on offer are collected seat by seat and resolved after the last
    answer. The next tile is drawn immediately.

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
    >>> from mjopt.play.game import GMJBG, shuffle_wall
    >>> state = start(GMJBG, shuffle_wall(1, 0, GMJBG.tiles))
    >>> state = step(state, legal_moves(state)[-1])
    >>> [event.action.value for event in state.table.events[:2]], state.table.rivers[0]
    (['M', 'D'], (33,))
    """
    expect(state, State, "state")
    expect(move, Move, "move")
    if not state.pending:
        raise GameError("the game is over: no move is legal")
    seat, moves = state.pending[0]
    if move not in moves:
        raise GameError(f"seat {seat} cannot {move.text(state.table.rules.tiles.names)} now")
    if state.table.phase in (Phase.CLAIM, Phase.ROB):
        return _answer(state, seat, move, rng)
    if move.action is Action.WIN:
        return end_with_win(state, (seat,))
    if move.action in DISCARDS:
        return _discard(state, seat, move, rng)
    state = make_kong(state, seat, move, rng)
    # If no seat can rob the added kong, the game continues immediately.
    return state if state.pending else _resolve(state, rng)


def forfeit(state: State, seat: int) -> State:
    """End the game because a seat broke the rules; it pays a forfeit to each other seat.

    Raises
    ------
    GameError
        If the game is over.

    Examples
    --------
    >>> from mjopt.play.game import GMJBG, shuffle_wall
    >>> forfeit(start(GMJBG, shuffle_wall(1, 0, GMJBG.tiles)), 1).outcome.scores
    (1, -3, 1, 1)
    """
    expect(state, State, "state")
    check_seat(seat)
    if state.is_over:
        raise GameError("the game is over: no seat can forfeit it")
    points = state.table.rules.forfeit * state.table.rules.basic_score
    scores = with_item((points,) * NUM_SEATS, seat, -3 * points)
    outcome = Outcome(ending=Ending.FAULT, payer=seat, scores=scores)
    return end_game(state, outcome, Event(seat, Action.FAULT))


def _discard(state: State, seat: int, move: Move, rng: np.random.Generator | None) -> State:
    state = state.after(event_of(seat, move))
    state = evolve(state, pending=offered(state.table, state.hands))
    return state if state.pending else _resolve(state, rng)


def _answer(state: State, seat: int, move: Move, rng: np.random.Generator | None) -> State:
    claims = state.claims if move == PASS else (*state.claims, (seat, move))
    pending = state.pending[1:]
    if move.action is Action.WIN and not state.table.rules.all_winners:
        pending = ()  # seats answer in turn order: no later seat can take precedence
    state = evolve(state, pending=pending, claims=claims)
    return state if pending else _resolve(state, rng)


def resolve_claims(claims: Sequence[tuple[int, Move]]) -> tuple[tuple[int, Move], ...]:
    """Return the claims to carry out: the first of the highest priority, or all wins.

    Claims come in turn order after the seat whose tile is on offer. Under rules with a single
    winner at most one of them is a win.

    Examples
    --------
    >>> pong, chow = Move(Action.PONG, 4), Move(Action.CHOW, 3)
    >>> resolve_claims([(1, chow), (3, pong)])
    ((3, Move(action=<Action.PONG: 'P'>, kind=4)),)
    >>> resolve_claims([])
    ()
    """
    highest = max((PRIORITY[move.action] for _, move in claims), default=0)
    best = tuple(claim for claim in claims if PRIORITY[claim[1].action] == highest)
    return best if highest == PRIORITY[Action.WIN] else best[:1]


def _resolve(state: State, rng: np.random.Generator | None) -> State:
    """Carry out the claims of highest priority, or continue without a claim."""
    table = state.table
    best = resolve_claims(state.claims)
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


def end_game(state: State, outcome: Outcome, *events: Event) -> State:
    """Return the final state of a game with this outcome."""
    for event in events or (Event(-1, Action.DRAWN_GAME),):
        state = state.after(event)
    return evolve(state, pending=(), claims=(), outcome=outcome)


def draw_tile(
    state: State, seat: int, rng: np.random.Generator | None, *, replacement: bool = False
) -> State:
    """Draw the next tile of a seat; if its wall is empty, the game is drawn."""
    table = state.table
    if not table.left_for(seat):
        return end_game(state, Outcome(ending=Ending.WALL_EMPTY))
    wall, front, back = state.wall, state.front, state.back
    from_end = replacement and not table.rules.seat_walls
    index = len(wall) - 1 - back if from_end else front
    if table.rules.seat_walls:
        index = DEALT + (seat - table.dealer) % NUM_SEATS + NUM_SEATS * table.draws_of(seat)
    if state.unordered:
        wall = _swap_random_tile(index, state, rng)
    kind = wall[index]
    state = state.after(Event(seat, Action.DRAW, kind))
    return evolve(
        state,
        wall=wall,
        front=front + (not from_end),
        back=back + from_end,
        draws=(*state.draws, kind),
        pending=((seat, turn_moves(state.table, seat, state.hands[seat], kind)),),
        claims=(),
    )


def _swap_random_tile(index: int, state: State, rng: np.random.Generator | None) -> tuple[int, ...]:
    """Return the wall with a random undrawn tile moved to the next position drawn."""
    if rng is None:
        raise GameError("an unordered wall needs rng to draw from")
    wall = list(state.wall)
    chosen = int(rng.integers(state.front, len(wall) - state.back))
    wall[index], wall[chosen] = wall[chosen], wall[index]
    return tuple(wall)


def call_tile(state: State, seat: int, move: Move, rng: np.random.Generator | None) -> State:
    """Move the tile on offer from the river to a meld of the seat that called it."""
    state = state.after(event_of(seat, move, state.table.tile, state.table.turn))
    if move.action is Action.KONG:
        return draw_tile(state, seat, rng, replacement=True)
    moves = turn_moves(state.table, seat, state.hands[seat], state.drawn)
    return evolve(state, pending=((seat, moves),), claims=())


def make_kong(state: State, seat: int, move: Move, rng: np.random.Generator | None) -> State:
    """Make a closed or added kong.

    If other seats can rob the tile, they decide next.
    """
    state = state.after(event_of(seat, move))
    if move.action is Action.ADDED_KONG and state.table.rules.robbing:
        return evolve(state, pending=offered(state.table, state.hands))
    return draw_tile(state, seat, rng, replacement=True)


def end_with_win(state: State, winners: tuple[int, ...]) -> State:
    """End the game with a win on the drawn tile or on the tile on offer.

    A tile on offer stays in the river, and a robbed kong stays on the table.
    """
    table = state.table
    if table.phase is Phase.TURN:
        ending = Ending.REPLACEMENT if table.on_replacement else Ending.OWN_DRAW
        kind, payer, added = state.drawn, None, 0
    else:
        ending = Ending.ROBBED_KONG if table.phase is Phase.ROB else Ending.DISCARD
        kind, payer, added = table.tile, table.turn, 1
    worth = []
    for seat in winners:
        counts = with_copies(state.hands[seat], kind, added)
        worth.append(multiplier(counts, table.melds[seat], table.rules, declared=table.ready[seat]))
    outcome = Outcome(
        ending=ending,
        winners=winners,
        payer=-1 if payer is None else payer,
        kind=kind,
        multipliers=tuple(worth),
        scores=payments(winners, worth, payer, table.rules),
    )
    events = (Event(seat, Action.WIN, kind, seat if payer is None else payer) for seat in winners)
    return end_game(state, outcome, *events)
