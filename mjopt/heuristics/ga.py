"""GA: the genetic algorithm."""

from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np

from mjopt._internal.jit import inner, kernel
from mjopt.heuristics._candidates import (
    MAX_POSITIONS,
    NUM_ELEMENTS,
    POSITIONS,
    Ints,
    Problem,
    Rng,
    judge,
    random,
    random_below,
    stream_of,
)
from mjopt.heuristics._population_kernels import (
    COMPLETED,
    EVALUATIONS,
    GENERATION,
    STOPPED,
    Bytes,
    FloatParams,
    History,
    IntParams,
    Reals,
    Work,
    index_of_least,
    initialise,
    record_best,
    record_evaluation,
    replace_population,
    start_search,
)
from mjopt.heuristics.population import YES_OR_NO, Kernels, PopulationMethod, choice, number

SCALINGS: Final = ("linear", "inverse")

# Indices in ``int_params`` and ``float_params``.
SCALING, REDRAWS, ELITES = 0, 1, 2
CROSSOVER, MUTATION = 0, 1

LINEAR = 0


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
def next_brood(
    state: Brood,
    int_params: IntParams,
    float_params: FloatParams,
    problem: Problem,
    progress: Ints,
    rng: Rng,
) -> None:
    """Produce the next generation."""
    now, costs, later, later_costs, wheel = state
    num = len(costs)
    progress[GENERATION] += 1
    _spread(wheel, costs, int_params)
    for i in range(0, num, 2):
        _breed(later, i, now, wheel, float_params, problem, rng)
        for child in range(i, min(i + 2, num)):
            _mutate(later, child, int_params, float_params, problem, rng)
            cost = judge(later[child], problem, rng)
            later_costs[child] = cost
            if record_evaluation(progress, later[child], cost):
                progress[COMPLETED] += child == num - 1
                return
    progress[COMPLETED] += 1
    if int_params[ELITES]:
        _keep_best(now, costs, later, later_costs)
    replace_population(now, costs, later, later_costs)


@inner
def _spread(wheel: Reals, costs: Ints, int_params: IntParams) -> None:
    """Compute the cumulative fitness; a lower cost gives a larger share."""
    worst = costs[0]
    for i in range(1, len(costs)):
        worst = max(worst, costs[i])
    total = 0.0
    for i in range(len(costs)):
        if int_params[SCALING] == LINEAR:
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
    later: Ints,
    i: int,
    now: Ints,
    wheel: Reals,
    float_params: FloatParams,
    problem: Problem,
    rng: Rng,
) -> None:
    """Cross two parents at one point with the crossover probability; return two children."""
    positions = problem[POSITIONS]
    mother, father = _spin(wheel, rng), _spin(wheel, rng)
    cut = positions
    if random(rng) < float_params[CROSSOVER] and positions > 1:
        cut = 1 + random_below(rng, positions - 1)
    for j in range(MAX_POSITIONS):
        later[i, j] = now[mother, j] if j < cut else now[father, j]
        later[i + 1, j] = now[father, j] if j < cut else now[mother, j]


@inner
def _mutate(
    later: Ints,
    i: int,
    int_params: IntParams,
    float_params: FloatParams,
    problem: Problem,
    rng: Rng,
) -> None:
    """Mutate positions at random and, if ``redraws_empty``, redraw the empty ones."""
    for j in range(problem[POSITIONS]):
        is_redrawn = random(rng) < float_params[MUTATION] or (
            int_params[REDRAWS] and later[i, j] == 0
        )
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


@kernel
def search_ga(
    counts: Bytes,
    chow_at: Bytes,
    last: int,
    work: Work,
    state: Brood,
    int_params: IntParams,
    float_params: FloatParams,
    streams: Any,
    progresses: Ints,
    histories: History,
) -> None:
    """Search every row from its current generation up to a given one."""
    problem, progress = work["problem"], work["progress"]
    for row in range(len(counts)):
        rng, history = stream_of(streams, row, work["stream"]), histories[row]
        progress[:] = progresses[row]
        if progress[EVALUATIONS] == 0:
            if start_search(counts[row], chow_at, problem, progress, rng):
                initialise(state.now, state.costs, problem, progress, rng)
            record_best(history, progress)
        while not progress[STOPPED] and progress[GENERATION] < last:
            next_brood(state, int_params, float_params, problem, progress, rng)
            record_best(history, progress)
        progresses[row] = progress


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
    mjopt.errors.HeuristicError: ga: scaling = 'rank', expected one of linear, inverse
    """

    crossover: float = number(0.8, 0.0, 1.0)
    mutation: float = number(0.01, 0.0, 1.0)
    scaling: str = choice("linear", SCALINGS)
    redraws_empty: bool = choice(False, YES_OR_NO)
    elitist: bool = choice(False, YES_OR_NO)

    name: ClassVar[str] = "ga"
    kernels: ClassVar = Kernels(new_brood, search_ga)
