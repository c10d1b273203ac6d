"""Counts of right, too low and too high values, by hand and by brute force."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mjopt.errors import StudyError
from mjopt.studies.accuracy import (
    Accuracy,
    Spread,
    accuracy_by,
    bins,
    count_right,
    gap_counts,
    spread,
)

VALUES = np.array([[2, 3, 4, 0], [2, 2, 5, 1]], dtype=np.int8)  # two runs, four hands
TRUTH = np.array([2, 3, 4, 1], dtype=np.int8)


def test_values_below_are_counted_apart_and_never_clipped():
    assert count_right(VALUES, TRUTH) == Accuracy(right=5, below=2, above=1)
    assert gap_counts(VALUES, TRUTH) == {-1: 2, 0: 5, 1: 1}


def test_gaps_of_small_integers_do_not_wrap_round():
    assert gap_counts(np.array([[-100]], np.int8), np.array([100], np.int8)) == {-200: 1}


def test_strata():
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
    gaps = gap_counts(values, truth)
    assert sum(gaps.values()) == runs * hands
    assert gaps.get(0, 0) == count_right(values, truth).right


def test_spread_of_runs():
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
def test_bins_are_few_round_and_complete(keys, most):
    least, words = bins(np.array(keys), most=most)
    assert len(words) <= most
    assert set(least.tolist()) == set(words)
    for key, start in zip(keys, least.tolist(), strict=True):
        first, _, last = words[start].partition("-")
        assert int(first) <= key <= int(last or first)


def test_a_tally_has_no_negative_counts():
    with pytest.raises(StudyError, match="negative"):
        Accuracy(1, -1, 0)
