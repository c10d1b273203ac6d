"""Base class of heuristics in Python: a first state, and a step to the next one."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

import numpy as np

from mjopt.errors import ArgumentError
from mjopt.hands.coerce import HandLike, as_hand
from mjopt.heuristics.counted_problem import CountedProblem, SearchEnded, SearchLog
from mjopt.heuristics.evaluation_count import counted_by
from mjopt.heuristics.parameters import check_parameters, number
from mjopt.heuristics.result import Result
from mjopt.heuristics.stopping import NEVER, Stop

State = TypeVar("State")


@dataclass(frozen=True, slots=True, kw_only=True)
class IterativeHeuristic(ABC, Generic[State]):
    """A heuristic that goes from state to state.

    A subclass is a frozen dataclass with a ``name``. Its fields are its parameters, each with a
    default; ``field(default=3, metadata={"range": (1, 9)})`` or ``{"choices": (...)}`` documents
    the valid values and checks them. It writes ``start`` and ``step``. The problem counts their
    evaluations; history, best value, hits and limits follow from these.

    Parameters
    ----------
    generations
        Steps after the start.

    Examples
    --------
    >>> from mjopt.heuristics import run
    >>> @dataclass(frozen=True, kw_only=True)
    ... class RandomSearch(IterativeHeuristic):
    ...     name: ClassVar[str] = "random-search"
    ...
    ...     def start(self, problem, rng):
    ...         problem.evaluate([0] * problem.num_variables)
    ...         return problem, rng
    ...
    ...     def step(self, state):
    ...         problem, rng = state
    ...         problem.evaluate(rng.uniform(*problem.bounds))
    ...         return state
    >>> result = run(RandomSearch(generations=500), "1123m46p789s11225z", rng=1)
    >>> result.value, result.evaluations, result.generations, len(result.history)
    (3, 501, 500, 501)
    """

    generations: int = number(50, 0, 10_000_000)

    name: ClassVar[str]
    is_random: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Validate the parameters."""
        check_parameters(self)

    @abstractmethod
    def start(self, problem: CountedProblem, rng: np.random.Generator) -> State:
        """Evaluate at least once, and return the first state.

        Parameters
        ----------
        problem
            The hand as a function to minimise, of ``num_variables`` numbers of elements of S.
        rng
            The only source of randomness.
        """

    @abstractmethod
    def step(self, state: State) -> State:
        """Return the next state.

        A step is a generation, with any number of evaluations; one without is not in the history.
        """

    @property
    def num_generations(self) -> int:
        """Most generations after the start."""
        return self.generations

    def search(
        self,
        hand: HandLike,
        *,
        rng: np.random.Generator,
        stop: Stop = NEVER,
        target: int | None = None,
    ) -> Result:
        """Search one hand; see :class:`mjopt.heuristics.Heuristic`."""
        log = SearchLog(stop | Stop(generations=self.generations), target)
        problem = CountedProblem(hand=as_hand(hand), log=log)
        with counted_by(log):
            try:
                if problem.num_elements == 0:
                    log.evaluate_nothing(problem)
                    return log.result(problem)
                state = self.start(problem, rng)
                log.end_generation()
                while log.has_best and log.stopped is None:
                    state = self.step(state)
                    log.end_generation()
            except SearchEnded:
                log.end_generation(is_complete=False)
            if not log.has_best:
                raise ArgumentError(
                    f"{self.name}: start evaluates nothing", expected="at least one evaluation"
                )
            return log.result(problem)
