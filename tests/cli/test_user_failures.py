"""Code of a user that fails: one line and exit status 2, whatever it is and however it fails."""

import json
from pathlib import Path

import pytest
from cli.conftest import Call

HAND = "1112345678999m1p"
SOURCE = """
import sys
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from mjopt.datasets import DatasetColumn, HandRecipe, Label
from mjopt.heuristics import IterativeHeuristic
from mjopt.models import Formulation
from mjopt.models.completion import Completion
from mjopt.models.solvers import RawSolution, Solver, Termination

CONFIG = ["", None]


class Odd(BaseException):
    pass


class Mute(Exception):
    def __str__(self):
        raise ValueError("no text")


def recurse():
    return recurse()


def fail(place):
    if place == CONFIG[0]:
        return eval(CONFIG[1])


def throw(error):
    raise error


@dataclass(frozen=True, kw_only=True)
class Heuristic(IterativeHeuristic):
    name: ClassVar[str] = "mine"

    def __post_init__(self):
        fail("init")

    @property
    def num_generations(self):
        return fail("num_generations") or 2

    def start(self, problem, rng):
        problem.evaluate([0] * problem.num_variables)
        fail("start")
        return problem, rng

    def step(self, state):
        fail("step")
        problem, rng = state
        problem.evaluate(rng.uniform(*problem.bounds))
        return state


class Model(Completion):
    name = "mine"

    def __init__(self):
        fail("init")

    def write_template(self, query, template):
        return fail("write") or super().write_template(query, template)


class Engine(Solver):
    name = "mine"

    def __init__(self):
        fail("init")

    def load(self):
        fail("load")

    def version(self):
        return fail("version") or "1"

    def search(self, program, options):
        found = fail("search")
        return RawSolution(is_infeasible=True) if found is None else found


def compute(rows):
    found = fail("compute")
    return np.zeros(len(rows.hands), np.int8) if found is None else found


def verify(hand):
    found = fail("verify")
    return 0 if found is None else found


LABEL = Label(
    name="mine",
    engine="mine 1",
    columns=(DatasetColumn("mine", "int8", "nothing"),),
    compute=compute,
    verify=verify,
    validate=lambda deal: fail("validate"),
)


def recipe(deal, text):
    def find(start, stop, rng):
        hands = np.zeros((stop - start, deal.tiles.num_kinds), np.uint8)
        hands[:, :7] = 2
        found = fail("find")
        return hands if found is None else found

    made = fail("recipe")
    return HandRecipe(name="mine", deal=deal, num_hands=3, find=find) if made is None else made


def where(rows):
    found = fail("where")
    return np.ones(len(rows.hands), bool) if found is None else found


def rule(hand, wall):
    found = fail("rule")
    return next(k for k, n in enumerate(hand.counts) if n) if found is None else found


class Agent:
    name = "mine"

    def __init__(self):
        fail("init")

    def check_rules(self, rules):
        fail("check_rules")

    def choose(self, view, moves, *, rng):
        return fail("choose") or moves[0]

    def watch(self, view, seat):
        fail("watch")

    def close(self):
        fail("close")


class ReadAgent(Agent):
    @classmethod
    def from_text(cls, text):
        return fail("from_text") or cls()


class OptionAgent(Agent):
    @classmethod
    def from_options(cls, options):
        return fail("from_options") or cls()

    @classmethod
    def list_options(cls):
        fail("list_options")
        return []
"""

SEARCH = f"search {HAND} --seed 1 --method own.py:Heuristic"
COMPARE = "compare own.py:Heuristic --hands deals:2 --runs 1 -j 1 -o s"
SOLVE = f"deficiency {HAND} --solver own.py:Engine"
EXPORT = f"export {HAND} -o h.lp --solver own.py:Engine"
MODEL = f"deficiency {HAND} --model own.py:Model"
BUILD = "dataset build deals:3 --seed 1 --check 1 -j 1 -o d"
LABELS = f"{BUILD} --labels own.py:LABEL"
RECIPE = "dataset build own.py:recipe --seed 1 --labels win -j 1 -o d"
STUDY = "compare ga:generations=1 --hands own.py:recipe --runs 1 -j 1 -o s"
WHERE = f"{BUILD} --labels win --where own.py:where"
RULE = "solitaire own.py:rule -n 1 --draws 1 -j 1"
BATTLE = "battle {} l1 l1 l1 -n 1 --rounds 1 --rules m0 -j 1 --seed 1"
AGENT = BATTLE.format("own.py:Agent")

