"""Search one class of plays: bounds for every discard, and exact values."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import Final

import numpy as np

from mjopt.chances.win_chance.bounds import (
    Policy,
    PolicyBounds,
    Values,
    Weights,
    depletion_bounds,
    exact_policy,
    find_weights,
    greedy_policy,
)
from mjopt.chances.win_chance.graph import Graph, SearchSpace, form_deficiencies
from mjopt.chances.win_chance.graph_expansion import expand_graph
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.proofs.win_chance_file import MAX_DEPLETION_STATES

NUM_SINGLE_BOUNDS: Final = 3
"""Number of discards that are also bounded one by one; in a small class, all."""

FEW_STATES: Final = 200  # hands of a small class

GROWTH: Final = 40
"""A class is about this many times as large as that of one waste less."""

FARTHER: Final = 8
"""The class of waste 0 is about this many times as large as that of a form one tile nearer."""

MAX_EXACT_EDGES: Final = 20_000  # with more, exact integers take too long


@dataclass(frozen=True, eq=False, kw_only=True)
class SearchBounds:
    """Bounds of one class of plays."""

    graph: Graph  # the hands of the class
    policy: Policy  # the policy behind the lower bounds, with the upper bounds (T1) that it follows
    weights: Weights | None  # kinds likely to be depleted; None for a large class
    lower: dict[int, int]  # lower bound of the policy, by discard (-1: no discard)
    exact: dict[int, Fraction]  # exact value within the class where known, by discard

    @property
    def waste(self) -> int:
        """The waste of the class."""
        return self.graph.space.waste

    @property
    def draws(self) -> int:
        """Number of draws."""
        return len(self.policy.leaves)

    @property
    def upper(self) -> Values:
        """Upper bounds (T1) by draws left and state, shape (draws + 1, S)."""
        return self.policy.values

    @cached_property
    def depletion(self) -> Values:
        """Upper bounds that account for depletion (T6), shape (draws + 1, S).

        For a large class the bounds of T1.
        """
        if self.weights is None:
            return self.upper
        return depletion_bounds(self.graph, self.upper, self.size, self.weights)

    @property
    def size(self) -> int:
        """Tiles in the wall."""
        return sum(self.graph.space.wall)

    def bounds(self, *, is_quick: bool = False) -> dict[int, tuple[int, int]]:
        """Return the lower and upper bound of every discard; quick ones ignore depletion."""
        least = self.upper[-1] if is_quick else np.minimum(self.upper[-1], self.depletion[-1])
        return {kind: (self.lower[kind], int(least[at])) for kind, at in self.graph.roots.items()}

    def within(self, draws: int) -> "SearchBounds":
        """Return the bounds for fewer draws."""
        if draws == self.draws:
            return self
        policy = greedy_policy(self.graph, draws, self.size)
        roots = list(self.graph.roots.values())
        policy_bounds = PolicyBounds(self.graph, policy, self.size, roots, self.weights)
        return replace(self, policy=policy, lower=_bounds_by_discard(policy_bounds), exact={})


def lower_bounds(
    space: SearchSpace, draws: int, most_states: int | None = None
) -> dict[int, int] | None:
    """Compute only the lower bound of every discard, without weights: the fastest search.

    By discard of the class (-1: no discard), in units of ``1 / ONE``; None if the class has more
    than ``most_states`` hands. Arguments are as for :func:`search_space`.

    Examples
    --------
    >>> from mjopt import Hand
    >>> from mjopt.hands.query import HandQuery
    >>> hand = Hand.parse("123m456m789m1239p")
    >>> forms = HandQuery(hand).forms
    >>> space = SearchSpace(hand=hand, wall=hand.unseen, forms=forms, deficiency=1, waste=0)
    >>> lower_bounds(space, 1) == {-1: 2**48 * 3 // sum(hand.unseen)}
    True
    """
    found = search_quickly(space, draws, most_states)
    return None if found is None else found.lower


def search_quickly(
    space: SearchSpace, draws: int, most_states: int | None = None
) -> SearchBounds | None:
    """Compute bounds of every discard in one pass, without depletion above and exact values.

    Arguments are as for :func:`search_space`.
    """
    graph = expand_graph(space, most_states)
    if graph is None:
        return None
    size = sum(space.wall)
    policy = greedy_policy(graph, draws, size)
    policy_bounds = PolicyBounds(graph, policy, size, list(graph.roots.values()))
    return SearchBounds(
        graph=graph,
        policy=policy,
        weights=None,
        lower=_bounds_by_discard(policy_bounds),
        exact={},
    )


def search_space(
    space: SearchSpace, draws: int, most_states: int | None = None
) -> SearchBounds | None:
    """Compute the bounds of every discard within a class.

    None if the class has more than ``most_states`` hands. ``draws`` is at most the size of the
    wall.
    """
    graph = expand_graph(space, most_states)
    if graph is None:
        return None
    size, weights = sum(space.wall), None
    policy = greedy_policy(graph, draws, size)
    if graph.roots and graph.num_states <= MAX_DEPLETION_STATES:
        best_first = sorted(graph.roots.values(), key=lambda root: -policy.values[-1, root])
        weights = find_weights(graph, policy, size, best_first)
    policy_bounds = PolicyBounds(graph, policy, size, list(graph.roots.values()), weights)
    # The bounds of all discards share one pass. Alone, a discard reaches each hand on fewer paths,
    # so that fewer copies can be depleted there: the best discards are bounded once more, one by
    # one.
    lower, lossless = _bounds_by_discard(policy_bounds), []
    most = None if graph.num_states <= FEW_STATES else NUM_SINGLE_BOUNDS
    for kind in sorted(lower, key=lambda kind: -lower[kind])[:most]:
        [alone], is_lossless = policy_bounds.bounds([graph.roots[kind]])
        lower[kind] = max(lower[kind], alone)
        if is_lossless:
            lossless.append(kind)
    return SearchBounds(
        graph=graph,
        policy=policy,
        weights=weights,
        lower=lower,
        exact=exact_values(graph, draws, size, lossless),
    )


def include_farther_forms(
    searches: Sequence[SearchBounds],
    most_states: int,
    search: Callable[[SearchSpace, int, int], SearchBounds | None],
) -> Iterator[list[SearchBounds]]:
    """Yield the bounds of wider classes, in which farther forms have waste of their own.

    Forms come in, the nearest first, each with a waste of 0, 1, ... up to that of the classes. A
    form that would add too many hands, more than ``most_states`` in a class, stays with less waste,
    as do all farther ones. Classes that would probably have more are not tried. The given bounds
    are of some hands, in classes of the same waste; the same forms come into all. ``search``
    searches one of the hands, by its place, in another class of at most some states.
    """
    last = [*searches]
    distances: dict[WinningForm, list[int]] = {}  # of each form, by hand; 0 if it has no such form
    for place, bounds in enumerate(last):
        space = bounds.graph.space
        found = form_deficiencies(space.hand, space.forms)
        for form, missing in zip(space.forms, found, strict=True):
            if missing <= bounds.draws:
                distances.setdefault(form, [0] * len(last))[place] = missing
    waste = min(bounds.waste for bounds in last)
    for form, away in sorted(distances.items(), key=lambda pair: max(pair[1])):
        more = FARTHER ** (max(*away, 1) - 1)
        for extra in range(waste + 1):
            wider: list[SearchBounds] = []
            for place, (bounds, missing) in enumerate(zip(last, away, strict=True)):
                space = bounds.graph.space.with_limit(form, missing + extra)
                if space == bounds.graph.space:
                    wider.append(bounds)
                elif more <= most_states:
                    most = bounds.graph.num_states + most_states
                    if (new := search(space, place, most)) is not None:
                        wider.append(new)
            # The form would add too many hands, to one class at least: keep the classes before it,
            # and give all farther forms less waste, too.
            if len(wider) < len(last):
                waste = extra - 1
                break
            added = [
                new.graph.num_states - old.graph.num_states
                for new, old in zip(wider, last, strict=True)
            ]
            if any(added):
                more = GROWTH * max(added)
                last = wider
                yield last


def exact_values(graph: Graph, draws: int, size: int, kinds: Sequence[int]) -> dict[int, Fraction]:
    """Return the exact value of every discard whose best policy never loses a wanted tile.

    ``kinds`` are discards for which the policy of the rounded bounds loses none; ``size`` is the
    number of tiles in the wall.
    """
    if not kinds or len(graph.edge_kind) > MAX_EXACT_EDGES:
        return {}
    # T4: without a depleted copy of a kept kind, T1 is attained by the policy that maximises it.
    # Rounded bounds may break ties differently, so the chance of this policy is computed, too.
    values, policy = exact_policy(graph, draws, size)
    whole = prod(range(size - draws + 1, size + 1))
    exact = {}
    for kind in kinds:
        root = graph.roots[kind]
        _, is_lossless = PolicyBounds(graph, policy, size, [root]).bounds([root])
        if is_lossless:
            exact[kind] = Fraction(int(values[root]), whole)
    return exact


def _bounds_by_discard(policy_bounds: PolicyBounds) -> dict[int, int]:
    """Return the lower bound of a policy by discard."""
    roots = policy_bounds.graph.roots
    return dict(
        zip(roots, policy_bounds.bounds(list(roots.values()))[0] if roots else [], strict=True)
    )
