"""Kernels shared by all population methods: progress, initial population, replacement.

Each method has a kernel ``search_...`` that searches rows of hands. Its arguments are a record of
type ``WORK``, the state of the method (a tuple of arrays), its parameters (``int_params``,
``float_params``), and for each row a random stream, the progress and the history. A second call
continues the search.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from mjopt._internal.jit import inlined, inner
from mjopt.heuristics._candidates import (
    MAX_POSITIONS,
    NUM_ELEMENTS,
    POSITIONS,
    SIZE,
    Ints,
    Problem,
    Rng,
    judge,
    list_elements,
    random_below,
)
from mjopt.heuristics.stopping import StopReason

Bytes = npt.NDArray[np.uint8]
Work = Any
History = npt.NDArray[np.int8]
Reals = npt.NDArray[np.float64]
IntParams = tuple[int, ...]
FloatParams = tuple[float, ...]

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
        ("stream", np.uint64, 4),
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


@inlined
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
    if progress[EVALUATIONS] >= progress[MAX_EVALUATIONS] and progress[STOPPED] == 0:
        progress[STOPPED] = _EVALUATIONS
    return bool(progress[STOPPED])


@inner
def start_search(counts: Bytes, chow_at: Bytes, problem: Problem, progress: Ints, rng: Rng) -> bool:
    """List S. If it is empty, evaluate the only predecomposition and return False."""
    list_elements(counts, chow_at, problem)
    if problem[NUM_ELEMENTS] > 0:
        return True
    nothing = np.zeros(MAX_POSITIONS, np.int64)
    record_evaluation(progress, nothing, judge(nothing, problem, rng))
    if progress[STOPPED] != _REACHED:
        progress[STOPPED] = _EMPTY
    return False


@inner
def record_best(history: History, progress: Ints) -> None:
    """Write the best cost of the latest generation, if a history is recorded."""
    if len(history):
        history[progress[GENERATION]] = progress[BEST]


@inner
def initialise(members: Ints, costs: Ints, problem: Problem, progress: Ints, rng: Rng) -> bool:
    """Draw, repair and evaluate the initial population; return whether the search stops."""
    for i in range(len(costs)):
        member = members[i]
        draw_anywhere(member, problem, rng)
        costs[i] = judge(member, problem, rng)
        if record_evaluation(progress, member, costs[i]):
            return True
    return False


@inlined
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


@inlined
def replace_individual(i: int, now: Ints, costs: Ints, later: Ints, later_costs: Ints) -> None:
    """Replace one individual by its successor."""
    costs[i] = later_costs[i]
    for j in range(MAX_POSITIONS):
        now[i, j] = later[i, j]


@inlined
def replace_population(now: Ints, costs: Ints, later: Ints, later_costs: Ints) -> None:
    """Replace the population by the next one."""
    for i in range(len(costs)):
        replace_individual(i, now, costs, later, later_costs)
