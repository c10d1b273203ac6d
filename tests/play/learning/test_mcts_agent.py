"""The agent `mcts:FILE`: play with perfect information, options and errors."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.learning_states import RULES, perfect_file, random_steps
from helpers.waits import LONG

from mjopt.cli.main import execute
from mjopt.errors import ArgumentError, FileError, GameError
from mjopt.play import battle, league
from mjopt.play.game import agent_stream, legal_moves, run_game, shuffle_wall, view_of
from mjopt.play.game.agents import FirstLegal, read_agent
from mjopt.play.game.agents.registry import code_of
from mjopt.play.game.agents.timeout import with_time_limit
from mjopt.play.game.play import decide
from mjopt.play.game.state import State
from mjopt.play.game.table import GameTable

pytest.importorskip("jax")

REFUSAL = "sees all tiles, expected others without it"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return perfect_file(tmp_path_factory.mktemp("weights") / "w.npz")


@pytest.fixture(scope="module")
def text(file: Path) -> str:
    return f"mcts:{file}"


def choose(agent: Any, state: State, seat: int, seed: int) -> object:
    """Return the decision of an agent at a table with that state."""
    return decide(agent, GameTable(state), seat, np.random.default_rng(seed))


@pytest.mark.parametrize("options", ["", ",states=real", ",root=gumbel,simulations=6"])
def test_plays_legally_and_reproducibly(text: str, options: str) -> None:
    agent = read_agent(text + options, perfect_information=True)
    for number, (state, _, _) in enumerate(random_steps(RULES, 1, 4)):
        if number % 5:
            continue
        seat = state.pending[0][0]
        one, other = (choose(agent, state, seat, number) for _ in range(2))
        assert one == other
        assert one in legal_moves(state)


def test_choices_depend_on_hidden_tiles(text: str) -> None:
    agent = read_agent(text, perfect_information=True)
    changed = 0
    for state, _, _ in list(random_steps(RULES, 2, 5))[::6]:
        seat = state.pending[0][0]
        other = replace(state, wall=(*state.wall[: state.front], *state.wall[state.front :][::-1]))
        if len(legal_moves(state)) > 1:
            one, two = (choose(agent, s, seat, 1) for s in (state, other))
            changed += one != two
    assert changed


def test_battles_with_perfect_information_are_equal_for_all_options(text: str) -> None:
    agents = (f"seer={text}", "random", "first", "random")
    one, two, timed = (
        battle(agents, rules="jj", games=2, rounds=1, perfect_information=True, **options)
        for options in ({}, {"jobs": 2}, {"time_limit": LONG})
    )

    assert not one.faults
    assert not timed.faults
    assert one.names[0] == "seer"
    assert (one.rows == two.rows).all()
    assert (one.rows == timed.rows).all()


def test_agent_is_refused_without_perfect_information(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    agent = read_agent(text, perfect_information=True)
    wall = shuffle_wall(1, 0, RULES.tiles)
    rngs = [agent_stream(1, 0, seat) for seat in range(4)]
    for call in (
        lambda: read_agent(text),
        lambda: read_agent(f"seer={text}"),
        lambda: battle([text, "l1", "l1", "l1"], rules="jj", games=1),
        lambda: battle([agent, "l1", "l1", "l1"], rules="jj", games=1),
        lambda: league([text, "l1"], games=4, rules="jj"),
        lambda: run_game([FirstLegal()] * 3 + [agent], wall, rules=RULES, rngs=rngs),
        lambda: run_game(
            [with_time_limit(agent, LONG)] + [FirstLegal()] * 3, wall, rules=RULES, rngs=rngs
        ),
    ):
        with pytest.raises(GameError, match=REFUSAL):
            call()
    for words in (["play", text, "l1", "l1"], ["battle", text, "l1", "l1", "l1", "--rules", "jj"]):
        assert execute(words) == 2
        message = capsys.readouterr().err.strip()
        assert REFUSAL in message
        assert "\n" not in message
    state = next(iter(random_steps(RULES, 1, 4)))[0]
    choose(agent, state, 0, 1)  # a state is shown for one decision
    with pytest.raises(ArgumentError, match="sees all tiles, but no state was shown to it"):
        agent.choose(view_of(state, 0), legal_moves(state), rng=np.random.default_rng(1))


def test_options_and_names(text: str, file: Path) -> None:
    assert read_agent(text, perfect_information=True).name == f"mcts:{file}-puct-4"
    plain = read_agent(f"{text},simulations=none,root=none", perfect_information=True)
    assert plain.name == f"mcts:{file}-puct-4"
    made = read_agent(f"{text},simulations=9,root=gumbel,states=real", perfect_information=True)
    assert made.name == f"mcts:{file}-gumbel-9-real"
    assert code_of(made)[1] == code_of(read_agent(text, perfect_information=True))[1]
    for options, said in (
        ("simulations=0", "simulations 0, expected a whole number of at least 1"),
        ("root=ucb", "root 'ucb', expected puct or gumbel"),
        ("states=all", "mcts: states=all, expected one of learned, real"),
        ("depth=3", "mcts has no option 'depth', expected simulations, root or states"),
        ("fast", "'fast', expected NAME=VALUE"),
    ):
        with pytest.raises(ArgumentError) as caught:
            read_agent(f"{text},{options}", perfect_information=True)
        assert said in str(caught.value)


def test_missing_weights_and_other_rules_are_refused(text: str, tmp_path: Path) -> None:
    for name, said in (("none.npz", "No such file"), ("", "no file, expected mcts:FILE.npz")):
        with pytest.raises(FileError if name else ArgumentError, match=said):
            read_agent(f"mcts:{tmp_path / name if name else ''}", perfect_information=True)
    with pytest.raises(ArgumentError, match="was trained for jj, not for gmjbg"):
        battle([text, "l1", "l1", "l1"], rules="gmjbg", games=1, perfect_information=True)


def test_refused_agent_loads_neither_jax_nor_numba(text: str) -> None:
    code = (
        "import sys; from mjopt.play.game.agents import read_agent\n"
        f"try: read_agent({text!r})\n"
        "except Exception: pass\n"
        "sys.exit(any(name in sys.modules for name in ('jax', 'numba')) or 3)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 3
