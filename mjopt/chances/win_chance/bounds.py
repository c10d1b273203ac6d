"""Bounds of the chance to win within a class of plays: theorems T1, T3 and T6.

T1, an upper bound: discarded tiles return to the wall, so the hand alone is the state. T3, a lower
bound: the value of a policy, whichever tiles were depleted (drawn and discarded). T6, an upper
bound with depletion: refused copies of a wanted tile leave fewer in the wall. T3 and T6 bound a
value by a - b . delta, where delta counts the depleted copies; delta is 0 at the first hand. The
proofs are in docs/reference/optimal-play.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.cancellation import check_cancelled
from mjopt.chances.win_chance import _depletion_kernels, _lower_kernels, _policy_kernels
from mjopt.chances.win_chance._depletion_kernels import LEVELS, UpperWork
from mjopt.chances.win_chance._lower_kernels import LowerLayers
from mjopt.chances.win_chance._policy_kernels import PolicyRows
from mjopt.chances.win_chance._slopes import WIDTH
from mjopt.chances.win_chance.graph import WORDS, Graph, row_starts
from mjopt.proofs.win_chance_file import MOST

SCALE: Final = 48
ONE: Final = 1 << SCALE
"""Bounds are integers in units of ``1 / ONE``; times the size of a wall they stay below 2**56."""

DISCARD_RATIO: Final = 1e-4  # weight of each discard relative to the one ranked before it

SLACK: Final = 1 << 20
"""Where a of T6 exceeds the bound of T1 by more, that bound replaces a and b is 0."""

Values = NDArray[np.int64]
Shape = int | tuple[int, int]
Weights = NDArray[np.int8]
"""How likely each kind is depleted, shape (S, K), 0..9. Bounds are valid for any weights."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Policy:
    """A greedy policy: after each draw move to the state with the greatest value.

    A draw that gains nothing is discarded. A draw that wins is always taken.
    """

    values: Values  # by draws left and state, shape (n + 1, S)
    # Shape (n, F): the move from each full hand after 0, 1, ... draws, encoded as in Graph.leaving.
    leaves: NDArray[np.int32]

    def moves(
        self, graph: Graph, t: int, is_here: NDArray[np.bool_]
    ) -> tuple[Values, NDArray[np.int32]]:
        """Return the edges that some states follow after t draws, and the moves after them."""
        now = self.values[len(self.leaves) - 1 - t]
        leaves = self.leaves[t][graph.edge_full]
        gains = (now[leaves >> 7] > now[graph.edge_state]) & (graph.edge_left > 0)
        kept = np.flatnonzero(gains & is_here[graph.edge_state])
        return kept, leaves[kept]


def greedy_policy(graph: Graph, draws: int, size: int) -> Policy:
    """Return the policy that is greedy for the upper bounds (T1), with these bounds.

    With m draws left and t made, U_m(h) = U_{m-1}(h) + sum of u_x (best - U_{m-1}(h)) / (N - t)
    over the kinds x that can be drawn, where best is 1 for a win and else the greatest
    U_{m-1} of the hands that the full hand h + x leaves, h among them; rounded up, 1 at most.

    ``draws`` are all draws; ``size``, the number of tiles in the wall, is at least as large.
    """
    values = np.zeros((draws + 1, graph.num_states), np.int64)
    leaves = np.empty((draws, graph.num_full), np.int32)
    best = np.empty(graph.num_full, np.int64)
    for m in range(1, draws + 1):
        check_cancelled()
        _policy_kernels.upper_kernel(
            graph.arrays, size - (draws - m), ONE, values[m - 1], values[m], leaves[draws - m], best
        )
    return Policy(values=values, leaves=leaves)


def exact_policy(graph: Graph, draws: int, size: int) -> tuple[NDArray[np.object_], Policy]:
    """Return the upper bounds (T1) without rounding, and the policy that is greedy for them.

    The bounds are the winning sequences of all draws by state, as Python integers, shape (S,). The
    values of the policy are ranks: their order is that of the bounds, and 0 means 0. Arguments are
    as for :func:`greedy_policy`.
    """
    values, every = np.zeros(graph.num_states, object), []
    edge_ends, whole = row_starts(graph.edge_state, graph.num_states), 1
    # Values are in units of 1 / `whole`, the product of the denominators N - t so far: integers,
    # without rounding.
    order, starts = graph.by_full, graph.full_starts
    for m in range(1, draws + 1):
        check_cancelled()
        every.append(_ranks(values))
        remaining = size - (draws - m)
        best = np.maximum.reduceat(values[graph.edge_state[order]], starts)
        gain = graph.edge_left * (best[graph.edge_full] - values[graph.edge_state])
        sums = np.concatenate([np.zeros(1, object), np.cumsum(gain)])
        total = graph.wins * (whole - values) + np.diff(sums[edge_ends])
        whole *= remaining
        values = np.minimum(remaining * values + total, whole)
    ranks = np.array([*every, _ranks(values)])
    state, leaving = graph.edge_state[order], graph.leaving[order]
    sizes, place = np.diff(starts, append=len(order)), np.arange(len(order))
    leaves = np.empty((draws, len(starts)), np.int32)
    for t, now in enumerate(ranks[-2::-1]):
        # Of equal discards the first, as in upper_kernel.
        worth = now[state]
        best = np.repeat(np.maximum.reduceat(worth, starts), sizes)
        leaves[t] = leaving[np.minimum.reduceat(np.where(worth == best, place, len(order)), starts)]
    return values, Policy(values=ranks, leaves=leaves)


