"""The kernels of GA; a plain twin in the tests says the same."""

from typing import NamedTuple

import numpy as np

from mjopt._internal.jit import inner
from mjopt.heuristics._candidates import (
    MAX_POSITIONS,
    NUM_ELEMENTS,
    POSITIONS,
    Ints,
    Problem,
    judge,
)
from mjopt.heuristics._population_kernels import (
    COMPLETED,
    GENERATION,
    Reals,
    first_members,
    index_of_least,
    kernels_of,
    note,
    replace,
)
from mjopt.heuristics._rng import Source, integer, random

BORROWS = True  # see mjopt._internal.quick_kernels

# Places in ``knobs`` and ``rates``.
SCALING, REDRAWS, ELITES = 0, 1, 2
CROSSOVER, MUTATION = 0, 1

LINEAR = 0


class Brood(NamedTuple):
    """A population, the next one, and the wheel that parents are drawn from."""

    now: Ints  # (NP, 5)
    costs: Ints  # (NP,)
    later: Ints
    later_costs: Ints
    wheel: Reals  # (NP,): sums of the fitness


def new_brood(population: int) -> Brood:
    """Return arrays for one population, with room for the last pair's second child."""
    now = np.zeros((population + 1, MAX_POSITIONS), np.int64)
    costs = np.zeros(population, np.int64)
    return Brood(now, costs, now.copy(), costs.copy(), np.zeros(population))


@inner
def next_brood(
    state: Brood, knobs: Ints, rates: Reals, problem: Problem, progress: Ints, source: Source
) -> bool:
    """Breed one generation; return whether the search stops within it."""
    now, costs, later, later_costs, wheel = state
    num = len(costs)
    progress[GENERATION] += 1
    _spread(wheel, costs, knobs)
    for i in range(0, num, 2):
        _breed(later, i, now, wheel, rates, problem, source)
        for child in range(i, min(i + 2, num)):
            _mutate(later, child, knobs, rates, problem, source)
            cost = judge(later[child], problem, source)
            later_costs[child] = cost
            if note(progress, later[child], cost):
                progress[COMPLETED] += child == num - 1
                return True
    progress[COMPLETED] += 1
    if knobs[ELITES]:
        _keep_best(now, costs, later, later_costs)
    replace(now, costs, later, later_costs)
    return False


@inner
def _spread(wheel: Reals, costs: Ints, knobs: Ints) -> None:
    """Give everyone a share of the wheel, larger for a lower cost."""
    worst = costs[0]
    for i in range(1, len(costs)):
        worst = max(worst, costs[i])
    total = 0.0
    for i in range(len(costs)):
        if knobs[SCALING] == LINEAR:
            total += worst + 1 - costs[i]
        else:
            total += 1.0 / (1.0 + max(costs[i], 0))
        wheel[i] = total


@inner
def _spin(wheel: Reals, source: Source) -> int:
    """Draw one of the population by its share."""
    at = random(source) * wheel[len(wheel) - 1]
    i = 0
    while i < len(wheel) - 1 and wheel[i] <= at:
        i += 1
    return i


@inner
def _breed(
    later: Ints, i: int, now: Ints, wheel: Reals, rates: Reals, problem: Problem, source: Source
) -> None:
    """Cross two parents at one point, perhaps, into two children."""
    positions = problem[POSITIONS]
    mother, father = _spin(wheel, source), _spin(wheel, source)
    cut = positions
    if random(source) < rates[CROSSOVER] and positions > 1:
        cut = 1 + integer(source, positions - 1)
    for j in range(MAX_POSITIONS):
        later[i, j] = now[mother, j] if j < cut else now[father, j]
        later[i + 1, j] = now[father, j] if j < cut else now[mother, j]


@inner
def _mutate(
    later: Ints, i: int, knobs: Ints, rates: Reals, problem: Problem, source: Source
) -> None:
    """Redraw a position now and then, and, if asked to, the empty ones."""
    for j in range(problem[POSITIONS]):
        is_redrawn = random(source) < rates[MUTATION] or (knobs[REDRAWS] and later[i, j] == 0)
        if is_redrawn:
            later[i, j] = 1 + integer(source, problem[NUM_ELEMENTS])


@inner
def _keep_best(now: Ints, costs: Ints, later: Ints, later_costs: Ints) -> None:
    """Put the best parent in the place of the worst child."""
    best, worst = index_of_least(costs), 0
    for i in range(1, len(later_costs)):
        worst = i if later_costs[i] > later_costs[worst] else worst
    if costs[best] < later_costs[worst]:
        later_costs[worst] = costs[best]
        for j in range(MAX_POSITIONS):
            later[worst, j] = now[best, j]


GA = kernels_of("ga", __file__, new_brood, first_members, next_brood)
