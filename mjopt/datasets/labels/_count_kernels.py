"""Kernels that count nearest complete hands."""

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import kernel

# The least cost of a path and the number of paths that attain it, node by node (dynamic
# programming). A path of `target_counts.suit_words` is a complete suit, its cost the tiles that the
# hand lacks. Different paths are different suits, and different suits make different hands, so
# numbers of ways can be added over paths and multiplied over suits without counting a hand twice.

Integers = NDArray[np.int64]

FAR = 99


@kernel
def nearest_of_suits(
    copies: NDArray[np.uint8],
    after: NDArray[np.int32],
    num_nodes: Integers,
    first: int,
    costs: Integers,
    counts: Integers,
) -> None:
    """For every suit and share: the least cost, and the number of complete suits that attain it."""
    num_kinds, most, _ = after.shape
    cost = np.empty((2, most), np.int64)
    ways = np.empty((2, most), np.int64)
    for row in range(len(copies)):
        now = 0
        cost[now, :] = FAR
        cost[now, first] = 0
        ways[now, first] = 1
        for kind in range(num_kinds):
            later = 1 - now
            for node in range(num_nodes[kind + 1]):
                cost[later, node] = FAR
                ways[later, node] = 0
            held = np.int64(copies[row, kind])
            # Node 0 is the dead state. After a kind, a node has the least cost of all words that
            # lead to it.
            for node in range(1, num_nodes[kind]):
                if cost[now, node] == FAR:
                    continue
                for use in range(5):
                    target = after[kind, node, use]
                    if target == 0:
                        continue
                    paid = cost[now, node] + max(0, use - held)
                    if paid < cost[later, target]:
                        cost[later, target] = paid
                        ways[later, target] = ways[now, node]
                    elif paid == cost[later, target]:
                        ways[later, target] += ways[now, node]
            now = later
        for share in range(10):
            costs[row, share] = cost[now, share + 1]
            counts[row, share] = ways[now, share + 1]


@kernel
def count_targets(
    suits: Integers, costs: Integers, counts: Integers, melds: int, out: Integers
) -> None:
    """Count the nearest complete hands.

    ``suits`` holds rows of ``costs`` and ``counts``, one for each suit of each hand. Suits are
    joined one after another; a share is ``2 * melds + eye``.
    """
    cost = np.empty((2, 10), np.int64)
    ways = np.empty((2, 10), np.int64)
    for row in range(len(suits)):
        now = 0
        cost[now, :] = FAR
        cost[now, 0] = 0
        ways[now, 0] = 1
        for place in range(suits.shape[1]):
            suit = suits[row, place]
            later = 1 - now
            cost[later, :] = FAR
            ways[later, :] = 0
            for before in range(2 * melds + 2):
                if cost[now, before] >= FAR:
                    continue
                for share in range(2 * melds + 2 - before):
                    # Two eyes would read as one meld more.
                    if before & share & 1:
                        continue
                    both = before + share
                    paid = cost[now, before] + costs[suit, share]
                    more = ways[now, before] * counts[suit, share]
                    if paid < cost[later, both]:
                        cost[later, both] = paid
                        ways[later, both] = more
                    elif paid == cost[later, both]:
                        ways[later, both] += more
            now = later
        out[row] = ways[now, 2 * melds + 1]
