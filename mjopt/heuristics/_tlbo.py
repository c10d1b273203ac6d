"""The kernels of TLBO; a plain twin in the tests says the same."""

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
)
from mjopt.heuristics._rng import Source, integer, random

BORROWS = True  # see mjopt._internal.quick_kernels

REDRAWS_ALL, TAKES_EQUAL = 0, 1  # places in ``knobs``


class Learners(NamedTuple):
    """A class of learners."""

    now: Ints  # (NP, 5)
    costs: Ints  # (NP,)
    means: Reals  # (5,), of the learners who have something there; -1 if none has
    trial: Ints  # (5,)


def new_learners(population: int) -> Learners:
    """Return arrays for one class."""
    return Learners(
        np.zeros((population, MAX_POSITIONS), np.int64),
        np.zeros(population, np.int64),
        np.zeros(MAX_POSITIONS),
        np.zeros(MAX_POSITIONS, np.int64),
    )


@inner
def next_learners(
    state: Learners, knobs: Ints, _rates: Reals, problem: Problem, progress: Ints, source: Source
) -> bool:
    """Teach everyone, then let them learn in pairs; return whether the search stops."""
    now, costs, means, trial = state
    num = len(costs)
    progress[GENERATION] += 1
    _average(means, now)
    teacher = index_of_least(costs)
    for i in range(num):
        _teach(trial, i, teacher, now, means, knobs, problem, source)
        if _settle(trial, i, now, costs, knobs, problem, progress, source):
            return True
    for i in range(num):
        _learn(trial, i, now, costs, knobs, problem, source)
        if _settle(trial, i, now, costs, knobs, problem, progress, source):
            progress[COMPLETED] += i == num - 1
            return True
    progress[COMPLETED] += 1
    return False


@inner
def _average(means: Reals, now: Ints) -> None:
    """Work out the mean of each position, empty ones left out."""
    for j in range(MAX_POSITIONS):
        total = number = 0
        for i in range(len(now)):
            total += now[i, j]
            number += now[i, j] != 0
        means[j] = total / number if number else -1.0


@inner
def _teach(
    trial: Ints,
    i: int,
    teacher: int,
    now: Ints,
    means: Reals,
    knobs: Ints,
    problem: Problem,
    source: Source,
) -> None:
    """Move a learner by the difference between the teacher and the mean."""
    num_elements = problem[NUM_ELEMENTS]
    factor = 1 + integer(source, 2)
    for j in range(problem[POSITIONS]):
        rate, anywhere = random(source), 1 + integer(source, num_elements)
        at, best = now[i, j], now[teacher, j]
        is_whole = (at != 0) & (best != 0)
        at = at if at else anywhere
        step = rate * (best - factor * means[j]) if best and means[j] > 0 else 0.0
        moved = min(max(int(np.rint(at + step)), 1), num_elements)
        trial[j] = moved if is_whole or not knobs[REDRAWS_ALL] else anywhere


@inner
def _learn(
    trial: Ints, i: int, now: Ints, costs: Ints, knobs: Ints, problem: Problem, source: Source
) -> None:
    """Move a learner away from a worse one, or towards one that is no worse."""
    num_elements = problem[NUM_ELEMENTS]
    other = integer(source, len(costs) - 1)
    other += other >= i
    towards = -1 if costs[i] < costs[other] else 1
    for j in range(problem[POSITIONS]):
        rate, anywhere = random(source), 1 + integer(source, num_elements)
        at, theirs = now[i, j], now[other, j]
        is_whole = (at != 0) & (theirs != 0)
        at = at if at else anywhere
        theirs = theirs if theirs else at
        step = towards * rate * (theirs - at)
        moved = min(max(int(np.rint(at + step)), 1), num_elements)
        trial[j] = moved if is_whole or not knobs[REDRAWS_ALL] else anywhere


@inner
def _settle(
    trial: Ints,
    i: int,
    now: Ints,
    costs: Ints,
    knobs: Ints,
    problem: Problem,
    progress: Ints,
    source: Source,
) -> bool:
    """Judge a trial and take it if it is better; return whether the search stops."""
    cost = judge(trial, problem, source)
    if cost < costs[i] or (cost == costs[i] and knobs[TAKES_EQUAL]):
        costs[i] = cost
        for j in range(MAX_POSITIONS):
            now[i, j] = trial[j]
    return note(progress, trial, cost)


TLBO = kernels_of("tlbo", __file__, new_learners, first_members, next_learners)
