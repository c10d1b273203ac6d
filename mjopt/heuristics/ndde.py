"""NDDE: the discrete differential evolution of Yan and Li, and ours with a refill."""

from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np

from mjopt._internal.jit import inlined, inner, kernel
from mjopt.heuristics._candidates import (
    MAX_POSITIONS,
    NUM_ELEMENTS,
    POSITIONS,
    Ints,
    Problem,
    Rng,
    fill_up,
    judge,
    list_groups,
    new_groups,
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
    Work,
    draw_anywhere,
    initialise,
    record_best,
    record_evaluation,
    replace_individual,
    replace_population,
    start_search,
)
from mjopt.heuristics.population import MOST_INDIVIDUALS, Kernels, PopulationMethod, choice, number

BEYOND: Final = ("clip", "redraw", "wrap")
ROUNDINGS: Final = ("half-even", "half-up")
SELECTIONS: Final = ("in-place", "after-generation")
VARIATIONS: Final = ("differential", "uniform", "keep")
REFILLS: Final = ("none", "any", "melds-first", "melds-then-pair")
"""What empty positions get, by name: nothing; any element that fits; melds as long as one
fits, then pmelds; or melds, then one pair if there is none, then pmelds."""

# Places in ``int_params`` and ``float_params``; the last two int_params are those of the refill.
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
    groups: Ints  # the elements of S by group, for the refill


def new_vectors(population: int) -> Vectors:
    """Return arrays for one population."""
    now = np.zeros((population, MAX_POSITIONS), np.int64)
    costs = np.zeros(population, np.int64)
    return Vectors(now, costs, now.copy(), costs.copy(), new_groups())


@inner
def next_vectors(
    trial: Ints,
    state: Vectors,
    int_params: IntParams,
    float_params: FloatParams,
    problem: Problem,
    progress: Ints,
    rng: Rng,
) -> None:
    """Make one generation."""
    now, costs, later, later_costs, _ = state
    num = len(costs)
    progress[GENERATION] += 1
    for i in range(num):
        cross(trial, now, i, int_params, float_params, problem, rng)
        cost = judge(trial, problem, rng)
        _select(i, cost, trial, now, costs, later, later_costs)
        if record_evaluation(progress, trial, cost):
            progress[COMPLETED] += i == num - 1
            return
        if int_params[SELECTION] == IN_PLACE:
            replace_individual(i, now, costs, later, later_costs)
    replace_population(now, costs, later, later_costs)
    progress[COMPLETED] += 1


@inlined
def _select(
    i: int, cost: int, trial: Ints, now: Ints, costs: Ints, later: Ints, later_costs: Ints
) -> None:
    """Put the trial, or individual i if that is better, into the next population."""
    is_better = cost <= costs[i]
    later_costs[i] = cost if is_better else costs[i]
    for j in range(MAX_POSITIONS):
        later[i, j] = trial[j] if is_better else now[i, j]


@inlined
def cross(
    trial: Ints,
    now: Ints,
    i: int,
    int_params: IntParams,
    float_params: FloatParams,
    problem: Problem,
    rng: Rng,
) -> None:
    """Equations 9 and 10: fill the trial of individual i.

    Every position draws twice, needed or not: a draw costs less than a branch that
    cannot be foreseen.
    """
    num, num_elements = len(now), problem[NUM_ELEMENTS]
    # Three others, distinct: each draw skips those before it, in ascending order.
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
    scale, rate = float_params[SCALE], float_params[CROSSOVER]
    for j in range(problem[POSITIONS]):
        own, base, plus, minus = now[i, j], now[a, j], now[b, j], now[c, j]
        is_kept = (own != 0) & (random(rng) <= rate)
        anywhere = 1 + random_below(rng, num_elements)
        real = base + scale * (plus - minus)
        mutant = int(np.rint(real) if int_params[ROUNDING] == HALF_EVEN else np.floor(real + 0.5))
        if int_params[OUT_OF_RANGE] == CLIP:
            mutant = min(max(mutant, 1), num_elements)
        elif int_params[OUT_OF_RANGE] == REDRAW:
            mutant = anywhere if (mutant < 1) | (mutant > num_elements) else mutant
        else:
            mutant = (mutant - 1) % num_elements + 1
        mutant = mutant if (base != 0) & (plus != 0) & (minus != 0) else anywhere
        trial[j] = own if is_kept else mutant


