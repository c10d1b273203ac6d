"""The lower bound: what a policy is worth at least, wherever the tiles that are gone came from."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mjopt.analysis.win_chance import _kernels
from mjopt.analysis.win_chance.graph import Graph
from mjopt.analysis.win_chance.policy import Policy
from mjopt.analysis.win_chance.upper_bound import ONE, Values

Weights = NDArray[np.int8]
"""Shape (S, K), 0..9: which kinds are likely to be gone. Bounds hold whatever they are."""


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

    def is_lossless(self, graph: Graph, policy: Policy) -> bool:
        """Return whether no copy is gone of any kind that the policy keeps or wins with."""
        for t, most in enumerate(self.most[:-1]):
            _, kept, wins, _ = _moves(graph, policy, t, self.reached[t])
            lost = most[graph.edge_state[kept[0]], graph.edge_kind[kept[0]]].any()
            if lost or most[graph.win_state[wins], graph.win_kind[wins]].any():
                return False
        return True


@dataclass(frozen=True, eq=False, kw_only=True)
class Sloped:
    """a and b of the bound a - b . delta, where delta counts the copies drawn and gone.

    Parameters
    ----------
    a
        Shape (n + 1, S), by draws left, in units of ``1 / ONE``; 0 where a policy never is.
    b
        By draws left, shape (S, K) each; empty unless they were asked for.
    """

    a: Values
    b: list[Values]


class Followed:
    """A policy followed from some states, to bound what it is worth from each.

    Parameters
    ----------
    graph, policy
        Who plays.
    size
        Tiles in the wall.
    roots
        The states.
    weights
        As for :func:`lower_values`.
    """

    def __init__(
        self,
        graph: Graph,
        policy: Policy,
        size: int,
        roots: Sequence[int],
        weights: Weights | None = None,
    ) -> None:
        self.graph, self.policy, self.size, self.weights = graph, policy, size, weights
        self.roots, self._rows = list(roots), ()
        if not roots:
            return
        first = np.array(roots, np.int64)
        self._rows = _kernels.follow_kernel(graph.arrays, policy.leaves, policy.values, first)
        self._weighs = np.zeros((0, 0), np.int64) if weights is None else _weighs(weights)

    def bounds(self, roots: Sequence[int]) -> tuple[list[int], bool]:
        """Bound from below what it is worth from some of the states, with all draws left.

        Returns
        -------
        list of int
            By state, 0 or more. What is gone is bounded for all of them together.
        bool
            Whether no copy is ever gone of what it keeps or wins with: it is worth that exactly.
        """
        arrays, rows = self.graph.arrays, np.array([self.roots.index(root) for root in roots])
        gone = _kernels.gone_kernel(arrays, self._rows, rows)
        a, is_lossless = _kernels.lower_kernel(
            arrays, self._rows, *gone, self._weighs, self.size, ONE
        )
        return np.maximum(a[rows], 0).tolist(), is_lossless


def find_caps(graph: Graph, policy: Policy, roots: Values) -> Caps:
    """Follow a policy from some states: which are reached, and what may be gone by then."""
    draws, shape = len(policy.leaves), graph.states.shape
    caps = Caps(
        reached=np.zeros((draws + 1, shape[0]), bool), most=np.zeros((draws + 1, *shape), np.int8)
    )
    caps.reached[0, roots] = True
    for t in range(draws):
        states, (kept, leaves), wins, row = _moves(graph, policy, t, caps.reached[t])
        most = caps.most[t, states].astype(np.int64)
        after = most[row[graph.edge_state[kept]]] + shifts(graph, kept, leaves)
        # A refusal: of any kind in the wall that the policy neither keeps nor wins with.
        refused = graph.left[states] > 0
        refused[row[graph.edge_state[kept]], graph.edge_kind[kept]] = False
        refused[row[graph.win_state[wins]], graph.win_kind[wins]] = False
        stays = refused.any(axis=1)
        into = np.concatenate([states[stays], leaves >> 7])
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
    weights: Weights | None = None,
    *,
    with_b: bool = False,
) -> Sloped:
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
        Which of two kinds is to be spared where a product of both is bounded; by default those
        drawn are.
    with_b
        Keep b for every number of draws.
    """
    draws = len(policy.leaves)
    a = np.zeros((draws + 1, graph.num_states), np.int64)
    weighs = np.zeros(graph.states.shape, np.int64) if weights is None else _weighs(weights)
    b = np.zeros(graph.states.shape, np.int64)
    kept = [b]
    for m in range(1, draws + 1):
        t = draws - m
        states, *moves = _moves(graph, policy, t, caps.reached[t])
        after = np.zeros_like(b)
        if len(states):
            cap = caps.most[t, states].astype(np.int64)
            a[m, states], after[states] = _step(
                graph, states, moves, cap, weighs, (a[m - 1], b), t, size - t
            )
        b = after
        kept.append(b)
    return Sloped(a=a, b=kept if with_b else [])


def _weighs(weights: Weights) -> Values:
    return np.where(weights > 0, 1 << weights.astype(np.int64), 0)


def shifts(graph: Graph, kept: Values, leaves: NDArray[np.int32]) -> Values:
    """Return shape (E, K): the copies gone with each draw that is kept."""
    state, kind, rows = graph.edge_state[kept], graph.edge_kind[kept], np.arange(len(kept))
    found = np.zeros((len(kept), graph.states.shape[1]), np.int64)
    found[rows, leaves >> 1 & 63] = leaves & 1
    found[rows, kind] = graph.states[state, kind] < np.array(graph.world.hand.counts)[kind]
    return found


def _moves(graph: Graph, policy: Policy, t: int, reached: NDArray[np.bool_]) -> Any:
    """Return states reached, the edges kept and the wins there, and the row of each state."""
    states = np.flatnonzero(reached)
    row = np.full(graph.num_states, -1)
    row[states] = np.arange(len(states))
    wins = np.flatnonzero(reached[graph.win_state])
    return states, policy.moves(graph, t, reached), wins, row


def _step(
    graph: Graph,
    states: Values,
    moves: Any,
    cap: Values,
    weighs: Values,
    before: tuple[Values, Values],
    t: int,
    left: int,
) -> tuple[Values, Values]:
    """Return a and b of the states with one draw more to come."""
    ((kept, leaves), wins, row), (a, b) = moves, before
    there = leaves >> 7
    here = np.concatenate([graph.edge_state[kept], graph.win_state[wins]])
    kind = np.concatenate([graph.edge_kind[kept], graph.win_kind[wins]])
    change = b[here]
    change[: len(kept)] -= b[there]
    gain = ONE - a[here]
    gain[: len(kept)] = a[there] - (b[there] * shifts(graph, kept, leaves)).sum(axis=1)
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
