"""One class searched: its bounds, those of a policy, and exact values."""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Final

import numpy as np

from mjopt.analysis.win_chance.depletion_upper_bound import charged_values
from mjopt.analysis.win_chance.depletion_weights import find_weights
from mjopt.analysis.win_chance.exact_value import exact_values
from mjopt.analysis.win_chance.graph import Graph, World
from mjopt.analysis.win_chance.graph_expansion import grow_graph
from mjopt.analysis.win_chance.lower_bound import Followed, Weights
from mjopt.analysis.win_chance.policy import Policy, bound_above
from mjopt.analysis.win_chance.upper_bound import Values

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
    policy
        The policy that was bounded from below, and the bounds of T1 that it follows.
    weights
        Which kinds are likely to be gone; None for a large class.
    lower
        By discard (-1: none), the bound of the policy.
    exact
        By discard, the value within the class where it is known.
    """

    graph: Graph
    policy: Policy
    weights: Weights | None
    lower: dict[int, int]
    exact: dict[int, Fraction]

    @property
    def waste(self) -> int:
        """How wide the class is."""
        return self.graph.world.waste

    @property
    def draws(self) -> int:
        """The draws that may be made."""
        return len(self.policy.leaves)

    @property
    def upper(self) -> Values:
        """Shape (draws + 1, S): by draws left, the bounds of T1."""
        return self.policy.values

    @cached_property
    def charged(self) -> Values:
        """Shape (draws + 1, S): bounds that charge for what is gone, held by who lost nothing.

        For a large class those of T1.
        """
        if self.weights is None:
            return self.upper
        return charged_values(self.graph, self.upper, self.size, self.weights).a

    @property
    def size(self) -> int:
        """Tiles in the wall."""
        return sum(self.graph.world.wall)

    def bounds(self, *, is_quick: bool = False) -> dict[int, tuple[int, int]]:
        """Return by discard the bounds from below and above; quick ones charge for nothing gone."""
        least = self.upper[-1] if is_quick else np.minimum(self.upper[-1], self.charged[-1])
        return {kind: (self.lower[kind], int(least[at])) for kind, at in self.graph.roots.items()}

    def within(self, draws: int) -> "Found":
        """Return what is known of fewer draws."""
        if draws == self.draws:
            return self
        policy = bound_above(self.graph, draws, self.size)
        roots = list(self.graph.roots.values())
        followed = Followed(self.graph, policy, self.size, roots, self.weights)
        return replace(self, policy=policy, lower=_lowest(followed), exact={})


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
    followed = Followed(graph, bound_above(graph, draws, size), size, list(graph.roots.values()))
    return _lowest(followed)


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
    size, weights = sum(world.wall), None
    policy = bound_above(graph, draws, size)
    if graph.roots and graph.num_states <= MOST_CHARGED:
        best_first = sorted(graph.roots.values(), key=lambda root: -policy.values[-1, root])
        weights = find_weights(graph, policy, size, best_first)
    followed = Followed(graph, policy, size, list(graph.roots.values()), weights)
    lower, lossless = _lowest(followed), []
    most = None if graph.num_states <= FEW else ALONE
    for kind in sorted(lower, key=lambda kind: -lower[kind])[:most]:
        [alone], is_lossless = followed.bounds([graph.roots[kind]])
        lower[kind] = max(lower[kind], alone)
        if is_lossless:
            lossless.append(kind)
    return Found(
        graph=graph,
        policy=policy,
        weights=weights,
        lower=lower,
        exact=exact_values(graph, draws, size, lossless),
    )


def _lowest(followed: Followed) -> dict[int, int]:
    """Return by discard what a policy is worth at least."""
    roots = followed.graph.roots
    return dict(zip(roots, followed.bounds(list(roots.values()))[0] if roots else [], strict=True))
