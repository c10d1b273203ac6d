"""Optimisers of other packages: budgets, counts, seeds, errors, and a study with them."""

import json
import sys
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from unittest.mock import patch

import cloudpickle
import numpy as np
import pytest

from mjopt import Hand, compare, deficiency
from mjopt.cli.main import execute
from mjopt.errors import ArgumentError
from mjopt.heuristics import NEVER, Stop, StopReason, get_heuristic, problem, read_method, run
from mjopt.heuristics.optimizers import LIBRARIES

HAND = Hand.parse("1123m46p789s11225z")
EMPTY = Hand.parse("147m258p369s12345z")
OPTIMIZERS = (
    "scipy:differential_evolution",
    "scipy:dual_annealing",
    "scipy:direct",
    "scipy:shgo",
    "pymoo:GA",
    "pymoo:DE",
    "pymoo:CMAES",
    "pymoo:NelderMead",
    "nevergrad:OnePlusOne",
    "nevergrad:DE",
    "mealpy:OriginalWOA",
)
STUBBORN = ("scipy:shgo", "pymoo:CMAES")  # they also end by criteria of their own


@pytest.fixture(params=OPTIMIZERS)
def name(request: pytest.FixtureRequest) -> str:
    pytest.importorskip(request.param.partition(":")[0])
    return str(request.param)


def test_the_budget_is_spent_exactly(name: str) -> None:
    found = run(name, HAND, rng=1, evaluations=130)
    assert found.predecomposition.cost() == found.value >= deficiency(HAND)
    assert found.evaluations == 130 or (name in STUBBORN and found.evaluations < 130)
    assert len(found.history) == -(-found.evaluations // 20)
    assert found.stopped is StopReason.GENERATIONS


def test_warnings_of_the_package_are_not_shown(recwarn: pytest.WarningsRecorder) -> None:
    pytest.importorskip("nevergrad")
    get_heuristic("nevergrad:Cobyla")
    recwarn.clear()  # those of its import
    run("nevergrad:Cobyla", HAND, rng=1, evaluations=20)
    assert recwarn.list == []


def test_equal_seeds_give_equal_results(name: str) -> None:
    first, again = (run(name, HAND, rng=7, evaluations=90) for _ in range(2))
    assert first == again


def test_the_first_hit_ends_the_search(name: str) -> None:
    whole = run(name, HAND, rng=1, target=5, evaluations=300)
    if whole.hit_evaluations is None:
        pytest.skip("this optimiser does not reach the target")
    found = run(name, HAND, rng=1, target=5, evaluations=300, stop=Stop(value=5))
    assert found.evaluations == found.hit_evaluations == whole.hit_evaluations
    assert found.stopped is StopReason.REACHED
    assert found.value <= 5 < (found.history[-2] if len(found.history) > 1 else 9)


def test_limits_beside_the_budget(name: str) -> None:
    assert run(name, HAND, rng=1, stop=Stop(evaluations=33)).evaluations <= 33
    assert run(name, HAND, rng=1, stop=Stop(generations=1)).evaluations <= 40
    assert run(name, HAND, rng=1, stop=Stop(seconds=1e-9)).evaluations == 1


def test_a_hand_without_elements_needs_no_search(name: str) -> None:
    found = run(name, EMPTY, rng=1)
    assert (found.evaluations, found.stopped) == (1, StopReason.EMPTY)
    assert found.value == problem(EMPTY).evaluate(np.zeros(5))


def test_method_travels_to_workers(name: str) -> None:
    heuristic = get_heuristic(name, evaluations=40)
    copy = cloudpickle.loads(cloudpickle.dumps(heuristic))
    rngs = (np.random.default_rng(2) for _ in range(2))
    one, two = (each.search(HAND, rng=next(rngs), stop=NEVER) for each in (heuristic, copy))
    assert one == two


def test_base_classes_of_pymoo_are_no_optimisers() -> None:
    pytest.importorskip("pymoo")
    names = set(LIBRARIES["pymoo"].list_names())
    assert {"GA", "DE"} <= names
    assert not {"Algorithm", "GeneticAlgorithm", "LocalSearch"} & names


def test_parameters_and_labels() -> None:
    pytest.importorskip("pymoo")
    label, heuristic = read_method("pymoo:GA:pop_size=30,evaluations=60")
    assert label == "pymoo_GA-evaluations-60-pop_size-30"
    assert (heuristic.pop_size, heuristic.evaluations) == (30, 60)  # type: ignore[attr-defined]
    assert read_method("mine=pymoo:GA")[0] == "mine"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("scipy:nothing", "scipy has no optimiser 'nothing', expected one of differential_evol"),
        ("scipy", "scipy has no optimiser '', expected one of"),
        ("scipy:direct:evaluations=0", "evaluations = 0, expected a whole number 1 to"),
        ("scipy:direct:evaluations=x", "evaluations = 'x', expected a whole number"),
        ("scipy:direct:pop_size=1", "pop_size = 1, expected a whole number 2 to"),
        ("scipy:direct:repair=random", "repair = 'random', expected one of pmelds-first"),
        ("scipy:direct:size=1", "no parameter 'size', expected one of evaluations"),
    ],
)
def test_bad_methods_are_refused_in_one_line(text: str, words: str) -> None:
    with pytest.raises(ArgumentError) as raised:
        read_method(text)
    assert words in str(raised.value)
    assert "\n" not in str(raised.value)


