"""Exact values: where nothing is gone of what a policy draws for, the hand tells its value."""

from collections.abc import Sequence
from fractions import Fraction
from math import prod

import numpy as np

from mjopt.analysis.win_chance.graph import Graph
from mjopt.analysis.win_chance.lower_bound import find_caps
from mjopt.analysis.win_chance.policy import follow
from mjopt.analysis.win_chance.upper_bound import upper_values

MOST_EDGES = 20_000  # beyond, numbers of any length take too long


def exact_values(graph: Graph, draws: int, size: int, kinds: Sequence[int]) -> dict[int, Fraction]:
    """Return by discard the value within the class, where some policy has no losses.

    Parameters
    ----------
    graph
        The class.
    draws, size
        The draws, and the tiles in the wall.
    kinds
        Discards for which the policy of the rounded bounds has none: where it is worth while
        to do the same without rounding.
    """
    if not kinds or len(graph.edge_kind) > MOST_EDGES:
        return {}
    values = upper_values(graph, draws, size, is_exact=True)
    policy = follow(graph, values)
    whole = prod(range(size - draws + 1, size + 1))
    return {
        kind: Fraction(int(values[draws, graph.roots[kind]]), whole)
        for kind in kinds
        if find_caps(graph, policy, np.array([graph.roots[kind]])).is_lossless(graph, policy)
    }
