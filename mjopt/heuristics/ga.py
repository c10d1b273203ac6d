"""GA: the genetic algorithm."""

from dataclasses import dataclass
from typing import ClassVar, Final

from mjopt.heuristics.population import YES_OR_NO, PopulationMethod, choice, number

SCALINGS: Final = ("linear", "inverse")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GA(PopulationMethod):
    """The genetic algorithm, on numbers of elements of S.

    Every generation gives each individual a chance to be a parent in proportion to
    its fitness, crosses pairs of parents at one point into two children, and mutates
    their positions. The children, repaired, are the next population.

    Parameters
    ----------
    crossover
        The chance that a pair is crossed rather than copied, in 0..1.
    mutation
        The chance that a position is drawn anew, uniformly over 1..NS, in 0..1.
    scaling
        Fitness from cost: ``linear`` is ``worst cost of the population + 1 - cost``,
        ``inverse`` is ``1 / (1 + cost)``.
    redraws_empty
        Draw every empty position of a child anew. This is not part of the standard
        form, and does wonders: repair then cannot drain a population.
    elitist
        The best parent takes the place of the worst child.

    Notes
    -----
    The paper says only that selection probabilities are computed for each individual
    in every generation; among the usual constants these come nearest to its 43 % on
    one type at (20, 50).

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
    kernels: ClassVar[str] = "_ga:GA"
