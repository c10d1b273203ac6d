"""Confidence intervals of proportions and means."""

from math import sqrt
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from mjopt._internal.sanitize import short_repr
from mjopt._internal.validation import as_floats, as_number, as_rng
from mjopt.errors import ArgumentError
from mjopt.statistics.result import check_sample

CONFIDENCE: Final = 0.95
RESAMPLES: Final = 4_000


class Interval(NamedTuple):
    """Both ends of a confidence interval.

    Examples
    --------
    >>> Interval(0.9, 0.95).low
    0.9
    """

    low: float
    high: float


def wilson(successes: float, tries: float, *, confidence: float = CONFIDENCE) -> Interval:
    """Return Wilson's score interval for a proportion.

    Parameters
    ----------
    successes
        In ``0..tries``.
    tries
        More than 0; an effective sample size need not be an integer.
    confidence
        Between 0 and 1.

    Raises
    ------
    ArgumentError
        If an argument is out of range.

    References
    ----------
    .. [1] E. Wilson (1927), Journal of the American Statistical Association 22, 209-212.

    Examples
    --------
    >>> low, high = wilson(8, 10)
    >>> round(low, 4), round(high, 4)
    (0.4902, 0.9433)
    """
    if not 0 < as_number(confidence, "confidence") < 1:
        raise ArgumentError(
            argument="confidence", value=str(confidence), expected="between 0 and 1"
        )
    if as_number(tries, "tries") <= 0 or not 0 <= as_number(successes, "successes") <= tries:
        raise ArgumentError(
            f"{successes} successes in {tries} tries",
            expected="tries above 0, and no more successes than tries",
        )
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share = successes / tries
    middle = share + z * z / (2 * tries)
    half = z * sqrt(share * (1 - share) / tries + z * z / (4 * tries * tries))
    scale = 1 + z * z / tries
    # Rounding may pass the share itself, or 0..1, by one unit in the last place.
    low = min(max((middle - half) / scale, 0.0), share) if successes else 0.0
    high = max(min((middle + half) / scale, 1.0), share) if successes < tries else 1.0
    return Interval(low, high)


def wilson_clustered(successes: "ArrayLike", tries: "ArrayLike") -> Interval:
    """Return Wilson's 95 % interval for a proportion whose tries come in clusters.

    Runs on one hand are alike: some hands are always solved, some never. The spread between
    clusters gives the effective sample size, from which Wilson's interval is taken.

    Parameters
    ----------
    successes
        Successful tries of each cluster (the runs on a hand, the decisions of a game), shape
        ``(N,)``.
    tries
        Tries of each cluster, one number or shape ``(N,)``.

    References
    ----------
    .. [1] L. Kish (1965), Survey Sampling, 6.5: the ratio of two sums over clusters.

    Examples
    --------
    Hands that always or never succeed count as one try each, whatever the number of runs:

    >>> wilson_clustered([30] * 8 + [0] * 2, 30) == wilson(8, 10)
    True
    """
    right = check_sample(successes)
    sizes = as_floats(tries, "tries", ArgumentError)
    if sizes.shape not in ((), right.shape) or not (sizes > 0).all():
        raise ArgumentError(
            argument="tries", value=short_repr(tries), expected="numbers above 0, one a cluster"
        )
    sizes = np.broadcast_to(sizes, right.shape)
    shares = right / sizes
    weights = sizes / sizes.mean()
    share = float((shares * weights).mean())
    between = float((((shares - share) * weights) ** 2).mean())
    within = share * (1 - share)
    # The lower limit: tries of a cluster are all alike.
    effective = float(sizes.sum() ** 2 / (sizes**2).sum())
    if between > 0 and within > 0:
        effective = min(float(sizes.sum()), max(effective, len(shares) * within / between))
    return wilson(share * effective, effective)


def bootstrap_ratio(
    totals: "ArrayLike", sizes: "ArrayLike", *, rng: int | np.random.Generator
) -> Interval:
    """Return the 95 % bootstrap percentile interval of a ratio of two sums over clusters.

    Parameters
    ----------
    totals
        The total of each cluster, such as the seconds of a block of hands, shape ``(N,)``.
    sizes
        The size of each cluster, above 0, shape ``(N,)``.
    rng
        A generator or a seed.

    Raises
    ------
    ArgumentError
        If there are no clusters, or the shapes differ.

    References
    ----------
    .. [1] B. Efron (1979), The Annals of Statistics 7(1), 1-26.

    Examples
    --------
    >>> low, high = bootstrap_ratio([0, 10] * 50, [10] * 100, rng=1)
    >>> round(low, 2), round(high, 2)
    (0.4, 0.6)
    """
    sums = check_sample(totals)
    counts = as_floats(sizes, "sizes", ArgumentError)
    if counts.shape != sums.shape or not (counts > 0).all():
        raise ArgumentError(
            argument="sizes", value=short_repr(sizes), expected="numbers above 0, one a cluster"
        )
    number = len(sums)
    drawn = as_rng(rng).multinomial(number, np.full(number, 1 / number), size=RESAMPLES)
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile((drawn @ sums) / (drawn @ counts), [tail, 1 - tail])
    return Interval(float(low), float(high))


def bootstrap_mean(values: "ArrayLike", *, rng: int | np.random.Generator) -> Interval:
    """Return the 95 % bootstrap percentile interval of a mean.

    Fast for values of which few are distinct: resampling N values with replacement draws the
    multiplicities of the distinct values from a multinomial distribution, whatever N is.

    Parameters
    ----------
    values
        Shape ``(N,)``, at least one.
    rng
        A generator or a seed.

    Raises
    ------
    ArgumentError
        If there are no values.

    References
    ----------
    .. [1] B. Efron (1979), The Annals of Statistics 7(1), 1-26.

    Examples
    --------
    >>> low, high = bootstrap_mean([0, 1] * 500, rng=1)
    >>> round(low, 2), round(high, 2)
    (0.47, 0.53)
    """
    distinct, counts = np.unique(check_sample(values), return_counts=True)
    number = int(counts.sum())
    drawn = as_rng(rng).multinomial(number, counts / number, size=RESAMPLES)
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile((drawn @ distinct) / number, [tail, 1 - tail])
    return Interval(float(low), float(high))
