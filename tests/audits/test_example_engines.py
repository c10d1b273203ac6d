"""The engines in examples/engines answer as mjopt does, those whose compiler is installed."""

import json
import random
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from helpers.support import AWKWARD, deal

import mjopt
from mjopt import FULL, Hand
from mjopt.analysis.useful_rows import drawn_kinds
from mjopt.hands.rules.rule_file import get_rules
from tools.pages import DOCS, EXAMPLES

FOLDER = EXAMPLES / "engines"
FAULTY = Path(__file__).with_name("faulty_engine.js")

# By language: the file, the command that builds it, and the one that runs it.
COMMANDS = {
    "python": ("engine.py", [], [sys.executable, "{file}"]),
    "javascript": ("engine.js", [], ["node", "{file}"]),
    "go": ("engine.go", ["go", "build", "-o", "{out}", "{file}"], ["{out}"]),
    "rust": ("engine.rs", ["rustc", "-o", "{out}", "{file}"], ["{out}"]),
    "java": ("Engine.java", [], ["java", "{file}"]),
    "csharp": ("Engine.cs", ["mcs", "-out:{out}", "{file}"], ["mono", "{out}"]),
}

SPECIAL = (
    "1111m2233p4455s66z",  # seven pairs need seven kinds
    "1133557799m1133p",
    "19m19p19s12345677z",
    "19m19p19s1234567z",
    "1111m234567p789s",  # no tile completes the eye but with a fifth copy
    "123m456p789s1234z",
    "123m456p789s1122z",
)


@cache
def example_hands() -> tuple[Hand, ...]:
    """Return awkward hands and random ones of every size and number of called melds."""
    rng = random.Random(58)
    texts = (*SPECIAL, *(known.text for known in AWKWARD))
    sizes = [(size - 3 * called, called) for called in range(5) for size in (13, 14)]
    return (
        *(Hand.parse(text, tiles=FULL) for text in texts),
        *(
            deal(rng, FULL, size=size, called=called, num_kinds=kinds)
            for size, called in sizes
            for kinds in (None, max(5, size // 2))
        ),
    )


def request(hand: Hand) -> str:
    return f"{hand.to_text()} {hand.called}"


def right_answer(hand: Hand) -> str:
    """Return win, shanten, useful tiles and their copies, as the engines write them."""
    shanten = mjopt.shanten(hand)
    rows = np.array([hand.counts], np.uint8)
    [useful] = drawn_kinds(rows, get_rules("riichi"), hand.called)
    kinds = np.flatnonzero(useful)
    tiles = "".join(FULL.names[kind] for kind in kinds)
    copies = sum(4 - hand.counts[kind] for kind in kinds)
    return f"{int(shanten == -1)}\t{shanten}\t{tiles}\t{copies}"


def ask(*command: str | Path, lines: list[str]) -> list[str]:
    """Return the answers of an engine to lines."""
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    text = "".join(f"{line}\n" for line in lines)
    run = subprocess.run(command, input=text, text=True, capture_output=True, check=True)
    return run.stdout.splitlines()


@pytest.mark.parametrize("language", COMMANDS)
def test_engine_agrees_with_mjopt(language: str, tmp_path: Path) -> None:
    name, build, run = COMMANDS[language]
    paths = {"file": FOLDER / language / name, "out": tmp_path / "engine.exe"}
    build, run = ([word.format(**paths) for word in words] for words in (build, run))
    if build:
        ask(*build, lines=[])
    hands = example_hands()
    answers = ask(*run, lines=[request(hand) for hand in hands])
    assert dict(zip(hands, answers, strict=True)) == {hand: right_answer(hand) for hand in hands}


def test_languages_are_those_of_the_examples() -> None:
    folders = {path.name for path in FOLDER.iterdir() if path.is_dir()}
    assert set(COMMANDS) == folders - {"npm", "pypi"}  # engines of others, not examples


def test_json_answers_equal_those_in_text() -> None:
    hands = example_hands()
    lines = [
        json.dumps({"hand": hand.to_text(), "counts": hand.counts, "called": hand.called})
        for hand in hands
    ]
    answers = ask("node", FOLDER / "javascript" / "engine.js", "--json", lines=lines)
    for hand, line in zip(hands, answers, strict=True):
        answer = json.loads(line)
        cells = [int(answer["win"]), answer["shanten"], "".join(answer["useful"]), answer["ukeire"]]
        assert "\t".join(map(str, cells)) == right_answer(hand)


def test_exchanges_on_the_page_are_those_of_the_engines() -> None:
    page = (DOCS / "reference" / "engines.md").read_text(encoding="utf-8")
    [exchange] = re.findall(r"^```json\n(\{.*\})\n(\{.*\})\n```$", page, re.MULTILINE)
    engine = FOLDER / "javascript" / "engine.js"
    [answer] = ask("node", engine, "--json", lines=[exchange[0]])
    assert json.loads(answer) == json.loads(exchange[1])


@pytest.mark.parametrize(
    ("fault", "text", "answer"),
    [
        ("quads", "1111m2233p4455s66z", "1\t-1\t\t0"),
        ("fifth", "1111m234567p789s", "0\t0\t1m\t0"),
        ("honours", "123m456p789s1234z", "0\t0\t1z4z\t6"),
    ],
)
def test_faulty_engine_has_each_fault(fault: str, text: str, answer: str) -> None:
    hand = Hand.parse(text, tiles=FULL)
    assert right_answer(hand) != answer
    assert ask("node", FAULTY, fault, lines=[request(hand)]) == [answer]
    assert ask("node", FAULTY, lines=[request(hand)]) == [answer]
    other = Hand.parse("123m456p789s11222z", tiles=FULL)
    assert ask("node", FAULTY, fault, lines=[request(other)]) == [right_answer(other)]
