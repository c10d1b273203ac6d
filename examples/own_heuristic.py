"""
Your own heuristic
==================

Simulated annealing as a frozen dataclass with two methods, compared with NDDE on hands of known
deficiency. The figure needs ``pip install 'mjopt[experiments]'``.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

import matplotlib.pyplot as plt
import numpy as np

from mjopt import label
from mjopt.datasets import read_recipe
from mjopt.heuristics import NDDE, CountedProblem, IterativeHeuristic, run_batch

State = tuple[CountedProblem, np.random.Generator, list[int], int]


@dataclass(frozen=True, kw_only=True)
class SA(IterativeHeuristic[State]):
    """Simulated annealing: change one of the five positions, and sometimes accept a worse cost."""

    generations: int = 300
    hot: float = 1.0
    cold: float = 0.1
    name: ClassVar[str] = "sa"

    def start(self, problem: CountedProblem, rng: np.random.Generator) -> State:
        """Evaluate the empty predecomposition."""
        chosen = [0] * problem.num_variables
        return problem, rng, chosen, problem.evaluate(chosen)

    def step(self, state: State) -> State:
        """Evaluate a neighbour, and go there or stay."""
        problem, rng, chosen, cost = state
        changed = [*chosen]
        changed[rng.integers(len(chosen))] = int(rng.integers(problem.num_elements + 1))
        new_cost = problem.evaluate(changed)
        heat = self.hot * (self.cold / self.hot) ** (problem.evaluations / self.generations)
        if new_cost <= cost or rng.random() < math.exp((cost - new_cost) / heat):
            return problem, rng, changed, new_cost
        return state


def main(number: int = 40) -> None:
    """Print and plot the accuracy of each method."""
    hands = read_recipe(f"two-type:{number}").counts(seed=1)
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
