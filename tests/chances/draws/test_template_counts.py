"""Draws of any winning form, against the automaton of today's forms and against all subsets."""

from itertools import product
from math import comb, prod

import numpy as np
import pytest

import mjopt
from mjopt import FULL, M0, SANMA, Hand
from mjopt.chances.draws.incomplete_counts import Setting, incomplete_ways
from mjopt.chances.draws.template_counts import count_incomplete_templates
from mjopt.errors import HandError
from mjopt.hands.query import HandQuery
from mjopt.hands.rule_file import parse_rules
from mjopt.models.shortest_path import distances

FORMS = (("standard",), ("standard", "seven_pairs"), ("seven_pairs",), "all")


@pytest.mark.parametrize("seed", range(8))
def test_todays_forms_by_two_methods(seed):
    rng = np.random.default_rng(seed)
    tiles = (FULL, M0, SANMA)[seed % 3]
    called = seed % 4 % 3
    dealt = rng.permutation(np.repeat(np.arange(tiles.num_kinds), 4))
    counts, wall = (
        np.bincount(part, minlength=tiles.num_kinds).tolist()
        for part in (dealt[: 13 - 3 * called], dealt[40:70])
    )
    hand = Hand.from_counts(counts, tiles=tiles, called=called)
    query = HandQuery(hand, FORMS[seed % 4], wall)

    assert count_incomplete_templates(query, [hand.counts]) == incomplete_ways(Setting(query))


@pytest.mark.parametrize(
    ("text", "forms", "wall"),
    [
        ("123456789m123p1234s", "taiwan", "1123344s1z2z5p"),
        ("1122m1122p1122s1m", "sichuan", "12m333p123s44m"),
        ("1234567m1122334z", "half-flush", "1278m56z999p"),
        ("1234567m112233s", "full-flush", "2345m112789s"),
        ("147m258p369s1122z", "mcr.knitted_straight", "123z111m456s"),
        ("147m258p369s1122z", "mcr.honours_and_knitted", "1234567z1m"),
        ("147m258p369s1122z", "mcr.knitted_straight,mcr.honours_and_knitted", "1234567z1m"),
    ],
)
def test_new_forms_by_all_subsets_of_the_wall(text, forms, wall):
    copies = Hand.parse(wall, tiles=mjopt.get_rules(forms.split(".")[0]).tiles, partial=True).counts
    draws = mjopt.expected_draws(text, wall=copies, forms=forms)
    hand = draws.hand
    incomplete = [0] * (sum(copies) + 1)
    for drawn in product(*(range(number + 1) for number in copies)):
        held = tuple(min(4, a + b) for a, b in zip(hand.counts, drawn, strict=True))
        query = HandQuery.of_checked(hand.with_checked(held), draws.forms, (0,) * len(held))
        if min(distances(query).values()) > 0:
            ways = prod(map(comb, copies, drawn))
            incomplete[sum(drawn)] += ways

    assert list(draws.ways) == incomplete


def test_called_melds_count():
    near = mjopt.expected_draws(Hand.parse("123m123p1s", rules="taiwan", called=3))
    assert near.ways[1] == 136 - 7 - 3  # a draw of 1s wins

    flush = Hand.parse("2345m", rules="half-flush", melds=["111z", "222z", "789m"])
    assert mjopt.expected_draws(flush).quantile(0.1) is not None
    dead = Hand.parse("2345m", rules="half-flush", melds=["111z", "789m", "789s"])
    assert mjopt.expected_draws(dead).mean == float("inf")


def test_discards_are_ranked():
    rows = mjopt.rank_discards("147m258p369s11223z", forms="mcr.knitted_straight")
    assert FULL.names[rows[0].kind] == "3z"
    assert rows[0].mean < rows[1].mean


def test_jokers_and_wide_forms_are_refused_in_one_line():
    jokers = parse_rules(
        'name = "laizi"\ntiles = "136"\n[jokers]\nkinds = "5z"\n[[form]]\nmelds = 4\neyes = 1'
    )
    with pytest.raises(HandError, match="draws are not counted with jokers"):
        mjopt.expected_draws("1112345678999m", forms=jokers)
