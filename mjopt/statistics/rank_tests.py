"""Rank tests of two samples and of several methods, with their effect sizes."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from math import comb, sqrt
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mjopt._internal.sanitize import short_repr
from mjopt._internal.validation import as_floats, as_number, expect, expect_all, whole
from mjopt.errors import ArgumentError
from mjopt.statistics.result import (
    ALL_TIED,
    TOO_FEW_RUNS,
    Pair,
    TestResult,
    check_samples,
    direction_of,
    holm_correct,
    scipy_stats,
)

MAX_EXACT: Final = 50  # values for which rank tests enumerate the null distribution


# Two samples ---------------------------------------------------------------------------


def vargha_delaney(first: "ArrayLike", second: "ArrayLike") -> float:
    """Return A12, the probability that a value of the first sample exceeds one of the second.

    Ties count one half, so 0.5 means no difference.

    References
    ----------
    .. [1] A. Vargha and H. Delaney (2000), Journal of Educational and Behavioral
       Statistics 25(2), 101-132.

    Examples
    --------
    >>> vargha_delaney([1, 2, 3], [2, 2])
    0.5
    """
    a, b, _ = check_samples(first, second)
    ranks = scipy_stats().rankdata(np.concatenate([a, b]))[: len(a)].sum()
    return float((ranks - len(a) * (len(a) + 1) / 2) / (len(a) * len(b)))


def rank_biserial(differences: "ArrayLike") -> float:
    """Return the matched-pairs rank correlation of paired differences, in -1..1.

    The signed-rank sum of the positive differences minus that of the negative ones, divided by
    their total. Zero differences are dropped; if all are zero the result is 0.

    References
    ----------
    .. [1] D. Kerby (2014), Comprehensive Psychology 3, 11.IT.3.1.

    Examples
    --------
    >>> rank_biserial([3, 2, -1, 0])
    0.6666666666666666
    """
    sample = as_floats(differences, "differences", ArgumentError).reshape(-1)
    nonzero = sample[sample != 0]
    if not len(nonzero):
        return 0.0
    ranks = scipy_stats().rankdata(np.abs(nonzero))
    return float((ranks * np.sign(nonzero)).sum() / ranks.sum())


def rank_sum(
    first: "ArrayLike", second: "ArrayLike", *, names: Pair = ("first", "second")
) -> TestResult:
    """Test whether one sample tends to be larger (Wilcoxon rank-sum, Mann-Whitney).

    Exact, even with ties, if one sample has at most eight values and both together at most 50.
    SciPy's exact method does not allow ties. Larger samples use SciPy's normal approximation
    with corrections for ties and continuity, which gives the paper's p-values.

    Parameters
    ----------
    first, second, names
        As for :func:`t_test`.

    Returns
    -------
    TestResult
        The effect is A12 of Vargha and Delaney.

    Examples
    --------
    The published p-value of NDDE2 against tree search, one type (0.0214):

    >>> result = rank_sum([1.0] * 25 + [1 - 1 / 118_800] * 5, [1.0] * 30)
    >>> round(result.p_value, 4)
    0.0214

    There are 20 ways to split six values into three and three, so p is never below 2 / 20:

    >>> result = rank_sum([1.0, 1.0, 1.0], [0.9, 0.9, 0.9])
    >>> result.p_value, result.note
    (0.1, 'exact: p is never below 0.1 with so few')
    """
    stats = scipy_stats()
    a, b, n = check_samples(first, second)
    result = partial(TestResult, test="Wilcoxon rank-sum", names=names, n=n, effect_name="A12")
    if min(n) < 2:
        return result(note=TOO_FEW_RUNS)
    a12, note = vargha_delaney(a, b), ""
    both = np.concatenate([a, b])
    if not np.ptp(both):
        p, note = 1.0, ALL_TIED
    elif min(n) <= 8 and sum(n) <= MAX_EXACT:
        ranks = _doubled_ranks(both)
        p = _two_sided(_rank_sum_counts(ranks, len(a))[len(a)], int(ranks[: len(a)].sum()))
        if (least := 2 / comb(sum(n), len(a))) > 0.01:
            note = f"exact: p is never below {least:.2g} with so few"
    else:
        p = min(float(stats.mannwhitneyu(a, b).pvalue), 1.0)
    return result(
        statistic=a12 * len(a) * len(b),
        statistic_name="U",
        p_value=p,
        effect=a12,
        direction=direction_of(a12 - 0.5),
        note=note,
    )


def signed_rank(
    first: "ArrayLike", second: "ArrayLike", *, names: Pair = ("first", "second")
) -> TestResult:
    """Test whether paired values differ (Wilcoxon signed-rank); zero differences are dropped.

    Exact, even with ties, if at most 50 pairs differ; else SciPy's normal approximation.
    Differences that agree to twelve decimals are tied.

    Parameters
    ----------
    first, second
        Values of the same hands in the same order, such as the share of successful runs.
    names
        Names of the samples for the result.

    Returns
    -------
    TestResult
        ``n`` is the number of pairs; the note says how many differ. The effect is the
        matched-pairs rank correlation.

    Examples
    --------
    >>> result = signed_rank([3, 4, 5, 6, 9], [1, 1, 1, 1, 1])
    >>> result.statistic, result.p_value, result.effect
    (15.0, 0.0625, 1.0)
    """
    stats = scipy_stats()
    a, b, n = check_samples(first, second, paired=True)
    name = "rank correlation"
    result = partial(TestResult, test="Wilcoxon signed-rank", names=names, n=n, effect_name=name)
    if n[0] < 2:
        return result(note="not possible: fewer than two pairs")
    differences = np.round(a - b, 12)  # as shares of runs 0.3 - 0.2 equals 0.2 - 0.1
    differences = differences[differences != 0]
    effect, size = rank_biserial(differences), len(differences)
    p = 1.0
    if size > MAX_EXACT:
        p = min(float(stats.wilcoxon(differences).pvalue), 1.0)
    elif size:
        ranks = _doubled_ranks(np.abs(differences))
        p = _two_sided(_rank_sum_counts(ranks, size).sum(axis=0), int(ranks[differences > 0].sum()))
    return result(
        # SciPy's statistic is the smaller of the two sums and loses the direction.
        statistic=size * (size + 1) / 2 * (1 + effect) / 2,
        statistic_name="W+",
        p_value=p,
        effect=effect,
        direction=direction_of(effect),
        note=f"{size} pairs differ" if size else ALL_TIED,
    )


def _doubled_ranks(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return twice the rank of each value: an integer even if ties share a rank."""
    return np.asarray(2 * scipy_stats().rankdata(values), np.int64)


