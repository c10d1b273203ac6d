"""Accuracy and evaluation counts of a method from its raw rows.

A value is **right** if it equals the deficiency. For a value **above** it, the search has not
improved enough. A value **below** it is an error of the paper's cost, which some hands
cannot reach. The two kinds of error are counted separately.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, inf
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt.errors import StudyError
from mjopt.statistics import Interval, wilson

Values = NDArray[Any]  # (R, N): the value of each run for each hand
Truth = NDArray[Any]  # (N,): deficiencies

NEVER: Final = -1


@dataclass(frozen=True, slots=True)
class Accuracy:
    """The number of values that are right, below and above the deficiency.

    Examples
    --------
    >>> accuracy = Accuracy(right=90, below=2, above=8)
    >>> accuracy.tries, accuracy.share
    (100, 0.9)
    """

    right: int
    below: int
    above: int

    def __post_init__(self) -> None:
        """Validate the counts."""
        if min(self.right, self.below, self.above) < 0:
            raise StudyError(f"negative counts: {self}")

    @property
    def tries(self) -> int:
        """The number of values: hands times runs."""
        return self.right + self.below + self.above

    @property
    def share(self) -> float:
        """The accuracy, in 0..1."""
        return self.right / self.tries

    def interval(self) -> Interval:
        """Return Wilson's 95 % interval over all runs."""
        return wilson(self.right, self.tries)


def count_right(values: Values, truth: Truth) -> Accuracy:
    """Count the values that are right, below and above.

    Parameters
    ----------
    values
        Shape ``(R, N)`` or ``(N,)``: runs by hands.
    truth
        Shape ``(N,)``.

    Examples
    --------
    >>> count_right(np.array([[1, 2, 3], [1, 2, 2]]), np.array([1, 2, 3]))
    Accuracy(right=5, below=1, above=0)
    """
    right = int(np.count_nonzero(values == truth))
    below = int(np.count_nonzero(values < truth))
    return Accuracy(right, below, values.size - right - below)


def accuracy_by(values: Values, truth: Truth, keys: NDArray[Any]) -> dict[int, Accuracy]:
    """Count as :func:`count_right` for each key separately, keys ascending.

    Examples
    --------
    >>> accuracy_by(np.array([[1, 2, 3]]), np.array([1, 2, 2]), np.array([0, 0, 4]))
    {0: Accuracy(right=2, below=0, above=0), 4: Accuracy(right=0, below=0, above=1)}
    """
    return {
        key: count_right(values[..., keys == key], truth[keys == key])
        for key in np.unique(keys).tolist()
    }


def count_values(keys: NDArray[Any]) -> dict[int, int]:
    """Count each integer that occurs, ascending.

    Examples
    --------
    >>> count_values(np.array([[2, -1], [2, 0]]))
    {-1: 1, 0: 1, 2: 2}
    """
    values, counts = np.unique(keys, return_counts=True)
    return dict(zip(values.tolist(), counts.tolist(), strict=True))


def make_bins(keys: NDArray[Any], *, max_bins: int = 8) -> tuple[NDArray[np.int64], dict[int, str]]:
    """Put integers into at most ``max_bins`` bins of one round width.

    Returns
    -------
    tuple
        The least number of each key's bin, shape ``(N,)``, and the label of each bin.

    Examples
    --------
    >>> bin_of, labels = make_bins(np.array([3, 4, 12, 19]), max_bins=4)
    >>> bin_of.tolist(), labels
    ([0, 0, 10, 15], {0: '0-4', 10: '10-14', 15: '15-19'})
    """
    values = np.asarray(keys, np.int64)
    low, high = int(values.min()), int(values.max())
    width = next(
        width
        for scale in (10**power for power in range(20))
        for width in (scale, 2 * scale, 5 * scale)
        if high // width - low // width < max_bins
    )
    least: NDArray[np.int64] = values // width * width
    return least, {
        start: str(start) if width == 1 else f"{start}-{start + width - 1}"
        for start in np.unique(least).tolist()
    }