@inner
def _judge_filled(chosen: Ints, rule: int, groups: Ints, problem: Problem, rng: Rng) -> int:
    """Repair, fill up, and return the cost: one evaluation."""
    cost = judge(chosen, problem, rng)
    if rule:
        fill_up(chosen, rule, groups, problem, rng)
        cost = judge(chosen, problem, rng)  # nothing is left to repair
    return cost


@inner
def first_filled(
    state: Vectors, int_params: IntParams, problem: Problem, progress: Ints, rng: Rng
) -> None:
    """Make an initial population that is filled up."""
    now, costs, _, _, groups = state
    list_groups(problem, groups)
    for i in range(len(costs)):
        draw_anywhere(now[i], problem, rng)
        costs[i] = _judge_filled(now[i], int_params[REFILL], groups, problem, rng)
        if record_evaluation(progress, now[i], costs[i]):
            return


@inner
def next_filled(
    trial: Ints,
    state: Vectors,
    int_params: IntParams,
    float_params: FloatParams,
    problem: Problem,
    progress: Ints,
    rng: Rng,
) -> None:
    """Make one generation with a refill."""
    now, costs, later, later_costs, groups = state
    num = len(costs)
    progress[GENERATION] += 1
    for i in range(num):
        if int_params[VARIATION] == DIFFERENTIAL:
            cross(trial, now, i, int_params, float_params, problem, rng)
        elif int_params[VARIATION] == UNIFORM:
            draw_anywhere(trial, problem, rng)
        else:
            for j in range(problem[POSITIONS]):
                trial[j] = now[i, j] if random(rng) <= float_params[CROSSOVER] else 0
        cost = _judge_filled(trial, int_params[REFILL], groups, problem, rng)
        _select(i, cost, trial, now, costs, later, later_costs)
        if record_evaluation(progress, trial, cost):
            progress[COMPLETED] += i == num - 1
            return
        if int_params[SELECTION] == IN_PLACE:
            replace_individual(i, now, costs, later, later_costs)
    replace_population(now, costs, later, later_costs)
    progress[COMPLETED] += 1


@kernel
def search_ndde(
    counts: Bytes,
    chow_at: Bytes,
    last: int,
    work: Work,
    state: Vectors,
    int_params: IntParams,
    float_params: FloatParams,
    streams: Any,
    progresses: Ints,
    histories: History,
) -> None:
    """Search every row up to a generation, from the one that its progress has reached."""
    problem, progress = work["problem"], work["progress"]
    for row in range(len(counts)):
        rng, history = stream_of(streams, row, work["stream"]), histories[row]
        progress[:] = progresses[row]
        if progress[EVALUATIONS] == 0:
            if start_search(counts[row], chow_at, problem, progress, rng):
                initialise(state.now, state.costs, problem, progress, rng)
            record_best(history, progress)
        while not progress[STOPPED] and progress[GENERATION] < last:
            next_vectors(work["trial"], state, int_params, float_params, problem, progress, rng)
            record_best(history, progress)
        progresses[row] = progress


@kernel
def search_ndde_refill(
    counts: Bytes,
    chow_at: Bytes,
    last: int,
    work: Work,
    state: Vectors,
    int_params: IntParams,
    float_params: FloatParams,
    streams: Any,
    progresses: Ints,
    histories: History,
) -> None:
    """Search every row up to a generation, from the one that its progress has reached."""
    problem, progress = work["problem"], work["progress"]
    for row in range(len(counts)):
        rng, history = stream_of(streams, row, work["stream"]), histories[row]
        progress[:] = progresses[row]
        if progress[EVALUATIONS] == 0:
            if start_search(counts[row], chow_at, problem, progress, rng):
                first_filled(state, int_params, problem, progress, rng)
            record_best(history, progress)
        while not progress[STOPPED] and progress[GENERATION] < last:
            next_filled(work["trial"], state, int_params, float_params, problem, progress, rng)
            record_best(history, progress)
        progresses[row] = progress


