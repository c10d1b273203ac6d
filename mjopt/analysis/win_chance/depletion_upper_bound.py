"""Upper bound with depletion (T6): refused copies of a wanted tile leave fewer in the wall.

It mirrors :mod:`mjopt.analysis.win_chance.lower_bound`: V <= a - b . delta, where delta counts
the copies that were drawn and discarded. The value after a draw is a maximum over discards; one
slope bounds it for all of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjopt.analysis.win_chance import _kernels
from mjopt.analysis.win_chance._kernels import LEVELS
from mjopt.analysis.win_chance.graph import Graph
from mjopt.analysis.win_chance.lower_bound import LinearBounds, Weights, shifts
from mjopt.analysis.win_chance.upper_bound import ONE, Policy, Values

DISCARD_RATIO: Final = 1e-4  # weight of each discard relative to the one ranked before it

SLACK: Final = 1 << 20
"""If a exceeds the bound of T1 by more, that bound replaces a and b is 0."""


@dataclass(frozen=True, eq=False, kw_only=True)
class _Fulls:
    """The full hands of a graph, as arrays.

    Parameters
    ----------
    state, kind, full
        State, kind and full hand of each edge, ordered by full hand.
    returns
        Whether discarding that kind discards a drawn tile.
    cap, num_new
        Most discarded copies of each kind, and tiles that the first hand does not hold.
    """

    state: Values
    kind: Values
    full: Values
    returns: NDArray[np.bool_]
    cap: Values
    num_new: Values


def depletion_bounds(
    graph: Graph,
    upper: Values,
    size: int,
    weights: Weights,
    *,
    with_b: bool = False,
) -> LinearBounds:
    """Bound the value of every play within the class from above, by backward induction.

    Parameters
    ----------
    graph
        The hands of the class.
    upper
        Bounds of :func:`mjopt.analysis.win_chance.upper_bound.upper_values`; where they are
        smaller they are used, with b = 0.
    size
        Tiles in the wall.
    weights
        Shape (S, K), 0..9: which slopes to keep if not all can be kept. The bounds are valid
        for any weights; see :func:`find_weights`.
    with_b
        Also return b for every number of draws.
    """
    draws = len(upper) - 1
    a = np.zeros_like(upper)
    held = np.array(graph.space.hand.counts)
    order = graph.by_full
    if not with_b:
        full_starts = np.append(graph.full_starts, len(order))
        _kernels.depletion_kernel(
            graph.arrays, full_starts, order, weights, size, ONE, SLACK, upper, a
        )
        return LinearBounds(a=a, b=[])
    fulls = _fulls(graph, held)
    b = np.zeros(graph.left.shape, np.int64)
    kept = [b]
    for m in range(1, draws + 1):
        t = draws - m
        best = _after_draw(graph, fulls, a[m - 1], b, weights, t)
        a[m], b = _before_draw(graph, held, best, a[m - 1], b, t, size - t)
        b = np.where(weights > 0, b, np.minimum(b, 0))  # ignore kinds that are hardly ever depleted
        lost = (a[m] > upper[m] + SLACK) | (a[m] < -ONE) | (t < graph.num_new)
        lost |= np.abs(b).max(axis=1, initial=0) > ONE
        a[m][lost], b[lost] = upper[m][lost], 0
        kept.append(b)
    return LinearBounds(a=a, b=kept if with_b else [])


def _fulls(graph: Graph, held: Values) -> _Fulls:
    order = graph.by_full
    state, kind = graph.edge_state[order], graph.edge_kind[order]
    first = graph.full_starts
    counts = graph.states[state[first]].astype(np.int64)
    counts[np.arange(len(first)), kind[first]] += 1
    new = np.maximum(counts - held, 0)
    return _Fulls(
        state=state,
        kind=kind,
        full=np.repeat(np.arange(len(first)), np.diff(first, append=len(order))),
        returns=graph.states[state, kind] >= held[kind],
        cap=np.array(graph.space.wall) - new,
        num_new=new.sum(axis=1),
    )


def _after_draw(
    graph: Graph, fulls: _Fulls, a: Values, b: Values, weights: Weights, t: int
) -> tuple[Values, Values]:
    """Return a bound and its slopes for every full hand, over all discards."""
    starts, state, full = graph.full_starts, fulls.state, fulls.full
    if not len(starts):
        return np.zeros(0, np.int64), np.zeros((0, b.shape[1]), np.int64)
    worth = a[state] - np.where(fulls.returns, b[state, fulls.kind], 0)
    top = np.maximum.reduceat(worth, starts)
    place = np.where(worth == top[full], np.arange(len(full)), len(full))
    chosen = state[np.minimum.reduceat(place, starts)]
    base = b[chosen]
    gone = np.maximum(t + 1 - fulls.num_new, 0)
    cap = np.maximum(np.minimum(fulls.cap, gone[:, None]), 0)
    rise = np.maximum(base[full] - b[state], 0)
    slack = top[full] - worth
    need = np.minimum((rise * cap[full]).sum(axis=1), gone[full] * rise.max(axis=1))
    [rows] = np.nonzero(need > slack)
    part, slack = rise[rows], slack[rows]
    level, cost = weights[chosen[full[rows]]], part * cap[full[rows]]
    kept = part.copy()
    for at in range(_kernels.LEVELS - 1, -1, -1):
        is_here = level == at
        need = (cost * is_here).sum(axis=1)
        share = np.where(
            need <= slack, 1 << _kernels.SHARE, (slack << _kernels.SHARE) // np.maximum(need, 1)
        )
        np.copyto(kept, part * share[:, None] >> _kernels.SHARE, where=is_here)
        slack = np.where(need <= slack, slack - need, 0)
    slopes = base.copy()
    if len(rows):
        first = np.flatnonzero(np.diff(full[rows], prepend=-1))
        into = full[rows[first]]
        least = np.minimum.reduceat(base[full[rows]] - part + kept, first)
        slopes[into] = np.minimum(slopes[into], least)
    return top, slopes


def _before_draw(
    graph: Graph,
    held: Values,
    best: tuple[Values, Values],
    a: Values,
    b: Values,
    t: int,
    left: int,
) -> tuple[Values, Values]:
    """Return a and b of the states before the next draw."""
    top, slopes = best
    gains = -b
    low, slope = gains.copy(), np.zeros_like(b)
    gone = t - graph.num_new.astype(np.int64)
    [edges] = np.nonzero(graph.edge_left > 0)
    state, kind, full = graph.edge_state[edges], graph.edge_kind[edges], graph.edge_full[edges]
    gain = top[full] - a[state]
    gain -= np.where(graph.states[state, kind] < held[kind], slopes[full, kind], 0)
    gains[state, kind] = gain
    drop = slopes[full] - b[state]
    low[state, kind] = gain - _most(drop, graph.left[state], gone[state])
    _add(slope, state, graph.edge_left[edges][:, None] * drop)
    state, kind = graph.win_state, graph.win_kind
    gains[state, kind] = ONE - a[state]
    low[state, kind] = gains[state, kind] - _most(-b[state], graph.left[state], gone[state])
    slope -= graph.wins[:, None] * b
    total = (graph.left * gains).sum(axis=1)
    return a - -total // left, b + (low + slope) // left


def _most(drop: Values, cap: Values, gone: Values) -> Values:
    """Return the largest product of ``drop`` with at most ``gone`` depleted copies."""
    rise = np.maximum(drop, 0)
    most: Values = np.minimum((rise * cap).sum(axis=1), gone * rise.max(axis=1, initial=0))
    return most


def _add(into: Values, rows: Values, values: Any) -> None:
    """Add values to ascending rows."""
    if len(rows):
        starts = np.flatnonzero(np.diff(rows, prepend=-1))
        into[rows[starts]] += np.add.reduceat(values, starts)


def find_weights(graph: Graph, policy: Policy, size: int, roots: Sequence[int]) -> NDArray[np.int8]:
    """Estimate for each hand which kinds are depleted when a policy is followed.

    A heuristic: it selects which bounds are computed, but all of them are valid.

    Parameters
    ----------
    graph, policy
        The hands and the policy.
    size
        Tiles in the wall.
    roots
        The states after the discards, the best first.

    Returns
    -------
    ndarray of int8, shape (S, K)
        10 plus the binary logarithm of the mean number of depleted copies, over the draws at
        which the hand is held, clipped to 0..9.
    """
    chance = np.zeros(graph.num_states)
    chance[roots] = DISCARD_RATIO ** np.arange(len(roots))
    gone = np.zeros(graph.states.shape)  # depleted copies times the chance of the state
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
