"""The upper bound of a class: tiles thrown away return, so that the hand alone tells its value."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt.answers.play.graph import Graph

SCALE: Final = 48
ONE: Final = 1 << SCALE
"""Bounds are integers over this; products with the copies of a wall stay below 2 ** 56."""

Values = NDArray[np.int64]


def upper_values(graph: Graph, draws: int, size: int) -> Values:
    """Return, for 0, 1, ... draws left, what no play within the class exceeds.

    With m draws left and t made, U_m(h) = U_{m-1}(h) + sum of u_x (best - U_{m-1}(h)) / (N - t)
    over the kinds x that can be drawn, where best is 1 for a win and else the greatest
    U_{m-1} of the hands that the full hand h + x leaves, h among them; rounded up, 1 at most.

    Parameters
    ----------
    graph
        The hands of the class.
    draws
        That may be made in all.
    size
        Tiles in the wall, at least so many.

    Returns
    -------
    ndarray of int64, shape (draws + 1, S)
        In units of ``1 / ONE``.
    """
    values = np.zeros((draws + 1, graph.num_states), np.int64)
    ends = row_starts(graph.edge_state, graph.num_states)
    for m in range(1, draws + 1):
        now = values[m - 1]
        best = np.maximum.reduceat(now[graph.edge_state[graph.by_full]], graph.full_starts)
        gain = graph.edge_left * (best[graph.edge_full] - now[graph.edge_state])
        total = graph.wins * (ONE - now) + np.diff(np.concatenate([[0], np.cumsum(gain)])[ends])
        left = size - (draws - m)
        values[m] = np.minimum(now - -total // left, ONE)
    return values


def row_starts(places: Values, size: int) -> Values:
    """Return where each of so many places begins among ascending ones, and where the last ends."""
    return np.searchsorted(places, np.arange(size + 1))
