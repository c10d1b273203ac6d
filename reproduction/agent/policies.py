"""Policies that answer held-out decisions: any agent, or the search of a perfect agent."""

from collections.abc import Callable, Sequence

import numpy as np

from mjopt.play.game.engine import legal_moves
from mjopt.play.game.observation import view_of
from mjopt.play.game.play import Agent
from mjopt.play.game.state import State
from mjopt.play.learning.actions import action_number
from mjopt.play.learning.config import Configuration
from mjopt.play.learning.env import current_seat
from mjopt.play.learning.mcts import search_actions
from mjopt.play.learning.mcts_config import Model, SearchSettings

Policy = Callable[[Sequence[State], Sequence[np.random.Generator]], list[int]]
"""Takes states and one generator for each; returns action numbers, 0 to 269."""


def agent_policy(agent: Agent) -> Policy:
    """Return the policy of an agent, which sees only the information of its seat."""

    def choose(state: State, rng: np.random.Generator) -> int:
        view = view_of(state, current_seat(state))
        return action_number(agent.choose(view, legal_moves(state), rng=rng), state)

    return lambda states, rngs: list(map(choose, states, rngs))


def search_policy(
    model: Model, config: Configuration, settings: SearchSettings, *, use_simulator: bool
) -> Policy:
    """Return the policy of a tree search that sees the hidden tiles in ``config.hidden``.

    The search expands states of the learned model, or of the engine with ``use_simulator``.
    """
    return lambda states, rngs: search_actions(
        model, states, config, settings=settings, rngs=rngs, is_real=use_simulator
    ).tolist()
