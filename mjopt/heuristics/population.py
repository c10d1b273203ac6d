"""What every population method is: its common parameters, and how its kernels are driven."""

import time
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, fields
from functools import cache
from pkgutil import resolve_name
from typing import Any, ClassVar, Final, NoReturn

import numpy as np
import numpy.typing as npt

from mjopt._internal.as_code import call, unusual
from mjopt._internal.jit import way_of
from mjopt._internal.validation import as_rng, told
from mjopt.errors import HeuristicError
from mjopt.hands.coerce import HandLike, as_hand
from mjopt.hands.tiles import TileSet
from mjopt.heuristics.encoding import ORDERS, Encoding
from mjopt.heuristics.repair import REPAIRS, rule_code
from mjopt.heuristics.result import Batch, Result
from mjopt.heuristics.stopping import NEVER, Stop, StopReason

EMPTIES: Final = ("redraw", "redraw-all")
"""What a position that should move becomes where something is empty: its own emptiness
is redrawn and what is missing elsewhere does not pull; or, as in Eq. 9 of NDDE, the
result is drawn anew whichever of them is empty."""


_PLAIN_SECONDS: Final = 6e-5  # an evaluation, nothing compiled
_AT_ONCE: Final = 64  # generations: between them a search can be interrupted
_NO_KEYS: Final = (np.zeros((0, 3), np.uint64), np.zeros(0, np.int8))  # and no targets

YES_OR_NO: Final = (True, False)
MOST_INDIVIDUALS: Final = 10_000


def number(default: float | None, low: float, high: float) -> Any:
    """Declare a parameter in ``low..high``; None is allowed where it is the default."""
    return field(default=default, metadata={"range": (low, high)})


