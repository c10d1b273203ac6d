"""Evaluations until the true value: unsolved tries stay unsolved."""

from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mjopt.errors import StudyError
from mjopt.studies.effort import Effort, climb, hits, total_effort

TRUTH = np.array([2, 3, 4])
VALUES = np.array([[2, 3, 5], [2, 2, 4]])  # run 0 misses hand 2, run 1 falls below on hand 1
SPENT = np.full((2, 3), 100)
HIT = np.array([[10, 30, -1], [20, 40, 50]])


def test_by_hand():
    """Solved after 10, 30, 20 and 50. The undershoot would have stopped at 40, the miss at 100.

    Until stopped 10 + 30 + 100 + 20 + 40 + 50 = 250, over four successes: 62.5.
    """
    found = total_effort(VALUES, TRUTH, SPENT, HIT)
    assert hits(VALUES, TRUTH, SPENT, HIT).tolist() == [[10, 30, -1], [20, -1, 50]]
    assert (found.tries, found.solved, found.spent, found.until_stopped) == (6, 4, 600, 250)
    assert found.expected == 62.5
    assert found.median == 30  # half of six tries is three
    assert found.ninety == inf  # that would take all six
    assert found.unsolved_hands == 0
    assert found.mean_spent == 100


def test_never_solved():
    found = total_effort(TRUTH[None] + 1, TRUTH, SPENT[:1], np.full((1, 3), -1))
    assert (found.solved, found.expected, found.median) == (0, inf, inf)
    assert found.unsolved_hands == 3
    rise = climb(np.full(3, -1))
    assert rise.at.size == rise.share.size == 0


def test_a_hit_that_was_not_noted_is_placed_at_the_end():
    assert hits(TRUTH[None], TRUTH, SPENT[:1], np.full((1, 3), -1)).tolist() == [[100] * 3]


def test_the_curve_ends_below_one():
    rise = climb(hits(VALUES, TRUTH, SPENT, HIT))
    assert rise.at.tolist() == [10, 20, 30, 50]
    assert rise.share == pytest.approx([1 / 6, 2 / 6, 3 / 6, 4 / 6])


@given(st.integers(0, 2**32), st.integers(5, 50))
def test_a_thinned_curve_keeps_true_points_and_its_ends(seed, points):
    rng = np.random.default_rng(seed)
    when = np.where(rng.random(600) < 0.8, rng.integers(0, 10_000, 600), -1)
    whole, thin = climb(when, points=10_000), climb(when, points=points)
    exact = dict(zip(whole.at.tolist(), whole.share.tolist(), strict=True))
    assert len(thin.at) <= points
    assert all(
        exact[at] == share for at, share in zip(thin.at.tolist(), thin.share.tolist(), strict=True)
    )
    assert (thin.at[0], thin.at[-1]) == (whole.at[0], whole.at[-1])
    assert whole.share[-1] == pytest.approx(np.mean(when >= 0))


def test_effort_refuses_what_cannot_be():
    with pytest.raises(StudyError, match="7 of 6"):
        Effort(tries=6, solved=7, spent=1, until_stopped=1, median=1, ninety=1, unsolved_hands=0)
