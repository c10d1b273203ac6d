"""Milliseconds per two-type hand with model building: every formulation and solver.

Every round uses the same hands, so ratios within a run are comparable.
"""

import numpy as np
import pytest
from helpers.types_deal import types_deal
from pytest_benchmark.fixture import BenchmarkFixture

from mjopt import FORMULATIONS, SOLVERS, Hand
from mjopt.models.formulation import Goal
from mjopt.models.solvers.base import SolveOptions

HANDS = {"network": 5}
MODELS = [
    name
    for name, kind in FORMULATIONS.items()
    if kind().form == "standard" and kind().goal is not Goal.WIN
]


def hands(number: int, num_types: int = 2) -> list[Hand]:
    return list(types_deal(num_types, number, rng=np.random.default_rng(2023)))


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("model", MODELS)
def test_two_type_hands(benchmark: BenchmarkFixture, model: str, solver: str) -> None:
    formulation, engine = FORMULATIONS[model](), SOLVERS[solver]()
    drawn = hands(HANDS.get(model, 40))
    options = SolveOptions(threads=1)

    def solve_all() -> None:
        for hand in drawn:
            assert engine.solve(formulation.build(hand), options).is_optimal

    benchmark.extra_info["hands"] = len(drawn)
    benchmark.pedantic(solve_all, rounds=3, warmup_rounds=1)
    benchmark.extra_info["ms_a_hand"] = benchmark.stats["median"] * 1000 / len(drawn)


@pytest.mark.parametrize("model", MODELS)
def test_building(benchmark: BenchmarkFixture, model: str) -> None:
    formulation, drawn = FORMULATIONS[model](), hands(40)
    benchmark.extra_info["hands"] = len(drawn)
    benchmark.pedantic(
        lambda: [formulation.build(hand) for hand in drawn], rounds=5, warmup_rounds=1
    )
    benchmark.extra_info["ms_a_hand"] = benchmark.stats["median"] * 1000 / len(drawn)
