"""Wilson's interval: against SciPy, at its ends, and for runs that are alike."""

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from mjopt.errors import StudyError
from mjopt.reports.statistics import bootstrap_mean, wilson, wilson_over_hands


@pytest.mark.parametrize(("successes", "tries"), [(0, 1), (1, 1), (8, 10), (50, 118_800)])
@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
def test_agrees_with_scipy(successes, tries, confidence):
    theirs = scipy.stats.binomtest(successes, tries).proportion_ci(confidence, method="wilson")
    assert wilson(successes, tries, confidence=confidence) == pytest.approx(tuple(theirs))


def test_by_hand():
    """0 of n: from 0 to z^2 / (n + z^2), here with z = 1.959964 and n = 6.158541 = 10 - z^2."""
    low, high = wilson(0, 10 - 1.959964**2)
    assert low == 0
    assert high == pytest.approx(1.959964**2 / 10, rel=1e-6)


@given(st.integers(1, 10**7), st.data(), st.floats(0.01, 0.9999))
def test_lies_in_0_to_1_and_holds_the_share(tries, data, confidence):
    successes = data.draw(st.integers(0, tries))
    low, high = wilson(successes, tries, confidence=confidence)
    assert 0 <= low <= successes / tries <= high <= 1
    assert low < high
    other = wilson(tries - successes, tries, confidence=confidence)
    assert other == pytest.approx((1 - high, 1 - low))


@given(st.integers(1, 1000), st.integers(0, 1000))
def test_more_tries_and_less_confidence_make_it_narrower(tries, extra):
    half = wilson(tries / 2, tries)
    more = wilson((tries + extra) / 2, tries + extra)
    assert more.high - more.low <= half.high - half.low + 1e-15
    sure = wilson(tries / 2, tries, confidence=0.99)
    assert sure.low <= half.low <= half.high <= sure.high


@pytest.mark.parametrize(
    ("successes", "tries", "confidence"), [(1, 0, 0.95), (-1, 5, 0.95), (6, 5, 0.95), (1, 2, 1.0)]
)
def test_refuses_what_is_no_share(successes, tries, confidence):
    with pytest.raises(StudyError):
        wilson(successes, tries, confidence=confidence)


@pytest.mark.parametrize("right", [[0, 1, 1, 0, 1], [1, 1], [0, 0, 0]])
def test_with_one_run_hands_are_the_tries(right):
    assert wilson_over_hands(right, 1) == pytest.approx(wilson(sum(right), len(right)))


@given(st.lists(st.integers(0, 7), min_size=2, max_size=50))
def test_over_hands_lies_between_one_try_a_hand_and_all_tries(right):
    pooled = wilson(sum(right), 7 * len(right))
    least = wilson(sum(right) / 7, len(right))
    low, high = wilson_over_hands(right, 7)
    assert least.low - 1e-12 <= low <= pooled.low + 1e-12
    assert pooled.high - 1e-12 <= high <= least.high + 1e-12


def test_runs_that_are_independent_count_in_full():
    """With one probability for all hands, the interval is about the pooled one."""
    right = np.random.default_rng(0).binomial(10, 0.7, 4000)
    low, high = wilson_over_hands(right, 10)
    pooled = wilson(int(right.sum()), 40_000)
    assert high - low == pytest.approx(pooled.high - pooled.low, rel=0.05)


def test_what_is_alike_within_a_group_counts_once_and_makes_it_wider():
    """60 games of 5 to 35 decisions, all of a game alike; then the same values in no order."""
    rng = np.random.default_rng(1)
    sizes, right = rng.integers(5, 36, 60), rng.random(60) < 0.7
    values, games = np.repeat(right, sizes).astype(float), np.repeat(np.arange(60), sizes)
    mixed = np.bincount(games, rng.permutation(values))
    pooled = wilson(values.sum(), len(values))
    alike, apart = (wilson_over_hands(one, sizes) for one in (right * sizes, mixed))
    once = wilson(0.7 * 60, 60)
    assert alike.high - alike.low > 0.95 * (once.high - once.low) > 3 * (pooled.high - pooled.low)
    assert apart.high - apart.low == pytest.approx(pooled.high - pooled.low, rel=0.3)
    one, other = (bootstrap_mean(values, rng=1, groups=of) for of in (games, None))
    assert one.high - one.low == pytest.approx(alike.high - alike.low, rel=0.1)
    assert other.high - other.low == pytest.approx(pooled.high - pooled.low, rel=0.1)


def test_a_bootstrap_over_groups_of_one_is_that_of_the_values():
    values = np.random.default_rng(2).normal(size=80)
    alone = bootstrap_mean(values, rng=3, groups=np.arange(80))
    assert alone == bootstrap_mean(values, rng=3)


def test_a_bootstrap_over_groups_agrees_with_one_group_by_group():
    rng = np.random.default_rng(4)
    groups, values = rng.integers(0, 40, 300), rng.normal(size=300)
    parts = [values[groups == one] for one in np.unique(groups)]
    means = []
    for _ in range(4000):
        drawn = [parts[i] for i in rng.integers(len(parts), size=len(parts))]
        means.append(np.concatenate(drawn).mean())
    theirs = np.quantile(means, [0.025, 0.975])
    assert bootstrap_mean(values, rng=5, groups=groups) == pytest.approx(tuple(theirs), abs=0.02)
