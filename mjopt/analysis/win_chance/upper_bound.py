"""Upper bound (T1): discarded tiles return to the wall, so the hand alone is the state."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt.analysis.win_chance import _kernels
from mjopt.analysis.win_chance.graph import Graph, row_starts

SCALE: Final = 48
ONE: Final = 1 << SCALE
"""Bounds are integers in units of ``1 / ONE``; times the size of a wall they stay below 2**56."""

Values = NDArray[np.int64]


def upper_values(graph: Graph, draws: int, size: int, *, is_exact: bool = False) -> Values:
    """Return upper bounds of the value within the class, for 0, 1, ... draws left.

    With m draws left and t made, U_m(h) = U_{m-1}(h) + sum of u_x (best - U_{m-1}(h)) / (N - t)
    over the kinds x that can be drawn, where best is 1 for a win and else the greatest
    U_{m-1} of the hands that the full hand h + x leaves, h among them; rounded up, 1 at most.

    Parameters
    ----------
    graph
        The hands of the class.
    draws
        Number of draws in all.
    size
        Tiles in the wall, at least ``draws``.
    is_exact
        Do not round: count winning sequences of draws as Python integers.

    Returns
    -------
    ndarray of int64, shape (draws + 1, S)
        In units of ``1 / ONE``; if exact, numbers of sequences of draws.
    """
    values = np.zeros((draws + 1, graph.num_states), object if is_exact else np.int64)
    ends, whole = row_starts(graph.edge_state, graph.num_states), 1 if is_exact else ONE
    for m in range(1, draws + 1):
        now, left = values[m - 1], size - (draws - m)
        best = np.maximum.reduceat(now[graph.edge_state[graph.by_full]], graph.full_starts)
        gain = graph.edge_left * (best[graph.edge_full] - now[graph.edge_state])
        sums = np.concatenate([np.zeros(1, values.dtype), np.cumsum(gain)])
        total = graph.wins * (whole - now) + np.diff(sums[ends])
        if is_exact:
            whole *= left
        values[m] = np.minimum(left * now + total if is_exact else now - -total // left, whole)
    return values


@dataclass(frozen=True, eq=False, kw_only=True)
class Policy:
    """A greedy policy: after each draw move to the state with the greatest value.

    A draw that gains nothing is discarded. A draw that wins is always taken.

    Parameters
    ----------
    values
        Values by draws left and state, shape (n + 1, S).
    leaves
        Shape (n, F): the move from each full hand after 0, 1, ... draws, encoded as in
        `Graph.leaving`.
    """

    values: Values
    leaves: NDArray[np.int32]

    def moves(
        self, graph: Graph, t: int, is_here: NDArray[np.bool_]
    ) -> tuple[Values, NDArray[np.int32]]:
        """Return the edges that some states follow after t draws, and the moves after them."""
        now = self.values[len(self.leaves) - 1 - t]
        leaves = self.leaves[t][graph.edge_full]
        gains = (now[leaves >> 7] > now[graph.edge_state]) & (graph.edge_left > 0)
        kept = np.flatnonzero(gains & is_here[graph.edge_state])
        return kept, leaves[kept]


def greedy_policy(graph: Graph, draws: int, size: int) -> Policy:
    """Return the policy that is greedy for the bounds of :func:`upper_values`."""
    values = np.zeros((draws + 1, graph.num_states), np.int64)
    leaves = np.empty((draws, graph.num_full), np.int32)
    _kernels.upper_kernel(graph.arrays, size, ONE, values, leaves)
    return Policy(values=values, leaves=leaves)


def policy_of_values(graph: Graph, values: Values) -> Policy:
    """Return the policy that is greedy for some values."""
    order, starts = graph.by_full, graph.full_starts
    state, leaving = graph.edge_state[order], graph.leaving[order]
    sizes, place = np.diff(starts, append=len(order)), np.arange(len(order))
    leaves = np.empty((len(values) - 1, len(starts)), np.int32)
    for t, now in enumerate(values[-2::-1]):
        worth = now[state]
        best = np.repeat(np.maximum.reduceat(worth, starts), sizes)
        leaves[t] = leaving[np.minimum.reduceat(np.where(worth == best, place, len(order)), starts)]
    return Policy(values=values, leaves=leaves)
