"""How large a difference of two sides is, whatever the number of observations."""

from math import inf, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


def variance(values: NDArray[Any]) -> float:
    """Return the sample variance; exactly 0 if all values are the same."""
    # The mean of equal floats may differ from them by rounding.
    return float(values.var(ddof=1)) if np.ptp(values) else 0.0


def cohens_d(first: ArrayLike, second: ArrayLike) -> float:
    """Return the difference of the means in pooled standard deviations.

    Two samples of at least two values each; infinite if the means differ and neither
    sample has spread, 0 if all values are the same.

    References
    ----------
    .. [1] J. Cohen (1988), Statistical Power Analysis for the Behavioral Sciences, 2.2.

    Examples
    --------
    >>> cohens_d([3, 4, 5], [1, 2, 3])
    2.0
    """
    a, b = np.asarray(first, np.float64), np.asarray(second, np.float64)
    pooled = sqrt(((len(a) - 1) * variance(a) + (len(b) - 1) * variance(b)) / (len(a) + len(b) - 2))
    apart = float(a.mean() - b.mean())
    if not pooled:
        return 0.0 if a[0] == b[0] else float(np.copysign(inf, apart))
    return apart / pooled


def hedges_g(first: ArrayLike, second: ArrayLike) -> float:
    """Return Cohen's d made smaller by ``1 - 3 / (4 (m + n) - 9)``, its bias in small samples.

    References
    ----------
    .. [1] L. Hedges (1981), Journal of Educational Statistics 6(2), 107-128.

    Examples
    --------
    >>> hedges_g([3, 4, 5], [1, 2, 3])
    1.6
    """
    size = np.size(first) + np.size(second)
    return cohens_d(first, second) * (1 - 3 / (4 * size - 9))


def vargha_delaney(first: ArrayLike, second: ArrayLike) -> float:
    """Return A12: the chance that a value of the first exceeds one of the second.

    Ties count one half, so 0.5 is no difference.

    References
    ----------
    .. [1] A. Vargha and H. Delaney (2000), Journal of Educational and Behavioral
       Statistics 25(2), 101-132.

    Examples
    --------
    >>> vargha_delaney([1, 2, 3], [2, 2])
    0.5
    """
    from scipy.stats import rankdata  # loads in about half a second

    a, b = np.asarray(first), np.asarray(second)
    ranks = rankdata(np.concatenate([a, b]))[: len(a)].sum()
    return float((ranks - len(a) * (len(a) + 1) / 2) / (len(a) * len(b)))


def cliffs_delta(first: ArrayLike, second: ArrayLike) -> float:
    """Return the share of pairs with the first larger, less that with it smaller.

    Twice A12 less 1; in -1..1.

    References
    ----------
    .. [1] N. Cliff (1993), Psychological Bulletin 114(3), 494-509.

    Examples
    --------
    >>> cliffs_delta([4, 5], [1, 2, 3])
    1.0
    """
    return 2 * vargha_delaney(first, second) - 1


def rank_biserial(differences: ArrayLike) -> float:
    """Return the matched-pairs rank correlation of paired differences.

    The signed-rank sum of the positive differences less that of the negative ones,
    over both together; zero differences are left out, and all zero gives 0.

    References
    ----------
    .. [1] D. Kerby (2014), Comprehensive Psychology 3, 11.IT.3.1.

    Examples
    --------
    >>> rank_biserial([3, 2, -1, 0])
    0.6666666666666666
    """
    from scipy.stats import rankdata

    nonzero = np.asarray(differences, np.float64)
    nonzero = nonzero[nonzero != 0]
    if not len(nonzero):
        return 0.0
    ranks = rankdata(np.abs(nonzero))
    return float((ranks * np.sign(nonzero)).sum() / ranks.sum())