def _ranks(values: NDArray[np.object_]) -> Values:
    """Return the ranks of numbers of 0 or more, 0 for the number 0."""
    ranks: Values = np.unique([0, *values], return_inverse=True)[1][1:]
    return ranks


class PolicyBounds:
    """Lower bounds (T3) of a policy that starts from given states, the roots.

    ``size`` is the number of tiles in the wall. Of a product of two kinds, the kind with the larger
    weight gets the smaller bound; by default the drawn kind.
    """

    def __init__(
        self,
        graph: Graph,
        policy: Policy,
        size: int,
        roots: Sequence[int],
        weights: Weights | None = None,
    ) -> None:
        self.graph, self.size = graph, size
        self.roots = list(roots)
        if not roots:
            return
        first, begins = np.array(roots, np.int64), np.zeros(len(policy.values) + 1, np.int64)
        then = np.empty(graph.num_states, np.int64)
        self._rows = _policy_kernels.follow_kernel(
            graph.arrays, policy.leaves, policy.values, first, begins, then
        )
        self._weight_factors = np.zeros((0, 0), np.int64)
        if weights is not None:
            self._weight_factors = np.where(weights > 0, 1 << weights.astype(np.int64), 0)

    @property
    def reached(self) -> NDArray[np.bool_]:
        """Whether the policy reaches a state after some number of draws, shape (S,)."""
        reached = np.zeros(self.graph.num_states, bool)
        reached[self._rows.states[: self._rows.begins[-1]]] = True
        return reached

    def bounds(
        self, roots: Sequence[int], coefficients: tuple[Values, Values] | None = None
    ) -> tuple[list[int], bool]:
        """Return lower bounds of the policy for some of the first states, with all draws left.

        The bounds come by state, 0 or more; depletion is bounded for all of these states together.
        The flag says whether no wanted kind is ever depleted; the bounds are then exact.
        ``coefficients`` are outputs a and b by draws left and state, shapes (n + 1, S) and
        (n + 1, S, K), zeros.
        """
        # The policy may reach a row from any of these roots, so its caps are the greatest of all:
        # with fewer roots caps are smaller and bounds tighter.
        arrays, rows = self.graph.arrays, np.array([self.roots.index(root) for root in roots])
        num_rows = self._rows.begins[-1]
        reached, caps = np.zeros(num_rows, bool), np.zeros((num_rows, WORDS), np.uint64)
        reached[rows] = True
        refused = np.zeros(WORDS, np.uint64)
        _lower_kernels.depletion_caps_kernel(arrays, self._rows, reached, caps, refused)
        a, is_lossless = lower_bounds(
            self.graph,
            self._rows,
            reached,
            caps,
            self._weight_factors,
            self.size,
            coefficients or NO_OUTPUT,
        )
        return np.maximum(a[2 + rows], 0).tolist(), is_lossless


NO_OUTPUT: Final = np.zeros((0, 0), np.int64), np.zeros((0, 0, 0), np.int64)


def lower_bounds(
    graph: Graph,
    rows: PolicyRows,
    reached: NDArray[np.bool_],
    caps: NDArray[np.uint64],
    factors: Values,
    size: int,
    outputs: tuple[Values, Values] = NO_OUTPUT,
) -> tuple[Values, bool]:
    """Bound the value of a policy from below (T3), by backward induction over its rows.

    Returns a of the first rows, which begin at index 2, and whether no kept kind is ever depleted.
    """
    begins, (all_a, all_b) = rows.begins, outputs
    num_draws, num_kinds = len(begins) - 2, len(graph.space.wall)
    longest = 2 + np.diff(begins).max()
    # Each layer is two rows longer than its rows: at index 0, a is 1 (a win), at index 1 it is 0.
    a, b, above, after = (np.zeros(shape, np.int64) for shape in 2 * (longest, (longest, WIDTH)))
    a[0] = above[0] = ONE
    sums, arrays, is_lossless = np.zeros(8 * WIDTH, np.int64), graph.arrays, True
    for t in range(num_draws - 1, -1, -1):
        check_cancelled()
        layers = LowerLayers(a, b, above, after)
        is_lossless &= _lower_kernels.lower_kernel(
            *(arrays.left, arrays.num_new, rows, reached, caps, factors),
            *(t, size, MOST, layers, sums),
        )
        if len(all_a):
            here = np.flatnonzero(reached[begins[t] : begins[t + 1]])
            states = rows.states[begins[t] + here]
            all_a[num_draws - t, states] = above[2 + here]
            all_b[num_draws - t, states] = after[2 + here, :num_kinds]
        a, b, above, after = above, after, a, b
    return a, is_lossless


