"""The brute-force reference: published counts and agreement with exhaustive search."""

import random
from itertools import combinations

import numpy as np
import pytest
from helpers.small_forms import SMALL_FORMS, deal_hand, literal_deficiency
from helpers.support import deal

from mjopt import FULL, M0, TILE_SETS, UNREACHABLE, Hand
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.tiles import Suit, TileSet
from mjopt.models import brute_force


def test_published_counts_of_complete_hands() -> None:
    one_type = brute_force.suit_choices(M0.suits[0])
    assert [len(one_type[m, 0]) for m in range(5)] == [1, 16, 127, 627, 2098]
    assert [len(one_type[m, 1]) for m in range(5)] == [9, 135, 996, 4475, 13259]
    assert brute_force.count_complete_hands(M0) == 5_237_550
    assert brute_force.count_complete_hands(FULL) == 11_498_658
    honours = brute_force.suit_choices(FULL.suits[3])
    assert len(honours[4, 1]) == 105


def test_enumeration_lists_each_complete_hand_once() -> None:
    total = 0
    seen_in_one_type = set()
    for chunk in brute_force.complete_hands(M0):
        total += len(chunk)
        assert chunk.max() <= 4
        assert (chunk.sum(axis=1, dtype=np.int8) == 14).all()
        only_first = chunk[chunk[:, 9:].sum(axis=1) == 0]
        seen_in_one_type.update(map(bytes, only_first))
    assert total == 5_237_550
    assert len(seen_in_one_type) == 13_259


@pytest.mark.parametrize("called", [2, 3, 4])
def test_sharing_by_suit_equals_the_literal_search(called: int) -> None:
    rng = random.Random(called)
    for tiles in TILE_SETS.values():
        complete = np.concatenate(list(brute_force.complete_hands(tiles, called=called)))
        for i in range(60):
            hand = deal(rng, tiles, size=14 - 3 * called - i % 2, called=called)
            most = rng.choice([4, 4, 2, 1])
            unseen = [rng.randint(0, most) for _ in hand.counts]
            held = np.array(hand.counts, dtype=np.int8)
            missing = np.maximum(complete - held, 0)
            possible = (missing <= np.minimum(unseen, 4 - held).astype(np.int8)).all(axis=1)
            costs = missing.sum(axis=1, dtype=np.int8)[possible]
            expected = int(costs.min()) if len(costs) else UNREACHABLE
            assert brute_force.deficiency(hand, unseen=unseen) == expected


def test_short_cut_equals_search_over_all_complete_hands() -> None:
    rng = random.Random(1)
    hands = [deal(rng, M0), deal(rng, M0, suits=2), deal(rng, M0, num_kinds=5)]
    least = [99] * len(hands)
    for chunk in brute_force.complete_hands(M0):
        for i, hand in enumerate(hands):
            missing = np.maximum(chunk - np.array(hand.counts, dtype=np.int8), 0)
            least[i] = min(least[i], int(missing.sum(axis=1, dtype=np.int8).min()))
    assert least == [brute_force.deficiency(hand) for hand in hands]


def test_seven_pairs_by_suit_equal_the_literal_search() -> None:
    rng = random.Random(7)
    few = TileSet("few", (Suit("a", "low", (1, 2, 3, 4, 5)), Suit("b", "high", (6, 7, 8, 9))))
    for i in range(60):
        hand = deal(rng, few, size=14 - i % 2)
        unseen = [rng.randint(0, rng.choice([4, 2, 1])) for _ in hand.counts]
        reach = [held + min(4 - held, left) for held, left in zip(hand.counts, unseen, strict=True)]
        lacks = [max(0, 2 - held) for held in hand.counts]
        sevens = [
            sum(lacks[kind] for kind in seven)
            for seven in combinations(range(9), 7)
            if all(reach[kind] > 1 for kind in seven)
        ]
        expected = min(sevens, default=UNREACHABLE)
        assert brute_force.deficiency(hand, unseen=unseen, forms=("seven_pairs",)) == expected


def test_thirteen_orphans_equal_the_literal_search() -> None:
    rng = random.Random(13)
    names = ["1m", "9m", "1p", "9p", "1s", "9s", "1z", "2z", "3z", "4z", "5z", "6z", "7z"]
    orphans = [FULL.names.index(name) for name in names]
    targets = np.zeros((13, 34), dtype=np.int8)
    targets[:, orphans] = 1 + np.eye(13, dtype=np.int8)
    for i in range(60):
        hand = deal(rng, FULL, size=14 - i % 2)
        most = rng.choice([4, 4, 4, 3])
        unseen = [rng.randint(most > 3, most) for _ in hand.counts]
        held = np.array(hand.counts, dtype=np.int8)
        missing = np.maximum(targets - held, 0)
        possible = (missing <= np.minimum(unseen, 4 - held)).all(axis=1)
        expected = min(missing.sum(axis=1)[possible].tolist(), default=UNREACHABLE)
        assert brute_force.deficiency(hand, unseen=unseen, forms=("thirteen_orphans",)) == expected


@pytest.mark.parametrize("name", SMALL_FORMS)
def test_templates_by_suit_equal_the_literal_search(name: str) -> None:
    form, rng = SMALL_FORMS[name], random.Random(name)
    for _ in range(3):
        hand, unseen = deal_hand(rng, form)
        hand = Hand.from_counts(
            hand.counts, tiles=hand.tiles, partial=True, rules=RuleSet.of_form(form)
        )  # without called melds
        cap = (4,) * len(hand.counts) if unseen is None else unseen
        left = [min(one, other) for one, other in zip(cap, hand.unseen, strict=True)]
        expected = literal_deficiency(form.templates, form.tiles, hand.counts, left)
        assert brute_force.deficiency(hand, unseen=cap, forms=(form,)) == expected
