"""The kernels of NDDE with a refill; ``plain_ndde_refill`` is the same method said plainly."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mjopt.heuristics._draws import Source, integer, random
from mjopt.heuristics._elements import MAX_POSITIONS, NUM_ELEMENTS, POSITIONS, Ints, Problem
from mjopt.heuristics._evaluate import evaluate
from mjopt.heuristics._ndde import CROSSOVER, IN_PLACE, cross
from mjopt.heuristics._population import Found, Reals, close_row, open_row
from mjopt.heuristics._progress import BEST, COMPLETED, GENERATION, STOPPED, note
from mjopt.heuristics._refill import list_groups, new_groups, refill
from mjopt.runtime.kernels import kernel

# Places in ``knobs``, after those of NDDE.
REFILL, VARIATION = 3, 4

DIFFERENTIAL, UNIFORM = 0, 1


class State(NamedTuple):
    """A population; ``later`` is ``now`` itself where selection is in place."""

    now: Ints  # (NP, 5)
    costs: Ints  # (NP,)
    later: Ints
    later_costs: Ints
    trial: Ints  # (5,)
    groups: Ints  # the elements of S by group


def new_state(population: int, *, in_place: bool) -> State:
    """Return arrays for one population."""
    now = np.zeros((population, MAX_POSITIONS), np.int64)
    costs = np.zeros(population, np.int64)
    later, later_costs = (now, costs) if in_place else (now.copy(), costs.copy())
    return State(now, costs, later, later_costs, np.zeros(MAX_POSITIONS, np.int64), new_groups())


@kernel
def _judge(chosen: Ints, rule: int, groups: Ints, problem: Problem, source: Source) -> int:
    """Repair, fill up, and return the cost: one evaluation."""
    cost = evaluate(chosen, problem, source)
    if rule:
        refill(chosen, rule, groups, problem, source)
        cost = evaluate(chosen, problem, source)  # nothing is left to repair
    return cost


@kernel
def _anything(chosen: Ints, problem: Problem, source: Source) -> None:
    for j in range(problem[POSITIONS]):
        chosen[j] = 1 + integer(source, problem[NUM_ELEMENTS])


@kernel
def first(
    state: State, knobs: Ints, _rates: Reals, problem: Problem, progress: Ints, source: Source
) -> bool:
    """Make the initial population; return whether the search stops."""
    now, costs, _, _, _, groups = state
    list_groups(problem, groups)
    for i in range(len(costs)):
        _anything(now[i], problem, source)
        costs[i] = _judge(now[i], knobs[REFILL], groups, problem, source)
        if note(progress, now[i], costs[i]):
            return True
    return False


@kernel
def generation(
    state: State, knobs: Ints, rates: Reals, problem: Problem, progress: Ints, source: Source
) -> bool:
    """Make one generation; return whether the search stops within it."""
    now, costs, later, later_costs, trial, groups = state
    num = len(costs)
    progress[GENERATION] += 1
    for i in range(num):
        if knobs[VARIATION] == DIFFERENTIAL:
            cross(trial, now, i, knobs, rates, problem, source)
        elif knobs[VARIATION] == UNIFORM:
            _anything(trial, problem, source)
        else:
            for j in range(problem[POSITIONS]):
                trial[j] = now[i, j] if random(source) <= rates[CROSSOVER] else 0
        cost = _judge(trial, knobs[REFILL], groups, problem, source)
        is_better = cost <= costs[i]
        later_costs[i] = cost if is_better else costs[i]
        for j in range(MAX_POSITIONS):
            later[i, j] = trial[j] if is_better else now[i, j]
        if note(progress, trial, cost):
            progress[COMPLETED] += i == num - 1
            return True
    progress[COMPLETED] += 1
    if knobs[IN_PLACE]:
        return False
    for i in range(num):
        costs[i] = later_costs[i]
        for j in range(MAX_POSITIONS):
            now[i, j] = later[i, j]
    return False


@kernel
def batch(
    counts: npt.NDArray[np.uint8],
    chow_at: npt.NDArray[np.uint8],
    keys: npt.NDArray[np.uint64],
    targets: npt.NDArray[np.int8],
    stop_at_target: bool,
    num_generations: int,
    state: State,
    knobs: Ints,
    rates: Reals,
    problem: Problem,
    progress: Ints,
    source: Source,
    found: Found,
) -> None:
    """Search every row."""
    for row in range(len(counts)):
        open_row(row, counts, chow_at, keys, targets, stop_at_target, problem, progress, source)
        if not progress[STOPPED]:
            first(state, knobs, rates, problem, progress, source)
        if found.history.shape[1]:
            found.history[row, 0] = progress[BEST]
        while not progress[STOPPED] and progress[GENERATION] < num_generations:
            generation(state, knobs, rates, problem, progress, source)
            if found.history.shape[1]:
                found.history[row, progress[GENERATION]] = progress[BEST]
        close_row(row, progress, found)
