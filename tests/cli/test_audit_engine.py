"""The command audit-engine, and its earlier name."""

import csv
import shutil
import sys
from contextlib import AbstractContextManager
from importlib.util import find_spec
from pathlib import Path

import pytest
from cli.conftest import Call
from helpers.support import AWKWARD
from helpers.surroundings import install, package_folder
from helpers.waits import BRIEF, FOREVER

from mjopt import Certificate

FAULTY = Path(__file__).parents[1] / "audits" / "faulty_engine.js"
QUESTIONS = ("--ask", "win,shanten,useful,ukeire")

OWN = """
from mjopt import deficiency
from mjopt.hands.rules.classic_forms import RIICHI


def shanten(hand):
    return deficiency(hand, forms=RIICHI) - 1


def wrong(hand):
    return shanten(hand) + (max(hand.counts) > 2)
"""


@pytest.fixture
def own(tmp_path: Path) -> str:
    path = tmp_path / "own.py"
    path.write_text(OWN)
    return str(path)


def hands_file(folder: Path) -> str:
    path = folder / "hands.txt"
    path.write_text("\n".join(known.hand.to_text() for known in AWKWARD))
    return str(path)


@pytest.mark.parametrize("command", ["audit-engine", "audit-package"])
@pytest.mark.parametrize("name", ["mahjong", "xiangting", "riichienv"])
def test_package_is_audited_or_named_as_missing(
    mjopt: Call, command: str, name: str, tmp_path: Path
) -> None:
    words = ("--hands", hands_file(tmp_path), "--tiles", "136", "--json")
    ran = mjopt(command, name, *words)
    if find_spec(name) is None:
        assert ran.status == 2
        assert ran.err == f"mjopt: {name} is not installed: pip install {name}\n"
        return
    assert ran.json["engine"] == name
    assert ran.json["version"]
    assert ran.json["hands"] == len(AWKWARD)
    values = [c for c in ran.json["columns"] if c["question"] in ("shanten", "deficiency")]
    assert [column["wrong"] for column in values] == [0] * len(values)
    assert values


def lying(folder: Path, value: int) -> AbstractContextManager[None]:
    """Install a package that gives one value for all hands, in the place of a real one."""
    source = f"""
class HandEvaluator:
    has_win_shape = False

    def __init__(self, _):
        pass

    def calc(self, _):
        return self

def calculate_shanten(_): return {value}
"""
    return package_folder(install(folder / "packages", "riichienv", source))


def test_wrong_value_of_a_package_is_found(mjopt: Call, tmp_path: Path) -> None:
    path = tmp_path / "hands.txt"
    path.write_text("1111m123p112233s\n11122233344455s\n")
    with lying(tmp_path, 1):
        words = ("--hands", str(path), "--ask", "shanten", "--json")
        ran = mjopt("audit-engine", "riichienv", *words)
    assert ran.status == 1
    assert ran.json["forms"] == ["standard", "seven_pairs", "thirteen_orphans"]
    assert [(row["line"], row["theirs"]) for row in ran.json["first_wrong"]] == [(2, 1)]


def test_hands_are_a_recipe_or_a_file(mjopt: Call, own: str, tmp_path: Path) -> None:
    words = ("--ask", "shanten", "--seed", "3", "--json")
    name = f"{own}:wrong"
    ran = mjopt("audit-engine", name, "--hands", "deals:200", *words)
    assert (ran.json["hands"], ran.json["hands_file"]) == (200, "deals:200")
    hands = [row["hand"] for row in ran.json["first_wrong"]]
    assert {sum(map(str.isdigit, hand)) for hand in hands} == {13, 14}
    (tmp_path / "hands.txt").write_text("\n".join(hands))
    for file in (f"{tmp_path}/hands.txt", f"file:{tmp_path}/hands.txt"):
        again = mjopt("audit-engine", name, "--hands", file, *words)
        assert [row["hand"] for row in again.json["first_wrong"]] == hands
    stdin = mjopt("audit-engine", name, "--hands", "-", *words, stdin="\n".join(hands))
    assert stdin.json["wrong"] == len(hands)
    refused = mjopt("audit-engine", name, "--hands", "none")
    assert refused.status == 2
    assert refused.err.startswith("mjopt: recipe 'none', expected one of")


