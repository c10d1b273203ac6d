"""The commands deficiency, win, models and export."""

import subprocess
import sys
from pathlib import Path

from cli.conftest import Call

from mjopt import FORMULATIONS, SOLVERS
from mjopt.cli.main import COMMANDS, load_command


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


def test_every_model_and_solver_can_be_named(mjopt: Call) -> None:
    for model in ("blockwise", "completion"):
        for solver in SOLVERS:
            ran = mjopt(
                "deficiency", "11223m", "--called", "3", "--model", model, "--solver", solver
            )
            assert (ran.status, ran.out[0]) == (0, "1")


def test_paper_cost_is_named_cost(mjopt: Call) -> None:
    ran = mjopt(
        *("deficiency", "B3333 C222267 D7777", "--notation", "paper"),
        *("--model", "predecomposition", "--json"),
    )
    assert ran.json["cost"] == 2
    assert "deficiency" not in ran.json


def test_options_of_a_hand_change_the_deficiency(mjopt: Call) -> None:
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


def test_win_lists_every_decomposition(mjopt: Call) -> None:
    ran = mjopt("win", "11122233344455s")
    assert ran.status == 0
    assert len(ran.out.splitlines()) == 1 + 4
    document = mjopt("win", "11122233344455s", "--json").json
    assert document["win"] is True
    assert len(document["decompositions"]) == 4


def test_incomplete_hand_has_status_1(mjopt: Call) -> None:
    assert mjopt("win", "147m258p369s1234s2p").status == 1
    assert mjopt("win", "1112223334445s").status == 1
    assert mjopt("win", "1133557799m1133p").status == 1
    assert mjopt("win", "1133557799m1133p", "--forms", "seven_pairs").status == 0


def test_win_lists_the_parts_of_any_form(mjopt: Call, tmp_path: Path) -> None:
    ran = mjopt("win", "123456789m11123p123s", "--rules", "taiwan")
    assert ran.out == "wins\ttaiwan\n\t123m 456m 789m 11p 123p 123s\n"
    rules = tmp_path / "laizi.toml"
    rules.write_text(
        'name = "laizi"\ntiles = "136"\n[jokers]\nkinds = "5z"\n[[form]]\nmelds = 4\neyes = 1\n'
    )
    ran = mjopt("win", "123456789m1122s5z", "--rules", str(rules))
    ways = ["(joker for 1s) 111s 22s", "11s (joker for 2s) 222s"]
    assert ran.out == "wins\tlaizi\n" + "".join(f"\t123m 456m 789m {way}\n" for way in ways)


def test_export_takes_the_rules_of_the_hand(mjopt: Call) -> None:
    lines = mjopt("export", "123456789m123p12345s", "--rules", "taiwan").out.splitlines()
    assert lines[0].endswith("blockwise_123456789m123p12345s")
    assert " melds: " in "\n".join(lines)


def test_models_lists_formulations_and_solvers(mjopt: Call) -> None:
    document = mjopt("models", "--json").json
    assert [row["model"] for row in document["models"]] == list(FORMULATIONS)
    assert all(row["available"] for row in document["solvers"])
    assert "OR-Tools" in mjopt("models").out


def test_export_to_a_file_has_the_format_of_its_ending(mjopt: Call, tmp_path: Path) -> None:
    words = ("export", "1112345678999m1p")
    path = tmp_path / "hand.lp"
    ran = mjopt(*words, "-o", str(path))
    assert (ran.status, ran.out) == (0, "")
    assert mjopt(*words).out == path.read_text()
    assert mjopt(*words, "-o", str(tmp_path / "hand.mps"), "--solver", "cbc").status == 0
    assert (tmp_path / "hand.mps").read_text().startswith("NAME")
    assert (tmp_path / "hand.sol").read_text().startswith("=obj= 1\n")


def test_every_command_has_help_with_an_example(mjopt: Call) -> None:
    for name in (name for names in COMMANDS.values() for name in names):
        commands = getattr(load_command(name), "commands", None)
        for words in [[name, each] for each in commands] if commands else [[name]]:
            ran = mjopt(*words, "--help")
            assert ran.status == 0
            assert "Example: mjopt" in " ".join(ran.out.split())


def test_command_list_equals_the_help_of_commands() -> None:
    for name, line in (line for lines in COMMANDS.values() for line in lines.items()):
        assert " ".join(load_command(name).help.split("\n\n")[0].split()) == line


def test_help_imports_no_heavy_library() -> None:
    code = (
        "import sys; from mjopt.cli.main import execute; execute(['--help']); "
        "print(sorted({'ortools', 'pulp', 'numba', 'highspy', 'scipy', 'pandas'} & {*sys.modules}))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "[]"


def test_package_runs_as_a_module() -> None:
    words = [sys.executable, "-m", "mjopt", "deficiency", "11m", "--called", "4"]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, "0\t11m\n")


def test_discards_are_ranked_with_useful_tiles(mjopt: Call) -> None:
    document = mjopt("discards", "4569m13445788p2s4z", "--tiles", "136", "--json").json
    best = document["discards"][0]
    assert best["deficiency"] == 3
    assert best["copies"] == sum(best["useful"].values())
    ready = mjopt("discards", "123456m789p1146s", "--tiles", "136", "--unseen", "1m").out
    assert "cannot win" in ready


def test_targets_are_counted_and_listed(mjopt: Call) -> None:
    document = mjopt("targets", "1112345678999m1p", "--json").json
    assert (document["deficiency"], document["number"]) == (1, 12)
    assert len(document["targets"]) == 12
    few = mjopt("targets", "1112345678999m1p", "--limit", "2").out.splitlines()
    assert few[0].endswith(": 1, 12 targets")
    assert few[-1].strip() == "... 10 more"
    assert mjopt("targets", "1m", "--called", "4", "--unseen", "").out.endswith("0 targets\n")


def test_opb_of_a_model_with_other_numbers_names_models_that_fit(
    mjopt: Call, in_tmp_path: Path
) -> None:
    for model in ("blockwise", "completion"):
        ran = mjopt("export", "1112345678999m1p", "-o", "h.opb", "--model", model)
        named = ran.err.rpartition("expected another model: ")[2].strip().split(", ")
        assert (ran.status, len(ran.err.splitlines())) == (2, 1)
        assert named == ["network", "predecomposition", "partition"]
    for model in named:
        assert mjopt("export", "1112345678999m1p", "-o", "h.opb", "--model", model).status == 0


def test_target_of_several_forms_is_listed_once_with_its_forms(mjopt: Call) -> None:
    words = ("targets", "112233445566m1p", "--forms", "riichi")
    assert mjopt(*words).out.splitlines() == [
        "112233445566m1p: 1, 1 targets",
        "  112233445566m11p   draw 1p   discard -   standard, seven_pairs",
    ]
    document = mjopt(*words, "--json").json
    assert document["number"] == len(document["targets"]) == 1
    assert document["targets"][0]["forms"] == ["standard", "seven_pairs"]


def test_census_counts_all_hands(mjopt: Call) -> None:
    document = mjopt("census", "--json").json
    assert document["hands"] == 21_310_147_575
    assert document["by_deficiency"][0]["hands"] == 5_237_550
    table = mjopt("census").out
    assert table.startswith("M0, 14 tiles, standard\n")
    assert "21,310,147,575" in table
    one = mjopt("census", "--types", "1", "--json").json
    assert [row["hands"] for row in one["by_deficiency"]] == [39777, 273195, 43158, 270]
