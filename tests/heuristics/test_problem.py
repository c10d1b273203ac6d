"""A hand as a function to minimise: costs, bounds, batches, errors."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mjopt import Hand, deficiency
from mjopt._internal.jit import compile_always
from mjopt.errors import ArgumentError, HandError
from mjopt.heuristics import (
    NEVER,
    REPAIRS,
    CountedProblem,
    Encoding,
    Problem,
    evaluate,
    make_feasible,
    problem,
)
from mjopt.heuristics.counted_problem import SearchLog

HANDS = (
    "1123m46p789s11225z",
    "B4B4B6B6B6B7B7B7B7B8B9B9B9B9",
    "119m19p19s1234567z",  # S has only an eye
    "147m258p369s12345z",  # S is empty
)
STEADY = [name for name in REPAIRS if not name.endswith("random")]


def hand_of(text: str) -> Hand:
    return Hand.parse(text, notation="paper" if text.startswith("B") else "mpsz")


@given(
    text=st.sampled_from(HANDS),
    repair=st.sampled_from(STEADY),
    seed=st.integers(0, 2**32 - 1),
)
def test_costs_are_those_of_repaired_individuals(text: str, repair: str, seed: int) -> None:
    hand = hand_of(text)
    subject, encoding = problem(hand, repair=repair), Encoding(hand)
    xs = np.random.default_rng(seed).uniform(*subject.bounds, size=(8, 5))
    costs = subject.evaluate_batch(xs)
    for x, cost in zip(xs, costs, strict=True):
        chosen = np.clip(np.rint(x), 0, encoding.num_elements).astype(int).tolist()
        kept = make_feasible(chosen, encoding, rule=repair, rng=1)
        assert cost == evaluate(kept, encoding) == subject.evaluate(x)
        assert subject.decode(x).cost() == cost


def test_compiled_costs_are_equal() -> None:
    subject = problem(HANDS[0])
    xs = np.random.default_rng(3).uniform(*subject.bounds, size=(500, 5))
    with compile_always(False):
        interpreted = subject.evaluate_batch(xs)
    with compile_always():
        assert np.array_equal(subject.evaluate_batch(xs), interpreted)


def test_least_cost_of_all_arguments_is_the_deficiency() -> None:
    """A hand with one called meld and a small S, so that all arguments can be tried."""
    subject = problem(Hand.parse("1123m46p11s567z", called=1))
    everything = itertools.product(range(subject.num_elements + 1), repeat=subject.num_variables)
    costs = subject.evaluate_batch(list(everything))
    assert costs.min() == subject.optimum == deficiency(subject.hand)


def test_bounds_give_every_number_the_same_share() -> None:
    subject = problem(HANDS[0])
    low, high = subject.bounds
    assert low.shape == high.shape == (subject.num_variables,)
    grid = np.linspace(low[0], high[0], 13 * 100 + 1)[:-1] + 0.0025
    _, shares = np.unique(np.rint(grid), return_counts=True)
    assert subject.num_elements == 12
    assert set(shares) == {100}
    assert subject.evaluate(low - 5) == subject.evaluate(low)
    assert subject.evaluate(high + 5) == subject.evaluate(high)


@pytest.mark.parametrize(
    ("x", "words"),
    [
        ([0, 0, 0], "shape (3,), expected 5 numbers"),
        ([0, 0, 0, 0, float("nan")], "expected finite numbers"),
        ([0, 0, 0, 0, float("inf")], "expected finite numbers"),
    ],
)
def test_bad_arguments_are_refused(x: list[float], words: str) -> None:
    with pytest.raises(ArgumentError) as raised:
        problem(HANDS[0]).evaluate(x)
    assert words in str(raised.value)


@pytest.mark.parametrize(
    ("shape", "words"),
    [((5,), "(5,)"), ((2, 3), "(2, 3)"), ((1, 3), "(3,)"), ((1, 2, 5), "(2, 5)")],
)
def test_a_refused_batch_is_named_by_its_shape(shape: tuple[int, ...], words: str) -> None:
    with pytest.raises(ArgumentError) as raised:
        problem(HANDS[0]).evaluate_batch(np.zeros(shape))
    assert str(raised.value) == f"argument of shape {words}, expected 5 numbers each"


def test_bad_parameters_are_refused() -> None:
    with pytest.raises(ArgumentError, match="repair 'random', expected one of pmelds-first,"):
        problem(HANDS[0], repair="random")
    with pytest.raises(ArgumentError, match="order 'x'"):
        problem(HANDS[0], order="x")
    with pytest.raises(HandError):
        problem("1m")


@pytest.mark.parametrize(
    "value",
    [
        None,
        1,
        np.nan,
        "x",
        b"x",
        {},
        object(),
        ["x"],
        [None],
        [[1, 2], [3]],
        np.eye(2),
        True,
    ],
    ids=lambda value: type(value).__name__,
)
def test_arguments_that_are_no_point_are_refused(value: object) -> None:
    subject = problem(HANDS[0])
    counted = CountedProblem(hand=Hand.parse(HANDS[0]), log=SearchLog(NEVER, None))
    for use in (subject.evaluate, subject.decode, counted.evaluate):
        with pytest.raises(ArgumentError, match="argument"):
            use(value)  # type: ignore[arg-type]
    for use_several in (subject.evaluate_batch, counted.evaluate_batch):
        with pytest.raises(ArgumentError, match="argument"):
            use_several(value)  # type: ignore[arg-type]
    with pytest.raises((ArgumentError, TypeError), match="repair"):
        problem(HANDS[0], repair=value)  # type: ignore[arg-type]


def test_the_hand_of_a_problem_may_be_text() -> None:
    assert Problem(hand=HANDS[0]) == problem(HANDS[0])  # type: ignore[arg-type]


def test_complex_arguments_are_refused() -> None:
    subject = problem(HANDS[0])
    with pytest.raises(ArgumentError, match="expected numbers"):
        subject.evaluate(np.zeros(subject.num_variables, np.complex128))
