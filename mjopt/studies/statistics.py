"""Hypothesis tests, effect sizes, corrections and intervals.

The p-values come from SciPy. Our own code covers what SciPy lacks: exact rank tests in the
presence of ties, defined results for samples without spread, and one record that holds the name,
sample sizes, statistic, p-value, correction and effect size of a test.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from math import comb, copysign, inf, isnan, sqrt
from statistics import NormalDist
from typing import Any, Final, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mjopt._internal.optional_deps import need
from mjopt._internal.validation import as_rng
from mjopt.errors import StudyError

__all__ = [
    "Interval",
    "TestResult",
    "bootstrap_mean",
    "cohens_d",
    "critical_difference",
    "equivalence",
    "friedman",
    "hedges_g",
    "holm",
    "holm_correct",
    "mean_ranks",
    "nemenyi",
    "rank_biserial",
    "rank_sum",
    "rank_z",
    "signed_rank",
    "t_test",
    "vargha_delaney",
    "wilson",
    "wilson_clustered",
]

ALL_TIED: Final = "all values are tied"
TOO_FEW_RUNS: Final = "not possible: a side has fewer than two runs"
NO_SPREAD: Final = "no spread on either side: the statistic is infinite and p its limit"

T_TESTS: Final = {"welch": "Welch t-test", "pooled": "Student t-test", "paired": "paired t-test"}
DIRECTIONS: Final = (">", "<", "=", "")
MAX_EXACT: Final = 50  # values for which rank tests enumerate the null distribution
RESAMPLES: Final = 4_000

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class TestResult:
    """One hypothesis test, complete enough to be printed on its own.

    Parameters
    ----------
    test
        Its name, such as ``"Welch t-test"``.
    names
        The two samples, or all of them for a test of several.
    n
        Observations in each sample; one number if they are paired or blocked.
    statistic, statistic_name
        The value and its symbol (``t``, ``U``, ``W+``, ``chi2``, ``q``, ``z``); ``None`` if the
        test was not possible.
    p_value
        In ``0..1``, two-sided except for equivalence tests; ``None`` if the test was not possible.
    corrected_p, correction
        The p-value corrected for multiple comparisons and the method; ``None`` and empty without a
        correction.
    effect, effect_name
        The effect size; positive (for A12: above 0.5) if the first sample is the larger.
    direction
        ``">"`` if the first sample is the larger, ``"<"``, ``"="``, or empty for a test of
        several samples.
    note
        Information for the reader, for example that all values are tied.

    Raises
    ------
    StudyError
        If a p-value is outside 0..1, a value is NaN, or a correction made a p-value smaller.

    Examples
    --------
    >>> result = TestResult(test="rank-sum", names=("a", "b"), n=(3, 3), statistic=9.0,
    ...     statistic_name="U", p_value=0.1, effect=1.0, effect_name="A12", direction=">")
    >>> result.comparison
    'a > b'
    >>> result.is_significant(0.05)
    False
    """

    __test__ = False  # pytest would collect a class of this name

    test: str
    names: tuple[str, ...]
    n: tuple[int, ...]
    statistic: float | None = None
    statistic_name: str = ""
    p_value: float | None = None
    effect: float | None = None
    effect_name: str
    corrected_p: float | None = None
    correction: str = ""
    direction: str = ""
    note: str = ""

    def __post_init__(self) -> None:
        """Validate the numbers."""
        numbers = (self.statistic, self.p_value, self.corrected_p, self.effect)
        if any(number is not None and isnan(number) for number in numbers):
            raise StudyError(f"{self.test}: not a number in the result: {numbers}")
        for p in (self.p_value, self.corrected_p):
            if p is not None and not 0 <= p <= 1:
                raise StudyError(f"{self.test}: p-value {p}, expected 0..1")
        if self.corrected_p is not None and (
            self.p_value is None or not self.correction or self.corrected_p < self.p_value
        ):
            raise StudyError(f"{self.test}: corrected p {self.corrected_p} for p {self.p_value}")
        if self.p_value is None and not self.note:
            raise StudyError(f"{self.test}: no p-value, expected a note with the reason")
        if self.direction not in DIRECTIONS:
            raise StudyError(f"direction {self.direction!r}, expected one of {DIRECTIONS}")

    @property
    def comparison(self) -> str:
        """The names with the direction between them."""
        return f" {self.direction or '/'} ".join(self.names)

    @property
    def final_p(self) -> float | None:
        """The corrected p-value if there is one, else the uncorrected p-value."""
        return self.p_value if self.corrected_p is None else self.corrected_p

    def is_significant(self, alpha: float = 0.05) -> bool:
        """Return whether the final p-value is below ``alpha``."""
        return self.final_p is not None and self.final_p < alpha


def direction_of(difference: float) -> str:
    """Return the comparison sign for ``first - second``."""
    return ">" if difference > 0 else "<" if difference < 0 else "="


def _scipy_stats() -> Any:
    """Import scipy.stats, which takes half a second."""
    need("scipy", extra="experiments")
    from scipy import stats

    return stats


# Effect sizes -------------------------------------------------------------------------


def _variance(values: NDArray[Any]) -> float:
    """Return the sample variance, exactly 0 if all values are equal."""
    # The mean of equal floats may differ from them by rounding.
    return float(values.var(ddof=1)) if np.ptp(values) else 0.0


def cohens_d(first: ArrayLike, second: ArrayLike) -> float:
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
    a, b = np.asarray(first, np.float64), np.asarray(second, np.float64)
    m, n = len(a), len(b)
    pooled = sqrt(((m - 1) * _variance(a) + (n - 1) * _variance(b)) / (m + n - 2))
    difference = float(a.mean() - b.mean())
    if not pooled:
        return 0.0 if a[0] == b[0] else copysign(inf, difference)
    return difference / pooled


def hedges_g(first: ArrayLike, second: ArrayLike) -> float:
    """Return Cohen's d times ``1 - 3 / (4 (m + n) - 9)``, which corrects small-sample bias.

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
    a, b = np.asarray(first), np.asarray(second)
    ranks = _scipy_stats().rankdata(np.concatenate([a, b]))[: len(a)].sum()
    return float((ranks - len(a) * (len(a) + 1) / 2) / (len(a) * len(b)))


