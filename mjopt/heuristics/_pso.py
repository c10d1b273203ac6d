"""The kernels of PSO; a plain twin in the tests says the same."""

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
    BEST_CHOICE,
    COMPLETED,
    GENERATION,
    Reals,
    initialise,
    kernels_of,
    note,
)
from mjopt.heuristics._rng import Source, integer, random

BORROWS = True  # see mjopt._internal.quick_kernels

# Places in ``knobs`` and ``rates``.
REDRAWS_ALL, TAKES_EQUAL = 0, 1
INERTIA, COGNITIVE, SOCIAL, MAX_SPEED = 0, 1, 2, 3


class Swarm(NamedTuple):
    """A swarm; the best of all is in the progress."""

    now: Ints  # (NP, 5)
    costs: Ints  # (NP,), of the personal bests
    bests: Ints  # (NP, 5), personal
    speeds: Reals  # (NP, 5)


def new_swarm(population: int) -> Swarm:
    """Return arrays for one swarm."""
    shape = (population, MAX_POSITIONS)
    return Swarm(
        np.zeros(shape, np.int64),
        np.zeros(population, np.int64),
        np.zeros(shape, np.int64),
        np.zeros(shape),
    )


@inner
def first_swarm(
    state: Swarm, _knobs: Ints, rates: Reals, problem: Problem, progress: Ints, source: Source
) -> bool:
    """Place the swarm, with speeds; return whether the search stops."""
    now, costs, bests, speeds = state
    if initialise(now, costs, problem, progress, source):
        return True
    most = rates[MAX_SPEED] * problem[NUM_ELEMENTS]
    for i in range(len(costs)):
        for j in range(MAX_POSITIONS):
            bests[i, j] = now[i, j]
            speeds[i, j] = 0.0
        for j in range(problem[POSITIONS]):
            speeds[i, j] = most * (2.0 * random(source) - 1.0)
    return False


@inner
def next_swarm(
    state: Swarm, knobs: Ints, rates: Reals, problem: Problem, progress: Ints, source: Source
) -> bool:
    """Move every particle once; return whether the search stops within it."""
    now, costs, bests, speeds = state
    num, num_elements = len(costs), problem[NUM_ELEMENTS]
    most = rates[MAX_SPEED] * num_elements
    progress[GENERATION] += 1
    for i in range(num):
        for j in range(problem[POSITIONS]):
            to_own, to_all = random(source), random(source)
            anywhere = 1 + integer(source, num_elements)
            own, leader = bests[i, j], progress[BEST_CHOICE + j]
            is_whole = (now[i, j] != 0) & (own != 0) & (leader != 0)
            at = now[i, j] if now[i, j] else anywhere
            own = own if own else at
            leader = leader if leader else at
            speed = rates[INERTIA] * speeds[i, j]
            speed += rates[COGNITIVE] * to_own * (own - at)
            speed += rates[SOCIAL] * to_all * (leader - at)
            speed = min(max(speed, -most), most)
            speeds[i, j] = speed
            moved = min(max(int(np.rint(at + speed)), 1), num_elements)
            now[i, j] = moved if is_whole or not knobs[REDRAWS_ALL] else anywhere
        cost = judge(now[i], problem, source)
        if cost < costs[i] or (cost == costs[i] and knobs[TAKES_EQUAL]):
            costs[i] = cost
            for j in range(MAX_POSITIONS):
                bests[i, j] = now[i, j]
        if note(progress, now[i], cost):
            progress[COMPLETED] += i == num - 1
            return True
    progress[COMPLETED] += 1
    return False


PSO = kernels_of("pso", __file__, new_swarm, first_swarm, next_swarm)
