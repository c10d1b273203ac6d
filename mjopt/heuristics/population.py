"""Base class of population methods: shared parameters and kernel calls."""

import time
from collections.abc import Callable
from dataclasses import Field, dataclass, fields
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mjopt._internal.jit import Kernel, in_python
from mjopt._internal.validation import as_rng
from mjopt.hands.coerce import HandLike, as_hand
from mjopt.hands.tiles import TileSet
from mjopt.heuristics import _population_kernels as at
from mjopt.heuristics._candidates import new_problem
from mjopt.heuristics._random_streams import Streams
from mjopt.heuristics.encoding import ORDERS, Encoding
from mjopt.heuristics.evaluation_count import count_evaluations
from mjopt.heuristics.parameters import YES_OR_NO, check_parameters, choice, number
from mjopt.heuristics.repair import REPAIRS, rule_code
from mjopt.heuristics.result import Batch, Result
from mjopt.heuristics.seeding import set_words, stream_states, words_of
from mjopt.heuristics.stopping import NEVER, Stop, StopReason

EMPTIES: Final = ("redraw", "redraw-all")
"""How an empty position takes part in a move. ``redraw``: an empty position of the individual is
redrawn, and empty positions of the others have no pull. ``redraw-all``: as in Eq. 9 of NDDE, the
result is redrawn if any of them is empty."""

MOST_INDIVIDUALS: Final = 10_000
PART: Final = 1 << 12  # hands of a batch whose problems, 1.3 kB each, are in memory together


