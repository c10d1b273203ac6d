"""The rollout agent: its options, seeds, limits and rules."""

import numpy as np
import pytest
from helpers.waits import POLL

from mjopt.cli.main import execute
from mjopt.errors import GameError
from mjopt.play import battle
from mjopt.play.game import JJ, Action, legal_moves, shuffle_wall, start, step, view_of
from mjopt.play.game.agents import DeficiencyAgent, read_agent
from mjopt.play.rollout.agent import RolloutAgent

FAST = RolloutAgent(playouts=60, candidates=3)


def rng():
    return np.random.default_rng(5)


def decisions(game, *, least=2):
    """Yield the views and moves of a game of the policy, where a seat has a choice."""
    state = start(JJ, shuffle_wall(6, game, JJ.tiles))
    while state.to_move is not None:
        view, moves = view_of(state, state.to_move), legal_moves(state)
        if len(moves) >= least:
            yield view, moves
        state = step(state, DeficiencyAgent().choose(view, moves, rng=rng()))


def test_compares_the_move_of_the_policy_with_others():
    for view, moves in decisions(1):
        options = FAST.options(view, moves, rng())
        policy = DeficiencyAgent().choose(view, moves, rng=rng())
        assert options[0] == policy
        assert set(options) <= set(moves)
        assert len(set(options)) == len(options)
        kept = {move.kind for move in options if move.action is Action.DISCARD}
        assert len(kept) <= 3
        others = {move for move in moves if move.action not in (Action.DISCARD, Action.READY)}
        assert others <= set(options)  # every win, call, kong and pass is compared


def test_takes_wins():
    won = 0
    for game in range(6):
        for view, moves in decisions(game):
            if moves[0].action is Action.WIN:
                won += 1
                agent = RolloutAgent(playouts=1500)
                assert agent.choose(view, moves, rng=rng()).action is Action.WIN
    assert won


def test_same_seed_gives_same_moves():
    for view, moves in [*decisions(2)][::4]:
        assert FAST.choose(view, moves, rng=rng()) == FAST.choose(view, moves, rng=rng())


def test_number_of_workers_does_not_matter():
    agents = ["rollout:playouts=40,candidates=2", "deficiency", "deficiency", "deficiency"]
    one, two = (battle(agents, rules="jj", games=2, seed=3, jobs=jobs) for jobs in (1, 2))
    assert (one.rows == two.rows).all()


def test_a_time_limit_stops_the_search():
    """A million playouts take many seconds, so a decision that ends has been cut."""
    agent = RolloutAgent(playouts=1_000_000, seconds=POLL)
    for view, moves in [*decisions(3)][::9]:
        assert agent.choose(view, moves, rng=rng()) in moves


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rollout:playouts=0", "playouts=0, expected 1 to 1000000"),
        ("rollout:playouts=1.5", "playouts=1.5, expected 1 to 1000000"),
        ("rollout:candidates=15", "candidates=15, expected 1 to 14"),
        ("rollout:seconds=-1", "seconds=-1, expected 0 to 3600"),
        ("rollout:seconds=nan", "seconds=nan, expected 0 to 3600"),
        ("rollout:hands=all", "hands=all, expected one of grown, uniform"),
        ("rollout:calls=never", "no option 'calls', expected playouts, candidates"),
    ],
)
def test_invalid_options_are_refused_in_one_line(text, expected):
    with pytest.raises(GameError) as caught:
        read_agent(text)
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value)


def test_name_contains_options_that_are_not_default():
    assert read_agent("rollout").name == "rollout"
    text = "rollout:hands=uniform,seconds=0.5,playouts=90"
    assert read_agent(text).name == "rollout-playouts-90-seconds-0.5-uniform"


def test_other_rules_are_refused_in_one_line(capsys):
    assert execute(["battle", "rollout", "l1", "l1", "l1", "--rules", "gmjbg", "--games", "1"]) == 2
    [line] = [line for line in capsys.readouterr().err.splitlines() if "rollout: " in line]
    assert line.endswith("rollout: rules gmjbg, expected jj or m0, of 108 tiles")
