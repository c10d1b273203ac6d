"""How much a method spends until it has the true value.

An evaluation is one reading of the cost; a tree search counts its nodes. A run that does
not end at the deficiency never found it: it is not left out, it has spent its budget for
nothing, and so every run has a place in the curves and averages below.
"""

from dataclasses import dataclass
from math import ceil, inf
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt.errors import StudyError

NEVER = -1

Rows = NDArray[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """Evaluations of a method on a set, all runs together."""

    tries: int  # hands times runs
    solved: int  # how many of them ended at the deficiency
    spent: int  # in all, as the runs were made
    until_stopped: int  # had every run stopped once its value was at most the deficiency
    median: float  # until half of all tries were solved; infinite if so many never were
    ninety: float  # until nine tenths were
    unsolved_hands: int  # hands that no run solved: restarts have not helped them

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
        if not 0 <= self.solved <= self.tries or self.tries < 1:
            raise StudyError(f"{self.solved} of {self.tries} tries solved")
        if not 0 <= self.until_stopped <= self.spent:
            raise StudyError(f"{self.until_stopped} of {self.spent} evaluations until stopped")

    @property
    def expected(self) -> float:
        """Return the evaluations a success costs with restarts; infinite without any.

        All evaluations over all successes (ERT), a failed run paying its whole budget.
        """
        return self.until_stopped / self.solved if self.solved else inf

    @property
    def mean_spent(self) -> float:
        """Return the evaluations a run spent."""
        return self.spent / self.tries

    @property
    def mean_until_stopped(self) -> float:
        """Return the evaluations a run would have spent with early stop."""
        return self.until_stopped / self.tries


def hits(values: Rows, truth: Rows, evaluations: Rows, hit_evaluations: Rows) -> NDArray[np.int64]:
    """Return the evaluations after which each try had the true value, or -1.

    A run that ends below the deficiency has not found it. One that ends right but did not
    note when, had it at its end at the latest.

    Parameters
    ----------
    values, evaluations, hit_evaluations
        Raw rows, shape ``(R, N)``.
    truth
        Shape ``(N,)``.
    """
    at = np.where(hit_evaluations >= 0, hit_evaluations, evaluations).astype(np.int64)
    return np.where(values == truth, at, NEVER)


def total_effort(values: Rows, truth: Rows, evaluations: Rows, hit_evaluations: Rows) -> Effort:
    """Add up what the tries spent; the arguments are those of :func:`hits`.

    Examples
    --------
    Two runs on two hands: one is solved after 20 and 40 of 100 evaluations, the other once.

    >>> found = total_effort(np.array([[2, 4], [2, 3]]), np.array([2, 3]),
    ...     np.full((2, 2), 100), np.array([[20, -1], [40, 60]]))
    >>> found.solved, found.spent, found.until_stopped, found.expected, found.median
    (3, 400, 220, 73.33333333333333, 40.0)
    """
    when = hits(values, truth, evaluations, hit_evaluations)
    reached = np.sort(when[when != NEVER])
    stopped = np.where(hit_evaluations >= 0, hit_evaluations, evaluations)
    return Effort(
        tries=when.size,
        solved=len(reached),
        spent=int(evaluations.sum(dtype=np.int64)),
        until_stopped=int(stopped.sum(dtype=np.int64)),
        median=_reached_by(reached, when.size, 0.5),
        ninety=_reached_by(reached, when.size, 0.9),
        unsolved_hands=int(np.count_nonzero((when == NEVER).all(axis=0))),
    )


def _reached_by(reached: NDArray[np.int64], tries: int, share: float) -> float:
    needed = ceil(share * tries)
    return float(reached[needed - 1]) if needed <= len(reached) else inf


class Climb(NamedTuple):
    """The share of tries solved within so many evaluations: an ECDF that need not reach 1."""

    at: NDArray[np.int64]  # evaluations, ascending, shape (P,)
    share: NDArray[np.float64]  # solved by then, ascending, in 0..1, shape (P,)


def climb(when: NDArray[np.int64], *, points: int = 400) -> Climb:
    """Return the ECDF of what :func:`hits` gives, at most so many points.

    Where there are more steps than points, some are left out, evenly in the logarithm;
    the points that stay are exact, and the first and last step always do.

    Examples
    --------
    >>> rise = climb(np.array([5, -1, 5, 9]))
    >>> rise.at.tolist(), rise.share.tolist()
    ([5, 9], [0.5, 0.75])
    """
    at, counts = np.unique(when[when != NEVER], return_counts=True)
    share = np.cumsum(counts) / when.size
    if len(at) > points:
        scale = np.log(np.maximum(at, 1))
        grid = np.linspace(scale[0], scale[-1], points - 1)
        keep = np.searchsorted(scale, grid, side="right") - 1
        keep[-1] = len(at) - 1
        keep = np.unique(np.concatenate([[0], keep]))
        at, share = at[keep], share[keep]
    return Climb(at, share)
