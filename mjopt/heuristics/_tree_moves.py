"""What the branches of the tree search do to a hand: may it be, do it, undo it."""

import numpy as np
import numpy.typing as npt

from mjopt.heuristics.tree_branches import CHOW, DROP, EYE, NEAR, PAIR, PONG
from mjopt.runtime.kernels import kernel

Numbers = npt.NDArray[np.int64]


@kernel
def is_legal(  # noqa: PLR0911 - one line a branch
    move: int,
    a: int,
    free: int,
    has_eye: int,
    held: Numbers,
    unseen: Numbers,
    starts: npt.NDArray[np.bool_],
) -> bool:
    """Return whether the tiles are there, a slot is free and some tile can complete it.

    ``held``, ``unseen`` and ``starts`` reach two kinds past the last one.
    """
    if move == DROP:
        return True
    if move == EYE:
        return bool(has_eye == 0 and held[a] >= 2)
    if free == 0:
        return False
    if move == PONG:
        return bool(held[a] >= 3)
    if move == CHOW:
        return bool(starts[a] and held[a + 1] > 0 and held[a + 2] > 0)
    if move == PAIR:
        return bool(held[a] >= 2 and unseen[a] > 0)
    if move == NEAR:
        if held[a + 1] == 0:
            return False
        above = starts[a] and unseen[a + 2] > 0
        return bool(above or (a > 0 and starts[a - 1] and unseen[a - 1] > 0))
    return bool(starts[a] and held[a + 2] > 0 and unseen[a + 1] > 0)


@kernel
def make_move(move: int, a: int, held: Numbers, left: Numbers, made: Numbers) -> int:
    """Make a move and return how many branchings it counts for.

    ``made`` holds the number of melds, of two-tile slots, and 1 for an eye. Dropping
    k copies is k branchings of the plain tree.
    """
    if move == DROP:
        left[a] = held[a]
        held[a] = 0
        return int(left[a])
    return _use(move, a, 1, held, made)


@kernel
def take_back(move: int, a: int, held: Numbers, left: Numbers, made: Numbers) -> int:
    """Undo :func:`make_move`, and return the same number."""
    if move == DROP:
        held[a] = left[a]
        left[a] = 0
        return int(held[a])
    return _use(move, a, -1, held, made)


@kernel
def _use(move: int, a: int, by: int, held: Numbers, made: Numbers) -> int:
    """Take the tiles of a piece from the hand, or put them back with -1: one branching."""
    if move == PONG:
        held[a] -= 3 * by
        made[0] += by
    elif move == CHOW:
        held[a] -= by
        held[a + 1] -= by
        held[a + 2] -= by
        made[0] += by
    elif move == EYE:
        held[a] -= 2 * by
        made[2] += by
    else:
        held[a] -= by
        held[a + (0 if move == PAIR else 1 if move == NEAR else 2)] -= by
        made[1] += by
    return 1
