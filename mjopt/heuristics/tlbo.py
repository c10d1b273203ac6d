"""TLBO: teaching-learning-based optimisation."""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from mjopt._internal.jit import inner, kernel, specialised
from mjopt.heuristics._candidates import MAX_POSITIONS, NUM_ELEMENTS, POSITIONS, Ints, judge
from mjopt.heuristics._population_kernels import (
    Reals,
    Work,
    index_of_least,
    initialise,
    record_evaluation,
    search_rows,
)
from mjopt.heuristics._random_streams import random, random_below
from mjopt.heuristics.parameters import YES_OR_NO, choice, number
from mjopt.heuristics.population import EMPTIES, MOST_INDIVIDUALS, Kernels, PopulationMethod
from mjopt.heuristics.seeding import Rng

REDRAW_ALL = EMPTIES.index("redraw-all")


class TLBOParams(NamedTuple):
    """The parameters of ``TLBO`` for the kernel."""

    empties: int
    takes_equal: int


class Learners(NamedTuple):
    """A class of learners."""

    now: Ints  # (NP, 5)
    costs: Ints  # (NP,)
    means: Reals  # (5,), of the learners whose position is not empty; -1 if there is none


def new_learners(population: int) -> Learners:
    """Return arrays for one class of learners."""
    return Learners(
        np.zeros((population, MAX_POSITIONS), np.int64),
        np.zeros(population, np.int64),
        np.zeros(MAX_POSITIONS),
    )


@inner
def next_learners(state: Learners, params: TLBOParams, work: Work, rng: Rng) -> bool:
    """Run the teacher phase, then the learner phase; return whether the generation is complete."""
    now, costs, means = state
    num = len(costs)
    _average(means, now)
    teacher = index_of_least(costs)
    for i in range(num):
        _teach(i, teacher, now, means, params, work, rng)
        if _accept_if_better(i, now, costs, params, work, rng):
            return False
    for i in range(num):
        _learn(i, now, costs, params, work, rng)
        if _accept_if_better(i, now, costs, params, work, rng):
            return i == num - 1
    return True


@inner
def _average(means: Reals, now: Ints) -> None:
    """Compute the mean of each position, without empty ones."""
    for j in range(MAX_POSITIONS):
        total = number = 0
        for i in range(len(now)):
            total += now[i, j]
            number += now[i, j] != 0
        means[j] = total / number if number else -1.0


@inner
def _teach(
    i: int, teacher: int, now: Ints, means: Reals, params: TLBOParams, work: Work, rng: Rng
) -> None:
    """Move a learner by the difference between the teacher and the mean."""
    problem, trial = work["problem"], work["trial"]
    num_elements = problem[NUM_ELEMENTS]
    factor = 1 + random_below(rng, 2)
    for j in range(problem[POSITIONS]):
        rate, anywhere = random(rng), 1 + random_below(rng, num_elements)
        at, best = now[i, j], now[teacher, j]
        is_whole = (at != 0) & (best != 0)
        at = at if at else anywhere
        step = rate * (best - factor * means[j]) if best and means[j] > 0 else 0.0
        moved = min(max(int(np.rint(at + step)), 1), num_elements)
        trial[j] = moved if is_whole or params.empties != REDRAW_ALL else anywhere


@inner
def _learn(i: int, now: Ints, costs: Ints, params: TLBOParams, work: Work, rng: Rng) -> None:
    """Move a learner away from a worse one, or towards one that is no worse."""
    problem, trial = work["problem"], work["trial"]
    num_elements = problem[NUM_ELEMENTS]
    other = random_below(rng, len(costs) - 1)
    other += other >= i
    towards = -1 if costs[i] < costs[other] else 1
    for j in range(problem[POSITIONS]):
        rate, anywhere = random(rng), 1 + random_below(rng, num_elements)
        at, theirs = now[i, j], now[other, j]
        is_whole = (at != 0) & (theirs != 0)
        at = at if at else anywhere
        theirs = theirs if theirs else at
        step = towards * rate * (theirs - at)
        moved = min(max(int(np.rint(at + step)), 1), num_elements)
        trial[j] = moved if is_whole or params.empties != REDRAW_ALL else anywhere


@inner
def _accept_if_better(
    i: int, now: Ints, costs: Ints, params: TLBOParams, work: Work, rng: Rng
) -> bool:
    """Evaluate the trial and accept it if it is better; return whether the search stops."""
    trial = work["trial"]
    cost = judge(trial, work["problem"], rng)
    if cost < costs[i] or (cost == costs[i] and params.takes_equal):
        costs[i] = cost
        for j in range(MAX_POSITIONS):
            now[i, j] = trial[j]
    return record_evaluation(work["progress"], trial, cost)


search_tlbo = kernel(
    specialised(
        search_rows, "search_tlbo", create_population=initialise, next_population=next_learners
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TLBO(PopulationMethod):
    """Teaching-learning-based optimisation, on numbers of elements of S.

    In the teacher phase of a generation every learner moves by ``r * (teacher - TF * mean)``, where
    the teacher is the best learner, the mean is that of the class, position by position, and TF is
    1 or 2. In the learner phase it moves away from a random worse learner or towards one that is no
    worse. A move is rounded, clipped to 1..NS, repaired, and accepted if it is better.

    Parameters
    ----------
    empties
        One of ``EMPTIES``. ``redraw-all``: where the learner or its partner has an empty position,
        the position is redrawn.
    takes_equal
        Whether a move of equal cost is accepted; no in the original.

    Notes
    -----
    Two evaluations for each learner and generation: twice the budget of the other methods. TF is
    drawn for every learner and r for every position; means exclude empty positions; a learner's
    change is visible to the learners after it. Of the choices the paper leaves open, these come
    nearest to its 67.5 % on one type at (20, 50), from above.

    References
    ----------
    .. [1] R. V. Rao, V. J. Savsani and D. P. Vakharia, "Teaching-learning-based
       optimization", Computer-Aided Design 43, 2011, 303-315.

    Examples
    --------
    >>> TLBO(population=1)
    Traceback (most recent call last):
    mjopt.errors.ArgumentError: tlbo: population = 1, expected a whole number 2 to 10000
    """

    population: int = number(20, 2, MOST_INDIVIDUALS)
    empties: str = choice("redraw-all", EMPTIES)
    takes_equal: bool = choice(False, YES_OR_NO)

    name: ClassVar[str] = "tlbo"
    kernels: ClassVar = Kernels(TLBOParams, new_learners, search_tlbo)
