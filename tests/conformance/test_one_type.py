"""The one-type data set: a fixed sample by default, all 118,800 hands in the slow run."""

import random
from collections import Counter

import pytest

from mjopt import Hand, deficiency, solve
from mjopt.datasets.label_file import Labeller, LabelProgram
from mjopt.models import brute_force
from mjopt.tables.suits.state_index import one_type_counts

PUBLISHED = {0: 13_259, 1: 91_065, 2: 14_386, 3: 90}


def hand_of(counts: list[int]) -> Hand:
    return Hand.from_counts([*counts, *[0] * 18])


def sample(number: int, seed: int) -> list[Hand]:
    return [hand_of(row) for row in random.Random(seed).sample(one_type_counts().tolist(), number)]


@pytest.mark.parametrize(
    ("model", "solver", "number"),
    [
        ("blockwise", "cp-sat", 100),
        ("blockwise", "highs", 60),
        ("completion", "cp-sat", 60),
        ("completion", "highs", 25),
        ("network", "highs", 12),
        ("blockwise", "cbc", 12),
    ],
)
def test_fixed_sample_agrees_with_brute_force(model: str, solver: str, number: int) -> None:
    for hand in sample(number, seed=118_800):
        found = deficiency(hand, model=model, solver=solver)
        assert found == brute_force.deficiency(hand), hand.to_text()


def test_paper_cost_is_exact_on_one_type_hands() -> None:
    for hand in sample(100, seed=14):
        assert solve(hand, model="predecomposition").value == brute_force.deficiency(hand)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "solver"),
    [("blockwise", "cp-sat"), ("blockwise", "highs"), ("predecomposition", "cp-sat")],
)
def test_all_one_type_hands_agree(model: str, solver: str) -> None:
    rows = one_type_counts().tolist()
    with Labeller(LabelProgram(model=model, solver=solver)) as labeller:
        labels = Counter(labeller.labels(map(hand_of, rows)))
    assert labels == PUBLISHED
    assert labeller.num_solved < 0.51 * len(rows)


@pytest.mark.slow
def test_all_one_type_hands_by_brute_force() -> None:
    assert Counter(brute_force.deficiency(hand_of(row)) for row in one_type_counts().tolist()) == (
        PUBLISHED
    )
