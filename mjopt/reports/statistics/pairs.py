"""Tests of two sides: whether they differ by more than chance."""

from functools import partial
from math import comb, copysign, inf, sqrt
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mjopt.errors import StudyError
from mjopt.reports.statistics.effect_sizes import (
    cliffs_delta,
    cohens_d,
    hedges_g,
    rank_biserial,
    vargha_delaney,
    variance,
)
from mjopt.reports.statistics.finding import Finding, direction_of
from mjopt.runtime.extras import need

ALL_TIED = "all values are tied"
TOO_FEW = "not possible: a side has fewer than two runs"
MOST_EXACT = 50
"""Differences, or values of both sides, that signs or ranks are counted of one by one."""
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
    a, b, n = _samples(first, second, paired=kind == "paired")
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

    a, b, n = _samples(first, second, paired=True)
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


def rank_sum(
    first: ArrayLike,
    second: ArrayLike,
    *,
    effect: Literal["a12", "cliff"] = "a12",
    sides: tuple[str, str] = ("first", "second"),
) -> Finding:
    """Test whether one side tends to be larger: Wilcoxon rank-sum, or Mann-Whitney.

    Exact, ties included, if a side has at most eight values and both have no more than
    `MOST_EXACT`: the p-value counts how many ways of dealing the values to the two sides
    are as far out. Else the normal approximation with corrections for ties and continuity,
    which gives the paper's p-values.

    Parameters
    ----------
    first, second, sides
        As for :func:`t_test`.
    effect
        ``a12`` (Vargha and Delaney's A12, 0.5 is none) or ``cliff`` (Cliff's delta).

    Examples
    --------
    The published p-value of NDDE2 against tree search, one type (0.0214):

    >>> found = rank_sum([1.0] * 25 + [1 - 1 / 118_800] * 5, [1.0] * 30)
    >>> round(found.p_value, 4)
    0.0214

    Three values against three can be dealt in 20 ways, so p is never below 2 / 20:

    >>> found = rank_sum([1.0, 1.0, 1.0], [0.9, 0.9, 0.9])
    >>> found.p_value, found.note
    (0.1, 'exact: p is never below 0.1 with so few')
    """
    need("scipy", extra="experiments")
    from scipy.stats import mannwhitneyu

    a, b, n = _samples(first, second)
    effect_name = "A12" if effect == "a12" else "Cliff's delta"
    found = partial(Finding, test="Wilcoxon rank-sum", sides=sides, n=n, effect_name=effect_name)
    if min(n) < 2:
        return found(note=TOO_FEW)
    a12 = vargha_delaney(a, b)
    tied, note = not np.ptp(both := np.concatenate([a, b])), ""
    if tied:
        p, note = 1.0, ALL_TIED
    elif min(n) <= 8 and sum(n) <= MOST_EXACT:
        ranks = _doubled_ranks(both)
        p = _two_sided(_deals(ranks, len(a))[len(a)], int(ranks[: len(a)].sum()))
        if (least := 2 / comb(sum(n), len(a))) > 0.01:
            note = f"exact: p is never below {least:.2g} with so few"
    else:
        p = min(float(mannwhitneyu(a, b).pvalue), 1.0)
    return found(
        statistic=a12 * len(a) * len(b),
        statistic_name="U",
        p_value=p,
        effect=a12 if effect == "a12" else cliffs_delta(a, b),
        direction=direction_of(a12 - 0.5),
        note=note,
    )


def signed_rank(
    first: ArrayLike, second: ArrayLike, *, sides: tuple[str, str] = ("first", "second")
) -> Finding:
    """Test whether paired values differ: Wilcoxon signed-rank, zero differences left out.

    Exact, ties included, if at most `MOST_EXACT` pairs differ: the p-value counts how many
    ways of giving the differences signs are as far out. Else the normal approximation.
    Differences that are the same to twelve places are tied.

    Parameters
    ----------
    first, second
        Values of the same hands in the same order, such as how many runs were right.
    sides
        Names for the record.

    Returns
    -------
    Finding
        ``n`` is the number of pairs; the note says how many of them differ. The effect
        is the matched-pairs rank correlation.

    Examples
    --------
    >>> found = signed_rank([3, 4, 5, 6, 9], [1, 1, 1, 1, 1])
    >>> found.statistic, found.p_value, found.effect
    (15.0, 0.0625, 1.0)
    """
    need("scipy", extra="experiments")
    from scipy.stats import wilcoxon

    a, b, n = _samples(first, second, paired=True)
    found = partial(
        Finding, test="Wilcoxon signed-rank", sides=sides, n=n, effect_name="rank correlation"
    )
    apart = np.round(a - b, 12)  # shares of runs: 0.3 - 0.2 is 0.2 - 0.1
    apart = apart[apart != 0]
    if n[0] < 2:
        return found(note="not possible: fewer than two pairs")
    effect = rank_biserial(apart)
    # SciPy reports the smaller of the two sums; which side it is would be lost.
    total = len(apart) * (len(apart) + 1) / 2
    p = 1.0
    if len(apart) > MOST_EXACT:
        p = min(float(wilcoxon(apart).pvalue), 1.0)
    elif len(apart):
        ranks = _doubled_ranks(np.abs(apart))
        p = _two_sided(_deals(ranks, len(apart)).sum(axis=0), int(ranks[apart > 0].sum()))
    return found(
        statistic=total * (1 + effect) / 2,
        statistic_name="W+",
        p_value=p,
        effect=effect,
        direction=direction_of(effect),
        note=f"{len(apart)} pairs differ" if len(apart) else ALL_TIED,
    )


def _doubled_ranks(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return twice the rank of each value: whole numbers, also where ties share a rank."""
    from scipy.stats import rankdata

    return np.asarray(2 * rankdata(values), np.int64)


def _deals(ranks: NDArray[np.int64], most: int) -> NDArray[np.float64]:
    """Count the ways to choose so many of the ranks with such a sum, ``[number, sum]``."""
    ways = np.zeros((most + 1, int(ranks.sum()) + 1))
    ways[0, 0] = 1
    for rank in ranks.tolist():
        ways[1:, rank:] += ways[:-1, :-rank]  # NumPy reads before it writes
    return ways


def _two_sided(ways: NDArray[np.float64], at: int) -> float:
    """Return twice the share of the ways in the shorter tail that begins at a sum."""
    tails = ways[: at + 1].sum(), ways[at:].sum()
    return min(2 * float(min(tails) / ways.sum()), 1.0)


def _samples(
    first: ArrayLike, second: ArrayLike, *, paired: bool = False
) -> tuple[NDArray[np.float64], NDArray[np.float64], tuple[int, ...]]:
    """Return both sides, and how many values each has: one number if they are paired."""
    a, b = np.asarray(first, np.float64), np.asarray(second, np.float64)
    for side in (a, b):
        if side.ndim != 1 or not len(side):
            raise StudyError(f"sample of shape {side.shape}, expected a list of at least one value")
        if not np.isfinite(side).all():
            raise StudyError("a sample holds values that are not finite numbers")
    if paired and len(a) != len(b):
        raise StudyError(f"{len(a)} and {len(b)} values, expected pairs")
    return a, b, (len(a),) if paired else (len(a), len(b))


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