def _rank_sum_counts(ranks: NDArray[np.int64], most: int) -> NDArray[np.float64]:
    """Count the subsets of ranks by size and sum, shape ``(most + 1, sum of ranks + 1)``."""
    counts = np.zeros((most + 1, int(ranks.sum()) + 1))
    counts[0, 0] = 1
    for rank in ranks.tolist():
        counts[1:, rank:] += counts[:-1, :-rank]  # NumPy reads before it writes
    return counts


def _two_sided(counts: NDArray[np.float64], observed: int) -> float:
    """Return twice the probability of the smaller tail that begins at the observed sum."""
    tails = counts[: observed + 1].sum(), counts[observed:].sum()
    return min(2 * float(min(tails) / counts.sum()), 1.0)


# Several methods -----------------------------------------------------------------------


def mean_ranks(blocks: "ArrayLike", *, higher_is_better: bool = True) -> tuple[float, ...]:
    """Return the mean rank of each method; 1 is the best, ties share their ranks.

    Parameters
    ----------
    blocks
        Shape ``(blocks, methods)``; a block is a hand set or a hand.
    higher_is_better
        True for accuracies, false for times.

    Examples
    --------
    >>> mean_ranks([[0.9, 0.8, 0.7], [0.9, 0.7, 0.7]])
    (1.0, 2.25, 2.75)
    """
    expect(higher_is_better, bool, "higher_is_better")
    values = _matrix(blocks)
    ranks = scipy_stats().rankdata(-values if higher_is_better else values, axis=1)
    return tuple(ranks.mean(axis=0).tolist())


def friedman(blocks: "ArrayLike", *, names: Sequence[str]) -> TestResult:
    """Test whether some method tends to rank better (Friedman's chi-square, tie-corrected).

    Parameters
    ----------
    blocks
        Shape ``(blocks, methods)``.
    names
        The names of the methods.

    Returns
    -------
    TestResult
        The effect is Kendall's W. All tied within every block: p = 1. Fewer than three methods
        or two blocks: not possible. With three blocks, as in the paper, the chi-square
        distribution is a coarse approximation.

    Examples
    --------
    >>> result = friedman([[9, 5, 1], [8, 5, 2], [9, 4, 3], [7, 5, 0]], names=["a", "b", "c"])
    >>> result.statistic, result.effect, round(result.p_value, 4)
    (8.0, 1.0, 0.0183)
    """
    stats = scipy_stats()
    values = _matrix(blocks, names)
    num_blocks, num_methods = values.shape
    result = partial(
        TestResult, test="Friedman", names=tuple(names), n=(num_blocks,), effect_name="Kendall's W"
    )
    if num_methods < 3 or num_blocks < 2:
        return result(note="not possible: it takes three methods and two blocks at least")
    # SciPy returns NaN and warns if all values are tied.
    tied = not np.ptp(values, axis=1).any()
    chi2, p = (0.0, 1.0) if tied else map(float, stats.friedmanchisquare(*values.T))
    return result(
        statistic=chi2,
        statistic_name="chi2",
        p_value=p,
        effect=min(chi2 / (num_blocks * (num_methods - 1)), 1.0),
        note="all values are tied within every block" if tied else "",
    )