def test_right_function_has_status_0(mjopt: Call, own: str) -> None:
    ran = mjopt("audit-engine", f"{own}:shanten", "--ask", "shanten", "--hands", "deals:50")
    assert (ran.status, ran.err) == (0, "")
    forms = "standard, seven_pairs, thirteen_orphans"
    assert ran.out == f"{own}:shanten: 50 hands of FULL, 0 rows wrong (shanten over {forms})\n"


def test_groups_are_written_with_certificates(mjopt: Call, own: str, tmp_path: Path) -> None:
    folder = tmp_path / "found"
    words = ("--ask", "shanten", "--hands", "deals:100", "-o", str(folder))
    ran = mjopt("audit-engine", f"{own}:wrong", *words)
    assert ran.status == 1
    with (folder / "groups.csv").open() as file:
        row = next(csv.DictReader(file))
    assert row["hand"] in ran.out
    assert len({letter for letter in row["hand"] if letter.isalpha()}) <= 2
    proofs = (folder / "certificates.jsonl").read_text().splitlines()
    certificate = Certificate.from_json(proofs[int(row["certificate"]) - 1])
    assert certificate.deficiency - 1 == int(row["true"])
    line = f"echo {row['hand']} | mjopt audit-engine {own}:wrong --ask shanten --hands -"
    assert line in ran.out
    again = mjopt(*line.split(" | mjopt ")[1].split(), stdin=f"{row['hand']}\n")
    assert again.status == 1


def test_questions_that_are_not_answered_are_no_success(mjopt: Call, tmp_path: Path) -> None:
    """All answers are skipped: neither right nor wrong."""
    words = ("--hands", "deals:9")
    ran = mjopt("audit-engine", "--command", "sed s/.*/-/", "--ask", "win", *words)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == "mjopt: sed s/.*/-/: no answer to win\n"
    path = tmp_path / "own.py"
    path.write_text("def f(hand): return {'win': False, 'ukeire': None}")
    ran = mjopt("audit-engine", f"{path}:f", *words)
    assert (ran.status, ran.err) == (0, "")
    assert "0 rows wrong (win over " in ran.out
    ran = mjopt("audit-engine", f"{path}:f", "--ask", "win,useful", *words)
    assert ran.err == f"mjopt: {path}:f: no answer to useful\n"


def test_the_printed_command_has_the_tile_set(mjopt: Call) -> None:
    ran = mjopt("audit-engine", "--command", "sed s/.*/no/", "--ask", "win", "--tiles", "sanma")
    lines = [line for line in ran.out.splitlines() if "| mjopt" in line]
    assert lines
    assert all(" --tiles sanma --hands -" in line for line in lines)


def test_no_hands_are_no_success(mjopt: Call) -> None:
    ran = mjopt("audit-engine", "--command", "cat", "--ask", "win", "--hands", "-", stdin="")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == "mjopt: --hands nothing, expected hands\n"


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ((), "2,000 hands of FULL, 281 rows wrong (win over standard, seven_pairs, thirteen_"),
        (("--rules", "taiwan"), "2,000 hands of FULL, "),
        (("--tiles", "sanma"), "2,000 hands of SANMA, "),
    ],
)
def test_default_hands_are_those_of_the_conformance_suite(
    mjopt: Call, words: tuple[str, ...], first: str
) -> None:
    ran = mjopt("audit-engine", "--command", "sed s/.*/no/", "--ask", "win", *words)
    assert ran.out.startswith(f"sed s/.*/no/: {first}")
    assert ran.status == 1


