"""The lower bound: what a policy is worth at least, wherever the tiles that are gone came from."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjopt.answers.play import _kernels
from mjopt.answers.play.graph import Graph
from mjopt.answers.play.policy import Policy
from mjopt.answers.play.upper import ONE, Values, row_starts
from mjopt.runtime.jit import is_plain_sooner

COST: Final = 6e-7
"""Seconds an edge takes in NumPy for each draw, about."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Caps:
    """What a policy reaches, and what may be gone there.

    Parameters
    ----------
    reached
        Shape (n + 1, S), by draws made.
    most
        Shape (n + 1, S, K): the most copies of each kind that were drawn and are not held.
    """

    reached: NDArray[np.bool_]
    most: NDArray[np.int8]


@dataclass(frozen=True, eq=False, kw_only=True)
class Lower:
    """a and b of V >= a - b . delta, where delta counts the copies drawn and gone.

    Parameters
    ----------
    a
        Shape (n + 1, S), by draws left, in units of ``1 / ONE``; 0 where the policy never is.
    b
        By draws left, shape (S, K) each; empty unless they were asked for.
    """

    a: Values
    b: list[Values]


def find_caps(graph: Graph, policy: Policy, roots: Iterable[int]) -> Caps:
    """Follow a policy from some states: which are reached, and what may be gone by then."""
    draws, shape = len(policy.target), graph.states.shape
    caps = Caps(
        reached=np.zeros((draws + 1, shape[0]), bool), most=np.zeros((draws + 1, *shape), np.int8)
    )
    caps.reached[0, list(roots)] = True
    if not is_plain_sooner(_kernels.caps_kernel, COST * policy.target.size):
        given = (policy.target, *_hands(graph), caps.reached, caps.most)
        _kernels.caps_kernel(*given)
        return caps
    for t, target in enumerate(policy.target):
        states, kept, wins, row = _moves(graph, target, caps.reached[t])
        most = caps.most[t, states].astype(np.int64)
        there = target[kept].astype(np.int64)
        after = most[row[graph.edge_state[kept]]] + shifts(graph, kept, there)
        # A refusal: of any kind in the wall that the policy neither keeps nor wins with.
        refused = graph.left[states] > 0
        refused[row[graph.edge_state[kept]], graph.edge_kind[kept]] = False
        refused[row[graph.win_state[wins]], graph.win_kind[wins]] = False
        stays = refused.any(axis=1)
        into = np.concatenate([states[stays], there])
        after = np.concatenate([(most + refused)[stays], after])
        # Of the tiles drawn, those that the hand holds are not gone.
        gone = (t + 1 - graph.news[into])[:, None]
        after = np.minimum(np.minimum(after, graph.left[into]), gone)
        order = np.argsort(into, kind="stable")
        starts = np.flatnonzero(np.diff(into[order], prepend=-1))
        caps.reached[t + 1, into] = True
        if len(starts):
            caps.most[t + 1, into[order][starts]] = np.maximum.reduceat(after[order], starts)
    return caps


def lower_values(
    graph: Graph,
    policy: Policy,
    size: int,
    caps: Caps,
    weights: NDArray[np.int8] | None = None,
    *,
    with_b: bool = False,
) -> Lower:
    """Bound the value of a policy from below, backwards from the last draw.

    Parameters
    ----------
    graph, policy
        Whose value.
    size
        Tiles in the wall.
    caps
        What may be gone.
    weights
        Shape (S, K), 0..9: which of two kinds is more likely to be gone, and so is to be spared
        where a product of both is bounded. Any will do; by default the kinds drawn are spared.
    with_b
        Keep b for every number of draws.
    """
    draws = len(policy.target)
    a = np.zeros((draws + 1, graph.num_states), np.int64)
    if weights is None:
        weights = np.zeros(graph.states.shape, np.int8)
    weighs = np.where(weights > 0, 1 << weights.astype(np.int64), 0)
    if not with_b and not is_plain_sooner(_kernels.lower_kernel, COST * policy.target.size):
        given = (policy.target, *_hands(graph), caps.reached, caps.most, weighs, size, ONE, a)
        _kernels.lower_kernel(*given)
        return Lower(a=a, b=[])
    b = np.zeros(graph.states.shape, np.int64)
    kept = [b]
    for m in range(1, draws + 1):
        t = draws - m
        states, *moves = _moves(graph, policy.target[t], caps.reached[t])
        after = np.zeros_like(b)
        if len(states):
            cap = caps.most[t, states].astype(np.int64)
            a[m, states], after[states] = _step(
                graph, policy.target[t], states, moves, cap, weighs, (a[m - 1], b), t, size - t
            )
        b = after
        kept.append(b)
    return Lower(a=a, b=kept if with_b else [])


