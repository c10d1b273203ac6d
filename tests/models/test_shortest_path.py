"""Shortest paths through the networks of templates, against all complete hands."""

import random

import pytest
from helpers.small_forms import SMALL_FORMS, deal_hand, literal_deficiency

from mjopt.hands.query import HandQuery
from mjopt.models.shortest_path import distances


@pytest.mark.parametrize("name", ["two_jokers", "laizi", "jokers_in_threes"])
def test_distances_of_forms_with_jokers_match_enumeration(name: str) -> None:
    form, rng = SMALL_FORMS[name], random.Random(name)
    values = set()
    for _ in range(12):
        hand, unseen = deal_hand(rng, form)
        query = HandQuery(hand, (form,), unseen, general=True)
        melds = [meld.kinds for meld in hand.melds]
        expected = literal_deficiency(
            form.templates, hand.tiles, hand.counts, query.unseen, hand.called, melds
        )
        assert distances(query) == {form: expected}
        values.add(expected)
    assert len(values) > 2
