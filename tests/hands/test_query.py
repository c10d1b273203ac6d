"""HandQuery: validation of a hand with its unseen tiles and winning forms."""

import pickle
from functools import partial

import pytest

from mjopt import FULL, Hand
from mjopt.errors import HandError, TileError
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.classic_forms import names_of
from validation_stops import QUESTIONS, count_stops

HAND = Hand.parse("19m19p19s1234567z", tiles=FULL)


def test_forms_keep_their_order_without_duplicates() -> None:
    forms = ("thirteen_orphans", "standard", "thirteen_orphans")
    assert names_of(HandQuery(HAND, forms).forms) == ("thirteen_orphans", "standard")
    assert HandQuery(HAND, iter(forms)) == HandQuery(HAND, list(forms))
    assert names_of(HandQuery(HAND, "seven_pairs").forms) == ("seven_pairs",)


def test_unseen_tiles_default_to_all_not_held() -> None:
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


def test_query_can_be_pickled() -> None:
    query = HandQuery(HAND, ("standard", "seven_pairs"), [2] * 34)
    assert pickle.loads(pickle.dumps(query)) == query


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_hand_is_validated_once(question: str) -> None:
    """A text is validated where the question begins, a Hand where it was built."""
    text, ask = QUESTIONS[question]
    hand = Hand.parse(text)
    ask(hand)  # tables that are read once are not counted

    assert count_stops(partial(ask, text))[0] == 1
    assert count_stops(partial(ask, hand))[0] == 0


def test_forms_and_unseen_tiles_are_validated_with_the_hand() -> None:
    _, ask = QUESTIONS["deficiency"]
    more = {"forms": "riichi", "unseen": [1] * 34}

    assert count_stops(partial(ask, HAND.to_text(), **more))[0] == 1
    assert count_stops(partial(ask, list(HAND.counts), tiles="136", **more))[0] == 1
