"""TLBO: teaching-learning-based optimisation."""

from dataclasses import dataclass
from typing import ClassVar

from mjopt.heuristics.population import (
    EMPTIES,
    MOST_INDIVIDUALS,
    YES_OR_NO,
    PopulationMethod,
    choice,
    number,
)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class TLBO(PopulationMethod):
    """Teaching-learning-based optimisation, on numbers of elements of S.

    In the first phase of a generation every learner moves by ``r * (teacher - TF *
    mean)``, where the teacher is the best learner, the mean is that of the class,
    position by position, and TF is 1 or 2; in the second, away from a random other
    learner who is worse or towards one who is not. A move is rounded, clipped to
    1..NS, repaired, and taken if it is better.

    Parameters
    ----------
    empties
        One of ``EMPTIES``. ``redraw-all``: where the learner, or who it learns from,
        has an empty position, the position is drawn anew.
    takes_equal
        Whether a move of equal cost is taken; not so in the original.

    Notes
    -----
    Two evaluations a learner and generation: twice what the others spend. TF is drawn
    for every learner, r for every position; means leave empty positions out; a
    learner's change is seen by those after it. Among the choices the paper leaves
    open these come nearest to its 67.5 % on one type at (20, 50), from above.

    References
    ----------
    .. [1] R. V. Rao, V. J. Savsani and D. P. Vakharia, "Teaching-learning-based
       optimization", Computer-Aided Design 43, 2011, 303-315.

    Examples
    --------
    >>> TLBO(population=1)
    Traceback (most recent call last):
    mjopt.errors.HeuristicError: tlbo: population = 1, expected a whole number 2 to 10000
    """

    population: int = number(20, 2, MOST_INDIVIDUALS)
    empties: str = choice("redraw-all", EMPTIES)
    takes_equal: bool = choice(False, YES_OR_NO)

    name: ClassVar[str] = "tlbo"
    kernels: ClassVar[str] = "_tlbo:TLBO"
