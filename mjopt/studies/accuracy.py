"""How often a method is right, and how it is wrong where it is not.

A value is **right** if it is the deficiency. One **above** has not been improved far
enough; one **below** is a fault of the paper's cost, which some hands cannot pay for. The
two are counted apart, and nothing is clipped.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt.errors import StudyError
from mjopt.reports.statistics import Interval, wilson

Values = NDArray[Any]  # (R, N): what each run found for each hand
Truth = NDArray[Any]  # (N,): deficiencies


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How many values were right, below and above the deficiency.

    Examples
    --------
    >>> found = Accuracy(right=90, below=2, above=8)
    >>> found.tries, found.share
    (100, 0.9)
    """

    right: int
    below: int
    above: int

    def __post_init__(self) -> None:
        """Refuse negative counts."""
        if min(self.right, self.below, self.above) < 0:
            raise StudyError(f"negative counts: {self}")

    @property
    def tries(self) -> int:
        """Return how many values there were: hands times runs."""
        return self.right + self.below + self.above

    @property
    def share(self) -> float:
        """Return the accuracy, in 0..1."""
        return self.right / self.tries

    def interval(self, confidence: float = 0.95) -> Interval:
        """Return Wilson's interval, all runs pooled."""
        return wilson(self.right, self.tries, confidence=confidence)


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
    """Count as :func:`count_right`, apart for each key that some hand has, keys ascending.

    Examples
    --------
    >>> accuracy_by(np.array([[1, 2, 3]]), np.array([1, 2, 2]), np.array([0, 0, 4]))
    {0: Accuracy(right=2, below=0, above=0), 4: Accuracy(right=0, below=0, above=1)}
    """
    return {
        key: count_right(values[..., keys == key], truth[keys == key])
        for key in np.unique(keys).tolist()
    }


def gap_counts(values: Values, truth: Truth) -> dict[int, int]:
    """Count each signed gap, value less deficiency, that occurs; ascending.

    Examples
    --------
    >>> gap_counts(np.array([[1, 2, 5], [1, 1, 3]]), np.array([1, 2, 3]))
    {-1: 1, 0: 4, 2: 1}
    """
    return how_often(values.astype(np.int16) - truth)


def how_often(keys: NDArray[Any]) -> dict[int, int]:
    """Return how often each of some whole numbers occurs, ascending."""
    known, counts = np.unique(keys, return_counts=True)
    return dict(zip(known.tolist(), counts.tolist(), strict=True))


class Spread(NamedTuple):
    """The runs of a method, as the paper's Tables 3 to 6 give them."""

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
        One a run; at least one.
    higher_is_better
        True for accuracies, false for times. (The paper prints the worst accuracy of
        NDDE under "best".)

    Examples
    --------
    >>> spread([0.5, 1.0])
    Spread(best=1.0, worst=0.5, median=0.75, mean=0.75, sd=0.3535533905932738)
    >>> spread([0.5]).sd is None
    True
    """
    if not len(values):
        raise StudyError("no run to describe")
    array = np.asarray(values, np.float64)
    low, high = float(array.min()), float(array.max())
    same = low == high  # then rounding must not show a mean outside, or a deviation
    mean = low if same else float(array.mean())
    sd = None if len(array) < 2 else 0.0 if same else float(array.std(ddof=1))
    best, worst = (high, low) if higher_is_better else (low, high)
    return Spread(best, worst, float(np.median(array)), mean, sd)


def bins(keys: NDArray[Any], *, most: int = 8) -> tuple[NDArray[np.int64], dict[int, str]]:
    """Put whole numbers into at most so many bins of one round width.

    Returns
    -------
    tuple
        The least number of each key's bin, shape ``(N,)``, and the words for each bin.

    Examples
    --------
    >>> of, words = bins(np.array([3, 4, 12, 19]), most=4)
    >>> of.tolist(), words
    ([0, 0, 10, 15], {0: '0-4', 10: '10-14', 15: '15-19'})
    """
    whole = np.asarray(keys, np.int64)
    low, high = int(whole.min()), int(whole.max())
    width = next(
        width
        for scale in (10**power for power in range(20))
        for width in (scale, 2 * scale, 5 * scale)
        if high // width - low // width < most
    )
    least: NDArray[np.int64] = whole // width * width
    return least, {
        start: str(start) if width == 1 else f"{start}-{start + width - 1}"
        for start in np.unique(least).tolist()
    }