CALLS = [
    ("init", SEARCH),
    ("num_generations", SEARCH),
    ("start", SEARCH),
    ("step", SEARCH),
    ("step", COMPARE),
    ("step", f"{BUILD} --labels heuristic:own.py:Heuristic"),
    ("init", MODEL),
    ("write", MODEL),
    ("write", f"export {HAND} --model own.py:Model"),
    ("init", SOLVE),
    ("load", SOLVE),
    ("version", SOLVE),
    ("search", SOLVE),
    ("search", EXPORT),
    ("compute", LABELS),
    ("verify", LABELS),
    ("validate", LABELS),
    ("recipe", RECIPE),
    ("recipe", STUDY),
    ("find", RECIPE),
    ("find", STUDY),
    ("where", WHERE),
    ("rule", RULE),
    ("init", AGENT),
    ("check_rules", AGENT),
    ("from_text", BATTLE.format("own.py:ReadAgent")),
    ("from_options", BATTLE.format("own.py:OptionAgent")),
    ("init", "mjai own.py:Agent"),
    ("init", "league own.py:Agent l1 l2 first -n 4 -j 1"),
]
"""A method that fails, and a command that calls it."""

FAILURES = {
    "1 / 0": "ZeroDivisionError: division by zero",
    "sys.exit(3)": "SystemExit: 3",
    "sys.exit()": "SystemExit",
    "recurse()": "RecursionError: maximum recursion",
    "throw(Odd('odd'))": "Odd: odd",
    "throw(Mute())": "Mute",
    "throw(StopIteration())": "StopIteration",
    "throw(OSError(5, 'broken', 'disk'))": "OSError: [Errno 5] broken: 'disk'",
}


def write(place: str, failure: str) -> None:
    source = SOURCE.replace('["", None]', repr([place, failure]))
    Path("own.py").write_text(source, encoding="utf-8")


def check_line(mjopt: Call, command: str, message: str) -> None:
    ran = mjopt("--quiet", *command.split())
    assert (ran.status, ran.out) == (2, ""), ran
    assert len(ran.err.splitlines()) == 1
    assert message in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize(("place", "command"), CALLS)
@pytest.mark.usefixtures("in_tmp_path")
def test_failing_method_is_one_line(mjopt: Call, place: str, command: str) -> None:
    write(place, "1 / 0")
    check_line(mjopt, command, "ZeroDivisionError: division by zero (line 1)")


@pytest.mark.parametrize("failure", [*FAILURES][1:])
@pytest.mark.parametrize(
    ("place", "command"),
    [
        ("start", SEARCH),
        ("write", MODEL),
        ("search", SOLVE),
        ("compute", LABELS),
        ("find", RECIPE),
        ("where", WHERE),
        ("rule", RULE),
        ("init", AGENT),
    ],
)
@pytest.mark.usefixtures("in_tmp_path")
def test_every_kind_of_failure_is_one_line(
    mjopt: Call, place: str, command: str, failure: str
) -> None:
    write(place, failure)
    check_line(mjopt, command, FAILURES[failure])


@pytest.mark.usefixtures("in_tmp_path")
def test_agent_that_fails_as_it_closes_is_one_line(mjopt: Call) -> None:
    write("close", "1 / 0")
    ran = mjopt("--quiet", *AGENT.split())
    line = "mjopt: agent mine fails: ZeroDivisionError: division by zero (line 1)"
    assert (ran.status, ran.err.splitlines()) == (2, ["mjopt: seed 1", line])


@pytest.mark.parametrize("failure", ["1 / 0", "sys.exit(0)", "throw(Odd())", "'no move'"])
@pytest.mark.parametrize("place", ["choose", "watch"])
@pytest.mark.usefixtures("in_tmp_path")
def test_agent_that_fails_at_the_table_forfeits(mjopt: Call, place: str, failure: str) -> None:
    write(place, failure)
    ran = mjopt("--quiet", *AGENT.split(), "--json")
    is_fault = place == "choose" or failure != "'no move'"  # `watch` returns anything
    assert (ran.status, len(ran.json["faults"])) == (is_fault, is_fault)
    assert "Traceback" not in ran.err


