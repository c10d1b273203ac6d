"""Tables of hands of ``SANMA``, derived from those of nine ranks and of seven honours.

1m and 9m form no chow, so they are two more honours: the first two of a group of seven, of which
the other five are never held. Those five only add melds and eyes from nothing, and a target
always leaves some real kind unused, whose pong or pair costs the same.

The dots and the bamboos join as in the other tile sets. The terminals join with the honours;
that table is the only new one.
"""

from collections.abc import Callable
from functools import cache
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from mjopt.tables.state_index import num_states, state_copies, state_numbers
from mjopt.tables.table_file import load_tables

NUM_TERMINALS: Final = 2  # kinds: 1m and 9m
NUM_TERMINAL_STATES: Final = num_states(NUM_TERMINALS)  # 25
TERMINAL_ROWS: Final = 32  # a power of two; from 25 on "more than fourteen tiles"

NUM_OUTER: Final = 156  # classes of the terminals with the honours

ARRANGED: Final = (*range(18, 20), *range(18), *range(27, 34))
"""Place of each kind in a row arranged as one of ``FULL``: dots, bamboos, terminals, honours.

The terminals are the first two ranks of the third suit, and the other seven are empty.
"""

_PARTS: Final = (
    (slice(2), slice(18, 20)),
    (slice(2, 20), slice(18)),
    (slice(20, 27), slice(27, 34)),
)
"""Places of terminals, of dots with bamboos and of honours, in a row and arranged."""

Number = TypeVar("Number", bound=np.integer)
Judge = Callable[..., int]


@cache
def honour_class_of_terminals() -> NDArray[np.uint8]:
    """Return the class of every state of 1m and 9m, as two of seven honours, shape (25,).

    Examples
    --------
    >>> honour_class_of_terminals().shape
    (25,)
    """
    copies = np.zeros((NUM_TERMINAL_STATES, 7), np.uint8)
    copies[:, :2] = state_copies(np.arange(NUM_TERMINAL_STATES, dtype=np.uint32), 2)
    found: NDArray[np.uint8] = load_tables().honour_class[state_numbers(copies)]
    return found


@cache
def suit_class_of_terminals() -> NDArray[np.uint8]:
    """Return a class of nine ranks with the costs of every state of 1m and 9m, shape (25,).

    Its number of tiles may be another: a fourth copy of an honour never helps, so that four
    cost as much as three. Marginal costs do not depend on the number of tiles.
    """
    tables = load_tables()
    classes = {costs.tobytes(): number for number, costs in enumerate(tables.suit_cost)}
    costs = tables.honour_cost[honour_class_of_terminals()]
    return np.array([classes[row.tobytes()] for row in costs], np.uint8)


def arrange(rows: NDArray[Number]) -> NDArray[Number]:
    """Return rows of 27 kinds as rows of 34, as the kernels of ``FULL`` read them.

    Examples
    --------
    >>> arrange(np.arange(27)[None]).tolist()[0][18:22]
    [0, 1, 0, 0]
    """
    arranged = np.zeros((len(rows), 34), rows.dtype)
    for here, there in _PARTS:
        arranged[:, there] = rows[:, here]
    return arranged


def restore_masks(masks: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return masks of kinds of arranged rows as masks of the 27 kinds.

    Examples
    --------
    >>> restore_masks(np.array([1 << 18 | 1 << 27 | 1], np.uint64)).tolist() == [1 | 1 << 20 | 4]
    True
    """
    suits = (masks & np.uint64((1 << 18) - 1)) << np.uint64(2)
    terminals, honours = masks >> np.uint64(18) & np.uint64(3), masks >> np.uint64(27)
    restored: NDArray[np.uint64] = terminals | suits | honours << np.uint64(20)
    return restored


def judge_arranged(
    judge: Judge,
    rows: NDArray[np.uint8],
    unseen: NDArray[np.uint8],
    deficiency: NDArray[np.int8],
    useful: NDArray[np.int16],
    doubtful: NDArray[np.int64],
) -> int:
    """Judge arranged rows by the kernel of ``FULL``, and write the results by kind.

    Parameters
    ----------
    judge
        Takes the other arguments, for arranged rows; returns the first invalid row, or -1
        minus the number of doubtful discards.
    rows, unseen, deficiency, useful, doubtful
        As for :func:`mjopt.tables._useful_kernels.judge`.
    """
    if deficiency.shape[1] == 1:
        return judge(arrange(rows), arrange(unseen), deficiency, useful, doubtful)
    values, copies = arrange(deficiency), arrange(useful)
    found = judge(arrange(rows), arrange(unseen), values, copies, doubtful)
    for here, there in _PARTS:
        deficiency[:, here], useful[:, here] = values[:, there], copies[:, there]
    if found < -1:
        kinds = np.zeros(34, np.int64)
        kinds[list(ARRANGED)] = np.arange(len(ARRANGED))
        row, place = np.divmod(doubtful[: -1 - found], 34)
        doubtful[: -1 - found] = row * rows.shape[1] + kinds[place]
    return found
