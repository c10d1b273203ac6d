"""Options, results and points are validated."""

import math

import pytest
from helpers.small_programs import brute_force, make, programs
from hypothesis import given
from hypothesis import strategies as st

from mjopt.errors import ArgumentError, SolverError
from mjopt.models.program import Program
from mjopt.models.solvers.base import (
    SolveOptions,
    SolverResult,
    Termination,
    check_point,
    has_crossed_bounds,
    safe_bound,
)

SUM = make([2, 1], [(0, 3), (0, 3)], [(3, None, [(0, 1), (1, 1)])], offset=10)


@pytest.mark.parametrize(
    "wrong",
    [
        {"time_limit": 0},
        {"time_limit": -1.0},
        {"time_limit": math.nan},
        {"time_limit": math.inf},
        {"threads": 0},
        {"threads": 101},
        {"seed": -1},
        {"seed": 2**31},
    ],
)
def test_invalid_options_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ArgumentError):
        SolveOptions(**wrong)  # type: ignore[arg-type]


def test_options_may_be_the_least_and_the_greatest() -> None:
    least = SolveOptions(threads=1, seed=0)
    greatest = SolveOptions(threads=100, seed=2**31 - 1, time_limit=1_000_000)
    assert (least.threads, greatest.threads) == (1, 100)


@pytest.mark.parametrize(
    "wrong",
    [
        {"values": (1,)},
        {"objective": 1},
        {"values": (1,), "objective": 1, "is_infeasible": True},
        {"values": (1,), "objective": 1, "bound": 2},
    ],
)
def test_contradictory_results_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(SolverError):
        SolverResult(solver="s", version="1", termination=Termination.FINISHED, **wrong)  # type: ignore[arg-type]


def test_stopping_says_nothing_about_optimality() -> None:
    common = {"solver": "s", "version": "1", "values": (1,), "objective": 1}
    finished = SolverResult(termination=Termination.FINISHED, **common)  # type: ignore[arg-type]
    stopped = SolverResult(termination=Termination.TIME_LIMIT, bound=1, **common)  # type: ignore[arg-type]
    assert not finished.is_optimal
    assert stopped.is_optimal


def test_check_point_rounds_and_evaluates() -> None:
    assert check_point(SUM, [0.00001, 2.99999], "s") == ((0, 3), 13)


@pytest.mark.parametrize(
    "values",
    [
        [0.0, 2.0],
        [0.5, 3.0],
        [0.001, 3.0],
        [4.0, 0.0],
        [-1.0, 3.0],
        [3.0],
        [3.0, 0.0, 0.0],
        [math.nan, 3.0],
        [math.inf, 3.0],
    ],
)
def test_infeasible_points_are_refused(values: list[float]) -> None:
    with pytest.raises(SolverError, match=r"^s\b"):
        check_point(SUM, values, "s")


@given(programs(), st.floats(-20, 20))
def test_safe_bound_never_exceeds_the_optimum(program: Program, gap: float) -> None:
    best = brute_force(program)
    if best is not None and gap >= 0:
        bound = safe_bound(program, best - gap)
        assert bound is not None
        assert bound <= best


def test_bounds_of_fractional_programs_round_down() -> None:
    whole, fractional = make([1], [(0, 9)]), make([1], [(0, 9)], integer=False)
    assert safe_bound(whole, 2.5) == 3
    assert safe_bound(fractional, 2.5) == 2
    assert safe_bound(fractional, 2.9999999) == 3
    assert safe_bound(whole, math.nan) is None


@given(programs())
def test_crossed_bounds_are_infeasible(program: Program) -> None:
    if has_crossed_bounds(program):
        assert brute_force(program) is None


def test_touching_bounds_do_not_cross() -> None:
    assert not has_crossed_bounds(make([1], [(2, 2)], [(1, 1, [(0, 1)]), (None, 0, [(0, 1)])]))
