"""GA: the genetic algorithm."""

from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np

from mjopt.heuristics.population import PopulationMethod, check_choice, check_range

SCALINGS: Final = ("linear", "inverse")


@dataclass(frozen=True, slots=True, kw_only=True)
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

    crossover: float = 0.8
    mutation: float = 0.01
    scaling: str = "linear"
    redraws_empty: bool = False
    elitist: bool = False
    repair: str = "pmelds-first-at-random"

    name: ClassVar[str] = "ga"

    def __post_init__(self) -> None:
        """Refuse parameters out of their range."""
        PopulationMethod.__post_init__(self)
        check_range(self, "crossover", 0.0, 1.0)
        check_range(self, "mutation", 0.0, 1.0)
        check_choice(self, "scaling", SCALINGS)
        check_choice(self, "redraws_empty", (True, False))
        check_choice(self, "elitist", (True, False))

    def _kernels(self) -> Any:
        from mjopt.heuristics import _ga

        return _ga

    def _state(self) -> tuple[Any, ...]:
        knobs = (SCALINGS.index(self.scaling), self.redraws_empty, self.elitist)
        state = self._kernels().new_state(self.population)
        return state, np.array(knobs, np.int64), np.array([self.crossover, self.mutation])
