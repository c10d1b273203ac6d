"""Root policies of a search: the next move to try, and the move to play."""

from math import ceil, log2

import numpy as np
from numpy.typing import NDArray

from mjopt.play.learning._mcts_kernels import NONE
from mjopt.play.learning.mcts_config import (
    Bools,
    Floats,
    Integers,
    SearchSettings,
    Streams,
    spawn_rngs,
)
from mjopt.play.learning.mcts_tree import Edges, prior_shares


class PuctRoot:
    """PUCT at the root, as in every node; the most visited move is played, ties at random."""

    def __init__(self, masks: Bools, edges: Edges, rng: Streams) -> None:
        self._edges, self._streams = edges, spawn_rngs(rng, len(masks))
        self._free = np.full(len(masks), NONE)

    def next_edges(self) -> Integers:
        """Return NONE for each root: the search selects the edge."""
        return self._free

    def update(self, gained: NDArray[np.float64]) -> None:
        """Take the values of the new leaves for the root's player; PUCT does not need them."""

    def policy(self, visits: NDArray[np.int32]) -> tuple[NDArray[np.float64], Integers]:
        """Return the shares of the visits, and the moves to play."""
        small = self._edges.sum_by_action(visits)
        chosen = small.argmax(axis=1)
        for game, stream in enumerate(self._streams):
            best = np.flatnonzero(small[game] == small[game].max())
            if len(best) > 1:
                chosen[game] = stream.choice(best)
        return visits / visits.sum(axis=1, keepdims=True), chosen


def visit_sequence(considered: int, simulations: int) -> list[int]:
    """Return the sequence of visit counts considered by sequential halving.

    Each of the ``ceil(log2(considered))`` phases tries the remaining moves equally often, then
    keeps the better half. So simulation i tries a move with the i-th visit count of the result.

    Examples
    --------
    >>> visit_sequence(4, 8)
    [0, 0, 0, 0, 1, 1, 2, 2]
    >>> visit_sequence(1, 3)
    [0, 1, 2]
    """
    phases, left, done = max(1, ceil(log2(considered))), considered, 0
    tries: list[int] = []
    while len(tries) < simulations:
        rounds = max(1, simulations // (phases * left))
        tries += [done + round_ for round_ in range(rounds) for _ in range(left)]
        done, left = done + rounds, max(2, left // 2) if considered > 1 else 1
    return tries[:simulations]


class GumbelRoot:
    """Gumbel root of Danihelka and others (2022): moves drawn without replacement, then halved.

    The player chooses among moves, not among their consequences: a move is evaluated over all its
    channels, and the channel with the fewest visits for its prior is tried next.

    Priors are those of :func:`legal_priors`, values those of the root's player.
    """

    def __init__(
        self,
        priors: NDArray[np.float64],
        values: NDArray[np.float64],
        masks: Bools,
        edges: Edges,
        settings: SearchSettings,
        rng: Streams,
    ) -> None:
        games, most = len(masks), int(masks.sum(axis=1).max(initial=1))
        self._edges, self._settings, self._values = edges, settings, values
        self._shares, self._members = prior_shares(priors, edges), edges.members
        self._rows = np.arange(games)
        sum_by_action = edges.sum_by_action(np.where(priors >= 0, priors, 0.0))
        self._moves = np.full((games, most), NONE)  # legal moves in order
        self._priors = np.zeros((games, most))
        self._drawn = np.full((games, most), -np.inf)  # log of the prior + Gumbel noise
        self._tries = np.zeros((games, settings.simulations), np.int64)
        for game, stream in enumerate(spawn_rngs(rng, games)):
            moves = np.flatnonzero(masks[game])
            number = len(moves)
            self._moves[game, :number] = moves
            self._priors[game, :number] = sum_by_action[game, moves]
            logs = np.log(np.maximum(sum_by_action[game, moves], np.finfo(np.float64).tiny))
            self._drawn[game, :number] = logs + stream.gumbel(size=number)
            self._tries[game] = visit_sequence(
                min(number, settings.considered), settings.simulations
            )
        self._number = 0
        self._counts = np.zeros((games, most), np.int64)
        self._gained = np.zeros((games, most))
        self._edge_counts = np.zeros((games, len(edges.move_of)), np.int64)
        self._last = np.zeros(games, np.int64)

    def _scores(self) -> NDArray[np.float64]:
        """Return g + logits + sigma(q) of each visited move."""
        return self._drawn + self._worth(self._gained / np.maximum(self._counts, 1))

    def _worth(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return sigma(q) of values in -1 to 1."""
        most = self._counts.max(axis=1, keepdims=True)
        settings = self._settings
        worth: NDArray[np.float64]
        worth = (settings.visit_base + most) * settings.value_scale * (values + 1) / 2
        return worth

    def next_edges(self) -> Integers:
        """Return the edge to try at each root."""
        wanted = self._counts == self._tries[:, self._number, None]
        scores = np.where(wanted, self._scores(), -np.inf)  # highest draw first
        self._last = scores.argmax(axis=1)
        members = self._members[self._moves[self._rows, self._last]]
        rows = self._rows[:, None]
        behind = self._shares[rows, members] / (1 + self._edge_counts[rows, members])
        column = np.where(members == NONE, -np.inf, behind).argmax(axis=1)
        tried: Integers = members[self._rows, column]
        self._edge_counts[self._rows, tried] += 1
        return tried

    def update(self, gained: NDArray[np.float64]) -> None:
        """Add the values of the new leaves for the root's player."""
        self._counts[self._rows, self._last] += 1
        self._gained[self._rows, self._last] += gained
        self._number += 1

    def policy(self, visits: NDArray[np.int32]) -> tuple[NDArray[np.float64], Integers]:
        """Return softmax(logits + sigma(completed q)), and the best of the most visited moves."""
        tried, is_move = self._counts > 0, self._moves != NONE
        means = self._gained / np.maximum(self._counts, 1)
        weights = np.where(tried, self._priors, 0.0)
        total = self._counts.sum(axis=1)
        # Value of unvisited moves: a mix of the network's value and the mean of visited moves.
        met = (weights * means).sum(axis=1) / np.maximum(weights.sum(axis=1), 1e-300)
        mixed = (self._values + total * met) / (1 + total)
        completed = np.where(tried, means, mixed[:, None])
        logits = np.log(np.maximum(self._priors, np.finfo(np.float64).tiny))
        logits = np.where(is_move, logits + self._worth(completed), -np.inf)
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        odds /= odds.sum(axis=1, keepdims=True)
        sum_by_action = np.zeros(self._edges.sum_by_action(visits).shape)
        for game in self._rows:
            sum_by_action[game, self._moves[game, is_move[game]]] = odds[game, is_move[game]]
        most = self._counts == self._counts.max(axis=1, keepdims=True)
        best = np.where(most, self._scores(), -np.inf).argmax(axis=1)
        full = sum_by_action[:, self._edges.move_of] * self._shares
        return full, self._moves[self._rows, best]


def make_root(
    priors: NDArray[np.float64],
    values: Floats,
    masks: Bools,
    edges: Edges,
    settings: SearchSettings,
    rng: Streams,
) -> PuctRoot | GumbelRoot:
    """Return the root policy of the settings."""
    if settings.root == "puct":
        return PuctRoot(masks, edges, rng)
    own = np.asarray(values[:, 0], np.float64)
    return GumbelRoot(priors, own, masks, edges, settings, rng)
