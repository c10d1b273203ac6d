"""Hands: sizes, called melds, unseen tiles and red fives; one-line errors for bad input."""

import numpy as np
import pytest
from helpers.support import hands
from hypothesis import given

from mjopt import FULL, M0, TILE_SETS, Hand, TileSet
from mjopt.errors import HandError, MjoptError, TileError
from mjopt.hands.blocks import chow, kong, pong


def test_attributes_of_a_parsed_hand() -> None:
    hand = Hand.parse("123m406p123789s11z", tiles=FULL)
    assert hand.num_tiles == 14
    assert hand.is_full
    assert hand.to_text() == "123m406p123789s11z"
    assert Hand.parse("B1B2B3B3B3B8B8B8C4C5C6D6D7D8", notation="paper").tiles == M0
    assert Hand.from_counts([1] * 13 + [0] * 21).tiles == FULL


def test_red_fives_accept_any_integer_type() -> None:
    held = Hand.parse("0m123456789p1122s", tiles=M0)
    assert Hand(counts=held.counts, tiles=M0, red=np.array(held.red)) == held


def test_hand_with_honours_is_full() -> None:
    assert Hand.parse("1112345678999m1p").tiles is M0
    assert Hand.parse("123456m789p1146s1z").tiles is FULL
    assert Hand.parse("123m1s", melds=["111z", "234p", "777s"]).tiles is FULL
    assert Hand.parse("E S W N P F C", notation="mjai", partial=True).tiles is FULL
    for name in ("136", "full", "FULL", " Full ", 136, FULL):
        assert Hand.parse("1112345678999m1p", tiles=name).tiles is FULL  # type: ignore[arg-type]
    for name in ("m0", "M0", "108", M0):
        assert Hand.parse("1112345678999m1p", tiles=name).tiles is M0


def test_tile_set_of_counts_is_inferred_from_their_length() -> None:
    short, honours = [2] * 7 + [0] * 20, [2] + [0] * 32 + [3]
    long = [*short, *[0] * 7]
    assert Hand.from_counts(short).tiles is M0
    assert Hand.from_counts(long).tiles is FULL
    assert Hand.from_counts(long, tiles="m0") == Hand.from_counts(short)
    assert Hand.from_counts(short, tiles="136") == Hand.from_counts(long)
    assert Hand.from_counts(honours, called=3).tiles is FULL
    with pytest.raises(TileError, match="3 copies of 7z, but M0 has no 7z"):
        Hand.from_counts(honours, tiles="m0", called=3)


def test_red_fives_are_kept_but_equal_plain_fives() -> None:
    hand = Hand.parse("055m", partial=True)
    assert hand.counts[4] == 3
    assert hand.red[4] == 1
    assert hand.to_text() == "055m"


@pytest.mark.parametrize("called", range(5))
@pytest.mark.parametrize("before_draw", [0, 1])
def test_size_depends_on_called_melds(called: int, before_draw: int) -> None:
    size = 14 - 3 * called - before_draw
    counts = [1] * size + [0] * (27 - size)
    assert Hand.from_counts(counts, called=called).is_full == (not before_draw)
    for wrong in (size - 2 + before_draw, size + 1 + before_draw):
        with pytest.raises(HandError, match=f"{wrong} tiles, expected"):
            Hand.from_counts([1] * wrong + [0] * (27 - wrong), called=called)


def test_partial_hands_hold_at_most_a_full_hand() -> None:
    assert Hand.parse("1m", partial=True).num_tiles == 1
    with pytest.raises(HandError, match="15 tiles, expected at most 14"):
        Hand.parse("111122223333444m", partial=True)