def rank_biserial(differences: ArrayLike) -> float:
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
    nonzero = np.asarray(differences, np.float64)
    nonzero = nonzero[nonzero != 0]
    if not len(nonzero):
        return 0.0
    ranks = _scipy_stats().rankdata(np.abs(nonzero))
    return float((ranks * np.sign(nonzero)).sum() / ranks.sum())


# Tests of two samples -----------------------------------------------------------------


def _samples(
    first: ArrayLike, second: ArrayLike, *, paired: bool = False
) -> tuple[NDArray[np.float64], NDArray[np.float64], tuple[int, ...]]:
    """Validate two samples; return them with their sizes (one number if paired)."""
    a, b = np.asarray(first, np.float64), np.asarray(second, np.float64)
    for sample in (a, b):
        if sample.ndim != 1 or not len(sample):
            raise StudyError(
                f"sample of shape {sample.shape}, expected a list of at least one value"
            )
        if not np.isfinite(sample).all():
            raise StudyError("a sample holds values that are not finite numbers")
    if paired and len(a) != len(b):
        raise StudyError(f"{len(a)} and {len(b)} values, expected pairs")
    return a, b, (len(a),) if paired else (len(a), len(b))


def t_test(
    first: ArrayLike,
    second: ArrayLike,
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
    StudyError
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
    if kind not in T_TESTS:
        raise StudyError(f"t-test {kind!r}, expected one of {', '.join(T_TESTS)}")
    stats = _scipy_stats()
    a, b, n = _samples(first, second, paired=kind == "paired")
    result = partial(TestResult, test=T_TESTS[kind], names=names, n=n)
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
    first: ArrayLike, second: ArrayLike, *, margin: float, names: Pair = ("first", "second")
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
    StudyError
        If the margin is not a finite number above 0, or the samples are not pairs.

    Examples
    --------
    >>> result = equivalence([1, 2, 3, 4], [1.1, 1.9, 3.1, 3.9], margin=0.5)
    >>> result.p_value < 0.01, round(result.effect, 6)
    (True, 0.0)
    """
    if not 0 < margin < inf:
        raise StudyError(f"margin {margin:g}, expected above 0")
    stats = _scipy_stats()
    a, b, n = _samples(first, second, paired=True)
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


def rank_sum(
    first: ArrayLike, second: ArrayLike, *, names: Pair = ("first", "second")
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
    stats = _scipy_stats()
    a, b, n = _samples(first, second)
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
    first: ArrayLike, second: ArrayLike, *, names: Pair = ("first", "second")
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
    stats = _scipy_stats()
    a, b, n = _samples(first, second, paired=True)
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
    return np.asarray(2 * _scipy_stats().rankdata(values), np.int64)


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


# Multiple comparisons -----------------------------------------------------------------


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Return Holm-corrected p-values of one family of tests, in the same order.

    The values are those of ``statsmodels.stats.multitest.multipletests``, which takes over a
    second to import.

    Parameters
    ----------
    p_values
        Uncorrected p-values in 0..1; may be empty.

    References
    ----------
    .. [1] S. Holm (1979), Scandinavian Journal of Statistics 6(2), 65-70.

    Examples
    --------
    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(p_values, np.float64)
    order = np.argsort(p, kind="stable")
    corrected = np.empty_like(p)
    corrected[order] = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    return tuple(np.minimum(np.maximum(corrected, p), 1.0).tolist())


def holm_correct(results: Iterable[TestResult]) -> tuple[TestResult, ...]:
    """Return the results of one family with Holm-corrected p-values.

    Tests that were not possible stay unchanged and do not count in the correction.
    """
    family = tuple(results)
    corrected = iter(holm([result.p_value for result in family if result.p_value is not None]))
    return tuple(
        result
        if result.p_value is None
        else replace(result, corrected_p=next(corrected), correction="holm")
        for result in family
    )


def mean_ranks(blocks: ArrayLike, *, higher_is_better: bool = True) -> tuple[float, ...]:
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
    values = _matrix(blocks)
    ranks = _scipy_stats().rankdata(-values if higher_is_better else values, axis=1)
    return tuple(ranks.mean(axis=0).tolist())


def friedman(blocks: ArrayLike, *, names: Sequence[str]) -> TestResult:
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
    stats = _scipy_stats()
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
    blocks: ArrayLike, *, names: Sequence[str], higher_is_better: bool = True
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
    """
    return tuple(
        pair
        if pair.p_value is None
        else replace(pair, corrected_p=pair.p_value, correction="Nemenyi")
        for pair in _rank_pairs(blocks, names, higher_is_better, "Nemenyi")
    )


def rank_z(
    blocks: ArrayLike, *, names: Sequence[str], higher_is_better: bool = True
) -> tuple[TestResult, ...]:
    """Run a z-test of mean ranks on every pair, Holm-corrected.

    The result has the form of :func:`nemenyi` and is never less powerful.
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
    quantile = float(_scipy_stats().studentized_range.ppf(1 - alpha, num_methods, np.inf))
    return quantile / sqrt(2) * _rank_error(num_methods, num_blocks)


def _rank_error(num_methods: int, num_blocks: int) -> float:
    """Return the standard error of a difference of mean ranks."""
    return sqrt(num_methods * (num_methods + 1) / (6 * num_blocks))


def _rank_pairs(
    blocks: ArrayLike, names: Sequence[str], higher_is_better: bool, test: str
) -> tuple[TestResult, ...]:
    """Test every pair of mean ranks: Nemenyi by the studentized range, else by the normal."""
    stats = _scipy_stats()
    values = _matrix(blocks, names)
    num_blocks, num_methods = values.shape
    result = partial(TestResult, test=test, n=(num_blocks,), effect_name="difference of mean ranks")
    pairs = list(combinations(names, 2))
    if num_methods < 2 or num_blocks < 2:
        reason = "not possible: it takes two methods and two blocks at least"
        return tuple(result(names=pair, note=reason) for pair in pairs)
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
    values = np.asarray(blocks, np.float64)
    if values.ndim != 2 or not values.size:
        raise StudyError(f"blocks of shape {values.shape}, expected blocks by methods")
    if names is not None and len(names) != values.shape[1]:
        raise StudyError(f"{values.shape[1]} methods, expected {len(names)}: {', '.join(names)}")
    if not np.isfinite(values).all():
        raise StudyError("the blocks hold values that are not finite numbers")
    return values


# Intervals ----------------------------------------------------------------------------


class Interval(NamedTuple):
    """Both ends of a confidence interval."""

    low: float
    high: float


def wilson(successes: float, tries: float, *, confidence: float = 0.95) -> Interval:
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
    StudyError
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
    if not 0 < confidence < 1:
        raise StudyError(f"confidence {confidence}, expected between 0 and 1")
    if tries <= 0 or not 0 <= successes <= tries:
        raise StudyError(f"{successes} of {tries} is no share")
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share = successes / tries
    middle = share + z * z / (2 * tries)
    half = z * sqrt(share * (1 - share) / tries + z * z / (4 * tries * tries))
    scale = 1 + z * z / tries
    # Rounding may pass the share itself, or 0..1, by one unit in the last place.
    low = min(max((middle - half) / scale, 0.0), share) if successes else 0.0
    high = max(min((middle + half) / scale, 1.0), share) if successes < tries else 1.0
    return Interval(low, high)


def wilson_clustered(successes: ArrayLike, tries: ArrayLike, confidence: float = 0.95) -> Interval:
    """Return Wilson's interval for a proportion whose tries come in clusters.

    Runs on one hand are alike: some hands are always solved, some never. The spread between
    clusters gives the effective sample size, from which Wilson's interval is taken.

    Parameters
    ----------
    successes
        Successful tries of each cluster (the runs on a hand, the decisions of a game), shape
        ``(N,)``.
    tries
        Tries of each cluster, one number or shape ``(N,)``.
    confidence
        Between 0 and 1.

    References
    ----------
    .. [1] L. Kish (1965), Survey Sampling, 6.5: the ratio of two sums over clusters.

    Examples
    --------
    Hands that always or never succeed count as one try each, whatever the number of runs:

    >>> wilson_clustered([30] * 8 + [0] * 2, 30) == wilson(8, 10)
    True
    """
    right = np.asarray(successes, np.float64)
    sizes = np.broadcast_to(np.asarray(tries, np.float64), right.shape)
    shares = right / sizes
    weights = sizes / sizes.mean()
    share = float((shares * weights).mean())
    between = float((((shares - share) * weights) ** 2).mean())
    within = share * (1 - share)
    # The lower limit: tries of a cluster are all alike.
    effective = float(sizes.sum() ** 2 / (sizes**2).sum())
    if between > 0 and within > 0:
        effective = min(float(sizes.sum()), max(effective, len(shares) * within / between))
    return wilson(share * effective, effective, confidence=confidence)


def bootstrap_mean(
    values: ArrayLike,
    *,
    rng: int | np.random.Generator,
    groups: ArrayLike | None = None,
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
) -> Interval:
    """Return the bootstrap percentile interval of a mean.

    Fast for values of which few are distinct: resampling N values with replacement draws the
    multiplicities of the distinct values from a multinomial distribution, whatever N is.

    Parameters
    ----------
    values
        Shape ``(N,)``, at least one.
    rng
        A generator or a seed.
    groups
        Label of the cluster of each value, shape ``(N,)``; clusters are resampled whole. By
        default every value is its own cluster.
    confidence
        Between 0 and 1.
    resamples
        Number of bootstrap samples.

    Raises
    ------
    StudyError
        If there are no values, or the confidence is out of range.

    References
    ----------
    .. [1] B. Efron (1979), The Annals of Statistics 7(1), 1-26.

    Examples
    --------
    >>> low, high = bootstrap_mean([0, 1] * 500, rng=1)
    >>> round(low, 2), round(high, 2)
    (0.47, 0.53)
    >>> low, high = bootstrap_mean([0, 1] * 500, rng=1, groups=[0, 1] * 500)  # two clusters
    >>> low, high
    (0.0, 1.0)
    """
    if not 0 < confidence < 1:
        raise StudyError(f"confidence {confidence}, expected between 0 and 1")
    sums: NDArray[Any] = np.asarray(values, np.float64)
    sizes: NDArray[Any] = np.ones(len(sums))
    if groups is not None:
        _, cluster = np.unique(groups, return_inverse=True)
        sums, sizes = np.bincount(cluster, sums), np.bincount(cluster)
    distinct, counts = np.unique(np.stack([sums, sizes]), axis=1, return_counts=True)
    number = int(counts.sum())
    if not number:
        raise StudyError("no values to resample")
    drawn = as_rng(rng).multinomial(number, counts / number, size=resamples)
    means = (drawn @ distinct[0]) / (drawn @ distinct[1])
    tail = (1 - confidence) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    return Interval(float(low), float(high))
