"""Spread over runs, bins and evaluation counts, by hand and by brute force."""

from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mjopt.errors import ArgumentError
from mjopt.studies.metrics import Spread, hit_times, make_bins, reached_by, spread, thin_steps


def test_spread_of_runs_by_hand():
    """1, 2, 3, 6: mean 3, median 2.5, variance (4 + 1 + 0 + 9) / 3."""
    low_is_best = spread([2, 6, 1, 3], higher_is_better=False)
    assert low_is_best == pytest.approx(Spread(1, 6, 2.5, 3, (14 / 3) ** 0.5))
    assert spread([2, 6, 1, 3])[:2] == (6, 1)


def test_spread_of_equal_runs_has_no_rounding():
    assert spread([0.1] * 30) == Spread(0.1, 0.1, 0.1, 0.1, 0.0)
    assert spread([0.7]) == Spread(0.7, 0.7, 0.7, 0.7, None)
    with pytest.raises(ArgumentError, match="no run"):
        spread([])


@given(st.lists(st.integers(0, 500), min_size=1, max_size=40), st.integers(1, 12))
def test_bins_are_few_rounded_and_exhaustive(keys, most):
    least, words = make_bins(np.array(keys), max_bins=most)
    assert len(words) <= most
    assert set(least.tolist()) == set(words)
    for key, start in zip(keys, least.tolist(), strict=True):
        first, _, last = words[start].partition("-")
        assert int(first) <= key <= int(last or first)


TRUE = np.array([2, 3, 4])
FOUND = np.array([[2, 3, 5], [2, 2, 4]])  # run 0 misses hand 2, run 1 falls below on hand 1
SPENT = np.full((2, 3), 100)
HIT = np.array([[10, 30, -1], [20, 40, 50]])


def test_only_tries_that_end_right_are_hits():
    assert hit_times(FOUND, TRUE, SPENT, HIT).tolist() == [[10, 30, -1], [20, -1, 50]]


def test_a_hit_without_a_record_counts_at_the_end():
    assert hit_times(TRUE[None], TRUE, SPENT[:1], np.full((1, 3), -1)).tolist() == [[100] * 3]


@given(st.lists(st.integers(0, 50), min_size=1, max_size=60), st.integers(0, 20))
def test_share_of_tries_is_an_order_statistic(hits, unsolved):
    at, tries = np.unique(hits, return_counts=True)
    every = sorted([*map(float, hits), *[inf] * unsolved])
    for share in (0.1, 0.5, 0.9, 1.0):
        expected = every[int(np.ceil(share * len(every))) - 1]
        assert reached_by(at, tries, len(every), share) == expected


@given(st.integers(0, 2**32), st.integers(5, 50))
def test_thinned_steps_keep_both_ends(seed, points):
    at = np.unique(np.random.default_rng(seed).integers(0, 10_000, 600))
    kept = thin_steps(at, points)
    assert len(kept) <= points
    assert (np.diff(kept) > 0).all()
    assert (kept[0], kept[-1]) == (0, len(at) - 1)
