"""What every population method shares: a search's progress, and how it opens and closes.

A method adds two steps of one signature, ``first`` and ``generation``, and its own state.
"""

from collections.abc import Callable
from types import FunctionType
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from mjopt._internal.jit import inner, kernel
from mjopt.heuristics._candidates import (
    MAX_POSITIONS,
    NUM_ELEMENTS,
    POSITIONS,
    Ints,
    Problem,
    judge,
    list_elements,
)
from mjopt.heuristics._rng import Source, integer, start
from mjopt.heuristics.stopping import StopReason

BORROWS = True  # see mjopt._internal.quick_kernels

Reals = npt.NDArray[np.float64]
Step = Callable[[Any, Ints, Reals, Problem, Ints, Source], bool]
"""Takes state, knobs, rates, problem, progress and source; returns whether the search stops."""

# Places in ``progress``: what a running search has found and spent, as one row of numbers.
BEST = 0  # best cost
EVALUATIONS = 1
HIT_EVALUATIONS = 2
HIT_GENERATION = 3
GENERATION = 4  # the one being made; 0 is the initial population
COMPLETED = 5  # generations
STOPPED = 6  # a StopReason, 0 while the search runs
TARGET = 7
STOP_VALUE = 8
MAX_EVALUATIONS = 9
BEST_CHOICE = 10  # five places: the individual of the best cost
NUM_PLACES = BEST_CHOICE + MAX_POSITIONS

NO_COST = 100  # above any
NO_TARGET = -100  # below any
NO_LIMIT = 2**31 - 1

_GENERATIONS = int(StopReason.GENERATIONS)
_EVALUATIONS = int(StopReason.EVALUATIONS)
_REACHED = int(StopReason.REACHED)
_EMPTY = int(StopReason.EMPTY)


def new_progress(
    *, max_evaluations: int | None, target: int | None = None, stop_value: int | None = None
) -> Ints:
    """Return a row before its first evaluation."""
    progress = np.zeros(NUM_PLACES, np.int64)
    progress[MAX_EVALUATIONS] = NO_LIMIT if max_evaluations is None else max_evaluations
    progress[BEST] = NO_COST
    progress[HIT_EVALUATIONS] = progress[HIT_GENERATION] = -1
    progress[TARGET] = NO_TARGET if target is None else target
    progress[STOP_VALUE] = NO_TARGET if stop_value is None else stop_value
    return progress


@inner
def begin(progress: Ints, target: int, stop_value: int) -> None:
    """Begin a search."""
    progress[BEST] = NO_COST
    progress[EVALUATIONS] = 0
    progress[HIT_EVALUATIONS] = -1
    progress[HIT_GENERATION] = -1
    progress[GENERATION] = 0
    progress[COMPLETED] = 0
    progress[STOPPED] = 0
    progress[TARGET] = target
    progress[STOP_VALUE] = stop_value


@inner
def note(progress: Ints, chosen: Ints, cost: int) -> bool:
    """Count one evaluation; return whether the search stops with it."""
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
    if progress[EVALUATIONS] >= progress[MAX_EVALUATIONS] and progress[STOPPED] == 0:
        progress[STOPPED] = _EVALUATIONS
    return bool(progress[STOPPED])


class Found(NamedTuple):
    """The columns of a ``Batch``; a history of no columns is not kept."""

    value: npt.NDArray[np.int8]
    evaluations: npt.NDArray[np.int32]
    generations: npt.NDArray[np.int32]
    hit_evaluations: npt.NDArray[np.int32]
    hit_generation: npt.NDArray[np.int32]
    stopped: npt.NDArray[np.int8]
    history: npt.NDArray[np.int8]


@inner
def open_search(
    counts: npt.NDArray[np.uint8],
    chow_at: npt.NDArray[np.uint8],
    problem: Problem,
    progress: Ints,
    source: Source,
) -> None:
    """List S; where it is empty, judge the one predecomposition there is, and stop."""
    list_elements(counts, chow_at, problem)
    if problem[NUM_ELEMENTS] == 0:
        nothing = np.zeros(MAX_POSITIONS, np.int64)
        note(progress, nothing, judge(nothing, problem, source))
        if progress[STOPPED] != _REACHED:
            progress[STOPPED] = _EMPTY


@inner
def open_row(
    row: int,
    keys: npt.NDArray[np.uint64],
    targets: npt.NDArray[np.int8],
    stop_at_target: bool,
    progress: Ints,
    source: Source,
) -> None:
    """Begin the search of one row of a batch."""
    start(source, keys[row])
    target = NO_TARGET if len(targets) == 0 else int(targets[row])
    begin(progress, target, target if stop_at_target else NO_TARGET)


