"""Bootstrap intervals of means, quick for values of which few are different."""

import numpy as np
from numpy.typing import ArrayLike

from mjopt.errors import GameError
from mjopt.reports.statistics.intervals import Interval

RESAMPLES = 4_000


def bootstrap_mean(
    values: ArrayLike,
    *,
    rng: np.random.Generator,
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
) -> Interval:
    """Return the percentile interval of a mean.

    Resampling N values with replacement is drawing how often each of the different ones
    comes: a multinomial number, whatever N is.

    Parameters
    ----------
    values
        Shape ``(N,)``, at least one.
    rng
        Source of randomness.
    confidence
        Between 0 and 1.
    resamples
        How many.

    References
    ----------
    .. [1] B. Efron (1979), The Annals of Statistics 7(1), 1-26.

    Examples
    --------
    >>> low, high = bootstrap_mean([0, 1] * 500, rng=np.random.default_rng(1))
    >>> round(low, 2), round(high, 2)
    (0.47, 0.53)
    """
    if not 0 < confidence < 1:
        raise GameError(f"confidence {confidence}, expected between 0 and 1")
    different, times = np.unique(np.asarray(values, np.float64), return_counts=True)
    number = int(times.sum())
    if not number:
        raise GameError("no values to resample")
    drawn = rng.multinomial(number, times / number, size=resamples)
    means = drawn @ different / number
    tail = (1 - confidence) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    return Interval(float(low), float(high))
