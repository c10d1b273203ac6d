"""Tests, effect sizes and corrections, checked against SciPy and by hand."""

import itertools
import math
from collections.abc import Callable
from functools import partial
from itertools import combinations

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from mjopt.errors import ArgumentError
from mjopt.statistics import (
    TestResult,
    cohens_d,
    critical_difference,
    equivalence,
    friedman,
    hedges_g,
    holm,
    holm_correct,
    mean_ranks,
    nemenyi,
    rank_biserial,
    rank_sum,
    rank_z,
    signed_rank,
    t_test,
    vargha_delaney,
)

pytestmark = pytest.mark.filterwarnings("error")  # no data may cause a warning


def sample(seed: int, size: int, shift: float = 0.0) -> np.ndarray:
    return np.random.default_rng(seed).normal(shift, 1 + seed % 3, size)


samples = st.lists(st.integers(0, 20), min_size=2, max_size=8)
TESTS: dict[str, Callable[..., TestResult]] = {
    "welch": t_test,
    "pooled": lambda a, b: t_test(a, b, kind="pooled"),
    "paired": lambda a, b: t_test(a, b, kind="paired"),
    "rank-sum": rank_sum,
    "signed-rank": signed_rank,
}


# The paper's own p-values -------------------------------------------------------------


def test_times_of_table_4_compare_thirty_runs_with_five() -> None:
    """The printed 0.0004 is complete separation under the normal approximation."""
    thirty = [float(i) for i in range(30)]
    longer = [100.0 + i for i in range(30)]
    normal = partial(scipy.stats.mannwhitneyu, method="asymptotic")
    assert f"{normal(thirty, longer[:5]).pvalue:.4f}" == "0.0004"
    assert (
        f"{normal(thirty, longer).pvalue:.0e}"
        == "3e-11"
        == f"{rank_sum(thirty, longer).p_value:.0e}"
    )


def test_published_p_values_of_ndde2_against_tree_search():
    """Table 3, one type: sd 3.19e-6, p_t 0.0192, p_w 0.0214.

    118,800 hands, 30 runs each. If five runs miss one hand, the accuracies are 25 times 1 and
    5 times 1 - 1/118800, with sd sqrt(30/29 * 1/6 * 5/6) / 118800 = 3.19e-6: the published one.
    """
    ndde2 = np.array([1.0] * 25 + [1 - 1 / 118_800] * 5)
    tree = np.ones(30)

    assert float(f"{ndde2.std(ddof=1):.2e}") == 3.19e-6
    assert round(t_test(ndde2, tree, kind="pooled").p_value, 4) == 0.0192
    assert round(rank_sum(ndde2, tree).p_value, 4) == 0.0214
    # Welch's test would give 0.0226: the paper pooled the variances.
    assert round(t_test(ndde2, tree, kind="welch").p_value, 4) == 0.0226


# Against SciPy ------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("sizes", [(2, 2), (5, 9), (30, 30)])
def test_t_tests_agree_with_scipy(seed, sizes):
    a, b = sample(seed, sizes[0]), sample(seed + 50, sizes[1], shift=0.7)
    for kind, equal in (("welch", False), ("pooled", True)):
        theirs = scipy.stats.ttest_ind(a, b, equal_var=equal)
        ours = t_test(a, b, kind=kind)
        assert ours.statistic == pytest.approx(theirs.statistic)
        assert ours.p_value == pytest.approx(theirs.pvalue)
        assert ours.direction == (">" if a.mean() > b.mean() else "<")
    if len(a) == len(b):
        theirs = scipy.stats.ttest_rel(a, b)
        ours = t_test(a, b, kind="paired")
        assert (ours.statistic, ours.p_value) == pytest.approx((theirs.statistic, theirs.pvalue))


def test_welch_against_a_constant_is_the_one_sample_test():
    a = sample(3, 12, shift=99.0)
    theirs = scipy.stats.ttest_1samp(a, 100.0)
    ours = t_test(a, [100.0] * 30)
    assert (ours.statistic, ours.p_value) == pytest.approx((theirs.statistic, theirs.pvalue))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("ties", [False, True])
