"""The conformance suite: its answers are right, and it finds engines with faults."""

import json
import os
import random
import re
import shutil
import subprocess
import sys
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from mjopt.analysis.formats import verify_files
from mjopt.audits.conformance import COLUMNS, VERSION, build_suite, read_hands, suite_files
from mjopt.errors import ArgumentError
from mjopt.hands.rules.rule_file import RULE_SETS, get_rules
from tests.audits.right_engine import QUESTIONS, Engine
from tests.audits.wrong_engines import ALL, Wrong, wrong_engines

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "conformance"
GUIDE = ROOT / "docs" / "howto" / "conformance.md"
LEAST = 5  # hands that find each fault
FIRST = 250  # hands of a suite that find all faults
PART = 40  # hands of the quick tests

# Of copies, runs, pairs, orphans, called melds, wins, useful tiles, discards and blocks.
SOME = (
    *("waits for a fifth copy", "no run seven eight nine", "quad as two pairs"),
    *("orphans need no pair", "four called melds win", "win with triplets first"),
    *("own copies counted", "most kinds left", "too many blocks"),
)


files_of = cache(suite_files)


@cache
def rows_of(rules: str) -> list[dict[str, Any]]:
    """Return the hands of a suite with their answers; tiles as kinds."""
    rows = [json.loads(line) for line in files_of(rules)[f"{rules}.jsonl"].splitlines()]
    names = get_rules(rules).tiles.names
    for row in rows:
        for question in ("useful", "discard"):
            row[question] = frozenset(
                names.index(rank + suit)
                for ranks, suit in re.findall(r"(\d+)([mpsz])", row[question])
                for rank in ranks
            )
    return rows


def dealt(rules: str) -> list[tuple[tuple[int, ...], int]]:
    return [(hand.counts, hand.called) for hand in read_hands(rules)]


def answers_of(row: dict[str, Any]) -> dict[str, Any]:
    return {question: row[question] for question in QUESTIONS}


def number_found(fault: type[Wrong], rules: str, first: int | None = None) -> int:
    """Return how many hands find a fault, five at most."""
    engine, number = fault(get_rules(rules)), 0
    for hand, row in zip(dealt(rules)[:first], rows_of(rules)[:first], strict=True):
        number += engine.first_error(answers_of(row), *hand) is not None
        if number == LEAST:
            break
    return number


def assert_right(rules: str, places: list[int]) -> None:
    engine, hands, rows = Engine(get_rules(rules)), dealt(rules), rows_of(rules)
    for place in places:
        assert engine.answers(*hands[place]) == answers_of(rows[place]), rows[place]["hand"]


def test_another_engine_agrees_with_some_answers() -> None:
    assert_right("riichi", random.Random(1).sample(range(2000), PART))


@pytest.mark.parametrize("rules", RULE_SETS)
def test_another_engine_agrees_with_all_answers(rules: str) -> None:
    assert_right(rules, list(range(len(dealt(rules)))))


@pytest.mark.parametrize("name", SOME)
def test_a_fault_of_each_kind_is_found(name: str) -> None:
    [fault] = (one for one in ALL if one.name == name)

    assert number_found(fault, "riichi", FIRST) == LEAST


@pytest.mark.parametrize("rules", RULE_SETS)
def test_every_fault_is_found(rules: str) -> None:
    missed = [
        fault.name
        for fault in wrong_engines(get_rules(rules))
        if number_found(fault, rules) < LEAST
    ]

    assert missed == []


def test_faults_have_names_and_causes() -> None:
    assert len({fault.name for fault in ALL}) == len(ALL) >= 100
    assert all(fault.__doc__ and fault.__doc__.endswith(".") for fault in ALL)
    assert len(wrong_engines(get_rules("riichi"))) >= 100


@pytest.mark.parametrize("rules", RULE_SETS)
def test_hands_are_different_and_of_all_sizes(rules: str) -> None:
    hands = dealt(rules)
    known = get_rules(rules)

    assert len(set(hands)) == len(hands) == 2000
    assert {called for _, called in hands} == {*range(known.most_called + 1)}
    assert {sum(counts) + 3 * called for counts, called in hands} == {known.size - 1, known.size}


