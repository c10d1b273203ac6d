"""The toy game is learned from an exact agent's games: decisions as a look through all of it has.

It tests encoding, unrolled loss and search together, not self-play: there is one version, whose
games are the teacher's, and the network is a little wider than that of ``tiny``.
"""

from dataclasses import replace

import numpy as np
import pytest
from helpers.exhaustive_game import Solver

pytest.importorskip("mjopt.learning.networks", exc_type=ImportError)

from mjopt.game.moves import Action
from mjopt.game.stepping import legal_moves, step
from mjopt.learning.beginning import first_state
from mjopt.learning.configuration import PRESETS
from mjopt.learning.layers import initial_arrays
from mjopt.learning.networks import PerfectModel
from mjopt.learning.perfect_training import load_perfect, settings_of
from mjopt.learning.search import search
from mjopt.learning.self_play import Game, ask, meet
from mjopt.learning.training import train

CONFIG = replace(
    PRESETS["tiny"],
    channels=16,
    optimiser="adam",
    rates=(0.003, 0.001, 0.001),
    versions=1,
    steps=150,
    games=150,
    batch=64,
)
HELD_OUT = 99  # a seed that no training has


def deciding(count):
    """Positions of toy games whose moves are not all worth the same, each with their worths."""
    solver, rng, found, game = Solver(), np.random.default_rng(HELD_OUT), [], 0
    while len(found) < count:
        state, game = first_state(CONFIG, HELD_OUT, game), game + 1
        while not state.is_over:
            moves = legal_moves(state)
            if state.table.live <= 3 and len(set((worth := solver.moves(state)).values())) > 1:
                found.append((state, worth))
            state = step(state, moves[int(rng.integers(len(moves)))])
    return found[:count]


def right(model, positions):
    """How many of the decisions are worth as much as any."""
    games = [
        Game(number=number, state=state, rng=np.random.default_rng(number))
        for number, (state, _) in enumerate(positions)
    ]
    asked = ask(games, CONFIG)
    found = search(
        model,
        asked.planes,
        asked.masks,
        settings=settings_of(CONFIG, learning=False),
        rng=[game.rng for game in games],
    )
    return sum(
        worth[moves[int(number)]] == max(worth.values())
        for (_, worth), moves, number in zip(positions, asked.moves, found.chosen, strict=True)
    )


def test_trained_it_decides_as_exhaustive_search_does_far_more_often(tmp_path, monkeypatch):
    monkeypatch.setattr("mjopt.learning.curves.find_spec", lambda _: None)
    positions = deciding(100)
    wins = [one for one in positions if any(move.action is Action.WIN for move in one[1])]
    assert len(wins) >= 15
    arrays = initial_arrays(CONFIG, "perfect", np.random.default_rng([1, 0]))
    before = PerfectModel(CONFIG, arrays)
    _, after = load_perfect(train("perfect", CONFIG, tmp_path, seed=1).weights)
    assert right(after, positions) >= right(before, positions) + 20
    assert right(after, wins) > 0.5 * len(wins) > 0.25 * len(wins) > right(before, wins)
    how = settings_of(CONFIG, learning=False)
    met = meet(after, before, CONFIG, range(10), seed=HELD_OUT, settings=how)
    assert met.wins >= 5 * met.losses + 5
    assert met.points > 0
