"""The upper bound that charges what is gone: where a wanted tile was refused, fewer are left.

The mirror of :mod:`mjopt.analysis.win_chance.lower_bound`: V <= a - b . delta, with delta the
copies drawn and gone. What is best after a draw is a maximum, which one slope bounds
for all discards.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjopt.analysis.win_chance import _kernels
from mjopt.analysis.win_chance.graph import Graph
from mjopt.analysis.win_chance.lower_bound import Sloped, Weights
from mjopt.analysis.win_chance.upper_bound import ONE, Values

SLIP: Final = 1 << 20
"""Rounding may lift a so far above the bounds of T1 before b is given up for them."""


@dataclass(frozen=True, eq=False, kw_only=True)
class _Fulls:
    """The full hands of a graph.

    Parameters
    ----------
    state, kind, full
        The edges in the order of their full hands, and which these are.
    returns
        Whether to throw that kind puts a tile that was drawn back among the copies gone.
    cap, news
        Copies that may be gone of each kind, tiles that the first hand does not hold.
    """

    state: Values
    kind: Values
    full: Values
    returns: NDArray[np.bool_]
    cap: Values
    news: Values


def charged_values(
    graph: Graph,
    upper: Values,
    size: int,
    weights: Weights,
    *,
    with_b: bool = False,
) -> Sloped:
    """Bound from above what any play within the class is worth, backwards from the last draw.

    Parameters
    ----------
    graph
        The hands of the class.
    upper
        The bounds of :func:`mjopt.analysis.win_chance.upper_bound.upper_values`: where these are
        less, they stand, and b is 0.
    size
        Tiles in the wall.
    weights
        Shape (S, K), 0..9: which slopes are to be kept where not all can be. Any weights
        will do; see :func:`mjopt.analysis.win_chance.depletion_weights.find_weights`.
    with_b
        Keep b for every number of draws.
    """
    draws = len(upper) - 1
    a = np.zeros_like(upper)
    held = np.array(graph.world.hand.counts)
    order = graph.by_full
    if not with_b:
        full_starts = np.append(graph.full_starts, len(order))
        _kernels.charged_kernel(
            graph.arrays, full_starts, order, weights, size, ONE, SLIP, upper, a
        )
        return Sloped(a=a, b=[])
    fulls = _fulls(graph, held)
    b = np.zeros(graph.left.shape, np.int64)
    kept = [b]
    for m in range(1, draws + 1):
        t = draws - m
        best = _after_draw(graph, fulls, a[m - 1], b, weights, t)
        a[m], b = _before_draw(graph, held, best, a[m - 1], b, t, size - t)
        b = np.where(weights > 0, b, np.minimum(b, 0))  # what is hardly ever gone is not charged
        lost = (a[m] > upper[m] + SLIP) | (a[m] < -ONE) | (t < graph.news)
        lost |= np.abs(b).max(axis=1, initial=0) > ONE
        a[m][lost], b[lost] = upper[m][lost], 0
        kept.append(b)
    return Sloped(a=a, b=kept if with_b else [])


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
        cap=np.array(graph.world.wall) - new,
        news=new.sum(axis=1),
    )


def _after_draw(
    graph: Graph, fulls: _Fulls, a: Values, b: Values, weights: Weights, t: int
) -> tuple[Values, Values]:
    """Return by full hand a bound, and its slopes, of whatever is thrown from it."""
    starts, state, full = graph.full_starts, fulls.state, fulls.full
    if not len(starts):
        return np.zeros(0, np.int64), np.zeros((0, b.shape[1]), np.int64)
    worth = a[state] - np.where(fulls.returns, b[state, fulls.kind], 0)
    top = np.maximum.reduceat(worth, starts)
    place = np.where(worth == top[full], np.arange(len(full)), len(full))
    chosen = state[np.minimum.reduceat(place, starts)]
    base = b[chosen]
    gone = np.maximum(t + 1 - fulls.news, 0)
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
    """Return a and b of the states with one draw more to come."""
    top, slopes = best
    gains = -b
    low, slope = gains.copy(), np.zeros_like(b)
    gone = t - graph.news.astype(np.int64)
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
    """Return what so many copies gone can weigh at most."""
    rise = np.maximum(drop, 0)
    most: Values = np.minimum((rise * cap).sum(axis=1), gone * rise.max(axis=1, initial=0))
    return most


def _add(into: Values, rows: Values, values: Any) -> None:
    """Add values to ascending rows."""
    if len(rows):
        starts = np.flatnonzero(np.diff(rows, prepend=-1))
        into[rows[starts]] += np.add.reduceat(values, starts)
