"""The distribution: invariants, refused arguments, and floats against fractions."""

import random
from fractions import Fraction
from itertools import pairwise
from math import comb, inf

import numpy as np
import pytest
from reference_implementations.draws import FORMS, small_case

from mjopt import FULL, Hand, MjoptError, expected_draws
from mjopt.chances.draws import Waiting
from mjopt.chances.draws.expected_draws import float_mean
from mjopt.tables import label_limited

EXAMPLE = Waiting(ways=(1, 5, 8, 4, 0, 0))


def deal(rng: random.Random, size: int, seen: int) -> tuple[Hand, tuple[int, ...]]:
    tiles = [kind for kind in range(34) for _ in range(4)]
    rng.shuffle(tiles)
    counts = [tiles[:size].count(kind) for kind in range(34)]
    wall = tuple(tiles[size + seen :].count(kind) for kind in range(34))
    return Hand.from_counts(counts, tiles=FULL, partial=True), wall


def test_moments_of_the_example() -> None:
    chances = [Fraction(0), Fraction(0), Fraction(1, 5), Fraction(2, 5), Fraction(2, 5)]
    mean = sum(i * p for i, p in enumerate(chances))
    assert EXAMPLE.mean == mean == Fraction(16, 5)
    assert EXAMPLE.variance == sum(i * i * p for i, p in enumerate(chances)) - mean**2
    assert EXAMPLE.curve == (0, 0, Fraction(1, 5), Fraction(3, 5), 1, 1)
    assert EXAMPLE.curve_floats == (0, 0, 0.2, 0.6, 1, 1)
    assert (EXAMPLE.least, EXAMPLE.most, EXAMPLE.probability) == (2, 4, 1)


@pytest.mark.parametrize(
    ("limit", "probability", "conditional", "mean"),
    [
        (0, "0", None, "0"),
        (2, "1/5", "2", "2"),
        (3, "3/5", "8/3", "14/5"),
        (4, "1", "16/5", "16/5"),
        (99, "1", "16/5", "16/5"),
    ],
)
def test_limited_number_of_draws(
    limit: int, probability: str, conditional: str | None, mean: str
) -> None:
    found = EXAMPLE.within(limit)
    assert found.probability == Fraction(probability)
    assert found.conditional_mean == (None if conditional is None else Fraction(conditional))
    assert found.mean == Fraction(mean)


def test_repr_shows_the_mean() -> None:
    draws = expected_draws(Hand.parse("1112345678999m"))
    assert repr(draws) == "Draws('1112345678999m', 95 tiles in the wall: mean 3.1366)"


def test_hand_that_cannot_win_has_no_mean() -> None:
    never = Waiting(ways=(1, 3, 3, 1))
    assert (never.mean, never.variance, never.probability) == (inf, inf, 0)
    assert (never.least, never.most, never.quantile(0), never.quantile(0.1)) == (
        None,
        None,
        0,
        None,
    )
    assert never.within(7).mean == 7
    with pytest.raises(MjoptError, match="infinite"):
        never.mean_modulo(7)


@pytest.mark.parametrize(
    "ways", [(), (2, 1), (1, 6, 8, 4, 0, 0), (1, 5, 8, 9, 0, 0), (0, 1), (1, -1, 0), (1, 0, 1)]
)
def test_impossible_ways_are_refused(ways: tuple[int, ...]) -> None:
    with pytest.raises(MjoptError):
        Waiting(ways=ways)


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(MjoptError, match="from 0 to 1"):
        EXAMPLE.quantile(1.1)
    with pytest.raises(MjoptError, match="0 or more"):
        EXAMPLE.within(-1)
    with pytest.raises(MjoptError, match="multiple of 5"):
        EXAMPLE.mean_modulo(5)


def test_quantiles_are_minimal() -> None:
    rng = random.Random(3)
    hand, wall = deal(rng, 13, 20)
    draws = expected_draws(hand, wall=wall, forms=FORMS)
    for share in (Fraction(1, 100), 0.25, 0.5, Fraction(9, 10), 0.999, 1):
        found = draws.quantile(share)
        assert found is not None
        assert draws.curve[found] >= share > draws.curve[found - 1]


