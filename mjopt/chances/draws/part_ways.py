"""Count the draws from one part of a hand, by their number and the class that they lead to."""

from collections.abc import Sequence
from functools import lru_cache
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt.tables.bundles.layers import Layers, Numbers

# The ways to draw 0, 1, ... tiles that lead to a class are the coefficients of a polynomial
# (docs/reference/expected-draws.md, "Counting"). A part is read kind by kind through the layers of
# its automaton. NumPy does so without compilation, for a single hand; the kernel suits many.

KEPT: Final = 2048  # cached parts, at most about 50 kB each
_MANY: Final = 100  # states whose zeros are cut off

Part = tuple[tuple[int, int], ...]
"""For each kind of a part: copies held, and copies in the wall."""


class Ways(NamedTuple):
    """The draws from one part by the class that they lead to."""

    ways: NDArray[np.int64]  # by class and number of draws
    most: NDArray[np.int64]  # by class: the most draws that lead to it; -1 if none do
    tiles: int  # of the part in the wall


@lru_cache(maxsize=KEPT)
def part_ways(layers: Layers, part: Part, is_plain: bool) -> Ways:
    """Count the draws from one part by the class they lead to; the arrays are read-only.

    Examples
    --------
    >>> from mjopt.chances.draws.rule_classes import rule_classes
    >>> from mjopt.hands.hand import Hand
    >>> from mjopt.hands.query import HandQuery
    >>> copies = [(2, 0), (2, 0), (0, 3)] + [(0, 0)] * 6
    >>> layers = rule_classes(HandQuery(Hand.parse("112233m99p", called=2))).layers[0]
    >>> found = part_ways(layers, tuple(copies), True)
    >>> [row[:4].tolist() for row, most in zip(found.ways, found.most) if most >= 0]
    [[0, 0, 0, 1], [0, 0, 3, 0], [0, 3, 0, 0], [1, 0, 0, 0]]
    """
    draw = _draw_plain if is_plain else _draw_compiled
    ways, most = draw(layers, part)
    ways.setflags(write=False)
    most.setflags(write=False)
    return Ways(ways, most, sum([left for _, left in part]))


def _draw_plain(
    layers: Layers, part: Sequence[tuple[int, int]]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count the draws from one part that lead to each class, without compilation.

    ``part`` has the copies of each kind held and in the wall. Returns the counts by class and
    number of draws, and the most draws that lead to each class, or -1.
    """
    states: Numbers = np.zeros(1, np.int64)
    ways = np.ones((1, 1), np.int64)
    for steps, (held, left), end in zip(layers.steps, part, layers.ends[1:], strict=True):
        targets, drawn = steps[states, held : held + left + 1].ravel(), ways
        # Row by state and drawn copies: the polynomial times C(left, number) x**number.
        if left:
            width = ways.shape[1]
            spread = np.zeros((len(states), left + 1, width + left), np.int64)
            for number in range(left + 1):
                spread[:, number, number : number + width] = ways * comb(left, number)
            drawn = spread.reshape(len(targets), width + left)
        elif len(states) == 1 and targets[0] != end:
            states = targets
            continue
        # Moves to one state are added up: sorted, they are one after another.
        order = targets.argsort(kind="stable")
        if end >= 0:
            order = order[targets[order] != end]
        ranked = targets[order]
        first = np.ones(len(ranked), np.bool_)
        np.not_equal(ranked[1:], ranked[:-1], out=first[1:])
        states = ranked[first]
        if len(states):
            ways = np.add.reduceat(drawn[order], first.nonzero()[0], axis=0)
        else:
            ways = np.zeros((0, 1), np.int64)
        if len(states) > _MANY:
            ways = ways[:, : np.flatnonzero(ways.any(axis=0))[-1] + 1]
    number = len(layers.costs)
    width = 1 + sum([left for _, left in part])
    found, most = np.zeros((number, width), np.int64), np.full(number, -1, np.int64)
    found[states, : ways.shape[1]] = ways
    most[states] = ways.shape[1] - 1 - (ways[:, ::-1] != 0).argmax(axis=1)
    return found, most


def _draw_compiled(layers: Layers, part: Part) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    from mjopt.chances.draws._part_kernel import CHOICES, part_kernel

    width = 1 + sum([left for _, left in part])
    number = len(layers.costs)
    ways, most = np.zeros((number, width), np.int64), np.full(number, -1, np.int64)
    room = layers.most_states
    part_kernel(
        layers.flat,
        layers.starts,
        layers.ends,
        np.array(part, np.int32).reshape(-1, 2),
        CHOICES,
        np.zeros((2, room, width), np.int64),
        np.zeros((5, room), np.int32),
        ways,
        most,
    )
    return ways, most


def stack_ways(
    parts: Sequence[Ways],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the ways of all parts, one below the other; their most draws; and the first rows."""
    starts = np.cumsum([0] + [len(part.most) for part in parts])
    width = max([part.ways.shape[1] for part in parts])
    stacked = np.zeros((starts[-1], width), np.int64)
    for part, start in zip(parts, starts.tolist(), strict=False):
        stacked[start : start + len(part.most), : part.ways.shape[1]] = part.ways
    return stacked, np.concatenate([part.most for part in parts]), starts


def merge_ways(ways: Ways, places: Numbers, number: int) -> Ways:
    """Return the ways by the classes that are left of those of a part."""
    reached = np.flatnonzero(ways.most >= 0)
    merged = np.zeros((number, ways.ways.shape[1]), np.int64)
    most = np.full(number, -1, np.int64)
    np.add.at(merged, places[reached], ways.ways[reached])
    np.maximum.at(most, places[reached], ways.most[reached])
    return Ways(merged, most, ways.tiles)
