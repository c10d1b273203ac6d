"""Methods and agents of users: a class in a file, a program, an alias."""

import json
import shutil
import sys
from dataclasses import fields
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from helpers.learning_states import perfect_file
from helpers.own_method import write_method

from mjopt.datasets import sample_rows
from mjopt.heuristics import HEURISTICS, get_heuristic, read_method
from mjopt.play.game.agents import AGENTS, read_agent

EXAMPLES = Path(__file__).parents[2] / "examples"
HAND = "11123456789999m"
BOT = """
class Bot:
    name = "bot"

    def choose(self, view, moves, *, rng):
        return moves[0]
"""


@pytest.fixture(autouse=True)
def folder(in_tmp_path):
    write_method(in_tmp_path)
    (in_tmp_path / "bot.py").write_text(BOT)
    return in_tmp_path


def test_search_uses_a_class_of_a_file(mjopt):
    ran = mjopt("search", HAND, "--method", "sa.py:SA:tries=4", "--seed", "1", "--json")
    assert (ran.json["method"], ran.json["parameters"]) == ("sa", {"generations": 2, "tries": 4})
    assert (len(ran.json["history"]), ran.json["evaluations"]) == (3, 9)
    ran = mjopt("search", HAND, "--method", "mine=sa.py:SA:tries=4", "--seed", "1")
    assert ran.out.startswith(f"{HAND}: mine, generations 2, seed 1\n")
    ran = mjopt("search", HAND, "--method", "small=ndde:population=7", "--seed", "1")
    assert ran.out.startswith(f"{HAND}: small, population 7, generations 50, seed 1\n")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("IterativeHeuristic)", "object)", "sa.py:SA is no heuristic: it has no 'is_random'"),
        (
            "def step",
            "def search(self): ...\n    def step",
            "it has its own search; derive",
        ),
        ("def step", "def steps", "abstract"),
        ("@dataclass(frozen=True, kw_only=True)", "", "is no heuristic: expected a dataclass"),
        ("tries: int = 3", "tries: int =", "sa.py line 12: invalid syntax"),
        ("import dataclass", "import no_such", "sa.py line 4: fails: ImportError: cannot import"),
        ("tries: int = 3", "tries: int", "sa.py:SA cannot be made: TypeError: "),
        (
            "problem, rng = state",
            "problem, rng = 1 / 0",
            "ZeroDivisionError: .* (line 22)",
        ),
        (
            "        problem.evaluate([0] * problem.num_variables)\n",
            "",
            "sa: start evaluates nothing",
        ),
    ],
)
def test_invalid_method_class_is_refused(mjopt, folder, old, new, message):
    write_method(folder, (old, new))
    for words in (
        ("search", HAND, "--method", "sa.py:SA"),
        ("compare", "sa.py:SA", "--hands", "deals:2", "-o", "s", "-j", "1"),
    ):
        ran = mjopt("--quiet", *words)
        assert (ran.status, ran.out) == (2, "")
        first, _, rest = message.partition(" .* ")
        assert first in ran.err
        assert rest in ran.err
        assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("tries: int = 3", "abc", "tries = 'abc', expected a whole number"),
        ("tries: int = 3", "2.5", "tries = 2.5, expected a whole number"),
        ("tries: float = 3.0", "abc", "tries = 'abc', expected a number"),
        ("tries: float = 3.0", "none", "tries = None, expected a number"),
        ("tries: bool = True", "3", "tries = 3, expected true or false"),
    ],
)
def test_parameter_of_another_type_is_refused(mjopt, folder, field, value, expected):
    write_method(folder, ("tries: int = 3", field))
    ran = mjopt("search", HAND, "--method", f"sa.py:SA:tries={value}")
    assert (ran.status, ran.out, ran.err) == (2, "", f"mjopt: sa.py:SA: {expected}\n")
    words = ("--hands", "deals:2", "-o", "s", "-j", "1")
    ran = mjopt("compare", f"sa.py:SA:tries={value}", *words)
    assert (ran.status, ran.out, ran.err) == (2, "", f"mjopt: sa.py:SA: {expected}\n")
    assert not Path("s").exists()


def test_none_is_a_value_where_the_type_says_so(mjopt, folder):
    write_method(folder, ("tries: int = 3", "tries: int | None = 3"), ("self.tries)", "4)"))
    write = ("search", HAND, "--method", "sa.py:SA:tries=none", "--json")
    assert mjopt(*write).json["parameters"] == {"generations": 2, "tries": None}


