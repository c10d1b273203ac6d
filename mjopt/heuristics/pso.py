"""PSO: particle swarm optimisation."""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from mjopt._internal.jit import inner, kernel, specialised
from mjopt.heuristics._candidates import MAX_POSITIONS, NUM_ELEMENTS, POSITIONS, Ints, judge
from mjopt.heuristics._population_kernels import (
    BEST_CHOICE,
    STOPPED,
    Reals,
    Work,
    initialise,
    record_evaluation,
    search_rows,
)
from mjopt.heuristics._random_streams import random, random_below
from mjopt.heuristics.parameters import YES_OR_NO, choice, number
from mjopt.heuristics.population import EMPTIES, Kernels, PopulationMethod
from mjopt.heuristics.seeding import Rng

REDRAW_ALL = EMPTIES.index("redraw-all")


class PSOParams(NamedTuple):
    """The parameters of ``PSO`` for the kernel."""

    inertia: float
    cognitive: float
    social: float
    max_speed: float
    empties: int
    takes_equal: int


class Swarm(NamedTuple):
    """A swarm; the progress holds the global best."""

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
def first_swarm(state: Swarm, params: PSOParams, work: Work, rng: Rng) -> bool:
    """Initialise positions and speeds of the swarm."""
    now, _, bests, speeds = state
    problem = work["problem"]
    initialise(state, params, work, rng)
    if work["progress"][STOPPED]:
        return True
    most = params.max_speed * problem[NUM_ELEMENTS]
    for i in range(len(now)):
        for j in range(MAX_POSITIONS):
            bests[i, j] = now[i, j]
            speeds[i, j] = 0.0
        for j in range(problem[POSITIONS]):
            speeds[i, j] = most * (2.0 * random(rng) - 1.0)
    return True


@inner
def next_swarm(state: Swarm, params: PSOParams, work: Work, rng: Rng) -> bool:
    """Move every particle once; return whether the generation is complete."""
    now, costs, bests, speeds = state
    problem, progress = work["problem"], work["progress"]
    num, num_elements = len(costs), problem[NUM_ELEMENTS]
    most = params.max_speed * num_elements
    for i in range(num):
        for j in range(problem[POSITIONS]):
            to_own, to_all = random(rng), random(rng)
            anywhere = 1 + random_below(rng, num_elements)
            own, leader = bests[i, j], progress[BEST_CHOICE + j]
            is_whole = (now[i, j] != 0) & (own != 0) & (leader != 0)
            at = now[i, j] if now[i, j] else anywhere
            own = own if own else at
            leader = leader if leader else at
            speed = params.inertia * speeds[i, j]
            speed += params.cognitive * to_own * (own - at)
            speed += params.social * to_all * (leader - at)
            speed = min(max(speed, -most), most)
            speeds[i, j] = speed
            moved = min(max(int(np.rint(at + speed)), 1), num_elements)
            now[i, j] = moved if is_whole or params.empties != REDRAW_ALL else anywhere
        cost = judge(now[i], problem, rng)
        if cost < costs[i] or (cost == costs[i] and params.takes_equal):
            costs[i] = cost
            for j in range(MAX_POSITIONS):
                bests[i, j] = now[i, j]
        if record_evaluation(progress, now[i], cost):
            return i == num - 1
    return True


search_pso = kernel(
    specialised(
        search_rows, "search_pso", create_population=first_swarm, next_population=next_swarm
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PSO(PopulationMethod):
    """Particle swarm optimisation, on numbers of elements of S.

    A particle moves, position by position, by ``speed = inertia * speed + cognitive * r1 * (own
    best - x) + social * r2 * (best of all - x)`` with r1 and r2 uniform. The speed is clipped to
    ``max_speed * NS`` in both directions, and the new x is rounded and clipped to 1..NS. The
    particle is then repaired and evaluated.

    Parameters
    ----------
    inertia
        Weight of the old speed, in 0..2. The original has 1; with 1 a
        swarm of whole numbers seldom converges, and finds less than half.
    cognitive, social
        Pull of the personal best and of the global best, in 0..10; both 2 in the original.
    max_speed
        As a share of NS, in 0..10.
    empties
        One of ``EMPTIES``. ``redraw``: an empty position starts from a uniform element, and an
        empty best has no pull.
    takes_equal
        Whether an equal cost replaces a personal best; no in the original.

    Notes
    -----
    The initial speeds are uniform over the allowed range. The global best is updated immediately,
    and only by a lower cost. The paper names no constants: of the usual ones, these come nearest to
    its 81 % on one type at (20, 50).

    References
    ----------
    .. [1] J. Kennedy and R. Eberhart, "Particle Swarm Optimization", Proc. IEEE
       International Conference on Neural Networks, 1995, 1942-1948.
    .. [2] Y. Shi and R. Eberhart, "A Modified Particle Swarm Optimizer", Proc. IEEE
       International Conference on Evolutionary Computation, 1998, 69-73 (the inertia).

    Examples
    --------
    >>> PSO(inertia=-1.0)
    Traceback (most recent call last):
    mjopt.errors.ArgumentError: pso: inertia = -1.0, expected 0.0 to 2.0
    """

    inertia: float = number(0.7, 0.0, 2.0)
    cognitive: float = number(2.0, 0.0, 10.0)
    social: float = number(2.0, 0.0, 10.0)
    max_speed: float = number(0.25, 0.0, 10.0)
    empties: str = choice("redraw", EMPTIES)
    takes_equal: bool = choice(False, YES_OR_NO)

    name: ClassVar[str] = "pso"
    kernels: ClassVar = Kernels(PSOParams, new_swarm, search_pso)
