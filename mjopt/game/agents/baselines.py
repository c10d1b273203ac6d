"""Agents that think nothing: for tests, and as the floor of every league."""

from dataclasses import dataclass

import numpy as np

from mjopt.game.moves import Move
from mjopt.game.observation import View


@dataclass(frozen=True, slots=True)
class FirstLegal:
    """Take the first legal move: win, else kong, else discard the lowest kind; call all.

    Examples
    --------
    >>> FirstLegal().name
    'first'
    """

    name: str = "first"

    def choose(self, view: View, moves: tuple[Move, ...], *, rng: np.random.Generator) -> Move:
        """Return the first move."""
        return moves[0]


@dataclass(frozen=True, slots=True)
class RandomAgent:
    """Take any legal move, each as likely as the others: a pass or a win too.

    Examples
    --------
    >>> RandomAgent().name
    'random'
    """

    name: str = "random"

    def choose(self, view: View, moves: tuple[Move, ...], *, rng: np.random.Generator) -> Move:
        """Return a move drawn from ``rng``."""
        return moves[int(rng.integers(len(moves)))]
