"""Actions as numbers: 10 types for the normal agent, 55 channels for the perfect one.

A small number is ``kinds * type + kind``; a full one ``kinds * channel + kind``. What computes
on them takes arrays as well as whole numbers.
"""

from collections.abc import Iterable
from enum import IntEnum
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from mjopt.game.engine import legal_moves
from mjopt.game.moves import Action, Move
from mjopt.game.public_state import Phase
from mjopt.game.rules import NUM_SEATS
from mjopt.game.state import State

Numbers = TypeVar("Numbers", int, NDArray[Any])


class ActionType(IntEnum):
    """The ten types in the order of Table 3; left is where the called tile is the lowest."""

    DISCARD = 0
    ADDED_KONG = 1
    PASS = 2
    CLOSED_KONG = 3
    CHOW_LEFT = 4
    CHOW_RIGHT = 5
    CHOW_MIDDLE = 6
    PONG = 7
    OPEN_KONG = 8
    WIN = 9


NUM_TYPES: Final = 10
"""Types of action: times kinds, what the normal agent chooses from."""
NUM_DYNAMIC: Final = 3
"""Discard, added kong and pass: after these it depends who acts next."""
DYNAMIC_CHANNELS: Final = 16
NUM_CHANNELS: Final = NUM_DYNAMIC * DYNAMIC_CHANNELS + NUM_TYPES - NUM_DYNAMIC
"""Types of action and what comes of them: times kinds, what the perfect agent chooses from."""
SAME_PLAYER: Final = 4
"""The change of position after which the same player acts again."""
WINS, CALLS, CHOWS, NOTHING = range(4)
"""States of the next actor: what is the strongest that he is offered."""

_TYPES: Final = {
    Action.DISCARD: ActionType.DISCARD,
    Action.READY: ActionType.DISCARD,
    Action.ADDED_KONG: ActionType.ADDED_KONG,
    Action.PASS: ActionType.PASS,
    Action.CLOSED_KONG: ActionType.CLOSED_KONG,
    Action.PONG: ActionType.PONG,
    Action.KONG: ActionType.OPEN_KONG,
    Action.WIN: ActionType.WIN,
}
_CHOWS: Final = (ActionType.CHOW_LEFT, ActionType.CHOW_MIDDLE, ActionType.CHOW_RIGHT)
_STATES: Final = {Action.WIN: WINS, Action.KONG: CALLS, Action.PONG: CALLS, Action.CHOW: CHOWS}


def type_of(move: Move, tile: int) -> ActionType:
    """Return the type of a move, with the tile on offer."""
    return _CHOWS[tile - move.kind] if move.action is Action.CHOW else _TYPES[move.action]


def small_number(move: Move, *, tile: int, drawn: int, kinds: int) -> int:
    """Return the normal agent's number of a move.

    Parameters
    ----------
    move
        The move. A declaration is numbered as its discard.
    tile
        The kind on offer, or -1: calls, passes and wins on it carry it.
    drawn
        The kind that the seat has drawn, or -1: a win by own draw carries it.
    kinds
        How many kinds there are.

    Examples
    --------
    >>> small_number(Move(Action.DISCARD, 5), tile=-1, drawn=5, kinds=27)
    5
    >>> small_number(Move(Action.WIN, 15), tile=15, drawn=-1, kinds=27)
    258
    >>> small_number(Move(Action.PASS), tile=15, drawn=-1, kinds=27)
    69
    """
    kind = type_of(move, tile)
    if kind in (ActionType.DISCARD, ActionType.ADDED_KONG, ActionType.CLOSED_KONG):
        return kinds * kind + move.kind
    return kinds * kind + (drawn if tile < 0 else tile)


def legal_numbers(
    moves: Iterable[Move], *, tile: int, drawn: int, kinds: int, declare: str = "never"
) -> dict[int, Move]:
    """Return moves by the normal agent's numbers, in their order.

    Parameters
    ----------
    moves
        What a seat may do.
    tile, drawn, kinds
        As for :func:`small_number`.
    declare
        Whether a declaration takes the number of its discard: ``never`` or ``auto``.

    Examples
    --------
    >>> moves = [Move(Action.DISCARD, 3), Move(Action.READY, 3)]
    >>> legal_numbers(moves, tile=-1, drawn=3, kinds=27)
    {3: Move(action=<Action.DISCARD: 'D'>, kind=3)}
    """
    return {
        small_number(move, tile=tile, drawn=drawn, kinds=kinds): move
        for move in moves
        if move.action is not Action.READY or declare == "auto"
    }


def legal_actions(state: State, declare: str) -> dict[int, Move]:
    """Return what the seat that is asked may do, by the normal agent's numbers."""
    told = {"tile": state.table.tile, "drawn": state.drawn, "kinds": len(state.table.shown)}
    return legal_numbers(legal_moves(state), declare=declare, **told)