def test_rank_tests_agree_with_scipy(seed, ties):
    a, b = sample(seed, 30), sample(seed + 50, 30, shift=0.5)
    if ties:
        a, b = a.round(), b.round()
    theirs = scipy.stats.mannwhitneyu(a, b)
    ours = rank_sum(a, b)
    assert (ours.statistic, ours.p_value) == pytest.approx((theirs.statistic, theirs.pvalue))
    apart = (a - b)[a != b]
    ranks = scipy.stats.rankdata(abs(apart))
    ours = signed_rank(a, b)
    # With ties SciPy uses the normal approximation; mjopt enumerates.
    close = {"rel": 0.05} if ties else {}
    assert ours.p_value == pytest.approx(scipy.stats.wilcoxon(apart).pvalue, **close)
    assert ours.statistic == pytest.approx(ranks[apart > 0].sum())
    assert ours.note == f"{len(apart)} pairs differ"


@settings(max_examples=60)
@given(st.lists(st.integers(0, 4), min_size=2, max_size=5), st.data())
def test_rank_tests_of_few_values_count_every_way(first, data):
    """Enumerate every assignment to two samples and every choice of signs, with ties."""
    a = np.array(first)
    b = np.array(data.draw(st.lists(st.integers(0, 4), min_size=2, max_size=5)))
    ranks = scipy.stats.rankdata([*a, *b])
    sums = [sum(deal) for deal in itertools.combinations(ranks, len(a))]
    assert rank_sum(a, b).p_value == pytest.approx(two_sided(sums, ranks[: len(a)].sum()))
    if len(a) == len(b) and (apart := (a - b)[a != b]).size:
        ranks = scipy.stats.rankdata(abs(apart))
        sums = [sum(chosen) for chosen in itertools.product(*((0, rank) for rank in ranks))]
        assert signed_rank(a, b).p_value == pytest.approx(two_sided(sums, ranks[apart > 0].sum()))


def two_sided(sums: list[float], at: float) -> float:
    tails = sum(one <= at for one in sums), sum(one >= at for one in sums)
    return min(2 * min(tails) / len(sums), 1.0)


# By hand ------------------------------------------------------------------------------


def test_t_by_hand():
    """Means 2 and 5, variances 1 and 4, three values each.

    Standard error sqrt(1/3 + 4/3) = sqrt(5/3); t = -3 / sqrt(5/3) = -2.3238. Welch's degrees
    of freedom (5/3)^2 / ((1/3)^2/2 + (4/3)^2/2) = (25/9) / (17/18) = 50/17 = 2.9412; Student's
    are 4. Cohen's d: pooled variance (2*1 + 2*4)/4 = 2.5, d = -3/sqrt(2.5) = -1.8974, and
    Hedges' g is 1 - 3/(4*6 - 9) = 0.8 of it.
    """
    a, b = [1, 2, 3], [3, 5, 7]
    t = -3 / math.sqrt(5 / 3)
    for kind, freedom in (("welch", 50 / 17), ("pooled", 4)):
        result = t_test(a, b, kind=kind)
        assert result.statistic == pytest.approx(t)
        assert result.p_value == pytest.approx(2 * scipy.stats.t.cdf(t, freedom))
    assert cohens_d(a, b) == pytest.approx(-1.8974, abs=1e-4)
    assert hedges_g(a, b) == pytest.approx(-1.8974 * 0.8, abs=1e-4)


@pytest.mark.parametrize(("few", "many"), [([2], [1, 2, 3]), ([1, 2, 3], [2]), ([2], [3])])
def test_effect_needs_two_values_on_both_sides(few, many):
    message = (
        f"^samples of {len(few)} and {len(many)} values, expected at least two values in each$"
    )
    with pytest.raises(ArgumentError, match=message):
        cohens_d(few, many)
    with pytest.raises(ArgumentError, match=message):
        hedges_g(few, many)


def test_paired_t_by_hand():
    """Differences 1, 2, 3: mean 2, sd 1, t = 2 / (1/sqrt(3)) = 3.4641; two degrees of freedom.

    With two degrees of freedom P(|T| > t) = 1 - t / sqrt(2 + t^2) = 1 - sqrt(12/14) = 0.0742.
    """
    result = t_test([2, 4, 6], [1, 2, 3], kind="paired")
    assert result.statistic == pytest.approx(2 * math.sqrt(3))
    assert result.p_value == pytest.approx(1 - math.sqrt(12 / 14))
    assert result.effect == pytest.approx(2.0 * (1 - 3 / 7))  # Hedges' correction
    assert result.n == (3,)


def test_two_pairs_keep_their_effect():
    """Hedges' correction of two pairs is 1 - 3/3 = 0, so the uncorrected effect is returned."""
    result = t_test([2, 4], [1, 1], kind="paired")  # differences 1 and 3: mean 2, sd sqrt(2)
    assert (result.effect_name, result.effect) == ("Cohen's d", pytest.approx(math.sqrt(2)))
    assert t_test([1, 1], [0, 0], kind="paired").effect == math.inf


