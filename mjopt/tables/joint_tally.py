"""Count hands by their least deficiency over several templates of groups, exactly.

A group has one class for each template. Its states are tallied by all of them together; tallies
are multiplied into those of two groups, and those into whole hands.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt.errors import HandError
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.tables.groups import groups_of
from mjopt.tables.hand_tables import HandTables
from mjopt.tables.state_index import num_states, state_copies

WAYS: Final = np.array([1, 4, 6, 4, 1], np.int64)
"""Ways to choose 0..4 of the four copies of a kind."""

MOST_PAIRS: Final = 1 << 31
"""Most pairs of classes of two halves of a hand: about a minute."""

_PART: Final = 1 << 22  # pairs at a time

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class _JointTally:
    """Rows of classes, with the numbers of states and of deals that they represent.

    The columns are the class in the tables of each template, the number of suits with tiles, and
    the number of tiles. The deals of half a hand are below 2**63.
    """

    keys: Integers
    states: Integers
    deals: Integers

    @classmethod
    def of(cls, keys: Integers, states: Integers, deals: Integers) -> "_JointTally":
        """Add up equal rows."""
        number = np.zeros(len(keys), np.int64)
        for column in keys.T:
            number = number * (int(column.max(initial=0)) + 1) + column
            number = np.unique(number, return_inverse=True)[1]
        _, first = np.unique(number, return_index=True)
        sums = np.zeros((2, len(first)), np.int64)
        np.add.at(sums[0], number, states)
        np.add.at(sums[1], number, deals)
        return cls(keys[first], sums[0], sums[1])

    def of_size(self, size: int) -> "_JointTally":
        which = self.keys[:, -1] == size
        return _JointTally(self.keys[which], self.states[which], self.deals[which])


def count_by_templates(
    tables: Sequence[HandTables], tiles: TileSet, size: int, types: int | None
) -> tuple[Counter[int], Counter[int]]:
    """Return the numbers of hands and of deals by least deficiency.

    Parameters
    ----------
    tables
        The tables of each template.
    tiles
        The tile set.
    size
        Tiles of a hand.
    types
        Count only hands with tiles of that number of suits.

    Raises
    ------
    HandError
        If there are too many classes.
    """
    parts = [
        _tally(tables, place, group.width, size) for place, group in enumerate(groups_of(tiles))
    ]
    none = np.zeros((1, len(tables) + 2), np.int64)
    while len(parts) < len(tables[0].parts):
        parts.append(_JointTally(none, np.ones(1, np.int64), np.ones(1, np.int64)))
    first, second = (_joined(tables, h, size, *parts[2 * h : 2 * h + 2]) for h in range(2))
    halves = [(first.of_size(left), second.of_size(size - left)) for left in range(size + 1)]
    if sum(len(a.keys) * len(b.keys) for a, b in halves) > MOST_PAIRS:
        raise HandError("too many classes of hands to count", argument="census")
    counts: Counter[int] = Counter()
    deals: Counter[int] = Counter()
    answers = [of.answers(0) for of in tables]
    for left, right in halves:
        step = _PART // max(1, len(right.keys)) + 1
        for start in range(0, len(left.keys), step):
            keys = left.keys[start : start + step]
            values = np.min(
                [a[keys[:, t]][:, right.keys[:, t]] for t, a in enumerate(answers)], axis=0
            )
            if types is not None:
                values[keys[:, -2:-1] + right.keys[:, -2] != types] = -1
            for value in np.unique(values[values >= 0]).tolist():
                chosen = values == value
                both = chosen @ np.stack([right.states, right.deals], axis=1)
                for total, own, other in (
                    (counts, left.states, both[:, 0]),
                    (deals, left.deals, both[:, 1]),
                ):  # as Python integers: 17 tiles have more than 2**63 deals
                    ways = zip(own[start : start + step].tolist(), other.tolist(), strict=True)
                    total[value] += sum(a * b for a, b in ways)
    return counts, deals


def _tally(tables: Sequence[HandTables], place: int, width: int, size: int) -> _JointTally:
    """Tally the states of one group with at most ``size`` tiles."""
    most = tables[0].most
    numbers = np.arange(num_states(width, most))
    copies = state_copies(numbers.astype(np.uint32), width, most)
    tiles = copies.sum(axis=1, dtype=np.int64)
    numbers, copies, tiles = numbers[tiles <= size], copies[tiles <= size], tiles[tiles <= size]
    classes = [of.parts[place].numbers[numbers].astype(np.int64) for of in tables]
    keys = np.column_stack([*classes, tiles > 0, tiles])
    deals = WAYS[np.minimum(copies, COPIES)].prod(axis=1)
    return _JointTally.of(keys, np.ones_like(deals), deals)


def _joined(
    tables: Sequence[HandTables], half: int, size: int, first: _JointTally, second: _JointTally
) -> _JointTally:
    """Multiply the tallies of the two groups of a half."""
    i, j = np.nonzero(first.keys[:, -1:] + second.keys[:, -1] <= size)
    joins = [of.halves[half].numbers.reshape(len(of.parts[2 * half]), -1) for of in tables]
    classes = [
        join[first.keys[i, t], second.keys[j, t]].astype(np.int64) for t, join in enumerate(joins)
    ]
    keys = np.column_stack([*classes, first.keys[i, -2:] + second.keys[j, -2:]])
    return _JointTally.of(
        keys, first.states[i] * second.states[j], first.deals[i] * second.deals[j]
    )
