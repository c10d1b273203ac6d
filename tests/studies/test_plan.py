"""The plan: it comes back as it went, says where it differs, and refuses nonsense."""

import json
from dataclasses import replace
from typing import Any

import pytest

from mjopt.errors import StudyError
from mjopt.studies.plan import Plan, PlannedMethod, PlannedSet

NDDE = PlannedMethod(label="ndde-20-50", name="ndde", parameters={"population": 20}, stream="ndde")
TREE = PlannedMethod(label="tree-search", name="tree-search", is_random=False)
ONE = PlannedSet(name="one-type", recipe="one-type", seed=0, num_hands=9, digest="ab")
PLAN = Plan(methods=(NDDE, TREE), sets=(ONE,), runs=3, seed=7, early_stop=True)


def test_there_and_back() -> None:
    assert Plan.from_json(PLAN.to_json()) == PLAN
    assert Plan.from_json(PLAN.to_json()).to_json() == PLAN.to_json()
    assert PLAN.digest != replace(PLAN, seed=8).digest


def test_a_method_that_draws_nothing_runs_once_and_to_its_end() -> None:
    assert [PLAN.num_runs(method) for method in PLAN.methods] == [3, 1]
    assert [PLAN.stops_early(method) for method in PLAN.methods] == [True, False]


def test_streams_are_named_by_set_and_method() -> None:
    assert PLAN.stream_name(ONE, NDDE) == "one-type/ndde"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"runs": 4}, "runs: 4 there, 3 here"),
        ({"seed": 8, "sample": 5}, "seed: 8 there, 7 here; sample: 5 there, 0 here"),
        ({"methods": (NDDE,)}, "methods: no more there, tree-search here"),
        (
            {"methods": (TREE, NDDE)},
            "methods: tree-search, ndde-20-50 there, ndde-20-50, tree-search here",
        ),
        (
            {"methods": (replace(NDDE, parameters={"population": 30}), TREE)},
            "methods: {'population': 30} there, ndde-20-50 with parameters {'population': 20} here",
        ),
        ({"sets": (replace(ONE, digest="cd"),)}, "sets: cd there, one-type with digest ab here"),
    ],
)
def test_where_two_plans_differ(changes: dict[str, Any], words: str) -> None:
    assert PLAN.difference(replace(PLAN, **changes)) == words


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"methods": ()}, "at least one method and one hand set"),
        ({"methods": (NDDE, NDDE)}, "method ndde-20-50 is named twice"),
        ({"sets": (ONE, ONE)}, "hand set one-type is named twice"),
        ({"runs": 0}, "0 runs, expected 1..10000"),
        ({"sample": -1}, "sample -1, expected 0 or more"),
        ({"seed": -1}, "seed -1, expected 0 or more"),
    ],
)
def test_plans_that_cannot_be(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(StudyError, match=words):
        replace(PLAN, **changes)


def test_names_that_no_file_can_have() -> None:
    with pytest.raises(StudyError, match=r"method label '\.\./up'"):
        PlannedMethod(label="../up", name="ndde")
    with pytest.raises(StudyError, match="hand set 'a/b'"):
        PlannedSet(name="a/b", recipe="all", seed=0, num_hands=1)
    with pytest.raises(StudyError, match="0 hands, expected at least 1"):
        PlannedSet(name="a", recipe="all", seed=0, num_hands=0)
    with pytest.raises(StudyError, match="5 certificates of 4 hands"):
        PlannedSet(name="a", recipe="all", seed=0, num_hands=4, certificates=5)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("no json", "not a JSON document"),
        ("[1]", "not a JSON document"),
        ('{"format": 9}', "format 9, expected 1"),
        (json.dumps({**json.loads(PLAN.to_json()), "surplus": 1}), "not a plan"),
        ('{"format": 1}', "not a plan: 'methods'"),
    ],
)
def test_text_that_is_no_plan(text: str, words: str) -> None:
    with pytest.raises(StudyError, match=words):
        Plan.from_json(text)
