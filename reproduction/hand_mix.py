"""Fit the deficiencies of the paper's hands of two and three types to its published accuracies.

Yan and Li (2023) do not say how they drew these hands. The accuracy of a method depends mainly on
the deficiency, so their Tables 1 (NDDE) and 5 (PSO, GA, TLBO) imply shares of deficiencies: those
whose mixture of our accuracies is nearest to the published ones.

A method counts by how well it reproduces the one-type set, whose hands are known: residuals are
divided by the root mean square of its differences there, and each method has the same total
weight. The intervals are bootstraps over our hands, the paper's hands and these differences.

    python reproduction/hand_mix.py --hands 5000
"""

import argparse
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls

from mjopt import label
from mjopt.datasets import read_recipe
from mjopt.hands.tiles import M0
from mjopt.heuristics import read_method
from mjopt.heuristics.runner import run_batch
from mjopt.studies.reproduction.published_results import (
    GENERATIONS,
    POPULATIONS,
    published_cell,
    published_spread,
)

Floats = NDArray[np.float64]
Right = list[NDArray[np.bool_]]  # for each deficiency, shape (hands, cells)

OTHERS = ("PSO", "GA", "TLBO")
CELLS = [("NDDE", n, g) for n, g in product(POPULATIONS, GENERATIONS)] + [
    (name, 20, 50) for name in OTHERS
]
METHODS = np.array([method for method, *_ in CELLS])
AT_20_50 = [cell for cell, (_, *budget) in enumerate(CELLS) if budget == [20, 50]]
PAPER_HANDS = 100_000
MOST = 8_000_000  # hands drawn for rare deficiencies


def published(types: str) -> Floats:
    """Return the published accuracy of each cell."""
    return np.array(
        [
            published_cell(1, types, n, g)
            if method == "NDDE"
            else published_spread(5, types, method).mean
            for method, n, g in CELLS
        ]
    )


def draw(
    types: str, per_deficiency: int, most: int, seed: int
) -> tuple[dict[int, NDArray[np.uint8]], dict[int, int]]:
    """Return hands of each deficiency of a set, and the deals of each; low ones may have fewer.

    High deficiencies with fewer hands are left out: all methods solve nearly all of them.
    """
    recipe = read_recipe("one-type" if types == "one" else f"{types}-type:{most}", tiles=M0)
    hands = recipe.counts(seed=seed)
    rng = np.random.default_rng(seed)
    deficiencies = label(hands)
    counts = np.bincount(deficiencies)
    is_common = (counts >= per_deficiency) | (types == "one")
    common = range(int(np.flatnonzero(is_common).max()) + 1)
    rows = {d: rng.permutation(np.flatnonzero(deficiencies == d)) for d in common if counts[d]}
    drawn = {d: hands[numbers[:per_deficiency]] for d, numbers in rows.items()}
    return drawn, {d: len(numbers) for d, numbers in rows.items()}


def measure(hands: NDArray[np.uint8], deficiency: int, seed: int) -> NDArray[np.bool_]:
    """Return which hands each cell solves, one run each."""
    truth = np.full(len(hands), deficiency, np.int8)

    def solve(method: str) -> tuple[NDArray[np.bool_], NDArray[np.int32]]:
        batch = run_batch(
            read_method(method)[1],
            hands,
            seed=seed,
            method=method,
            hand_numbers=np.arange(len(hands)),
            run=0,
            targets=truth,
            stop_at_target=True,
        )
        return batch.value == truth, batch.hit_generation

    columns = []
    for population in POPULATIONS:
        is_right, hit = solve(f"ndde:population={population},generations={GENERATIONS[-1]}")
        columns += [is_right & (hit <= generations + 1) for generations in GENERATIONS]
    columns += [solve(f"{name.lower()}:population=20,generations=50")[0] for name in OTHERS]
    return np.stack(columns, axis=1)


