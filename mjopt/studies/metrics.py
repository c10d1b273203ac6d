"""Statistics of raw rows: spread over runs, bins, and evaluations until the true value."""

from collections.abc import Sequence
from math import ceil, inf
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt.errors import ArgumentError

NEVER: Final = -1

BASELINE: Final = "always "
"""Start of the name of a baseline, such as ``always 3``; labels of methods contain no spaces."""


def most_frequent(values: NDArray[np.integer]) -> int:
    """Return the most frequent of some values that are 0 or more; the least of several.

    Examples
    --------
    >>> most_frequent(np.array([3, 1, 3, 1, 2]))
    1
    """
    return int(np.bincount(values).argmax())


def make_bins(
    keys: NDArray[np.integer], *, max_bins: int = 8
) -> tuple[NDArray[np.int64], dict[int, str]]:
    """Put integers into at most ``max_bins`` bins of one round width; return bins and their labels.

    The bin of each key, shape ``(N,)``, is the least number of that bin.

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
    """Return best, worst, median, mean and sample standard deviation over runs, at least one.

    Higher is better for accuracies, lower for times. (The paper prints the worst accuracy of NDDE
    under "best".)

    Examples
    --------
    >>> spread([0.5, 1.0])
    Spread(best=1.0, worst=0.5, median=0.75, mean=0.75, sd=0.3535533905932738)
    >>> spread([0.5]).sd is None
    True
    """
    if not len(values):
        raise ArgumentError("no runs")
    array = np.asarray(values, np.float64)
    low, high = float(array.min()), float(array.max())
    same = low == high  # avoids rounding errors in the mean and the deviation
    mean = low if same else float(array.mean())
    sd = None if len(array) < 2 else 0.0 if same else float(array.std(ddof=1))
    best, worst = (high, low) if higher_is_better else (low, high)
    return Spread(best, worst, float(np.median(array)), mean, sd)


def hit_times(
    values: NDArray[np.integer],
    truth: NDArray[np.integer],
    evaluations: NDArray[np.integer],
    hit_evaluations: NDArray[np.integer],
) -> NDArray[np.int64]:
    """Return the evaluations after which each try had the true value, or -1.

    A run that ends below the deficiency counts as -1. A run that ends right without a recorded hit
    counts as solved at its end.

    Raw rows have shape ``(R, N)``, the true values shape ``(N,)``.
    """
    at = np.where(hit_evaluations >= 0, hit_evaluations, evaluations).astype(np.int64)
    return np.where(values == truth, at, NEVER)


def reached_by(at: NDArray[np.int64], tries: NDArray[np.int64], total: int, share: float) -> float:
    """Return the evaluations after which a share of all tries was solved; infinite if never.

    ``at`` is evaluations, ascending, and ``tries`` the number of tries solved after exactly as
    many; ``total`` counts those never solved, too. The share is in 0..1.

    Examples
    --------
    >>> at, tries = np.array([20, 40]), np.array([1, 2])
    >>> reached_by(at, tries, 4, 0.5), reached_by(at, tries, 4, 0.9)
    (40.0, inf)
    """
    index = int(np.searchsorted(np.cumsum(tries), ceil(share * total)))
    return float(at[index]) if index < len(at) else inf


def quantile_of_tries(values: NDArray[np.float64], share: float) -> float:
    """Return the least value that this share of the values does not exceed."""
    last = ceil(share * values.size) - 1
    return float(np.partition(values, last, axis=None)[last])


def thin_steps(at: NDArray[np.int64], points: int = 400) -> NDArray[np.int64]:
    """Return which of many steps to draw: evenly spaced on a logarithmic scale, both ends kept.

    Examples
    --------
    >>> thin_steps(np.arange(1, 1001), 4).tolist()
    [0, 30, 999]
    """
    if len(at) <= points:
        return np.arange(len(at))
    scale = np.log(np.maximum(at, 1))
    grid = np.linspace(scale[0], scale[-1], points - 1)
    keep = np.searchsorted(scale, grid, side="right") - 1
    keep[-1] = len(at) - 1
    return np.unique(np.concatenate([[0], keep]))
