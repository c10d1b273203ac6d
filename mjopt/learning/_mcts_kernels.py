"""Trees of many games at once: which leaf is next, and what it tells the nodes above it.

A node is the edge that leads to it: its visits and its mean value stand with it. An unvisited
edge has value 0, so of all unvisited edges of a node only the one with the greatest prior can
be chosen, and edges are opened in the order of their priors: a step looks at the edges that
were visited and at one more, whatever the number of actions.
"""

from typing import Any, Final

import numpy as np

from mjopt._internal.jit import inner, kernel

UNKNOWN: Final = -2  # the next unvisited edge has not been looked for yet
NONE: Final = -1
CLOSED: Final = -1.0  # the prior of an action that is not there
SEATS: Final = 4


@inner
def _next_open(priors: Any, last: int) -> int:
    """Return the unvisited edge with the greatest prior, the first of equals; or NONE."""
    limit = priors[last] if last >= 0 else np.float32(np.inf)
    best, greatest = NONE, np.float32(CLOSED)
    for action in range(len(priors)):
        prior = priors[action]
        if prior > greatest and (prior < limit or (prior == limit and action > last)):
            best, greatest = action, prior
    return best


@inner
def _child_of(first: Any, sibling: Any, actions: Any, action: int) -> int:
    """Return the root's child behind an action, or NONE."""
    child = first[0]
    while child != NONE and actions[child] != action:
        child = sibling[child]
    return int(child)


@kernel
def select_leaves(tree: Any, forced: Any, exploration: float, leaves: Any) -> None:
    """Walk down every tree to a leaf (Eq. 2).

    In each game an action may be forced at the root, or NONE. Written are leaves ``(B, 3)``: the
    node that it hangs on, the action, and NONE; of a leaf that stands already, because the game is
    over there, its own number comes last.
    """
    priors, first, sibling, parent, actions, visits, mean, total, following, last, over = tree[:11]
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
                spread = exploration * np.sqrt(np.float64(total[game, node]))
                action = following[game, node]
                score, prior = -np.inf, np.float64(CLOSED)
                if action != NONE:
                    prior = np.float64(priors[game, node, action])
                    score = spread * prior
                one = first[game, node]
                while one != NONE:
                    its = np.float64(priors[game, node, actions[game, one]])
                    value = mean[game, one] + spread / (1.0 + visits[game, one]) * its
                    # Of equals the greater prior, then the first: also before any visit, when
                    # the square root is 0.
                    if value > score or (
                        value == score
                        and (its > prior or (its == prior and actions[game, one] < action))
                    ):
                        score, prior, child, action = value, its, one, actions[game, one]
                    one = sibling[game, one]
            if child == NONE:
                leaves[game, 0], leaves[game, 1] = node, action
                break
            if over[game, child]:
                leaves[game, 0], leaves[game, 1] = parent[game, child], action
                leaves[game, 2] = child
                break
            node = child


@kernel
def grow(tree: Any, number: int, leaves: Any, places: Any, values: Any, ends: Any) -> None:
    """Add the leaves to the trees, and tell the nodes above them their values (Eqs. 6 to 9).

    The edge that a player chose receives what the leaf is worth to that player.

    Leaves are those of :func:`select_leaves`, each of which becomes the node of this number, whose
    priors stand there already; places whose turn it is there, counted from the root's player;
    values ``(B, 4)`` what it is worth to each player, counted from that one; ends whether the game
    is over.
    """
    (_, first, sibling, parent, actions, visits, mean, total, following, last, over) = tree[:11]
    place, worth, gained = tree[11:]
    for game in range(len(leaves)):
        above, action, leaf = leaves[game, 0], leaves[game, 1], leaves[game, 2]
        if leaf == NONE:
            leaf = number
            parent[game, leaf], actions[game, leaf] = above, action
            sibling[game, leaf] = first[game, above]
            first[game, above] = leaf
            last[game, above], following[game, above] = action, UNKNOWN
            place[game, leaf], over[game, leaf] = places[game], ends[game]
            for seat in range(SEATS):
                worth[game, leaf, seat] = values[game, seat]
        at = place[game, leaf]
        for seat in range(SEATS):
            gained[game, seat] = worth[game, leaf, (seat - at) % SEATS]
        node = leaf
        while node != 0:
            up = parent[game, node]
            its = worth[game, leaf, (place[game, up] - at) % SEATS]
            count = visits[game, node]
            mean[game, node] = (count * mean[game, node] + its) / (1.0 + count)
            visits[game, node] = count + 1
            total[game, up] += 1
            node = up
