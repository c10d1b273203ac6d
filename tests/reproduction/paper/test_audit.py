"""The audit of the paper: totals, listed hands, and samples computed by other methods."""

import random
from collections import Counter
from itertools import islice
from math import comb

import pytest

from mjopt import M0, Hand, solve
from mjopt.hands.symmetry import canonical_counts
from mjopt.models import brute_force
from mjopt.models.predecomposition import PredecompositionModel as PaperModel
from mjopt.models.solvers.registry import default_solver
from paper import PaperAudit, audit_paper

M0_HANDS = 21_310_147_575


@pytest.fixture(scope="module")
def audit() -> PaperAudit:
    return audit_paper()


@pytest.fixture(scope="module")
def listed(audit: PaperAudit) -> list[tuple[Hand, int, int]]:
    return list(audit.hands())


@pytest.fixture(scope="module")
def without_case_2(audit: PaperAudit) -> list[tuple[tuple[int, ...], int, int, int]]:
    return list(audit.different())


def test_audit_covers_all_hands_and_deals(audit: PaperAudit) -> None:
    assert audit.num_hands == M0_HANDS
    assert audit.num_deals == comb(108, 14)
    assert sum(o.hands for o in audit.without_case_2) == M0_HANDS


def test_complete_hands_and_largest_deficiency(audit: PaperAudit) -> None:
    by_value = Counter[int]()
    for outcome in audit.with_case_2:
        by_value[outcome.deficiency] += outcome.hands
    assert by_value[0] == brute_force.count_complete_hands(M0) == 5_237_550
    assert max(by_value) == 6


def test_numbers_of_hands_with_a_wrong_cost(audit: PaperAudit) -> None:
    different = [o for o in audit.with_case_2 if o.cost != o.deficiency]
    assert [(o.deficiency, o.cost, o.hands) for o in different] == [(3, 2, 37_170)]
    without = [o for o in audit.without_case_2 if o.cost != o.deficiency]
    assert [(o.deficiency, o.cost, o.hands) for o in without] == [(2, 1, 161_661), (3, 2, 37_170)]
    assert audit.num_different == 37_170
    assert audit.deal_probability == pytest.approx(4.256e-12, rel=1e-3)


def test_wrong_hands_are_listed_once(listed: list[tuple[Hand, int, int]]) -> None:
    hands = [hand for hand, _, _ in listed]
    assert len({hand.counts for hand in hands}) == len(hands) == 37_170
    assert all(sorted(hand.counts)[-5:] == [1, 1, 4, 4, 4] for hand in hands)
    known = Hand.parse("B3333 C222267 D7777", notation="paper")
    assert known.counts in {hand.counts for hand in hands}
    assert len({canonical_counts(hand.counts, M0) for hand in hands}) == 1_243


def test_listed_hands_agree_with_brute_force_and_solvers(
    listed: list[tuple[Hand, int, int]],
    without_case_2: list[tuple[tuple[int, ...], int, int, int]],
) -> None:
    for hand, deficiency, cost in random.Random(1).sample(listed, 25):
        assert brute_force.deficiency(hand) == deficiency
        assert solve(hand, model="completion").value == deficiency
        assert solve(hand, model="predecomposition").value == cost
    model = PaperModel(special_case_2=False)
    for counts, deficiency, _, cost in random.Random(2).sample(without_case_2, 25):
        hand = Hand.from_counts(counts)
        assert brute_force.deficiency(hand) == deficiency
        assert default_solver().solve(model.build(hand)).objective == cost


def test_listed_hands_match_the_counts(
    audit: PaperAudit, without_case_2: list[tuple[tuple[int, ...], int, int, int]]
) -> None:
    first = [(hand.counts, cost) for hand, _, cost in islice(audit.hands(special_case_2=False), 99)]
    assert first == [(counts, cost) for counts, _, _, cost in without_case_2[:99]]
    number = sum(o.hands for o in audit.without_case_2 if o.cost != o.deficiency)
    assert len(without_case_2) == len(set(without_case_2)) == number


def test_one_type_hands_without_special_case_2_are_the_published_88(
    without_case_2: list[tuple[tuple[int, ...], int, int, int]],
) -> None:
    """The paper reports 88 such hands of one suit."""
    one_type = [
        cost
        for counts, _, _, cost in without_case_2
        if sum(any(counts[part]) for part in M0.slices) == 1
    ]
    assert one_type == [1] * (88 * 3)


def test_random_joins_agree_with_brute_force_and_a_solver(audit: PaperAudit) -> None:
    """Hands are built from random suit classes, so that rare classes occur."""
    rng = random.Random(3)
    checked = 0
    while checked < 60:
        row = rng.randrange(len(audit.pairs))
        which = int(audit.pair_class[row])
        fitting = [c for c in range(len(audit.members)) if audit.values[which, c, 0] >= 0]
        third = rng.choice(fitting)
        a, b = audit.pairs[row].tolist()
        counts = [
            number
            for k in (a, b, third)
            for number in audit.states[rng.choice(audit.members[k].tolist())].tolist()
        ]
        deficiency, cost, _ = audit.values[which, third].tolist()
        hand = Hand.from_counts(counts)
        assert brute_force.deficiency(hand) == deficiency, hand.to_text()
        assert solve(hand, model="predecomposition").value == cost, hand.to_text()
        checked += 1


@pytest.mark.slow
def test_every_join_of_three_classes_agrees_with_solvers(audit: PaperAudit) -> None:
    pair_of = {which: row for row, which in enumerate(audit.pair_class.tolist())}
    for which in range(audit.values.shape[0]):
        a, b = audit.pairs[pair_of[which]].tolist()
        for third in range(len(audit.members)):
            deficiency, cost, _ = audit.values[which, third].tolist()
            if deficiency < 0:
                continue
            counts = [n for k in (a, b, third) for n in audit.states[audit.members[k][0]].tolist()]
            hand = Hand.from_counts(counts)
            assert solve(hand).value == deficiency, hand.to_text()
            assert solve(hand, model="predecomposition").value == cost, hand.to_text()