@pytest.mark.parametrize("tiles", TILE_SETS.values(), ids=lambda tiles: tiles.name)
def test_hand_with_one_tile_more_or_fewer(tiles: TileSet) -> None:
    hand = Hand.parse("99m1s", tiles=tiles, partial=True, melds=["1111m"])
    nine, one = (tiles.names.index(name) for name in ("9m", "1s"))
    changed = [
        hand.with_one(kind, by).to_text()
        for kind, by in ((nine, 1), (nine, -1), (one, 1), (one, -1))
    ]
    assert changed == ["999m1s", "9m1s", "99m11s", "99m"]
    assert hand.with_one(nine, -1).melds == hand.with_one(nine, 1).melds == hand.melds
    for kind in (nine, one):
        counts = [copies - (k == kind) for k, copies in enumerate(hand.counts)]
        fewer = hand.with_one(kind, -1)
        assert fewer == hand.with_counts(counts)
        assert fewer.partial
    with pytest.raises(MjoptError, match="-1"):
        hand.with_one(tiles.names.index("2p"), -1)


@pytest.mark.parametrize("tiles", TILE_SETS.values(), ids=lambda tiles: tiles.name)
@pytest.mark.parametrize("called", range(5))
def test_hand_in_the_full_set_names_the_same_tiles(tiles: TileSet, called: int) -> None:
    """Counts, red fives and called melds, chows and kongs among them, in every tile set."""
    melds = ["1111m", "9999m", "234p", "7777s"][:called]
    hand = Hand.parse("0p1s", tiles=tiles, melds=melds, partial=True)
    full = hand.in_full()
    assert full.tiles is FULL
    assert full.to_text() == "0p1s"
    assert [meld.text(FULL) for meld in full.melds] == melds
    assert full.called == called


def test_named_called_melds_are_not_unseen() -> None:
    hand = Hand.parse("11m12345p", melds=["234p", "7777s"], partial=True)
    assert hand.called == 2
    assert hand.melds == (chow(10), kong(24))
    assert hand.unseen[9:15] == (3, 2, 2, 2, 3, 4)
    assert hand.unseen[24] == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"text": "11m", "called": 5}, "5 called melds, expected 0..4"),
        ({"text": "11m", "melds": ["13m"], "partial": True}, "expected a chow, a pong or a kong"),
        ({"text": "11m", "melds": ["891m"], "partial": True}, "expected a chow, a pong or a kong"),
        ({"text": "11m", "melds": ["111m"], "partial": True}, "2 of 1m held and 3 called"),
        ({"text": "11m", "melds": ["222m"], "called": 2}, "1 melds named but 2 called"),
        ({"text": "1234567m"}, "7 tiles: 13 less two called melds, expected called 2"),
        ({"text": "1234567m", "called": 1}, "7 tiles, expected 11 or 10 with 1 called"),
        ({"text": "123456789m12p"}, "^11 tiles: 14 less one called meld, expected called 1$"),
        ({"text": "123456789m1p"}, "^10 tiles: 13 less one called meld, expected called 1$"),
        ({"text": "123m"}, "^3 tiles, expected 14 or 13$"),
        ({"text": "123456789m123456p"}, "^15 tiles, expected 14 or 13$"),
        ({"text": "1111m1234567p1z1s", "tiles": M0}, "'z' at character 15: not a suit of M0"),
        ({"text": "1111m1234567p1z1s", "tiles": "M0"}, "it holds honours, expected tiles 136"),
        ({"text": "11m", "tiles": "144"}, "tiles 144, expected one of m0, 136"),
        ({"text": "11m", "notation": "latin"}, "latin"),
    ],
)
def test_bad_hands_are_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(MjoptError, match=message) as caught:
        Hand.parse(**arguments)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, ValueError)


def test_called_chow_must_lie_in_a_suit() -> None:
    with pytest.raises(HandError, match="not a meld"):
        Hand.from_counts([2] + [0] * 33, called=4, melds=[chow(8), pong(1), pong(2), pong(3)])


def test_counts_of_unknown_length_are_refused() -> None:
    with pytest.raises(TileError, match="30 counts, expected 27"):
        Hand.from_counts([0] * 30)


@given(hands())
def test_text_round_trips(hand: Hand) -> None:
    again = Hand.parse(hand.to_text(), tiles=hand.tiles, called=hand.called, partial=True)
    assert again.counts == hand.counts
