"""`mjopt mjai` as a program: lines in, lines out, and how it ends."""

import json
import signal
import subprocess
import sys

import pytest
from cli.conftest import Call
from helpers.waits import LONG

START = '{"type":"start_game","id":0}\n'
DEAL = json.dumps(
    {
        "type": "start_kyoku",
        "bakaze": "E",
        "kyoku": 1,
        "honba": 0,
        "kyotaku": 0,
        "oya": 0,
        "dora_marker": "1p",
        "scores": [25_000] * 4,
        "tehais": [
            ["E", "S", "W", "N", "P", "F", "C", "1m", "4m", "7m", "2p", "5pr", "8p"],
            *[["?"] * 13] * 3,
        ],
    }
)
DRAW = '{"type":"tsumo","actor":0,"pai":"3s"}'


@pytest.fixture
def feed(mjopt):
    def run(text, *words):
        return mjopt("mjai", *words, stdin=text)

    return run


def test_each_line_is_answered_until_the_input_ends(feed):
    ran = feed(f"{START}\n[{DEAL},{DRAW}]\n", "l1")
    assert (ran.status, ran.err) == (0, "")
    none, action = map(json.loads, ran.out.splitlines())
    assert none == {"type": "none"}
    assert (action["type"], action["actor"]) == ("dahai", 0)


def test_closed_input_ends_cleanly(feed):
    assert feed("", "l1") == (0, "", "")
    assert feed(f"{START}[{DEAL},{DRAW}]", "l1").status == 0  # without the last line feed


@pytest.mark.parametrize("agent", ["random", "deficiency:ties=random"])
def test_same_seed_gives_the_same_answers(feed, agent):
    texts = {}
    for seed in ("1", "1", "2", "3", "4", "5"):
        texts.setdefault(seed, set()).add(
            feed(f"{START}[{DEAL},{DRAW}]", agent, "--seed", seed).out
        )
    assert all(len(outputs) == 1 for outputs in texts.values())
    assert len(set.union(*texts.values())) > 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{\n", "mjopt: line 1: '{' is not JSON: "),
        (f"{START}\n[]\n{DRAW}\n", "mjopt: line 4: draw before the first start_kyoku: {'type'"),
        (
            f"{START}{DEAL}\n{DRAW}\n{DRAW}\n",
            "mjopt: line 4: East 1, turn 1: seat 0 draw 3s out of",
        ),
        (b'{"type":"\xff"}\n', "mjopt: line 1: not UTF-8 text at byte 9"),
        (b"[" * (1 << 20), "mjopt: line 1: more than 1,048,576 bytes without an end of line"),
        ("[" * 100_000 + "\n", "mjopt: line 1: '["),
        ('{"type":"x\\u001b[2J"}\n', "mjopt: line 1: x\\x1b[2J before start_game: {'type': "),
    ],
)
def test_bad_line_ends_the_program_with_one_line(feed, text, expected):
    ran = feed(text, "l1")
    assert ran.status == 2
    assert ran.err.startswith(expected)
    assert len(ran.err.splitlines()) == 1
    assert len(ran.err) < 500
    assert all(json.loads(line) for line in ran.out.splitlines())


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_signal_ends_the_program_with_one_line(number, status):
    program = subprocess.Popen(
        [sys.executable, "-m", "mjopt", "mjai", "l1"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert program.stdin is not None
    assert program.stdout is not None
    program.stdin.write(START)
    program.stdin.flush()
    assert program.stdout.readline() == '{"type":"none"}\n'
    program.send_signal(number)
    out, err = program.communicate(timeout=LONG)
    assert (program.returncode, out, err) == (status, "", "mjopt: stopped after 1 lines\n")


def test_help_has_an_example(mjopt: Call):
    text = mjopt("mjai", "--help").out
    assert "mjopt mjai l3" in text
    assert "--no-riichi" in text


def test_a_byte_order_mark_is_skipped(feed):
    ran = feed(f"\ufeff{START}".encode(), "l1")
    assert (ran.status, ran.out, ran.err) == (0, '{"type":"none"}\n', "")


def test_agent_that_cannot_play_names_the_rules_that_it_can_play(mjopt: Call) -> None:
    ran = mjopt("mjai", "rollout")
    message = "rollout: rules riichi, expected jj or m0, of 108 tiles"
    assert (ran.status, ran.err) == (
        2,
        f"mjopt: mjai tables have riichi rules and 136 tiles: {message}\n",
    )
