"""Time to create and check certificates, and to write the formats of other checkers."""

import numpy as np
import pytest
from helpers.types_deal import types_deal
from pytest_benchmark.fixture import BenchmarkFixture

from mjopt import FULL, Certificate, Hand, certify, certify_many
from mjopt.analysis.formats import to_opb, to_vipr

NUM_HANDS = 200
NUM_MANY = 10_000  # a tenth of the size in the speed goal


def hands(number: int = NUM_HANDS) -> list[Hand]:
    return list(types_deal(3, number, rng=np.random.default_rng(2023)))


def full_hand() -> Certificate:
    return certify(Hand.parse("245568m245568p77s", tiles=FULL))


def per_hand(benchmark: BenchmarkFixture, number: int = NUM_HANDS) -> None:
    benchmark.extra_info["hands"] = number
    benchmark.extra_info["ms_a_hand"] = benchmark.stats["median"] * 1000 / number


def test_certify(benchmark: BenchmarkFixture) -> None:
    drawn = hands()
    benchmark.pedantic(lambda: [certify(hand) for hand in drawn], rounds=5, warmup_rounds=1)
    per_hand(benchmark)


def test_verify(benchmark: BenchmarkFixture) -> None:
    made = [certify(hand) for hand in hands()]
    benchmark.pedantic(lambda: [cert.verify() for cert in made], rounds=5, warmup_rounds=1)
    per_hand(benchmark)


def test_write_json(benchmark: BenchmarkFixture) -> None:
    made = [certify(hand) for hand in hands()]
    benchmark.pedantic(lambda: [cert.to_json() for cert in made], rounds=5, warmup_rounds=1)
    per_hand(benchmark)


def test_read_and_verify_json(benchmark: BenchmarkFixture) -> None:
    texts = [certify(hand).to_json() for hand in hands()]
    benchmark.pedantic(
        lambda: [Certificate.from_json(text) for text in texts], rounds=5, warmup_rounds=1
    )
    per_hand(benchmark)


@pytest.mark.parametrize("jobs", [1, 2])
def test_many(benchmark: BenchmarkFixture, jobs: int) -> None:
    drawn = hands(NUM_MANY)
    benchmark.pedantic(lambda: sum(1 for _ in certify_many(drawn, jobs=jobs)), rounds=1)
    per_hand(benchmark, NUM_MANY)


def test_write_vipr(benchmark: BenchmarkFixture) -> None:
    made = full_hand()
    benchmark.pedantic(lambda: to_vipr(made), rounds=5, warmup_rounds=1)


def test_write_opb(benchmark: BenchmarkFixture) -> None:
    made = full_hand()
    benchmark.pedantic(lambda: to_opb(made), rounds=5, warmup_rounds=1)
