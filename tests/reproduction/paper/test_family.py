"""The characterised family of hands equals the hands that the audit finds."""

import random
from itertools import combinations

import pytest
from helpers.support import deal
from reference_implementations.paper_family import family, three_kongs_two_singles

from mjopt import M0, Hand, solve
from mjopt.models import brute_force
from mjopt.tables.lookup import label_one
from paper import audit_paper
from paper.counterexamples import in_family
from paper.report import predecomposition_of_cost


@pytest.fixture(scope="module")
def every() -> list[tuple[int, ...]]:
    return list(three_kongs_two_singles())


def near_pairs(counts: tuple[int, ...]) -> list[list[int]]:
    """Copies held of each two kinds of one suit that are at most two ranks apart."""
    held = [kind for kind in range(27) if counts[kind]]
    return [
        sorted((counts[a], counts[b]))
        for a, b in combinations(held, 2)
        if a // 9 == b // 9 and b - a <= 2
    ]


def test_listed_family_is_recognised() -> None:
    listed = set(family())
    assert len(listed) == 37_170
    assert all(in_family(counts) for counts in random.Random(1).sample(sorted(listed), 2000))


def test_family_has_37170_of_the_hands_with_three_kongs_and_two_singles(
    every: list[tuple[int, ...]],
) -> None:
    assert (len(every), sum(map(in_family, every))) == (807_300, 37_170)


def check_claims(counts: tuple[int, ...]) -> None:
    """Check the three claims of the proof for one hand."""
    near, deficiency = near_pairs(counts), label_one(counts)
    if near == [[1, 1]]:
        assert in_family(counts)
        assert deficiency == 3
    elif near:
        assert not in_family(counts)
        assert deficiency <= 2
    else:
        assert not in_family(counts)
        assert deficiency == 3


def test_claims_of_the_proof_hold_on_a_sample(every: list[tuple[int, ...]]) -> None:
    for counts in random.Random(2).sample(every, 5000):
        check_claims(counts)


@pytest.mark.slow
def test_claims_of_the_proof_hold_on_every_hand(every: list[tuple[int, ...]]) -> None:
    for counts in every:
        check_claims(counts)


def test_cost_is_one_too_low_exactly_in_the_family(every: list[tuple[int, ...]]) -> None:
    rng = random.Random(3)
    for counts in rng.sample(sorted(family()), 15) + rng.sample(every, 15):
        hand = Hand.from_counts(counts)
        cost = solve(hand, model="predecomposition").value
        assert cost == brute_force.deficiency(hand) - in_family(counts)


def test_hands_of_other_shapes_are_not_in_the_family() -> None:
    rng = random.Random(4)
    assert not any(in_family(deal(rng, M0, num_kinds=6).counts) for _ in range(200))
    assert not in_family(Hand.parse("1111m4444p77778s", partial=True).counts)


@pytest.mark.slow
def test_family_equals_the_hands_of_the_audit() -> None:
    assert set(family()) == {hand.counts for hand, _, _ in audit_paper().hands()}


def test_predecomposition_of_least_cost_is_found() -> None:
    rng = random.Random(6)
    for _ in range(25):
        hand = deal(rng, M0, suits=rng.choice([1, 2]))
        cost = solve(hand, model="predecomposition").value
        assert cost is not None
        assert predecomposition_of_cost(hand, cost).cost() == cost
        with pytest.raises(ValueError, match=f"no predecomposition costs {cost - 1}"):
            predecomposition_of_cost(hand, cost - 1)
