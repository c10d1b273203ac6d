"""Microseconds per game and per decision.

The benchmarks measure the processor time of one thread, print it with the goals and assert
nothing.
"""

import sys
import time

import numpy as np
from pytest_benchmark.fixture import BenchmarkFixture

from mjopt.play.game import GMJBG, legal_moves, shuffle_wall, start, step
from mjopt.tables.useful import judge_discards

GOAL_DECISION = 50e-6


def test_python_engine(benchmark: BenchmarkFixture) -> None:
    """One game of trivial agents (pass, discard the last tile): the cost of the rules alone."""

    def game() -> None:
        state = start(GMJBG, shuffle_wall(1, 5, GMJBG.tiles))
        while not state.is_over:
            state = step(state, legal_moves(state)[-1])

    benchmark(game)


def test_decisions_by_the_tables(benchmark: BenchmarkFixture) -> None:
    """One decision per call, as in an agent; and many hands in one call."""
    rng = np.random.default_rng(2)
    order = rng.random((2000, 136)).argpartition(14, axis=1)[:, :14]
    hands = np.zeros((2000, 34), np.uint8)
    np.add.at(hands, (np.arange(2000)[:, None], order // 4), 1)
    unseen = 4 - hands
    rows = [tuple(hand) for hand in hands[:500].tolist()]
    left = [tuple(hand) for hand in unseen[:500].tolist()]
    judge_discards(hands, unseen)
    begin = time.process_time()
    judge_discards(hands, unseen)
    together = (time.process_time() - begin) / len(hands)
    begin = time.process_time()
    benchmark.pedantic(
        lambda: [judge_discards(row, rest) for row, rest in zip(rows, left, strict=True)], rounds=5
    )
    alone = (time.process_time() - begin) / 5 / len(rows)
    sys.stdout.write(
        f"\n{alone * 1e6:.1f} us a decision, {together * 1e6:.1f} us in a batch "
        f"(goal {GOAL_DECISION * 1e6:.0f})"
    )