class Spread(NamedTuple):
    """A statistic over the runs of a method, as in the paper's Tables 3 to 6."""

    best: float
    worst: float
    median: float
    mean: float
    sd: float | None  # None for a single run


def spread(values: Sequence[float], *, higher_is_better: bool = True) -> Spread:
    """Return best, worst, median, mean and sample standard deviation over runs.

    Parameters
    ----------
    values
        One for each run; at least one.
    higher_is_better
        True for accuracies, false for times. (The paper prints the worst accuracy of NDDE
        under "best".)

    Examples
    --------
    >>> spread([0.5, 1.0])
    Spread(best=1.0, worst=0.5, median=0.75, mean=0.75, sd=0.3535533905932738)
    >>> spread([0.5]).sd is None
    True
    """
    if not len(values):
        raise StudyError("no runs")
    array = np.asarray(values, np.float64)
    low, high = float(array.min()), float(array.max())
    same = low == high  # avoids rounding errors in the mean and the deviation
    mean = low if same else float(array.mean())
    sd = None if len(array) < 2 else 0.0 if same else float(array.std(ddof=1))
    best, worst = (high, low) if higher_is_better else (low, high)
    return Spread(best, worst, float(np.median(array)), mean, sd)


# Evaluations --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationCounts:
    """Evaluations of a method on a set, over all runs.

    An evaluation is one computation of the cost; tree search counts its nodes. A run that does
    not end at the deficiency is a failure that has spent its whole budget.
    """

    tries: int  # hands times runs
    solved: int  # tries that ended at the deficiency
    total: int
    until_stopped: int  # total if every run had stopped when its value was at most the deficiency
    median: float  # until half of all tries were solved; infinite if that never happened
    ninety: float  # until nine tenths were
    unsolved_hands: int  # hands that no run solved

    @property
    def expected(self) -> float:
        """Expected running time with restarts (ERT): evaluations per success; may be infinite."""
        return self.until_stopped / self.solved if self.solved else inf

    @property
    def mean(self) -> float:
        """Mean evaluations of a run."""
        return self.total / self.tries

    @property
    def mean_until_stopped(self) -> float:
        """Mean evaluations of a run with early stop."""
        return self.until_stopped / self.tries


def hit_times(
    values: Values, truth: Truth, evaluations: Values, hit_evaluations: Values
) -> NDArray[np.int64]:
    """Return the evaluations after which each try had the true value, or -1.

    A run that ends below the deficiency counts as -1. A run that ends right without a recorded hit
    counts as solved at its end.

    Parameters
    ----------
    values, evaluations, hit_evaluations
        Raw rows, shape ``(R, N)``.
    truth
        Shape ``(N,)``.
    """
    at = np.where(hit_evaluations >= 0, hit_evaluations, evaluations).astype(np.int64)
    return np.where(values == truth, at, NEVER)


def count_evaluations(
    values: Values, truth: Truth, evaluations: Values, hit_evaluations: Values
) -> EvaluationCounts:
    """Sum up the evaluations of all tries; the arguments are those of :func:`hit_times`.

    Examples
    --------
    Two runs on two hands: one is solved after 20 and 40 of 100 evaluations, the other once.

    >>> counts = count_evaluations(np.array([[2, 4], [2, 3]]), np.array([2, 3]),
    ...     np.full((2, 2), 100), np.array([[20, -1], [40, 60]]))
    >>> counts.solved, counts.total, counts.until_stopped, counts.expected, counts.median
    (3, 400, 220, 73.33333333333333, 40.0)
    """
    times = hit_times(values, truth, evaluations, hit_evaluations)
    is_solved = times != NEVER
    stopped = np.where(hit_evaluations >= 0, hit_evaluations, evaluations)
    until_solved = np.where(is_solved, times, inf)
    return EvaluationCounts(
        tries=times.size,
        solved=int(np.count_nonzero(is_solved)),
        total=int(evaluations.sum(dtype=np.int64)),
        until_stopped=int(stopped.sum(dtype=np.int64)),
        median=_reached_by(until_solved, 0.5),
        ninety=_reached_by(until_solved, 0.9),
        unsolved_hands=int(np.count_nonzero(~is_solved.any(axis=0))),
    )


