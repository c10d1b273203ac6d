"""Classes of one suit, or of the honours, for ceiling tables.

Suits may be mirrored (1 to 9, 9 to 1) and honours exchanged without a change of any chance to
win. A class is all copies that are equal in this sense; tables hold a number per class.
"""

from dataclasses import dataclass
from functools import cache
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt.hands.tiles import COPIES
from mjopt.tables.suits.costs import Costs, cost_vectors
from mjopt.tables.suits.state_index import MOST_TILES

# The copies of a suit are a code below 5**9 = 1,953,125, and `class_of` has one number for each. So
# a class is one look-up, also after a move, which adds a power of five to the code or subtracts it.
# Classes are numbered within their number of tiles, since a block of the layout has fixed numbers
# of tiles.
# Moves go from class to class by the representative: a draw of rank 2 for it is one of rank 8 for
# its mirror image, and leads to the same class.

NUM_RANKS: Final = 9
NUM_HONOURS: Final = 7

IS_MELDS: Final = 0  # melds only, or nothing
IS_MELDS_AND_EYE: Final = 1
IS_OTHER: Final = 4  # no part of a complete hand: the sum over all parts is never 1


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Classes:
    """Classes of 0 to 14 tiles of a suit or of the honours.

    Classes are numbered from 0 for each number of tiles.
    """

    starts: NDArray[np.int64]  # shape (16,): the first row of copies of each size
    copies: NDArray[np.uint8]  # shape (C, K): the representative of each class, in order of size
    # The number of the class within its size, by codes; -1 for more than 14 tiles.
    class_of: NDArray[np.int32]

    def number(self, size: int) -> int:
        """Return the number of classes with this many tiles."""
        return int(self.starts[size + 1] - self.starts[size])


class Moves(NamedTuple):
    """Moves between classes, and what each class adds to a hand, in the order of ``copies``.

    M is the number of moves: a suit has one per rank, the honours one per number of copies held.
    """

    # Shape (M, C): the class with one more tile, and the number of physical tiles that lead to it;
    # 0 if there is none.
    added: NDArray[np.uint32]
    added_copies: NDArray[np.uint32]
    # Shape (M, C): the class with one tile less. Moves that do not exist repeat one that does.
    removed: NDArray[np.uint32]
    shape: NDArray[np.uint8]  # shape (C,): IS_MELDS, IS_MELDS_AND_EYE or IS_OTHER
    ways: NDArray[np.int64]  # shape (C,): number of sets of physical tiles in the class
    costs: Costs  # shape (10, C): cost vectors, see mjopt.tables.suits.costs.cost_vectors


