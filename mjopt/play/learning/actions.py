"""Actions as numbers: 10 types for the normal agent, 55 channels for the perfect agent.

A small number is ``kinds * type + kind``, a full number ``kinds * channel + kind``. Functions of
numbers also take arrays of them.
"""

from collections.abc import Iterable
from enum import IntEnum
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.sanitize import short_repr
from mjopt._internal.validation import expect, expect_all, whole
from mjopt.errors import ArgumentError
from mjopt.hands.tiles import FULL
from mjopt.play.game.engine import legal_moves
from mjopt.play.game.moves import Action, Move
from mjopt.play.game.public_state import Phase
from mjopt.play.game.rules import NUM_SEATS
from mjopt.play.game.state import State

Numbers = TypeVar("Numbers", int, NDArray[np.int64], NDArray[np.integer])


class ActionType(IntEnum):
    """The ten action types in the order of Table 3. In a left chow the called tile is lowest.

    Examples
    --------
    >>> ActionType.PONG.value, len(ActionType)
    (7, 10)
    """

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
"""Action types of the normal agent."""
NUM_DYNAMIC: Final = 3
"""Types (discard, added kong, pass) whose channels encode the next player and the offer to it."""
DYNAMIC_CHANNELS: Final = 16
NUM_CHANNELS: Final = NUM_DYNAMIC * DYNAMIC_CHANNELS + NUM_TYPES - NUM_DYNAMIC
"""Channels of the perfect agent: action types with their consequences."""
SAME_PLAYER: Final = 4
"""Change of position if the same player acts again."""
WINS, CALLS, CHOWS, NOTHING = range(4)
"""States of the next player: the strongest action offered, or nothing."""

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


MAX_KINDS: Final = FULL.num_kinds


def check_kinds(kinds: int) -> int:
    """Validate a number of tile kinds and return it."""
    if not 1 <= whole(kinds, "kinds") <= MAX_KINDS:
        raise ArgumentError(f"{short_repr(kinds)} kinds", expected=f"1..{MAX_KINDS}")
    return kinds


def type_of(move: Move, tile: int) -> ActionType:
    """Return the type of a move for the tile on offer."""
    return _CHOWS[tile - move.kind] if move.action is Action.CHOW else _TYPES[move.action]


def small_number(move: Move, *, tile: int, drawn: int, kinds: int) -> int:
    """Return the normal agent's number of a move.

    Parameters
    ----------
    move
        The move. A ready declaration has the same number as its discard.
    tile
        The kind on offer, or -1; part of the numbers of calls, passes and wins on a discard.
    drawn
        The kind that the seat has drawn, or -1; part of the number of a win by own draw.
    kinds
        Number of tile kinds.

    Examples
    --------
    >>> small_number(Move(Action.DISCARD, 5), tile=-1, drawn=5, kinds=27)
    5
    >>> small_number(Move(Action.WIN, 15), tile=15, drawn=-1, kinds=27)
    258
    >>> small_number(Move(Action.PASS), tile=15, drawn=-1, kinds=27)
    69
    """
    expect(move, Move, "move")
    kind = type_of(move, tile)
    if kind in (ActionType.DISCARD, ActionType.ADDED_KONG, ActionType.CLOSED_KONG):
        return kinds * kind + move.kind
    return kinds * kind + (drawn if tile < 0 else tile)


def legal_numbers(
    moves: Iterable[Move], *, tile: int, drawn: int, kinds: int, declare: str = "never"
) -> dict[int, Move]:
    """Return moves by the normal agent's numbers, in the order of the moves.

    Parameters
    ----------
    moves
        The legal moves of a seat.
    tile, drawn, kinds
        As for :func:`small_number`.
    declare
        ``auto`` if a ready declaration replaces its discard, else ``never``.

    Examples
    --------
    >>> moves = [Move(Action.DISCARD, 3), Move(Action.READY, 3)]
    >>> legal_numbers(moves, tile=-1, drawn=3, kinds=27)
    {3: Move(action=<Action.DISCARD: 'D'>, kind=3)}
    """
    return {
        small_number(move, tile=tile, drawn=drawn, kinds=kinds): move
        for move in expect_all(moves, Move, "moves")
        if move.action is not Action.READY or declare == "auto"
    }


def legal_actions(state: State, declare: str) -> dict[int, Move]:
    """Return the legal moves of the current seat by the normal agent's numbers."""
    tiles = {"tile": state.table.tile, "drawn": state.drawn, "kinds": len(state.table.shown)}
    return legal_numbers(legal_moves(state), declare=declare, **tiles)