def sums_in(folder: Path) -> dict[str, str]:
    """Return the checksums of files by name."""
    lines = (folder / "SHA256SUMS").read_text().splitlines()
    return dict(reversed(line.split()) for line in lines)


def test_published_files_are_those_of_the_recipe() -> None:
    for name, data in files_of("riichi").items():
        assert (FOLDER / name).read_bytes() == data


def test_published_files_have_their_checksums() -> None:
    names = [f"{rules}.{suffix}" for rules in RULE_SETS for suffix in ("csv", "jsonl")]

    assert {path.name for path in FOLDER.iterdir()} == {*names, "SHA256SUMS", "VERSION"}
    assert int((FOLDER / "VERSION").read_text()) == VERSION
    assert sums_in(FOLDER) == {n: sha256((FOLDER / n).read_bytes()).hexdigest() for n in names}


def test_csv_holds_the_same_as_json_lines() -> None:
    files = files_of("riichi")
    header, *lines = files["riichi.csv"].decode().splitlines()
    rows = [json.loads(line) for line in files["riichi.jsonl"].splitlines()]

    assert header.split(",") == [*COLUMNS] == [*rows[0]]
    texts = [v if isinstance(v, str) else json.dumps(v) for row in rows for v in row.values()]
    assert [cell for line in lines for cell in line.split(",")] == texts


@pytest.mark.parametrize("rules", RULE_SETS)
def test_recipe_makes_the_published_files_and_certificates(rules: str, tmp_path: Path) -> None:
    number = build_suite(rules, tmp_path)
    [result] = verify_files([tmp_path / f"{rules}.certificates.jsonl"])

    assert result.is_accepted, result.message
    assert result.facts["certificates"] == number
    published = sums_in(FOLDER)
    for name, digest in sums_in(tmp_path).items():
        assert sha256((tmp_path / name).read_bytes()).hexdigest() == digest
        assert published.get(name, digest) == digest


def test_unknown_rules_are_refused() -> None:
    with pytest.raises(ArgumentError, match="rules 'tokyo': unknown, expected one of riichi"):
        read_hands("tokyo")


# The lines of the guide in a program whose engine answers 0 to each question about shanten.
PROGRAMS = {
    "js": ("node", "run.js", "function shanten(hand, called) { return 0; }\n{}"),
    "go": (
        "go run",
        "run.go",
        'package main\nimport ("encoding/csv"; "fmt"; "os"; "strconv")\n'
        "func shanten(hand string, called int) int { return 0 }\nfunc main() {\n{}}\n",
    ),
    "rust": (
        "rustc -o run",
        "run.rs",
        "fn shanten(_hand: &str, _called: i32) -> i32 { 0 }\nfn main() {\n{}}\n",
    ),
    "java": (
        "java",
        "Run.java",
        "import java.nio.file.*;\nclass Run {\n"
        "static int shanten(String hand, int called) { return 0; }\n"
        "public static void main(String[] words) throws Exception {\n{}}}\n",
    ),
    "text": (sys.executable, "run.py", "def shanten(hand, called): return 0\n{}"),
}


@pytest.mark.parametrize("language", PROGRAMS)
def test_lines_of_the_guide_find_wrong_answers(language: str, tmp_path: Path) -> None:
    command, name, frame = PROGRAMS[language]
    if shutil.which(command.split()[0]) is None:
        pytest.skip(f"needs {command.split()[0]}")
    code = re.search(rf"```{language}\n(.*?)```", GUIDE.read_text(), re.DOTALL)[1]
    (tmp_path / name).write_text(frame.replace("{}", code))
    for source in FOLDER.glob("riichi.*"):
        shutil.copy(source, tmp_path)
    home = {"GOCACHE": str(tmp_path / "cache"), "GO111MODULE": "off"}
    words = {"cwd": tmp_path, "capture_output": True, "text": True, "env": os.environ | home}
    ran = subprocess.run([*command.split(), name], check=True, **words)
    if "-o" in command:
        ran = subprocess.run([tmp_path / "run"], check=True, **words)

    wrong = [row for row in rows_of("riichi") if row["shanten"]]
    assert [line.split()[0] for line in ran.stdout.splitlines()] == [row["hand"] for row in wrong]
