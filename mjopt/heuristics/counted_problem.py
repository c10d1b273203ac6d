"""A problem that counts its evaluations, so that no heuristic counts its own."""

import time
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from mjopt.heuristics.problem import Problem
from mjopt.heuristics.result import Result
from mjopt.heuristics.stopping import Stop, StopReason

NO_COST: Final = 100  # above every cost


class SearchEnded(BaseException):  # no Exception, so that no heuristic catches it by accident
    """A limit of the search is met: no further evaluation takes place."""


class SearchLog:
    """The evaluations of one search: their number, the best one, and why they stopped.

    Parameters
    ----------
    limits
        When the search stops.
    target
        Record the first evaluation with this cost or less.
    """

    def __init__(self, limits: Stop, target: int | None) -> None:
        self.evaluations = 0
        self.stopped: StopReason | None = None
        self._limits, self._target = limits, target
        self._start = time.perf_counter()
        self._best, self._best_x = NO_COST, np.zeros(0)
        self._history: list[int] = []
        self._hit: tuple[int, int] | None = None
        self._is_cut = False  # whether the last generation is incomplete

    def record(self, x: npt.NDArray[np.float64], cost: int) -> None:
        """Count one evaluation.

        Raises
        ------
        SearchEnded
            If an earlier evaluation has met a limit; this one is then not counted.
        """
        if self.stopped is not None:
            raise SearchEnded
        self.evaluations += 1
        if cost < self._best:
            self._best, self._best_x = cost, x.copy()
            if self._hit is None and self._target is not None and cost <= self._target:
                self._hit = self.evaluations, len(self._history)
            if self._limits.value is not None and cost <= self._limits.value:
                self.stopped = StopReason.REACHED
        if self.stopped is None and self.evaluations == self._limits.evaluations:
            self.stopped = StopReason.EVALUATIONS
        self.check_time()

    def check_time(self) -> None:
        """Stop the search if its time is up."""
        seconds = self._limits.seconds
        is_over = seconds is not None and time.perf_counter() - self._start >= seconds
        if self.stopped is None and is_over:
            self.stopped = StopReason.SECONDS

    def end_generation(self, *, is_complete: bool = True) -> None:
        """Write the best cost into the history; stop after the last generation."""
        self._history.append(self._best)
        self._is_cut = not is_complete
        self.check_time()
        if self.stopped is None and len(self._history) - 1 == self._limits.generations:
            self.stopped = StopReason.GENERATIONS

    def evaluate_nothing(self, problem: Problem) -> None:
        """Evaluate the only predecomposition of a hand without melds and pmelds, and stop."""
        problem.evaluate([0] * problem.num_variables)
        if self.stopped is not StopReason.REACHED:
            self.stopped = StopReason.EMPTY
        self.end_generation()

    def result(self, problem: Problem) -> Result:
        """Return the result of the search."""
        assert self.stopped is not None
        hit_evaluations, hit_generation = self._hit or (None, None)
        return Result(
            value=self._best,
            predecomposition=problem.decode(self._best_x),
            evaluations=self.evaluations,
            generations=max(len(self._history) - 1 - self._is_cut, 0),
            history=tuple(self._history),
            stopped=self.stopped,
            hit_evaluations=hit_evaluations,
            hit_generation=hit_generation,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedProblem(Problem):
    """The cost of a hand as a function to minimise; every evaluation is counted and limited.

    A search gets it from :func:`mjopt.heuristics.run`. When a limit of the search is met, the next
    evaluation ends the search.

    Examples
    --------
    >>> from mjopt import Hand
    >>> from mjopt.heuristics import NEVER
    >>> hand = Hand.parse("1123m46p789s11225z")
    >>> counted = CountedProblem(hand=hand, log=SearchLog(NEVER, None))
    >>> counted.evaluate([0] * 5), counted.evaluate([1, 2, 3, 4, 5]), counted.evaluations
    (9, 6, 2)
    """

    log: SearchLog = field(repr=False, compare=False)

    @property
    def evaluations(self) -> int:
        """Number of evaluations so far."""
        return self.log.evaluations

    def evaluate(self, x: npt.ArrayLike) -> int:
        """Return the cost of an argument in tile changes; see :meth:`Problem.evaluate`."""
        return int(self.evaluate_batch(np.asarray(x, np.float64)[None])[0])

    def evaluate_batch(self, xs: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """Return the costs of many arguments in order; see :meth:`Problem.evaluate_batch`.

        The search ends within the batch if a limit is met before its last argument.
        """
        rows = np.array(xs, np.float64)
        costs = Problem.evaluate_batch(self, rows)
        for x, cost in zip(rows, costs.tolist(), strict=True):
            self.log.record(x, cost)
        return costs
