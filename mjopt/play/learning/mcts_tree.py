"""Search trees of many games, and the edges of their roots: legal moves and priors."""

from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mjopt.errors import ArgumentError
from mjopt.play.game.rules import NUM_SEATS
from mjopt.play.learning._mcts_kernels import (
    CLOSED,
    NONE,
    UNKNOWN,
    TreeArrays,
    grow,
    select_leaves,
)
from mjopt.play.learning.actions import (
    DYNAMIC_CHANNELS,
    NUM_CHANNELS,
    NUM_DYNAMIC,
    NUM_TYPES,
    small_of_full,
)
from mjopt.play.learning.mcts_config import (
    Bools,
    Floats,
    Integers,
    SearchSettings,
    Streams,
    spawn_rngs,
)

Scalar = TypeVar("Scalar", np.float64, np.int32)


class SearchTrees:
    """The trees of a batch as arrays: one row a game, one column a node, node 0 the root.

    The priors of the root's edges have shape ``(B, edges)``, negative for no edge, its values
    ``(B, 4)``; ``nodes`` includes the root.
    """

    def __init__(self, priors: NDArray[np.floating], values: Floats, nodes: int) -> None:
        games, numbers = priors.shape
        shape = (games, nodes)
        self.priors = np.empty((games, nodes, numbers), np.float32)
        self.priors[:, 0] = priors
        self.actions = np.full(shape, NONE, np.int64)
        self.place = np.zeros(shape, np.int64)
        self.visits = np.zeros(shape, np.int64)
        self.gained = np.zeros((games, NUM_SEATS))
        self.sums = np.array(values, np.float64)
        worth = np.zeros((games, nodes, NUM_SEATS))
        worth[:, 0] = values
        self.arrays = TreeArrays(
            priors=self.priors,
            first=np.full(shape, NONE, np.int64),
            sibling=np.full(shape, NONE, np.int64),
            parent=np.full(shape, NONE, np.int64),
            actions=self.actions,
            visits=self.visits,
            mean=np.zeros(shape),
            total=np.zeros(shape, np.int64),
            following=np.full(shape, UNKNOWN, np.int64),
            last=np.full(shape, NONE, np.int64),
            over=np.zeros(shape, np.bool_),
            place=self.place,
            worth=worth,
            gained=self.gained,
        )

    def select(self, forced: Integers, exploration: float) -> Integers:
        """Return the next leaf of every tree, see :func:`select_leaves`."""
        leaves = np.empty((len(forced), 3), np.int64)
        select_leaves(self.arrays, forced, float(exploration), leaves)
        if leaves.size and leaves[:, 1].min() < 0:
            raise ArgumentError("a state without any action: are the network's priors finite?")
        return leaves

    def grow(
        self, number: int, leaves: Integers, places: Integers, values: ArrayLike, ends: Bools
    ) -> None:
        """Add a leaf to every tree, see :func:`mjopt.play.learning._mcts_kernels.grow`."""
        grow(self.arrays, number, leaves, places, np.asarray(values, np.float64), ends)
        self.sums += self.gained

    def root_visits(self) -> NDArray[np.int32]:
        """Return the visits of each edge of the roots, shape ``(B, edges)``."""
        counts = np.zeros((len(self.priors), self.priors.shape[2]), np.int32)
        games, children = np.nonzero(self.arrays.parent == 0)
        counts[games, self.actions[games, children]] = self.visits[games, children]
        return counts


@dataclass(frozen=True)
class Edges:
    """The edges of a tree node and their moves."""

    kinds: int  # number of tile kinds, K
    are_full: bool  # whether edges are full numbers, or small ones (moves)

    @cached_property
    def move_of(self) -> Integers:
        """The small number of each edge."""
        if self.are_full:
            return small_of_full(np.arange(NUM_CHANNELS * self.kinds), self.kinds)
        return np.arange(NUM_TYPES * self.kinds)

    @cached_property
    def members(self) -> Integers:
        """The edges of each move, shape ``(10 K, 16)``, padded with NONE."""
        moves = self.move_of
        order = np.argsort(moves, kind="stable")
        edges = np.full((NUM_TYPES * self.kinds, DYNAMIC_CHANNELS), NONE)
        ranks = np.arange(len(order)) - np.searchsorted(moves[order], moves[order])
        edges[moves[order], ranks] = order
        return edges

    def sum_by_action(self, rows: NDArray[Scalar]) -> NDArray[Scalar]:
        """Sum over the edges of each move: ``(B, edges)`` becomes ``(B, 10 K)``.

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
        for channel in range(
            1, DYNAMIC_CHANNELS
        ):  # one by one: the sum must not depend on the batch
            sums += parts[:, :, channel]
        return np.concatenate([sums.reshape(len(rows), -1), rows[:, mixed:]], axis=1)


def legal_priors(priors: NDArray[np.floating], masks: Bools, edges: Edges) -> NDArray[np.float64]:
    """Return the priors of the legal edges, normalised to sum 1 in each row; others are CLOSED.

    If all legal edges have prior 0, they become equal.
    """
    legal = masks[:, edges.move_of]
    legal_only = np.where(legal, np.asarray(priors, np.float64), 0.0)
    sums = edges.sum_by_action(legal_only).cumsum(axis=1)[:, -1:]
    if not np.isfinite(sums).all():
        raise ArgumentError("the network's priors are not finite")
    alike = legal / legal.sum(axis=1, keepdims=True)
    return np.where(
        legal, np.where(sums > 0, legal_only / np.where(sums > 0, sums, 1), alike), CLOSED
    )


def add_noise(
    priors: NDArray[np.float64], masks: Bools, edges: Edges, settings: SearchSettings, rng: Streams
) -> NDArray[np.float64]:
    """Mix noise into the priors of the root (appendix C).

    The noise of a move is divided over its channels in proportion to their priors, since the
    player does not choose among them.
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
    """Return the share of each edge in its move's prior; equal if that is 0, 0 for CLOSED."""
    legal = priors >= 0
    sums = edges.sum_by_action(np.where(legal, priors, 0.0))[:, edges.move_of]
    counts = np.bincount(edges.move_of)[edges.move_of]
    return np.where(legal, np.where(sums > 0, priors / np.where(sums > 0, sums, 1), 1 / counts), 0)


def check_masks(masks: Bools) -> None:
    """Raise an ArgumentError if a game has no legal move."""
    if masks.ndim != 2 or masks.shape[1] % NUM_TYPES:
        raise ArgumentError(f"masks of shape {masks.shape}", expected="(games, 10 K)")
    if not masks.any(axis=1).all():
        raise ArgumentError(f"game {int(masks.any(axis=1).argmin())} has no legal move")