def test_curves_of_whole_walls() -> None:
    """Curves rise from 0 to 1; the ways are at most the binomials and start equal to them."""
    rng = random.Random(5)
    for forms in (FORMS[:1], FORMS[:2], FORMS):
        hand, wall = deal(rng, 13, 0)
        draws = expected_draws(hand, wall=wall, forms=forms)
        size = sum(wall)
        assert len(draws.ways) == len(draws.curve) == size + 1 == 124
        assert all(before <= after for before, after in pairwise(draws.curve))
        assert (draws.curve[0], draws.curve[-1]) == (0, 1)
        assert draws.least is not None
        assert draws.most is not None
        for i, ways in enumerate(draws.ways):
            assert 0 <= ways <= comb(size, i)
            assert (ways == comb(size, i)) == (i < draws.least)
            assert (ways == 0) == (i >= draws.most)
        assert draws.mean == sum(1 - p for p in draws.curve)
        assert draws.within(size).conditional_mean == draws.mean


def test_more_forms_never_increase_the_mean() -> None:
    rng = random.Random(6)
    for _ in range(10):
        hand, wall = deal(rng, 13, 30)
        curves = [
            expected_draws(hand, wall=wall, forms=forms).curve
            for forms in (FORMS[:1], FORMS[:2], FORMS)
        ]
        for fewer, more in pairwise(curves):
            assert all(one <= other for one, other in zip(fewer, more, strict=True))


@pytest.mark.parametrize("forms", [FORMS[:1], FORMS[1:2], FORMS[:2], FORMS])
def test_floats_agree_with_fractions(forms: tuple[str, ...]) -> None:
    rng = random.Random(7)
    cases = [deal(rng, rng.randint(0, 14), rng.randint(0, 60)) for _ in range(25)]
    small = [small_case(rng, 8, forms) for _ in range(60)]
    cases += [(hand, wall) for hand, wall, _ in small if hand.tiles is FULL]
    for hand, wall in cases:
        mean = float_mean(hand, wall=wall, forms=forms)
        exact = expected_draws(hand, wall=wall, forms=forms).mean
        assert mean == pytest.approx(float(exact), rel=1e-11, abs=1e-11)


@pytest.mark.parametrize("forms", [FORMS[:1], FORMS[:2], FORMS])
def test_mean_agrees_with_monte_carlo(forms: tuple[str, ...]) -> None:
    """Four thousand shuffled walls; the tables decide when hand and draws contain a win."""
    rng = np.random.default_rng(len(forms))
    hand, wall = deal(random.Random(len(forms)), 13, 0)
    tiles = np.repeat(np.arange(34), wall)
    orders = rng.permuted(np.tile(tiles, (4000, 1)), axis=1)
    held = np.tile(np.array(hand.counts, np.uint8), (len(orders), 1))
    low, high = np.zeros(len(orders), int), np.full(len(orders), len(tiles))
    while (low < high).any():  # K by bisection, for all orders at once
        middle = (low + high) // 2
        drawn = np.zeros((len(orders), 34), np.uint8)
        taken = np.arange(len(tiles)) < middle[:, None]
        np.add.at(drawn, (np.nonzero(taken)[0], orders[taken]), 1)
        complete = label_limited(held, drawn, forms=forms) != 127
        high = np.where(complete, middle, high)
        low = np.where(complete, low, np.minimum(middle + 1, high))
    draws = expected_draws(hand, wall=wall, forms=forms)
    deviation = float(draws.variance) ** 0.5
    assert abs(high.mean() - float(draws.mean)) < 4 * deviation / len(orders) ** 0.5
    assert high.std() == pytest.approx(deviation, rel=0.1)
    shares = (high[:, None] <= np.arange(124)).mean(axis=0)
    curve = np.array(draws.curve_floats)
    assert (abs(shares - curve) <= 4.5 * np.sqrt(curve * (1 - curve) / len(orders)) + 2e-3).all()
