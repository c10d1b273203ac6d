"""Table-based models for search tests: random tables and bandits."""

from typing import Any

import numpy as np

KINDS = 27
FULL = 55 * KINDS


class RandomTable:
    """A model with random tables of priors and values by state, and of state transitions.

    It has few distinct priors and values, to cause ties.
    """

    def __init__(self, seed: int, *, states: int = 64, levels: int = 3) -> None:
        rng = np.random.default_rng(seed)
        self.states = states
        raw = rng.integers(0, levels + 1, (states, FULL)) * (rng.random((states, FULL)) < 0.02)
        raw[:, 0] += 1
        self.priors = (raw / raw.sum(axis=1, keepdims=True)).astype(np.float32)
        self.values = (rng.integers(-levels, levels + 1, (states, 4)) / levels).astype(np.float32)
        self.steps = rng.integers(1, states, FULL)

    def start(self, planes: Any) -> Any:
        return self._at(planes[:, 0, 0].astype(np.int64) % self.states)

    def follow(self, hidden: Any, numbers: Any) -> Any:
        before = hidden[:, 0].astype(np.int64)
        return self._at((7 * before + self.steps[numbers]) % self.states)

    def _at(self, at: Any) -> Any:
        return at[:, None].astype(np.float32), self.priors[at], self.values[at]


def roots(seeds: list[int]) -> Any:
    """Return the planes of roots in the table states of these seeds."""
    planes = np.zeros((len(seeds), 1, KINDS), np.uint8)
    planes[:, 0, 0] = seeds
    return planes


class Bandit:
    """A bandit: each move has a fixed value, and all successor states are equal."""

    def __init__(self, priors: Any, values: Any) -> None:
        self.priors, self.values = np.asarray(priors), np.asarray(values)  # by full action number

    def start(self, planes: Any) -> Any:
        some = len(planes)
        return (
            np.full((some, 1), -1.0, np.float32),
            np.tile(self.priors, (some, 1)).astype(np.float32),
            np.zeros((some, 4), np.float32),
        )

    def follow(self, hidden: Any, numbers: Any) -> Any:
        """Return the state after the first action, the bandit's arm; the root's player acts."""
        arm = np.where(hidden[:, 0] < 0, numbers, hidden[:, 0].astype(np.int64))
        priors = np.zeros((len(numbers), FULL), np.float32)
        priors[:, 54 * KINDS] = 1.0  # the same player again
        values = np.zeros((len(numbers), 4), np.float32)
        values[:, 0] = self.values[arm]
        return arm[:, None].astype(np.float32), priors, values
