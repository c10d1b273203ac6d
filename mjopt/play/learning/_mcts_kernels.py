"""Kernels of the Monte Carlo tree search over many games: selection, expansion and backup."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import inner, kernel
from mjopt.play.learning.mcts_config import Bools, Floats, Integers

# The search of Ouyang and Zhou (docs/reference/learning.md, "The search"), with one tree for each
# game of a batch. A node stores the visits and the mean value of the edge that leads to it. An
# unvisited edge has value 0, so only the unvisited edge with the greatest prior can be selected.
# Edges are therefore opened in the order of their priors, and a step compares the visited edges and
# one more instead of all 1,485.

Doubles = NDArray[np.float64]

UNKNOWN: Final = -2  # the next unvisited edge is not determined yet
NONE: Final = -1
CLOSED: Final = -1.0  # prior of an illegal action
SEATS: Final = 4


class TreeArrays(NamedTuple):
    """The trees of B games with N nodes each. Node 0 is the root, and NONE is no node.

    Edges are numbers of actions, E of them. The children of a node form a linked list, the newest
    first.
    """

    priors: Floats  # of the edges below each node, (B, N, E)
    first: Integers  # first child, (B, N)
    sibling: Integers  # next child of the same parent, (B, N)
    parent: Integers  # (B, N)
    actions: Integers  # of the edge above, (B, N)
    visits: Integers  # of the edge above, (B, N)
    mean: Doubles  # value of the edge above for the player who chose it, (B, N)
    total: Integers  # visits of all edges below, (B, N)
    following: Integers  # the edge to open next, or UNKNOWN, (B, N)
    last: Integers  # the edge opened last, (B, N)
    over: Bools  # whether the game ends there, (B, N)
    place: Integers  # the current player, counted from the root's, (B, N)
    worth: Doubles  # the network's values, counted from the current player, (B, N, 4)
    gained: Doubles  # values of the newest leaf, counted from the root's player, (B, 4)


@inner
def _next_open(priors: Floats, last: int) -> int:
    """Return the unvisited edge with the greatest prior, the first on ties, or NONE."""
    limit = priors[last] if last >= 0 else np.float32(np.inf)
    best, greatest = NONE, np.float32(CLOSED)
    for action in range(len(priors)):
        prior = priors[action]
        if prior > greatest and (prior < limit or (prior == limit and action > last)):
            best, greatest = action, prior
    return best


@inner
def _child_of(first: Integers, sibling: Integers, actions: Integers, action: int) -> int:
    """Return the root's child for an action, or NONE."""
    child = first[0]
    while child != NONE and actions[child] != action:
        child = sibling[child]
    return int(child)


@kernel
def select_leaves(tree: TreeArrays, forced: Integers, exploration: float, leaves: Integers) -> None:
    """Walk down every tree to a leaf (Eq. 2).

    ``forced`` has an action for the root of each game, or NONE. ``leaves``, ``(B, 3)``, receives
    the parent node, the action, and NONE, or the node itself if it exists because the game is over
    there.
    """
    priors, first, sibling, actions = tree.priors, tree.first, tree.sibling, tree.actions
    visits, mean, following, last = tree.visits, tree.mean, tree.following, tree.last
    for game in range(len(forced)):
        node = 0
        leaves[game, 2] = NONE
        while True:
            child, action = NONE, forced[game] if node == 0 else NONE
            if action != NONE:
                child = _child_of(first[game], sibling[game], actions[game], action)
            else:
                if following[game, node] == UNKNOWN:
                    following[game, node] = _next_open(priors[game, node], last[game, node])
                spread = exploration * np.sqrt(np.float64(tree.total[game, node]))
                action = following[game, node]
                score, prior = -np.inf, np.float64(CLOSED)
                if action != NONE:
                    prior = np.float64(priors[game, node, action])
                    score = spread * prior
                edge = first[game, node]
                while edge != NONE:
                    share = np.float64(priors[game, node, actions[game, edge]])
                    value = mean[game, edge] + spread / (1.0 + visits[game, edge]) * share
                    # On ties the greater prior, then the first; also before any visit, when
                    # the square root is 0.
                    if value > score or (
                        value == score
                        and (share > prior or (share == prior and actions[game, edge] < action))
                    ):
                        score, prior, child, action = value, share, edge, actions[game, edge]
                    edge = sibling[game, edge]
            if child == NONE:
                leaves[game, 0], leaves[game, 1] = node, action
                break
            if tree.over[game, child]:
                leaves[game, 0], leaves[game, 1] = tree.parent[game, child], action
                leaves[game, 2] = child
                break
            node = child


@kernel
def grow(
    tree: TreeArrays, number: int, leaves: Integers, places: Integers, values: Doubles, ends: Bools
) -> None:
    """Add the leaves to the trees and back up their values (Eqs. 6 to 9).

    An edge receives the leaf's value for the player who chose it.

    The ``leaves`` come from :func:`select_leaves`; each new one becomes the node ``number``, whose
    priors are already set. ``places`` are the current players, counted from the root's player;
    ``values``, ``(B, 4)``, are counted from the current player; ``ends`` marks finished games.
    """
    first, sibling, parent, actions = tree.first, tree.sibling, tree.parent, tree.actions
    visits, mean, place = tree.visits, tree.mean, tree.place
    worth, gained = tree.worth, tree.gained
    for game in range(len(leaves)):
        above, action, leaf = leaves[game, 0], leaves[game, 1], leaves[game, 2]
        if leaf == NONE:
            leaf = number
            parent[game, leaf], actions[game, leaf] = above, action
            sibling[game, leaf] = first[game, above]
            first[game, above] = leaf
            tree.last[game, above], tree.following[game, above] = action, UNKNOWN
            place[game, leaf], tree.over[game, leaf] = places[game], ends[game]
            for seat in range(SEATS):
                worth[game, leaf, seat] = values[game, seat]
        at = place[game, leaf]
        for seat in range(SEATS):
            gained[game, seat] = worth[game, leaf, (seat - at) % SEATS]
        # Backup from the leaf to the root: every mean takes in one more value.
        node = leaf
        while node != 0:
            up = parent[game, node]
            value = worth[game, leaf, (place[game, up] - at) % SEATS]
            count = visits[game, node]
            mean[game, node] = (count * mean[game, node] + value) / (1.0 + count)
            visits[game, node] = count + 1
            tree.total[game, up] += 1
            node = up
