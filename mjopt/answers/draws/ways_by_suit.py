"""How many draws from one suit lead to each of its classes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt.answers.draws.classes import SuitClasses
from mjopt.hands.tiles import COPIES, TileSet

KEPT: Final = 2048  # suits remembered, at most 14 kB each

SuitPart = tuple[tuple[int, int, int, int, int], ...]
"""Of each kind: copies held, copies in the wall, least and most in the end, gap after it."""


@dataclass(frozen=True, slots=True, eq=False)
class SuitWays:
    """The draws from one suit, by the class they lead to.

    Parameters
    ----------
    ways
        Shape (C, 37), read-only: ways to draw so many tiles of this suit, the tiles
        told apart, such that the suit is of that class then. Draws that complete the
        hand within the suit are left out.
    most
        Shape (C,): the most draws that lead to the class; -1 if none do.
    """

    ways: NDArray[np.int64]
    most: NDArray[np.int64]


@lru_cache(maxsize=16)
def gaps_of(tiles: TileSet) -> tuple[bool, ...]:
    """Return for each kind whether no chow holds both it and the next one.

    Examples
    --------
    >>> from mjopt.hands.tiles import FULL
    >>> gaps = gaps_of(FULL)
    >>> sum(gaps), gaps[8], gaps[27]
    (10, True, True)
    """
    in_chow = [False] * tiles.num_kinds
    for first in tiles.chow_starts:
        in_chow[first] = in_chow[first + 1] = True
    return tuple(not both for both in in_chow)


def suit_parts(
    tiles: TileSet, held: Sequence[int], wall: Sequence[int], limits: Sequence[tuple[int, int]]
) -> Iterator[SuitPart]:
    """Cut copies per kind into suits, as :func:`suit_ways` reads them."""
    gaps = gaps_of(tiles)
    for part in tiles.slices:
        yield tuple(
            (held[kind], wall[kind], *limits[kind], int(gaps[kind]))
            for kind in range(part.start, part.stop)
        )


@lru_cache(maxsize=KEPT)
def suit_ways(classes: SuitClasses, part: SuitPart) -> SuitWays:
    """Count the draws from one suit of :func:`suit_parts` by the class they lead to.

    Examples
    --------
    >>> from mjopt.answers.draws.classes import suit_classes
    >>> from mjopt.hands.tiles import M0
    >>> classes = suit_classes(frozenset({"standard"}), 1)
    >>> held, wall = [2, 2] + [0] * 25, [0, 0, 3] + [0] * 24
    >>> part, *_ = suit_parts(M0, held, wall, [(0, 4)] * 27)
    >>> counted = suit_ways(classes, part)
    >>> reached = np.flatnonzero(counted.most >= 0)
    >>> [(classes.labels[c], counted.ways[c, :4].tolist()) for c in reached]
    [((0, 0, 0), [1, 0, 0, 0]), ((1, 0, 0), [0, 3, 3, 0])]
    """
    # Numba loads here: whoever only reads a Draws does not need it.
    from mjopt.answers.draws._suit_kernels import CHOICES, WIDTH, suit_kernel

    automaton = classes.automaton
    suit = np.array(part, np.int32).reshape(-1, COPIES + 1)
    ways = np.zeros((classes.num_classes, WIDTH), np.int64)
    suit_kernel(automaton.steps, automaton.wins, classes.after_gap, suit, CHOICES, ways)
    ways.setflags(write=False)
    most = np.where(ways.any(axis=1), WIDTH - 1 - (ways[:, ::-1] != 0).argmax(axis=1), -1)
    return SuitWays(ways, most)