@dataclass(frozen=True, slots=True, kw_only=True)
class NDDE(PopulationMethod):
    """A discrete DE/rand/1 with binomial crossover, on numbers of elements of S.

    Everything the paper leaves open is a parameter whose default is the reading that
    fits its Table 1 best.

    Parameters
    ----------
    scale
        F of Eq. 9, in 0..2.
    crossover
        Cr of Eq. 10, in 0..1: the chance that a position is kept.
    out_of_range
        A mutant outside 1..NS: ``clip`` to the nearer end, ``redraw`` uniformly, or
        ``wrap`` around.
    rounding
        Of a mutant that lies half-way, as every second one does with F = 0.5:
        ``half-even`` (Python's ``round``) or ``half-up``.
    selection
        ``after-generation``: trials that are no worse replace their individuals
        together; ``in-place``: at once, and later ones of the generation see it.

    Notes
    -----
    ``Gmax + 1`` generations, as the paper's Algorithm 1 is written; see
    ``strict_generations``. Mutation needs three others, so at least four individuals.

    References
    ----------
    .. [1] X. Yan and Y. Li, "A Novel Discrete Differential Evolution with Varying
       Variables for the Deficiency Number of Mahjong Hand", Mathematics 2023, 11,
       2135, section 3.2. doi:10.3390/math11092135

    Examples
    --------
    >>> NDDE(population=3)
    Traceback (most recent call last):
    mjopt.errors.HeuristicError: ndde: population = 3, expected a whole number 4 to 10000
    """

    population: int = number(20, 4, MOST_INDIVIDUALS)
    scale: float = number(0.5, 0.0, 2.0)
    crossover: float = number(0.5, 0.0, 1.0)
    out_of_range: str = choice("clip", BEYOND)
    rounding: str = choice("half-even", ROUNDINGS)
    selection: str = choice("after-generation", SELECTIONS)

    name: ClassVar[str] = "ndde"
    kernels: ClassVar = Kernels(new_vectors, search_ndde)


@dataclass(frozen=True, slots=True, kw_only=True)
class NDDERefill(NDDE):
    """NDDE, with the positions that the repair leaves empty filled again: our improvement.

    The repair empties positions, and nothing in NDDE fills them but chance: the next
    mutant must hit one of the few elements that fit. Here every individual, the first
    ones too, is filled up after its repair with elements for which tiles are left,
    and judged then. That is still one evaluation of Eq. 8 an individual, though each
    takes longer: see the CPU times in the documentation beside the evaluations.

    Parameters
    ----------
    refill
        What empty positions get; one of ``REFILLS``. ``none`` is NDDE, draw for draw.
    variation
        How a trial is made, to see what the refill owes to it: ``differential`` is
        Eqs. 9 and 10; ``uniform`` draws every position anew, so that nothing evolves;
        ``keep`` keeps each element with the chance ``crossover`` and leaves the other
        positions to the refill.

    Notes
    -----
    *Measured:* nine in ten individuals that NDDE judges have room for one piece more,
    and two positions of five are empty. With the refill, 120 evaluations (10, 10) find
    the optimum of 99.9 % of one-type hands, where NDDE finds 41 %, and an evaluation
    takes about 2.3 times as long. The refill does it all: ``uniform`` does as well as
    ``differential``, for once individuals are filled up, the optimum is a few draws
    away and nothing is left for the evolution to do. It cannot harm: a piece more
    never raises the cost of Eq. 8, so some optimum has no room left.

    Examples
    --------
    >>> NDDERefill(refill="some")
    Traceback (most recent call last):
    mjopt.errors.HeuristicError: ndde-refill: refill = 'some', expected one of none, any, ...
    """

    refill: str = choice("melds-then-pair", REFILLS)
    variation: str = choice("differential", VARIATIONS)

    name: ClassVar[str] = "ndde-refill"
    kernels: ClassVar = Kernels(new_vectors, search_ndde_refill)