def nemenyi(
    blocks: "ArrayLike", *, names: Sequence[str], higher_is_better: bool = True
) -> tuple[TestResult, ...]:
    """Run Nemenyi's post-hoc test of every pair; it corrects for the number of pairs.

    The p-values are those of ``scikit_posthocs.posthoc_nemenyi_friedman``, which does not return
    the statistics and takes over a second to import.

    Returns
    -------
    tuple of TestResult
        One for each pair in order. The effect is the difference of mean ranks, positive if the
        first method is better; direction ``">"`` means the same.

    References
    ----------
    .. [1] J. Demsar (2006), Journal of Machine Learning Research 7, 1-30.

    Examples
    --------
    >>> blocks = [[9, 5, 1], [8, 5, 2], [9, 4, 3], [7, 5, 0]]
    >>> [round(result.p_value, 3) for result in nemenyi(blocks, names=["a", "b", "c"])]
    [0.333, 0.013, 0.333]
    """
    return tuple(
        pair
        if pair.p_value is None
        else replace(pair, corrected_p=pair.p_value, correction="Nemenyi")
        for pair in _rank_pairs(blocks, names, higher_is_better, "Nemenyi")
    )


def rank_z(
    blocks: "ArrayLike", *, names: Sequence[str], higher_is_better: bool = True
) -> tuple[TestResult, ...]:
    """Run a z-test of mean ranks on every pair, Holm-corrected.

    The result has the form of :func:`nemenyi` and is never less powerful.

    Examples
    --------
    >>> blocks = [[9, 5, 1], [8, 5, 2], [9, 4, 3], [7, 5, 0]]
    >>> [round(result.p_value, 3) for result in rank_z(blocks, names=["a", "b", "c"])]
    [0.157, 0.005, 0.157]
    """
    return holm_correct(_rank_pairs(blocks, names, higher_is_better, "rank z-test"))


def critical_difference(num_methods: int, num_blocks: int, *, alpha: float = 0.05) -> float:
    """Return the least difference of mean ranks that is significant by Nemenyi's test.

    Examples
    --------
    Demsar's example has four methods and 14 blocks:

    >>> round(critical_difference(4, 14), 2)
    1.25
    """
    if not 0 < as_number(alpha, "alpha") < 1:
        raise ArgumentError(argument="alpha", value=str(alpha), expected="between 0 and 1")
    for name, number, least in (("num_methods", num_methods, 2), ("num_blocks", num_blocks, 1)):
        if not least <= whole(number, name) <= 10**9:
            raise ArgumentError(
                argument=name, value=short_repr(number), expected=f"{least} to 1,000,000,000"
            )
    quantile = float(scipy_stats().studentized_range.ppf(1 - alpha, num_methods, np.inf))
    return quantile / sqrt(2) * _rank_error(num_methods, num_blocks)


def _rank_error(num_methods: int, num_blocks: int) -> float:
    """Return the standard error of a difference of mean ranks."""
    return sqrt(num_methods * (num_methods + 1) / (6 * num_blocks))


def _rank_pairs(
    blocks: ArrayLike, names: Sequence[str], higher_is_better: bool, test: str
) -> tuple[TestResult, ...]:
    """Test every pair of mean ranks: Nemenyi by the studentized range, else by the normal."""
    values = _matrix(blocks, names)
    num_blocks, num_methods = values.shape
    result = partial(TestResult, test=test, n=(num_blocks,), effect_name="difference of mean ranks")
    pairs = list(combinations(names, 2))
    if num_methods < 2 or num_blocks < 2:
        reason = "not possible: it takes two methods and two blocks at least"
        return tuple(result(names=pair, note=reason) for pair in pairs)
    stats = scipy_stats()
    ranks = np.array(mean_ranks(values, higher_is_better=higher_is_better))
    first, second = np.triu_indices(num_methods, 1)
    effects = ranks[second] - ranks[first]
    statistics = effects / _rank_error(num_methods, num_blocks)
    if test == "Nemenyi":
        symbol, statistics = "q", statistics * sqrt(2)
        p_values = stats.studentized_range.sf(np.abs(statistics), num_methods, np.inf)
    else:
        symbol, p_values = "z", 2 * stats.norm.sf(np.abs(statistics))
    columns = zip(pairs, statistics.tolist(), p_values.tolist(), effects.tolist(), strict=True)
    return tuple(
        result(
            names=pair,
            statistic=statistic,
            statistic_name=symbol,
            p_value=min(p, 1.0),
            effect=effect,
            direction=direction_of(effect),
            note="" if effect else "equal mean ranks",
        )
        for pair, statistic, p, effect in columns
    )


def _matrix(blocks: ArrayLike, names: Sequence[str] | None = None) -> NDArray[np.float64]:
    values = as_floats(blocks, "blocks", ArgumentError)
    if values.ndim != 2 or not values.size:
        raise ArgumentError(f"blocks of shape {values.shape}", expected="blocks by methods")
    if names is not None and len(expect_all(names, str, "names")) != values.shape[1]:
        raise ArgumentError(f"{values.shape[1]} methods, but {len(names)} names")
    if not np.isfinite(values).all():
        raise ArgumentError("the blocks hold values that are not finite numbers")
    return values
