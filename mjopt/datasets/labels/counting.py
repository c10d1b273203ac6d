"""Labels that count: nearest complete hands, and decompositions."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt.answers.target_hands import targets
from mjopt.answers.values import decompositions
from mjopt.datasets.labels.base import OneColumn
from mjopt.datasets.labels.complete_suits import suit_words
from mjopt.datasets.labels.from_tables import TABLES
from mjopt.tables.batch import label
from mjopt.tables.packed import pack
from mjopt.tables.states import state_copies

COUNTER: Final = "suit automaton 1"
"""The engine of both counts; its number changes if its answers ever do."""

Counts = NDArray[np.uint8]
Integers = NDArray[np.int64]


def num_targets(counts: Counts, *, called: int = 0) -> Integers:
    """Return how many complete hands are nearest to each hand, standard form.

    Parameters
    ----------
    counts
        Copies per kind, shape (N, 27) or (N, 34).
    called
        Melds on the table.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> hand = Hand.parse("1112345678999m1p")
    >>> num_targets(np.array([hand.counts], np.uint8))
    array([12])
    """
    from mjopt.datasets.labels import _count_kernels

    found = np.zeros(len(counts), np.int64)
    if not len(counts):
        return found
    numbers = pack(counts)
    suits = np.empty(numbers.shape, np.int64)
    costs, ways, offset = [], [], 0
    for num_kinds, columns in ((9, slice(0, 3)), (7, slice(3, None))):
        if not numbers[:, columns].size:
            continue
        states, which = np.unique(numbers[:, columns], return_inverse=True)
        some = np.empty((2, len(states), 10), np.int64)
        words = suit_words(num_kinds)
        _count_kernels.nearest_of_suits(
            state_copies(states, num_kinds),
            words.after,
            words.num_nodes,
            words.first,
            some[0],
            some[1],
        )
        suits[:, columns] = which.reshape(numbers[:, columns].shape) + offset
        costs.append(some[0])
        ways.append(some[1])
        offset += len(states)
    _count_kernels.count_targets(
        suits, np.concatenate(costs), np.concatenate(ways), 4 - called, found
    )
    return found


def num_decompositions(counts: Counts, *, called: int = 0) -> Integers:
    """Return in how many ways each hand splits into melds and an eye; 0 if it is not complete.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> hand = Hand.parse("11122233344455s")
    >>> num_decompositions(np.array([hand.counts], np.uint8))
    array([4])
    """
    from mjopt.datasets.labels import _count_kernels

    found = np.zeros(len(counts), np.int64)
    full = counts.sum(axis=1, dtype=np.int64) == 14 - 3 * called
    complete = np.flatnonzero(full & (label(counts, called=called) == 0))
    some = np.empty(len(complete), np.int64)
    _count_kernels.count_splits(np.ascontiguousarray(counts[complete]), some)
    found[complete] = some
    return found


TARGETS: Final = OneColumn(
    name="targets",
    engine=COUNTER,
    column="num_targets",
    kind="int32",
    meaning="complete hands at the least distance",
    of_all=lambda rows: num_targets(rows.hands, called=rows.deal.called),
    of_one=lambda hand: targets(hand).number,  # paths through its network
)

DECOMPOSITIONS: Final = OneColumn(
    name="decompositions",
    engine=f"{COUNTER}, {TABLES}",
    column="num_decompositions",
    kind="int32",
    meaning="ways to split it into melds and an eye",
    of_all=lambda rows: num_decompositions(rows.hands, called=rows.deal.called),
    # By set partition, one solve after the other.
    of_one=lambda hand: len(decompositions(hand)) if hand.is_full else 0,
)
