"""
Your own heuristic
==================

Simulated annealing as a frozen dataclass with one method, compared with NDDE on hands of known
deficiency. The figure needs ``pip install 'mjopt[experiments]'``.
"""

import math
import time
from dataclasses import dataclass
from typing import ClassVar

import matplotlib.pyplot as plt
import numpy as np

from mjopt import Hand, label
from mjopt.datasets.recipes import read_recipe
from mjopt.hands.tiles import M0
from mjopt.heuristics import (
    NDDE,
    NEVER,
    Encoding,
    Result,
    Stop,
    StopReason,
    evaluate,
    make_feasible,
    run_batch,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SA:
    """Simulated annealing: change one of the five positions, and sometimes accept a worse cost."""

    steps: int = 300
    hot: float = 1.0
    cold: float = 0.1

    name: ClassVar[str] = "sa"
    is_random: ClassVar[bool] = True

    @property
    def num_generations(self) -> int:
        """One step is a generation."""
        return self.steps

    def search(
        self,
        hand: Hand,
        *,
        rng: np.random.Generator,
        stop: Stop = NEVER,
        target: int | None = None,
    ) -> Result:
        """Search one hand. The target only determines the hit, never the search."""
        encoding, began = Encoding(hand), time.perf_counter()
        chosen = best = (0,) * encoding.num_positions
        cost = evaluate(chosen, encoding)
        history, hit = [cost], None
        while True:
            if hit is None and target is not None and history[-1] <= target:
                hit = len(history)
            if reason := self._why_stop(history, stop, began):
                break
            changed = list(chosen)
            position = rng.integers(encoding.num_positions)
            changed[position] = int(rng.integers(encoding.num_elements + 1))
            other = make_feasible(changed, encoding, rule="pmelds-first-at-random", rng=rng)
            worse = evaluate(other, encoding) - cost
            heat = self.hot * (self.cold / self.hot) ** (len(history) / self.steps)
            if worse <= 0 or rng.random() < math.exp(-worse / heat):
                chosen, cost = other, cost + worse
            if cost < history[-1]:
                best = chosen
            history.append(min(cost, history[-1]))
        return Result(
            value=history[-1],
            predecomposition=encoding.decode(best),
            evaluations=len(history),
            generations=len(history) - 1,
            history=tuple(history),
            stopped=reason,
            hit_evaluations=hit,
            hit_generation=None if hit is None else hit - 1,
        )

    def _why_stop(self, history: list[int], stop: Stop, began: float) -> StopReason | None:
        """Return the stop reason, or None to continue; one evaluation is one generation."""
        if stop.value is not None and history[-1] <= stop.value:
            return StopReason.REACHED
        if len(history) == stop.evaluations:
            return StopReason.EVALUATIONS
        if len(history) - 1 in (self.steps, stop.generations):
            return StopReason.GENERATIONS
        if stop.seconds is not None and time.perf_counter() - began >= stop.seconds:
            return StopReason.SECONDS
        return None


def main(number: int = 40) -> None:
    """Print and plot the accuracy of each method."""
    hands = read_recipe(f"two-type:{number}", tiles=M0).counts(seed=1)
    truth = label(hands)
    _, axes = plt.subplots(figsize=(6, 3.2), layout="constrained")
    for method in (SA(), NDDE(population=20, generations=14)):
        batch = run_batch(
            method,
            hands,
            seed=1,
            method=method.name,
            hand_numbers=np.arange(number),
            run=0,
            history=True,
        )
        assert batch.history is not None
        right = (batch.history == truth[:, None]).mean(axis=0) * 100
        each = batch.evaluations.mean() / batch.history.shape[1]
        axes.plot(each * np.arange(1, len(right) + 1), right, label=method.name)
        print(
            f"{method.name}: {right[-1]:.0f} % of {number} hands right "
            f"after {batch.evaluations.mean():.0f} evaluations"
        )
    axes.set(xlabel="evaluations", ylabel="hands right (%)", ylim=(0, 100))
    axes.legend()


if __name__ == "__main__":
    main()
    plt.show()
