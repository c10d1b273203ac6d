"""NDDE: the discrete differential evolution of Yan and Li, and our variant with a refill."""

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
    GENERATION,
    NO_COST,
    Work,
    draw_anywhere,
    record_evaluation,
    replace_individual,
    replace_population,
    search_rows,
)
from mjopt.heuristics._random_streams import random, random_below
from mjopt.heuristics._refill_kernels import fill_up, list_groups, new_groups
from mjopt.heuristics.parameters import choice, number
from mjopt.heuristics.population import MOST_INDIVIDUALS, Kernels, PopulationMethod
from mjopt.heuristics.seeding import Rng

BEYOND: Final = ("clip", "redraw", "wrap")
ROUNDINGS: Final = ("half-even", "half-up")
SELECTIONS: Final = ("in-place", "after-generation")
VARIATIONS: Final = ("differential", "uniform", "keep")
REFILLS: Final = ("none", "any", "melds-first", "melds-then-pair")
"""How empty positions are filled, by name: not at all; with any element that fits; with melds while
one fits, then pmelds; or with melds, then one pair if there is none, then pmelds."""

CLIP, REDRAW = 0, 1
HALF_EVEN = 0
IN_PLACE = 0
DIFFERENTIAL, UNIFORM = 0, 1


class NDDEParams(NamedTuple):
    """The parameters of ``NDDE`` and ``NDDERefill`` for the kernel."""

    scale: float
    crossover: float
    out_of_range: int
    rounding: int
    selection: int
    refill: int = 0
    variation: int = DIFFERENTIAL


class Vectors(NamedTuple):
    """A population and its successor."""

    now: Ints  # (NP, 5)
    costs: Ints  # (NP,)
    later: Ints
    later_costs: Ints
    groups: Ints  # the elements of S by group, for the refill


def new_vectors(population: int) -> Vectors:
    """Return arrays for one population."""
    now = np.zeros((population, MAX_POSITIONS), np.int64)
    costs = np.zeros(population, np.int64)
    return Vectors(now, costs, now.copy(), costs.copy(), new_groups())


@inner
def first_vectors(state: Vectors, params: NDDEParams, work: Work, rng: Rng) -> bool:  # noqa: ARG001
    """Create worthless individuals; those of generation 0 replace them."""
    for i in range(len(state.costs)):
        state.costs[i] = NO_COST
    return False


@inner
def next_vectors(state: Vectors, params: NDDEParams, work: Work, rng: Rng) -> bool:
    """Produce the next generation; return whether it is complete."""
    now, costs, later, later_costs, _ = state
    problem, trial, num = work["problem"], work["trial"], len(costs)
    for i in range(num):
        if work["progress"][GENERATION]:
            _cross(trial, now, i, params, problem, rng)
        else:
            draw_anywhere(trial, problem, rng)
        cost = judge(trial, problem, rng)
        _select(i, cost, trial, now, costs, later, later_costs)
        if record_evaluation(work["progress"], trial, cost):
            return i == num - 1
        if params.selection == IN_PLACE:
            replace_individual(i, now, costs, later, later_costs)
    replace_population(now, costs, later, later_costs)
    return True


@inner
def first_refilled(state: Vectors, params: NDDEParams, work: Work, rng: Rng) -> bool:
    """Prepare the groups of a refill, and create worthless individuals."""
    list_groups(work["problem"], state.groups)
    return first_vectors(state, params, work, rng)


@inner
def next_refilled(state: Vectors, params: NDDEParams, work: Work, rng: Rng) -> bool:
    """Produce the next generation with a refill; return whether it is complete."""
    now, costs, later, later_costs, groups = state
    problem, trial, num = work["problem"], work["trial"], len(costs)
    variation = params.variation if work["progress"][GENERATION] else UNIFORM
    for i in range(num):
        if variation == DIFFERENTIAL:
            _cross(trial, now, i, params, problem, rng)
        elif variation == UNIFORM:
            draw_anywhere(trial, problem, rng)
        else:
            for j in range(problem[POSITIONS]):
                trial[j] = now[i, j] if random(rng) <= params.crossover else 0
        if params.refill:
            fill_up(trial, params.refill, groups, problem, rng)
        cost = judge(trial, problem, rng)
        _select(i, cost, trial, now, costs, later, later_costs)
        if record_evaluation(work["progress"], trial, cost):
            return i == num - 1
        if params.selection == IN_PLACE:
            replace_individual(i, now, costs, later, later_costs)
    replace_population(now, costs, later, later_costs)
    return True


@inner(inline=True)
def _select(
    i: int, cost: int, trial: Ints, now: Ints, costs: Ints, later: Ints, later_costs: Ints
) -> None:
    """Put the better of trial and individual i into the next population; the trial wins ties."""
    is_better = cost <= costs[i]
    later_costs[i] = cost if is_better else costs[i]
    for j in range(MAX_POSITIONS):
        later[i, j] = trial[j] if is_better else now[i, j]