def shifts(graph: Graph, edges: Values, target: Values) -> Values:
    """Return shape (E, K): the copies gone with each draw that is kept."""
    held = np.array(graph.world.hand.counts)
    rows = np.arange(len(edges))
    kinds = graph.edge_kind[edges]
    before = graph.states[graph.edge_state[edges]].astype(np.int64)
    full = before.copy()
    full[rows, kinds] += 1
    found = ((full > graph.states[target]) & (full > held)).astype(np.int64)
    found[rows, kinds] += before[rows, kinds] < held[kinds]
    return found


def _hands(graph: Graph) -> tuple[Any, ...]:
    """Return what the kernels read of a graph."""
    return (
        row_starts(graph.edge_state, graph.num_states),
        graph.edge_kind,
        row_starts(graph.win_state, graph.num_states),
        graph.win_kind,
        graph.states,
        np.array(graph.world.hand.counts),
        graph.left,
        graph.news,
    )


def _moves(graph: Graph, target: NDArray[np.int32], reached: NDArray[np.bool_]) -> Any:
    """Return states reached, the edges kept and the wins there, and the row of each state."""
    states = np.flatnonzero(reached)
    row = np.full(graph.num_states, -1)
    row[states] = np.arange(len(states))
    kept = np.flatnonzero((target >= 0) & reached[graph.edge_state])
    return states, kept, np.flatnonzero(reached[graph.win_state]), row


def _step(
    graph: Graph,
    target: NDArray[np.int32],
    states: Values,
    moves: Any,
    cap: Values,
    weighs: Values,
    before: tuple[Values, Values],
    t: int,
    left: int,
) -> tuple[Values, Values]:
    """Return a and b of the states with one draw more to come."""
    (kept, wins, row), (a, b) = moves, before
    there = target[kept].astype(np.int64)
    here = np.concatenate([graph.edge_state[kept], graph.win_state[wins]])
    kind = np.concatenate([graph.edge_kind[kept], graph.win_kind[wins]])
    change = b[here]
    change[: len(kept)] -= b[there]
    gain = ONE - a[here]
    gain[: len(kept)] = a[there] - (b[there] * shifts(graph, kept, there)).sum(axis=1)
    gain[: len(kept)] -= a[graph.edge_state[kept]]
    rows = row[here]
    order = np.argsort(rows, kind="stable")
    rows, kind, change, gain = rows[order], kind[order], change[order], gain[order]
    gains = -b[states]
    gains[rows, kind] = gain
    copies = graph.left[states]
    up = np.maximum(change, 0)
    gone = (t - graph.news[states])[:, None]
    # Copies of two kinds gone together: at most the cap of one times those of the other.
    weigh, each = weighs[states][rows], np.arange(len(rows))
    spared = weigh[each, kind][:, None] * cap[rows] < weigh * cap[rows, kind][:, None]
    own = np.where(spared, up, 0)
    up -= own
    starts = np.flatnonzero(np.diff(rows, prepend=-1))
    some = rows[starts]
    linear = np.zeros_like(gains)
    quadratic, greatest = linear.copy(), linear.copy()
    if len(starts):
        linear[some] = np.add.reduceat(copies[rows, kind][:, None] * change, starts)
        quadratic[some] = np.add.reduceat(cap[rows, kind][:, None] * up, starts)
        greatest[some] = np.maximum.reduceat(up, starts)
    more = gains - linear + np.minimum(quadratic, gone * greatest)
    widest = own.max(axis=1, initial=0)
    more[rows, kind] += np.minimum((own * cap[rows]).sum(axis=1), gone[rows, 0] * widest)
    return a[states] + (copies * gains).sum(axis=1) // left, b[states] - -more // left
