"""One class searched: its bounds, those of a policy, and exact values."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt.answers.play.charged import charged_values
from mjopt.answers.play.exact import exact_values, is_lossless
from mjopt.answers.play.graph import Graph, World
from mjopt.answers.play.growing import grow_graph
from mjopt.answers.play.lower import find_caps, lower_values
from mjopt.answers.play.policy import Policy, bound_above
from mjopt.answers.play.upper import Values
from mjopt.answers.play.weights import find_weights

ALONE: Final = 3
"""So many discards are bounded once more, as if the others were none: all of a small class."""

FEW: Final = 200  # hands: such a class is small

MOST_CHARGED: Final = 10_000
"""Hands of the largest class whose bounds charge what is gone: beyond it takes too long."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Found:
    """What is known of one class.

    Parameters
    ----------
    graph
        Its hands.
    draws
        That may be made.
    upper
        Shape (draws + 1, S): by draws left, bounds within the class, as if tiles returned.
    weights
        Shape (S, K): which kinds are likely to be gone; None for a large class.
    charged
        Shape (draws + 1, S): bounds that charge for what is gone, held by who has lost nothing;
        those of ``upper`` for a large class.
    lower
        By discard (-1: none), the bound of the best policy that was tried.
    policies
        By discard, that policy.
    exact
        By discard, the value within the class where it is known.
    """

    graph: Graph
    draws: int
    upper: Values
    weights: NDArray[np.int8] | None
    charged: Values
    lower: dict[int, int]
    policies: dict[int, Policy]
    exact: dict[int, Fraction]

    @property
    def waste(self) -> int:
        """How wide the class is."""
        return self.graph.world.waste

    @property
    def highest(self) -> dict[int, int]:
        """By discard, the bound within the class."""
        return _highest(self.graph, self.upper, self.charged)

    def bounds_within(self, draws: int) -> dict[int, tuple[int, int]]:
        """Return by discard both bounds for fewer draws."""
        size = sum(self.graph.world.wall)
        if draws == self.draws:
            return {kind: (low, self.highest[kind]) for kind, low in self.lower.items()}
        upper, policy = bound_above(self.graph, draws, size)
        charged = upper
        if self.weights is not None:
            charged = charged_values(self.graph, upper, size, self.weights).a
        highest = _highest(self.graph, upper, charged)
        lower = _lowest(self.graph, policy, size, list(self.lower), self.weights)
        return {kind: (lower[kind], highest[kind]) for kind in lower}


def bound_below(world: World, draws: int, most_states: int | None = None) -> dict[int, int] | None:
    """Bound every discard from below alone, without weights: the quickest there is.

    Parameters
    ----------
    world, draws, most_states
        As for :func:`search_class`.

    Returns
    -------
    dict or None
        By discard of the class (-1: none), in units of ``1 / ONE``; None if it was given up.

    Examples
    --------
    >>> from mjopt import Hand
    >>> hand = Hand.parse("123m456m789m1239p")
    >>> world = World(hand=hand, wall=hand.unseen, forms=("standard",), deficiency=1, waste=0)
    >>> bound_below(world, 1) == {-1: 2**48 * 3 // sum(hand.unseen)}
    True
    """
    graph = grow_graph(world, most_states)
    if graph is None:
        return None
    size = sum(world.wall)
    policy = bound_above(graph, draws, size)[1]
    return _lowest(graph, policy, size, list(graph.roots), None)


def search_class(world: World, draws: int, most_states: int | None = None) -> Found | None:
    """Bound every discard within a class.

    Parameters
    ----------
    world
        The hand, the wall, the class.
    draws
        No more than the wall holds.
    most_states
        Give up beyond so many hands.

    Returns
    -------
    Found or None
        None if it was given up.
    """
    graph = grow_graph(world, most_states)
    if graph is None:
        return None
    size = sum(world.wall)
    upper, policy = bound_above(graph, draws, size)
    weights, charged = _weights_of(graph, upper, policy, size), upper
    if weights is not None:
        charged = charged_values(graph, upper, size, weights).a
    lower = _lowest(graph, policy, size, list(graph.roots), weights)
    lossless = []
    most = None if graph.num_states <= FEW else ALONE
    for kind in sorted(lower, key=lambda kind: -lower[kind])[:most]:
        caps = find_caps(graph, policy, [graph.roots[kind]])
        alone = lower_values(graph, policy, size, caps, weights).a[-1, graph.roots[kind]]
        lower[kind] = max(lower[kind], int(alone))
        if is_lossless(graph, policy, caps):
            lossless.append(kind)
    return Found(
        graph=graph,
        draws=draws,
        upper=upper,
        weights=weights,
        charged=charged,
        lower=lower,
        policies=dict.fromkeys(lower, policy),
        exact=exact_values(graph, draws, size, lossless),
    )


def _weights_of(graph: Graph, upper: Values, policy: Policy, size: int) -> NDArray[np.int8] | None:
    """Weigh what may be gone in each hand; None for a large class, or an empty one."""
    if graph.num_states > MOST_CHARGED or not graph.roots:
        return None
    best_first = sorted(graph.roots.values(), key=lambda root: -upper[-1, root])
    return find_weights(graph, policy, size, best_first)


def _highest(graph: Graph, upper: Values, charged: Values) -> dict[int, int]:
    """Return by discard the lesser of two bounds."""
    least = np.minimum(upper[-1], charged[-1])
    return {kind: int(least[root]) for kind, root in graph.roots.items()}


def _lowest(
    graph: Graph,
    policy: Policy,
    size: int,
    kinds: list[int],
    weights: NDArray[np.int8] | None,
) -> dict[int, int]:
    """Return by discard what a policy is worth at least."""
    roots = np.array([graph.roots[kind] for kind in kinds], np.int64)
    if not len(roots):
        return {}
    caps = find_caps(graph, policy, roots)
    found = lower_values(graph, policy, size, caps, weights)
    return {kind: max(0, int(found.a[-1, graph.roots[kind]])) for kind in kinds}
