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
from mjopt.hands.tiles import Suit, TileSet
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


@pytest.mark.parametrize("names", ["ab", "abcde"])
def test_any_number_of_suits_by_two_methods(names):
    """The last suits together count as one; missing ones are empty."""
    rng = np.random.default_rng(len(names))
    tiles = TileSet("small", tuple(Suit(name, name, (1, 2, 3)) for name in names))
    for _ in range(4):
        dealt = rng.permutation(np.repeat(np.arange(tiles.num_kinds), 4))
        counts, wall = (
            np.bincount(part, minlength=tiles.num_kinds).tolist()
            for part in (dealt[:7], dealt[7:15])
        )
        hand = Hand.from_counts(counts, tiles=tiles, called=2)
        query = HandQuery(hand, ("standard",), wall)

        assert count_incomplete_templates(query, [hand.counts]) == incomplete_ways(Setting(query))


def incomplete_by_all_subsets(hand: Hand, forms, wall):
    """Count the draws that leave a hand incomplete, each judged by the shortest path."""
    incomplete = [0] * (sum(wall) + 1)
    for drawn in product(*(range(number + 1) for number in wall)):
        held = tuple(min(4, a + b) for a, b in zip(hand.counts, drawn, strict=True))
        query = HandQuery.of_checked(hand.with_checked(held), forms, (0,) * len(held))
        if min(distances(query).values()) > 0:
            incomplete[sum(drawn)] += prod(map(comb, wall, drawn))
    return incomplete


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
        # With 369p for 258p there are a pong and an eye, but 258s are missing.
        ("147m258p369s1122z", "mcr.knitted_straight", "356889p"),
        ("147m258p369s1122z", "mcr", "2z13m46s"),
        ("147m258p39s12345z", "mcr", "67z1m36s"),
        ("1133m1133p1133s1z", "mcr", "12m1p3s1z"),
        ("19m19p19s1234567z", "mcr", "1z2m14p5s"),
    ],
)
def test_new_forms_by_all_subsets_of_the_wall(text, forms, wall):
    copies = Hand.parse(wall, tiles=mjopt.get_rules(forms.split(".")[0]).tiles, partial=True).counts
    draws = mjopt.expected_draws(text, wall=copies, forms=forms)

    assert list(draws.ways) == incomplete_by_all_subsets(draws.hand, draws.forms, copies)


@pytest.mark.parametrize("seed", range(4))
def test_all_forms_of_mcr_by_all_subsets_of_random_walls(seed):
    rng = np.random.default_rng(seed)
    near = "1m 1m 2m 3m 6m 7m 8m 1p 2p 4p 5p 7p 8p 3s 6s 9s 2z 2z 3z 3z"  # all forms are near
    some = rng.permutation([FULL.names.index(name) for name in near.split()])
    called = seed % 3
    size = 13 - 3 * called
    counts, wall = (np.bincount(part, minlength=34) for part in (some[:size], some[size:][:5]))
    hand = Hand.from_counts(counts.tolist(), rules="mcr", called=called)
    draws = mjopt.expected_draws(hand, wall=wall.tolist())

    assert list(draws.ways) == incomplete_by_all_subsets(hand, draws.forms, wall.tolist())


def test_every_discard_of_mcr_is_counted_like_the_hand_after_it():
    hand = Hand.parse("1147m258p369s1123z", rules="mcr")
    wall = "12z5p6s"
    for row in mjopt.rank_discards(hand, wall=wall):
        assert row.draws == mjopt.expected_draws(row.hand, wall=wall)


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


def test_called_melds_leave_fewer_templates():
    wide = parse_rules(WIDE + 'distinct = 14\nof = "147a258b369c1234567z"\n')
    wall = "123z"
    assert (
        mjopt.expected_draws(Hand.parse("123m1z", rules=wide, called=3), wall=wall).ways
        == mjopt.expected_draws(Hand.parse("123m1z", called=3), wall=wall, forms="standard").ways
    )


WIDE = """name = "wide"
tiles = "136"

[[form]]
name = "standard"
melds = 4
eyes = 1

[[form]]
name = "steps"
fixed = "11a22b33c"
pairs = 4
shift = true

[[form]]
name = "knitted"
"""


@pytest.mark.parametrize(
    "ask",
    [
        mjopt.expected_draws,
        mjopt.rank_discards,
        mjopt.optimal_play,
        mjopt.advise,
    ],
)
def test_jokers_and_wide_forms_are_refused_in_one_line(ask):
    jokers = parse_rules(
        'name = "laizi"\ntiles = "136"\n[jokers]\nkinds = "5z"\n[[form]]\nmelds = 4\neyes = 1'
    )
    wide = parse_rules(WIDE + 'distinct = 14\nof = "147a258b369c1234567z"\n')
    with pytest.raises(HandError, match=r"laizi: .* are not counted with jokers; .*--forms"):
        ask(Hand.parse("1112345678999m1p", rules=jokers))
    with pytest.raises(
        HandError, match=r"not counted for 49 templates at once, expected at most 24; .*--forms"
    ):
        ask(Hand.parse("1112345678999m1p", rules=wide))
