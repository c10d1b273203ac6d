"""NDDE: the discrete differential evolution of Yan and Li."""

from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np

from mjopt.heuristics.population import PopulationMethod, check_choice, check_range

OUT_OF_RANGE: Final = ("clip", "redraw", "wrap")
ROUNDINGS: Final = ("half-even", "half-up")
SELECTIONS: Final = ("in-place", "after-generation")


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

    scale: float = 0.5
    crossover: float = 0.5
    out_of_range: str = "clip"
    rounding: str = "half-even"
    selection: str = "after-generation"
    repair: str = "pmelds-first-at-random"

    name: ClassVar[str] = "ndde"
    least_population: ClassVar[int] = 4

    def __post_init__(self) -> None:
        """Refuse parameters out of their range."""
        PopulationMethod.__post_init__(self)
        check_range(self, "scale", 0.0, 2.0)
        check_range(self, "crossover", 0.0, 1.0)
        check_choice(self, "out_of_range", OUT_OF_RANGE)
        check_choice(self, "rounding", ROUNDINGS)
        check_choice(self, "selection", SELECTIONS)

    def _kernels(self) -> Any:
        from mjopt.heuristics import _ndde

        return _ndde

    def _state(self) -> tuple[Any, ...]:
        in_place = self.selection == "in-place"
        state = self._kernels().new_state(self.population, in_place=in_place)
        knobs = (OUT_OF_RANGE.index(self.out_of_range), ROUNDINGS.index(self.rounding), in_place)
        return state, np.array(knobs, np.int64), np.array([self.scale, self.crossover])
