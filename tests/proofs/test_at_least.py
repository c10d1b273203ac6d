"""Cutting planes are sound: whatever satisfies what goes in satisfies what comes out."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mjopt.proofs.at_least import (
    AtLeast,
    add,
    contradicts,
    divide,
    implies,
    literal_axiom,
    multiply,
    negate,
    saturate,
    weaken,
)
from mjopt.proofs.propagate import Propagator

POINTS = [dict(enumerate(values)) for values in product([False, True], repeat=4)]

rows = st.builds(
    AtLeast,
    st.dictionaries(st.integers(0, 3), st.integers(-5, 5).filter(bool)),
    st.integers(-9, 9),
)


def models(row):
    return [point for point in POINTS if row.holds(point)]


def copy(row):
    return AtLeast(dict(row.terms), row.rhs)


@given(rows, rows, st.integers(0, 4), st.integers(1, 5), st.integers(0, 3))
def test_every_rule_is_sound(one, other, factor, divisor, variable):
    for point in models(one):
        assert multiply(one, factor).holds(point)
        assert divide(one, divisor).holds(point)
        assert saturate(one).holds(point)
        assert weaken(one, variable).holds(point)
        if other.holds(point):
            assert add(copy(one), copy(other)).holds(point)


@given(rows)
def test_saturation_loses_nothing_where_the_degree_is_positive(row):
    if row.degree > 0:
        assert models(saturate(row)) == models(row)


@given(rows)
def test_the_opposite_holds_exactly_elsewhere(row):
    assert all(row.holds(point) != negate(row).holds(point) for point in POINTS)
    assert contradicts(row) == (not models(row))


@given(rows, rows)
def test_implication_is_sound(row, goal):
    if implies(row, goal):
        assert all(goal.holds(point) for point in models(row))


@given(rows, st.integers(0, 3), st.booleans())
def test_a_literal_axiom_more_is_implied(row, variable, positive):
    looser = add(copy(row), literal_axiom(variable, positive=positive))

    assert implies(row, looser)


@given(st.lists(rows, max_size=5), rows, st.lists(st.integers(0, 4)))
def test_unit_propagation_is_sound(known, goal, hints):
    satisfying = [point for point in POINTS if all(row.holds(point) for row in known)]
    hinted = [known[index] for index in hints if index < len(known)]

    by_all = Propagator(known).shows(goal)

    assert not by_all or all(goal.holds(point) for point in satisfying)
    if Propagator(known).shows(goal, hinted):
        assert by_all


@given(st.lists(rows, max_size=5), st.lists(rows, max_size=4))
def test_a_propagator_keeps_nothing_of_a_goal(known, goals):
    used = Propagator(known)

    for goal in goals:
        assert used.shows(goal) == Propagator(known).shows(goal)


@pytest.mark.parametrize(
    ("row", "divisor", "expected"),
    [
        (AtLeast({0: 3, 1: 3}, 4), 3, AtLeast({0: 1, 1: 1}, 2)),
        (AtLeast({0: -3, 1: -3}, -4), 3, AtLeast({0: -1, 1: -1}, -1)),  # 3~x + 3~y >= 2
        (AtLeast({0: 1}, -5), 2, AtLeast({0: 1}, -2)),
    ],
)
def test_division_is_over_literals(row, divisor, expected):
    assert divide(row, divisor) == expected