def test_rank_sum_by_hand():
    """1 3 5 against 2 4 6 8: pairs in which the first is larger: 3>2, 5>2, 5>4, so U = 3.

    Twelve pairs, A12 = 3/12. Of the C(7,3) = 35 ways to choose the
    ranks of three, U <= 3 in 7 (one each for 0 and 1, two for 2, three for 3): p = 14/35.
    """
    result = rank_sum([1, 3, 5], [2, 4, 6, 8])
    assert (result.statistic, result.effect, result.direction) == (3.0, 0.25, "<")
    assert result.p_value == pytest.approx(14 / 35)


def test_signed_rank_by_hand():
    """Differences 1, -2, 3, 4 and a zero: ranks 1 to 4, W+ = 8 of 10, rank correlation 0.6.

    Sign patterns with a sum of 8 or more of 10: 10, 9, 8 (4+3+1), so 3 of 16: p = 6/16.
    """
    result = signed_rank([2, 0, 4, 5, 7], [1, 2, 1, 1, 7])
    assert result.statistic == pytest.approx(8)
    assert result.effect == pytest.approx(0.6)
    assert result.p_value == pytest.approx(6 / 16)
    assert (result.n, result.note) == ((5,), "4 pairs differ")
    assert rank_biserial([1, -2, 3, 4, 0]) == pytest.approx(0.6)


@pytest.mark.parametrize(("size", "is_exact"), [(50, True), (51, False)])
def test_signed_rank_is_exact_up_to_50_pairs(size, is_exact):
    """With differences of 1 and -1 only, the exact test is the sign test."""
    differences = np.repeat([1, -1], [18, size - 18])
    result = signed_rank(differences, np.zeros(size))
    exact = scipy.stats.binomtest(18, size).pvalue
    normal = scipy.stats.wilcoxon(differences).pvalue
    assert result.p_value == pytest.approx(exact if is_exact else normal)
    assert abs(exact - normal) > 0.005


@pytest.mark.parametrize(
    ("sizes", "is_exact"), [((8, 42), True), ((42, 8), True), ((8, 43), False), ((9, 9), False)]
)
def test_rank_sum_is_exact_up_to_8_values_against_42(sizes, is_exact):
    """With values 0 and 1 only, the ones of the first sample are hypergeometric."""
    ones = 6, 3
    first, second = (np.repeat([1, 0], [k, n - k]) for k, n in zip(ones, sizes, strict=True))
    result = rank_sum(first, second)
    drawn = scipy.stats.hypergeom(sum(sizes), sum(ones), sizes[0])
    exact = min(1, 2 * min(drawn.cdf(ones[0]), drawn.sf(ones[0] - 1)))
    normal = scipy.stats.mannwhitneyu(first, second).pvalue
    assert result.p_value == pytest.approx(exact if is_exact else normal)
    assert abs(exact / normal - 1) > 0.05


# Where tests break down ---------------------------------------------------------------


@pytest.mark.parametrize("name", TESTS)
@pytest.mark.parametrize("value", [0.0, 0.1 + 0.2, 1.0, 93.325])
def test_tied_values_give_p_value_one(name, value):
    result = TESTS[name]([value] * 5, [value] * 5)
    assert (result.p_value, result.direction, result.note) == (1.0, "=", "all values are tied")
    assert result.effect == (0.5 if name == "rank-sum" else 0.0)
    assert not result.is_significant()


@pytest.mark.parametrize("kind", ["welch", "pooled", "paired"])
def test_equal_means_with_spread_give_p_value_one(kind):
    result = t_test([1, 2, 3], [2, 3, 1], kind=kind)
    assert (result.statistic, result.p_value, result.effect) == (0.0, 1.0, 0.0)
    assert (result.direction, result.note) == ("=", "")


@pytest.mark.parametrize("kind", ["welch", "pooled", "paired"])
def test_tests_of_different_constants(kind):
    result = t_test([1.0] * 4, [0.5] * 4, kind=kind)
    assert (result.statistic, result.p_value, result.effect) == (math.inf, 0.0, math.inf)
    assert result.direction == ">"
    assert "no spread" in result.note
    assert t_test([0.5] * 4, [1.0] * 4, kind=kind).statistic == -math.inf