def depletion_bounds(
    graph: Graph, upper: Values, size: int, weights: Weights, all_b: Values | None = None
) -> Values:
    """Bound the value of every play within the class from above (T6), by backward induction.

    The value after a draw is a maximum over discards; one slope bounds it for all of them. Returns
    a by draws left and state, int64 of shape (n + 1, S). ``upper`` are the bounds of T1; where they
    are smaller they are used, with b = 0. ``size`` is the number of tiles in the wall. ``weights``
    say which slopes to keep if not all can be kept; see :func:`find_weights`. ``all_b`` is an
    output: b by draws left and state, shape (n + 1, S, K), zeros.
    """
    a = np.zeros_like(upper)
    order = graph.by_full
    full_starts = np.append(graph.full_starts, len(order))
    layer, num_full, draws = (graph.num_states, WIDTH), len(full_starts), len(upper) - 1
    shapes: list[Shape] = [layer, layer, num_full, (num_full, WIDTH), LEVELS, 4 * WIDTH]
    work = UpperWork(*(np.zeros(shape, np.int64) for shape in shapes))
    work.top[:] = ONE  # the last entry is the value of a win
    for m in range(1, draws + 1):
        check_cancelled()
        t = draws - m
        _depletion_kernels.full_hands_kernel(
            graph.arrays, full_starts, order, weights, t, a[m - 1], upper[m - 1], work
        )
        _depletion_kernels.hands_kernel(
            graph.arrays, weights, t, size, ONE, SLACK, a[m - 1], upper[m], a[m], work
        )
        if all_b is not None:
            all_b[m] = work.after[:, : all_b.shape[2]]
        work = work._replace(b=work.after, after=work.b)
    return a


def find_weights(graph: Graph, policy: Policy, size: int, roots: Sequence[int]) -> NDArray[np.int8]:
    """Estimate for each hand which kinds are depleted when a policy is followed, shape (S, K).

    A heuristic: it selects which bounds are computed, but all of them are valid. A weight is 10
    plus the binary logarithm of the mean number of depleted copies, over the draws at which the
    hand is held, clipped to 0..9. ``size`` is the number of tiles in the wall; ``roots`` are the
    states after the discards, the best first.
    """
    chance = np.zeros(graph.num_states)
    chance[roots] = DISCARD_RATIO ** np.arange(len(roots))
    gone = np.zeros(graph.states.shape)  # depleted copies times the chance of the state
    in_all, gone_in_all = np.zeros_like(chance), np.zeros_like(gone)
    num_kinds = len(graph.space.wall)
    place = np.zeros(graph.num_states, np.int64)  # of each held state among the held states
    # Forward in time, in floating point: the chance to hold each hand after t draws, and that
    # chance times the mean number of depleted copies of each kind. The wall is taken as its mean,
    # which is not exact where draws depend on each other.
    for t in range(len(policy.leaves)):
        check_cancelled()
        held = np.flatnonzero(chance)
        here, place[held] = chance[held], np.arange(len(held))
        in_all[held] += here
        gone_in_all[held] += gone[held]
        mean = gone[held] / here[:, None]
        copies = np.maximum(graph.left[held] - mean, 0) * (here / (size - t))[:, None]
        refused = copies.copy()
        won = np.flatnonzero(chance[graph.win_state])
        refused[place[graph.win_state[won]], graph.win_kind[won]] = 0
        kept, leaves = policy.moves(graph, t, chance > 0)
        row, kind = place[graph.edge_state[kept]], graph.edge_kind[kept]
        refused[row, kind] = 0
        stays, goes = refused.sum(axis=1), copies[row, kind]
        gone[held] = mean * stays[:, None] + refused
        moved = goes[:, None] * (mean[row] + _shifts(graph, kept, leaves))
        cells = (leaves >> 7).astype(np.int64)[:, None] * num_kinds + np.arange(num_kinds)
        np.add.at(gone.reshape(-1), cells.reshape(-1), moved.reshape(-1))  # fast in one dimension
        chance[held] = stays
        chance += np.bincount(leaves >> 7, goes, graph.num_states)
    mean = gone_in_all / np.where(in_all > 0, in_all, 1)[:, None]
    levels = np.frexp(mean)[1] + LEVELS
    return np.where(mean > 0, np.clip(levels, 0, LEVELS - 1), 0).astype(np.int8)


def _shifts(graph: Graph, kept: Values, leaves: NDArray[np.int32]) -> Values:
    """Return the change of depletion with each kept draw, shape (E, K)."""
    state, kind, rows = graph.edge_state[kept], graph.edge_kind[kept], np.arange(len(kept))
    change = np.zeros((len(kept), graph.states.shape[1]), np.int64)
    change[rows, leaves >> 1 & 63] = leaves & 1
    change[rows, kind] = graph.states[state, kind] < np.array(graph.space.hand.counts)[kind]
    return change
