"""Accuracy and evaluation counts, by hand and by brute force."""

from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mjopt.errors import StudyError
from mjopt.studies.metrics import (
    Accuracy,
    Spread,
    accuracy_by,
    count_evaluations,
    count_right,
    count_values,
    ecdf,
    hit_times,
    make_bins,
    spread,
)

VALUES = np.array([[2, 3, 4, 0], [2, 2, 5, 1]], dtype=np.int8)  # two runs, four hands
TRUTH = np.array([2, 3, 4, 1], dtype=np.int8)


def test_undershoots_are_counted_separately_and_not_clipped():
    assert count_right(VALUES, TRUTH) == Accuracy(right=5, below=2, above=1)
    assert count_values(VALUES - TRUTH) == {-1: 2, 0: 5, 1: 1}


def test_accuracy_by_stratum():
    kongs = np.array([0, 1, 0, 1])
    assert accuracy_by(VALUES, TRUTH, kongs) == {
        0: Accuracy(right=3, below=0, above=1),
        1: Accuracy(right=2, below=2, above=0),
    }


@given(st.data())
def test_strata_add_up_to_the_whole(data):
    runs, hands = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 12))
    rng = np.random.default_rng(data.draw(st.integers(0, 999)))
    values = rng.integers(0, 5, (runs, hands))
    truth, keys = rng.integers(0, 5, hands), rng.integers(0, 3, hands)
    found = accuracy_by(values, truth, keys)
    parts = [(one.right, one.below, one.above) for one in found.values()]
    assert Accuracy(*map(sum, zip(*parts, strict=True))) == count_right(values, truth)
    for key, one in found.items():
        chosen = keys == key
        assert one == count_right(values[:, chosen], truth[chosen])
    gaps = count_values(values - truth)
    assert sum(gaps.values()) == runs * hands
    assert gaps.get(0, 0) == count_right(values, truth).right


def test_spread_of_runs_by_hand():
    """1, 2, 3, 6: mean 3, median 2.5, variance (4 + 1 + 0 + 9) / 3."""
    low_is_best = spread([2, 6, 1, 3], higher_is_better=False)
    assert low_is_best == pytest.approx(Spread(1, 6, 2.5, 3, (14 / 3) ** 0.5))
    assert spread([2, 6, 1, 3])[:2] == (6, 1)


def test_spread_of_equal_runs_has_no_rounding():
    assert spread([0.1] * 30) == Spread(0.1, 0.1, 0.1, 0.1, 0.0)
    assert spread([0.7]) == Spread(0.7, 0.7, 0.7, 0.7, None)
    with pytest.raises(StudyError, match="no run"):
        spread([])


@given(st.lists(st.integers(0, 500), min_size=1, max_size=40), st.integers(1, 12))
def test_bins_are_few_rounded_and_exhaustive(keys, most):
    least, words = make_bins(np.array(keys), max_bins=most)
    assert len(words) <= most
    assert set(least.tolist()) == set(words)
    for key, start in zip(keys, least.tolist(), strict=True):
        first, _, last = words[start].partition("-")
        assert int(first) <= key <= int(last or first)


def test_negative_counts_are_refused():
    with pytest.raises(StudyError, match="negative"):
        Accuracy(1, -1, 0)


# Evaluations

TRUE = np.array([2, 3, 4])
FOUND = np.array([[2, 3, 5], [2, 2, 4]])  # run 0 misses hand 2, run 1 falls below on hand 1
SPENT = np.full((2, 3), 100)
HIT = np.array([[10, 30, -1], [20, 40, 50]])


def test_evaluations_by_hand():
    """Solved after 10, 30, 20 and 50. The undershoot would stop at 40, the miss at 100.

    The sum 10 + 30 + 100 + 20 + 40 + 50 = 250 over four successes gives 62.5.
    """
    found = count_evaluations(FOUND, TRUE, SPENT, HIT)
    assert hit_times(FOUND, TRUE, SPENT, HIT).tolist() == [[10, 30, -1], [20, -1, 50]]
    assert (found.tries, found.solved, found.total, found.until_stopped) == (6, 4, 600, 250)
    assert found.expected == 62.5
    assert found.median == 30  # half of six tries is three
    assert found.ninety == inf  # that would need all six
    assert found.unsolved_hands == 0
    assert found.mean == 100


def test_method_without_success_has_infinite_evaluations():
    found = count_evaluations(TRUE[None] + 1, TRUE, SPENT[:1], np.full((1, 3), -1))
    assert (found.solved, found.expected, found.median) == (0, inf, inf)
    assert found.unsolved_hands == 3
    curve = ecdf(np.full(3, -1))
    assert curve.at.size == curve.share.size == 0


def test_a_hit_without_a_record_counts_at_the_end():
    assert hit_times(TRUE[None], TRUE, SPENT[:1], np.full((1, 3), -1)).tolist() == [[100] * 3]


def test_the_ecdf_ends_at_the_share_of_solved_tries():
    curve = ecdf(hit_times(FOUND, TRUE, SPENT, HIT))
    assert curve.at.tolist() == [10, 20, 30, 50]
    assert curve.share == pytest.approx([1 / 6, 2 / 6, 3 / 6, 4 / 6])


@given(st.integers(0, 2**32), st.integers(5, 50))
def test_a_thinned_ecdf_keeps_exact_points_and_both_ends(seed, points):
    rng = np.random.default_rng(seed)
    times = np.where(rng.random(600) < 0.8, rng.integers(0, 10_000, 600), -1)
    whole, thin = ecdf(times, points=10_000), ecdf(times, points=points)
    exact = dict(zip(whole.at.tolist(), whole.share.tolist(), strict=True))
    assert len(thin.at) <= points
    assert all(
        exact[at] == share for at, share in zip(thin.at.tolist(), thin.share.tolist(), strict=True)
    )
    assert (thin.at[0], thin.at[-1]) == (whole.at[0], whole.at[-1])
    assert whole.share[-1] == pytest.approx(np.mean(times >= 0))
