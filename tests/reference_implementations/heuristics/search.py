"""Population methods without kernels: each step as documented, a hundred times slower.

The kernels must match this exactly: same stream, same value, same history. It also accepts
a scripted generator, and is useful to try a new method.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import TypeVar

from mjopt.hands.hand import Hand
from mjopt.heuristics.encoding import Encoding, evaluate
from mjopt.heuristics.population import PopulationMethod
from mjopt.heuristics.repair import make_feasible
from mjopt.heuristics.result import Result
from mjopt.heuristics.seeding import Rng
from mjopt.heuristics.stopping import NEVER, Stop, StopReason

P = TypeVar("P")

Judged = tuple[tuple[int, ...], int]
"""A repaired individual and its cost."""


class _StopSearchError(Exception):
    """The search ended before this evaluation."""


@dataclass(slots=True)
class PlainSearch:
    """State of a running search: the hand, the random stream and the best result.

    Attributes
    ----------
    encoding
        The hand and its set S.
    best
        The best individual so far and its cost.
    """

    method: PopulationMethod
    encoding: Encoding
    rng: Rng
    stop: Stop
    target: int | None
    best: Judged = ((), 100)
    evaluations: int = 0
    generation: int = 0
    hit: tuple[int, int] | None = None
    stopped: StopReason | None = None
    history: list[int] = field(default_factory=list)

    def integer(self, number: int) -> int:
        """Draw one of ``0..number - 1``."""
        return int(self.rng.random() * number)

    def element(self) -> int:
        """Draw an element of S, ``1..NS``."""
        return 1 + self.integer(self.encoding.num_elements)

    def clip(self, number: float) -> int:
        """Round, then clip to ``1..NS``."""
        return min(max(round(number), 1), self.encoding.num_elements)

    def judge(self, chosen: Sequence[int]) -> Judged:
        """Repair, evaluate and record an individual; raise if the search is over."""
        if self.stopped is not None:
            raise _StopSearchError
        method = self.method
        kept = make_feasible(chosen, self.encoding, rule=method.repair, rng=self.rng)
        cost = evaluate(
            kept,
            self.encoding,
            special_case_1=method.special_case_1,
            special_case_2=method.special_case_2,
        )
        self.evaluations += 1
        if cost < self.best[1]:
            self.best = kept, cost
            if self.hit is None and self.target is not None and cost <= self.target:
                self.hit = self.evaluations, self.generation
            if self.stop.value is not None and cost <= self.stop.value:
                self.stopped = StopReason.REACHED
        if self.evaluations == self.stop.evaluations and self.stopped is None:
            self.stopped = StopReason.EVALUATIONS
        return kept, cost

    def initial_population(self) -> list[Judged]:
        """Draw individuals uniformly over ``1..NS`` (Eq. 6), and evaluate them."""
        positions = range(self.encoding.num_positions)
        return [
            self.judge([self.element() for _ in positions]) for _ in range(self.method.population)
        ]


def search_plainly(
    method: PopulationMethod,
    hand: Hand,
    *,
    rng: Rng,
    first: Callable[[PlainSearch], P],
    generation: Callable[[PlainSearch, P], P],
    stop: Stop = NEVER,
    target: int | None = None,
) -> Result:
    """Search a hand with the two functions of a method.

    Parameters
    ----------
    method
        The parameters.
    hand
        The hand.
    rng
        Source of randomness.
    first
        Returns the initial population.
    generation
        Returns the next population.
    stop, target
        As in :meth:`mjopt.heuristics.Heuristic.search`.

    Returns
    -------
    Result
        The result of ``method.search`` for the same stream.
    """
    began = perf_counter()
    stop = stop | Stop(generations=method.num_generations, evaluations=method.max_evaluations)
    search = PlainSearch(method, Encoding(hand, method.order), rng, stop, target)
    completed = 0
    try:
        if search.encoding.num_elements:
            population = first(search)
        else:
            search.judge([0] * search.encoding.num_positions)
            search.stopped = _empty_unless_reached(search.stopped)
        search.history.append(search.best[1])
        while search.stopped is None and search.generation < (stop.generations or 0):
            if stop.seconds is not None and perf_counter() - began >= stop.seconds:
                search.stopped = StopReason.SECONDS
                break
            search.generation += 1
            population = generation(search, population)
            search.history.append(search.best[1])
            completed += 1
    except _StopSearchError:
        search.history.append(search.best[1])
    return _result(search, completed)


def _empty_unless_reached(stopped: StopReason | None) -> StopReason:
    return StopReason.REACHED if stopped is StopReason.REACHED else StopReason.EMPTY


def _result(search: PlainSearch, completed: int) -> Result:
    evaluations, generation = search.hit or (None, None)
    return Result(
        value=search.history[-1],
        predecomposition=search.encoding.decode(search.best[0]),
        evaluations=search.evaluations,
        generations=completed,
        history=tuple(search.history),
        stopped=search.stopped or StopReason.GENERATIONS,
        hit_evaluations=evaluations,
        hit_generation=generation,
        special_case_1=search.method.special_case_1,
        special_case_2=search.method.special_case_2,
    )
