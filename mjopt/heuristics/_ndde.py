"""The kernels of NDDE; ``plain_ndde`` is the same method said plainly."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mjopt.heuristics._draws import Source, integer, random
from mjopt.heuristics._elements import (
    MAX_POSITIONS,
    NUM_ELEMENTS,
    POSITIONS,
    Ints,
    Problem,
)
from mjopt.heuristics._evaluate import evaluate
from mjopt.heuristics._population import Found, Reals, close_row, initialise, open_row
from mjopt.heuristics._progress import BEST, COMPLETED, GENERATION, STOPPED, note
from mjopt.runtime.kernels import kernel

# Places in ``knobs`` and ``rates``.
OUT_OF_RANGE, ROUNDING, IN_PLACE = 0, 1, 2
SCALE, CROSSOVER = 0, 1

CLIP, REDRAW = 0, 1
HALF_EVEN = 0


class State(NamedTuple):
    """A population; ``later`` is ``now`` itself where selection is in place."""

    now: Ints  # (NP, 5)
    costs: Ints  # (NP,)
    later: Ints
    later_costs: Ints
    trial: Ints  # (5,)


def new_state(population: int, *, in_place: bool) -> State:
    """Return arrays for one population."""
    now = np.zeros((population, MAX_POSITIONS), np.int64)
    costs = np.zeros(population, np.int64)
    later, later_costs = (now, costs) if in_place else (now.copy(), costs.copy())
    return State(now, costs, later, later_costs, np.zeros(MAX_POSITIONS, np.int64))


@kernel
def first(
    state: State, _knobs: Ints, _rates: Reals, problem: Problem, progress: Ints, source: Source
) -> bool:
    """Make the initial population; return whether the search stops."""
    return initialise(state.now, state.costs, problem, progress, source)


@kernel
def generation(
    state: State, knobs: Ints, rates: Reals, problem: Problem, progress: Ints, source: Source
) -> bool:
    """Make one generation; return whether the search stops within it."""
    now, costs, later, later_costs, trial = state
    num = len(costs)
    progress[GENERATION] += 1
    for i in range(num):
        cross(trial, now, i, knobs, rates, problem, source)
        cost = evaluate(trial, problem, source)
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
def cross(
    trial: Ints, now: Ints, i: int, knobs: Ints, rates: Reals, problem: Problem, source: Source
) -> None:
    """Equations 9 and 10: fill the trial of individual i.

    Every position draws twice, needed or not: a draw costs less than a branch that
    cannot be foreseen.
    """
    num, num_elements = len(now), problem[NUM_ELEMENTS]
    # Three others, distinct: each draw skips those before it, in ascending order.
    a = integer(source, num - 1)
    a += a >= i
    low, high = min(i, a), max(i, a)
    b = integer(source, num - 2)
    b += b >= low
    b += b >= high
    low, middle, high = min(low, b), max(low, min(high, b)), max(high, b)
    c = integer(source, num - 3)
    c += c >= low
    c += c >= middle
    c += c >= high
    scale, rate = rates[SCALE], rates[CROSSOVER]
    for j in range(problem[POSITIONS]):
        own, base, plus, minus = now[i, j], now[a, j], now[b, j], now[c, j]
        is_kept = (own != 0) & (random(source) <= rate)
        anywhere = 1 + integer(source, num_elements)
        real = base + scale * (plus - minus)
        mutant = int(np.rint(real) if knobs[ROUNDING] == HALF_EVEN else np.floor(real + 0.5))
        if knobs[OUT_OF_RANGE] == CLIP:
            mutant = min(max(mutant, 1), num_elements)
        elif knobs[OUT_OF_RANGE] == REDRAW:
            mutant = anywhere if (mutant < 1) | (mutant > num_elements) else mutant
        else:
            mutant = (mutant - 1) % num_elements + 1
        mutant = mutant if (base != 0) & (plus != 0) & (minus != 0) else anywhere
        trial[j] = own if is_kept else mutant


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
