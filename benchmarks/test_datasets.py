"""Nanoseconds per row of each step of a dataset, and rows per second of a whole build.

Every measurement is the best of several rounds, in processor time of one core.
"""

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from mjopt import label
from mjopt.datasets import build, make_plan, read_recipe
from mjopt.datasets.arrow import hand_texts
from mjopt.datasets.labels import best_discard_masks, num_targets, useful_masks
from mjopt.datasets.recipes import BLOCK_ROWS
from mjopt.datasets.splits import canonical_hashes
from mjopt.hands.tiles import FULL, M0, TileSet

GOAL_ROWS = 750_000  # per second on one core, with labels and Parquet
ROUNDS = 7


def nanoseconds(call: Callable[[], object], rows: int) -> float:
    call()
    best = float("inf")
    for _ in range(ROUNDS):
        begun = time.process_time()
        call()
        best = min(best, time.process_time() - begun)
    return best / rows * 1e9


@pytest.mark.parametrize("tiles", [M0, FULL], ids=["m0", "136"])
@pytest.mark.parametrize(
    "recipe", ["deals:1e6", "distinct:1e6", "three-type:1e6", "stratified:1e6", "all"]
)
def test_drawing(benchmark: BenchmarkFixture, recipe: str, tiles: TileSet) -> None:
    found = read_recipe(recipe, tiles=tiles)
    cost = nanoseconds(lambda: found.block(1, seed=1), BLOCK_ROWS)
    benchmark.extra_info["nanoseconds a hand"] = round(cost, 1)
    benchmark(found.block, 1, seed=1)
    print(f"\n{recipe}, {tiles.name}: {cost:.0f} ns a hand")


STEPS: dict[str, Callable[[np.ndarray], object]] = {
    "deficiency": label,
    "useful": useful_masks,
    "discards": best_discard_masks,
    "targets": num_targets,
    "text": hand_texts,
    "split": canonical_hashes,
}


@pytest.mark.parametrize("tiles", [M0, FULL], ids=["m0", "136"])
@pytest.mark.parametrize("step", STEPS)
def test_labelling(benchmark: BenchmarkFixture, step: str, tiles: TileSet) -> None:
    hands = read_recipe("deals:1e6", tiles=tiles).block(0, seed=1)
    cost = nanoseconds(lambda: STEPS[step](hands), len(hands))
    benchmark.extra_info["nanoseconds a hand"] = round(cost, 1)
    benchmark(STEPS[step], hands)
    print(f"\n{step}, {tiles.name}: {cost:.0f} ns a hand")


def test_a_build(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    def plan(rows: int) -> object:
        return make_plan(f"deals:{rows}", seed=1, labels=("deficiency", "useful"), text=False)

    build(plan(1000), tmp_path / "first")  # tables and kernels load once
    report = benchmark.pedantic(build, args=(plan(8 * BLOCK_ROWS), tmp_path / "big"), rounds=1)
    steps = {name: f"{s / report.rows * 1e9:.0f} ns" for name, s in report.steps.items()}
    speed = report.rows / sum(report.steps.values())
    benchmark.extra_info.update(steps)
    state = "goal met" if speed >= GOAL_ROWS else f"goal {GOAL_ROWS:,} missed"
    print(f"\n{speed:,.0f} rows a second of one core ({state}); a row: {steps}")
    print(f"{report.bytes / report.rows:.2f} bytes a row")
