"""The bound of the linear relaxation."""

import math

import pytest
from helpers.small_programs import brute_force, make, programs
from hypothesis import given, settings

from mjopt.models.program import Program
from mjopt.models.solvers import root_bound


@settings(database=None)
@given(programs())
def test_relaxation_never_exceeds_the_optimum(program: Program) -> None:
    best = brute_force(program)
    assert root_bound(program) <= (math.inf if best is None else best + 1e-6)


@pytest.mark.parametrize(
    ("program", "bound"),
    [
        (make([2, 3], [(0, 1), (0, 1)], [(1, None, [(0, 2), (1, 2)])]), 1.0),
        (make([1], [(0, 9)], [(1, None, [(0, 2)])], offset=7), 7.5),
        (make([-1], [(-3, 4)]), -4.0),
        (make([], [], offset=3), 3.0),
        (make([1], [(0, 1)], [(2, 3, [(0, 1)])]), math.inf),
        (make([1], [(2, 1)]), math.inf),
    ],
)
def test_known_bounds(program: Program, bound: float) -> None:
    assert root_bound(program) == pytest.approx(bound)


def test_cached_rows_are_reused_correctly() -> None:
    first = make([1, 1], [(0, 1), (0, 1)], [(1, None, [(0, 2), (1, 2)])])
    second = make([1, 1], [(0, 1), (0, 1)], [(3, None, [(0, 2), (1, 2)])])
    assert [root_bound(p) for p in (first, second, first)] == pytest.approx([0.5, 1.5, 0.5])
