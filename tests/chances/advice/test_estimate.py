"""Estimates of chances from simulated walls."""

import pytest
import scipy

from mjopt.chances.advice.estimate import Estimate


@pytest.mark.parametrize(("wins", "tries"), [(0, 4), (1, 4), (3, 20), (20, 20), (400, 4000)])
def test_interval_of_an_estimate_agrees_with_scipy(wins: int, tries: int) -> None:
    theirs = scipy.stats.binomtest(wins, tries).proportion_ci(0.95, method="wilson")
    assert Estimate(wins, tries).interval == pytest.approx(tuple(theirs))
