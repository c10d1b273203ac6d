"""Kernels: the search loop of all population methods, and their shared steps."""

from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from mjopt._internal.jit import inner, kernel
from mjopt.heuristics._candidates import (
    MAX_POSITIONS,
    NUM_ELEMENTS,
    POSITIONS,
    SIZE,
    Ints,
    Problem,
    cost_of,
    judge,
    list_elements,
)
from mjopt.heuristics._random_streams import STREAM_WORDS, Streams, random_below, stream_of
from mjopt.heuristics.seeding import Rng
from mjopt.heuristics.stopping import StopReason

# One loop serves NDDE, PSO, GA and TLBO (docs/howto/heuristic.md). The kernel of a method is a copy
# of `search_rows` that calls the method's own `create_population` and `next_population`: numba
# caches neither closures nor functions as arguments.
#
# The hands of a batch are searched one after the other in the memory of one population. The problem
# and the progress of the current hand are in a record, see `WORK`.

Bytes = npt.NDArray[np.uint8]
Work = np.void
History = npt.NDArray[np.int8]
Reals = npt.NDArray[np.float64]

# Indices in ``progress``, the row of numbers with the best result and the budget spent.
BEST = 0  # best cost
EVALUATIONS = 1
HIT_EVALUATIONS = 2
HIT_GENERATION = 3
GENERATION = 4  # number of the current generation; 0 is the initial population
COMPLETED = 5  # number of completed generations
STOPPED = 6  # a StopReason, 0 while the search runs
TARGET = 7
STOP_VALUE = 8
MAX_EVALUATIONS = 9
BEST_CHOICE = 10  # start of five entries: the individual with the best cost
NUM_PLACES = BEST_CHOICE + MAX_POSITIONS

WORK = np.dtype(
    [
        ("problem", np.int64, SIZE),
        ("progress", np.int64, NUM_PLACES),
        ("trial", np.int64, MAX_POSITIONS),
        ("stream", np.uint64, STREAM_WORDS),
    ]
)
"""Work record of a search. Arrays inside a record have no reference counts; inlined functions would
otherwise update them atomically, which takes a third of the time of a search."""

NO_COST = 100  # above every cost
NO_TARGET = -100  # below every cost
NO_LIMIT = 2**31 - 1

_EVALUATIONS = int(StopReason.EVALUATIONS)
_REACHED = int(StopReason.REACHED)
_EMPTY = int(StopReason.EMPTY)


def new_progress(
    *, max_evaluations: int | None, target: int | None = None, stop_value: int | None = None
) -> Ints:
    """Return the progress of a row before its first evaluation."""
    progress = np.zeros(NUM_PLACES, np.int64)
    progress[MAX_EVALUATIONS] = NO_LIMIT if max_evaluations is None else max_evaluations
    progress[BEST] = NO_COST
    progress[HIT_EVALUATIONS] = progress[HIT_GENERATION] = -1
    progress[TARGET] = NO_TARGET if target is None else target
    progress[STOP_VALUE] = NO_TARGET if stop_value is None else stop_value
    return progress


@inner(inline=True)
def record_evaluation(progress: Ints, chosen: Ints, cost: int) -> bool:
    """Count one evaluation; return whether the search stops after it."""
    progress[EVALUATIONS] += 1
    if cost < progress[BEST]:
        progress[BEST] = cost
        for j in range(MAX_POSITIONS):
            progress[BEST_CHOICE + j] = chosen[j]
        if cost <= progress[TARGET] and progress[HIT_EVALUATIONS] < 0:
            progress[HIT_EVALUATIONS] = progress[EVALUATIONS]
            progress[HIT_GENERATION] = progress[GENERATION]
        if cost <= progress[STOP_VALUE]:
            progress[STOPPED] = _REACHED
    # A stop value that the last evaluation reaches counts as reached.
    if progress[EVALUATIONS] >= progress[MAX_EVALUATIONS] and progress[STOPPED] == 0:
        progress[STOPPED] = _EVALUATIONS
    return bool(progress[STOPPED])


class Population(Protocol):
    """The arrays of a population: its individuals and their costs."""

    @property
    def now(self) -> Ints: ...

    @property
    def costs(self) -> Ints: ...


class Searches(NamedTuple):
    """Arguments of the kernel of a method: N hands, and how to search them."""

    problems: Ints  # the hands and their sets S, shape (N, SIZE)
    last: int  # number of the last generation
    state: NamedTuple  # named tuple of the arrays of the method
    params: NamedTuple  # named tuple of the parameters of the method
    work: Work
    streams: Streams  # source of random numbers of each hand
    progresses: Ints  # shape (N, NUM_PLACES)
    histories: History  # best cost by generation, shape (N, G + 1), or (N, 0) for none


