"""Intervals of proportions and means, checked against SciPy and by simulation."""

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from mjopt.errors import ArgumentError
from mjopt.statistics import bootstrap_mean, bootstrap_ratio, wilson, wilson_clustered

pytestmark = pytest.mark.filterwarnings("error")


@pytest.mark.parametrize(("successes", "tries"), [(0, 1), (1, 1), (8, 10), (50, 118_800)])
@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
def test_wilson_interval_agrees_with_scipy(successes, tries, confidence):
    theirs = scipy.stats.binomtest(successes, tries).proportion_ci(confidence, method="wilson")
    assert wilson(successes, tries, confidence=confidence) == pytest.approx(tuple(theirs))


@given(st.integers(1, 10**7), st.data(), st.floats(0.01, 0.9999))
def test_interval_lies_in_0_to_1_and_contains_the_share(tries, data, confidence):
    successes = data.draw(st.integers(0, tries))
    low, high = wilson(successes, tries, confidence=confidence)
    assert 0 <= low <= successes / tries <= high <= 1
    assert low < high
    other = wilson(tries - successes, tries, confidence=confidence)
    assert other == pytest.approx((1 - high, 1 - low))


@pytest.mark.parametrize("tries", [1, 5, 7, 8, 9, 10, 11, 12, 13, 17])
def test_interval_of_no_or_only_successes_ends_at_0_or_1(tries):
    assert wilson(0, tries).low == 0
    assert wilson(tries, tries).high == 1


@pytest.mark.parametrize(
    ("failures", "tries", "confidence"), [(1e-9, 2, 0.468834399153657), (1e-12, 51, 0.95)]
)
def test_rounding_of_an_effective_sample_stays_in_0_to_1(failures, tries, confidence):
    """Without the limits, the ends would be -6e-18 and 1 + 2e-16."""
    assert wilson(failures, tries, confidence=confidence).low >= 0
    assert wilson(tries - failures, tries, confidence=confidence).high <= 1


@pytest.mark.parametrize(
    ("successes", "tries", "confidence"),
    [
        (1, 0, 0.95),
        (0, 0, 0.95),
        (0, -1, 0.95),
        (-1, 5, 0.95),
        (6, 5, 0.95),
        (1, 2, 1.0),
        (1, 2, 0.0),
    ],
)
def test_invalid_shares_are_refused(successes, tries, confidence):
    with pytest.raises(ArgumentError):
        wilson(successes, tries, confidence=confidence)


@pytest.mark.parametrize("right", [[0, 1, 1, 0, 1], [1, 1], [0, 0, 0]])
def test_interval_of_one_run_treats_hands_as_tries(right):
    assert wilson_clustered(right, 1) == pytest.approx(wilson(sum(right), len(right)))


@given(st.lists(st.integers(0, 7), min_size=2, max_size=50))
def test_clustered_interval_lies_between_one_try_per_hand_and_all_tries(right):
    pooled = wilson(sum(right), 7 * len(right))
    least = wilson(sum(right) / 7, len(right))
    low, high = wilson_clustered(right, 7)
    assert least.low - 1e-12 <= low <= pooled.low + 1e-12
    assert pooled.high - 1e-12 <= high <= least.high + 1e-12


def test_independent_runs_count_in_full():
    """With one probability for all hands, the interval is about the pooled one."""
    right = np.random.default_rng(0).binomial(10, 0.7, 4000)
    low, high = wilson_clustered(right, 10)
    pooled = wilson(int(right.sum()), 40_000)
    assert high - low == pytest.approx(pooled.high - pooled.low, rel=0.05)


def test_correlated_tries_within_a_cluster_widen_the_interval():
    """60 games of 5 to 35 equal decisions each; then the same values shuffled."""
    rng = np.random.default_rng(1)
    sizes, right = rng.integers(5, 36, 60), rng.random(60) < 0.7
    values, games = np.repeat(right, sizes).astype(float), np.repeat(np.arange(60), sizes)
    mixed = np.bincount(games, rng.permutation(values))
    pooled = wilson(values.sum(), len(values))
    alike, apart = (wilson_clustered(successes, sizes) for successes in (right * sizes, mixed))
    once = wilson(0.7 * 60, 60)
    assert alike.high - alike.low > 0.95 * (once.high - once.low) > 3 * (pooled.high - pooled.low)
    assert apart.high - apart.low == pytest.approx(pooled.high - pooled.low, rel=0.3)


def test_bootstrap_agrees_with_a_loop():
    rng = np.random.default_rng(4)
    values = rng.normal(size=300).round(1)
    means = [rng.choice(values, 300).mean() for _ in range(4000)]
    expected = tuple(np.quantile(means, [0.025, 0.975]))
    assert bootstrap_mean(values, rng=5) == pytest.approx(expected, abs=0.01)


def test_bootstrap_with_a_seed_is_that_of_4000_resamples():
    values = np.random.default_rng(6).normal(size=30)
    drawn = np.random.default_rng(7).multinomial(30, np.full(30, 1 / 30), size=4000)
    expected = tuple(np.quantile(drawn @ np.sort(values) / 30, [0.025, 0.975]))
    assert bootstrap_mean(values, rng=7) == pytest.approx(expected, rel=1e-12)


def test_bootstrap_of_a_ratio_agrees_with_a_loop():
    rng = np.random.default_rng(4)
    sizes = rng.integers(1, 9, 100)
    totals = sizes * rng.normal(5, 1, 100)
    picks = rng.integers(0, 100, (4000, 100))
    ratios = totals[picks].sum(axis=1) / sizes[picks].sum(axis=1)
    expected = tuple(np.quantile(ratios, [0.025, 0.975]))
    assert bootstrap_ratio(totals, sizes, rng=5) == pytest.approx(expected, abs=0.02)


@pytest.mark.parametrize("sizes", [[1.0, 0.0], [1.0], [1.0, -1.0], [1.0, np.nan]])
def test_bootstrap_of_a_ratio_refuses_sizes(sizes):
    with pytest.raises(ArgumentError, match="sizes"):
        bootstrap_ratio([1.0, 2.0], sizes, rng=1)
