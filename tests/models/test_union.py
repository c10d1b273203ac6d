"""Unions of integer programs: a point is one of exactly one program."""

from itertools import product

from helpers.small_programs import make

from mjopt.models.union import union


def test_points_of_a_union_are_those_of_one_program() -> None:
    equal = make([2, 1], [(0, 2), (0, 2)], [(2, 2, [(0, 1), (1, 1)])], offset=5)
    between = make([3], [(0, 3)], [(1, None, [(0, 1)]), (None, 2, [(0, 1)])])
    both = union([equal, between], "both")
    points = [
        point
        for point in product(*(range(most + 1) for most in both.upper))
        if both.fault(point) is None
    ]
    assert {point: both.evaluate(point) for point in points} == {
        (0, 2, 1, 0, 0): 7,
        (1, 1, 1, 0, 0): 8,
        (2, 0, 1, 0, 0): 9,
        (0, 0, 0, 1, 1): 3,
        (0, 0, 0, 2, 1): 6,
    }


def test_union_of_no_program_has_no_point() -> None:
    none = union([], "none")
    assert [values for values in ((0,), (1,)) if none.fault(values) is None] == []