@pytest.mark.usefixtures("short_reports")
def test_rows_of_an_edited_method_are_recomputed(mjopt, folder):
    words = ("--hands", "deals:3", "--runs", "2", "-j", "1", "-o", "s")
    assert mjopt("compare", "mine=sa.py:SA", *words).status == 0
    ran = mjopt("compare", "mine=sa.py:SA", "ga:generations=1", *words)
    writing = "writing report.html and tables.md"
    assert (ran.status, ran.err.splitlines()) == (0, ["seed 0", writing])
    write_method(folder, ("self.tries)", "4)"))
    ran = mjopt("compare", "mine=sa.py:SA", "ga:generations=1", *words)
    changed = "mine: its code has changed: its rows are recomputed"
    assert ran.err.splitlines() == ["seed 0", changed, writing]


def test_battle_and_league_show_aliases(mjopt):
    player = f"{sys.executable} -c 'import sys; sys.exit()'"
    words = ("mine=bot.py:Bot", "bot.py:Bot", f"gone=process:{player}", "l1")
    ran = mjopt("battle", *words, "-n", "1", "--rounds", "1", "--rules", "m0", "-j", "1", "--json")
    assert ran.status == 1  # `gone` broke the only game
    assert [side["name"] for side in ran.json["entrants"]] == ["mine", "bot", "gone", "l1"]
    ran = mjopt("league", "mine=bot.py:Bot", "l1", "-n", "4", "--rules", "m0", "-j", "1")
    assert ran.status == 0
    assert "mine" in ran.out
    ran = mjopt("battle", "bot.py:Bat", "l1", "l1", "l1")
    assert (ran.status, ran.err) == (2, "mjopt: bot.py has no class 'Bat', expected one of Bot\n")


def test_deficiency_agent_uses_a_class_of_a_file(mjopt):
    agent = read_agent("deficiency:method=sa.py:SA,tries=2,ties=first")
    assert (agent.name, agent.method.heuristic.tries) == ("deficiency-sa-2-tries-2-first", 2)


def test_duplicate_alias_is_refused(mjopt):
    ran = mjopt("compare", "a=ndde", "a=pso", "--hands", "deals:2", "-o", "s")
    assert (ran.status, ran.err) == (2, "mjopt: methods 'a=ndde' and 'a=pso' are both called a\n")


def test_methods_lists_every_parameter_with_default_and_range(mjopt):
    listed = {one["name"]: one["parameters"] for one in mjopt("methods", "--json").json["methods"]}
    assert list(listed)[: len(HEURISTICS)] == list(HEURISTICS)
    text = mjopt("methods").out
    for name, parameters in listed.items():
        method = get_heuristic(name)
        assert f"\n{name}: " in f"\n{text}"
        assert [p["name"] for p in parameters] == [one.name for one in fields(method)]
        for one in parameters:
            assert getattr(method, one["name"]) == one["default"]
            for end in filter(None, (one["low"], one["high"], *one["choices"])):
                value = end if isinstance(end, str) else json.dumps(end)
                read_method(f"{name}:{one['name']}={value}")  # what is listed is taken
            assert one["choices"] or one["low"] is not None, f"{name}: {one['name']} says no range"
    assert max(map(len, text.splitlines())) <= 80


def test_agents_lists_valid_options(mjopt, tmp_path):
    agents = mjopt("agents", "--json").json["agents"]
    assert all(agent["summary"].endswith(".") for agent in agents)
    listed = {one["name"]: one["parameters"] for one in agents}
    assert list(listed)[: len(AGENTS)] == list(AGENTS)
    text = mjopt("agents").out
    assert "\nl3: Like L2, but call a chow or pong that reduces the total weight.\n" in text
    assert max(map(len, text.splitlines())) <= 80
    weights = perfect_file(tmp_path / "w.npz")
    for name, parameters in listed.items():
        read = partial(read_agent, perfect_information=True)
        start = f"mcts:{weights}," if name == "mcts" else f"{name}:"
        if name == "mcts" and find_spec("jax") is None:
            continue
        for one in parameters:
            assert f"  {one['name']} = " in text
            ends = [end for end in (one["low"], one["high"]) if end is not None]
            for choice in (*one["choices"], *ends):
                if choice not in ("FILE.py:CLASS",):
                    value = json.dumps(choice) if isinstance(choice, bool) else choice
                    assert read(f"{start}{one['name']}={value}")
            default = one["default"]
            if default is not None:
                assert default in one["choices"] or ends[0] <= default <= ends[1]
                word = json.dumps(default) if isinstance(default, bool) else default
                named = read(f"{start}{one['name']}={word}").name
                assert named == read(start.rstrip(":,")).name


