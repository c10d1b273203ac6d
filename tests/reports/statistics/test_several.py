"""Tests of several sides and corrections: against SciPy and others, by hand, without spread."""

import math
from itertools import combinations

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from mjopt.errors import StudyError
from mjopt.reports.statistics import (
    CORRECTIONS,
    adjust,
    correct,
    critical_difference,
    friedman,
    mean_ranks,
    nemenyi,
    rank_sum,
    rank_z,
    t_test,
)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("blocks", "sides"), [(3, 4), (14, 4), (200, 7)])
def test_tests_of_several_agree_with_scipy_and_scikit_posthocs(seed, blocks, sides):
    import scikit_posthocs

    values = np.random.default_rng(seed).integers(0, 9, (blocks, sides)) + np.arange(sides) / 2
    names = [f"m{i}" for i in range(sides)]
    theirs = scipy.stats.friedmanchisquare(*values.T)
    ours = friedman(values, sides=names)
    assert (ours.statistic, ours.p_value) == pytest.approx((theirs.statistic, theirs.pvalue))
    assert ours.effect == pytest.approx(theirs.statistic / (blocks * (sides - 1)))
    nemenyis = scikit_posthocs.posthoc_nemenyi_friedman(values).to_numpy()
    holms = scikit_posthocs.posthoc_siegel_friedman(values, p_adjust="holm").to_numpy()
    pairs = list(combinations(range(sides), 2))
    ranks = scipy.stats.rankdata(-values, axis=1).mean(axis=0)
    for (i, j), n, z in zip(
        pairs, nemenyi(values, sides=names), rank_z(values, sides=names), strict=True
    ):
        assert n.final_p == pytest.approx(nemenyis[i, j], abs=1e-12)
        assert z.final_p == pytest.approx(holms[i, j], abs=1e-12)
        assert n.sides == z.sides == (names[i], names[j])
        better_by = ranks[j] - ranks[i]
        assert z.direction == n.direction == (">" if better_by > 0 else "<" if better_by else "=")


def test_nemenyi_p_value_is_alpha_at_the_critical_difference():
    for k, n in ((3, 10), (5, 40), (8, 300)):
        q = critical_difference(k, n) / math.sqrt(k * (k + 1) / (6 * n)) * math.sqrt(2)
        assert scipy.stats.studentized_range.sf(q, k, np.inf) == pytest.approx(0.05, abs=1e-6)


def test_critical_values_as_demsar_prints_them():
    """J. Demsar (2006), Table 5(a): two-tailed Nemenyi, alpha 0.05, for 2 to 10 classifiers."""
    table = (1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164)
    for k, q in enumerate(table, start=2):
        # He cuts after three digits rather than rounding.
        assert critical_difference(k, 1) / math.sqrt(k * (k + 1) / 6) == pytest.approx(q, abs=1e-3)


def test_friedman_by_hand():
    """Three methods, four blocks; ranks (best 1): 1 2 3, 1 2 3, 2 1 3, 1 3 2.

    Rank sums 5, 8, 11: chi2 = 12/(4*3*4) (25 + 64 + 121) - 3*4*4 = 52.5 - 48 = 4.5, W = 4.5/8.
    With two degrees of freedom p = exp(-4.5/2).
    """
    values = [[9, 8, 7], [9, 8, 7], [8, 9, 7], [9, 7, 8]]
    found = friedman(values, sides=["a", "b", "c"])
    assert found.statistic == pytest.approx(4.5)
    assert found.effect == pytest.approx(4.5 / 8)
    assert found.p_value == pytest.approx(math.exp(-2.25))
    assert mean_ranks(values) == pytest.approx((5 / 4, 8 / 4, 11 / 4))
    assert mean_ranks(values, higher_is_better=False) == pytest.approx((11 / 4, 8 / 4, 5 / 4))


def test_rank_z_by_hand():
    """Mean ranks 1 and 2 of two methods over 9 blocks: z = 1 / sqrt(2*3/(6*9)) = 3."""
    (found,) = rank_z([[1, 0]] * 9, sides=["a", "b"])
    assert found.statistic == pytest.approx(3.0)
    assert found.p_value == pytest.approx(2 * scipy.stats.norm.sf(3))
    assert found.says == "a > b"


def test_holm_by_hand():
    """0.005, 0.01, 0.03, 0.04 times 4, 3, 2, 1: 0.02, 0.03, 0.06, 0.04, then never falling."""
    assert adjust([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))
    assert adjust([0.01, 0.9], "bonferroni") == pytest.approx((0.02, 1.0))
    assert adjust([]) == ()
    with pytest.raises(StudyError, match="'sidak', expected one of holm"):
        adjust([0.1], "sidak")


def test_correct_leaves_what_was_not_possible():
    """The family has two members: the test without a p-value does not count."""
    family = [t_test([1, 2], [1.5, 3]), t_test([1], [2, 3]), rank_sum([1, 2, 3], [4, 5, 6])]
    one, none, other = correct(family)
    assert none == family[1]
    assert (one.corrected_p, other.corrected_p) == pytest.approx(
        adjust([family[0].p_value, family[2].p_value])
    )
    assert one.correction == other.correction == "holm"


def test_several_without_differences():
    found = friedman([[1, 1, 1], [2, 2, 2]], sides=["a", "b", "c"])
    assert (found.p_value, found.effect) == (1.0, 0.0)
    assert found.note == "all values are tied within every block"
    for pair in (*nemenyi([[1, 1, 1]] * 2, sides="abc"), *rank_z([[1, 1, 1]] * 2, sides="abc")):
        assert (pair.final_p, pair.direction, pair.note) == (1.0, "=", "equal mean ranks")


@pytest.mark.parametrize("values", [[[1, 2], [2, 1]], [[1, 2, 3]]])
def test_friedman_needs_three_methods_and_two_blocks(values):
    names = "abc"[: len(values[0])]
    assert friedman(values, sides=names).note.startswith("not possible")
    if len(values) == 1:
        assert all(one.p_value is None for one in nemenyi(values, sides=names))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: friedman([1, 2, 3], sides="abc"), "expected blocks by sides"),
        (lambda: friedman([[1, 2, 3]], sides="ab"), "3 sides, expected 2: a, b"),
        (lambda: friedman([[1, 2, math.inf]], sides="abc"), "not finite"),
    ],
)
def test_refuses_what_is_no_blocks(call, message):
    with pytest.raises(StudyError, match=message):
        call()


@settings(deadline=None, max_examples=50)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=20), st.sampled_from(sorted(CORRECTIONS)))
def test_corrections_never_help_and_keep_the_order(p_values, method):
    from statsmodels.stats.multitest import multipletests

    found = adjust(p_values, method)
    assert all(p <= q <= 1 for p, q in zip(p_values, found, strict=True))
    assert (np.diff(np.array(found)[np.argsort(p_values)]) >= -1e-15).all()
    theirs = {"holm": "holm", "bonferroni": "bonferroni", "benjamini-hochberg": "fdr_bh"}
    assert found == pytest.approx(multipletests(p_values, method=theirs[method])[1])


@settings(deadline=None, max_examples=40)
@given(
    hnp.arrays(
        np.int64, st.tuples(st.integers(2, 8), st.integers(3, 6)), elements=st.integers(0, 5)
    )
)
def test_ranks_add_up_and_friedman_is_defined(values):
    k = values.shape[1]
    assert sum(mean_ranks(values)) == pytest.approx(k * (k + 1) / 2)
    found = friedman(values, sides="abcdef"[:k])
    assert 0 <= found.p_value <= 1
    assert 0 <= found.effect <= 1
