"""Labels that count: nearest complete hands, and decompositions."""

from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from mjopt.answers.target_hands import targets
from mjopt.answers.values import decompositions
from mjopt.datasets.labels.base import Block, Column, Values
from mjopt.datasets.labels.deficiencies import TABLES
from mjopt.datasets.labels.suit_words import suit_words
from mjopt.datasets.recipes.base import Deal
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


@dataclass(frozen=True, slots=True)
class Targets:
    """How many complete hands are nearest."""

    name: ClassVar = "targets"
    engine: ClassVar = COUNTER

    def check(self, _: Deal) -> None:
        """Refuse nothing."""

    def columns(self, _: Deal) -> tuple[Column, ...]:
        """Return its one column."""
        return (Column("num_targets", "int32", "complete hands at the least distance"),)

    def values(self, block: Block) -> Values:
        """Count for all hands."""
        return {"num_targets": num_targets(block.hands, called=block.deal.called).astype(np.int32)}

    def again(self, block: Block) -> dict[str, Any]:
        """Count paths through the network of the hand."""
        hand = block.hand
        return {"num_targets": targets(hand).number}


@dataclass(frozen=True, slots=True)
class Decompositions:
    """In how many ways a hand splits into melds and an eye."""

    name: ClassVar = "decompositions"
    engine: ClassVar = f"{COUNTER}, {TABLES}"

    def check(self, _: Deal) -> None:
        """Refuse nothing."""

    def columns(self, _: Deal) -> tuple[Column, ...]:
        """Return its one column."""
        return (Column("num_decompositions", "int32", "ways to split it into melds and an eye"),)

    def values(self, block: Block) -> Values:
        """Count for all hands."""
        found = num_decompositions(block.hands, called=block.deal.called)
        return {"num_decompositions": found.astype(np.int32)}

    def again(self, block: Block) -> dict[str, Any]:
        """List the decompositions by set partition, one solve after the other."""
        hand = block.hand
        return {"num_decompositions": len(decompositions(hand)) if hand.is_full else 0}
