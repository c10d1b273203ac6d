"""Expected draws: milliseconds per hand, with the goals."""

import sys
import time
from collections.abc import Callable

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from mjopt import FULL, Hand, expected_draws, expected_draws_many, rank_discards
from mjopt.chances.draws.expected_draws import float_mean
from mjopt.chances.draws.part_ways import part_ways

FORMS = ("standard", "seven_pairs")
NUM_PAIRS = 10_000


def deal(number: int, size: int, *, most_seen: int = 0) -> tuple[list[Hand], list[list[int]]]:
    """Deal hands, and walls from which up to ``most_seen`` tiles are missing."""
    rng = np.random.default_rng(2026)
    hands, walls = [], []
    for _ in range(number):
        tiles = rng.permutation(136) // 4
        counts = np.bincount(tiles[:size], minlength=34)
        seen = int(rng.integers(0, most_seen + 1))
        walls.append(np.bincount(tiles[size + seen :], minlength=34).tolist())
        hands.append(Hand.from_counts(counts.tolist(), tiles=FULL))
    return hands, walls


@pytest.mark.parametrize("exact", [True, False], ids=["exact", "floats"])
def test_all_discards(benchmark: BenchmarkFixture, exact: bool) -> None:
    """Goals on one thread with empty caches: 100 ms exact, 20 ms in floating point."""
    hands, _ = deal(100, 14)
    rank_discards(hands[0], forms=FORMS, exact=exact)
    turn = iter(hands * 100)

    def forget() -> tuple[tuple[Hand], dict[str, object]]:
        part_ways.cache_clear()
        return (next(turn),), {"forms": FORMS, "exact": exact}

    benchmark.pedantic(rank_discards, setup=forget, rounds=100)
    goal = 100 if exact else 20
    worst, median = benchmark.stats["max"] * 1e3, benchmark.stats["median"] * 1e3
    kind = "exact" if exact else "floats"
    sys.stdout.write(f"\nall discards, {kind}: {median:.1f} ms, worst {worst:.1f} (goal {goal})")


def test_one_hand(benchmark: BenchmarkFixture) -> None:
    hands, walls = deal(100, 13, most_seen=80)
    turn = iter(list(zip(hands, walls, strict=True)) * 100)

    def forget() -> tuple[tuple[Hand], dict[str, object]]:
        part_ways.cache_clear()
        hand, wall = next(turn)
        return (hand,), {"wall": wall, "forms": FORMS}

    benchmark.pedantic(expected_draws, setup=forget, rounds=100)


@pytest.mark.parametrize("threads", [1, 2])
def test_many_pairs(threads: int) -> None:
    """Goal: ten thousand pairs within 60 s on two processors."""
    hands, walls = deal(NUM_PAIRS, 13, most_seen=80)
    calls: dict[str, Callable[[], object]] = {
        "exact": lambda: sum(
            float(draws.mean) < 1e9
            for draws in expected_draws_many(hands, walls=walls, forms=FORMS, threads=threads)
        ),
        "floats": lambda: [
            float_mean(hand, wall=wall, forms=FORMS)
            for hand, wall in zip(hands, walls, strict=True)
        ],
    }
    for name, call in calls.items():
        part_ways.cache_clear()
        start, used = time.perf_counter(), time.process_time()
        call()
        taken, cpu = time.perf_counter() - start, time.process_time() - used
        sys.stdout.write(
            f"\n{NUM_PAIRS:,} pairs, {name}, {threads} threads: {taken:.1f} s, "
            f"{cpu:.1f} s of processor time (goal 60 s on two)"
        )
