"""The kernels of NDDE, with and without a refill; plain twins in the tests say the same."""

from typing import NamedTuple

import numpy as np

from mjopt._internal.jit import inner
from mjopt.heuristics._candidates import (
    MAX_POSITIONS,
    NUM_ELEMENTS,
    POSITIONS,
    Ints,
    Problem,
    fill_up,
    judge,
    list_groups,
    new_groups,
)
from mjopt.heuristics._population_kernels import (
    COMPLETED,
    GENERATION,
    Reals,
    draw_anywhere,
    first_members,
    kernels_of,
    note,
    replace,
    replace_one,
)
from mjopt.heuristics._rng import Source, integer, random

BORROWS = True  # see mjopt._internal.quick_kernels

# Places in ``knobs`` and ``rates``; the last two knobs are those of the refill.
OUT_OF_RANGE, ROUNDING, SELECTION, REFILL, VARIATION = 0, 1, 2, 3, 4
SCALE, CROSSOVER = 0, 1

CLIP, REDRAW = 0, 1
HALF_EVEN = 0
IN_PLACE = 0
DIFFERENTIAL, UNIFORM = 0, 1


class Vectors(NamedTuple):
    """A population and the next one."""

    now: Ints  # (NP, 5)
    costs: Ints  # (NP,)
    later: Ints
    later_costs: Ints
    trial: Ints  # (5,)
    groups: Ints  # the elements of S by group, for the refill


def new_vectors(population: int) -> Vectors:
    """Return arrays for one population."""
    now = np.zeros((population, MAX_POSITIONS), np.int64)
    costs = np.zeros(population, np.int64)
    trial = np.zeros(MAX_POSITIONS, np.int64)
    return Vectors(now, costs, now.copy(), costs.copy(), trial, new_groups())


@inner
def next_vectors(
    state: Vectors, knobs: Ints, rates: Reals, problem: Problem, progress: Ints, source: Source
) -> bool:
    """Make one generation; return whether the search stops within it."""
    now, costs, later, later_costs, trial, _ = state
    num = len(costs)
    progress[GENERATION] += 1
    for i in range(num):
        cross(trial, now, i, knobs, rates, problem, source)
        cost = judge(trial, problem, source)
        _select(i, cost, trial, now, costs, later, later_costs)
        if note(progress, trial, cost):
            progress[COMPLETED] += i == num - 1
            return True
        if knobs[SELECTION] == IN_PLACE:
            replace_one(i, now, costs, later, later_costs)
    replace(now, costs, later, later_costs)
    progress[COMPLETED] += 1
    return False


@inner
def _select(
    i: int, cost: int, trial: Ints, now: Ints, costs: Ints, later: Ints, later_costs: Ints
) -> None:
    """Put the trial, or individual i if that is better, into the next population."""
    is_better = cost <= costs[i]
    later_costs[i] = cost if is_better else costs[i]
    for j in range(MAX_POSITIONS):
        later[i, j] = trial[j] if is_better else now[i, j]


@inner
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


@inner
def _judge_filled(chosen: Ints, rule: int, groups: Ints, problem: Problem, source: Source) -> int:
    """Repair, fill up, and return the cost: one evaluation."""
    cost = judge(chosen, problem, source)
    if rule:
        fill_up(chosen, rule, groups, problem, source)
        cost = judge(chosen, problem, source)  # nothing is left to repair
    return cost


@inner
def first_filled(
    state: Vectors, knobs: Ints, _rates: Reals, problem: Problem, progress: Ints, source: Source
) -> bool:
    """Make an initial population that is filled up; return whether the search stops."""
    now, costs, _, _, _, groups = state
    list_groups(problem, groups)
    for i in range(len(costs)):
        draw_anywhere(now[i], problem, source)
        costs[i] = _judge_filled(now[i], knobs[REFILL], groups, problem, source)
        if note(progress, now[i], costs[i]):
            return True
    return False


@inner
def next_filled(
    state: Vectors, knobs: Ints, rates: Reals, problem: Problem, progress: Ints, source: Source
) -> bool:
    """Make one generation with a refill; return whether the search stops within it."""
    now, costs, later, later_costs, trial, groups = state
    num = len(costs)
    progress[GENERATION] += 1
    for i in range(num):
        if knobs[VARIATION] == DIFFERENTIAL:
            cross(trial, now, i, knobs, rates, problem, source)
        elif knobs[VARIATION] == UNIFORM:
            draw_anywhere(trial, problem, source)
        else:
            for j in range(problem[POSITIONS]):
                trial[j] = now[i, j] if random(source) <= rates[CROSSOVER] else 0
        cost = _judge_filled(trial, knobs[REFILL], groups, problem, source)
        _select(i, cost, trial, now, costs, later, later_costs)
        if note(progress, trial, cost):
            progress[COMPLETED] += i == num - 1
            return True
        if knobs[SELECTION] == IN_PLACE:
            replace_one(i, now, costs, later, later_costs)
    replace(now, costs, later, later_costs)
    progress[COMPLETED] += 1
    return False


NDDE = kernels_of("ndde", __file__, new_vectors, first_members, next_vectors)
REFILLED = kernels_of("ndde_refill", __file__, new_vectors, first_filled, next_filled)
