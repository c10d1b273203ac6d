"""Which kinds are likely to be gone: a guess that steers bounds, and that no bound depends on."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt.analysis.win_chance._kernels import LEVELS
from mjopt.analysis.win_chance.graph import Graph
from mjopt.analysis.win_chance.lower_bound import shifts
from mjopt.analysis.win_chance.policy import Policy

_APART: Final = 1e-4  # one discard weighs so little beside the one before it


def find_weights(graph: Graph, policy: Policy, size: int, roots: Sequence[int]) -> NDArray[np.int8]:
    """Follow a policy, as if copies were gone on average, and weigh each kind in each hand.

    Parameters
    ----------
    graph, policy
        Who plays.
    size
        Tiles in the wall.
    roots
        The states after the discards, the best first.

    Returns
    -------
    ndarray of int8, shape (S, K)
        10 more than the binary logarithm of the copies that are gone, on average over the
        draws at which the hand is held, from 0 to 9.
    """
    chance = np.zeros(graph.num_states)
    chance[roots] = _APART ** np.arange(len(roots))
    gone = np.zeros(graph.states.shape)  # times the chance to be there
    in_all, gone_in_all = np.zeros_like(chance), np.zeros_like(gone)
    for t in range(len(policy.leaves)):
        in_all += chance
        gone_in_all += gone
        mean = gone / np.where(chance > 0, chance, 1)[:, None]
        copies = np.maximum(graph.left - mean, 0) * (chance / (size - t))[:, None]
        refused = copies.copy()
        refused[graph.win_state, graph.win_kind] = 0
        kept, leaves = policy.moves(graph, t, chance > 0)
        state, kind = graph.edge_state[kept], graph.edge_kind[kept]
        refused[state, kind] = 0
        stays, goes = refused.sum(axis=1), copies[state, kind]
        gone = mean * stays[:, None] + refused
        np.add.at(gone, leaves >> 7, goes[:, None] * (mean[state] + shifts(graph, kept, leaves)))
        chance = stays + np.bincount(leaves >> 7, goes, graph.num_states)
    mean = gone_in_all / np.where(in_all > 0, in_all, 1)[:, None]
    levels = np.frexp(mean)[1] + LEVELS
    return np.where(mean > 0, np.clip(levels, 0, LEVELS - 1), 0).astype(np.int8)
