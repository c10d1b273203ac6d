"""Distributions of a dataset, compared with the census by a test."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import scipy

from mjopt import census
from mjopt.datasets import build, make_plan
from mjopt.datasets.describe import describe_dataset, exact_shares, fit, plot_description
from mjopt.datasets.plan import DatasetPlan
from mjopt.datasets.reader import sample_rows
from mjopt.errors import ArgumentError, FileError
from mjopt.hands.tiles import FULL, M0


def test_chi_square_fit_agrees_with_scipy() -> None:
    shares = (Fraction(1, 6), Fraction(1, 3), Fraction(1, 2))
    found = fit((40, 70, 90), shares)
    wanted = scipy.stats.chisquare([40, 70, 90], [200 / 6, 200 / 3, 100])
    assert found.statistic == pytest.approx(wanted.statistic)
    assert found.p_value == pytest.approx(wanted.pvalue)
    assert (found.degrees, found.rows) == (2, 200)
    assert found.effect == pytest.approx((wanted.statistic / 200) ** 0.5)


def test_rare_values_are_pooled() -> None:
    shares = (Fraction(1, 1000), Fraction(9, 1000), Fraction(99, 100))
    found = fit((1, 4, 495), shares)  # expected 0.5, 4.5, 495
    wanted = scipy.stats.chisquare([5, 495], [5, 495])
    assert (found.degrees, found.statistic) == (1, pytest.approx(wanted.statistic))


def test_impossible_values_have_p_value_zero() -> None:
    assert fit((5, 5, 1), (Fraction(1, 2), Fraction(1, 2))).p_value == 0.0
    assert fit((3, 1), (Fraction(1, 2), Fraction(1, 2)), is_certain=True).p_value == 0.0
    assert fit((2, 2), (Fraction(1, 2), Fraction(1, 2)), is_certain=True).p_value == 1.0


@pytest.mark.parametrize(
    ("plan", "count"),
    [
        (make_plan("deals:5"), lambda: census(M0).deals),
        (make_plan("distinct:5", size=13), lambda: census(M0, size=13).counts),
        (make_plan("all", tiles=FULL, shards=9), lambda: census(FULL).counts),
        (make_plan("two-type:5", tiles=FULL), lambda: census(FULL, types=2).deals),
        (make_plan("three-type:5"), lambda: census(M0, types=3).deals),
    ],
)
def test_exact_shares_match_the_census(
    plan: DatasetPlan, count: Callable[[], tuple[int, ...]]
) -> None:
    found, numbers = exact_shares(plan), count()
    assert found is not None
    assert found[0] == tuple(Fraction(number, sum(numbers)) for number in numbers)


def test_recipes_without_known_distribution_have_no_exact_shares() -> None:
    assert exact_shares(make_plan("kongs:5")) is None
    assert exact_shares(make_plan("distinct:5", called=1)) is None


def test_dataset_is_described(tmp_path: Path) -> None:
    build(make_plan("deals:30000", seed=8, shards=2, labels=("deficiency", "useful")), tmp_path)
    found = describe_dataset(tmp_path)
    assert found.rows == 30_000
    assert found.fit is not None
    assert 0.001 < found.fit.p_value < 1
    assert found.baseline[0] == 3
    assert found.baseline[1] == pytest.approx(0.496, abs=0.01)
    [(name, low, mean, high)] = found.labels
    assert name == "useful_tiles"
    assert 0 <= low <= mean <= high <= 27
    figures = [tmp_path / "one.svg", tmp_path / "two.svg", tmp_path / "one.png"]
    for path in figures:
        plot_description(found, path)
    assert figures[0].read_bytes() == figures[1].read_bytes()
    assert "mathdefault" not in figures[0].read_text(encoding="utf-8")  # no label such as 6x10^0
    with pytest.raises(ArgumentError, match="ending '.gif'"):
        plot_description(found, tmp_path / "one.gif")


def test_weighted_shares_match_random_deals(tmp_path: Path) -> None:
    build(make_plan("stratified:7000", seed=8, shards=2), tmp_path)
    found = describe_dataset(tmp_path)
    assert found.counts == (1000,) * 7
    assert found.fit is not None
    assert found.fit.is_certain
    assert found.fit.p_value == 1.0
    exact = np.array(census(M0).deals, float)
    assert np.allclose(found.weighted, exact / exact.sum(), rtol=1e-9)


def test_dataset_without_deficiencies_is_refused(tmp_path: Path) -> None:
    build(make_plan("deals:10", labels=("win",)), tmp_path)
    with pytest.raises(FileError, match="no label deficiency"):
        describe_dataset(tmp_path)


def test_samples_are_random_rows_of_a_split(tmp_path: Path) -> None:
    build(make_plan("deals:200", shards=3, splits="train=1,test=1", tiles=FULL), tmp_path)
    rng = np.random.default_rng
    rows = list(sample_rows(tmp_path, 20, rng=rng(1)))
    assert len({row["row"] for row in rows}) == 20
    assert rows == list(sample_rows(tmp_path, 20, rng=rng(1)))
    assert rows != list(sample_rows(tmp_path, 20, rng=rng(2)))
    assert {row["split"] for row in sample_rows(tmp_path, 50, rng=rng(1), split="test")} == {"test"}
    assert len(list(sample_rows(tmp_path, 10**6, rng=rng(1)))) == 200
    with pytest.raises(ArgumentError, match="split 'dev', expected one of train, test"):
        next(sample_rows(tmp_path, 5, rng=rng(1), split="dev"))
    with pytest.raises(ArgumentError, match="0 rows"):
        next(sample_rows(tmp_path, 0, rng=rng(1)))