def action_mask(numbers: Iterable[int], kinds: int) -> NDArray[np.bool_]:
    """Return which small numbers are legal, shape ``(10 kinds,)``."""
    mask = np.zeros(NUM_TYPES * kinds, np.bool_)
    mask[list(numbers)] = True
    return mask


def action_number(move: Move, state: State) -> int:
    """Return the normal agent's number of a move in a state."""
    kinds = len(state.table.shown)
    return small_number(move, tile=state.table.tile, drawn=state.drawn, kinds=kinds)


def full_number(small: int, change: int, player_state: int, kinds: int) -> int:
    """Return the perfect agent's number of an action and what comes of it.

    Parameters
    ----------
    small
        The normal agent's number.
    change
        How many seats on the next actor sits, 1 to 4: only of a discard, an added kong, a pass.
    player_state
        What he is offered, 0 to 3: a win, pong or kong, chow, nothing. Only of these too.
    kinds
        How many kinds there are.

    Examples
    --------
    >>> full_number(5, 1, 3, 27) == 27 * 3 + 5, full_number(204, 0, 0, 27) == 27 * 52 + 15
    (True, True)
    """
    kind, tile = divmod(small, kinds)
    if kind >= NUM_DYNAMIC:
        channel = kind + NUM_DYNAMIC * (DYNAMIC_CHANNELS - 1)
    else:
        channel = DYNAMIC_CHANNELS * kind + 4 * (change - 1) + player_state
    return kinds * channel + tile


def small_of_full(full: Numbers, kinds: int) -> Numbers:
    """Return the normal agent's number of a full one, or of an array of them.

    Examples
    --------
    >>> import numpy as np
    >>> small_of_full(27 * 3 + 5, 27), small_of_full(np.array([27 * 52 + 15]), 27).tolist()
    (5, [204])
    """
    channel, tile = full // kinds, full % kinds
    is_dynamic = channel < NUM_DYNAMIC * DYNAMIC_CHANNELS
    dynamic, other = channel // DYNAMIC_CHANNELS, channel - NUM_DYNAMIC * (DYNAMIC_CHANNELS - 1)
    small: Numbers = kinds * (is_dynamic * dynamic + (1 - is_dynamic) * other) + tile
    return small


def change_of(full: Numbers, kinds: int) -> Numbers:
    """Return how many seats on the next actor sits, 1 to 4; 0 where the action tells none.

    Examples
    --------
    >>> change_of(full_number(5, 3, 2, 27), 27), change_of(full_number(204, 0, 0, 27), 27)
    (3, 0)
    """
    channel = full // kinds
    is_dynamic = channel < NUM_DYNAMIC * DYNAMIC_CHANNELS
    change: Numbers = is_dynamic * (channel % DYNAMIC_CHANNELS // 4 + 1)
    return change


def state_of(full: Numbers, kinds: int) -> Numbers:
    """Return what the next actor is offered, 0 to 3; 0 where the action does not tell.

    Examples
    --------
    >>> state_of(full_number(5, 3, 2, 27), 27)
    2
    """
    channel = full // kinds
    state: Numbers = (channel < NUM_DYNAMIC * DYNAMIC_CHANNELS) * (channel % 4)
    return state


def transition_number(
    before: State, move: Move, after: State, *, player_state: str = "offered"
) -> int:
    """Return the full number of what really happened.

    Nobody acts after the end of a game: it counts as the same player, offered nothing. A next
    actor who has drawn or called is offered nothing either.

    Parameters
    ----------
    before
        The state in which a seat was asked.
    move
        What it did.
    after
        The state that came of it.
    player_state
        ``none`` to leave what the next actor is offered untold.

    Examples
    --------
    >>> from mjopt.game import JJ, shuffle_wall, start, step
    >>> before = start(JJ, shuffle_wall(1, 0, JJ.tiles))
    >>> move = before.pending[0][1][0]
    >>> full = transition_number(before, move, step(before, move))
    >>> small_of_full(full, 27) == move.kind, change_of(full, 27)
    (True, 1)
    """
    [seat, _], kinds = before.pending[0], len(before.table.shown)
    small = action_number(move, before)
    if not after.pending:
        return full_number(small, SAME_PLAYER, NOTHING, kinds)
    following, moves = after.pending[0]
    state = NOTHING
    if player_state == "offered" and after.table.phase in (Phase.CLAIM, Phase.ROB):
        state = min(_STATES.get(one.action, NOTHING) for one in moves)
    change = (following - seat) % NUM_SEATS or SAME_PLAYER
    return full_number(small, change, state, kinds)
