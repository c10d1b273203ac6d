"""GA: the genetic algorithm."""

from dataclasses import dataclass
from typing import ClassVar, Final, NamedTuple

import numpy as np

from mjopt._internal.jit import inner, kernel, specialised
from mjopt.heuristics._candidates import (
    MAX_POSITIONS,
    NUM_ELEMENTS,
    POSITIONS,
    Ints,
    Problem,
    judge,
)
from mjopt.heuristics._population_kernels import (
    Reals,
    Work,
    index_of_least,
    initialise,
    record_evaluation,
    replace_population,
    search_rows,
)
from mjopt.heuristics._random_streams import random, random_below
from mjopt.heuristics.parameters import YES_OR_NO, choice, number
from mjopt.heuristics.population import Kernels, PopulationMethod
from mjopt.heuristics.seeding import Rng

SCALINGS: Final = ("linear", "inverse")
LINEAR = 0


class GAParams(NamedTuple):
    """The parameters of ``GA`` for the kernel."""

    crossover: float
    mutation: float
    scaling: int
    redraws_empty: int
    elitist: int


class Brood(NamedTuple):
    """A population, its successor, and the roulette wheel that selects parents."""

    now: Ints  # (NP, 5)
    costs: Ints  # (NP,)
    later: Ints
    later_costs: Ints
    wheel: Reals  # (NP,): cumulative fitness


def new_brood(population: int) -> Brood:
    """Return arrays for one population, with room for the second child of the last pair."""
    now = np.zeros((population + 1, MAX_POSITIONS), np.int64)
    costs = np.zeros(population, np.int64)
    return Brood(now, costs, now.copy(), costs.copy(), np.zeros(population))


@inner
def next_brood(state: Brood, params: GAParams, work: Work, rng: Rng) -> bool:
    """Produce the next generation; return whether it is complete."""
    now, costs, later, later_costs, wheel = state
    problem, num = work["problem"], len(costs)
    _spread(wheel, costs, params)
    for i in range(0, num, 2):
        _breed(later, i, now, wheel, params, problem, rng)
        for child in range(i, min(i + 2, num)):
            _mutate(later, child, params, problem, rng)
            cost = judge(later[child], problem, rng)
            later_costs[child] = cost
            if record_evaluation(work["progress"], later[child], cost):
                return child == num - 1
    if params.elitist:
        _keep_best(now, costs, later, later_costs)
    replace_population(now, costs, later, later_costs)
    return True


@inner
def _spread(wheel: Reals, costs: Ints, params: GAParams) -> None:
    """Compute the cumulative fitness; a lower cost gives a larger share."""
    worst = costs[0]
    for i in range(1, len(costs)):
        worst = max(worst, costs[i])
    total = 0.0
    for i in range(len(costs)):
        if params.scaling == LINEAR:
            total += worst + 1 - costs[i]
        else:
            total += 1.0 / (1.0 + max(costs[i], 0))
        wheel[i] = total


@inner
def _spin(wheel: Reals, rng: Rng) -> int:
    """Select an individual in proportion to its fitness."""
    at = random(rng) * wheel[len(wheel) - 1]
    i = 0
    while i < len(wheel) - 1 and wheel[i] <= at:
        i += 1
    return i


@inner
def _breed(
    later: Ints, i: int, now: Ints, wheel: Reals, params: GAParams, problem: Problem, rng: Rng
) -> None:
    """Write two children: two parents crossed at one point, or copies of them."""
    positions = problem[POSITIONS]
    mother, father = _spin(wheel, rng), _spin(wheel, rng)
    cut = positions
    if random(rng) < params.crossover and positions > 1:
        cut = 1 + random_below(rng, positions - 1)
    for j in range(MAX_POSITIONS):
        later[i, j] = now[mother, j] if j < cut else now[father, j]
        later[i + 1, j] = now[father, j] if j < cut else now[mother, j]


@inner
def _mutate(later: Ints, i: int, params: GAParams, problem: Problem, rng: Rng) -> None:
    """Mutate positions at random and, if ``redraws_empty``, redraw the empty ones."""
    for j in range(problem[POSITIONS]):
        is_redrawn = random(rng) < params.mutation or (params.redraws_empty and later[i, j] == 0)
        if is_redrawn:
            later[i, j] = 1 + random_below(rng, problem[NUM_ELEMENTS])


@inner
def _keep_best(now: Ints, costs: Ints, later: Ints, later_costs: Ints) -> None:
    """Replace the worst child by the best parent."""
    best, worst = index_of_least(costs), 0
    for i in range(1, len(later_costs)):
        worst = i if later_costs[i] > later_costs[worst] else worst
    if costs[best] < later_costs[worst]:
        later_costs[worst] = costs[best]
        for j in range(MAX_POSITIONS):
            later[worst, j] = now[best, j]


search_ga = kernel(
    specialised(search_rows, "search_ga", create_population=initialise, next_population=next_brood)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class GA(PopulationMethod):
    """The genetic algorithm, on numbers of elements of S.

    Each generation selects parents in proportion to their fitness, crosses pairs of parents at one
    point into two children, and mutates their positions. The repaired children are the next
    population.

    Parameters
    ----------
    crossover
        Probability that a pair is crossed rather than copied, in 0..1.
    mutation
        Probability that a position is redrawn uniformly from 1..NS, in 0..1.
    scaling
        Fitness from cost: ``linear`` is ``worst cost of the population + 1 - cost``,
        ``inverse`` is ``1 / (1 + cost)``.
    redraws_empty
        Redraw every empty position of a child. This is not part of the standard algorithm, but
        improves it greatly: repair no longer empties the population.
    elitist
        Whether the best parent replaces the worst child.

    Notes
    -----
    The paper says only that selection probabilities are computed for each individual in every
    generation. Of the usual constants, these come nearest to its 43 % on one type at (20, 50).

    References
    ----------
    .. [1] J. H. Holland, "Adaptation in Natural and Artificial Systems", University
       of Michigan Press, 1975.

    Examples
    --------
    >>> GA(scaling="rank")
    Traceback (most recent call last):
    mjopt.errors.ArgumentError: ga: scaling = 'rank', expected one of linear, inverse
    """

    crossover: float = number(0.8, 0.0, 1.0)
    mutation: float = number(0.01, 0.0, 1.0)
    scaling: str = choice("linear", SCALINGS)
    redraws_empty: bool = choice(False, YES_OR_NO)
    elitist: bool = choice(False, YES_OR_NO)

    name: ClassVar[str] = "ga"
    kernels: ClassVar = Kernels(GAParams, new_brood, search_ga)
