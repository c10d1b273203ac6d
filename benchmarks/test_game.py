"""Microseconds a game and a decision: whole games, walls, the tables' discards.

Processor time is measured, in one thread: a busy machine is no fault of ours, and
nothing is asserted. The goals stand beside the figures.
"""

import sys
import time

import numpy as np
from pytest_benchmark.fixture import BenchmarkFixture

from mjopt.game import GMJBG, legal_moves, shuffle_wall, start, step
from mjopt.game.fast import judge_discards, play_games
from mjopt.game.fast._philox import shuffle

NUM_GAMES = 20_000
SEATS = ("l1", "l3", "l1", "l2")
GOAL_GAME = 2 * 15 * 60 / 1e6  # seconds of one core: a million games, 15 minutes, two cores
GOAL_DECISION = 50e-6


def test_whole_games(benchmark: BenchmarkFixture) -> None:
    play_games(SEATS, seed=1, count=1)
    begin = time.process_time()
    benchmark.pedantic(play_games, (SEATS,), {"seed": 1, "count": NUM_GAMES}, rounds=3)
    each = (time.process_time() - begin) / 3 / NUM_GAMES
    benchmark.extra_info["us_per_game"] = each * 1e6
    sys.stdout.write(
        f"\n{each * 1e6:.1f} us a game, a million in {each * 1e6 / 60:.1f} minutes of one core "
        f"({GOAL_GAME / each:.0f} times as fast as the goal)"
    )


def test_recorded_games(benchmark: BenchmarkFixture) -> None:
    def lines() -> int:
        batch = play_games(SEATS, seed=1, count=500, record=True)
        return sum(len(line) for line in batch.lines())

    size = benchmark(lines)
    sys.stdout.write(f"\n{size / 500:.0f} characters a game")


def test_walls(benchmark: BenchmarkFixture) -> None:
    wall = np.empty(136, np.uint8)

    def many() -> None:
        for game in range(1000):
            shuffle(np.uint64(1), np.uint64(game), wall)

    benchmark(many)


def test_python_engine(benchmark: BenchmarkFixture) -> None:
    """One game of seats that pass and throw the last tile: the cost of the rules alone."""

    def game() -> None:
        state = start(GMJBG, shuffle_wall(1, 5, GMJBG.tiles))
        while not state.is_over:
            state = step(state, legal_moves(state)[-1])

    benchmark(game)


def test_decisions_by_the_tables(benchmark: BenchmarkFixture) -> None:
    """One decision a call, as an agent asks; and many hands in one call."""
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
