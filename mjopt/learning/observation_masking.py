"""Mask hidden tiles for the perfect agent: show all, random ones in their place, or none."""

from dataclasses import replace

import numpy as np

from mjopt.game.moves import with_copies
from mjopt.game.rules import NUM_SEATS
from mjopt.game.state import State
from mjopt.learning.config import Configuration
from mjopt.learning.planes import Planes, encode, public_planes


def encode_masked(
    state: State, seat: int, config: Configuration, rng: np.random.Generator
) -> Planes:
    """Return the planes of a state from a seat, with hidden planes as in ``config.hidden``.

    Random numbers are drawn only for ``random``.
    """
    if config.hidden == "random":
        state = redeal_hidden(state, seat, rng)
    planes = encode(state, seat, config)
    return planes * public_planes(config)[:, None] if config.hidden == "none" else planes


def redeal_hidden(state: State, seat: int, rng: np.random.Generator) -> State:
    """Return a state in which all tiles hidden from a seat are dealt again."""
    hidden = list(state.undrawn)
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
    wall = list(state.wall)
    for place, kind in zip(state.undrawn_places, order, strict=True):
        wall[place] = kind
    return replace(state, wall=tuple(wall), hands=tuple(hands))
