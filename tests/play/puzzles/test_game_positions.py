"""Positions of games: what the seat saw, with the draws that it had left."""

from itertools import pairwise

import pytest

from mjopt.play.game import GMJBG, M0_RULES, agent_stream, run_game, shuffle_wall
from mjopt.play.game.agents.registry import read_agent
from mjopt.play.game.moves import Action
from mjopt.play.game.observation import view_of
from mjopt.play.game.positions import position_of
from mjopt.play.game.record import read_record
from mjopt.play.game.replay import replay_steps
from mjopt.play.puzzles.game_positions import positions_of
from mjopt.play.review.mjopt_log import read


def play(rules, seed=3):
    """Return the record of a game."""
    agents = [read_agent(name) for name in ("l3", "l1", "l3", "l2")]
    rngs = [agent_stream(seed, 0, seat) for seat in range(4)]
    wall = shuffle_wall(seed, 0, rules.tiles)
    return run_game(agents, wall, rules=rules, rngs=rngs, seed=seed, game=0).line


@pytest.mark.parametrize("rules", [GMJBG, M0_RULES], ids=["gmjbg", "m0"])
def test_positions_are_those_of_the_observations(rules):
    line = play(rules)
    positions = [*positions_of(read(line), {0})]
    states = [state for state, _ in replay_steps(read_record(line))]
    views = [
        view_of(before, 0)
        for before, after in pairwise(states)
        if before.to_move == 0
        and any(
            (event.seat, event.action) == (0, Action.DISCARD)
            for event in after.table.events[len(before.table.events) :]
        )
    ]

    assert len(positions) > 5
    seen = [(each.hand.counts, each.hand.melds, each.wall, each.draws) for each in positions]
    known = map(position_of, views)
    assert seen == [(each.hand.counts, each.hand.melds, each.wall, each.draws) for each in known]
