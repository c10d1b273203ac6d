"""A problem that counts its evaluations, so that no heuristic counts its own."""

import time
from dataclasses import dataclass, field
from typing import Final, NoReturn

import numpy as np
import numpy.typing as npt

from mjopt._internal.validation import as_floats
from mjopt.errors import ArgumentError
from mjopt.heuristics.problem import Problem
from mjopt.heuristics.result import Result
from mjopt.heuristics.stopping import Stop, StopReason

NO_COST: Final = 100  # above every cost


class SearchEnded(BaseException):  # no Exception, so that no heuristic catches it by accident
    """A limit of the search is met: no further evaluation takes place."""


class SearchLog:
    """The evaluations of one search: their number, the best one, and why they stopped.

    It also records the first evaluation with a cost of ``target`` or less.
    """

    def __init__(self, limits: Stop, target: int | None) -> None:
        self._evaluations = 0
        self._stopped: StopReason | None = None
        self._limits, self._target = limits, target
        self._start = time.perf_counter()
        self._best, self._best_x = NO_COST, np.zeros(0)
        self._history: list[int] = []
        self._hit: tuple[int, int] | None = None
        self._idle = 0  # generations without an evaluation, which are not in the history
        self._seen = 0  # evaluations by the end of the last generation
        self._is_cut = False  # whether the last generation is incomplete

    @property
    def evaluations(self) -> int:
        """Number of evaluations so far."""
        return self._evaluations

    @property
    def has_best(self) -> bool:
        """Whether an argument and its cost are recorded."""
        return self._best < NO_COST

    @property
    def stopped(self) -> StopReason | None:
        """Why the search stops; None while it runs."""
        return self._stopped

    def record(self, x: npt.NDArray[np.float64], cost: int) -> None:
        """Count one evaluation.

        If an earlier evaluation has met a limit, `SearchEnded` is raised and this one is not
        counted.
        """
        self.count(1)
        if cost < self._best:
            self._best, self._best_x = cost, x.copy()
            if self._hit is None and self._target is not None and cost <= self._target:
                self._hit = self.evaluations, len(self._history)
            if self._limits.value is not None and cost <= self._limits.value:
                self._stopped = StopReason.REACHED

    def count(self, number: int) -> None:
        """Count evaluations of the search whose arguments and costs it does not record.

        `SearchEnded` is raised as by :meth:`record`.
        """
        if self._stopped is not None:
            raise SearchEnded
        self._evaluations += number
        limit = self._limits.evaluations
        if limit is not None and self._evaluations >= limit:
            self._stopped = StopReason.EVALUATIONS
        self.check_time()

    def check_time(self) -> None:
        """Stop the search if its time is up."""
        seconds = self._limits.seconds
        is_over = seconds is not None and time.perf_counter() - self._start >= seconds
        if self._stopped is None and is_over:
            self._stopped = StopReason.SECONDS

    def end_generation(self, *, is_complete: bool = True) -> None:
        """Write the best cost into the history; stop after the last generation.

        Without an evaluation there is no generation, but its share of the budget is spent.
        """
        if self._evaluations > self._seen:
            self._history.append(self._best)
            self._is_cut = not is_complete
        else:
            self._idle += 1
        self._seen = self._evaluations
        self.check_time()
        spent = len(self._history) + self._idle - 1
        if self._stopped is None and spent == self._limits.generations:
            self._stopped = StopReason.GENERATIONS

    def evaluate_nothing(self, problem: Problem) -> None:
        """Evaluate the only predecomposition of a hand without melds and pmelds, and stop."""
        problem.evaluate([0] * problem.num_variables)
        if self._stopped is not StopReason.REACHED:
            self._stopped = StopReason.EMPTY
        self.end_generation()

    def result(self, problem: Problem, stopped: StopReason | None = None) -> Result:
        """Return the result of the search; ``stopped`` replaces the reason why it stopped."""
        stopped = stopped or self._stopped
        assert stopped is not None
        hit_evaluations, hit_generation = self._hit or (None, None)
        return Result(
            value=self._best,
            predecomposition=problem.decode(self._best_x),
            evaluations=self.evaluations,
            generations=max(len(self._history) - 1 - self._is_cut, 0),
            history=tuple(self._history),
            stopped=stopped,
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

    @property
    def optimum(self) -> NoReturn:
        """Not known to a search, whose result is compared with it."""
        raise AttributeError("optimum: a search does not know it")

    def evaluate(self, x: "npt.ArrayLike") -> int:
        """Return the cost of an argument in tile changes; see :meth:`Problem.evaluate`."""
        return int(self.evaluate_batch(as_floats(x, "argument", ArgumentError)[None])[0])

    def evaluate_batch(self, xs: "npt.ArrayLike") -> "npt.NDArray[np.int64]":
        """Return the costs of many arguments in order; see :meth:`Problem.evaluate_batch`.

        The search ends within the batch if a limit is met before its last argument.
        """
        rows = as_floats(xs, "arguments", ArgumentError).copy()
        costs = self._costs(rows)
        for x, cost in zip(rows, costs.tolist(), strict=True):
            self.log.record(x, cost)
        return costs
