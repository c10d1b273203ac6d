"""The lower bound: what a policy is worth at least, whoever else holds the tiles that are gone."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mjopt.answers.play.graph import Graph
from mjopt.answers.play.policy import Policy
from mjopt.answers.play.upper import ONE, Values

Caps = NDArray[np.int64]


@dataclass(frozen=True, eq=False, kw_only=True)
class Lower:
    """a and b of V >= a - b . delta, where delta counts the copies drawn and gone.

    Parameters
    ----------
    policy
        Whose value this bounds.
    caps
        By number of draws made, the states that are reached (ascending), and for each the
        most copies of each kind that may be gone, shape (R, K).
    a
        Shape (n + 1, S), by draws left, in units of ``1 / ONE``.
    b
        By draws left, shape (S, K) each; nothing but 0 where a state is not reached.
    """

    policy: Policy
    caps: list[tuple[Values, Caps]]
    a: Values
    b: list[Values]


def shifts(graph: Graph, edges: Values, target: Values) -> Values:
    """Return shape (E, K): the copies gone with each draw that is kept."""
    held = np.array(graph.world.hand.counts)
    rows = np.arange(len(edges))
    kinds = graph.edge_kind[edges]
    before = graph.states[graph.edge_state[edges]].astype(np.int64)
    full = before.copy()
    full[rows, kinds] += 1
    found = np.where(full > graph.states[target], full > held, False).astype(np.int64)
    found[rows, kinds] += before[rows, kinds] < held[kinds]
    return found


def find_caps(graph: Graph, policy: Policy, roots: Iterable[int]) -> list[tuple[Values, Caps]]:
    """Follow a policy from some states: which are reached, and what may be gone by then."""
    num_kinds = graph.states.shape[1]
    states = np.unique(np.array(list(roots), np.int64))
    caps = np.zeros((len(states), num_kinds), np.int64)
    found = [(states, caps)]
    for target in policy.target:
        row = np.full(graph.num_states, -1)
        row[states] = np.arange(len(states))
        kept = np.flatnonzero((target >= 0) & (row[graph.edge_state] >= 0))
        there = target[kept].astype(np.int64)
        after = caps[row[graph.edge_state[kept]]] + shifts(graph, kept, there)
        # A refusal: of any kind in the wall that the policy neither keeps nor wins with.
        refused = graph.left[states] > 0
        refused[row[graph.edge_state[kept]], graph.edge_kind[kept]] = False
        wins = np.flatnonzero(row[graph.win_state] >= 0)
        refused[row[graph.win_state[wins]], graph.win_kind[wins]] = False
        stays = refused.any(axis=1)
        states_after = np.concatenate([states[stays], there])
        after = np.concatenate([(caps + refused)[stays], after])
        states, number = np.unique(states_after, return_inverse=True)
        order = np.argsort(number, kind="stable")
        starts = np.flatnonzero(np.diff(number[order], prepend=-1))
        caps = np.maximum.reduceat(after[order], starts) if len(order) else after
        # Of the tiles drawn, those that the hand holds are not gone.
        gone = len(found) - graph.news[states]
        caps = np.minimum(np.minimum(caps, graph.left[states]), gone[:, None])
        found.append((states, caps))
    return found


def lower_values(graph: Graph, policy: Policy, size: int, caps: list[tuple[Values, Caps]]) -> Lower:
    """Bound the value of a policy from below, backwards from the last draw.

    Parameters
    ----------
    graph, policy
        Whose value.
    size
        Tiles in the wall.
    caps
        What may be gone.
    """
    draws = len(policy.target)
    num_kinds = graph.states.shape[1]
    a = np.zeros((draws + 1, graph.num_states), np.int64)
    b = [np.zeros((graph.num_states, num_kinds), np.int64) for _ in range(draws + 1)]
    for m in range(1, draws + 1):
        t = draws - m
        states, cap = caps[t]
        if not len(states):
            continue
        a[m, states], b[m][states] = _step(
            graph, policy.target[t], states, cap, a[m - 1], b[m - 1], t, size - t
        )
    return Lower(policy=policy, caps=caps, a=a, b=b)


def _step(
    graph: Graph,
    target: NDArray[np.int32],
    states: Values,
    cap: Caps,
    a: Values,
    b: Values,
    t: int,
    left: int,
) -> tuple[Values, Values]:
    """Return a and b of the states with one draw more to come."""
    row = np.full(graph.num_states, -1)
    row[states] = np.arange(len(states))
    kept = np.flatnonzero((target >= 0) & (row[graph.edge_state] >= 0))
    there = target[kept].astype(np.int64)
    wins = np.flatnonzero(row[graph.win_state] >= 0)
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
    starts = np.flatnonzero(np.diff(rows, prepend=-1))
    some = rows[starts]
    linear = np.zeros_like(gains)
    quadratic, greatest = linear.copy(), linear.copy()
    if len(starts):
        linear[some] = np.add.reduceat(copies[rows, kind][:, None] * change, starts)
        quadratic[some] = np.add.reduceat(cap[rows, kind][:, None] * up, starts)
        greatest[some] = np.maximum.reduceat(up, starts)
    gone = t - graph.news[states]
    more = gains - linear + np.minimum(quadratic, gone[:, None] * greatest)
    return (
        a[states] + (copies * gains).sum(axis=1) // left,
        b[states] - -more // left,
    )
