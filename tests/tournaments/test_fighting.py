"""`mjopt.battle`: the rows of the command, with agents as text, objects and classes."""

import subprocess
import sys

import numpy as np
import pytest
from helpers.scripted_agents import Cheating

import mjopt
from mjopt.cli.main import execute
from mjopt.errors import GameError
from mjopt.game.agents import L1, RandomAgent

LEVELS = ("l1", "l3", "l1", "l2")


class Last:
    """Always the last of its moves; another process finds it in this module."""

    name = "last"

    def choose(self, view, moves, *, rng):
        return moves[-1]


def test_the_rows_are_those_of_the_command(tmp_path):
    words = (*LEVELS, "-n", "20", "--seed", "5", "-j", "1", "-q", "-o", str(tmp_path / "there"))
    assert execute(("battle", *words)) == 0
    fought = mjopt.battle(LEVELS, games=20, seed=5)
    assert (fought.rows == np.load(tmp_path / "there" / "games.npy")).all()
    kept = mjopt.battle(list(LEVELS), games=20, seed=5, folder=tmp_path / "here")
    assert (kept.rows == fought.rows).all()
    for name in ("games.npy", "plan.json"):
        here, there = tmp_path / "here" / name, tmp_path / "there" / name
        assert here.read_bytes() == there.read_bytes()
    assert [side.name for side in fought.summary.sides] == ["l1", "l3", "l2"]


def test_agents_named_in_python_play_in_several_processes():
    agents = [Last, RandomAgent(), "first", Last()]
    one, two = (mjopt.battle(agents, games=5, rules="m0", seed=3, jobs=jobs) for jobs in (1, 2))
    assert one.names == ("last", "random", "first", "last")
    assert (one.rows == two.rows).all()
    assert not one.faults + two.faults


def test_what_cannot_be_sent_is_named_before_anything_is_played():
    agents = [L1, type("Local", (Last,), {}), Last, L1]
    with pytest.raises(GameError, match=r"agent 2 \(Local\) cannot be sent to other processes \("):
        mjopt.battle(agents, games=5, jobs=2)
    assert mjopt.battle(agents, games=1).rows["fault"].sum() == 0


def test_a_class_that_stands_in_no_file_is_not_sent():
    program = (
        "import mjopt\n"
        "class Mine:\n"
        "    name = 'mine'\n"
        "    def choose(self, view, moves, *, rng):\n"
        "        return moves[0]\n"
        "try:\n"
        "    mjopt.battle(['l1', Mine, 'l1', 'l1'], games=9, jobs=2)\n"
        "except mjopt.MjoptError as error:\n"
        "    print(error)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ran.stdout == (
        "agent 2 (Mine) cannot be sent to other processes (its class is made here, in no file): "
        "put its class in a module that can be imported, or jobs=1\n"
    )


@pytest.mark.parametrize(
    ("agents", "error", "words"),
    [
        ("l1", TypeError, "agents: 'l1', expected a list of four agents"),
        (["l1"] * 3, GameError, "3 agents, expected 4"),
        (["l1", 7, "l1", "l1"], GameError, "agent 2: 7 has no method 'choose'"),
        (["l1", "l4", "l1", "l1"], GameError, "unknown agent 'l4'"),
    ],
)
def test_what_is_no_battle(agents, error, words):
    with pytest.raises(error, match=words):
        mjopt.battle(agents)


def test_a_bad_agent_is_told(tmp_path):
    fought = mjopt.battle([Cheating(), "l1", "l1", "l1"], games=2, folder=tmp_path)
    assert len(fought.faults) == 8
    assert "Cheating" in (tmp_path / "plan.json").read_text()