def test_rule_files_are_asked(mjopt: Call, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(
        'name = "own"\ntitle = "Own"\ntiles = "136"\n[[form]]\nname = "pairs"\npairs = 7\n'
    )
    words = ("--ask", "win", "--rules", str(path), "--hands", "deals:9")
    ran = mjopt("audit-engine", "--command", "sed s/.*/no/", *words)
    assert (ran.status, ran.err) == (0, "")
    assert "(win over seven_pairs)" in ran.out


def test_called_melds_and_unseen_tiles(mjopt: Call, tmp_path: Path) -> None:
    words = ("--command", "sed s/.*/no/", "--ask", "win", "--called", "2")
    ran = mjopt("audit-engine", *words, "--hands", "deals:9")
    assert (ran.status, ran.err) == (0, "")
    path = tmp_path / "hands.csv"
    path.write_text("hand,melds,unseen\n123m456p78s11z,6666s,\n123m456p78s11z,555z,9s\n")
    ran = mjopt("audit-engine", "--command", "sed s/.*/9/", "--ask", "ukeire", "--hands", str(path))
    assert ran.status == 1
    assert "ukeire 9, right is" in ran.out


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_three_faults_of_an_engine_in_javascript_are_named(mjopt: Call, tmp_path: Path) -> None:
    command = ("--command", f"node {FAULTY}")
    path = tmp_path / "hands.txt"
    ran = mjopt("audit-engine", *command, *QUESTIONS, "--hands", "deals:60", "--json")
    hands = [row["hand"] for row in ran.json["first_wrong"]]
    fours = ["1111m234567p789s", "1111m22p334455s7z", "1119m123p456789s", "1111m2233p4455s66z"]
    path.write_text("\n".join([*hands, *fours]))
    ran = mjopt("audit-engine", *command, *QUESTIONS, "--hands", str(path), "--json")
    assert {group["cause"] for group in ran.json["groups"]} >= {
        "counts runs of honours",
        "counts four of a kind as two pairs",
        "ignores the four-copy limit",
    }
    for group in ran.json["groups"]:
        assert len({letter for letter in group["hand"] if letter.isalpha()}) <= 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "mjopt: no engine, expected one: NAME, FILE.py:FUNCTION or --command\n"),
        (("--command", "cat"), "mjopt: --ask is missing, expected the questions that each line "),
        (("--command", "cat", "--ask", "x"), "mjopt: question 'x': unknown, expected one of win, "),
        (("--command", "cat", "--ask", "win", "--timeout", "0"), "mjopt: --timeout 0.0, expected "),
        (
            ("--command", "cat", "--protocol", "x", "--ask", "win"),
            "mjopt: --protocol 'x': unknown, ",
        ),
        (("--command", "true", "--ask", "win"), "mjopt: true: ended before it answered "),
        (("none",), "mjopt: package 'none': unknown, expected one of mahjong, "),
        (("mahjong", "--forms", "mcr"), "mjopt: mahjong answers for "),
    ],
)
def test_wrong_words_are_named(mjopt: Call, words: tuple[str, ...], message: str) -> None:
    ran = mjopt("audit-engine", *words)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(message)
    assert ran.err.count("\n") == 1


def test_lying_and_silent_programs_are_named(mjopt: Call, tmp_path: Path) -> None:
    engine = tmp_path / "engine.py"
    engine.write_text("for line in open(0): print('maybe')")
    command = f"{sys.executable} {engine}"
    ran = mjopt("audit-engine", "--command", command, "--ask", "win", "--hands", "deals:9")
    assert ran.status == 1
    assert "win maybe, right is no" in ran.out
    engine.write_text(f"import time\ntime.sleep({FOREVER})")
    words = ("--ask", "win", "--hands", "deals:9", "--timeout", str(BRIEF))
    ran = mjopt("audit-engine", "--command", command, *words)
    assert (ran.status, ran.out) == (2, "")
    assert f": no answer for {BRIEF} s to " in ran.err


def test_rule_sets_are_asked_with_their_tiles(mjopt: Call, tmp_path: Path) -> None:
    engine = tmp_path / "engine.py"
    engine.write_text("for line in open(0): print(len(line.split()[0]))")
    command = f"{sys.executable} {engine}"
    words = ("--ask", "deficiency", "--rules", "taiwan", "--hands", "deals:20", "--json")
    ran = mjopt("audit-engine", "--command", command, *words)
    assert ran.json["forms"] == ["taiwan.standard"] or ran.json["forms"]
    assert {sum(map(str.isdigit, row["hand"])) for row in ran.json["first_wrong"]} == {16, 17}
