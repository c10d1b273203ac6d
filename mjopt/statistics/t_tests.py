"""t-tests of two samples, with their effect sizes."""

from functools import partial
from math import copysign, inf, sqrt
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mjopt._internal.validation import as_number, pick
from mjopt.errors import ArgumentError
from mjopt.statistics.result import (
    ALL_TIED,
    NO_SPREAD,
    TOO_FEW_RUNS,
    Pair,
    TestResult,
    check_samples,
    direction_of,
    scipy_stats,
)

T_TESTS: Final = {"welch": "Welch t-test", "pooled": "Student t-test", "paired": "paired t-test"}


def _variance(values: NDArray[np.generic]) -> float:
    """Return the sample variance, exactly 0 if all values are equal."""
    # The mean of equal floats may differ from them by rounding.
    return float(values.var(ddof=1)) if np.ptp(values) else 0.0


def cohens_d(first: "ArrayLike", second: "ArrayLike") -> float:
    """Return the difference of two means in pooled standard deviations.

    Parameters
    ----------
    first, second
        Samples of at least two values each.

    Returns
    -------
    float
        Infinite if the means differ and neither sample has spread; 0 if all values are equal.

    References
    ----------
    .. [1] J. Cohen (1988), Statistical Power Analysis for the Behavioral Sciences, 2.2.

    Examples
    --------
    >>> cohens_d([3, 4, 5], [1, 2, 3])
    2.0
    """
    a, b, _ = check_samples(first, second)
    m, n = len(a), len(b)
    if min(m, n) < 2:
        raise ArgumentError(
            f"samples of {m} and {n} values", expected="at least two values in each"
        )
    pooled = sqrt(((m - 1) * _variance(a) + (n - 1) * _variance(b)) / (m + n - 2))
    difference = float(a.mean() - b.mean())
    if not pooled:
        return 0.0 if a[0] == b[0] else copysign(inf, difference)
    return difference / pooled


def hedges_g(first: "ArrayLike", second: "ArrayLike") -> float:
    """Return Cohen's d times ``1 - 3 / (4 (m + n) - 9)``, which corrects small-sample bias.

    References
    ----------
    .. [1] L. Hedges (1981), Journal of Educational Statistics 6(2), 107-128.

    Examples
    --------
    >>> hedges_g([3, 4, 5], [1, 2, 3])
    1.6
    """
    a, b, _ = check_samples(first, second)
    return cohens_d(a, b) * (1 - 3 / (4 * (len(a) + len(b)) - 9))


def t_test(
    first: "ArrayLike",
    second: "ArrayLike",
    *,
    kind: Literal["welch", "pooled", "paired"] = "welch",
    names: Pair = ("first", "second"),
) -> TestResult:
    """Test whether two means differ, two-sided.

    Parameters
    ----------
    first, second
        One value a run, such as accuracies; of equal length if paired.
    kind
        ``welch`` (unequal variances), ``pooled`` (Student's, the source of the paper's
        p-values) or ``paired``.
    names
        Names of the samples for the result.

    Returns
    -------
    TestResult
        The effect is Hedges' g, for pairs that of the differences against 0. All values tied:
        p = 1 and no effect. Different means without any spread: an infinite statistic and
        p = 0. A sample of one value: not possible.

    Raises
    ------
    ArgumentError
        If a sample is empty or not finite, or paired samples differ in length.

    Examples
    --------
    The published p-value of NDDE2 against tree search, one type (0.0192): five of 30 runs missed
    one hand of 118,800.

    >>> ndde2 = [1.0] * 25 + [1 - 1 / 118_800] * 5
    >>> result = t_test(ndde2, [1.0] * 30, kind="pooled", names=("ndde2", "tree"))
    >>> round(result.p_value, 4), result.comparison
    (0.0192, 'ndde2 < tree')
    """
    name = pick(kind, T_TESTS, "t-test", ArgumentError)
    stats = scipy_stats()
    a, b, n = check_samples(first, second, paired=kind == "paired")
    result = partial(TestResult, test=name, names=names, n=n)
    effect_name = "Hedges' g"
    if min(n) < 2:
        return result(effect_name=effect_name, note=TOO_FEW_RUNS)
    if kind == "paired":
        differences, freedom = a - b, len(a) - 1.0
        spread = _variance(differences)
        gap = float(differences.mean()) if spread else float(differences[0])
        effect = gap / sqrt(spread) if spread else copysign(inf, gap) if gap else 0.0
        if freedom > 1:
            effect *= 1 - 3 / (4 * freedom - 1)
        else:
            effect_name = "Cohen's d"  # Hedges' correction is 0 for two pairs
    else:
        gap = float(a.mean() - b.mean()) if np.ptp(np.concatenate([a, b])) else 0.0
        spread, effect = _variance(a) + _variance(b), hedges_g(a, b)
    if not gap:
        statistic, p, note = 0.0, 1.0, "" if spread else ALL_TIED
    elif not spread:
        statistic, p, note = copysign(inf, gap), 0.0, NO_SPREAD
    elif kind == "paired":
        statistic, note = gap / sqrt(spread / len(a)), ""
        p = float(2 * stats.t.sf(abs(statistic), freedom))
    else:
        # From means and deviations: a constant sample then has exactly no spread.
        moments = [(float(s.mean()), sqrt(_variance(s)), len(s)) for s in (a, b)]
        test = stats.ttest_ind_from_stats(*moments[0], *moments[1], equal_var=kind == "pooled")
        statistic, p, note = float(test.statistic), float(test.pvalue), ""
    return result(
        statistic=statistic,
        statistic_name="t",
        p_value=p,
        effect=effect,
        effect_name=effect_name,
        direction=direction_of(gap),
        note=note,
    )


def equivalence(
    first: "ArrayLike", second: "ArrayLike", *, margin: float, names: Pair = ("first", "second")
) -> TestResult:
    """Test whether paired means differ by less than a margin: two one-sided t-tests (TOST).

    Parameters
    ----------
    first, second
        Values of the same cases in the same order.
    margin
        The smallest difference that matters, in the unit of the values; above 0.
    names
        Names of the samples for the result.

    Returns
    -------
    TestResult
        A small p-value shows that the means differ by less than the margin; a large one shows
        nothing. The effect is the difference itself.

    Raises
    ------
    ArgumentError
        If the margin is not a finite number above 0, or the samples are not pairs.

    Examples
    --------
    >>> result = equivalence([1, 2, 3, 4], [1.1, 1.9, 3.1, 3.9], margin=0.5)
    >>> result.p_value < 0.01, round(result.effect, 6)
    (True, 0.0)
    """
    if not 0 < as_number(margin, "margin") < inf:
        raise ArgumentError(argument="margin", value=f"{margin:g}", expected="above 0")
    stats = scipy_stats()
    a, b, n = check_samples(first, second, paired=True)
    name = f"difference, margin {margin:g}"
    result = partial(TestResult, test="equivalence", names=names, n=n, effect_name=name)
    if n[0] < 2:
        return result(note="not possible: fewer than two pairs")
    differences = a - b
    gap, error = float(differences.mean()), sqrt(_variance(differences) / len(a))
    inside = margin - abs(gap)
    return result(
        statistic=inside / error if error else copysign(inf, inside),
        statistic_name="t",
        p_value=float(stats.t.sf(inside / error, len(a) - 1)) if error else float(inside <= 0),
        effect=gap,
        direction=direction_of(gap),
        note="" if error else NO_SPREAD,
    )