def test_an_optimiser_without_a_population_refuses_its_size() -> None:
    with pytest.raises(ArgumentError, match="scipy:direct has no pop_size"):
        run("scipy:direct", HAND, rng=1, pop_size=20)


def test_study_with_an_optimiser(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    methods = ("ndde", "scipy:dual_annealing:evaluations=60")
    words = ("--hands", "two-type:6", "--runs", "2", "--jobs", "2", "--json")
    assert execute(["compare", *methods, *words, "-o", str(tmp_path / "study")]) == 0
    [hands] = json.loads(capsys.readouterr().out)["sets"]
    labels = ["ndde-20-50", "scipy_dual_annealing-evaluations-60"]
    assert [one["method"] for one in hands["methods"]] == labels
    report = (tmp_path / "study" / "report.html").read_text(encoding="utf-8")
    assert "Times of interpreted and of compiled methods are not comparable." in report
    config = (tmp_path / "study" / "study.json").read_text(encoding="utf-8")
    assert f"scipy {version('scipy')}" in config
    again = compare(methods, hands="two-type:6", runs=2, folder=tmp_path / "again")
    accuracy = again.results("accuracy").set_index("method")["accuracy"]
    assert accuracy[labels].tolist() == [one["accuracy"] for one in hands["methods"]]


@pytest.mark.parametrize(
    ("pop_size", "budget", "expected"),
    [(None, 1000, (20, 50)), (20, 1000, (50, 20)), (2, 60, (30, 5)), (20_000, 60, (2, 10_000))],
)
def test_epochs_of_mealpy_are_those_of_the_budget(
    pop_size: int | None, budget: int, expected: tuple[int, int]
) -> None:
    """Also where mealpy, which needs an old NumPy, is not installed."""
    made: list[tuple[int, int]] = []

    class Kind:
        def __init__(self, epoch: int, pop_size: int) -> None:
            made.append((epoch, pop_size))

        def solve(self, _: object, *, seed: int, termination: dict[str, int]) -> None:
            assert (seed, termination) == (7, {"max_fe": budget})

    mealpy = ModuleType("mealpy")
    vars(mealpy).update(get_all_optimizers=lambda verbose: {"GA": Kind}, FloatVar=dict)  # noqa: ARG005
    with patch.dict(sys.modules, mealpy=mealpy):
        LIBRARIES["mealpy"].minimise(
            "GA", sum, np.zeros(2), np.ones(2), budget=budget, pop_size=pop_size, seed=7
        )
    assert made == [expected]