@inner
def close_row(row: int, progress: Ints, found: Found) -> None:
    """Write what the search of one row found; its history is held after its end."""
    found.value[row] = progress[BEST]
    found.evaluations[row] = progress[EVALUATIONS]
    found.generations[row] = progress[COMPLETED]
    found.hit_evaluations[row] = progress[HIT_EVALUATIONS]
    found.hit_generation[row] = progress[HIT_GENERATION]
    found.stopped[row] = progress[STOPPED] if progress[STOPPED] else _GENERATIONS
    for g in range(progress[COMPLETED] + 1, found.history.shape[1]):
        found.history[row, g] = progress[BEST]


@inner
def initialise(
    members: Ints, costs: Ints, problem: Problem, progress: Ints, source: Source
) -> bool:
    """Draw, repair and judge the initial population; return whether the search stops."""
    for i in range(len(costs)):
        member = members[i]
        draw_anywhere(member, problem, source)
        costs[i] = judge(member, problem, source)
        if note(progress, member, costs[i]):
            return True
    return False


@inner
def first_members(
    state: Any, _knobs: Ints, _rates: Reals, problem: Problem, progress: Ints, source: Source
) -> bool:
    """Make the initial population of a state that has just that; whether the search stops."""
    return initialise(state.now, state.costs, problem, progress, source)


@inner
def draw_anywhere(chosen: Ints, problem: Problem, source: Source) -> None:
    """Put any element of S in every position."""
    for j in range(problem[POSITIONS]):
        chosen[j] = 1 + integer(source, problem[NUM_ELEMENTS])


@inner
def index_of_least(costs: Ints) -> int:
    """Return the first individual of the least cost."""
    least = 0
    for i in range(1, len(costs)):
        least = i if costs[i] < costs[least] else least
    return least


@inner
def replace_one(i: int, now: Ints, costs: Ints, later: Ints, later_costs: Ints) -> None:
    """Put one of the next population in its place in this one."""
    costs[i] = later_costs[i]
    for j in range(MAX_POSITIONS):
        now[i, j] = later[i, j]


@inner
def replace(now: Ints, costs: Ints, later: Ints, later_costs: Ints) -> None:
    """Put the next population in the place of this one."""
    for i in range(len(costs)):
        replace_one(i, now, costs, later, later_costs)


class Kernels(NamedTuple):
    """A method, compiled."""

    new_state: Callable[[int], Any]  # for a population of so many
    search_rows: Callable[..., None]


def kernels_of(
    name: str, file: str, new_state: Callable[[int], Any], first: Step, generation: Step
) -> Kernels:
    """Return a method with a copy of ``_search_rows`` that finds the steps.

    The first makes the initial population, the other one generation more. They stand among
    the copy's globals. As arguments numba would compile the loop anew in every process (a
    cached kernel is never that of a function it was given), and as variables of a closure
    too. The copy says that it stands in the file of the steps: that is the one file that
    numba looks at to see whether what it keeps is still true.
    """
    code = _search_rows.__code__.replace(co_filename=file)
    copy = FunctionType(code, {**globals(), "first": first, "generation": generation})
    copy.__name__ = copy.__qualname__ = f"batch_{name}"
    return Kernels(new_state, kernel(copy))


first = generation = cast("Step", None)  # every copy of the loop below has its own


def _search_rows(
    counts: npt.NDArray[np.uint8],
    chow_at: npt.NDArray[np.uint8],
    keys: npt.NDArray[np.uint64],
    targets: npt.NDArray[np.int8],
    stop_at_target: bool,
    num_generations: int,
    state: Any,
    knobs: Ints,
    rates: Reals,
    problem: Problem,
    progress: Ints,
    source: Source,
    found: Found,
) -> None:
    """Search every row; one row without a key goes on where its progress stands."""
    for row in range(len(counts)):
        if len(keys):
            open_row(row, keys, targets, stop_at_target, progress, source)
        if progress[EVALUATIONS] == 0:
            open_search(counts[row], chow_at, problem, progress, source)
            if not progress[STOPPED]:
                first(state, knobs, rates, problem, progress, source)
            if found.history.shape[1]:
                found.history[row, 0] = progress[BEST]
        while not progress[STOPPED] and progress[GENERATION] < num_generations:
            generation(state, knobs, rates, problem, progress, source)
            if found.history.shape[1]:
                found.history[row, progress[GENERATION]] = progress[BEST]
        close_row(row, progress, found)
