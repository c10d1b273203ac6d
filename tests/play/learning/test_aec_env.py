"""The PettingZoo environment: PettingZoo's own tests, observations, rewards, errors."""

import warnings

import numpy as np
import pytest

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, seed_test

from mjopt.errors import MjoptError
from mjopt.play import env
from mjopt.play.game import get_game_rules, view_of
from mjopt.play.learning.aec_env import AGENTS
from mjopt.play.learning.config import Configuration
from mjopt.play.learning.planes import encode_view


def random_action(observation: dict, rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(observation["action_mask"])))


@pytest.mark.parametrize("rules", ["jj", "gmjbg", "m0", "jj,ready=0"])
def test_pettingzoo_accepts_it(rules: str) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Observation")  # a dictionary with the mask
        api_test(env(rules), num_cycles=300)
    seed_test(lambda: env(rules), num_cycles=60)


@pytest.mark.parametrize("rules", ["jj", "gmjbg"])
def test_whole_hands_end_with_the_scores(rules: str) -> None:
    hand, rng, config = env(rules), np.random.default_rng(3), Configuration(rules=rules)
    for seed in range(8):
        hand.reset(seed=seed)
        rewards = dict.fromkeys(AGENTS, 0)
        for agent in hand.agent_iter():
            observation, reward, is_over, _, _ = hand.last()
            rewards[agent] += reward
            if is_over:
                hand.step(None)
                continue
            state = hand.unwrapped.state_of_game
            view = view_of(state, AGENTS.index(agent))
            assert (observation["observation"] == encode_view(view, config)).all()
            for other in AGENTS:
                if other != agent:
                    assert not hand.observe(other)["action_mask"].any()
            hand.step(random_action(observation, rng))
        outcome = hand.unwrapped.state_of_game.outcome
        assert tuple(rewards.values()) == outcome.scores


def test_same_seed_same_hand_and_the_next_hand_differs() -> None:
    hand, again = env("m0"), env("m0")
    for each in (hand, again):
        each.reset(seed=5)
    first = hand.observe("player_0")["observation"]
    assert (first == again.observe("player_0")["observation"]).all()
    hand.reset()
    assert (hand.observe("player_0")["observation"] != first).any()


def test_illegal_action_ends_the_hand_with_a_penalty() -> None:
    hand = env("m0")
    hand.reset(seed=1)
    mask = hand.observe("player_0")["action_mask"]
    hand.step(int(np.flatnonzero(mask == 0)[0]))
    assert hand.rewards["player_0"] == -1
    assert all(hand.terminations.values())


def test_text_shows_visible_tiles_only() -> None:
    hand = env("gmjbg", render_mode="ansi")
    hand.reset(seed=2)
    held = view_of(hand.unwrapped.state_of_game, 0).as_hand().to_text()
    assert hand.render().splitlines()[-1] == f"player_0 holds {held}"
    assert len(hand.render().splitlines()) == 5


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"rules": "riichi"}, "riichi"),
        ({"declare": "always"}, "always"),
        ({"render_mode": "human"}, "render_mode 'human', expected 'ansi' or None"),
    ],
)
def test_bad_arguments_are_one_line(how: dict, message: str) -> None:
    with pytest.raises(MjoptError, match=message):
        env(**how)


@pytest.mark.parametrize("seed", [-1, 0.5, "x"])
def test_bad_seed_is_one_line(seed: object) -> None:
    with pytest.raises(MjoptError, match="expected 0, 1, 2"):
        env("m0").reset(seed=seed)


def test_every_rule_set_has_its_kinds() -> None:
    for name in ("jj", "gmjbg", "m0"):
        space = env(name).observation_space("player_0")["observation"]
        assert space.shape == (118, get_game_rules(name).tiles.num_kinds)