def test_complete_separation_of_two_samples():
    """Ten runs each, all of the first above all of the second: p = 2 / C(20, 10)."""
    low, high = np.arange(10), np.arange(100, 110)
    result = rank_sum(high, low)
    assert (result.effect, result.direction) == (1.0, ">")
    assert result.statistic == 100
    assert result.p_value == pytest.approx(2 * scipy.stats.norm.sf((50 - 0.5) / math.sqrt(175)))
    assert rank_sum(high[:8], low[:8]).p_value == pytest.approx(2 / math.comb(16, 8))
    assert signed_rank(high, low + np.arange(10)).p_value == pytest.approx(2 / 2**10)


@pytest.mark.parametrize("name", TESTS)
def test_one_run_is_reported_as_too_few(name):
    result = TESTS[name]([0.9], [0.8])
    assert result.p_value is result.statistic is result.effect is None
    assert result.note.startswith("not possible: ")
    assert not result.is_significant()


def test_one_run_against_many():
    assert t_test([0.9], [0.8, 0.7]).note == "not possible: a side has fewer than two runs"
    assert rank_sum([0.9, 0.8], [0.7]).n == (2, 1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: t_test([1, 2], [1, 2, 3], kind="paired"),
            "2 and 3 values, expected two samples of one size",
        ),
        (lambda: t_test([1, 2], [1, 2], kind="z"), "t-test 'z': unknown, expected one of welch"),
        (lambda: signed_rank([1], [1, 2]), "expected two samples of one size"),
        (lambda: rank_sum([], [1]), "expected a list of at least one value"),
        (lambda: rank_sum([1, math.nan], [1, 2]), "not finite"),
    ],
)
def test_invalid_samples_are_refused(call, message):
    with pytest.raises(ArgumentError, match=message):
        call()


# Properties ---------------------------------------------------------------------------


@settings(max_examples=60)
@given(samples, samples)
def test_tests_are_symmetric(a, b):
    """Swapping the samples reverses the result, and every result is defined."""
    size = min(len(a), len(b))
    for name, test in TESTS.items():
        x, y = (a[:size], b[:size]) if name in ("paired", "signed-rank") else (a, b)
        one, other = test(x, y), test(y, x)
        assert one.p_value == pytest.approx(other.p_value)
        assert {one.direction, other.direction} in ({">", "<"}, {"="})
        whole = 1.0 if name == "rank-sum" else 0.0  # A12 and A21 sum to one
        if math.isfinite(one.effect):
            assert one.effect + other.effect == pytest.approx(whole, abs=1e-12)


@given(samples, samples)
def test_a12_and_a21_sum_to_one(a, b):
    pairs = [(x > y) + (x == y) / 2 for x in a for y in b]
    assert vargha_delaney(a, b) == pytest.approx(sum(pairs) / len(pairs))
    assert vargha_delaney(a, b) + vargha_delaney(b, a) == pytest.approx(1)


# Equivalence --------------------------------------------------------------------------


@given(first=samples, second=samples, margin=st.floats(0.01, 30))
def test_equivalence_is_the_worse_of_two_one_sided_tests(
    first: list[int], second: list[int], margin: float
) -> None:
    size = min(len(first), len(second))
    apart = np.subtract(first[:size], second[:size])
    result = equivalence(first[:size], second[:size], margin=margin)
    assert result.effect == apart.mean()
    if not np.ptp(apart):
        assert result.p_value == (0 if abs(apart[0]) < margin else 1)
        assert "no spread" in result.note
        return
    assert result.note == ""
    above = scipy.stats.ttest_1samp(apart, -margin, alternative="greater").pvalue
    below = scipy.stats.ttest_1samp(apart, margin, alternative="less").pvalue
    assert result.p_value == pytest.approx(max(above, below), abs=1e-12)


def test_equivalence_needs_enough_data() -> None:
    assert equivalence([0.0, 1.0], [1.0, 0.0], margin=0.5).p_value > 0.3
    assert equivalence([1.0], [1.0], margin=1).p_value is None
    with pytest.raises(ArgumentError, match="3 and 2 values, expected two samples of one size"):
        equivalence([1, 2, 3], [1, 2], margin=1)
    for margin in (0, -1, math.inf, math.nan):
        with pytest.raises(ArgumentError, match="expected above 0"):
            equivalence([1, 2], [1, 2], margin=margin)


