"""Label the paper's hands and its one-type dataset, the main use of the package.

Run it with ``make demo``; ``make demo-full`` labels all 118,800 one-type hands.
"""

import os
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.table import Table

from mjopt import FULL, SOLVERS, Hand, decompositions, deficiency, solve
from mjopt.datasets import read_recipe

# Yan and Li (2023): H of section 2.1, H1..H6 of section 4.2.2.
PAPER_HANDS = {
    "H": "B1B2B3B3B3B8B8B8C4C5C6D6D7D8",
    "H1": "B4B4B6B6B6B7B7B7B7B8B9B9B9B9",
    "H2": "B3B5B5B5B5B6B6B6B7B7B8B8B9B9",
    "H3": "B1B2B4B5B5C2C3C3C3C4C4C5C7C7",
    "H4": "B4C1C1C3C4C4C4C4C5C7C8C8C9C9",
    "H5": "B4B6C5C7C8C9D1D1D2D2D3D7D7D8",
    "H6": "B3C9D1D4D5D6D6D6D7D7D8D8D9D9",
}
MODELS = ("blockwise", "completion", "network")
PUBLISHED_SPLIT = {0: 13_259, 1: 91_065, 2: 14_386, 3: 90}


def show_paper_hands(console: Console) -> None:
    table = Table(title="The paper's hands under every formulation and solver: deficiency")
    table.add_column("hand")
    table.add_column("tiles")
    solvers = [name for name, kind in SOLVERS.items() if kind().available()]
    for model in MODELS:
        table.add_column(f"{model}\n{' / '.join(solvers)}", justify="center")
    table.add_column("paper's cost\n(Eq. 8)", justify="center")
    for name, text in PAPER_HANDS.items():
        hand = Hand.parse(text, notation="paper")
        cells = [
            " / ".join(str(deficiency(hand, model=model, solver=solver)) for solver in solvers)
            for model in MODELS
        ]
        cost = solve(hand, model="predecomposition").value
        table.add_row(name, hand.to_text("unicode") + "  " + hand.to_text(), *cells, str(cost))
    console.print(table)


def show_decompositions(console: Console) -> None:
    for text in (PAPER_HANDS["H"], "B1B1B1B2B2B2B3B3B3B4B4B4B5B5"):
        hand = Hand.parse(text, notation="paper")
        ways = decompositions(hand)
        count = "one way" if len(ways) == 1 else f"{len(ways)} ways"
        console.print(f"\n[bold]{hand.to_text()}[/bold] wins in {count} (set partition):")
        for blocks in ways:
            console.print("   ", "  ".join(block.text(hand.tiles) for block in blocks))


def show_target(console: Console) -> None:
    hand = Hand.parse("4569m13445788p2s4z", tiles=FULL)
    answer = solve(hand)

    def drawn(counts: tuple[int, ...]) -> str:
        tiles = Hand.from_counts(counts, tiles=FULL, partial=True)
        return f"{tiles.to_text('unicode')}  {tiles.to_text()}"

    console.print(f"\n[bold]{hand.to_text()}[/bold] needs {answer.value} tiles:")
    for what, counts in (
        ("hand", hand.counts),
        ("draw", answer.draws),
        ("discard", answer.discards),
        ("target", answer.target or ()),
    ):
        console.print(f"    {what:<8}{drawn(counts)}")
    blocks = "  ".join(block.text(hand.tiles) for block in answer.blocks)
    console.print(f"    {'blocks':<8}{blocks}")


def label_one_type(console: Console, hands: list[Hand], jobs: int) -> Counter[int]:
    columns = ("[progress.description]{task.description}", BarColumn(), MofNCompleteColumn())
    begun = time.perf_counter()
    labels: Counter[int] = Counter()
    # A hand and its mirror image have the same deficiency.
    suits = Counter(min(hand.counts[:9], hand.counts[8::-1]) for hand in hands)
    twins = [Hand.from_counts([*suit, *[0] * 18]) for suit in suits]
    with (
        ProcessPoolExecutor(jobs, get_context("spawn")) as workers,
        Progress(*columns, TimeRemainingColumn(), console=console) as progress,
    ):
        task = progress.add_task("one-type hands by integer program", total=len(hands))
        solved = workers.map(partial(deficiency, model="blockwise"), twins, chunksize=50)
        for label, number in zip(solved, suits.values(), strict=True):
            labels[label] += number
            progress.advance(task, number)
    seconds = time.perf_counter() - begun
    console.print(
        f"{len(hands):,} hands, {len(twins):,} solved (a hand and its mirror image are "
        f"one), {seconds:.1f} s on {jobs} processes"
    )
    return labels


def show_one_type(console: Console, *, full: bool, number: int = 2_000) -> None:
    console.print()
    suits = read_recipe("one-type").counts()[:, :9]
    if not full:
        picked = np.random.default_rng(0).choice(len(suits), size=number, replace=False)
        suits = suits[np.sort(picked)]
    hands = [Hand.from_counts([*suit, *[0] * 18]) for suit in suits.tolist()]
    labels = label_one_type(console, hands, os.cpu_count() or 1)
    table = Table(title="One-type hands by deficiency")
    for column in ("deficiency", "these hands", "share", "all 118,800 (published)", "share "):
        table.add_column(column, justify="right")
    everything = sum(PUBLISHED_SPLIT.values())
    for value, published in PUBLISHED_SPLIT.items():
        shares = (f"{labels[value] / len(hands):.2%}", f"{published / everything:.2%}")
        table.add_row(str(value), f"{labels[value]:,}", shares[0], f"{published:,}", shares[1])
    console.print(table)
    if full and dict(labels) != PUBLISHED_SPLIT:
        sys.exit("the labels do not agree with the published split")


def main(*, full: bool = False, number: int = 2_000) -> None:
    console = Console(width=None if sys.stdout.isatty() else 140)
    show_paper_hands(console)
    show_decompositions(console)
    show_target(console)
    show_one_type(console, full=full, number=number)


if __name__ == "__main__":
    main(full="--full" in sys.argv[1:])