@kernel
def list_problems(counts: Bytes, chow_at: Bytes, problems: Ints) -> None:
    """Fill in the problems of hands; apart from the search, so that both compile side by side.

    Copies per kind have shape ``(N, K)``; ``chow_at`` is 1 where a chow begins, shape ``(K + 2,)``.
    Problems have shape ``(N, SIZE)`` and hold the rules of evaluation.
    """
    for row in range(len(counts)):
        list_elements(counts[row], chow_at, problems[row])


def create_population(state: NamedTuple, params: NamedTuple, work: Work, rng: Rng) -> bool:
    """Create the initial population; return whether it is evaluated too.

    If not, ``next_population`` evaluates it as generation 0. A method whose generations are all
    alike thus compiles one copy of them.
    """
    raise NotImplementedError


def next_population(state: NamedTuple, params: NamedTuple, work: Work, rng: Rng) -> bool:
    """Produce the next generation; return False if the search stops before it is complete."""
    raise NotImplementedError


def search_rows(args: Searches) -> None:
    """Search every hand up to a generation; a second call continues the searches."""
    problems, last, state, params, work, streams, progresses, histories = args
    problem, progress = work["problem"], work["progress"]
    for row in range(len(problems)):
        rng, history = stream_of(streams, row, work["stream"]), histories[row]
        _copy_to(problem, problems[row])
        _copy_to(progress, progresses[row])
        is_initial = False  # whether the next generation is the initial population
        if progress[EVALUATIONS] == 0:  # a new search; all others continue after a generation
            if problem[NUM_ELEMENTS] > 0:
                is_initial = not create_population(state, params, work, rng)
            else:
                _judge_nothing(work)
            _record_best(history, progress)
        while is_initial or (not progress[STOPPED] and progress[GENERATION] < last):
            progress[GENERATION] += not is_initial
            is_complete = next_population(state, params, work, rng)
            progress[COMPLETED] += is_complete and not is_initial
            is_initial = False
            _record_best(history, progress)
        _copy_to(progresses[row], progress)


@inner
def _copy_to(target: Ints, source: Ints) -> None:
    """Copy numbers in a loop: numba compiles an assignment to a slice for seconds."""
    for i in range(len(target)):
        target[i] = source[i]


@inner
def _judge_nothing(work: Work) -> None:
    """Evaluate the only predecomposition of a hand without elements."""
    progress, nothing = work["progress"], work["trial"]
    for j in range(MAX_POSITIONS):
        nothing[j] = 0
    record_evaluation(progress, nothing, cost_of(nothing, nothing[0], work["problem"]))
    if progress[STOPPED] != _REACHED:
        progress[STOPPED] = _EMPTY


@inner
def _record_best(history: History, progress: Ints) -> None:
    """Write the best cost of the latest generation, if a history is recorded."""
    if len(history):
        history[progress[GENERATION]] = progress[BEST]


@inner
def initialise(state: Population, params: NamedTuple, work: Work, rng: Rng) -> bool:  # noqa: ARG001
    """Draw, repair and evaluate the initial population."""
    members, costs = state.now, state.costs
    problem, progress = work["problem"], work["progress"]
    for i in range(len(costs)):
        member = members[i]
        draw_anywhere(member, problem, rng)
        costs[i] = judge(member, problem, rng)
        if record_evaluation(progress, member, costs[i]):
            break
    return True


@inner(inline=True)
def draw_anywhere(chosen: Ints, problem: Problem, rng: Rng) -> None:
    """Set every position to a random element of S."""
    for j in range(problem[POSITIONS]):
        chosen[j] = 1 + random_below(rng, problem[NUM_ELEMENTS])


@inner
def index_of_least(costs: Ints) -> int:
    """Return the first individual with the least cost."""
    least = 0
    for i in range(1, len(costs)):
        least = i if costs[i] < costs[least] else least
    return least


@inner(inline=True)
def replace_individual(i: int, now: Ints, costs: Ints, later: Ints, later_costs: Ints) -> None:
    """Replace one individual by its successor."""
    costs[i] = later_costs[i]
    for j in range(MAX_POSITIONS):
        now[i, j] = later[i, j]


@inner(inline=True)
def replace_population(now: Ints, costs: Ints, later: Ints, later_costs: Ints) -> None:
    """Replace the population by the next one."""
    for i in range(len(costs)):
        replace_individual(i, now, costs, later, later_costs)