def _reached_by(values: NDArray[np.float64], share: float) -> float:
    """Return the least value that this share of the values does not exceed."""
    last = ceil(share * values.size) - 1
    return float(np.partition(values, last, axis=None)[last])


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofTimes:
    """CPU seconds until the best value of a try meets the certified lower bound.

    A try that does not end at the deficiency is not proved. Its time is infinite.
    """

    tries: int  # certified hands times runs
    proved: int  # tries whose value met the bound
    # One processor: the search until its value is the deficiency, and then the certificate.
    median: float  # until half of all tries were proved
    ninety_five: float  # until 95 % of all tries were
    # Two processors, the search on one and the certificate on the other: the longer of the two.
    median_parallel: float
    ninety_five_parallel: float

    @property
    def share(self) -> float:
        """The share of tries that were proved."""
        return self.proved / self.tries


def proof_times(
    hits: NDArray[np.int64],
    certificate_seconds: NDArray[np.float64],
    *,
    seconds_per_evaluation: float,
) -> ProofTimes | None:
    """Return the times to proof of all tries on certified hands; None if there are none.

    Parameters
    ----------
    hits
        The times of :func:`hit_times`, shape ``(R, N)``.
    certificate_seconds
        CPU seconds of the certificate of each hand, NaN without one, shape ``(N,)``.
    seconds_per_evaluation
        CPU seconds of an evaluation, on average.

    Examples
    --------
    >>> hits, certificates = np.array([[20, -1], [40, 60]]), np.array([0.01, 0.05])
    >>> times = proof_times(hits, certificates, seconds_per_evaluation=0.001)
    >>> times.share, times.median, times.median_parallel, times.ninety_five
    (0.75, 0.05, 0.04, inf)
    """
    is_certified = ~np.isnan(certificate_seconds)
    if not is_certified.any():
        return None
    hits, proofs = hits[:, is_certified], certificate_seconds[is_certified]
    searches = np.where(hits == NEVER, inf, hits * seconds_per_evaluation)
    one_processor, two_processors = searches + proofs, np.maximum(searches, proofs)
    return ProofTimes(
        tries=hits.size,
        proved=int(np.count_nonzero(hits != NEVER)),
        median=_reached_by(one_processor, 0.5),
        ninety_five=_reached_by(one_processor, 0.95),
        median_parallel=_reached_by(two_processors, 0.5),
        ninety_five_parallel=_reached_by(two_processors, 0.95),
    )


class Ecdf(NamedTuple):
    """The share of tries solved within a number of evaluations; it need not reach 1."""

    at: NDArray[np.int64]  # evaluations, ascending, shape (P,)
    share: NDArray[np.float64]  # share solved within that number, ascending, in 0..1, shape (P,)


def ecdf(times: NDArray[np.int64], *, points: int = 400) -> Ecdf:
    """Return the empirical distribution of :func:`hit_times`, thinned to ``points`` points.

    The points are spaced evenly on a logarithmic scale; the first and last step stay.

    Examples
    --------
    >>> curve = ecdf(np.array([5, -1, 5, 9]))
    >>> curve.at.tolist(), curve.share.tolist()
    ([5, 9], [0.5, 0.75])
    """
    at, counts = np.unique(times[times != NEVER], return_counts=True)
    share = np.cumsum(counts) / times.size
    if len(at) > points:
        scale = np.log(np.maximum(at, 1))
        grid = np.linspace(scale[0], scale[-1], points - 1)
        keep = np.searchsorted(scale, grid, side="right") - 1
        keep[-1] = len(at) - 1
        keep = np.unique(np.concatenate([[0], keep]))
        at, share = at[keep], share[keep]
    return Ecdf(at, share)
