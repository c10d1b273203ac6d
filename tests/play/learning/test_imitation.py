"""Games of an exact teacher with all discards that it rates best."""

from dataclasses import replace

import numpy as np
import pytest

from mjopt.errors import GameError
from mjopt.play.game.agents.registry import read_agent
from mjopt.play.game.engine import legal_moves, step
from mjopt.play.game.moves import Action
from mjopt.play.game.observation import view_of
from mjopt.play.game.wall import agent_stream
from mjopt.play.learning.actions import small_number
from mjopt.play.learning.config import PRESETS
from mjopt.play.learning.env import initial_state
from mjopt.play.learning.imitation import Teacher, play_teacher_games

CONFIG = PRESETS["small"]
GAMES = (0, 1)


@pytest.fixture(scope="module", params=["deficiency", "draws"])
def name(request):
    return request.param


@pytest.fixture(scope="module")
def samples(name):
    return play_teacher_games(Teacher.from_text(name), CONFIG, GAMES, seed=4)


def decisions(name):
    """Yield the decisions of the same games played by the agent itself."""
    agent = read_agent(name)
    for game in GAMES:
        state = initial_state(CONFIG, 4, game)
        rngs = [agent_stream(4, game, seat) for seat in range(4)]
        while (seat := state.to_move) is not None:
            view = view_of(state, seat)
            move = agent.choose(view, legal_moves(state), rng=rngs[seat])
            yield state, view, move, agent
            state = step(state, move)


def test_policies_are_the_best_moves_of_the_agent(name, samples):
    rows = np.arange(len(samples))
    policies, masks = samples.policies_of(rows), samples.masks_of(rows)
    assert not (policies * ~masks).any()
    number = 0
    for number, (state, view, move, agent) in enumerate(decisions(name), 1):
        told = {"tile": state.table.tile, "drawn": state.drawn, "kinds": 27}
        policy = policies[number - 1]
        assert samples.actions[number - 1] == small_number(move, **told)
        good = {samples.actions[number - 1]}
        if move.action is Action.DISCARD:
            kinds = [one.kind for one in legal_moves(state) if one.action is Action.DISCARD]
            rated = agent.rate_discards(view, view.hand, view.called, kinds, None)
            good = {kind for kind in kinds if rated[kind] == min(rated.values())}
        assert set(np.flatnonzero(policy)) == good
        assert policy.max() == pytest.approx(1 / len(good))
    assert number == len(samples) > 50


def test_some_policies_have_several_moves():
    samples = play_teacher_games(Teacher.from_text("deficiency"), CONFIG, range(4), seed=4)
    assert (np.diff(samples.starts) > 1).any()


def test_games_depend_only_on_seed_and_number():
    teacher = Teacher.from_text("deficiency")
    both, alone = (play_teacher_games(teacher, CONFIG, games, seed=4) for games in ([0, 1], [1]))
    assert both.actions[both.games == 1].tolist() == alone.actions.tolist()
    other = play_teacher_games(teacher, CONFIG, [1], seed=5)
    assert other.actions.tolist() != alone.actions.tolist()


def test_declarations_count_as_discards():
    config = replace(CONFIG, rules="jj", declare="auto")
    samples = play_teacher_games(Teacher.from_text("deficiency"), config, [0, 1], seed=4)
    rows = np.arange(len(samples))
    assert not (samples.policies_of(rows) * ~samples.masks_of(rows)).any()
    assert (samples.policies_of(rows).sum(axis=1) > 0.99).all()


@pytest.mark.parametrize(
    ("text", "says"),
    [("process:bot", "'process:bot' is another program"), ("tutor", "agent 'tutor': unknown")],
)
def test_other_programs_and_unknown_agents_are_refused(text, says):
    with pytest.raises(GameError, match=says):
        Teacher.from_text(text)


def test_agent_without_ratings_teaches_its_moves():
    teacher = Teacher.from_text("rollout:playouts=8")
    config = replace(CONFIG, rules="jj", declare="auto")
    samples = play_teacher_games(teacher, config, [0], seed=4)
    policies = samples.policies_of(np.arange(len(samples)))
    assert (policies.max(axis=1) == 1).all()
    assert (policies.argmax(axis=1) == samples.actions).all()