def choice(default: Any, choices: tuple[Any, ...]) -> Any:
    """Declare a parameter that is one of some choices."""
    return field(default=default, metadata={"choices": choices})


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
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

    population: int = number(20, 1, MOST_INDIVIDUALS)
    generations: int = number(50, 0, 10_000_000)
    strict_generations: bool = choice(False, YES_OR_NO)
    max_evaluations: int | None = number(None, 1, 2**31 - 1)
    order: str = choice("by-kind", ORDERS)
    repair: str = choice("pmelds-first-at-random", tuple(REPAIRS))
    special_case_1: bool = choice(True, YES_OR_NO)
    special_case_2: bool = choice(True, YES_OR_NO)

    name: ClassVar[str]
    kernels: ClassVar[str]  # where its kernels are in this package, module:name
    is_random: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Refuse parameters out of their range."""
        for parameter in fields(self):
            value = getattr(self, parameter.name)
            if "choices" in parameter.metadata:
                choices = parameter.metadata["choices"]
                if value not in choices:
                    self._refuse(parameter.name, f"one of {', '.join(map(str, choices))}")
            elif value is not None or parameter.default is not None:
                low, high = parameter.metadata["range"]
                if not _is_between(value, low, high):
                    whole = "a whole number " if isinstance(low, int) else ""
                    self._refuse(parameter.name, f"{whole}{low} to {high}")

    def _refuse(self, parameter: str, expected: str) -> NoReturn:
        value = told(repr(getattr(self, parameter)))
        raise HeuristicError(f"{self.name}: {parameter} = {value}, expected {expected}")

    def __repr__(self) -> str:
        return call(type(self).__name__, **unusual(self))

    @property
    def num_generations(self) -> int:
        """Most generations after the initial population."""
        return self.generations + (not self.strict_generations)

    def search(
        self,
        hand: HandLike,
        *,
        rng: int | np.random.Generator,
        stop: Stop = NEVER,
        target: int | None = None,
    ) -> Result:
        """Search one hand; see :class:`mjopt.heuristics.Heuristic`."""
        from mjopt.heuristics import _population_kernels as at
        from mjopt.heuristics._rng import plain_source_of, source_of

        hand, rng = as_hand(hand), as_rng(rng)
        began = time.perf_counter()
        encoding = Encoding(hand, self.order)
        limits = stop | Stop(generations=self.num_generations, evaluations=self.max_evaluations)
        last, until = limits.generations or 0, 0
        progress = at.new_progress(
            max_evaluations=limits.evaluations, target=target, stop_value=stop.value
        )
        history = np.zeros((1, last + 1), np.int8)
        rows = (np.array([hand.counts], np.uint8), chow_starts(hand.tiles), *_NO_KEYS, False)
        compiled = _find_kernels(self.kernels).search_rows
        search_rows = self._way(compiled, 1)
        is_compiled = search_rows is compiled
        source = source_of(rng) if is_compiled else plain_source_of(rng)
        rest = (*self._arguments(hand.called), progress, source)
        found = Batch.empty(1)
        # The plain way draws through the generator, which locks itself: before NumPy 2.3 not twice.
        with rng.bit_generator.lock if is_compiled else nullcontext():
            while True:
                search_rows(*rows, until, *rest, _columns(found, history[:, : until + 1]))
                if progress[at.STOPPED] or until == last:
                    break
                if stop.seconds is not None and time.perf_counter() - began >= stop.seconds:
                    progress[at.STOPPED] = StopReason.SECONDS
                    break
                until = min(last, until + (_AT_ONCE if stop.seconds is None else 1))
        hit = int(progress[at.HIT_EVALUATIONS])
        return self.result(
            encoding,
            chosen=progress[at.BEST_CHOICE :].tolist(),
            evaluations=int(progress[at.EVALUATIONS]),
            generations=int(progress[at.COMPLETED]),
            history=history[0, : progress[at.GENERATION] + 1].tolist(),
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
        from mjopt.heuristics._population_kernels import new_progress

        batch = Batch.empty(len(counts), num_generations=self.num_generations if history else None)
        kept = np.zeros((0, 0), np.int8) if batch.history is None else batch.history
        search_rows = self._way(_find_kernels(self.kernels).search_rows, len(counts))
        with np.errstate(over="ignore"):  # a stream's numbers do overflow
            search_rows(
                counts,
                chow_starts(tiles),
                keys,
                _NO_KEYS[1] if targets is None else targets,
                stop_at_target,
                self.num_generations,
                *self._arguments(called),
                new_progress(max_evaluations=self.max_evaluations),
                np.zeros(6, np.uint64),
                _columns(batch, kept),
            )
        return batch

    def _way(self, search_rows: Any, hands: int) -> Any:
        """Return how to search so many hands: compiled, unless they are few."""
        searched = hands * self.population * (self.num_generations + 1)
        return way_of(search_rows, _PLAIN_SECONDS * searched)

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

    def _arguments(self, called: int) -> tuple[Any, ...]:
        """Return what the kernels take of the method: state, knobs, rates, problem.

        Knobs are the method's own choices by number, rates its own numbers, both as its
        class lists them.
        """
        from mjopt.heuristics._candidates import new_problem

        problem = new_problem(
            called=called,
            by_tile=self.order == "by-tile",
            rule=rule_code(self.repair),
            special_case_1=self.special_case_1,
            special_case_2=self.special_case_2,
        )
        shared = {parameter.name for parameter in fields(PopulationMethod)}
        knobs, rates = [], []
        for parameter in fields(self):
            value = getattr(self, parameter.name)
            choices = parameter.metadata.get("choices")
            if parameter.name in shared:
                continue
            if choices is None:
                rates.append(value)
            else:
                knobs.append(value if choices is YES_OR_NO else choices.index(value))
        state = _find_kernels(self.kernels).new_state(self.population)
        return state, np.array(knobs, np.int64), np.array(rates, np.float64), problem


def _columns(batch: Batch, history: npt.NDArray[np.int8]) -> Any:
    """Return what a kernel writes to."""
    from mjopt.heuristics._population_kernels import Found

    return Found._make([*(getattr(batch, column) for column in Found._fields[:-1]), history])


@cache
def _find_kernels(place: str) -> Any:
    """Return the kernels of a method."""
    return resolve_name(f"mjopt.heuristics.{place}")


def _is_between(value: Any, low: float, high: float) -> bool:
    """Return whether a value is a number in a range, and whole if the range's ends are."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return low <= value <= high and (isinstance(low, float) or value == int(value))


def chow_starts(tiles: TileSet) -> npt.NDArray[np.uint8]:
    """Return 1 where a chow begins, shape ``(K + 2,)``: two kinds more, as kernels look ahead."""
    begins = np.zeros(tiles.num_kinds + 2, np.uint8)
    begins[list(tiles.chow_starts)] = 1
    return begins
