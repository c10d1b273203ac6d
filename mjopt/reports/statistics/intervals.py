"""How far a measured share or mean may be from the true one."""

from math import sqrt
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mjopt._internal.validation import as_rng
from mjopt.errors import GameError, StudyError

RESAMPLES = 4_000


class Interval(NamedTuple):
    """Both ends of an interval."""

    low: float
    high: float


def wilson(successes: float, tries: float, *, confidence: float = 0.95) -> Interval:
    """Return Wilson's score interval for a share.

    Parameters
    ----------
    successes
        In ``0..tries``.
    tries
        More than 0; an effective number need not be whole.
    confidence
        Between 0 and 1.

    Raises
    ------
    StudyError
        If no such count can be.

    References
    ----------
    .. [1] E. Wilson (1927), Journal of the American Statistical Association 22, 209-212.

    Examples
    --------
    >>> low, high = wilson(8, 10)
    >>> round(low, 4), round(high, 4)
    (0.4902, 0.9433)
    """
    if not 0 < confidence < 1:
        raise StudyError(f"confidence {confidence}, expected between 0 and 1")
    if tries <= 0 or not 0 <= successes <= tries:
        raise StudyError(f"{successes} of {tries} is no share")
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share = successes / tries
    middle = share + z * z / (2 * tries)
    half = z * sqrt(share * (1 - share) / tries + z * z / (4 * tries * tries))
    scale = 1 + z * z / tries
    # Rounding may leave the share itself, or 0..1, by one unit in the last place.
    low = min(max((middle - half) / scale, 0.0), share) if successes else 0.0
    high = max(min((middle + half) / scale, 1.0), share) if successes < tries else 1.0
    return Interval(low, high)


def wilson_over_hands(per_hand: ArrayLike, runs: ArrayLike, confidence: float = 0.95) -> Interval:
    """Return the interval for the share over hands that might have been drawn instead.

    Runs on one hand are alike: some hands are always solved, some never. So ``runs``
    times as many tries are not as many independent ones. The spread between hands
    says how many they are worth, and Wilson's interval is taken for that number.

    Parameters
    ----------
    per_hand
        Runs that succeeded, one number a hand, shape ``(N,)``. A hand may be whatever tries
        come from together: a game, of which several decisions are tries.
    runs
        Runs of each hand, all as many or each its own number.
    confidence
        Between 0 and 1.

    References
    ----------
    .. [1] L. Kish (1965), Survey Sampling, 6.5: the ratio of two sums over clusters.

    Examples
    --------
    Hands that always or never succeed are worth one try each, however many runs:

    >>> wilson_over_hands([30] * 8 + [0] * 2, 30) == wilson(8, 10)
    True
    """
    right = np.asarray(per_hand, np.float64)
    each = np.broadcast_to(np.asarray(runs, np.float64), right.shape)
    shares = right / each
    weights = each / each.mean()
    share = float((shares * weights).mean())
    between = float((((shares - share) * weights) ** 2).mean())
    within = share * (1 - share)
    # The most cautious: runs of a hand wholly alike.
    worth = float(each.sum() ** 2 / (each**2).sum())
    if between > 0 and within > 0:
        worth = min(float(each.sum()), max(worth, len(shares) * within / between))
    return wilson(share * worth, worth, confidence=confidence)


def bootstrap_mean(
    values: ArrayLike,
    *,
    rng: int | np.random.Generator,
    groups: ArrayLike | None = None,
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
) -> Interval:
    """Return the percentile interval of a mean.

    Quick for values of which few are different: resampling N values with
    replacement is drawing how often each of the different ones comes: a multinomial
    number, whatever N is.

    Parameters
    ----------
    values
        Shape ``(N,)``, at least one.
    rng
        Source of randomness, or a seed.
    groups
        Where each value comes from, shape ``(N,)``: those of a group, alike perhaps, are drawn
        together. Each is one of its own if it is not given.
    confidence
        Between 0 and 1.
    resamples
        How many.

    References
    ----------
    .. [1] B. Efron (1979), The Annals of Statistics 7(1), 1-26.

    Examples
    --------
    >>> low, high = bootstrap_mean([0, 1] * 500, rng=1)
    >>> round(low, 2), round(high, 2)
    (0.47, 0.53)
    >>> low, high = bootstrap_mean([0, 1] * 500, rng=1, groups=[0, 1] * 500)  # two are all
    >>> low, high
    (0.0, 1.0)
    """
    if not 0 < confidence < 1:
        raise GameError(f"confidence {confidence}, expected between 0 and 1")
    sums: NDArray[Any] = np.asarray(values, np.float64)
    sizes: NDArray[Any] = np.ones(len(sums))
    if groups is not None:
        _, place = np.unique(groups, return_inverse=True)
        sums, sizes = np.bincount(place, sums), np.bincount(place)
    different, times = np.unique(np.stack([sums, sizes]), axis=1, return_counts=True)
    number = int(times.sum())
    if not number:
        raise GameError("no values to resample")
    drawn = as_rng(rng).multinomial(number, times / number, size=resamples)
    means = (drawn @ different[0]) / (drawn @ different[1])
    tail = (1 - confidence) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    return Interval(float(low), float(high))
