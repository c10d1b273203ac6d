"""Answers for one hand need no numba, and are the same without it."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from cli.conftest import Call

import mjopt as package

WAITING = "11123456m789p11s"
DRAWN = "11123456m789p118s"
HONOURS = ("123456m789p1146s1z", "--tiles", "136")

COMMANDS = [
    ("--help",),
    ("deficiency", WAITING, DRAWN, "--forms", "standard,seven_pairs"),
    ("deficiency", WAITING, "--unseen", "123m"),
    ("win", "123456789m12399p"),
    ("discards", DRAWN),
    ("discards", *HONOURS),
    ("draws", WAITING),
    ("draws", *HONOURS),
    ("draws", DRAWN, "--forms", "standard,seven_pairs", "--json"),
    ("search", DRAWN, "--seed", "1"),
    ("search", DRAWN, "--seed", "1", "--method", "ga"),
    ("search", DRAWN, "--seed", "1", "--method", "tree-search"),
    ("explain", DRAWN),
    ("targets", DRAWN),
    ("certify", DRAWN),
    ("play", "l3", "deficiency", "l1", "--seat", "4", "--seed", "7"),
]

CALLS = [
    "mjopt.useful_tiles(waiting)",
    "mjopt.useful_tiles(waiting, unseen=[1] * 27)",
    "[row.kind for row in mjopt.discards(drawn, forms=('standard', 'seven_pairs'))]",
    "mjopt.deficiency(drawn, unseen=[1] * 27), mjopt.is_win(drawn)",
    "mjopt.expected_draws(waiting).mean, len(mjopt.rank_discards(drawn))",
    "mjopt.label([drawn.counts] * 9).tolist()",
    "mjopt.certify(drawn).certified, mjopt.targets(drawn).number",
    "mjopt.heuristics.run('ndde', drawn, rng=np.random.default_rng(1)).value",
]

NAMES = {
    "mjopt": package,
    "np": np,
    "waiting": package.Hand.parse(WAITING),
    "drawn": package.Hand.parse(DRAWN),
}

RUN = """
import contextlib, io, json, sys

for name in sys.argv[1].split(","):
    sys.modules[name] = None  # an import fails

import numpy as np
import mjopt
from mjopt.cli.main import execute

commands, calls, results = *json.load(sys.stdin), []
for words in commands:
    sys.stdin = io.StringIO()
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = execute(words)
        out.flush(), err.flush()
    results.append([status, out.buffer.getvalue().decode(), err.buffer.getvalue().decode()])
waiting, drawn = (mjopt.Hand.parse(text) for text in ("11123456m789p11s", "11123456m789p118s"))
for call in calls:
    results.append(str(eval(call)))
print(json.dumps(results))
"""


def run_without(missing: str, folder: Path) -> list[object]:
    ran = subprocess.run(
        [sys.executable, "-c", RUN, missing],
        input=json.dumps([COMMANDS, CALLS]),
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
    )
    assert ran.returncode == 0, ran.stderr
    results: list[object] = json.loads(ran.stdout)
    return results


@pytest.fixture(scope="module")
def results_without_numba(tmp_path_factory: pytest.TempPathFactory) -> list[object]:
    return run_without("numba,llvmlite,scipy,pandas,matplotlib", tmp_path_factory.mktemp("one"))


@pytest.mark.parametrize("number", range(len(COMMANDS)), ids=lambda number: COMMANDS[number][0])
def test_command_runs_without_numba(
    number: int, results_without_numba: list[object], mjopt: Call
) -> None:
    words, (status, out, err) = COMMANDS[number], results_without_numba[number]  # type: ignore[misc]
    assert status == 0, err
    assert out
    assert "broke the game" not in out
    if words[0] in ("discards", "draws", "search"):
        assert mjopt(*words) == (status, out, err)  # with kernels, as in all tests


def test_calls_run_without_numba(results_without_numba: list[object]) -> None:
    assert results_without_numba[-len(CALLS) :] == [str(eval(call, NAMES)) for call in CALLS]