@pytest.mark.usefixtures("in_tmp_path")
def test_agent_that_fails_at_an_mjai_table_is_one_line(mjopt: Call) -> None:
    hand = ["1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "E", "E", "S", "P"]
    deal = {
        "type": "start_kyoku", "bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0,
        "dora_marker": "1p", "scores": [25000] * 4, "tehais": [hand, *[["?"] * 13] * 3],
    }  # fmt: skip
    start = {"type": "start_game", "id": 0, "names": [*"abcd"]}
    events = [start, deal, {"type": "tsumo", "actor": 0, "pai": "S"}]
    for failure in ("1 / 0", "sys.exit(0)"):
        write("choose", failure)
        ran = mjopt("mjai", "own.py:Agent", stdin=json.dumps(events))
        assert ran.status == 2
        assert "agent mine fails: " in ran.err
        assert len(ran.err.splitlines()) == 1


RETURNS = [
    ("num_generations", SEARCH, "'many'", "num_generations = 'many', expected a whole number"),
    ("num_generations", SEARCH, "-1", "num_generations = -1, expected a whole number, 0 or more"),
    ("write", MODEL, "3", "3"),
    ("search", SOLVE, "7", "mine: search returns 7, expected a RawSolution"),
    ("search", SOLVE, "RawSolution('late')", "termination = 'late', expected a Termination"),
    ("search", SOLVE, "RawSolution(runtime='1')", "runtime = '1', expected seconds"),
    ("search", SOLVE, "RawSolution(bound='1')", "bound = '1', expected a whole number or None"),
    ("search", SOLVE, "RawSolution(is_infeasible='no')", "is_infeasible = 'no', expected True"),
    ("search", SOLVE, "RawSolution(values=3)", "values = 3, expected a number for each variable"),
    ("search", SOLVE, "RawSolution(values=['a'])", "expected a number for each variable"),
    ("search", SOLVE, "RawSolution(values=[1, 2])", "2 values for the"),
    ("version", SOLVE, "3", "mine: version returns 3, expected text"),
    ("compute", LABELS, "'abc'", "label own.py:LABEL: mine has shape ()"),
    ("compute", LABELS, "[[1], [1, 2]]", "label own.py:LABEL fails: ValueError"),
    ("compute", LABELS, "np.array(['a'] * 3)", "mine is 'a' in row 0, outside its type int8"),
    ("compute", LABELS, "np.array([None] * 3)", "mine is None in row 0, outside its type int8"),
    ("compute", LABELS, "(1, 2)", "label own.py:LABEL: 2 arrays, expected 1"),
    ("verify", LABELS, "'x'", "verify of label own.py:LABEL returns 'x', expected int8"),
    ("verify", LABELS, "np.zeros(3)", "returns array([0., 0., 0.]), expected int8"),
    ("recipe", RECIPE, "3", "returns 3, expected a HandRecipe"),
    ("find", RECIPE, "'hands'", "find returns 'hands', expected hands of 14 or 13 tiles"),
    ("find", RECIPE, "np.zeros((3, 27))", "expected hands of 14 or 13 tiles"),
    ("find", RECIPE, "np.zeros((3, 27), int)", "find returns a hand of 0 tiles, expected"),
    ("find", RECIPE, "np.full((3, 27), 5)", "find returns copies outside 0..4, expected"),
    ("find", RECIPE, "np.zeros((2, 27), int)", "find returns an array of shape (2, 27), expected"),
    ("find", STUDY, "np.zeros((1, 27), int)", "find returns an array of shape"),
    ("where", WHERE, "'all'", "booleans of shape (3,)"),
    ("where", WHERE, "[[True], [True, True]]", "where 'own.py:where' fails: ValueError"),
    ("rule", RULE, "99", "discards 99, expected a kind 0..26 that the hand holds, or its name"),
    ("rule", RULE, "[1]", "discards [1], expected a kind 0..26"),
    ("rule", RULE, "np.zeros(3)", "discards array([0., 0., 0.]), expected a kind"),
    ("from_text", BATTLE.format("own.py:ReadAgent"), "3", "it has no attribute 'name'"),
    ("from_options", BATTLE.format("own.py:OptionAgent"), "CONFIG", "it has no attribute 'name'"),
]
"""A method, a command that calls it, a wrong value, and a part of the message."""


@pytest.mark.parametrize(("place", "command", "value", "message"), RETURNS)
@pytest.mark.usefixtures("in_tmp_path")
def test_wrong_value_is_one_line(
    mjopt: Call, place: str, command: str, value: str, message: str
) -> None:
    write(place, value)
    check_line(mjopt, command, message)


@pytest.mark.parametrize(("place", "command"), [("start", SEARCH), ("compute", LABELS)])
@pytest.mark.usefixtures("in_tmp_path")
def test_interruption_of_own_code_stays_one(mjopt: Call, place: str, command: str) -> None:
    write(place, "throw(KeyboardInterrupt())")
    assert mjopt("--quiet", *command.split()).status == 130
