"""The commands deficiency, win, models and export."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mjopt import FORMULATIONS, SOLVERS
from mjopt.cli.main import COMMANDS, load_command

Call = Callable[..., "Ran"]  # noqa: F821 - the fixture's type, from conftest


def test_deficiency_of_several_hands(mjopt: Call) -> None:
    ran = mjopt("deficiency", "123m456p789s1122s", "1112345678999m1p")
    assert ran.status == 0
    assert [line.split("\t")[0] for line in ran.out.splitlines()] == ["1", "1"]
    assert "draw" in ran.out
    assert ran.err == ""


def test_deficiency_as_json(mjopt: Call) -> None:
    document = mjopt("deficiency", "B3333 C222267 D7777", "--notation", "paper", "--json").json
    assert document["deficiency"] == 3
    assert document["certified"] is True
    assert document["model"] == "tables"
    assert len(document["decomposition"]) == 5
    words = ("deficiency", "B3333 C222267 D7777", "--notation", "paper", "--solver", "highs")
    document = mjopt(*words, "--json").json
    assert document["deficiency"] == 3
    assert document["optimal"] is True
    assert document["solver"] == "highs"
    assert document["termination"] == "finished"
    many = mjopt("deficiency", "11m", "22m", "--called", "4", "--json").json
    assert [row["deficiency"] for row in many] == [0, 0]


def test_every_model_and_solver_by_name(mjopt: Call) -> None:
    for model in ("blockwise", "completion"):
        for solver in SOLVERS:
            ran = mjopt(
                "deficiency", "11223m", "--called", "3", "--model", model, "--solver", solver
            )
            assert (ran.status, ran.out[0]) == (0, "1")


def test_the_papers_cost_is_called_cost(mjopt: Call) -> None:
    ran = mjopt(
        *("deficiency", "B3333 C222267 D7777", "--notation", "paper"),
        *("--model", "predecomposition", "--json"),
    )
    assert ran.json["cost"] == 2
    assert "deficiency" not in ran.json


def test_unseen_forms_melds_partial(mjopt: Call) -> None:
    assert mjopt("deficiency", "1m", "--called", "4", "--unseen", "").out.startswith("unreachable")
    assert mjopt("deficiency", "1m", "--called", "4", "--unseen", "1m").out.startswith("1\t")
    assert mjopt("deficiency", "1m", "--partial").out.startswith("13\t")
    melds = [word for meld in ("111m", "222m", "333m", "444m") for word in ("--meld", meld)]
    assert mjopt("deficiency", "1m", *melds).out.startswith("2\t1m (111m)")
    forms = mjopt("deficiency", "1122334455667m8p", "--forms", "seven_pairs, standard")
    assert forms.out.startswith("1\t")
    gone = mjopt("deficiency", "1m", "--called", "4", "--forms", "seven_pairs", "--json").json
    assert gone["reachable"] is False
    assert gone["deficiency"] is None


def test_win(mjopt: Call) -> None:
    ran = mjopt("win", "11122233344455s")
    assert ran.status == 0
    assert len(ran.out.splitlines()) == 1 + 4
    document = mjopt("win", "11122233344455s", "--json").json
    assert document["win"] is True
    assert len(document["decompositions"]) == 4


def test_win_says_no_by_status_1(mjopt: Call) -> None:
    assert mjopt("win", "147m258p369s1234s2p").status == 1
    assert mjopt("win", "1112223334445s").status == 1
    assert mjopt("win", "1133557799m1133p").status == 1
    assert mjopt("win", "1133557799m1133p", "--forms", "seven_pairs").status == 0


def test_models(mjopt: Call) -> None:
    document = mjopt("models", "--json").json
    assert [row["model"] for row in document["models"]] == list(FORMULATIONS)
    assert [row["available"] for row in document["solvers"]] == [True] * 3
    assert "OR-Tools" in mjopt("models").out


@pytest.mark.parametrize("format", ["lp", "mps"])
def test_export(mjopt: Call, format: str, tmp_path: Path) -> None:
    path = tmp_path / f"hand.{format}"
    ran = mjopt("export", "1112345678999m1p", "--format", format, "-o", str(path))
    assert (ran.status, ran.out) == (0, "")
    text = path.read_text()
    assert mjopt("export", "1112345678999m1p", "--format", format).out == text


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (["deficiency", "11111m"], ["11111m", "5", "1m"]),
        (["deficiency", "123x"], ["x"]),
        (["deficiency", "1z", "--tiles", "m0"], ["z", "M0"]),
        (
            ["deficiency", "11z", "--tiles", "M0"],
            ["z", "M0", "honours, expected tiles 136"],
        ),
        (
            ["deficiency", "123m456p789s11s"],
            ["14 less one called meld, expected called 1"],
        ),
        (
            ["deficiency", "W1 W2 W3"],
            ["'W' at character 1", "can be read in notation botz"],
        ),
        (["shanten", "11m", "--called", "4", "--tiles", "m0"], ["riichi has 136 tiles"]),
        (
            ["win", "11m", "--called", "4", "--forms", "riichi", "--tiles", "m0"],
            ["expected tiles 136"],
        ),
        (["deficiency", "0z", "--tiles", "136"], ["0z"]),
        (["deficiency", "8z", "--tiles", "136"], ["8z"]),
        (["deficiency", "123m"], ["3 tiles", "expected 14 or 13"]),
        (["deficiency", "11m", "--called", "5"], ["5 called", "0..4"]),
        (["deficiency", "11m", "--called", "x"], ["--called"]),
        (["deficiency", "11m", "--tiles", "144"], ["144", "m0, 136"]),
        (["deficiency", "11m", "--notation", "x"], ["x", "mpsz"]),
        (["deficiency", "11m", "--called", "4", "--model", "x"], ["x", "blockwise"]),
        (["deficiency", "11m", "--called", "4", "--solver", "x"], ["x", "cp-sat"]),
        (["deficiency", "11m", "--called", "4", "--forms", "x"], ["x", "standard"]),
        (["deficiency", "11m", "--called", "4", "--time-limit", "0"], ["time limit"]),
        (["deficiency", "11m", "--called", "4", "--threads", "0"], ["threads 0", "1..100"]),
        (["deficiency", "11m", "--called", "4", "--threads", "50000"], ["threads 50000"]),
        (["deficiency", "11m", "--called", "4", "--model", ""], ["unknown model ''"]),
        (["discards", "11m", "--called", "3"], ["2 tiles, expected 5 or 4"]),
        (["targets", "11m", "--called", "4", "--limit", "-1"], ["--limit -1"]),
        (["census", "--size", "12"], ["12 tiles", "13 or 14"]),
        (["census", "--types", "4"], ["4 types", "1..3"]),
        (["deficiency", "11m", "--called", "4", "--unseen", "11111z"], ["--unseen"]),
        (["deficiency"], ["HAND"]),
        (["win", "1m"], ["1 tiles"]),
        (["label", "nothing.txt"], ["nothing.txt", "no such file"]),
        (["export", "11m", "--called", "4", "--format", "xls"], ["xls", "lp, mps"]),
        (["export", "11m", "--called", "4", "-o", "no/such/folder.lp"], ["no/such"]),
        (["nonsense"], ["nonsense"]),
        (["deficiency", "--nonsense"], ["--nonsense"]),
    ],
    ids=" ".join,
)
def test_bad_input_is_one_line_and_status_2(
    mjopt: Call, words: list[str], names: list[str]
) -> None:
    ran = mjopt(*words)
    assert ran.status == 2
    assert ran.out == ""
    assert len(ran.err.strip().splitlines()) == 1
    assert all(name in ran.err for name in names), ran.err


def test_every_command_has_help_with_an_example(mjopt: Call) -> None:
    for name in (name for names in COMMANDS.values() for name in names):
        commands = getattr(load_command(name), "commands", None)
        for words in [[name, each] for each in commands] if commands else [[name]]:
            ran = mjopt(*words, "--help")
            assert ran.status == 0
            assert "Example: mjopt" in " ".join(ran.out.split())


def test_help_lists_each_command_as_its_own_help_begins() -> None:
    for name, line in (line for lines in COMMANDS.values() for line in lines.items()):
        assert " ".join(load_command(name).help.split("\n\n")[0].split()) == line


def test_help_loads_no_solver_and_no_array_library_it_does_not_need() -> None:
    code = (
        "import sys; from mjopt.cli.main import execute; execute(['--help']); "
        "print(sorted({'ortools', 'pulp', 'numba', 'highspy', 'scipy', 'pandas'} & {*sys.modules}))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "[]"


def test_python_m() -> None:
    words = [sys.executable, "-m", "mjopt", "deficiency", "11m", "--called", "4"]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, "0\t11m\n")


def test_discards(mjopt: Call) -> None:
    document = mjopt("discards", "4569m13445788p2s4z", "--tiles", "136", "--json").json
    best = document["discards"][0]
    assert best["deficiency"] == 3
    assert best["copies"] == sum(best["useful"].values())
    table = mjopt("discards", "4569m13445788p2s4z", "--tiles", "136", "--improving")
    assert table.status == 0
    assert "improving" in table.out
    ready = mjopt("discards", "123456m789p1146s", "--tiles", "136", "--unseen", "1m").out
    assert "cannot win" in ready


def test_targets(mjopt: Call) -> None:
    document = mjopt("targets", "1112345678999m1p", "--json").json
    assert (document["deficiency"], document["number"]) == (1, 12)
    assert len(document["targets"]) == 12
    few = mjopt("targets", "1112345678999m1p", "--limit", "2").out.splitlines()
    assert few[0].endswith(": 1, 12 targets")
    assert few[-1].strip() == "... 10 more"
    assert mjopt("targets", "1m", "--called", "4", "--unseen", "").out.endswith("0 targets\n")


def test_census(mjopt: Call) -> None:
    document = mjopt("census", "--json").json
    assert document["hands"] == 21_310_147_575
    assert document["by_deficiency"][0]["hands"] == 5_237_550
    assert "21,310,147,575" in mjopt("census").out
    one = mjopt("census", "--types", "1", "--json").json
    assert [row["hands"] for row in one["by_deficiency"]] == [39777, 273195, 43158, 270]
