"""The programs for engines from npm and PyPI, before stubs of the engines."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.waits import LONG

from mjopt import FULL, Hand
from tools.pages import EXAMPLES

ENGINES = EXAMPLES / "engines"

NPM_STUB = """
module.exports = (hand) => {
  if (hand[3][0] === 4) throw new Error("four of them");
  return hand[0][0] - 1;
};
module.exports.hairi = (hand) => {
  const after = { "1m": { "2m": 4 }, "9m": { "2m": 1, "3m": 3 }, "1z": { "2m": 3 } };
  const isFull = hand.flat().reduce((sum, held) => sum + held, 0) % 3 === 2;
  return { now: hand[0][0] - 1, ...(isFull ? after : { wait: { "2m": 4, "3m": 2 } }) };
};
"""

PYPI_STUB = '''
class Shoupai(str):
    """Text."""


def xiangting(hand):
    if "z1z1z1z1" in hand:
        raise ValueError("four of them")
    return len(hand)


def tingpai(hand):
    return ["m2", "s1"]
'''


def lines(*hands: tuple[str, int]) -> str:
    """Return hands as lines of the protocol."""
    return "".join(
        json.dumps({"hand": text, "counts": list(hand.counts), "called": called}) + "\n"
        for text, called in hands
        for hand in [Hand.parse(text, tiles=FULL, called=called)]
    )


def answers(command: list[str], folder: Path, text: str) -> list[object]:
    """Return what a program answers to some lines."""
    ran = subprocess.run(
        command, cwd=folder, input=text, capture_output=True, text=True, check=True, timeout=LONG
    )
    return [json.loads(line) for line in ran.stdout.splitlines()]


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
def test_a_program_in_javascript_answers_every_line(tmp_path: Path) -> None:
    shutil.copytree(ENGINES / "npm", tmp_path, dirs_exist_ok=True)
    (tmp_path / "node_modules/syanten").mkdir(parents=True)
    (tmp_path / "node_modules/syanten/index.js").write_text(NPM_STUB)
    hands = ("1112345678999m", 0), ("1199m1z", 3), ("11m", 4), ("1111z", 3), ("23m", 4)
    found = answers(["node", "syanten.mjs"], tmp_path, lines(*hands))
    useful = {"useful": ["2m", "3m"], "ukeire": 6}
    assert found == [
        {"shanten": 2, **useful},
        {"shanten": 1, "discard": ["1m", "9m"]},
        {"shanten": 1, "discard": ["1m", "9m"]},
        {"error": "four of them"},
        {"shanten": -1},
    ]
    found = answers(["node", "syanten.mjs", "shanten"], tmp_path, lines(hands[0]))
    assert found == [{"shanten": 2}]


def test_a_program_in_python_answers_every_line(tmp_path: Path) -> None:
    shutil.copytree(ENGINES / "pypi", tmp_path, dirs_exist_ok=True)
    (tmp_path / "cmajiang.py").write_text(PYPI_STUB)
    hands = ("1112345678999m", 0), ("1199m1z", 3), ("1111z", 3)
    found = answers([sys.executable, "ask_cmajiang.py"], tmp_path, lines(*hands))
    assert found == [
        {"shanten": 26, "useful": ["2m", "1s"]},
        {"shanten": 10 + 3 * 6},
        {"error": "ValueError: four of them"},
    ]
