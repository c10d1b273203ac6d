"""Policies: what a player does who looks at the hand in front of them and at the clock."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt.answers.play import _kernels
from mjopt.answers.play.graph import Graph
from mjopt.answers.play.upper import ONE, Values, row_starts, upper_values
from mjopt.runtime.jit import is_plain_sooner

COST: Final = 1e-7
"""Seconds that an edge takes in NumPy for each draw, about."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Policy:
    """What is done with every draw; a draw that wins always wins.

    Parameters
    ----------
    target
        Shape (n, E): after 0, 1, ... draws, the state that the draw of an edge leads to,
        -1 where it is refused.
    """

    target: NDArray[np.int32]


def bound_above(graph: Graph, draws: int, size: int) -> tuple[Values, Policy]:
    """Return the bounds from above, see :func:`upper_values`, and the policy that follows them."""
    if is_plain_sooner(_kernels.upper_kernel, COST * draws * len(graph.edge_kind)):
        values = upper_values(graph, draws, size)
        return values, follow(graph, values)
    values = np.zeros((draws + 1, graph.num_states), np.int64)
    target = np.full((draws, len(graph.edge_kind)), -1, np.int32)
    starts = row_starts(graph.edge_state, graph.num_states)
    edges = graph.edge_state, graph.edge_full, graph.edge_left
    _kernels.upper_kernel(starts, *edges, graph.wins, size, ONE, values, target)
    return values, Policy(target=target)


def follow(graph: Graph, values: Values) -> Policy:
    """Return the policy that goes where a value is greatest, and refuses what gains nothing.

    Parameters
    ----------
    graph
        The hands.
    values
        Shape (n + 1, S), by draws left.
    """
    draws = len(values) - 1
    target = np.full((draws, len(graph.edge_state)), -1, np.int32)
    order, starts = graph.by_full, graph.full_starts
    state = graph.edge_state[order]
    sizes = np.diff(starts, append=len(order))
    place = np.arange(len(order))
    for t in range(draws):
        now = values[draws - t - 1]
        worth = now[state]
        best = np.maximum.reduceat(worth, starts)
        first = np.where(worth == np.repeat(best, sizes), place, len(order))
        chosen = state[np.minimum.reduceat(first, starts)]
        gains = (best[graph.edge_full] > now[graph.edge_state]) & (graph.edge_left > 0)
        target[t] = np.where(gains, chosen[graph.edge_full], -1)
    return Policy(target=target)
