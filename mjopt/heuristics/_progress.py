"""What a running search has found and spent, as one row of numbers that kernels update."""

import numpy as np

from mjopt.heuristics._elements import MAX_POSITIONS, Ints
from mjopt.heuristics.stopping import StopReason
from mjopt.runtime.kernels import kernel

# Places in ``progress``.
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

_REACHED = int(StopReason.REACHED)
_EVALUATIONS = int(StopReason.EVALUATIONS)


def new_progress(*, max_evaluations: int | None) -> Ints:
    """Return a row before its first evaluation."""
    progress = np.zeros(NUM_PLACES, np.int64)
    progress[MAX_EVALUATIONS] = NO_LIMIT if max_evaluations is None else max_evaluations
    begin(progress, NO_TARGET, NO_TARGET)
    return progress


@kernel
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


@kernel
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
