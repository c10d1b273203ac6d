"""Trivial agents, for tests and as the baseline of leagues."""

from dataclasses import dataclass

import numpy as np

from mjopt.play.game.moves import Move
from mjopt.play.game.observation import View


@dataclass(frozen=True, slots=True)
class FirstLegal:
    """Take the first legal move: win, else kong, else any call, else discard the lowest kind.

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
    """Take a uniformly random legal move, including passes and wins.

    Examples
    --------
    >>> RandomAgent().name
    'random'
    """

    name: str = "random"

    def choose(self, view: View, moves: tuple[Move, ...], *, rng: np.random.Generator) -> Move:
        """Return a random move."""
        return moves[int(rng.integers(len(moves)))]
