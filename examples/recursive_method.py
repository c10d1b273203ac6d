"""
The recursive method
====================

Li and Yan (2019) found all hands of deficiency k before those of k + 1. Here this is
done for all 118,800 hands of one suit, and then timed beside the other ways to the same numbers.

Usage: python examples/recursive_method.py [HANDS]
"""

import sys
import time

import numpy as np

import mjopt
from mjopt import M0, TileSet
from mjopt.datasets import read_recipe
from mjopt.heuristics import deficiency_levels, get_heuristic, run_batch

METHODS = ("recursive", "tree-search", "ndde")


def show(method: str, seconds: float, hands: int, right: float) -> None:
    print(f"{method:22} {1e6 * seconds / hands:10.2f} {right:9.2%}")


def main(number: int | str = 500) -> None:
    suit, every = TileSet("one suit", M0.suits[:1]), read_recipe("one-type").counts()
    deficiency_levels(suit, called=3)  # load the kernels before the time is measured
    mjopt.label(every)

    start = time.process_time()
    levels = deficiency_levels(suit)
    all_levels = time.process_time() - start
    print("hands by deficiency:", *levels.counts)

    start = time.process_time()
    table = mjopt.label(every)
    look_up = time.process_time() - start
    print(f"\n{'method':22} {'us a hand':>10} {'right':>9}")
    show("recursive, all hands", all_levels, len(every), (levels.levels == table).mean())
    show("look-up table", look_up, len(every), 1.0)

    rng = np.random.default_rng(0)
    some = np.sort(rng.choice(len(every), int(number), replace=False))
    for name in METHODS:
        method = get_heuristic(name)
        for hands in (some[:1], some):  # the first call loads the kernels
            start = time.process_time()
            found = run_batch(method, every[hands], seed=0, method=name, hand_numbers=hands, run=0)
            seconds = time.process_time() - start
        show(f"{name}, one by one", seconds, len(some), (found.value == table[some]).mean())


if __name__ == "__main__":
    main(*sys.argv[1:2])
