"""GMJBG's weights on hands computed by hand (report, sections 3.3.2 to 3.4)."""

import pytest

from mjopt import FULL, Hand
from mjopt.play.game import Action, Move
from mjopt.play.game.moves import PASS
from mjopt.play.game.tile_weights import (
    VARIANTS,
    basic_weight,
    call_totals,
    choose_call,
    choose_discard,
    locked_copies,
    tile_weights,
    total_weight,
)

NEAREST = VARIANTS["nearest"]


def counts(text):
    return Hand.parse(text, tiles=FULL, partial=True).counts


def kind(name):
    return FULL.names.index(name)


def weights(text):
    return {FULL.names[k]: weight for k, _, weight in tile_weights(counts(text))}


def test_basic_weights():
    assert [basic_weight(k) for k in range(9)] == [0, 1, 2, 2, 2, 2, 2, 1, 0]
    assert [basic_weight(k) for k in range(27, 34)] == [0] * 7


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("5m", {"5m": 2}),  # alone: the basic weight
        ("57m", {"5m": 3, "7m": 3}),  # two apart: one more each
        ("56m", {"5m": 4, "6m": 4}),  # neighbours: two more each
        ("55m", {"5m": 4}),  # a pair: two more
        ("555m", {"5m": 6}),  # three: four more
        ("5555m", {"5m": 6}),  # four: as three
        ("58m", {"5m": 2, "8m": 1}),  # three apart: nothing
        ("45567m", {"4m": 5, "5m": 9, "6m": 7, "7m": 5}),
        # 4: 2 + 2 (5) + 1 (6); 5: 2 + 2 (pair) + 2 + 2 + 1; 6: 2 + 2 + 2 + 1; 7: 2 + 2 + 1
        ("12m", {"1m": 2, "2m": 3}),
        ("89m", {"8m": 3, "9m": 2}),
        ("9m1p", {"9m": 0, "1p": 0}),  # suits are apart
        ("9s1z2z", {"9s": 0, "1z": 0, "2z": 0}),  # so are honours
        ("1112z", {"1z": 4, "2z": 0}),
        ("11z55z", {"1z": 2, "5z": 2}),
        ("13m", {"1m": 1, "3m": 3}),
    ],
)
def test_weights_computed_by_hand(hand, expected):
    assert weights(hand) == expected


def test_weights_of_a_full_hand():
    found = weights("123m4455p678s1135z")
    assert found == {
        "1m": 3,  # 0 + 2 + 1
        "2m": 5,  # 1 + 2 + 2
        "3m": 5,  # 2 + 2 + 1
        "4p": 6,  # 2 + 2 (pair) + 2
        "5p": 6,
        "6s": 5,  # 2 + 2 + 1
        "7s": 6,  # 2 + 2 + 2
        "8s": 4,  # 1 + 2 + 1
        "1z": 2,
        "3z": 0,
        "5z": 0,
    }
    total = 3 + 5 + 5 + 2 * 6 + 2 * 6 + 5 + 6 + 4 + 2 * 2
    assert total_weight(counts("123m4455p678s1135z")) == total


def test_lock_keeps_a_chow_that_weights_would_break():
    """1m of 123m weighs 3, less than all other tiles."""
    held = counts("123m445556p66778s")
    assert choose_discard(held, locking=False) == kind("1m")
    assert choose_discard(held, locking=True) != kind("1m")


def test_the_lowest_chows_are_locked():
    held = counts("1223345m678p")
    assert locked_copies(held)[:9] == (1, 1, 1, 0, 0, 0, 0, 0, 0)
    # 123 and then, of 2345, 234
    assert locked_copies(held, NEAREST)[:9] == (1, 2, 2, 1, 0, 0, 0, 0, 0)
    assert sum(locked_copies(counts("1245m12p99s123z"))) == 0


def test_locked_tiles_neither_have_nor_add_weight():
    held = counts("1234m")
    assert tile_weights(held, locked_copies(held)) == ((kind("4m"), 1, 2),)


def test_unlocked_copy_of_a_locked_kind_keeps_its_weight():
    held = counts("1223m")
    assert tile_weights(held, locked_copies(held)) == ((kind("2m"), 1, 1),)


def test_thirteen_orphans_have_a_low_total():
    assert total_weight(counts("19m19p19s1234567z")) == 0
    # the pair: two tiles of weight 2
    assert total_weight(counts("19m19p19s12345677z")) == 4


def test_hand_near_thirteen_orphans_keeps_its_orphans():
    near = counts("5m19m19p19s1234567z")
    assert choose_discard(near, locking=False) == kind("5m")
    # nor a hand with few tiles left
    few = counts("59m")
    assert choose_discard(few, locking=True) == kind("9m")
    far = counts("123m456p789s11234z")
    assert choose_discard(far, locking=True) == kind("2z")


def lowers_total(held, move, tile, **options):
    before, after = call_totals(held, move, tile, **options)
    return after < before


CHOW_2M = Move(Action.CHOW, kind("2m"))
PONG_9P = Move(Action.PONG, kind("9p"))


@pytest.mark.parametrize(
    ("hand", "move", "tile", "called"),
    [
        ("34m159p159s1134z", CHOW_2M, "2m", True),  # 3m and 4m leave the total
        ("345m19p1599s1134z", CHOW_2M, "2m", False),  # breaks the chow 345
        ("147m2599p159s113z", PONG_9P, "9p", True),
        ("147m789p9p159s113z", PONG_9P, "9p", False),  # breaks the chow 789
    ],
)
def test_call_must_lower_the_total(hand, move, tile, called):
    assert lowers_total(counts(hand), move, kind(tile)) is called


def test_nearest_calls_if_the_new_chow_can_be_locked():
    chow = Move(Action.CHOW, kind("6p"))
    assert lowers_total(counts("123m78p19s1234z"), chow, kind("6p"), variant=NEAREST)
    # both locks are used already
    assert not lowers_total(counts("123456m78p1234z"), chow, kind("6p"), variant=NEAREST)
    assert not lowers_total(counts("99p19s1234z"), PONG_9P, kind("9p"), variant=NEAREST)


def test_the_lowest_chow_is_called():
    """3467m and a 5m: 345, 456 and 567 are open, and leave 67, 37 and 34."""
    held = counts("3467m19p19s1234z")
    moves = [Move(Action.CHOW, kind(f"{rank}m")) for rank in (3, 4, 5)]
    assert choose_call(held, [*moves, PASS], kind("5m")) == moves[0]


def test_pong_precedes_chow_and_kongs_are_not_called():
    """With 123m locked, both 55p and 34p leave the total."""
    held = counts("123m34555p19s123z")
    moves = [
        Move(Action.KONG, kind("5p")),
        Move(Action.CHOW, kind("3p")),
        Move(Action.PONG, kind("5p")),
        PASS,
    ]
    tile = kind("5p")
    assert choose_call(held, [moves[1], PASS], tile) == moves[1]
    assert choose_call(held, moves, tile) == moves[2]
    assert choose_call(held, [moves[0], PASS], tile) == PASS