def fit(accuracy: Floats, wanted: Floats, weights: Floats) -> Floats:
    """Return the shares, at least 0 and with sum 1, whose mixture is nearest to ``wanted``.

    Parameters
    ----------
    accuracy
        Shape (deficiencies, cells).
    wanted, weights
        Shape (cells,).
    """
    heavy = 1e4 * weights.max()  # the sum is 1
    matrix = np.vstack([(accuracy * weights).T, np.full(len(accuracy), heavy)])
    shares, _ = nnls(matrix, np.append(wanted * weights, heavy))
    return np.asarray(shares / shares.sum(), np.float64)


def method_errors(accuracy: Floats, wanted: Floats) -> Floats:
    """Return the root mean square difference of each cell's method."""
    squares = (accuracy - wanted) ** 2
    return np.array([np.sqrt(squares[method == METHODS].mean()) for method in METHODS])


def bootstrap(
    right: Right, wanted: Floats, weights: Floats, errors: Floats, *, rounds: int, rng: int
) -> Floats:
    """Return shares of resampled hands, published values and differences of methods."""
    source = np.random.default_rng(rng)
    shares = []
    for _ in range(rounds):
        accuracy = np.stack(
            [rows[source.integers(len(rows), size=len(rows))].mean(axis=0) for rows in right]
        )
        shift = dict(zip(np.unique(METHODS), source.standard_normal(4), strict=True))
        moved = source.binomial(PAPER_HANDS, wanted) / PAPER_HANDS
        moved += np.array([shift[method] for method in METHODS]) * errors
        shares.append(fit(accuracy, moved.clip(0, 1), weights))
    return np.array(shares)


def main(words: list[str] | None = None) -> None:
    """Measure, fit and print."""
    parser = argparse.ArgumentParser(description="Fit the deficiencies of the paper's hands.")
    parser.add_argument("--hands", type=int, default=5000, help="of each deficiency")
    parser.add_argument("--drawn", type=int, default=MOST, help="hands to find them in")
    parser.add_argument("--rounds", type=int, default=1000, help="of the bootstrap")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(words)
    one, deals = draw("one", options.hands, 0, options.seed)
    ours = np.stack([measure(hands, d, options.seed).mean(axis=0) for d, hands in one.items()])
    whole = np.array([deals[d] for d in one])
    errors = method_errors(whole / whole.sum() @ ours, published("one"))
    weights = 1 / errors / np.sqrt([np.count_nonzero(m == METHODS) for m in METHODS])
    print("one type, root mean square difference in points:", end="")
    print(*(f" {METHODS[cell]} {100 * errors[cell]:.1f}" for cell in AT_20_50), sep=",")
    for types in ("two", "three"):
        drawn, deals = draw(types, options.hands, options.drawn, options.seed)
        total = sum(deals.values())
        right = [measure(hands, d, options.seed) for d, hands in drawn.items()]
        accuracy = np.stack([rows.mean(axis=0) for rows in right])
        wanted = published(types)
        joint = fit(accuracy, wanted, weights)
        alone = fit(accuracy, wanted, np.where(METHODS == "NDDE", weights, 0))
        shares = bootstrap(right, wanted, weights, errors, rounds=options.rounds, rng=options.seed)
        low, high = np.quantile(shares, [0.025, 0.975], axis=0)
        print(
            f"\n| {types} types: deficiency | deals (%) | joint fit (%) | 95 % | NDDE alone (%) |"
        )
        print("|---|---:|---:|---|---:|")
        for row, d in enumerate(drawn):
            interval = f"{100 * low[row]:.1f} to {100 * high[row]:.1f}"
            cells = f"{100 * joint[row]:.1f} | {interval} | {100 * alone[row]:.1f}"
            print(f"| {d} | {100 * deals[d] / total:.2f} | {cells} |")
        print(f"\n| {types} types, (20, 50) | published | joint fit | fit to NDDE alone |")
        print("|---|---:|---:|---:|")
        for cell in AT_20_50:
            fits = [100 * float(mix @ accuracy[:, cell]) for mix in (joint, alone)]
            print(f"| {METHODS[cell]} | {100 * wanted[cell]:.1f} | {fits[0]:.1f} | {fits[1]:.1f} |")


if __name__ == "__main__":
    main()
