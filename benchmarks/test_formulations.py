"""Processor time per two-type hand of building and solving: every formulation and solver.

Sides run in turn on the same hands, other hands in every round, so ratios within a run are
comparable.
"""

import numpy as np
import pytest
from helpers.types_deal import types_deal
from pytest_benchmark.fixture import BenchmarkFixture

from formulation_table import tightness
from mjopt import FORMULATIONS, SOLVERS, Hand
from mjopt.models.formulation import Formulation, Goal
from mjopt.models.program import Program
from mjopt.models.solvers.base import SolveOptions, Solver
from paired import Comparison, Side, measure

MODELS: dict[str, Formulation] = {
    name: kind()
    for name, kind in FORMULATIONS.items()
    if kind().form == "standard" and kind().goal is not Goal.WIN
}
HANDS_A_ROUND = 5
BOUND_HANDS = {"network": 20}
"""Hands for the bounds; all bounds of the network are equal to the optimum, and take long."""


def hands(number: int, num_types: int = 2) -> list[Hand]:
    return list(types_deal(num_types, number, rng=np.random.default_rng(2023)))


def build_side(name: str, dealt: list[list[Hand]]) -> Side:
    build = MODELS[name].build
    return Side(
        name=f"{name}, build",
        run=lambda number: [build(hand) for hand in dealt[number]],
        units=len(dealt[0]),
    )


def solve_side(name: str, solver: str, programs: list[list[Program]]) -> Side:
    engine: Solver = SOLVERS[solver]()
    options = SolveOptions(threads=1)

    def solve_all(number: int) -> None:
        for program in programs[number]:
            assert engine.solve(program, options).is_optimal

    return Side(name=f"{name}, {solver}", run=solve_all, units=len(programs[0]))


@pytest.mark.claim
def test_formulations(benchmark: BenchmarkFixture, quick: bool) -> None:
    rounds, a_round = (2, 1) if quick else (20, HANDS_A_ROUND)
    drawn = hands(rounds * a_round)
    dealt = [drawn[start : start + a_round] for start in range(0, len(drawn), a_round)]
    sides = [build_side(name, dealt) for name in MODELS]
    for name, formulation in MODELS.items():
        programs = [[formulation.build(hand) for hand in some] for some in dealt]
        sides += [solve_side(name, solver, programs) for solver in SOLVERS]
    bounds = {}
    for name, formulation in MODELS.items():
        number = 2 if quick else BOUND_HANDS.get(name, 200)
        bounds[name] = [
            (number, *tightness(formulation, SOLVERS["highs"](), hands(number, num_types)))
            for num_types in (1, 2, 3)
        ]
    compared = Comparison(
        claim="formulations",
        unit="hand",
        sides=sides,
        base="blockwise, cp-sat",
        figures={"bounds": bounds, "models": list(MODELS), "solvers": list(SOLVERS)},
    )
    measure(benchmark, compared, rounds=rounds)