# Several methods -----------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("blocks", "sides"), [(3, 4), (14, 4), (200, 7)])
def test_tests_of_several_agree_with_scipy_and_scikit_posthocs(seed, blocks, sides):
    import scikit_posthocs

    values = np.random.default_rng(seed).integers(0, 9, (blocks, sides)) + np.arange(sides) / 2
    names = [f"m{i}" for i in range(sides)]
    theirs = scipy.stats.friedmanchisquare(*values.T)
    ours = friedman(values, names=names)
    assert (ours.statistic, ours.p_value) == pytest.approx((theirs.statistic, theirs.pvalue))
    assert ours.effect == pytest.approx(theirs.statistic / (blocks * (sides - 1)))
    nemenyis = scikit_posthocs.posthoc_nemenyi_friedman(values).to_numpy()
    holms = scikit_posthocs.posthoc_siegel_friedman(values, p_adjust="holm").to_numpy()
    pairs = list(combinations(range(sides), 2))
    ranks = scipy.stats.rankdata(-values, axis=1).mean(axis=0)
    for (i, j), n, z in zip(
        pairs, nemenyi(values, names=names), rank_z(values, names=names), strict=True
    ):
        assert n.final_p == pytest.approx(nemenyis[i, j], abs=1e-12)
        assert z.final_p == pytest.approx(holms[i, j], abs=1e-12)
        assert n.names == z.names == (names[i], names[j])
        better_by = ranks[j] - ranks[i]
        assert z.direction == n.direction == (">" if better_by > 0 else "<" if better_by else "=")


def test_critical_values_as_demsar_prints_them():
    """J. Demsar (2006), Table 5(a): two-tailed Nemenyi, alpha 0.05, for 2 to 10 classifiers."""
    table = (1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164)
    for k, q in enumerate(table, start=2):
        # The source truncates to three digits.
        assert critical_difference(k, 1) / math.sqrt(k * (k + 1) / 6) == pytest.approx(q, abs=1e-3)


@pytest.mark.parametrize(
    ("methods", "blocks", "alpha", "message"),
    [
        (1, 5, 0.05, "num_methods 1, expected 2 to"),
        (10**9 + 1, 5, 0.05, "num_methods"),
        (2, 0, 0.05, "num_blocks 0, expected 1 to"),
        (2, 10**9 + 1, 0.05, "num_blocks"),
        (2, 5, 0, "alpha"),
        (2, 5, 1, "alpha"),
    ],
)
def test_critical_difference_out_of_range_is_refused(methods, blocks, alpha, message):
    with pytest.raises(ArgumentError, match=message):
        critical_difference(methods, blocks, alpha=alpha)


def test_critical_difference_of_many_blocks():
    least = critical_difference(2, 1, alpha=0.1)
    assert critical_difference(2, 10**9, alpha=0.1) * math.sqrt(10**9) == pytest.approx(least)


def test_friedman_by_hand():
    """Three methods, four blocks; ranks (best 1): 1 2 3, 1 2 3, 2 1 3, 1 3 2.

    Rank sums 5, 8, 11: chi2 = 12/(4*3*4) (25 + 64 + 121) - 3*4*4 = 52.5 - 48 = 4.5, W = 4.5/8.
    With two degrees of freedom p = exp(-4.5/2).
    """
    values = [[9, 8, 7], [9, 8, 7], [8, 9, 7], [9, 7, 8]]
    result = friedman(values, names=["a", "b", "c"])
    assert result.statistic == pytest.approx(4.5)
    assert result.effect == pytest.approx(4.5 / 8)
    assert result.p_value == pytest.approx(math.exp(-2.25))
    assert mean_ranks(values) == pytest.approx((5 / 4, 8 / 4, 11 / 4))
    assert mean_ranks(values, higher_is_better=False) == pytest.approx((11 / 4, 8 / 4, 5 / 4))


def test_rank_z_by_hand():
    """Mean ranks 1 and 2 of two methods over 9 blocks: z = 1 / sqrt(2*3/(6*9)) = 3."""
    (result,) = rank_z([[1, 0]] * 9, names=["a", "b"])
    assert result.statistic == pytest.approx(3.0)
    assert result.p_value == pytest.approx(2 * scipy.stats.norm.sf(3))
    assert result.comparison == "a > b"


