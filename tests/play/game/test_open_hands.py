"""Open hands of riichi: the distance to a yaku, with called melds that are part of it."""

import pytest

from mjopt import Hand
from mjopt.hands.tiles import FULL
from mjopt.play.game.open_hands import open_distance, rate_open_discards, value_kinds

EAST = value_kinds(0, 0, 0)  # the dealer in an east round: east and dragons


@pytest.mark.parametrize(
    ("text", "melds", "missing"),
    [
        ("23m55s", "777z 123p 456s", 1),  # red dragons: any hand wins
        ("23m55s", "111z 123p 456s", 1),  # east counts for the dealer
        ("23m55s", "333z 123p 456s", 3),  # west does not: a pong of dragons in place of 23m
        ("34m55s", "678m 234p 456s", 1),  # all simples
        ("23m55s", "678m 234p 456s", 1),  # with 4m; 1m has no yaku
        ("55m11z", "222m 999p 1111s", 1),  # all pongs, a kong among them
        ("55z89m", "123m 456m 111m", 1),  # one suit with honours
        ("12m55s", "123p 123s 999m", 1),  # three colours
        ("79m55s", "123m 456m 999p", 1),  # straight
        ("79m55s", "234m 456m 999p", 3),  # 234m is no part of it
        ("77z23m559s", "456p 123s", 2),  # a pong of red dragons to come
    ],
)
def test_distance(text, melds, missing):
    hand = Hand.parse(text, tiles=FULL, melds=melds.split())
    assert open_distance(hand.counts, hand.melds, EAST, hand.unseen) == missing


def test_copies_that_are_gone_leave_no_yaku():
    hand = Hand.parse("77z23m559s", tiles=FULL, melds=["456p", "123s"])
    unseen = list(hand.unseen)
    unseen[33] = 0
    assert open_distance(hand.counts, hand.melds, EAST, tuple(unseen)) == 4


def test_discards_are_rated_by_the_nearest_form():
    hand = Hand.parse("34m55s9p", tiles=FULL, melds=["678m", "234p", "456s"])
    rated = rate_open_discards(hand.counts, hand.melds, EAST, hand.unseen, [2, 3, 17, 22])
    assert min(rated, key=rated.get) == 17
    assert rated[17] == (1, -8)  # 2m and 5m
    assert rated[2][0] == 2
