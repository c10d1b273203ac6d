"""GMJBG's weights on hands worked by hand (seed text, sections 3.3.2 to 3.4)."""

import pytest

from mjopt import FULL, Hand
from mjopt.errors import GameError
from mjopt.game import Action, Move
from mjopt.game.moves import PASS
from mjopt.game.readings import CallTest, ChowChoice, Reading, Ties
from mjopt.game.tile_weights import (
    basic_weight,
    choose_call,
    choose_discard,
    choose_kong,
    locked_copies,
    tile_weights,
    total_weight,
    wants_call,
)

PLAIN = Reading(most_locked=1, locked_support=True, orphan_total=-1)
NOTHING = (0,) * 34


def counts(text):
    return Hand.parse(text, tiles=FULL, partial=True).counts


def kind(name):
    return FULL.names.index(name)


def weights(text, reading=PLAIN, *, locking=False):
    held = counts(text)
    locked = locked_copies(held, reading) if locking else NOTHING
    return {FULL.names[k]: weight for k, _, weight in tile_weights(held, locked, reading)}


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
def test_weights_worked_by_hand(hand, expected):
    assert weights(hand) == expected


@pytest.mark.parametrize(("four_alike", "expected"), [(4, 6), (0, 2)])
def test_four_alike_are_an_open_choice(four_alike, expected):
    reading = Reading(four_alike=four_alike)
    assert weights("5555m", reading) == {"5m": expected}


def test_a_whole_hand_worked_by_hand():
    """123m 4455p 678s 1135z: 1m 3, 2m 5, 3m 5; 4p and 5p 6; 6s 5, 7s 6, 8s 4; 1z 2."""
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
    assert total_weight(counts("123m4455p678s1135z"), locking=False, reading=PLAIN) == total


def test_the_first_tile_of_least_weight_is_discarded():
    held = counts("123m4455p678s1135z")
    assert choose_discard(held, locking=False, reading=PLAIN) == kind("3z")
    last = Reading(ties=Ties.LAST, orphan_total=-1)
    assert choose_discard(held, locking=False, reading=last) == kind("5z")


def test_without_a_lock_a_whole_chow_is_broken():
    """1m of 123m weighs 3, less than any tile of the rest."""
    held = counts("123m445556p66778s")
    assert choose_discard(held, locking=False, reading=PLAIN) == kind("1m")
    assert choose_discard(held, locking=True, reading=PLAIN) != kind("1m")


def test_the_lowest_chow_is_locked():
    held = counts("1223345m678p")
    assert locked_copies(held, Reading(most_locked=1))[:9] == (1, 1, 1, 0, 0, 0, 0, 0, 0)
    # 123 and then, of 2345, 234
    assert locked_copies(held, Reading(most_locked=2))[:9] == (1, 2, 2, 1, 0, 0, 0, 0, 0)
    assert sum(locked_copies(held, Reading(most_locked=4))) == 9
    assert locked_copies(counts("1245m12p99s123z")) == NOTHING


def test_locked_tiles_are_out_of_the_choice():
    found = weights("1234m", locking=True)
    assert found == {"4m": 2 + 2 + 1}
    assert weights("1234m", Reading(locked_support=False), locking=True) == {"4m": 2}


def test_a_second_copy_of_a_locked_tile_stays():
    held = counts("1223m")
    assert tile_weights(held, locked_copies(held, PLAIN), PLAIN) == ((1, 1, 1 + 2 + 2 + 2),)
    alone = Reading(locked_support=False)
    assert tile_weights(held, locked_copies(held, alone), alone) == ((1, 1, 1),)


def test_minus_one_as_a_basic_weight():
    reading = Reading(locked_choosable=True)
    assert weights("1239m", reading, locking=True) == {"1m": 2, "2m": 3, "3m": 2, "9m": 0}


def test_thirteen_orphans_have_a_small_total():
    orphans = counts("19m19p19s1234567z")
    assert total_weight(orphans, locking=False) == 0
    # the pair: two tiles of weight 2
    assert total_weight(counts("19m19p19s12345677z"), locking=False) == 4


