"""The agent `normal:FILE`: choices, names, weights and errors."""

import json
import pickle
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from helpers.learning_states import RULES, TINY, normal_file, random_steps

from mjopt.errors import ArgumentError, FileError, GameError
from mjopt.play import battle
from mjopt.play.game import (
    GMJBG,
    JJ,
    Action,
    Move,
    get_game_rules,
    legal_moves,
    shuffle_wall,
    start,
    step,
    view_of,
)
from mjopt.play.game.agents import read_agent
from mjopt.play.game.agents.registry import check_agents, code_of
from mjopt.play.learning import weights
from mjopt.play.learning.actions import legal_numbers
from mjopt.play.learning.agents import NormalAgent
from mjopt.play.learning.planes import encode_view
from mjopt.play.learning.weights import initial_arrays


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return normal_file(tmp_path_factory.mktemp("weights") / "w.npz")


@pytest.fixture(scope="module")
def agent(file):
    return NormalAgent.from_text(str(file))


def test_chooses_the_most_probable_legal_move(agent):
    overruled = 0
    for state, _, _ in random_steps(RULES, 6, 3):
        view, moves = view_of(state, state.to_move), legal_moves(state)
        logits = agent.network.logits(encode_view(view, TINY))
        legal = legal_numbers(moves, tile=view.tile, drawn=view.drawn, kinds=27)
        expected = legal[max(legal, key=lambda number: logits[number])]
        assert agent.choose(view, moves, rng=None) == expected
        overruled += int(logits.argmax()) not in legal
    assert overruled  # the mask had an effect


def test_training_folder_means_its_weights(tmp_path, agent):
    with pytest.raises(FileError, match=r"weights\.npz: No such file"):
        NormalAgent.from_text(str(tmp_path))
    normal_file(tmp_path / "weights.npz")
    assert NormalAgent.from_text(str(tmp_path)).weights_digest == agent.weights_digest


def test_ties_are_broken_by_the_generator(tmp_path):
    arrays = initial_arrays(TINY, "normal", np.random.default_rng(1))
    zero = {name: np.zeros_like(array) for name, array in arrays.items()}
    weights.save(tmp_path / "zero.npz", TINY, zero)
    agent = NormalAgent.from_text(str(tmp_path / "zero.npz"))
    state = random_steps(RULES, 1, 1)[0][0]
    view, moves = view_of(state, state.to_move), legal_moves(state)
    chosen = [agent.choose(view, moves, rng=np.random.default_rng(seed)) for seed in range(60)]
    assert len(set(chosen)) > 5
    assert chosen[7] == agent.choose(view, moves, rng=np.random.default_rng(7))


@pytest.mark.parametrize("declare", ["never", "auto"])
def test_declares_only_if_configured(declare, tmp_path):
    config = replace(TINY, declare=declare)
    agent = NormalAgent.from_text(str(normal_file(tmp_path / "w.npz", config)))
    could = did = 0
    for state, _, _ in random_steps(JJ, 20, 9):
        moves = legal_moves(state)
        if Move(Action.READY, moves[-1].kind) != moves[-1]:
            continue
        move = agent.choose(view_of(state, state.to_move), moves, rng=np.random.default_rng(1))
        could += 1
        did += move.action is Action.READY
    assert could
    assert bool(did) == (declare == "auto")


def test_other_rules_are_refused_before_the_game(file, agent):
    agent.check_rules(JJ)  # declarations are allowed
    with pytest.raises(ArgumentError, match="for jj, not for gmjbg, expected rules jj"):
        check_agents([f"normal:{file}"], rules=GMJBG)
    with pytest.raises(ArgumentError, match="not for gmjbg"):
        battle([f"mine=normal:{file}", "l1", "l1", "l1"], rules="gmjbg", games=1)


def test_battles_are_equal_for_one_and_two_jobs(file):
    agents = [f"normal:{file}", "l1", "random", "first"]
    one, two = (battle(agents, rules="jj", seed=3, games=5, rounds=1, jobs=jobs) for jobs in (1, 2))
    assert (one.rows == two.rows).all()
    assert not one.faults
    assert len(one.rows) == 5


def test_name_is_the_file_or_an_alias(file):
    assert read_agent(f"normal:{file}").name == f"normal:{file}"
    assert read_agent(f"mine=normal:{file}").name == "mine"
    assert read_agent(f"normal=normal:{file}").name == "normal"
    with pytest.raises(GameError, match="normal is the name of another agent"):
        read_agent("normal=l1")


def test_code_version_depends_on_the_weights(file, tmp_path):
    one, same = (code_of(read_agent(f"normal:{file}")) for _ in range(2))
    other = code_of(read_agent(f"normal:{normal_file(tmp_path / 'w.npz', seed=2)}"))
    assert one == same
    assert one[0] == other[0]
    assert one[1] != other[1]
    json.dumps(one)


def test_agent_can_be_pickled(agent):
    again = pickle.loads(pickle.dumps(agent))
    assert again == agent
    planes = np.ones((118, 27), np.uint8)
    assert (again.network.logits(planes) == agent.network.logits(planes)).all()


def test_unusable_files_are_refused_in_one_line(tmp_path):
    (tmp_path / "text.npz").write_text("no weights")
    weights.save(
        tmp_path / "perfect.npz",
        TINY,
        initial_arrays(TINY, "perfect", np.random.default_rng(1)),
    )
    told = {
        "": "normal: no file, expected normal:FILE.npz",
        f"{tmp_path}/none.npz": "none.npz: No such file or directory",
        f"{tmp_path}": "Is a directory",
        f"{tmp_path}/text.npz": "text.npz: not weights of the learning agent",
        f"{tmp_path}/perfect.npz": "weights of perfect, expected those of a normal agent",
    }
    for text, expected in told.items():
        with pytest.raises(FileError if text else ArgumentError) as caught:
            read_agent(f"normal:{text}")
        if expected != "Is a directory":  # Windows has another message
            assert expected in str(caught.value)
        assert "\n" not in str(caught.value)


def test_playing_needs_no_jax(file):
    code = (
        "import sys; from mjopt.play.game.agents import read_agent;"
        f"read_agent({'normal:' + str(file)!r});"
        "sys.exit(any(name.split('.')[0] in ('jax', 'equinox', 'optax') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.usefixtures("in_tmp_path")
def test_user_class_may_not_take_its_name(tmp_path):
    (tmp_path / "bot.py").write_text(
        "class Bot:\n"
        "    name = 'normal'\n"
        "    def choose(self, view, moves, *, rng):\n"
        "        return moves[0]\n"
    )
    with pytest.raises(GameError, match=r"called normal as one of ours is: ALIAS=bot\.py:Bot"):
        read_agent("bot.py:Bot")
    assert read_agent("mine=bot.py:Bot").name == "mine"


def test_included_weights_mostly_agree_with_their_teacher():
    taught, teacher = read_agent("normal:taught"), read_agent("deficiency")
    rules, rng, alike = get_game_rules("jj,ready=0"), np.random.default_rng(1), []
    for game in range(3):
        state = start(rules, shuffle_wall(5, game, rules.tiles))
        while (seat := state.to_move) is not None:
            seen, moves = view_of(state, seat), legal_moves(state)
            move = teacher.choose(seen, moves, rng=rng)
            alike.append(taught.choose(seen, moves, rng=rng) == move)
            state = step(state, move)
    assert np.mean(alike) > 0.7
