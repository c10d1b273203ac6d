"""Who is asked about held-out decisions: any agent, or the perfect one's search."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from mjopt.game.observation import view_of
from mjopt.game.play import Agent
from mjopt.game.state import State
from mjopt.game.stepping import legal_moves
from mjopt.learning.actions import number_of
from mjopt.learning.config import Configuration
from mjopt.learning.env import seat_of
from mjopt.learning.mcts_config import Model, SearchSettings
from mjopt.learning.policy import Rngs, choose

FEATURES: Final = {"all": "all", "random": "random", "removed": "none"}
"""What is called so here, as configurations have hidden tiles."""


class Player(Protocol):
    """Answers states by small numbers."""

    def answer(self, states: Sequence[State], rngs: Rngs) -> list[int]:
        """Return what it does in each, each with random numbers of its own."""


@dataclass(frozen=True)
class Asked:
    """Any agent, who sees what a seat may see."""

    agent: Agent

    def answer(self, states: Sequence[State], rngs: Rngs) -> list[int]:
        """Return its moves, one by one."""
        found = []
        for state, rng in zip(states, rngs, strict=True):
            view = view_of(state, seat_of(state))
            found.append(number_of(self.agent.choose(view, legal_moves(state), rng=rng), state))
        return found


@dataclass(frozen=True, kw_only=True)
class Searching:
    """The perfect agent's search, many decisions at once."""

    # `config`, `model`: what was trained, and what it is shown of hidden tiles
    config: Configuration
    model: Model
    settings: SearchSettings  # how it searches
    is_real: bool = False  # search the states that really come: the simulator-based twin

    def answer(self, states: Sequence[State], rngs: Rngs) -> list[int]:
        """Return the move that each search chooses."""
        config, settings, is_real = self.config, self.settings, self.is_real
        found = choose(self.model, states, config, settings=settings, rngs=rngs, is_real=is_real)
        return [int(one) for one in found]
