"""Random games without declarations, and their states: what the learning room is tested on."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from mjopt.game import JJ, Move, RuleSet, State, legal_moves, shuffle_wall, start, step
from mjopt.learning.configuration import PRESETS

RULES: Final = replace(JJ, ready=False)
TINY: Final = PRESETS["tiny"]


def random_steps(rules: RuleSet, games: int, seed: int) -> Iterator[tuple[State, Move, State]]:
    """Play random games; yield every state, the move and what came of it."""
    for game in range(games):
        rng = np.random.default_rng([seed, game])
        state = start(rules, shuffle_wall(seed, game, rules.tiles), dealer=game % 4)
        while state.asked:
            moves = legal_moves(state)
            move = moves[int(rng.integers(len(moves)))]
            after = step(state, move)
            yield state, move, after
            state = after
