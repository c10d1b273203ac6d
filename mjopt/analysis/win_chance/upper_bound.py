"""The upper bound of a class: tiles thrown away return, so that the hand alone tells its value."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt.analysis.win_chance.graph import Graph, row_starts

SCALE: Final = 48
ONE: Final = 1 << SCALE
"""Bounds are integers over this; products with the copies of a wall stay below 2 ** 56."""

Values = NDArray[np.int64]


def upper_values(graph: Graph, draws: int, size: int, *, is_exact: bool = False) -> Values:
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
    is_exact
        Do not round: count the ways to draw that win, as numbers of any length.

    Returns
    -------
    ndarray of int64, shape (draws + 1, S)
        In units of ``1 / ONE``; those that are exact, of 1 among the ways to draw.
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