@inner(inline=True)
def _cross(trial: Ints, now: Ints, i: int, params: NDDEParams, problem: Problem, rng: Rng) -> None:
    """Build the trial of individual i by equations 9 and 10.

    Every position draws twice, whether or not it needs the numbers: a draw costs less than a
    mispredicted branch.
    """
    num, num_elements = len(now), problem[NUM_ELEMENTS]
    # Three distinct others: each draw skips the earlier ones, in ascending order.
    a = random_below(rng, num - 1)
    a += a >= i
    low, high = min(i, a), max(i, a)
    b = random_below(rng, num - 2)
    b += b >= low
    b += b >= high
    low, middle, high = min(low, b), max(low, min(high, b)), max(high, b)
    c = random_below(rng, num - 3)
    c += c >= low
    c += c >= middle
    c += c >= high
    for j in range(problem[POSITIONS]):
        own, base, plus, minus = now[i, j], now[a, j], now[b, j], now[c, j]
        is_kept = (own != 0) & (random(rng) <= params.crossover)
        anywhere = 1 + random_below(rng, num_elements)
        real = base + params.scale * (plus - minus)
        mutant = int(np.rint(real) if params.rounding == HALF_EVEN else np.floor(real + 0.5))
        if params.out_of_range == CLIP:
            mutant = min(max(mutant, 1), num_elements)
        elif params.out_of_range == REDRAW:
            mutant = anywhere if (mutant < 1) | (mutant > num_elements) else mutant
        else:
            mutant = (mutant - 1) % num_elements + 1
        mutant = mutant if (base != 0) & (plus != 0) & (minus != 0) else anywhere
        trial[j] = own if is_kept else mutant


search_ndde = kernel(
    specialised(
        search_rows, "search_ndde", create_population=first_vectors, next_population=next_vectors
    )
)
search_ndde_refill = kernel(  # apart, since the refill takes long to compile
    specialised(
        search_rows,
        "search_ndde_refill",
        create_population=first_refilled,
        next_population=next_refilled,
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NDDE(PopulationMethod):
    """Discrete DE/rand/1 with binomial crossover, on numbers of elements of S.

    Where the paper is ambiguous there is a parameter; its default is the reading that fits the
    paper's Table 1 best.

    Parameters
    ----------
    scale
        F of Eq. 9, in 0..2.
    crossover
        Cr of Eq. 10, in 0..1: the probability that a position is kept.
    out_of_range
        For a mutant outside 1..NS: ``clip`` to the nearer end, ``redraw`` uniformly, or ``wrap``
        around.
    rounding
        For a mutant half-way between integers, as every second one is with F = 0.5: ``half-even``
        (Python's ``round``) or ``half-up``.
    selection
        ``after-generation``: all trials that are no worse replace their individuals together;
        ``in-place``: immediately, so that later ones of the generation see it.

    Notes
    -----
    There are ``Gmax + 1`` generations, as in the paper's Algorithm 1; see ``strict_generations``.
    Mutation needs three others, so at least four individuals.

    References
    ----------
    .. [1] X. Yan and Y. Li, "A Novel Discrete Differential Evolution with Varying
       Variables for the Deficiency Number of Mahjong Hand", Mathematics 2023, 11,
       2135, section 3.2. doi:10.3390/math11092135

    Examples
    --------
    >>> NDDE(population=3)
    Traceback (most recent call last):
    mjopt.errors.ArgumentError: ndde: population = 3, expected a whole number 4 to 10000
    """

    population: int = number(20, 4, MOST_INDIVIDUALS)
    scale: float = number(0.5, 0.0, 2.0)
    crossover: float = number(0.5, 0.0, 1.0)
    out_of_range: str = choice("clip", BEYOND)
    rounding: str = choice("half-even", ROUNDINGS)
    selection: str = choice("after-generation", SELECTIONS)

    name: ClassVar[str] = "ndde"
    kernels: ClassVar = Kernels(NDDEParams, new_vectors, search_ndde)


@dataclass(frozen=True, slots=True, kw_only=True)
class NDDERefill(NDDE):
    """NDDE that refills the positions emptied by the repair: our improvement.

    The repair empties positions, and NDDE refills them only by chance: the next mutant must hit one
    of the few elements that fit. Here every individual, also of the initial population, is refilled
    after its repair with elements that the remaining tiles allow, and then evaluated. This is still
    one evaluation of Eq. 8 for each individual, but each takes longer: see the CPU times in the
    documentation.

    Notes
    -----
    *Measured:* nine in ten individuals that NDDE evaluates have room for another piece, and two
    positions of five are empty. With the refill, 120 evaluations (10, 10) find the optimum of 99.9
    % of one-type hands, where NDDE finds 41 %, and an evaluation takes about 1.7 times as long. The
    refill explains the whole gain: ``uniform`` does as well as ``differential``, because the
    optimum is then only a few draws away. The refill never loses the optimum: another piece never
    raises the cost of Eq. 8, so some optimum has no room left.

    Examples
    --------
    >>> NDDERefill(refill="some")
    Traceback (most recent call last):
    mjopt.errors.ArgumentError: ndde-refill: refill = 'some', expected one of none, any, ...
    """

    # How empty positions are filled; one of ``REFILLS``. ``none`` is NDDE with the same random
    # numbers.
    refill: str = choice("melds-then-pair", REFILLS)
    # How a trial is made, to measure the effect of the refill: ``differential`` is Eqs. 9 and 10;
    # ``uniform`` redraws every position, so that nothing evolves; ``keep`` keeps each element with
    # probability ``crossover`` and leaves the other positions to the refill.
    variation: str = choice("differential", VARIATIONS)

    name: ClassVar[str] = "ndde-refill"
    kernels: ClassVar = Kernels(NDDEParams, new_vectors, search_ndde_refill)
