"""Help, version, completion, standard input, and the spellings of hands and forms."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from cli.conftest import Call
from helpers.support import AWKWARD

import mjopt as package
from mjopt import FULL, UNREACHABLE, Hand, deficiency, shanten
from mjopt.cli.main import COMMANDS
from mjopt.hands.rules.classic_forms import FORM_NAMES, RIICHI

WIN = "11122233344455s"
HAND = "123456m789p1146s1z"


def test_no_arguments_print_the_help(mjopt: Call) -> None:
    ran = mjopt()
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == mjopt("--help").out == mjopt("help").out
    assert all(name in ran.out for names in COMMANDS.values() for name in names)


@pytest.mark.parametrize("words", [(), ("win",), ("dataset",), ("dataset", "build")])
def test_flags_show_no_type(mjopt: Call, words: tuple[str, ...]) -> None:
    text = mjopt(*words, "--help").out
    assert "--help" in text
    assert "<bool>" not in text


def test_help_command_equals_the_help_option(mjopt: Call) -> None:
    assert mjopt("dataset")[:2] == (0, mjopt("dataset", "--help").out)
    assert mjopt("help", "win").out == mjopt("win", "--help").out
    assert mjopt("help", "dataset", "build").out == mjopt("dataset", "build", "--help").out
    assert mjopt("help", "nonsense").status == 2


def test_version_is_printed(mjopt: Call) -> None:
    assert mjopt("--version")[:2] == (0, f"mjopt {package.__version__}\n")


@pytest.mark.parametrize(
    ("line", "found"), [("mjopt sha", "shanten"), ("mjopt deficiency --for", "--forms")]
)
def test_shell_completion(line: str, found: str) -> None:
    words = {"COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
    ran = subprocess.run(
        [sys.executable, "-c", "import sys; sys.argv[0] = 'mjopt'; import mjopt.cli.main as m; "
         "m.execute([])"],
        env=os.environ | words | {"_MJOPT_COMPLETE": "complete_bash"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.stdout.split() == [found]


def test_hands_are_read_from_standard_input(mjopt: Call) -> None:
    for command in ("win", "discards", "targets", "draws", "explain", "certify", "export"):
        assert mjopt(command, "-", stdin=f"# one hand\n\n{WIN}\n").status == 0
    ran = mjopt("deficiency", "-", WIN, stdin=f"{HAND}\n1112345678999m1p\n")
    assert [line.split()[:2] for line in ran.out.splitlines()] == [
        ["1", HAND], ["1", "1112345678999m1p"], ["0", WIN]
    ]  # fmt: skip
    two = mjopt("win", "-", stdin=f"{HAND}\n{WIN}\n")
    assert two.err == "mjopt: standard input: 2 hands, expected one\n"
    none = mjopt("win", "-", stdin="\n")
    assert none.err == "mjopt: standard input: no hands, expected one a line\n"
    bad = mjopt("label", "-", stdin=f"{HAND}\nx\n")
    assert bad.err.startswith("mjopt: standard input line 2: 'x'")
    refused = mjopt("dataset", "build", "file:-", "-o", "nowhere").err
    assert "standard input is read only once" in refused
    assert mjopt("tables", "verify", "-", stdin="{}").status == 3


def test_inferred_tile_set_of_a_file_is_reported(mjopt: Call, tmp_path: Path) -> None:
    path = tmp_path / "hands.txt"
    path.write_text(f"1112345678999m1p\n{HAND}\n")
    ran = mjopt("label", str(path))
    assert ran.out.splitlines()[1:] == ["1112345678999m1p,1", f"{HAND},1"]
    assert ran.err == f"mjopt: {path}: line 2 holds honours: all hands are read as FULL\n"
    explicit = mjopt("label", str(path), "--tiles", "FULL")
    assert (explicit.out, explicit.err) == (ran.out, "")
    lines = mjopt("certify", "--hands", str(path)).out.splitlines()
    assert [json.loads(line)["tiles"]["name"] for line in lines] == ["FULL", "FULL"]
    path.write_text("1112345678999m1p\n")
    plain = mjopt("label", str(path))
    assert plain.err.startswith(f"mjopt: {path}: no honours: all hands are read as M0, --tiles 136")
    forms = mjopt("label", str(path), "--forms", "riichi")
    assert forms.err.endswith("the forms need honours: all hands are read as FULL\n")
    out = tmp_path / "made"
    path.write_text(f"{HAND}\n")
    built = mjopt("dataset", "build", f"file:{path}", "-o", str(out), "-j", "1")
    assert built.status == 0
    assert built.err.endswith("line 1 holds honours: all hands are read as FULL\n")


def test_honours_in_any_option_make_the_hand_full(mjopt: Call) -> None:
    assert mjopt("deficiency", HAND).out == mjopt("deficiency", HAND, "--tiles", "136").out
    for words in (
        ["1m", "--called", "4", "--unseen", "1m1z"],
        ["1m", "--called", "4", "--unseen", "1m"],
    ):
        assert mjopt("deficiency", *words).out.startswith("1\t1m")
    seen = ("draws", "1m", "--called", "4", "--seen", "111z", "--json")
    assert mjopt(*seen).json["wall_size"] == 136 - 1 - 3
    melds = [word for meld in ("111z", "222z", "333z", "444z") for word in ("--meld", meld)]
    assert mjopt("win", "55s", *melds).status == 0


def test_spellings_of_a_hand_are_equivalent(mjopt: Call) -> None:
    out = mjopt("deficiency", HAND).out
    for text in (
        "123456M789P1146S1Z",
        "123m, 456m, 789p, 1146s, 1z",
        "一二三四五六萬789筒1146索東",
    ):
        assert mjopt("deficiency", text).out == out
    tiles = Hand.parse(HAND).to_text("unicode")
    assert mjopt("deficiency", tiles).out == out


def test_forms_have_aliases(mjopt: Call) -> None:
    pairs, orphans = "1133557799m1133p", "19m19p19s12345677z"
    for name in FORM_NAMES["seven_pairs"]:
        assert mjopt("win", pairs, "--forms", name).out.startswith("wins\tseven_pairs")
    for name in (*FORM_NAMES["thirteen_orphans"], "Kokushi Musou", "thirteen-orphans", "all"):
        assert mjopt("win", orphans, "--forms", name).out.startswith("wins\tthirteen_orphans")
    document = mjopt("win", pairs, "--forms", "riichi", "--json").json
    assert document["forms"] == ["seven_pairs"]
    every = mjopt("deficiency", "1133557799m1133p", "--forms", "all", "--json").json
    assert every["forms"] == ["standard", "seven_pairs"]  # the forms that M0 can make


def test_shanten_is_the_riichi_deficiency_less_one(mjopt: Call) -> None:
    for known in AWKWARD:
        if known.hand.melds:
            continue
        full = known.hand.in_full()
        assert shanten(known.hand) == deficiency(full, forms=RIICHI) - 1
    assert shanten(WIN) == -1
    assert shanten(Hand.parse("1m", called=4), unseen=[0] * 27) == UNREACHABLE
    ran = mjopt("shanten", WIN, "1133557799m1133p", "--tiles", "full")
    assert ran.out == (
        f"-1\t{WIN}   (one less than the deficiency, 0, as standard)\n"
        "-1\t1133557799m1133p   (one less than the deficiency, 0, as seven_pairs)\n"
    )
    document = mjopt("shanten", HAND, "--json").json
    assert (document["shanten"], document["deficiency"], document["nearest"]) == (
        0,
        1,
        ["standard"],
    )
    gone = mjopt("shanten", "1m", "--called", "4", "--unseen", "1z", "--json").json
    assert (gone["shanten"], gone["reachable"]) == (None, False)


def test_discards_of_a_complete_hand_are_ranked(mjopt: Call) -> None:
    message = f"{WIN} wins, complete as standard; its discards, if the win is declined:\n"
    for command in ("discards", "draws"):
        ran = mjopt(command, WIN)
        assert (ran.status, ran.err) == (0, "")
        assert ran.out.startswith(message)
        assert "5s" in ran.out.removeprefix(message)
        document = mjopt(command, WIN, "--json").json
        assert (document["wins"], len(document["discards"])) == (["standard"], 5)
        assert mjopt(command, HAND, "--json").json["wins"] == []
    explained = mjopt("explain", WIN).out
    assert explained.startswith(f"{WIN} wins: it is complete (deficiency 0, shanten")
    assert len(explained.partition("Discards, if the win is declined:\n")[2].splitlines()) == 5
    assert mjopt("explain", WIN, "--json").json["wins"] == ["standard"]


def test_in_full_adds_the_honours() -> None:
    hand = Hand.parse("123m406p1s", called=2)
    assert hand.in_full().to_text() == "123m406p1s"
    assert hand.in_full().tiles is FULL
