"""What the kernels of every population method share: how a search opens and closes."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mjopt.heuristics._draws import Source, integer, start
from mjopt.heuristics._elements import (
    MAX_POSITIONS,
    NUM_ELEMENTS,
    POSITIONS,
    Ints,
    Problem,
    list_elements,
)
from mjopt.heuristics._evaluate import evaluate
from mjopt.heuristics._progress import (
    BEST,
    COMPLETED,
    EVALUATIONS,
    HIT_EVALUATIONS,
    HIT_GENERATION,
    STOPPED,
    begin,
    note,
)
from mjopt.heuristics.stopping import StopReason
from mjopt.runtime.kernels import kernel

Reals = npt.NDArray[np.float64]

_GENERATIONS = int(StopReason.GENERATIONS)
_REACHED = int(StopReason.REACHED)
_EMPTY = int(StopReason.EMPTY)

NEVER_BELOW = -100


class Found(NamedTuple):
    """The columns of a ``Batch``; a history of no columns is not kept."""

    value: npt.NDArray[np.int8]
    evaluations: npt.NDArray[np.int32]
    generations: npt.NDArray[np.int32]
    hit_evaluations: npt.NDArray[np.int32]
    hit_generation: npt.NDArray[np.int32]
    stopped: npt.NDArray[np.int8]
    history: npt.NDArray[np.int8]


@kernel
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
        note(progress, nothing, evaluate(nothing, problem, source))
        if progress[STOPPED] != _REACHED:
            progress[STOPPED] = _EMPTY


@kernel
def open_row(
    row: int,
    counts: npt.NDArray[np.uint8],
    chow_at: npt.NDArray[np.uint8],
    keys: npt.NDArray[np.uint64],
    targets: npt.NDArray[np.int8],
    stop_at_target: bool,
    problem: Problem,
    progress: Ints,
    source: Source,
) -> None:
    """Begin the search of one row of a batch."""
    start(source, keys[row])
    target = NEVER_BELOW if len(targets) == 0 else int(targets[row])
    begin(progress, target, target if stop_at_target else NEVER_BELOW)
    open_search(counts[row], chow_at, problem, progress, source)


@kernel
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


@kernel
def initialise(
    members: Ints, costs: Ints, problem: Problem, progress: Ints, source: Source
) -> bool:
    """Draw, repair and judge the initial population; return whether the search stops."""
    num = problem[NUM_ELEMENTS]
    positions = problem[POSITIONS]
    for i in range(len(costs)):
        member = members[i]
        for j in range(positions):
            member[j] = 1 + integer(source, num)
        costs[i] = evaluate(member, problem, source)
        if note(progress, member, costs[i]):
            return True
    return False
