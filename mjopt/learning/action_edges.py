"""Edges of a root: which are open, which moves they belong to, and their priors."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mjopt.errors import LearningError
from mjopt.learning._mcts_kernels import CLOSED, NONE
from mjopt.learning.actions import (
    DYNAMIC_CHANNELS,
    NUM_CHANNELS,
    NUM_DYNAMIC,
    NUM_TYPES,
    small_of_full,
)
from mjopt.learning.mcts_config import (
    Bools,
    Floats,
    Integers,
    SearchSettings,
    Streams,
    spawn_rngs,
)


@dataclass(frozen=True)
class Edges:
    """The edges of a tree and the moves that they belong to."""

    kinds: int  # how many kinds there are: K
    are_full: bool  # whether an edge is a full number, or a small one: the move itself

    @cached_property
    def move_of(self) -> Integers:
        """The small number of each edge."""
        if self.are_full:
            return small_of_full(np.arange(NUM_CHANNELS * self.kinds), self.kinds)
        return np.arange(NUM_TYPES * self.kinds)

    @cached_property
    def members(self) -> Integers:
        """The edges of each move, shape ``(10 K, 16)``, filled up with NONE."""
        moves = self.move_of
        order = np.argsort(moves, kind="stable")
        found = np.full((NUM_TYPES * self.kinds, DYNAMIC_CHANNELS), NONE)
        ranks = np.arange(len(order)) - np.searchsorted(moves[order], moves[order])
        found[moves[order], ranks] = order
        return found

    def sum_by_action(self, rows: NDArray[Any]) -> NDArray[Any]:
        """Sum over the edges of a move: ``(B, edges)`` becomes ``(B, 10 K)``.

        Examples
        --------
        >>> rows = np.ones((1, 1485))
        >>> Edges(27, True).sum_by_action(rows)[0, [0, 80, 81, 269]].tolist()
        [16.0, 16.0, 1.0, 1.0]
        """
        if not self.are_full:
            return rows
        mixed = NUM_DYNAMIC * DYNAMIC_CHANNELS * self.kinds
        parts = rows[:, :mixed].reshape(len(rows), NUM_DYNAMIC, DYNAMIC_CHANNELS, self.kinds)
        sums = parts[:, :, 0].copy()
        for channel in range(1, DYNAMIC_CHANNELS):  # one by one: the same sum for any batch
            sums += parts[:, :, channel]
        return np.concatenate([sums.reshape(len(rows), -1), rows[:, mixed:]], axis=1)


def legal_priors(priors: Floats, masks: Bools, edges: Edges) -> NDArray[np.float64]:
    """Return the priors of the legal edges, sum 1 a row; the others are CLOSED.

    Where the network gives all legal edges nothing, they are alike.
    """
    legal = masks[:, edges.move_of]
    kept = np.where(legal, np.asarray(priors, np.float64), 0.0)
    sums = edges.sum_by_action(kept).cumsum(axis=1)[:, -1:]
    if not np.isfinite(sums).all():
        raise LearningError("the network's priors are no numbers")
    alike = legal / legal.sum(axis=1, keepdims=True)
    return np.where(legal, np.where(sums > 0, kept / np.where(sums > 0, sums, 1), alike), CLOSED)


def add_noise(
    priors: NDArray[np.float64], masks: Bools, edges: Edges, settings: SearchSettings, rng: Streams
) -> NDArray[np.float64]:
    """Mix noise into the priors of the root (appendix C): each move gets some.

    A move's noise falls on its channels in proportion to their priors: which of them happens
    is not the player's to try.
    """
    if not settings.noise or settings.root == "gumbel":
        return priors
    shares = prior_shares(priors, edges)
    noise = np.zeros(masks.shape)
    for game, stream in enumerate(spawn_rngs(rng, len(masks))):
        number = int(masks[game].sum())
        drawn = stream.gamma(settings.noise_total / number, size=number)
        noise[game, masks[game]] = drawn / (drawn.sum() or 1.0)
    mixed = (1 - settings.noise) * priors + settings.noise * noise[:, edges.move_of] * shares
    return np.where(priors >= 0, mixed, CLOSED)


def prior_shares(priors: NDArray[np.float64], edges: Edges) -> NDArray[np.float64]:
    """Return how a move's prior falls on its edges; where it is 0, evenly. 0 for CLOSED."""
    legal = priors >= 0
    sums = edges.sum_by_action(np.where(legal, priors, 0.0))[:, edges.move_of]
    counts = np.bincount(edges.move_of)[edges.move_of]
    return np.where(legal, np.where(sums > 0, priors / np.where(sums > 0, sums, 1), 1 / counts), 0)


def check_masks(masks: Bools) -> None:
    """Refuse a game without a legal move."""
    if masks.ndim != 2 or masks.shape[1] % NUM_TYPES:
        raise LearningError(f"masks of shape {masks.shape}, expected (games, 10 K)")
    if not masks.any(axis=1).all():
        raise LearningError(f"game {int(masks.any(axis=1).argmin())} has no legal move")
