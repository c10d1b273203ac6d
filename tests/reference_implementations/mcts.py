"""Plain Python version of the search: nodes are objects and all actions are scanned.

It uses the formulas of the kernels with the same order of operations, so all visits agree
exactly.
"""

from dataclasses import dataclass, field
from math import inf, sqrt
from typing import Any

import numpy as np


@dataclass
class Node:
    """A node of the search tree."""

    hidden: Any
    priors: list[float]
    values: list[float]  # in turn order from the current player
    place: int  # the current player, relative to the root's
    visits: dict[int, int] = field(default_factory=dict)  # by action
    means: dict[int, float] = field(default_factory=dict)
    children: dict[int, "Node"] = field(default_factory=dict)


def plain_search(
    model: Any, planes: Any, opened: list[float], changes: list[int], simulations: int, c1: float
) -> tuple[Node, list[list[tuple[int, int, float]]]]:
    """Return the root, and the value that each simulation added to every edge of its path.

    ``opened`` are the root's priors, negative for illegal actions.
    """
    hidden, _, values = model.start(planes)
    root = Node(hidden, opened, values[0].tolist(), 0)
    received = []
    for _ in range(simulations):
        path: list[tuple[Node, int]] = []
        node = root
        while True:
            action = choose(node, c1)
            path.append((node, action))
            if action not in node.children:
                break
            node = node.children[action]
        hidden, priors, values = model.follow(node.hidden, np.array([action]))
        place = (node.place + changes[action]) % 4
        leaf = Node(hidden, priors[0].tolist(), values[0].tolist(), place)
        node.children[action] = leaf
        received.append([])
        for above, tried in path:
            value = leaf.values[(above.place - leaf.place) % 4]
            count = above.visits.get(tried, 0)
            above.means[tried] = (count * above.means.get(tried, 0.0) + value) / (1.0 + count)
            above.visits[tried] = count + 1
            received[-1].append((above.place, tried, value))
    return root, received


def choose(node: Node, c1: float) -> int:
    """Return the first action of maximal score by value and prior (Eq. 2)."""
    spread = c1 * sqrt(sum(node.visits.values()))
    best, chosen = (-inf, -inf), -1
    for action, prior in enumerate(node.priors):
        if prior < 0:
            continue
        count, mean = node.visits.get(action, 0), node.means.get(action, 0.0)
        score = (mean + spread / (1.0 + count) * prior, prior)
        if score > best:
            best, chosen = score, action
    return chosen
