"""Batched decisions: encode states, search, return actions."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mjopt.game.moves import Move
from mjopt.game.state import State
from mjopt.learning.actions import action_mask, legal_actions
from mjopt.learning.config import Configuration
from mjopt.learning.env import current_seat
from mjopt.learning.mcts import search, search_states
from mjopt.learning.mcts_config import Bools, Integers, Model, SearchSettings
from mjopt.learning.observation_masking import encode_masked
from mjopt.learning.planes import Planes

Rngs = Sequence[np.random.Generator]


class DecisionBatch(NamedTuple):
    """One decision in each of B games."""

    planes: Planes  # (B, P, kinds)
    masks: Bools  # (B, 10 kinds)
    moves: list[dict[int, Move]]


def encode_decisions(states: Sequence[State], config: Configuration, rngs: Rngs) -> DecisionBatch:
    """Encode the next decision of each state, with one generator for each."""
    moves = [legal_actions(state, config.declare) for state in states]
    seen = [
        encode_masked(one, current_seat(one), config, rng)
        for one, rng in zip(states, rngs, strict=True)
    ]
    return DecisionBatch(
        np.stack(seen), np.stack([action_mask(one, config.kinds) for one in moves]), moves
    )


def search_actions(
    model: Model,
    states: Sequence[State],
    config: Configuration,
    *,
    settings: SearchSettings,
    rngs: Rngs,
    is_real: bool,
) -> Integers:
    """Search every state; return the chosen actions as small numbers, shape ``(B,)``.

    With ``is_real`` the search expands states of the engine instead of learned ones.
    """
    if not is_real:
        batch = encode_decisions(states, config, rngs)
        return search(model, batch.planes, batch.masks, settings=settings, rng=rngs).chosen
    return search_states(
        model,
        states,
        encode=lambda state, seat, rng: encode_masked(state, seat, config, rng),
        settings=settings,
        rng=rngs,
        declare=config.declare,
    ).chosen
