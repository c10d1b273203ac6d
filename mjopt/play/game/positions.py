"""The position of a seat in a game, and the moves that options of an advice stand for."""

from collections.abc import Iterable, Sequence

from mjopt.chances.advice.calls import CallOption, own_draws
from mjopt.chances.advice.options import DISCARD, PASS, WIN, Advice, AdvisedOption
from mjopt.chances.advice.position import Position
from mjopt.play.game.events import BLOCK_OF
from mjopt.play.game.legal import barred_now
from mjopt.play.game.moves import Action, Move
from mjopt.play.game.observation import View
from mjopt.play.game.public_state import Phase
from mjopt.play.game.rules import NUM_SEATS


def position_of(view: View, moves: Iterable[Move] = ()) -> Position:
    """Return the position of a seat; with its legal moves if it has to move.

    Calls that are not among the moves are not options. Own draws follow from the tiles left and the
    seat that draws next: after a pass that is the seat after the discard, after a chow or a pong
    the seat after this one, and after a kong this one, so that a call may skip the draw of another
    seat.

    Examples
    --------
    >>> from mjopt.play.game import GMJBG, legal_moves, shuffle_wall, start, view_of
    >>> state = start(GMJBG, shuffle_wall(1, 0, GMJBG.tiles))
    >>> position = position_of(view_of(state, 0), legal_moves(state))
    >>> position.draws, sum(position.wall), position.calls
    (17, 122, ())
    """
    table, seat = view.table, view.seat
    hand = view.as_hand()
    is_offered = view.phase in (Phase.CLAIM, Phase.ROB) and seat != table.turn
    first = table.turn + (view.phase is not Phase.ROB)

    def draws(next_seat: int) -> int:
        return own_draws(table.live, next_seat % NUM_SEATS, seat, NUM_SEATS)

    calls = []
    for move in moves:
        if move.action in BLOCK_OF:
            is_kong = move.action not in (Action.CHOW, Action.PONG)
            number = draws(seat if is_kong else seat + 1)
            calls.append(CallOption(BLOCK_OF[move.action](move.kind), number))
    return Position(
        hand=hand,
        wall=view.unseen,
        draws=draws(first),
        forms=view.rules.forms,
        offered=view.tile if is_offered else None,
        calls=tuple(calls),
        swaps=view.rules.swaps,
        barred=barred_now(table, seat),
    )


def move_of(option: AdvisedOption, moves: Sequence[Move]) -> Move | None:
    """Return the legal move that an option stands for; None if there is none.

    Examples
    --------
    >>> from mjopt import advise
    >>> option = advise("2378m345p6688s11z offered=4m draws=6").options[0]
    >>> move_of(option, [Move(Action.CHOW, 1), Move(Action.PASS)])
    Move(action=<Action.CHOW: 'C'>, kind=1)
    """
    for move in moves:
        if _stands_for(option, move):
            return move
    return None


def _stands_for(option: AdvisedOption, move: Move) -> bool:
    if option.meld is not None:
        make = BLOCK_OF.get(move.action)
        return make is not None and option.meld == make(move.kind)
    if option.action == DISCARD:
        return move == Move(Action.DISCARD, option.kind if option.kind is not None else -1)
    return move.action is {WIN: Action.WIN, PASS: Action.PASS}.get(option.action)


def best_move(advice: Advice, moves: Sequence[Move]) -> tuple[AdvisedOption, Move] | None:
    """Return the first option that is legal, with its move; None if none is."""
    for option in advice.options:
        move = move_of(option, moves)
        if move is not None:
            return option, move
    return None
