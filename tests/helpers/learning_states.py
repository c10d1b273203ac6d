"""Random games without declarations, and their states, for tests of ``mjopt.play.learning``."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from mjopt._internal.progress import NoProgress
from mjopt.play.game import JJ, GameRules, Move, State, legal_moves, shuffle_wall, start, step
from mjopt.play.learning import weights
from mjopt.play.learning.config import PRESETS, Configuration
from mjopt.play.learning.weights import AgentKind, Arrays, initial_arrays

RULES: Final = replace(JJ, ready=False)
TINY: Final = PRESETS["tiny"]

Step = tuple[State, Move, State]


class StageRecorder(NoProgress):
    """Progress that records total, unit and finished number of each stage."""

    def __init__(self) -> None:
        self.stages: list[tuple[int, str, int]] = []

    def begin(self, total: int, unit: str = "", done: int = 0) -> None:
        """Record a stage."""
        self.stages.append((total, unit, done))


@cache
def random_steps(rules: GameRules, games: int, seed: int) -> tuple[Step, ...]:
    """Return every state of some random games, with the move and its result."""
    return tuple(play_at_random(rules, range(games), seed))


def play_at_random(rules: GameRules, games: Iterable[int], seed: int) -> Iterator[Step]:
    """Play the games with these numbers, and yield their steps."""
    for game in games:
        rng = np.random.default_rng([seed, game])
        state = start(rules, shuffle_wall(seed, game, rules.tiles), dealer=game % 4)
        while state.pending:
            moves = legal_moves(state)
            move = moves[int(rng.integers(len(moves)))]
            after = step(state, move)
            yield state, move, after
            state = after


def random_arrays(config: Configuration, agent: AgentKind, seed: int) -> Arrays:
    """Return untrained weights, with running means as after training."""
    rng = np.random.default_rng(seed)
    arrays = initial_arrays(config, agent, rng)
    for name, array in arrays.items():
        part = name.rpartition(".")[2]
        if part in ("offset", "mean"):
            arrays[name] = array + rng.normal(0, 0.3, array.shape).astype(np.float32)
        if part in ("scale", "variance"):
            arrays[name] = array * rng.uniform(0.5, 1.5, array.shape).astype(np.float32)
    return arrays


def normal_file(path: Path, config: Configuration = TINY, seed: int = 1) -> Path:
    """Write an untrained normal agent, and return its file."""
    weights.save(path, config, random_arrays(config, "normal", seed))
    return path


def perfect_file(path: Path, config: Configuration = TINY, seed: int = 1) -> Path:
    """Write an untrained perfect agent, and return its file."""
    weights.save(path, config, random_arrays(config, "perfect", seed))
    return path
