"""The toy game, small enough for exhaustive search."""

import numpy as np
import pytest

from mjopt.errors import ArgumentError
from mjopt.hands.tiles import COPIES
from mjopt.play.game.engine import legal_moves, step
from mjopt.play.game.rules import GMJBG
from mjopt.play.game.state import Ending
from mjopt.play.learning.env import LONGEST, SHORTEST, toy_state


@pytest.mark.parametrize("wall", [SHORTEST, 6, LONGEST])
def test_toy_games_are_playable_and_conserve_tiles(wall: int) -> None:
    rng, endings = np.random.default_rng(wall), set()
    for game in range(60):
        state = toy_state(7, game, wall=wall)
        assert state.tiles_in_play() == (COPIES,) * 27
        assert [len(melds) for melds in state.table.melds] == [3] * 4
        assert state.table.live == wall - 1
        while moves := legal_moves(state):
            state = step(state, moves[int(rng.integers(len(moves)))])
            assert state.tiles_in_play() == (COPIES,) * 27
        endings.add(state.outcome.ending)  # type: ignore[union-attr]
    assert {Ending.WALL_EMPTY, Ending.DISCARD, Ending.OWN_DRAW} <= endings


def test_toy_states_depend_on_seed_and_number() -> None:
    states = [toy_state(seed, game) for seed in (1, 2) for game in range(12)]

    assert states == [toy_state(seed, game) for seed in (1, 2) for game in range(12)]
    assert len({(state.hands, state.wall) for state in states}) == 24
    assert {state.to_move for state in states} == {0, 1, 2, 3}


def test_invalid_walls_and_rules_are_refused() -> None:
    with pytest.raises(ArgumentError, match="a wall of 3 tiles, expected 4 to 12"):
        toy_state(1, 0, wall=3)
    with pytest.raises(ArgumentError, match="rules gmjbg, expected three suits of nine kinds"):
        toy_state(1, 0, rules=GMJBG)
