"""Who is asked about held-out decisions: any agent, or the perfect one's search."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from mjopt.experiments.reproduction.agent.decisions import moves_of
from mjopt.game.moves import with_copies
from mjopt.game.play import Agent
from mjopt.game.rules import NUM_SEATS
from mjopt.game.state import State
from mjopt.game.stepping import legal_moves
from mjopt.game.view import view_of
from mjopt.learning.actions import NUM_TYPES, small_number
from mjopt.learning.beginning import seat_of
from mjopt.learning.configuration import Configuration
from mjopt.learning.planes import encode, public_planes
from mjopt.learning.search import search, search_states
from mjopt.learning.search_settings import Model, SearchSettings

FEATURES: Final = ("all", "random", "removed")
"""Hidden features as they are, dealt anew from what the seat cannot see, or 0."""

Rngs = Sequence[np.random.Generator]


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
            told = {"tile": state.table.tile, "drawn": state.drawn, "kinds": len(state.table.shown)}
            view = view_of(state, seat_of(state))
            found.append(small_number(self.agent.choose(view, legal_moves(state), rng=rng), **told))
        return found


@dataclass(frozen=True, kw_only=True)
class Searching:
    """The perfect agent's search, many decisions at once.

    Parameters
    ----------
    config, model
        What was trained.
    settings
        How it searches.
    features
        What it is shown of hidden tiles, one of :data:`FEATURES`.
    is_real
        Search the states that really come: the simulator-based twin.
    """

    config: Configuration
    model: Model
    settings: SearchSettings
    features: str = "all"
    is_real: bool = False

    def answer(self, states: Sequence[State], rngs: Rngs) -> list[int]:
        """Return the move that each search chooses."""
        config, settings = self.config, self.settings
        if self.is_real:
            found = search_states(
                self.model,
                states,
                encode=lambda state, seat: encode(state, seat, config),
                settings=settings,
                rng=rngs,
                declare=config.declare,
            )
        else:
            masks = np.zeros((len(states), NUM_TYPES * config.kinds), np.bool_)
            for mask, state in zip(masks, states, strict=True):
                mask[list(moves_of(state, config))] = True
            planes = np.stack([self._shown(*both) for both in zip(states, rngs, strict=True)])
            found = search(self.model, planes, masks, settings=settings, rng=rngs)
        return [int(one) for one in found.chosen]

    def _shown(self, state: State, rng: np.random.Generator) -> NDArray[Any]:
        seat = seat_of(state)
        if self.features == "random":
            state = dealt_anew(state, seat, rng)
        planes = encode(state, seat, self.config)
        return planes * (public_planes(self.config)[:, None] | (self.features != "removed"))


def dealt_anew(state: State, seat: int, rng: np.random.Generator) -> State:
    """Return a state with all tiles that a seat cannot see dealt anew, as many to each place."""
    last = len(state.wall) - state.back
    hidden = list(state.wall[state.front : last])
    others = [one for one in range(NUM_SEATS) if one != seat]
    for other in others:
        hidden += np.repeat(range(len(state.hands[other])), state.hands[other]).tolist()
    order = [hidden[i] for i in rng.permutation(len(hidden))]
    hands = list(state.hands)
    for other in others:
        counts = (0,) * len(hands[other])
        for _ in range(sum(hands[other])):
            counts = with_copies(counts, order.pop(), 1)
        hands[other] = counts
    wall = (*state.wall[: state.front], *order, *state.wall[last:])
    return replace(state, wall=wall, hands=tuple(hands))
