"""PSO: particle swarm optimisation."""

from dataclasses import dataclass
from typing import ClassVar

from mjopt.heuristics.population import EMPTIES, YES_OR_NO, PopulationMethod, choice, number


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PSO(PopulationMethod):
    """Particle swarm optimisation, on numbers of elements of S.

    A particle moves, position by position, by ``speed = inertia * speed + cognitive *
    r1 * (own best - x) + social * r2 * (best of all - x)`` with r1 and r2 uniform, the
    speed is cut to ``max_speed * NS`` either way, and the new x is rounded and clipped
    to 1..NS. The particle is then repaired and judged.

    Parameters
    ----------
    inertia
        Weight of the old speed, in 0..2. The original has 1; with it a swarm that is
        kept whole by the encoding seldom settles, and finds less than half.
    cognitive, social
        Pull of the particle's own best and of the best of all, in 0..10; both 2 in
        the original.
    max_speed
        As a part of NS, in 0..10.
    empties
        One of ``EMPTIES``. ``redraw``: an empty position starts from a uniform
        element, and an empty best does not pull.
    takes_equal
        Whether an equal cost replaces a particle's own best; not so in the original.

    Notes
    -----
    The first speeds are uniform over what is allowed. The best of all is updated as
    soon as it is found, and only by a lower cost. The paper names no constants:
    among the usual ones these come nearest to its 81 % on one type at (20, 50).

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
    mjopt.errors.HeuristicError: pso: inertia = -1.0, expected 0.0 to 2.0
    """

    inertia: float = number(0.7, 0.0, 2.0)
    cognitive: float = number(2.0, 0.0, 10.0)
    social: float = number(2.0, 0.0, 10.0)
    max_speed: float = number(0.25, 0.0, 10.0)
    empties: str = choice("redraw", EMPTIES)
    takes_equal: bool = choice(False, YES_OR_NO)

    name: ClassVar[str] = "pso"
    kernels: ClassVar[str] = "_pso:PSO"
