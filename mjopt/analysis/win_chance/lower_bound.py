"""Lower bound (T3): the value of a policy, whichever tiles were drawn and discarded."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mjopt.analysis.win_chance import _kernels
from mjopt.analysis.win_chance.graph import Graph
from mjopt.analysis.win_chance.upper_bound import ONE, Policy, Values

Weights = NDArray[np.int8]
"""How likely each kind is depleted, shape (S, K), 0..9. Bounds are valid for any weights."""


@dataclass(frozen=True, eq=False, kw_only=True)
class DepletionCaps:
    """States that a policy reaches, and the most depleted copies there.

    Parameters
    ----------
    reached
        Whether a state is reached, by draws made, shape (n + 1, S).
    most
        Most copies of each kind that were drawn and discarded, shape (n + 1, S, K).
    """

    reached: NDArray[np.bool_]
    most: NDArray[np.int8]

    def is_lossless(self, graph: Graph, policy: Policy) -> bool:
        """Return whether no kind that the policy keeps or wins with is ever depleted."""
        for t, most in enumerate(self.most[:-1]):
            _, kept, wins, _ = _moves(graph, policy, t, self.reached[t])
            lost = most[graph.edge_state[kept[0]], graph.edge_kind[kept[0]]].any()
            if lost or most[graph.win_state[wins], graph.win_kind[wins]].any():
                return False
        return True


@dataclass(frozen=True, eq=False, kw_only=True)
class LinearBounds:
    """Coefficients of the bound a - b . delta, where delta counts depleted copies.

    Parameters
    ----------
    a
        By draws left, shape (n + 1, S), in units of ``1 / ONE``; 0 for unreached states.
    b
        By draws left, shape (S, K) each; empty unless requested.
    """

    a: Values
    b: list[Values]


class PolicyBounds:
    """Lower bounds of a policy that starts from given states.

    Parameters
    ----------
    graph, policy
        The hands and the policy.
    size
        Tiles in the wall.
    roots
        The first states.
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
        self.roots = list(roots)
        self._rows: Any = ()
        if not roots:
            return
        first = np.array(roots, np.int64)
        self._rows = _kernels.follow_kernel(graph.arrays, policy.leaves, policy.values, first)
        self._weight_factors = (
            np.zeros((0, 0), np.int64) if weights is None else _weight_factors(weights)
        )

    def bounds(self, roots: Sequence[int]) -> tuple[list[int], bool]:
        """Return lower bounds of the policy for some of the first states, with all draws left.

        Returns
        -------
        list of int
            By state, 0 or more. Depletion is bounded for all of these states together.
        bool
            Whether no wanted kind is ever depleted; the bounds are then exact.
        """
        arrays, rows = self.graph.arrays, np.array([self.roots.index(root) for root in roots])
        reached, gone = _kernels.gone_kernel(arrays, self._rows, rows)
        a, is_lossless = _kernels.lower_kernel(
            arrays, self._rows, reached, gone, self._weight_factors, self.size, ONE
        )
        return np.maximum(a[rows], 0).tolist(), is_lossless


def find_depletion_caps(graph: Graph, policy: Policy, roots: Values) -> DepletionCaps:
    """Follow a policy from some states and collect the caps on depletion."""
    draws, shape = len(policy.leaves), graph.states.shape
    caps = DepletionCaps(
        reached=np.zeros((draws + 1, shape[0]), bool), most=np.zeros((draws + 1, *shape), np.int8)
    )
    caps.reached[0, roots] = True
    for t in range(draws):
        states, (kept, leaves), wins, row = _moves(graph, policy, t, caps.reached[t])
        most = caps.most[t, states].astype(np.int64)
        after = most[row[graph.edge_state[kept]]] + shifts(graph, kept, leaves)
        # Refused kinds: those in the wall that the policy neither keeps nor wins with.
        refused = graph.left[states] > 0
        refused[row[graph.edge_state[kept]], graph.edge_kind[kept]] = False
        refused[row[graph.win_state[wins]], graph.win_kind[wins]] = False
        stays = refused.any(axis=1)
        into = np.concatenate([states[stays], leaves >> 7])
        after = np.concatenate([(most + refused)[stays], after])
        # Drawn tiles that the hand holds are not depleted.
        gone = (t + 1 - graph.num_new[into])[:, None]
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
    caps: DepletionCaps,
    weights: Weights | None = None,
    *,
    with_b: bool = False,
) -> LinearBounds:
    """Bound the value of a policy from below, by backward induction.

    Parameters
    ----------
    graph, policy
        The hands and the policy.
    size
        Tiles in the wall.
    caps
        Caps on depletion.
    weights
        Of a product of two kinds, the kind with the larger weight gets the smaller bound; by
        default the drawn kind.
    with_b
        Also return b for every number of draws.
    """
    draws = len(policy.leaves)
    a = np.zeros((draws + 1, graph.num_states), np.int64)
    weighs = np.zeros(graph.states.shape, np.int64) if weights is None else _weight_factors(weights)
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
    return LinearBounds(a=a, b=kept if with_b else [])


def _weight_factors(weights: Weights) -> Values:
    return np.where(weights > 0, 1 << weights.astype(np.int64), 0)


def shifts(graph: Graph, kept: Values, leaves: NDArray[np.int32]) -> Values:
    """Return the change of depletion with each kept draw, shape (E, K)."""
    state, kind, rows = graph.edge_state[kept], graph.edge_kind[kept], np.arange(len(kept))
    found = np.zeros((len(kept), graph.states.shape[1]), np.int64)
    found[rows, leaves >> 1 & 63] = leaves & 1
    found[rows, kind] = graph.states[state, kind] < np.array(graph.space.hand.counts)[kind]
    return found


def _moves(graph: Graph, policy: Policy, t: int, reached: NDArray[np.bool_]) -> Any:
    """Return reached states, their kept edges and wins, and the row of each state."""
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
    """Return a and b of the states before the next draw."""
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
    gone = (t - graph.num_new[states])[:, None]
    # Product of the depletion of two kinds: at most the cap of one times that of the other.
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