def action_mask(numbers: Iterable[int], kinds: int) -> NDArray[np.bool_]:
    """Return a mask of small numbers, shape ``(10 kinds,)``."""
    mask = np.zeros(NUM_TYPES * kinds, np.bool_)
    mask[list(numbers)] = True
    return mask


def action_number(move: Move, state: State) -> int:
    """Return the normal agent's number of a move in a state."""
    kinds = len(state.table.shown)
    return small_number(move, tile=state.table.tile, drawn=state.drawn, kinds=kinds)


def full_number(small: int, change: int, player_state: int, kinds: int) -> int:
    """Return the perfect agent's number of an action and its consequence.

    Parameters
    ----------
    small
        The normal agent's number.
    change
        Seats from this player to the next one, 1 to 4; used for discard, added kong and pass.
    player_state
        Strongest offer to the next player, 0 to 3: a win, pong or kong, chow, nothing; used for the
        same types.
    kinds
        Number of tile kinds.

    Examples
    --------
    >>> full_number(5, 1, 3, 27) == 27 * 3 + 5, full_number(204, 0, 0, 27) == 27 * 52 + 15
    (True, True)
    """
    kind, tile = divmod(whole(small, "small"), check_kinds(kinds))
    if kind >= NUM_DYNAMIC:
        channel = kind + NUM_DYNAMIC * (DYNAMIC_CHANNELS - 1)
    else:
        place = 4 * (whole(change, "change") - 1) + whole(player_state, "player_state")
        channel = DYNAMIC_CHANNELS * kind + place
    return kinds * channel + tile


def _check_whole(full: Numbers) -> None:
    try:
        is_whole = np.issubdtype(np.asarray(full).dtype, np.integer)
    except ValueError:  # lists of different lengths
        is_whole = False
    if not is_whole:
        raise TypeError(f"full: {short_repr(full)}, expected whole numbers")


def small_of_full(full: Numbers, kinds: int) -> Numbers:
    """Return the small number of a full number, or an array of them.

    Examples
    --------
    >>> import numpy as np
    >>> small_of_full(27 * 3 + 5, 27), small_of_full(np.array([27 * 52 + 15]), 27).tolist()
    (5, [204])
    """
    _check_whole(full)
    channel, tile = full // check_kinds(kinds), full % kinds
    is_dynamic = channel < NUM_DYNAMIC * DYNAMIC_CHANNELS
    dynamic, other = channel // DYNAMIC_CHANNELS, channel - NUM_DYNAMIC * (DYNAMIC_CHANNELS - 1)
    small: Numbers = kinds * (is_dynamic * dynamic + (1 - is_dynamic) * other) + tile
    return small


def change_of(full: Numbers, kinds: int) -> Numbers:
    """Return the seats to the next player, 1 to 4, or 0 if the number does not encode them.

    Examples
    --------
    >>> change_of(full_number(5, 3, 2, 27), 27), change_of(full_number(204, 0, 0, 27), 27)
    (3, 0)
    """
    _check_whole(full)
    channel = full // check_kinds(kinds)
    is_dynamic = channel < NUM_DYNAMIC * DYNAMIC_CHANNELS
    change: Numbers = is_dynamic * (channel % DYNAMIC_CHANNELS // 4 + 1)
    return change


def state_of(full: Numbers, kinds: int) -> Numbers:
    """Return the state of the next player, 0 to 3; 0 if the number does not encode it.

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
    """Return the full number of a move and its actual consequence.

    After the end of a game the next player counts as the same one, without an offer. After a draw
    or a call the state is "nothing", too.

    Parameters
    ----------
    before
        The state before the move.
    move
        The move of its current seat.
    after
        The state after the move.
    player_state
        ``none`` to leave out the offer to the next player.

    Examples
    --------
    >>> from mjopt.play.game import JJ, shuffle_wall, start, step
    >>> before = start(JJ, shuffle_wall(1, 0, JJ.tiles))
    >>> move = before.pending[0][1][0]
    >>> full = transition_number(before, move, step(before, move))
    >>> small_of_full(full, 27) == move.kind, change_of(full, 27)
    (True, 1)
    """
    expect(before, State, "before")
    expect(after, State, "after")
    expect(player_state, str, "player_state")
    [seat, _], kinds = before.pending[0], len(before.table.shown)
    small = action_number(move, before)
    if not after.pending:
        return full_number(small, SAME_PLAYER, NOTHING, kinds)
    following, moves = after.pending[0]
    state = NOTHING
    if player_state == "offered" and after.table.phase in (Phase.CLAIM, Phase.ROB):
        state = min(_STATES.get(offer.action, NOTHING) for offer in moves)
    change = (following - seat) % NUM_SEATS or SAME_PLAYER
    return full_number(small, change, state, kinds)