def test_class_of_a_file_is_a_label_of_a_dataset(mjopt, folder):
    words = ("dataset", "build", "deals:20", "--seed", "1", "--check", "3")
    label = "heuristic:sa.py:SA:tries=5"
    assert mjopt(*words, "--labels", f"deficiency,{label}", "-o", "d", "-j", "1").status == 0
    [row] = sample_rows("d", 1, rng=np.random.default_rng(1))
    assert row["SA_evaluations"] == 11
    assert row["SA_value"] >= row["deficiency"]
    assert mjopt("dataset", "check", "d", "--code", label).status == 0
    jobs = ("--jobs", "2", "--shards", "2")
    assert mjopt(*words, *jobs, "--labels", label, "-o", "two").status == 0


# One of each kind, named as FILE.py:NAME


MODULES = ("heuristic", "formulation", "solver", "label", "recipe", "agent", "rule")


@pytest.fixture
def examples(folder):
    for word in MODULES:
        shutil.copy(EXAMPLES / f"own_{word}.py", folder)


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize(
    ("words", "printed"),
    [
        ("search 11123456789999m --method own_heuristic.py:SA --seed 1", "sa, generations 300"),
        ("deficiency 11122233m44455p1s --model own_formulation.py:AllPongs", "draw"),
        ("deficiency 11122233m44455p1s --solver own_solver.py:ScipySolver", "draw"),
        ("solitaire useful own_rule.py:second_order --deals 2 --jobs 1", "second_order"),
        ("battle own_agent.py:Collector l1 first l1 -n 1 -j 1 --rounds 1 --rules m0", "collector"),
    ],
)
def test_every_kind_is_named_by_its_file(mjopt, words, printed):
    if "own_solver" in words:
        pytest.importorskip("scipy")
    ran = mjopt(*words.split())
    assert (ran.status, ran.err) == (0, ran.err)
    assert printed in ran.out


@pytest.mark.usefixtures("examples", "short_reports")
def test_label_and_recipe_of_a_file(mjopt):
    pytest.importorskip("pyarrow")
    recipe, label = "own_recipe.py:with_dragons:60", "own_label.py:SUITS"
    words = ("dataset", "build", recipe, "--tiles", "136", "--seed", "1")
    assert mjopt(*words, "--labels", label, "-o", "d").status == 0
    assert mjopt(*words, "--labels", label, "-o", "d").status == 0  # it is complete
    ran = mjopt("dataset", "check", "d")
    assert ran.status == 2
    assert "loaded only for a label that you name yourself" in ran.err
    ran = mjopt("dataset", "check", "d", "--code", label)
    assert ran.status == 2
    assert "is loaded or read only if you name it yourself" in ran.err
    assert mjopt("dataset", "check", "d", "--code", label, "--code", recipe).status == 0
    words = ("compare", "ga:generations=1", "--hands", "own_recipe.py:with_dragons:5", "-j", "1")
    assert mjopt(*words, "--tiles", "136", "-o", "s").status == 0


@pytest.mark.usefixtures("examples")
def test_wrong_names_of_a_file_are_one_line(mjopt, folder):
    (folder / "bad.py").write_text("LABEL = 3\ndef recipe(deal, text): return 1 / 0\n")
    for words, message in (
        (("--labels", "bad.py:LABEL", "deals:2"), "bad.py has no label 'LABEL', expected"),
        (
            ("--labels", "win", "bad.py:recipe"),
            "fails: ZeroDivisionError: division by zero (line 2)",
        ),
        (("--labels", "win", "bad.py:other"), "bad.py has no function or class 'other'"),
    ):
        ran = mjopt("dataset", "build", *words, "-o", "d")
        assert (ran.status, ran.out) == (2, "")
        assert message in ran.err
        assert len(ran.err.splitlines()) == 1
    ran = mjopt("deficiency", HAND, "--solver", "own_label.py:np")
    assert ran.status == 2
    assert len(ran.err.splitlines()) == 1
