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
    """A method that searches for a cheap predecomposition of a hand.

    An instance holds parameters only, so it can search any number of hands. Classes are frozen
    dataclasses with a default for every parameter; a parameter out of range raises
    ``ArgumentError``.

    Examples
    --------
    >>> from mjopt.heuristics import HEURISTICS
    >>> ndde = HEURISTICS["ndde"](population=10)
    >>> ndde.name, ndde.is_random, ndde.num_generations
    ('ndde', True, 51)
    """

    name: ClassVar[str]
    """Name in the registry and on the command line."""

    is_random: ClassVar[bool]
    """Whether the method is randomised; otherwise every run has the same result."""

    @property
    def num_generations(self) -> int:
        """Most generations after the initial population; a history has one entry more."""

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
            Limits in addition to the method's own budget; ``NEVER`` for none.
        target
            Record when the best cost is first at most this. The target and ``stop.value`` must not
            influence the search, except that it records them and stops.
        """


@runtime_checkable
class BatchHeuristic(Heuristic, Protocol):
    """A heuristic that can also search many hands in one call.

    Examples
    --------
    >>> from mjopt.heuristics import HEURISTICS, BatchHeuristic
    >>> isinstance(HEURISTICS["ndde"](), BatchHeuristic)
    True
    """

    def search_batch(
        self,
        counts: "npt.NDArray[np.uint8]",
        *,
        keys: "npt.NDArray[np.uint64]",
        targets: "npt.NDArray[np.int8] | None",
        stop_at_target: bool,
        history: bool,
        tiles: TileSet,
        called: int,
    ) -> Batch:
        """Search every row as :meth:`search` does with the random stream of that row.

        Parameters
        ----------
        counts
            Shape ``(N, K)``, validated.
        keys
            Keys of the random streams, shape ``(N, 3)``, as returned by ``stream_keys``.
        targets
            Shape ``(N,)``, or None.
        stop_at_target
            Whether reaching the target stops a search.
        history
            Whether to record the best value after each generation.
        tiles, called
            Shared by all hands.
        """
