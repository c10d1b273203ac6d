"""What stands to be decided in games, many at once, and what a search chooses there."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mjopt.game.moves import Move
from mjopt.game.state import State
from mjopt.learning.actions import mask_of, moves_of
from mjopt.learning.config import Configuration
from mjopt.learning.env import seat_of
from mjopt.learning.mcts import search, search_states
from mjopt.learning.mcts_config import Bools, Integers, Model, SearchSettings
from mjopt.learning.observation_masking import show
from mjopt.learning.planes import Planes

Rngs = Sequence[np.random.Generator]


class Asked(NamedTuple):
    """Decisions that stand in games, one each."""

    planes: Planes  # (B, P, kinds)
    masks: Bools  # (B, 10 kinds)
    moves: list[dict[int, Move]]


def ask(states: Sequence[State], config: Configuration, rngs: Rngs) -> Asked:
    """Return what stands to be decided in games that are not over, each with its own numbers."""
    moves = [moves_of(state, config.declare) for state in states]
    seen = [show(one, seat_of(one), config, rng) for one, rng in zip(states, rngs, strict=True)]
    return Asked(np.stack(seen), np.stack([mask_of(one, config.kinds) for one in moves]), moves)


def choose(
    model: Model,
    states: Sequence[State],
    config: Configuration,
    *,
    settings: SearchSettings,
    rngs: Rngs,
    is_real: bool,
) -> Integers:
    """Return what a search chooses in each state, of learned states or of those that come."""
    if not is_real:
        asked = ask(states, config, rngs)
        return search(model, asked.planes, asked.masks, settings=settings, rng=rngs).chosen
    return search_states(
        model,
        states,
        encode=lambda state, seat, rng: show(state, seat, config, rng),
        settings=settings,
        rng=rngs,
        declare=config.declare,
    ).chosen
