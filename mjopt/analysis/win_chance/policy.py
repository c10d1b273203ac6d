"""Policies: what a player does who looks at the hand in front of them and at the clock."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mjopt.analysis.win_chance import _kernels
from mjopt.analysis.win_chance.graph import Graph
from mjopt.analysis.win_chance.upper_bound import ONE, Values


@dataclass(frozen=True, eq=False, kw_only=True)
class Policy:
    """What is done with every draw: go where a value is greatest, refuse what gains nothing.

    A draw that wins always wins.

    Parameters
    ----------
    values
        Shape (n + 1, S), by draws left.
    leaves
        Shape (n, F): after 0, 1, ... draws, how each full hand is left, as `Graph.leaving` says.
    """

    values: Values
    leaves: NDArray[np.int32]

    def moves(
        self, graph: Graph, t: int, is_here: NDArray[np.bool_]
    ) -> tuple[Values, NDArray[np.int32]]:
        """Return the edges of some states kept after t draws, and how what they make is left."""
        now = self.values[len(self.leaves) - 1 - t]
        leaves = self.leaves[t][graph.edge_full]
        gains = (now[leaves >> 7] > now[graph.edge_state]) & (graph.edge_left > 0)
        kept = np.flatnonzero(gains & is_here[graph.edge_state])
        return kept, leaves[kept]


def bound_above(graph: Graph, draws: int, size: int) -> Policy:
    """Return the policy that follows the bounds of ``upper_bound.upper_values``."""
    values = np.zeros((draws + 1, graph.num_states), np.int64)
    leaves = np.empty((draws, graph.num_full), np.int32)
    _kernels.upper_kernel(graph.arrays, size, ONE, values, leaves)
    return Policy(values=values, leaves=leaves)


def follow(graph: Graph, values: Values) -> Policy:
    """Return the policy that follows values."""
    order, starts = graph.by_full, graph.full_starts
    state, leaving = graph.edge_state[order], graph.leaving[order]
    sizes, place = np.diff(starts, append=len(order)), np.arange(len(order))
    leaves = np.empty((len(values) - 1, len(starts)), np.int32)
    for t, now in enumerate(values[-2::-1]):
        worth = now[state]
        best = np.repeat(np.maximum.reduceat(worth, starts), sizes)
        leaves[t] = leaving[np.minimum.reduceat(np.where(worth == best, place, len(order)), starts)]
    return Policy(values=values, leaves=leaves)