def test_a_hand_near_thirteen_orphans_is_kept():
    near = counts("5m19m19p19s1234567z")
    assert choose_discard(near, locking=False, reading=Reading(orphan_total=6)) == kind("5m")
    assert choose_discard(near, locking=False, reading=Reading(orphan_total=-1)) == kind("1m")
    # whole chows are no reason, nor a hand that has few tiles left
    few = counts("59m")
    assert choose_discard(few, locking=True, reading=Reading(orphan_total=6)) == kind("9m")
    locked = counts("123m456p789s15m234z")
    reading = Reading(most_locked=4, orphan_total=6)
    assert choose_discard(locked, locking=True, reading=reading) == kind("1m")
    far = counts("123m456p789s11234z")
    assert choose_discard(far, locking=True, reading=Reading(orphan_total=6)) == kind("2z")


CHOW_2M = Move(Action.CHOW, kind("2m"))
PONG_9P = Move(Action.PONG, kind("9p"))


@pytest.mark.parametrize(
    ("hand", "move", "tile", "called"),
    [
        ("34m159p159s1134z", CHOW_2M, "2m", True),  # 3m and 4m leave the total
        ("345m19p1599s1134z", CHOW_2M, "2m", False),  # 345 is whole: 5 would stand alone
        ("147m2599p159s113z", PONG_9P, "9p", True),
        ("147m789p9p159s113z", PONG_9P, "9p", False),  # 789 is whole
    ],
)
def test_a_call_must_lower_the_total(hand, move, tile, called):
    reading = Reading(most_locked=4, locked_support=False)
    assert wants_call(counts(hand), move, kind(tile), reading=reading) is called


def test_a_call_worked_by_hand():
    """34m 19p: 3m 2+2, 4m 2+2, so 8 before; after 234m are laid down 0."""
    held = counts("34m19p")
    assert total_weight(held, locking=True, reading=PLAIN) == 8
    assert wants_call(held, CHOW_2M, kind("2m"), reading=PLAIN)


def test_the_tile_in_test_asks_for_a_new_lock():
    """With one chow locked already, and only one lock, a second changes nothing."""
    reading = Reading(most_locked=1, chow_test=CallTest.TILE_IN)
    chow = Move(Action.CHOW, kind("6p"))
    assert not wants_call(counts("123m78p19s1234z"), chow, kind("6p"), reading=reading)
    assert wants_call(counts("78p19s1234z"), chow, kind("6p"), reading=reading)
    pong = Reading(pong_test=CallTest.TILE_IN)
    assert not wants_call(counts("99p19s1234z"), PONG_9P, kind("9p"), reading=pong)


def test_which_chow_is_called():
    """3467m and a 5m: 345, 456 and 567 are open, and leave 67, 37 and 34."""
    held = counts("3467m19p19s1234z")
    moves = [Move(Action.CHOW, kind(f"{rank}m")) for rank in (3, 4, 5)]
    lowest = choose_call(held, [*moves, PASS], kind("5m"), reading=PLAIN)
    assert lowest == moves[0]
    least = Reading(chow_choice=ChowChoice.LEAST_TOTAL)
    assert choose_call(held, [*moves, PASS], kind("5m"), reading=least) == moves[1]


def test_a_pong_comes_before_a_chow_and_kongs_are_not_called():
    """With 123m locked, both 55p and 34p leave the total."""
    held = counts("123m34555p19s123z")
    moves = [
        Move(Action.KONG, kind("5p")),
        Move(Action.CHOW, kind("3p")),
        Move(Action.PONG, kind("5p")),
        PASS,
    ]
    reading = Reading(most_locked=1)
    tile = kind("5p")
    assert choose_call(held, [moves[1], PASS], tile, reading=reading) == moves[1]
    assert choose_call(held, moves, tile, reading=reading) == moves[2]
    assert choose_call(held, [moves[0], PASS], tile, reading=reading) == PASS


def test_kongs_of_ones_own_turn():
    """456m is locked and weighs nothing: without its 5m the other two weigh 3 each."""
    reading = Reading(kongs=True)
    added, closed = Move(Action.ADDED_KONG, kind("5m")), Move(Action.CLOSED_KONG, kind("9p"))
    held = counts("456m9999p")
    assert choose_kong(held, [added], reading=reading) is None
    assert choose_kong(held, [added, closed], reading=reading) == closed
    assert choose_kong(held, [added, closed]) is None
    assert choose_kong(counts("5m19p19s"), [added], reading=reading) == added


@pytest.mark.parametrize(
    "wrong",
    [{"most_locked": 0}, {"most_locked": 5}, {"called_weight": 1}, {"four_alike": -1}],
)
def test_impossible_readings_are_refused(wrong):
    with pytest.raises(GameError):
        Reading(**wrong)
