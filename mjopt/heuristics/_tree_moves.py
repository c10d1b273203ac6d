"""Kernels: the moves of the tree search, with functions to check, apply and undo them."""

from typing import Final

import numpy as np
import numpy.typing as npt

from mjopt._internal.jit import inner

# Moves of the tree, numbered. a is the kind of the first unprocessed tile:
PONG: Final = 0  # a a a
CHOW: Final = 1  # a, a + 1, a + 2
EYE: Final = 2  # a a, once
PAIR: Final = 3  # a a in a meld slot, to become a pong
NEAR: Final = 4  # a, a + 1 in a meld slot, to become a chow
GAP: Final = 5  # a, a + 2 in a meld slot, to become a chow
DROP: Final = 6  # leave over every remaining copy of a

BRANCHES: Final = 7

ORDERS: Final = {
    "melds-first": (PONG, CHOW, EYE, PAIR, NEAR, GAP, DROP),
    "as-published": (DROP, CHOW, NEAR, GAP, EYE, PONG, PAIR),
}
"""Order in which the moves at a tile are tried, by name."""

Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@inner
def is_legal(  # noqa: PLR0911 - one line a branch
    move: int,
    a: int,
    free: int,
    has_eye: int,
    held: Numbers,
    unseen: Numbers,
    starts: Flags,
) -> bool:
    """Return whether the hand has the tiles, a slot is free and a tile can complete the piece.

    ``held``, ``unseen`` and ``starts`` have entries after the last kind, which are 0. The last of
    them is also the one before the first kind.
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
        return bool(above or (starts[a - 1] and unseen[a - 1] > 0))
    return bool(starts[a] and held[a + 2] > 0 and unseen[a + 1] > 0)


@inner
def make_move(move: int, a: int, held: Numbers, left: Numbers, made: Numbers) -> int:
    """Apply a move and return its number of branchings.

    ``made`` holds the number of melds, of two-tile slots, and 1 for an eye. Dropping k copies
    counts as k branchings of the original tree.
    """
    if move == DROP:
        left[a] = held[a]
        held[a] = 0
        return int(left[a])
    return _use(move, a, 1, held, made)


@inner
def take_back(move: int, a: int, held: Numbers, left: Numbers, made: Numbers) -> int:
    """Undo :func:`make_move`, and return the same number."""
    if move == DROP:
        held[a] = left[a]
        left[a] = 0
        return int(held[a])
    return _use(move, a, -1, held, made)


@inner
def _use(move: int, a: int, by: int, held: Numbers, made: Numbers) -> int:
    """Remove the tiles of a piece from the hand, or restore them with sign -1: one branching."""
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


@inner
def drop_from(a: int, by: int, held: Numbers, left: Numbers) -> None:
    """Leave over all tiles from a kind on, or undo that with sign -1."""
    for kind in range(a, len(left)):
        left[kind] += by * held[kind]
