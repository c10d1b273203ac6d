"""State numbers: one integer for the copies of one suit.

The number of a suit without four of a kind has two bits per rank, with the first rank in
the lowest bits, so that kernels compute it quickly from a row of bytes. States with four
of a kind and at most fourteen tiles follow, ordered by number of tiles and then by copies.
The nine ranks of a suit have ``4**9 + 244002`` numbers and the seven honours
``4**7 + 28210``. Larger hands have more states.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt.hands.tiles import COPIES

# A state is an index of the largest tables, so its number must be cheap to compute. Two bits for
# each rank are, but have no room for a fourth copy. States with a four are rare (1 in 200 hands of
# 108 tiles), so they may cost more: they are ranked by enumeration, as in the combinatorial number
# system. Those of fewer tiles come first, so a state has the same number in tables for 14 tiles and
# for 17.

MOST_TILES: Final = 14  # in a hand

WAYS: Final = np.array([1, 4, 6, 4, 1], np.int64)
"""Ways to choose 0..4 of the four copies of a kind."""

_DIGITS: Final = b"0123".ljust(256, b"x")

Steps = NDArray[np.int32]


@cache
def rank_tables(most: int = MOST_TILES) -> tuple[Steps, Steps]:
    """Return the numbers that turn copies into a rank among the states with a four.

    The steps, shape ``(10, most + 1, 2, 6)``, are by remaining kinds, remaining tiles, whether a
    four of a kind occurred, and copies c of the next kind: the number of ways with fewer than c.
    The starts, shape ``(10, most + 2)``, are by kinds and tiles t: the number of states with fewer
    than t.
    """
    # Number of ways by kinds, tiles and whether a four of a kind occurred before.
    fillings = np.zeros((10, most + 1, 2), np.int32)
    fillings[0, 0, 1] = 1
    steps = np.zeros((10, most + 1, 2, COPIES + 2), np.int32)
    for kinds in range(1, 10):
        for copies in range(COPIES + 1):
            # Invariant: fillings[k, t, f] counts the ways to give t tiles to the last k kinds so
            # that a four of a kind occurs, f = 1 if one did before them.
            ways = steps[kinds, copies:, :, copies + 1]
            ways[:] = fillings[kinds - 1, : most + 1 - copies]
            if copies == COPIES:
                ways[:, 0] = ways[:, 1]
        np.cumsum(steps[kinds], axis=-1, out=steps[kinds])
        fillings[kinds] = steps[kinds, :, :, -1]
    starts = np.zeros((10, most + 2), np.int32)
    np.cumsum(fillings[:, :, 0], axis=1, out=starts[:, 1:])
    steps.setflags(write=False)
    starts.setflags(write=False)
    return steps, starts


def num_states(num_kinds: int, most: int = MOST_TILES) -> int:
    """Return the number of states of a suit.

    Examples
    --------
    >>> num_states(9), num_states(7), num_states(9, 17)
    (506146, 44594, 917362)
    """
    return int(4**num_kinds) + int(rank_tables(most)[1][num_kinds, most + 1])


def state_numbers(copies: NDArray[np.uint8], most: int = MOST_TILES) -> NDArray[np.uint32]:
    """Return the number of every state; copies have shape ``(N, K)`` for a suit of K kinds.

    Each is in ``0..4``; a state with four of a kind has at most ``most`` tiles.

    Examples
    --------
    >>> state_numbers(np.array([[1, 2, 0], [0, 0, 4]], np.uint8)).tolist()
    [9, 64]
    """
    steps, starts = rank_tables(most)
    num_kinds = copies.shape[1]
    shifts = 2 * np.arange(num_kinds)
    numbers: NDArray[np.uint32] = (copies.astype(np.uint32) << shifts).sum(axis=1, dtype=np.uint32)
    rows = np.flatnonzero((copies == COPIES).any(axis=1))
    left = copies[rows].sum(axis=1, dtype=np.int64)
    # Before a state are those of fewer tiles (`starts`) and, kind by kind, those with the same
    # copies so far and fewer of this kind (`steps`).
    ranks = starts[num_kinds, left].astype(np.int64)
    seen = np.zeros(len(rows), np.int64)
    for kind in range(num_kinds):
        held = copies[rows, kind].astype(np.int64)
        ranks += steps[num_kinds - kind, left, seen, held]
        left -= held
        seen |= held == COPIES
    numbers[rows] = 4**num_kinds + ranks
    return numbers


def number_of(held: bytes, most: int = MOST_TILES) -> int:
    """Return the number of a state; fast if it has no four of a kind."""
    try:
        return int(held.translate(_DIGITS)[::-1], 4)  # the first rank is the lowest digit
    except ValueError:  # at least four of a kind
        return state_number(held, most)


def state_number(copies: Sequence[int], most: int = MOST_TILES) -> int:
    """Return the number of one state.

    More than four copies of a kind, or more than ``most`` tiles, raise ``ValueError``.

    Examples
    --------
    >>> state_number([1, 2, 0]), state_number([0, 0, 4])
    (9, 64)
    """
    if max(copies) < COPIES:
        return sum(held << 2 * rank for rank, held in enumerate(copies))
    left = sum(copies)
    if left > most or max(copies) > COPIES:
        raise ValueError(f"not the state of a suit: {list(copies)}")
    steps, starts = _rank_lists(most)
    kinds = len(copies)
    number: int = 4**kinds + starts[kinds][left]
    seen = 0
    for rank, held in enumerate(copies):
        number += steps[kinds - rank][left][seen][held]
        left -= held
        seen |= held == COPIES
    return number


@cache
def _rank_lists(most: int) -> tuple[list[list[list[list[int]]]], list[list[int]]]:
    steps, starts = rank_tables(most)
    return steps.tolist(), starts.tolist()


def state_copies(
    numbers: NDArray[np.uint32], num_kinds: int, most: int = MOST_TILES
) -> NDArray[np.uint8]:
    """Return the copies of every state number, shape ``(N, K)``.

    Examples
    --------
    >>> state_copies(np.array([9, 64], np.uint32), 3).tolist()
    [[1, 2, 0], [0, 0, 4]]
    """
    shifts = 2 * np.arange(num_kinds, dtype=np.uint32)
    copies = (numbers[:, None] >> shifts & 3).astype(np.uint8)
    rows = np.flatnonzero(numbers >= 4**num_kinds)
    copies[rows] = _states_with_four(num_kinds, most)[numbers[rows] - 4**num_kinds]
    return copies


@cache
def _states_with_four(num_kinds: int, most: int) -> NDArray[np.uint8]:
    """Return the copies of every state with a four of a kind, in the order of their numbers."""
    copies = np.indices((COPIES + 1,) * num_kinds, np.uint8).reshape(num_kinds, -1)
    tiles = copies.sum(axis=0, dtype=np.uint8)
    # The copies ascend lexicographically; a stable sort by tiles gives the order of the numbers.
    chosen = np.flatnonzero((copies == COPIES).any(axis=0) & (tiles <= most))
    return copies.T[chosen[np.argsort(tiles[chosen], kind="stable")]]


def one_type_counts(size: int = 14, width: int = 9) -> NDArray[np.uint8]:
    """List the counts of every hand of ``size`` tiles inside one suit, shape ``(N, width)``.

    They are in lexicographic order, each in ``0..4``.

    Examples
    --------
    >>> one_type_counts().shape
    (118800, 9)
    """
    copies = np.indices((COPIES + 1,) * width, np.uint8).reshape(width, -1)
    return np.ascontiguousarray(copies[:, copies.sum(axis=0, dtype=np.uint8) == size].T)