def test_holm_by_hand():
    """0.005, 0.01, 0.03, 0.04 times 4, 3, 2, 1: 0.02, 0.03, 0.06, 0.04, then never falling."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))
    assert holm([]) == ()


def test_correction_skips_tests_without_p_value():
    """The family has two members: the test without a p-value does not count."""
    family = [t_test([1, 2], [1.5, 3]), t_test([1], [2, 3]), rank_sum([1, 2, 3], [4, 5, 6])]
    one, none, other = holm_correct(family)
    assert none == family[1]
    assert (one.corrected_p, other.corrected_p) == pytest.approx(
        holm([family[0].p_value, family[2].p_value])
    )
    assert one.correction == other.correction == "holm"


def test_several_without_differences():
    result = friedman([[1, 1, 1], [2, 2, 2]], names=["a", "b", "c"])
    assert (result.p_value, result.effect) == (1.0, 0.0)
    assert result.note == "all values are tied within every block"
    for pair in (*nemenyi([[1, 1, 1]] * 2, names="abc"), *rank_z([[1, 1, 1]] * 2, names="abc")):
        assert (pair.final_p, pair.direction, pair.note) == (1.0, "=", "equal mean ranks")


@pytest.mark.parametrize("values", [[[1, 2], [2, 1]], [[1, 2, 3]]])
def test_friedman_needs_three_methods_and_two_blocks(values):
    names = "abc"[: len(values[0])]
    assert friedman(values, names=names).note.startswith("not possible")
    if len(values) == 1:
        assert all(one.p_value is None for one in nemenyi(values, names=names))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: friedman([1, 2, 3], names="abc"), "expected blocks by methods"),
        (lambda: friedman([[], []], names=""), r"blocks of shape \(2, 0\), expected blocks"),
        (lambda: mean_ranks(np.empty((0, 3))), r"blocks of shape \(0, 3\), expected blocks"),
        (lambda: friedman([[1, 2, 3]], names="ab"), "3 methods, but 2 names"),
        (lambda: friedman([[1, 2, math.inf]], names="abc"), "not finite"),
    ],
)
def test_invalid_blocks_are_refused(call, message):
    with pytest.raises(ArgumentError, match=message):
        call()


@pytest.fixture(scope="module")
def multipletests():
    """Return the function of statsmodels, whose import and first call take seconds."""
    from statsmodels.stats.multitest import multipletests

    multipletests([0.1, 0.2], method="holm")
    return multipletests


@settings(max_examples=25)
@given(p_values=st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_holm_agrees_with_statsmodels_and_keeps_the_order(p_values, multipletests):
    result = holm(p_values)
    assert all(p <= q <= 1 for p, q in zip(p_values, result, strict=True))
    assert (np.diff(np.array(result)[np.argsort(p_values)]) >= -1e-15).all()
    assert result == pytest.approx(multipletests(p_values, method="holm")[1])


@settings(max_examples=40)
@given(
    hnp.arrays(
        np.int64, st.tuples(st.integers(2, 8), st.integers(3, 6)), elements=st.integers(0, 5)
    )
)
def test_ranks_add_up_and_friedman_is_defined(values):
    k = values.shape[1]
    assert sum(mean_ranks(values)) == pytest.approx(k * (k + 1) / 2)
    result = friedman(values, names="abcdef"[:k])
    assert 0 <= result.p_value <= 1
    assert 0 <= result.effect <= 1


# Results --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        {"p_value": 1.5},
        {"p_value": -0.5},
        {"corrected_p": 1.5, "correction": "holm"},
        {"p_value": math.nan},
        {"effect": math.nan},
        {"p_value": None},
        {"corrected_p": 0.1, "correction": "holm"},
        {"corrected_p": 0.3},
        {"direction": "up"},
    ],
)
def test_contradictory_test_results_are_refused(change):
    good = {
        "test": "t",
        "names": ("a", "b"),
        "n": (3, 3),
        "statistic": 1.0,
        "statistic_name": "t",
        "p_value": 0.2,
        "effect": 1.0,
        "effect_name": "d",
    }
    assert TestResult(**good).p_value == 0.2
    with pytest.raises(ArgumentError):
        TestResult(**{**good, **change})


def test_p_value_equal_to_the_level_is_not_significant() -> None:
    result = rank_sum([1.0, 1.0, 1.0], [0.9, 0.9, 0.9])
    assert result.p_value == 0.1
    assert [result.is_significant(alpha) for alpha in (0.1, 0.1001)] == [False, True]


def test_list_that_contains_itself_is_no_sample() -> None:
    endless: list[object] = []
    endless.append(endless)
    for samples in ((endless, [1, 2]), ([1, 2], endless)):
        for effect in (cohens_d, hedges_g):
            with pytest.raises(ArgumentError, match="expected numbers"):
                effect(*samples)
