"""HandQuery: what is asked about a hand, checked once at the door."""

import pickle

import pytest

from mjopt import FULL, Hand
from mjopt.errors import HandError, TileError
from mjopt.hands.query import HandQuery

HAND = Hand.parse("19m19p19s1234567z", tiles=FULL)


def test_forms_stand_in_order_and_once() -> None:
    forms = ("thirteen_orphans", "standard", "thirteen_orphans")
    assert HandQuery(HAND, forms).forms == ("thirteen_orphans", "standard")
    assert HandQuery(HAND, iter(forms)) == HandQuery(HAND, list(forms))
    assert HandQuery(HAND, "seven_pairs").forms == ("seven_pairs",)


def test_unseen_tiles_are_what_the_hand_leaves_at_most() -> None:
    assert HandQuery(HAND).unseen == HAND.unseen
    assert not HandQuery(HAND, unseen=[4] * 34).is_limited
    limited = HandQuery(HAND, unseen=[1] * 34)
    assert limited.is_limited
    assert limited.reach == tuple(held + 1 for held in HAND.counts)


@pytest.mark.parametrize("forms", [(), ("standard", "knitted")])
def test_unknown_forms_are_refused(forms: tuple[str, ...]) -> None:
    with pytest.raises(HandError, match="expected"):
        HandQuery(HAND, forms)


@pytest.mark.parametrize("unseen", [[1] * 27, [5] * 34, [-1] * 34])
def test_impossible_unseen_tiles_are_refused(unseen: list[int]) -> None:
    with pytest.raises(TileError, match="unseen"):
        HandQuery(HAND, unseen=unseen)


def test_it_travels_between_processes() -> None:
    query = HandQuery(HAND, ("standard", "seven_pairs"), [2] * 34)
    assert pickle.loads(pickle.dumps(query)) == query
