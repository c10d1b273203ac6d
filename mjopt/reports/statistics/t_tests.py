"""t-tests of two sides: whether their means differ, or differ by less than a margin."""

from functools import partial
from math import copysign, inf, sqrt
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mjopt._internal.optional_deps import need
from mjopt.errors import StudyError
from mjopt.reports.statistics.effect_sizes import cohens_d, hedges_g, variance
from mjopt.reports.statistics.finding import Finding, direction_of
from mjopt.reports.statistics.samples import ALL_TIED, TOO_FEW, samples

NO_SPREAD = "no spread on either side: the statistic is infinite and p its limit"

T_TESTS = {"welch": "Welch t-test", "pooled": "Student t-test", "paired": "paired t-test"}


def t_test(
    first: ArrayLike,
    second: ArrayLike,
    *,
    kind: Literal["welch", "pooled", "paired"] = "welch",
    effect: Literal["hedges", "cohen"] = "hedges",
    sides: tuple[str, str] = ("first", "second"),
) -> Finding:
    """Test whether two means differ, two-sided.

    Parameters
    ----------
    first, second
        One value a run, such as accuracies; of equal length if paired.
    kind
        ``welch`` (unequal variances; with one side constant it is the test of the other
        against that constant), ``pooled`` (Student's, which the paper's p-values come
        from: with one side constant it keeps ``m + n - 2`` degrees of freedom), or
        ``paired``.
    effect
        Hedges' g or Cohen's d. For paired values both are of the differences against 0.
    sides
        Names for the record.

    Returns
    -------
    Finding
        All values tied: p = 1 and no effect. Neither side with spread, but different:
        an infinite statistic with p = 0. A side with one value: not possible.

    Examples
    --------
    The published p-value of NDDE2 against tree search, one type (0.0192): five of 30
    runs missed one hand of 118,800.

    >>> ndde2 = [1.0] * 25 + [1 - 1 / 118_800] * 5
    >>> found = t_test(ndde2, [1.0] * 30, kind="pooled", sides=("ndde2", "tree"))
    >>> round(found.p_value, 4), found.says
    (0.0192, 'ndde2 < tree')
    """
    if kind not in T_TESTS:
        raise StudyError(f"t-test {kind!r}, expected one of {', '.join(T_TESTS)}")
    need("scipy", extra="experiments")
    a, b, n = samples(first, second, paired=kind == "paired")
    effect_name = "Hedges' g" if effect == "hedges" else "Cohen's d"
    found = partial(Finding, test=T_TESTS[kind], sides=sides, n=n)
    if min(n) < 2:
        return found(effect_name=effect_name, note=TOO_FEW)
    if kind == "paired":
        apart = a - b
        spread, freedom = variance(apart), len(a) - 1.0
        error = sqrt(spread / len(a))
        gap = float(apart.mean()) if np.ptp(apart) else float(apart[0])
        size = gap / sqrt(spread) if spread else copysign(inf, gap) if gap else 0.0
        if effect == "hedges" and freedom > 1:
            size *= 1 - 3 / (4 * freedom - 1)
        elif effect == "hedges":
            effect_name = "Cohen's d"  # of two pairs Hedges' correction leaves nothing
    else:
        gap = float(a.mean() - b.mean())
        if not np.ptp(np.concatenate([a, b])):
            gap = 0.0
        error, freedom = _standard_error(a, b, pooled=kind == "pooled")
        size = hedges_g(a, b) if effect == "hedges" else cohens_d(a, b)
    if not gap:
        statistic, p, note = 0.0, 1.0, "" if error else ALL_TIED
    elif not error:
        statistic, p, note = copysign(inf, gap), 0.0, NO_SPREAD
    else:
        from scipy.stats import t as student

        statistic = gap / error
        p, note = float(2 * student.sf(abs(statistic), freedom)), ""
    return found(
        statistic=statistic,
        statistic_name="t",
        p_value=p,
        effect=size,
        effect_name=effect_name,
        direction=direction_of(gap),
        note=note,
    )


def equivalence(
    first: ArrayLike,
    second: ArrayLike,
    *,
    margin: float,
    sides: tuple[str, str] = ("first", "second"),
) -> Finding:
    """Test whether two means of pairs differ by less than a margin: two one-sided t-tests.

    Parameters
    ----------
    first, second
        Values of the same cases in the same order.
    margin
        The difference that matters, in the unit of the values; above 0, and chosen before
        the values are seen.
    sides
        Names for the record.

    Returns
    -------
    Finding
        A small p says that the means differ by less than the margin, either way; a large
        one says nothing. The effect is the difference itself.

    Raises
    ------
    StudyError
        If the margin is not above 0.

    Examples
    --------
    >>> found = equivalence([1, 2, 3, 4], [1.1, 1.9, 3.1, 3.9], margin=0.5)
    >>> found.p_value < 0.01, round(found.effect, 6)
    (True, 0.0)
    """
    if not 0 < margin < inf:
        raise StudyError(f"margin {margin:g}, expected above 0")
    need("scipy", extra="experiments")
    from scipy.stats import t as student

    a, b, n = samples(first, second, paired=True)
    found = partial(
        Finding, test="equivalence", sides=sides, n=n, effect_name=f"difference, margin {margin:g}"
    )
    if n[0] < 2:
        return found(note="not possible: fewer than two pairs")
    apart = a - b
    gap, error = float(apart.mean()), sqrt(variance(apart) / len(a))
    inside = margin - abs(gap)
    return found(
        statistic=inside / error if error else copysign(inf, inside),
        statistic_name="t",
        p_value=float(student.sf(inside / error, len(a) - 1)) if error else float(inside <= 0),
        effect=gap,
        direction=direction_of(gap),
        note="" if error else NO_SPREAD,
    )


def _standard_error(
    a: NDArray[np.float64], b: NDArray[np.float64], *, pooled: bool
) -> tuple[float, float]:
    """Return the standard error of the difference of means, and its degrees of freedom."""
    m, n = len(a), len(b)
    u, v = variance(a) / m, variance(b) / n
    if pooled:
        common = ((m - 1) * u * m + (n - 1) * v * n) / (m + n - 2)
        return sqrt(common * (1 / m + 1 / n)), m + n - 2.0
    if not u + v:
        return 0.0, m + n - 2.0
    # As shares of the sum: squares of tiny variances would vanish.
    p, q = u / (u + v), v / (u + v)
    return sqrt(u + v), 1 / (p * p / (m - 1) + q * q / (n - 1))
