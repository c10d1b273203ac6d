"""`mjopt search`."""

import numpy as np
from cli.conftest import Call

from mjopt import Hand
from mjopt.heuristics import run
from mjopt.studies import certified_search

HAND = "11123456789999m"


def test_printed_result_equals_the_search(mjopt: Call) -> None:
    ran = mjopt("search", HAND, "--seed", "1")
    result = run("ndde", Hand.parse(HAND), rng=np.random.default_rng(1))
    assert ran.status == 0
    assert ran.err == ""
    lines = dict(line.split(maxsplit=1) for line in ran.out.splitlines()[:1])
    assert lines == {f"{HAND}:": "ndde, population 20, generations 50, seed 1"}
    assert f"best cost         {result.value}\n" in ran.out
    assert f"evaluations       {result.evaluations} in {result.generations} generations" in ran.out
    assert "stopped           all generations done" in ran.out
    assert "deficiency        0 by the tables" in ran.out
    steps = [history for history in ran.out.splitlines() if history.startswith("history")]
    assert steps[0].split()[1] == str(result.history[0])
    assert steps[0].count("->") == len(set(result.history)) - 1


def test_json_has_the_whole_result(mjopt: Call) -> None:
    words = ["--method", "pso:population=7,generations=4,inertia=0.9,repair=random"]
    found = mjopt("search", HAND, *words, "--seed", "5", "--json").json
    result = run(
        "pso",
        Hand.parse(HAND),
        rng=np.random.default_rng(5),
        target=0,
        population=7,
        generations=4,
        inertia=0.9,
        repair="random",
    )
    assert found["parameters"]["inertia"] == 0.9
    assert (found["method"], found["seed"], found["deficiency"]) == ("pso", 5, 0)
    assert found["value"] == result.value
    assert found["history"] == list(result.history)
    assert found["evaluations"] == result.evaluations == 7 * 6
    assert found["stopped"] == "generations"
    pieces = [piece.text(Hand.parse(HAND).tiles) for piece in result.predecomposition.pieces]
    assert found["predecomposition"] == pieces


def test_random_seed_is_printed_and_repeatable(mjopt: Call) -> None:
    first, second = (mjopt("search", HAND, "--json").json for _ in range(2))
    assert first["seed"] != second["seed"]
    assert mjopt("search", HAND, "--json", "--seed", str(first["seed"])).json == first


def test_undershoot_is_reported(mjopt: Call) -> None:
    words = [
        "--notation",
        "paper",
        "--seed",
        "1",
        "--method",
        "ndde:population=50",
    ]
    ran = mjopt("search", "B3333C222267D7777", *words)
    assert "deficiency        3 by the tables" in ran.out
    assert "Eq. 8 gives 1 too few here" in ran.out


def test_cost_and_certified_bound_improve_until_they_meet(mjopt: Call) -> None:
    words = ["4569m13445788p2s4z", "--seed", "1", "--certify"]
    found = mjopt("search", *words, "--json").json
    rounds = [(r["round"], r["cost"], r["at_least"]) for r in found["rounds"]]
    assert rounds == sorted(rounds)
    assert [bound for *_, bound in rounds] == sorted(bound for *_, bound in rounds)
    assert rounds[0][2] == 0
    assert rounds[-1][1:] == (3, 3)
    assert (found["stopped"], found["deficiency"]) == ("reached", 3)
    assert rounds == list(certified_search("ndde", words[0], rng=1).rounds)
    assert "deficiency        3 certified: reached at evaluation" in mjopt("search", *words).out


def test_bound_exceeds_a_cost_below_the_deficiency(mjopt: Call) -> None:
    words = ["--notation", "paper", "--seed", "1", "--certify"]
    ran = mjopt("search", "B3333C222267D7777", *words)
    assert "cost 2, proved at least 3\n" in ran.out
    assert "Eq. 8 gives 1 too few here" in ran.out


def test_bound_of_a_hand_that_cannot_win(mjopt: Call) -> None:
    words = ["--meld", "111m", "--meld", "222m", "--meld", "333m", "--meld", "444m"]
    ran = mjopt("search", "1m", *words, "--tiles", "m0", "--certify", "--json")
    assert ran.json["rounds"][-1]["at_least"] == ran.json["deficiency"]


def test_any_kind_of_hand_is_searched(mjopt: Call) -> None:
    assert mjopt("search", "147m147p147s12345z", "--tiles", "136", "--json").json["value"] == 9
    assert mjopt("search", "11m", "--called", "4", "--json").json["value"] == 0
    assert mjopt("search", HAND, "--method", "tree-search", "--json").json["value"] == 0


def test_unreachable_win_is_searched(mjopt: Call) -> None:
    """Four melds called and the fifth copies of both tiles: no eye can come."""
    words = ["--meld", "111m", "--meld", "222m", "--meld", "333m", "--meld", "444m"]
    ran = mjopt("search", "12m", *words, "--json")
    assert ran.status == 0
    assert isinstance(ran.json["deficiency"], int)
