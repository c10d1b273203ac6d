"""The trees of many games, grown together."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjopt.errors import LearningError
from mjopt.game.rules import NUM_SEATS
from mjopt.learning._mcts_kernels import NONE, UNKNOWN, grow, select_leaves
from mjopt.learning.mcts_config import Bools, Floats, Integers

PARENT: Final = 3  # where it stands among the arrays of a tree


class Trees:
    """The trees of a batch as arrays: a row a game, a column a node, node 0 the root.

    Priors of the root's edges are of shape ``(B, edges)``, below 0 where there is none, its values
    ``(B, 4)``; there will be so many nodes, the root included.
    """

    def __init__(self, priors: NDArray[Any], values: Floats, nodes: int) -> None:
        games, numbers = priors.shape
        shape = (games, nodes)
        self.priors = np.empty((games, nodes, numbers), np.float32)
        self.priors[:, 0] = priors
        self.actions = np.full(shape, NONE, np.int64)
        self.place = np.zeros(shape, np.int64)
        self.visits = np.zeros(shape, np.int64)
        self.gained = np.zeros((games, NUM_SEATS))
        self.sums = np.array(values, np.float64)
        worth = np.zeros((games, nodes, NUM_SEATS))
        worth[:, 0] = values
        self.arrays = (
            self.priors,
            np.full(shape, NONE, np.int64),  # first child
            np.full(shape, NONE, np.int64),  # sibling
            np.full(shape, NONE, np.int64),  # parent
            self.actions,
            self.visits,
            np.zeros(shape),  # mean
            np.zeros(shape, np.int64),  # total
            np.full(shape, UNKNOWN, np.int64),  # following
            np.full(shape, NONE, np.int64),  # last
            np.zeros(shape, np.bool_),  # over
            self.place,
            worth,
            self.gained,
        )

    def select(self, forced: Integers, exploration: float) -> Integers:
        """Return the next leaf of every tree, see :func:`select_leaves`."""
        leaves = np.empty((len(forced), 3), np.int64)
        select_leaves(self.arrays, forced, float(exploration), leaves)
        if leaves.size and leaves[:, 1].min() < 0:
            raise LearningError("a state without any action: are the network's priors numbers?")
        return leaves

    def grow(
        self, number: int, leaves: Integers, places: Integers, values: Any, ends: Bools
    ) -> None:
        """Add a leaf to every tree, see :func:`mjopt.learning._mcts_kernels.grow`."""
        grow(self.arrays, number, leaves, places, np.asarray(values, np.float64), ends)
        self.sums += self.gained

    def root_visits(self) -> NDArray[np.int32]:
        """Return how often each edge of the roots was tried, shape ``(B, edges)``."""
        counts = np.zeros((len(self.priors), self.priors.shape[2]), np.int32)
        games, children = np.nonzero(self.arrays[PARENT] == 0)
        counts[games, self.actions[games, children]] = self.visits[games, children]
        return counts
