"""Models that are tables: random ones, scripted ones, and bandits."""

from typing import Any

import numpy as np

KINDS = 27
FULL = 55 * KINDS


class RandomTable:
    """Priors and values are a function of the state, and states of the state and the action.

    Few distinct priors and values, so that there are ties.
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
    """Planes of roots in those states of a table."""
    planes = np.zeros((len(seeds), 1, KINDS), np.uint8)
    planes[:, 0, 0] = seeds
    return planes


class Bandit:
    """Each move has a value that never changes; what comes after it is all the same."""

    def __init__(self, priors: Any, values: Any) -> None:
        self.priors, self.values = np.asarray(priors), np.asarray(values)  # by full number

    def start(self, planes: Any) -> Any:
        some = len(planes)
        return (
            np.full((some, 1), -1.0, np.float32),
            np.tile(self.priors, (some, 1)).astype(np.float32),
            np.zeros((some, 4), np.float32),
        )

    def follow(self, hidden: Any, numbers: Any) -> Any:
        """The bandit's arm is the first action; its player is the one of the root."""
        arm = np.where(hidden[:, 0] < 0, numbers, hidden[:, 0].astype(np.int64))
        priors = np.zeros((len(numbers), FULL), np.float32)
        priors[:, 54 * KINDS] = 1.0  # the same player again
        values = np.zeros((len(numbers), 4), np.float32)
        values[:, 0] = self.values[arm]
        return arm[:, None].astype(np.float32), priors, values
