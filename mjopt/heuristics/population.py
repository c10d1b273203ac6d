"""What every population method is: its common parameters, and how its kernels are driven."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from mjopt.errors import HeuristicError
from mjopt.hands.hand import Hand
from mjopt.hands.tiles import TileSet
from mjopt.heuristics.encoding import ORDERS, Encoding
from mjopt.heuristics.repair import REPAIRS, rule_code
from mjopt.heuristics.result import Batch, Result
from mjopt.heuristics.stopping import NEVER, Stop, StopReason

EMPTIES: Final = ("redraw", "redraw-all")
"""What a position that should move becomes where something is empty: its own emptiness
is redrawn and what is missing elsewhere does not pull; or, as in Eq. 9 of NDDE, the
result is drawn anew whichever of them is empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PopulationMethod:
    """A method that improves a population of individuals, generation by generation.

    Parameters
    ----------
    population
        Individuals, NP.
    generations
        Gmax. The loop of the paper's Algorithm 1 runs while g <= Gmax from g = 0, so
        there are ``Gmax + 1`` generations after the initial population.
    strict_generations
        Exactly Gmax generations instead.
    max_evaluations
        A budget of fitness evaluations beside that, or None.
    order
        How S is listed; one of ``ORDERS``.
    repair
        One of ``REPAIRS``.
    special_case_1, special_case_2
        Whether the cost has the paper's two special cases.
    """

    population: int = 20
    generations: int = 50
    strict_generations: bool = False
    max_evaluations: int | None = None
    order: str = "by-kind"
    repair: str = "pmelds-first"
    special_case_1: bool = True
    special_case_2: bool = True

    name: ClassVar[str]
    is_random: ClassVar[bool] = True
    least_population: ClassVar[int] = 1

    def __post_init__(self) -> None:
        """Refuse parameters out of their range."""
        check_range(self, "population", self.least_population, 10_000)
        check_range(self, "generations", 0, 10_000_000)
        if self.max_evaluations is not None:
            check_range(self, "max_evaluations", 1, 2**31 - 1)
        check_choice(self, "order", ORDERS)
        check_choice(self, "repair", tuple(REPAIRS))
        for parameter in ("strict_generations", "special_case_1", "special_case_2"):
            check_choice(self, parameter, (True, False))

    @property
    def num_generations(self) -> int:
        """Most generations after the initial population."""
        return self.generations + (not self.strict_generations)

    def search(
        self,
        hand: Hand,
        *,
        rng: np.random.Generator,
        stop: Stop = NEVER,
        target: int | None = None,
    ) -> Result:
        """Search one hand; see :class:`mjopt.heuristics.Heuristic`."""
        # numba takes a while to load.
        from mjopt.heuristics import _progress as at
        from mjopt.heuristics._draws import source_of
        from mjopt.heuristics._population import open_search

        began = time.perf_counter()
        encoding = Encoding(hand, self.order)
        problem = self._problem(hand.called)
        progress = at.new_progress(max_evaluations=_least(self.max_evaluations, stop.evaluations))
        at.begin(progress, _or_no_target(target), _or_no_target(stop.value))
        budget = self.num_generations
        if stop.generations is not None:
            budget = min(budget, stop.generations)
        arguments = (*self._state(), problem, progress, source_of(rng))
        with rng.bit_generator.lock:
            open_search(
                np.array(hand.counts, np.uint8),
                chow_starts(hand.tiles),
                problem,
                progress,
                arguments[-1],
            )
            if not progress[at.STOPPED]:
                self._kernels().first(*arguments)
            history = [int(progress[at.BEST])]
            while not progress[at.STOPPED] and len(history) <= budget:
                if stop.seconds is not None and time.perf_counter() - began >= stop.seconds:
                    progress[at.STOPPED] = StopReason.SECONDS
                    break
                self._kernels().generation(*arguments)
                history.append(int(progress[at.BEST]))
        hit = int(progress[at.HIT_EVALUATIONS])
        return self.result(
            encoding,
            chosen=progress[at.BEST_CHOICE :].tolist(),
            evaluations=int(progress[at.EVALUATIONS]),
            generations=int(progress[at.COMPLETED]),
            history=history,
            stopped=StopReason(progress[at.STOPPED] or StopReason.GENERATIONS),
            hit_evaluations=None if hit < 0 else hit,
            hit_generation=None if hit < 0 else int(progress[at.HIT_GENERATION]),
        )

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
        """Search every row; see :class:`mjopt.heuristics.BatchHeuristic`."""
        from mjopt.heuristics._population import Found
        from mjopt.heuristics._progress import new_progress

        batch = Batch.empty(len(counts), num_generations=self.num_generations if history else None)
        kept = np.zeros((0, 0), np.int8) if batch.history is None else batch.history
        self._kernels().batch(
            counts,
            chow_starts(tiles),
            keys,
            np.zeros(0, np.int8) if targets is None else targets,
            stop_at_target,
            self.num_generations,
            *self._state(),
            self._problem(called),
            new_progress(max_evaluations=self.max_evaluations),
            np.zeros(6, np.uint64),
            Found(
                batch.value,
                batch.evaluations,
                batch.generations,
                batch.hit_evaluations,
                batch.hit_generation,
                batch.stopped,
                kept,
            ),
        )
        return batch

    def result(
        self, encoding: Encoding, *, chosen: Sequence[int], history: Sequence[int], **rest: Any
    ) -> Result:
        """Return what a search of this method found."""
        return Result(
            value=history[-1],
            predecomposition=encoding.decode(chosen),
            history=tuple(history),
            special_case_1=self.special_case_1,
            special_case_2=self.special_case_2,
            **rest,
        )

    def _problem(self, called: int) -> Any:
        from mjopt.heuristics._elements import new_problem

        return new_problem(
            called=called,
            by_tile=self.order == "by-tile",
            rule=rule_code(self.repair),
            special_case_1=self.special_case_1,
            special_case_2=self.special_case_2,
        )

    def _kernels(self) -> Any:
        """Return the module that holds ``first``, ``generation`` and ``batch``."""
        raise NotImplementedError  # every method in the registry has its own

    def _state(self) -> tuple[Any, ...]:
        """Return what those kernels take before the problem: state, knobs, rates."""
        raise NotImplementedError  # likewise: this class is only what the methods share


def check_range(record: Any, parameter: str, low: float, high: float) -> None:
    """Refuse a parameter outside ``low..high``, or of another sort than its default."""
    value = getattr(record, parameter)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or (isinstance(low, int) and value != int(value)) or not low <= value <= high:
        raise HeuristicError(
            f"{record.name}: {parameter} = {value!r}, expected "
            f"{'a whole number ' if isinstance(low, int) else ''}{low} to {high}"
        )


def check_choice(record: Any, parameter: str, choices: Sequence[Any]) -> None:
    """Refuse a parameter that is none of the choices."""
    value = getattr(record, parameter)
    if value not in choices:
        known = ", ".join(map(str, choices))
        raise HeuristicError(f"{record.name}: {parameter} = {value!r}, expected one of {known}")


def chow_starts(tiles: TileSet) -> npt.NDArray[np.uint8]:
    """Return 1 where a chow begins, shape ``(K + 2,)``: two kinds more, as kernels look ahead."""
    begins = np.zeros(tiles.num_kinds + 2, np.uint8)
    begins[list(tiles.chow_starts)] = 1
    return begins


def _least(a: int | None, b: int | None) -> int | None:
    return b if a is None else a if b is None else min(a, b)


def _or_no_target(value: int | None) -> int:
    return -100 if value is None else value
