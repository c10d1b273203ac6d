"""Microseconds per decision of every agent, and the time of a battle of NDDE against itself."""

import time

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import mjopt
from mjopt.play.game import (
    GMJBG,
    M0_RULES,
    GameRules,
    Move,
    View,
    legal_moves,
    shuffle_wall,
    start,
    step,
    view_of,
)
from mjopt.play.game.agents import read_agent

NDDE = "deficiency:method=ndde,population=20,generations=50"
GOAL = 50.0  # microseconds per decision of the deficiency agent
NDDE_GOAL = 600.0  # seconds for 1,000 games
GAMES = 20


def decisions(rules: GameRules) -> list[tuple[View, tuple[Move, ...]]]:
    """Return every decision of some games between deficiency agents."""
    agent, rng = read_agent("deficiency"), np.random.default_rng(1)
    found = []
    for game in range(GAMES):
        state = start(rules, shuffle_wall(1, game, rules.tiles), dealer=game % 4)
        while (seat := state.to_move) is not None:
            view, moves = view_of(state, seat), legal_moves(state)
            found.append((view, moves))
            state = step(state, agent.choose(view, moves, rng=rng))
    return found


@pytest.mark.parametrize("rules", [M0_RULES, GMJBG], ids=lambda rules: rules.name)
@pytest.mark.parametrize(
    "text", ["deficiency", "deficiency:calls=wider", "l1", "l3", "draws", NDDE, "random"]
)
def test_decision(benchmark: BenchmarkFixture, text: str, rules: GameRules) -> None:
    agent, asked = read_agent(text), decisions(rules)
    if text in ("draws", NDDE):
        asked = asked[:60]

    def decide() -> None:
        rng = np.random.default_rng(2)
        for view, moves in asked:
            agent.choose(view, moves, rng=rng)

    decide()
    begin = time.process_time()  # unaffected by other processes
    benchmark.pedantic(decide, rounds=5)
    each = (time.process_time() - begin) / 5 / len(asked)
    benchmark.extra_info["CPU microseconds a decision"] = 1e6 * each
    if text == "deficiency":
        benchmark.extra_info["goal"] = GOAL


@pytest.mark.parametrize("rules", ["m0", "gmjbg"])
def test_ndde_at_every_decision(benchmark: BenchmarkFixture, rules: str) -> None:
    settings = {"rules": rules, "seed": 1, "games": 25, "rounds": 1}
    mjopt.play.battle((NDDE,) * 4, **settings)
    begin = time.process_time()
    benchmark.pedantic(lambda: mjopt.play.battle((NDDE,) * 4, **settings), rounds=1)
    benchmark.extra_info["CPU seconds for 1,000 games"] = (
        1000 * (time.process_time() - begin) / settings["games"]
    )
    benchmark.extra_info["goal"] = NDDE_GOAL
