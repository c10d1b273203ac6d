"""Protocols of a heuristic: a named method that searches one hand, or a batch."""

from typing import ClassVar, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from mjopt.hands.hand import Hand
from mjopt.hands.tiles import TileSet
from mjopt.heuristics.result import Batch, Result
from mjopt.heuristics.stopping import Stop


@runtime_checkable
class Heuristic(Protocol):
    """A method that looks for a cheap predecomposition of a hand.

    An instance holds its parameters and nothing else, so one instance serves any
    number of hands. Classes are frozen dataclasses with a default for every
    parameter; a parameter out of its range raises ``HeuristicError``.
    """

    name: ClassVar[str]
    """As it is called in the registry and on the command line."""

    is_random: ClassVar[bool]
    """Whether it draws numbers at all: a second run of one that does not is the first."""

    @property
    def num_generations(self) -> int:
        """Most generations after the initial population: a history has one entry more."""

    def search(
        self, hand: Hand, *, rng: np.random.Generator, stop: Stop, target: int | None = None
    ) -> Result:
        """Search one hand.

        Parameters
        ----------
        hand
            The hand.
        rng
            Source of randomness.
        stop
            Limits beside the method's own budget; ``NEVER`` for none.
        target
            Note when the best cost is first at most this. The search itself must not
            look at it, nor at ``stop.value``, but to note it and to stop.
        """


@runtime_checkable
class BatchHeuristic(Heuristic, Protocol):
    """A heuristic that can also search many hands in one call."""

    def search_batch(
        self,
        counts: npt.NDArray[np.uint8],
        *,
        keys: npt.NDArray[np.uint64],
        targets: npt.NDArray[np.int8] | None,
        stop_at_target: bool,
        history: bool,
        tiles: TileSet,
        called: int,
    ) -> Batch:
        """Search every row as :meth:`search` would with that row's stream.

        Parameters
        ----------
        counts
            Shape ``(N, K)``, checked.
        keys
            The streams' keys, shape ``(N, 3)``, as ``stream_keys`` returns them.
        targets
            Shape ``(N,)``, or None.
        stop_at_target
            Whether reaching the target stops a search.
        history
            Whether to keep the best value after each generation.
        tiles, called
            Of all the hands.
        """
