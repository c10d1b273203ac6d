"""Methods from text, and back from the plan."""

import pytest

from mjopt.errors import HeuristicError, StudyError
from mjopt.heuristics.registry import HEURISTICS
from mjopt.studies.methods import make_method, plan_method, plan_methods
from mjopt.studies.plan import Plan, PlannedSet


@pytest.mark.parametrize("name", HEURISTICS)
def test_every_heuristic_comes_back_from_a_plan(name: str) -> None:
    method = plan_method(name)
    hands = PlannedSet(name="x", recipe="x", seed=0, num_hands=1)
    plan = Plan(methods=(method,), sets=(hands,), runs=1, seed=0)
    [again] = Plan.from_json(plan.to_json()).methods
    assert make_method(again) == make_method(method) == HEURISTICS[name]()
    assert again.is_random == HEURISTICS[name].is_random


def test_a_smaller_budget_has_the_same_stream() -> None:
    one, fewer, other = plan_methods(
        ["ndde", "ndde:generations=10", "ndde:population=30,generations=50"]
    )
    assert one.stream == fewer.stream != other.stream


@pytest.mark.parametrize(
    ("texts", "kind", "words"),
    [
        (["nde"], HeuristicError, "unknown heuristic 'nde', expected one of ndde"),
        (["ndde:popsize=3"], HeuristicError, "no parameter 'popsize'"),
        (["ndde:population=1"], HeuristicError, "population"),
        (["ndde:population"], HeuristicError, "expected NAME=VALUE"),
        (["ndde", "ndde:population=20"], StudyError, "are the same: ndde-20-50"),
    ],
)
def test_texts_that_name_no_methods(texts: list[str], kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        plan_methods(texts)