class Kernels(NamedTuple):
    """The kernel of a method and its arguments."""

    params: Any  # named tuple of the parameters that the kernel takes
    new_state: Callable[[int], NamedTuple]  # allocates the state for a population size
    search: Kernel[at.Searches, None]


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
        Limit on fitness evaluations, in addition to the generations, or None.
    order
        How S is listed; one of ``ORDERS``.
    repair
        One of ``REPAIRS``.
    special_case_1, special_case_2
        Whether the cost has the paper's two special cases.

    Examples
    --------
    >>> from mjopt.heuristics import GA
    >>> issubclass(GA, PopulationMethod), GA().kernels.params.__name__
    (True, 'GAParams')
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
    kernels: ClassVar[Kernels]
    is_random: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Validate the parameters."""
        check_parameters(self)

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
        hand, rng = as_hand(hand), as_rng(rng)
        encoding = Encoding(hand, self.order)
        limits = stop | Stop(generations=self.num_generations, evaluations=self.max_evaluations)
        last = limits.generations or 0
        history = np.zeros((1, last + 1), np.int8)
        progress = at.new_progress(
            max_evaluations=limits.evaluations, target=target, stop_value=stop.value
        )
        problems = self._problems(1, hand.called)
        counts = np.array([hand.counts], np.uint8)
        words, until = words_of(rng) if self.kernels.search.serves_one() else None, 0
        list_problems = in_python(at.list_problems) if words is None else at.list_problems
        search = in_python(self.kernels.search) if words is None else self.kernels.search
        list_problems(counts, chow_starts(hand.tiles), problems)
        streams = [rng] if words is None else words[None]
        args = self._arguments(problems, streams, progress[None], history)
        if words is not None:
            self.kernels.search.load(args)  # before the time of the search begins
        start_time = time.perf_counter()
        while True:
            search(args._replace(last=until))
            if words is not None:
                words[:] = args.work["stream"]
            if progress[at.STOPPED] or until == last:
                break
            if stop.seconds is not None and time.perf_counter() - start_time >= stop.seconds:
                progress[at.STOPPED] = StopReason.SECONDS
                break
            until = last if stop.seconds is None else until + 1
        if words is not None:
            set_words(rng, words)
        count_evaluations(int(progress[at.EVALUATIONS]))
        hit = int(progress[at.HIT_EVALUATIONS])
        values = history[0, : progress[at.GENERATION] + 1].tolist()
        return Result(
            value=values[-1],
            predecomposition=encoding.decode(progress[at.BEST_CHOICE :].tolist()),
            evaluations=int(progress[at.EVALUATIONS]),
            generations=int(progress[at.COMPLETED]),
            history=tuple(values),
            stopped=StopReason(progress[at.STOPPED] or StopReason.GENERATIONS),
            hit_evaluations=None if hit < 0 else hit,
            hit_generation=None if hit < 0 else int(progress[at.HIT_GENERATION]),
            special_case_1=self.special_case_1,
            special_case_2=self.special_case_2,
        )

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
        """Search every row; see :class:`mjopt.heuristics.BatchHeuristic`."""
        batch = Batch.empty(len(counts), num_generations=self.num_generations if history else None)
        progress = at.new_progress(max_evaluations=self.max_evaluations)
        progresses = np.repeat(progress[None], len(counts), axis=0)
        if targets is not None:
            progresses[:, at.TARGET] = targets
            if stop_at_target:
                progresses[:, at.STOP_VALUE] = targets
        histories = np.zeros((len(counts), 0), np.int8) if batch.history is None else batch.history
        streams = stream_states(keys)
        for start in range(0, len(counts), PART):
            part = slice(start, start + PART)
            problems = self._problems(len(counts[part]), called)
            at.list_problems(counts[part], chow_starts(tiles), problems)
            self.kernels.search(
                self._arguments(problems, streams[part], progresses[part], histories[part])
            )
        count_evaluations(int(progresses[:, at.EVALUATIONS].sum()))
        batch.value[:] = progresses[:, at.BEST]
        batch.evaluations[:] = progresses[:, at.EVALUATIONS]
        batch.generations[:] = progresses[:, at.COMPLETED]
        batch.hit_evaluations[:] = progresses[:, at.HIT_EVALUATIONS]
        batch.hit_generation[:] = progresses[:, at.HIT_GENERATION]
        batch.stopped[:] = progresses[:, at.STOPPED]
        batch.stopped[batch.stopped == 0] = StopReason.GENERATIONS
        if batch.history is not None:  # constant after a stop
            later = np.arange(batch.history.shape[1]) > batch.generations[:, None]
            batch.history[later] = np.broadcast_to(batch.value[:, None], later.shape)[later]
        return batch

    def _problems(self, number: int, called: int) -> npt.NDArray[np.int64]:
        """Return problems without their hands."""
        problem = new_problem(
            called=called,
            by_tile=self.order == "by-tile",
            rule=rule_code(self.repair),
            special_case_1=self.special_case_1,
            special_case_2=self.special_case_2,
        )
        return np.repeat(problem[None], number, axis=0)

    def _arguments(
        self,
        problems: npt.NDArray[np.int64],
        streams: Streams,
        progresses: npt.NDArray[np.int64],
        histories: npt.NDArray[np.int8],
    ) -> at.Searches:
        """Return the argument of the kernel."""
        names = self.kernels.params._fields
        params = {p.name: self._number(p) for p in fields(self) if p.name in names}
        return at.Searches(
            problems=problems,
            last=self.num_generations,
            state=self.kernels.new_state(self.population),
            params=self.kernels.params(**params),
            work=np.zeros(1, at.WORK)[0],
            streams=streams,
            progresses=progresses,
            histories=histories,
        )

    def _number(self, parameter: Field[object]) -> float:
        """Return a parameter for the kernel: a choice as its index, a number as a float."""
        value = getattr(self, parameter.name)
        if "choices" not in parameter.metadata:
            return float(value)
        choices = parameter.metadata["choices"]
        return int(value) if isinstance(value, bool) else int(choices.index(value))


def chow_starts(tiles: TileSet) -> npt.NDArray[np.uint8]:
    """Return 1 where a chow begins, shape ``(K + 2,)``, padded for kernels that look ahead."""
    begins = np.zeros(tiles.num_kinds + 2, np.uint8)
    begins[list(tiles.chow_starts)] = 1
    return begins
