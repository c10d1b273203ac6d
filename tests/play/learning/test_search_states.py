"""The search over states of the engine, compared with exhaustive search."""

from typing import Any

import numpy as np
import pytest
from helpers.table_model import FULL, KINDS
from reference_implementations.exhaustive_game import Solver

from mjopt.errors import ArgumentError
from mjopt.play.game.engine import forfeit, legal_moves, start, step
from mjopt.play.game.rules import JJ
from mjopt.play.game.state import State
from mjopt.play.game.wall import shuffle_wall
from mjopt.play.learning.actions import legal_numbers, transition_number
from mjopt.play.learning.env import toy_state
from mjopt.play.learning.mcts import search_states
from mjopt.play.learning.mcts_config import SearchSettings

SOLVER = Solver()
EVEN = np.full(FULL, 1 / 16, np.float32)
EVEN[48 * KINDS :] = 1.0  # moves with one channel


class Judge:
    """A model with equal priors and exact values, or none; planes are the number of a state."""

    def __init__(self, *, is_exact: bool = True) -> None:
        self.states: list[State] = []
        self.is_exact = is_exact
        self.most = 0

    def encode(self, state: State, seat: int, _rng: Any) -> Any:
        assert seat == state.to_move
        self.states.append(state)
        return np.array([len(self.states) - 1])

    def start(self, planes: Any) -> Any:
        self.most = max(self.most, len(planes))
        values = np.zeros((len(planes), 4), np.float32)
        for row, number in enumerate(planes[:, 0] if self.is_exact else ()):
            state = self.states[number]
            worth, seat = SOLVER.worth(state), state.pending[0][0]
            values[row] = [worth[(seat + i) % 4] for i in range(4)]
        return None, np.tile(EVEN, (len(planes), 1)), values

    def follow(self, *_: Any) -> Any:
        raise AssertionError("the engine gives the states")


def numbers_of(state: State) -> dict[int, Any]:
    return legal_numbers(legal_moves(state), tile=state.table.tile, drawn=state.drawn, kinds=KINDS)


def deciding(count: int, wall: int = 4) -> list[State]:
    """Return states of toy games with a unique best move, including claims."""
    states, game = [], 0
    rng = np.random.default_rng(1)
    while len(states) < count:
        state, game = toy_state(3, game, wall=wall), game + 1
        while not state.is_over and len(states) < count:
            if state.table.live <= 2 and SOLVER.best(state):
                states.append(state)
            state = step(state, legal_moves(state)[int(rng.integers(len(legal_moves(state))))])
    return states


@pytest.mark.parametrize("root", ["puct", "gumbel"])
def test_exact_values_give_the_best_move(root: str) -> None:
    states, judge = deciding(30), Judge()
    assert len({state.table.phase for state in states}) > 1

    result = search_states(
        judge,
        states,
        encode=judge.encode,
        settings=SearchSettings(simulations=40, root=root),
        rng=np.random.default_rng(2),
    )

    assert judge.most <= 30  # all games in one call
    for state, chosen, small in zip(states, result.chosen, result.small_visits, strict=True):
        numbers = numbers_of(state)
        assert numbers[int(chosen)] in (SOLVER.best(state) or ())
        assert set(np.flatnonzero(small).tolist()) <= set(numbers)
        assert small.sum() == 40


def test_results_of_finished_games_are_enough() -> None:
    states, judge = deciding(8), Judge(is_exact=False)
    few, many = (
        search_states(
            judge,
            states,
            encode=judge.encode,
            settings=SearchSettings(simulations=simulations),
            rng=np.random.default_rng(2),
        )
        for simulations in (1, 400)
    )

    def right(result: Any) -> int:
        return sum(
            numbers_of(state)[int(chosen)] in (SOLVER.best(state) or ())
            for state, chosen in zip(states, result.chosen, strict=True)
        )

    assert right(few) < right(many) == len(states)


def test_visits_have_the_numbers_of_actual_transitions() -> None:
    states, judge = deciding(6), Judge()

    result = search_states(
        judge,
        states,
        encode=judge.encode,
        settings=SearchSettings(simulations=12, noise=0.3),
        rng=np.random.default_rng(2),
    )

    for row, state in enumerate(states):
        for small, move in numbers_of(state).items():
            full = transition_number(state, move, step(state, move))
            assert result.visits[row, full] == result.small_visits[row, small]
        assert result.visits[row].sum() == 12
        assert result.policy[row] == pytest.approx(result.visits[row] / 12)


def test_search_does_not_depend_on_other_games() -> None:
    states, settings = deciding(5), SearchSettings(simulations=15, noise=0.3)

    def searched(some: list[int]) -> Any:
        judge = Judge(is_exact=False)
        return search_states(
            judge,
            [states[game] for game in some],
            encode=judge.encode,
            settings=settings,
            rng=[np.random.default_rng(game) for game in some],
        )

    every = searched([0, 1, 2, 3, 4])
    for game in range(5):
        assert np.array_equal(searched([game]).visits[0], every.visits[game])


def test_finished_games_and_unordered_walls_are_refused() -> None:
    judge, settings = Judge(), SearchSettings(simulations=2)
    state = start(JJ, shuffle_wall(1, 0, JJ.tiles))
    wall, rng = shuffle_wall(1, 0, JJ.tiles), np.random.default_rng(1)
    unordered = start(JJ, wall, unordered=True, rng=rng)
    for states in ([forfeit(state, 0)], [unordered]):
        with pytest.raises(ArgumentError, match="unfinished games with ordered walls"):
            search_states(
                judge,
                states,
                encode=judge.encode,
                settings=settings,
                rng=np.random.default_rng(1),
            )
    with pytest.raises(ArgumentError, match="no states to search"):
        search_states(
            judge, [], encode=judge.encode, settings=settings, rng=np.random.default_rng(1)
        )
