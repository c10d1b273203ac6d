"""Danger: milliseconds a query, by called melds and tiles seen."""

import sys

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from mjopt import FULL, Hand, Opponent, Position, danger
from mjopt.chances.danger.ready_counts import count_ready
from mjopt.hands.rules.rule_file import get_rules
from mjopt.hands.rules.winning_form import templates_of

SEEN = (0, 30, 60)
MELDS = ("222m", "345p", "777s")


@pytest.mark.parametrize("seen", SEEN)
@pytest.mark.parametrize("melds", range(4))
def test_count(benchmark: BenchmarkFixture, melds: int, seen: int) -> None:
    """Count the ready hands of the three forms of riichi, six kinds of them forbidden."""
    shown = Hand.parse("", tiles=FULL, melds=MELDS[:melds], partial=True).shown
    left = 4 - np.array(shown)
    tiles = np.random.default_rng(60).permutation(np.repeat(np.arange(34), left))[:seen]
    gone = np.bincount(tiles, minlength=34)
    templates = tuple(t for t in templates_of(get_rules("riichi").forms) if t.melds >= melds)
    forbidden = np.flatnonzero(gone)[:6].tolist()
    query = templates, FULL, tuple((left - gone).tolist()), melds, shown, forbidden
    count_ready(*query)
    benchmark(count_ready, *query)
    median = benchmark.stats["median"] * 1e3
    sys.stdout.write(f"\ndanger, {melds} melds, {seen} tiles seen: {median:.2f} ms")


def test_whole_answer(benchmark: BenchmarkFixture) -> None:
    """The public function with its shares as fractions, the position already read."""
    position = Position.parse("123m406p123789s11z seen=19m4z2356p")
    opponent = Opponent(discards="19m4z", passed="7s", is_ready=True)
    danger(position, opponent)
    benchmark(danger, position, opponent)
    sys.stdout.write(f"\ndanger, whole answer: {benchmark.stats['median'] * 1e3:.2f} ms")
