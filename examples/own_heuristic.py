"""
A heuristic of one's own
========================

Simulated annealing as a frozen dataclass with one method, beside NDDE on hands whose deficiency
is known. The picture needs ``pip install 'mjopt[experiments]'``.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

import matplotlib.pyplot as plt
import numpy as np

from mjopt import Hand, label
from mjopt.datasets.recipes import read_recipe
from mjopt.hands.tiles import M0
from mjopt.heuristics import (
    HEURISTICS,
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
    """Simulated annealing: change one of the five positions, at times for the worse."""

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
        self, hand: Hand, *, rng: np.random.Generator, stop: Stop = NEVER, target: int | None = None
    ) -> Result:
        """Search one hand; `target` and `stop.value` are only ever compared with the best."""
        encoding = Encoding(hand)
        chosen = best = (0,) * encoding.num_positions
        cost = lowest = evaluate(chosen, encoding)
        history, hit, reason = (
            [lowest],
            1 if target is not None and lowest <= target else None,
            None,
        )
        for step in range(1, self.steps + 1):
            if stop.evaluations is not None and step >= stop.evaluations:
                reason = StopReason.EVALUATIONS
            elif stop.value is not None and lowest <= stop.value:
                reason = StopReason.REACHED
            if reason is not None:
                break
            place = rng.integers(encoding.num_positions)
            changed = list(chosen)
            changed[place] = int(rng.integers(encoding.num_elements + 1))
            other = make_feasible(changed, encoding, rule="pmelds-first-at-random", rng=rng)
            worse = evaluate(other, encoding) - cost
            heat = self.hot * (self.cold / self.hot) ** (step / self.steps)
            if worse <= 0 or rng.random() < math.exp(-worse / heat):
                chosen, cost = other, cost + worse
            if cost < lowest:
                best, lowest = chosen, cost
            history.append(lowest)
            if hit is None and target is not None and lowest <= target:
                hit = step + 1
        return Result(
            value=lowest,
            predecomposition=encoding.decode(best),
            evaluations=len(history),
            generations=len(history) - 1,
            history=tuple(history),
            stopped=reason or StopReason.GENERATIONS,
            hit_evaluations=hit,
            hit_generation=None if hit is None else hit - 1,
        )


HEURISTICS[SA.name] = SA  # from now on it has a name in this process


def main(number: int = 40) -> None:
    """Print how often each is right, and draw how they get there."""
    hands = read_recipe(f"two-type:{number}", tiles=M0).counts(seed=1)
    truth = label(hands)
    _, axes = plt.subplots(figsize=(6, 3.2), layout="constrained")
    for method in (SA(), NDDE(population=20, generations=14)):
        found = run_batch(
            method,
            hands,
            seed=1,
            method=method.name,
            hand_numbers=np.arange(number),
            run=0,
            history=True,
        )
        assert found.history is not None
        right = (found.history == truth[:, None]).mean(axis=0) * 100
        each = found.evaluations.mean() / found.history.shape[1]
        axes.plot(each * np.arange(1, len(right) + 1), right, label=method.name)
        print(
            f"{method.name}: {right[-1]:.0f} % of {number} hands right "
            f"after {found.evaluations.mean():.0f} evaluations"
        )
    axes.set(xlabel="evaluations", ylabel="hands right (%)", ylim=(0, 100))
    axes.legend()


if __name__ == "__main__":
    main()
    plt.show()