def codes(copies: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the copies read as numbers in base five, the first kind most significant."""
    powers = 5 ** np.arange(copies.shape[1] - 1, -1, -1, dtype=np.int64)
    found: NDArray[np.int64] = copies.astype(np.int64) @ powers
    return found


@cache
def suit_classes() -> Classes:
    """Return the classes of a suit: mirror images are one class.

    Examples
    --------
    >>> suit_classes().number(2), suit_classes().number(14)
    (25, 59500)
    """
    copies = _at_most_14(NUM_RANKS)
    # The smaller code of a hand and its mirror image names the class.
    return _classes(copies, np.minimum(codes(copies), codes(copies[:, ::-1])))


@cache
def honour_classes() -> Classes:
    """Return the classes of the honours: only the multiset of the numbers of copies counts.

    Examples
    --------
    >>> honour_classes().number(2), honour_classes().number(14)
    (2, 24)
    """
    copies = _at_most_14(NUM_HONOURS)
    return _classes(copies, codes(np.sort(copies, axis=1)[:, ::-1]))


@cache
def suit_moves() -> Moves:
    """Return the moves between the classes of a suit."""
    return _moves(suit_classes(), has_chows=True)


@cache
def honour_moves() -> Moves:
    """Return the moves between the classes of the honours."""
    return _moves(honour_classes(), has_chows=False)


def _at_most_14(num_kinds: int) -> NDArray[np.uint8]:
    copies = np.indices((COPIES + 1,) * num_kinds, np.uint8).reshape(num_kinds, -1)
    return np.ascontiguousarray(copies[:, copies.sum(axis=0, dtype=np.uint8) <= MOST_TILES].T)


def _classes(copies: NDArray[np.uint8], canonical: NDArray[np.int64]) -> Classes:
    """Return the classes, numbered by size, then by the code of the representative."""
    num_kinds = copies.shape[1]
    own = codes(copies)
    rows = np.flatnonzero(own == canonical)
    size = copies[rows].sum(axis=1, dtype=np.int64)
    rows = rows[np.argsort(size, kind="stable")]  # codes ascend already
    starts = np.searchsorted(np.sort(size), np.arange(MOST_TILES + 2)).astype(np.int64)
    class_of = np.full(5**num_kinds, -1, np.int32)
    size = copies[rows].sum(axis=1, dtype=np.int64)
    class_of[own[rows]] = np.arange(len(rows)) - starts[size]
    class_of[own] = class_of[canonical]
    classes = Classes(starts=starts, copies=copies[rows], class_of=class_of)
    for array in (classes.starts, classes.copies, classes.class_of):
        array.setflags(write=False)
    return classes


def _moves(classes: Classes, *, has_chows: bool) -> Moves:
    copies, class_of = classes.copies, classes.class_of
    num_classes, num_kinds = copies.shape
    num_moves = num_kinds if has_chows else COPIES + 1
    size = copies.sum(axis=1, dtype=np.int64)
    added = np.zeros((num_moves, num_classes), np.uint32)
    added_copies = np.zeros((num_moves, num_classes), np.uint32)
    removed = np.full((num_moves, num_classes), -1, np.int64)
    powers = 5 ** np.arange(num_kinds - 1, -1, -1, dtype=np.int64)
    own = codes(copies)
    for kind in range(num_kinds):
        held = copies[:, kind].astype(np.int64)
        rows = np.flatnonzero((held < COPIES) & (size < MOST_TILES))
        move = kind if has_chows else held[rows]
        added[move, rows] = class_of[own[rows] + powers[kind]]
        # Honours with equal copies share a move, so their tiles add up.
        added_copies[move, rows] += (COPIES - held[rows]).astype(np.uint32)
        rows = np.flatnonzero(held)
        move = kind if has_chows else held[rows]
        removed[move, rows] = class_of[own[rows] - powers[kind]]
    some_move = np.maximum(removed.max(axis=0), 0)
    moves = Moves(
        added=added,
        added_copies=added_copies,
        removed=np.where(removed < 0, some_move, removed).astype(np.uint32),
        shape=_shapes(size, costs := cost_vectors(num_kinds, has_chows=has_chows)[own]),
        ways=_ways(classes),
        costs=np.ascontiguousarray(costs.T),
    )
    for array in moves:
        array.setflags(write=False)
    return moves


def _ways(classes: Classes) -> NDArray[np.int64]:
    """Return the number of sets of physical tiles in each class."""
    copies = _at_most_14(classes.copies.shape[1])
    choose = np.array([comb(COPIES, held) for held in range(COPIES + 1)], np.int64)
    rows = classes.class_of[codes(copies)] + classes.starts[copies.sum(axis=1, dtype=np.int64)]
    ways = np.zeros(len(classes.copies), np.int64)
    np.add.at(ways, rows, choose[copies].prod(axis=1))
    return ways


def _shapes(size: NDArray[np.int64], costs: Costs) -> NDArray[np.uint8]:
    """Return whether each class is melds only, melds and an eye, or neither."""
    melds, rest = np.divmod(size, 3)
    # 3 k tiles can only be melds and 3 k + 2 only melds and an eye; one tile more is neither,
    # whatever it costs.
    missing = costs[np.arange(len(size)), 2 * melds + (rest == 2)]
    shape = np.full(len(size), IS_OTHER, np.uint8)
    shape[(missing == 0) & (rest == 0)] = IS_MELDS
    shape[(missing == 0) & (rest == 2)] = IS_MELDS_AND_EYE
    return shape
