"""Print a table of formulations and solvers: milliseconds, size, root bound.

Usage: python benchmarks/formulation_table.py [NUMBER OF HANDS]
"""

import math
import statistics
import sys
import time

from rich.console import Console
from rich.table import Table

from mjopt import FORMULATIONS, SOLVERS, Hand
from mjopt.datasets import read_recipe
from mjopt.models.blockwise import Blockwise
from mjopt.models.formulation import Formulation, Goal
from mjopt.models.solvers.base import SolveOptions, Solver
from mjopt.models.solvers.mathopt import root_bound


def milliseconds(formulation: Formulation, engine: Solver, hands: list[Hand]) -> str:
    engine.solve(formulation.build(hands[0]))  # load the library first
    begun = time.perf_counter()
    for hand in hands:
        engine.solve(formulation.build(hand), SolveOptions(threads=1))
    return f"{(time.perf_counter() - begun) * 1000 / len(hands):.2f}"


def tightness(formulation: Formulation, engine: Solver, hands: list[Hand]) -> tuple[float, float]:
    exact = rounded = 0
    for hand in hands:
        program = formulation.build(hand)
        best = engine.solve(program).objective
        bound = root_bound(program)
        exact += abs(bound - best) < 1e-6
        rounded += math.ceil(bound - 1e-6) == best
    return exact / len(hands), rounded / len(hands)


def hands_of(num_types: int, number: int) -> list[Hand]:
    """Return hands of a number of suits; one-type hands are spaced evenly over the full list."""
    recipe = read_recipe(("one-type", f"two-type:{number}", f"three-type:{number}")[num_types - 1])
    counts = recipe.counts(seed=2023)
    return [Hand.from_counts(row) for row in counts[:: len(counts) // number][:number].tolist()]


def main(number: int = 200) -> None:
    console = Console(width=None if sys.stdout.isatty() else 150)
    for num_types in (1, 2, 3):
        hands = hands_of(num_types, number)
        table = Table(title=f"{num_types}-type hands, {number} of them; milliseconds a hand")
        table.add_column("formulation")
        for column in ("columns", "rows", "build", *SOLVERS, "root bound = optimum", "rounded up"):
            table.add_column(column, justify="right")
        models: dict[str, Formulation] = {
            name: kind()
            for name, kind in FORMULATIONS.items()
            if kind().form == "standard" and kind().goal is not Goal.WIN
        }
        models["blockwise, not tightened"] = Blockwise(tighten=False)
        for name, formulation in models.items():
            some = hands[: 5 if name == "network" else number]
            begun = time.perf_counter()
            programs = [formulation.build(hand) for hand in some]
            build = (time.perf_counter() - begun) * 1000 / len(some)
            exact, rounded = tightness(formulation, SOLVERS["highs"](), some)
            table.add_row(
                name,
                f"{statistics.mean(p.num_variables for p in programs):.0f}",
                f"{statistics.mean(len(p.rows) for p in programs):.0f}",
                f"{build:.2f}",
                *(milliseconds(formulation, kind(), some) for kind in SOLVERS.values()),
                f"{exact:.0%}",
                f"{rounded:.0%}",
            )
        console.print(table)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
