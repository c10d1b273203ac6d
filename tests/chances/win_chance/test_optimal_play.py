"""Optimal play: published and worked values, symmetry, monotonicity and exactness."""

from fractions import Fraction
from importlib import import_module

import numpy as np
import pytest

from mjopt import FULL, Hand, MjoptError, deficiency, expected_draws, optimal_play

NAMES = FULL.names
WALL = [1, 1, 1, 1, 3, 2] + [0] * 21


def random_hand(rng, most=2):
    """Return a random hand of FULL after its draw, of bounded deficiency."""
    while True:
        tiles = rng.permutation(np.repeat(np.arange(34), 4))
        hand = Hand.from_counts(np.bincount(tiles[:14], minlength=34).tolist())
        if deficiency(hand) <= most:
            return hand


def test_monotone_descent_is_exact():
    """The fraction in the documentation, by T2 and T4."""
    play = optimal_play("22557m234p34789s3z", waste=0)
    best = play.best
    assert NAMES[best.kind] == "3z"
    assert best.value == Fraction(1902729291963615964, 4461635097219030885)
    assert best.is_exact
    assert best.lower == best.upper == best.value
    assert play.best_proven
    assert play.stopped == "given"


@pytest.mark.parametrize(
    ("waste", "share", "kinds"), [(0, 0.2322, ("7m",)), (1, 0.4497, ("1z", "7z"))]
)
def test_waste_gains_more_than_the_gap(waste, share, kinds):
    """The lower bounds of the prototype are reached, and the best discard changes."""
    best = optimal_play("3336778m57p234s17z", waste=waste).best
    assert share <= best.lower <= best.upper < share + 0.0025
    assert NAMES[best.kind] in kinds


def test_second_wasted_tile_gains_more():
    """Twelve thousand hands; ``seconds`` are a number of hands, on any machine."""
    play = optimal_play("3336778m57p234s17z", seconds=4)
    assert play.waste == 2
    assert play.stopped == "seconds"
    assert play.best.lower >= Fraction(5255, 10000)
    assert optimal_play("3336778m57p234s17z", seconds=0.01).waste == 0


def test_constant_denominator_is_not_a_bound():
    """Hand 2334, six kinds: returning tiles with a constant N would give .829."""
    play = optimal_play(Hand.parse("2334m", called=3), wall=WALL, draws=5, waste=4)
    [row] = play.discards
    assert row.kind is None
    assert row.upper_any == row.upper
    assert Fraction(829, 1000) < Fraction(94, 100) <= row.lower <= row.upper <= Fraction(946, 1000)


def test_upper_bound_holds_only_in_its_class():
    """Hand 12334, same wall, discard 1: .651 within the class, .85 and more outside."""
    hand = Hand.parse("12334m", called=3)
    narrow = optimal_play(hand, wall=WALL, draws=5, waste=0)
    wide = optimal_play(hand, wall=WALL, draws=5, waste=1)
    low, high = ({r.kind: r for r in play.discards}[0] for play in (narrow, wide))
    assert low.upper < Fraction(652, 1000) < Fraction(85, 100) < high.lower
    assert low.upper_any == 1


@pytest.mark.parametrize("forms", ["standard", "standard,seven_pairs,thirteen_orphans"])
def test_keeping_all_tiles_bounds_all_play(forms):
    """The bound is informative where the class does not contain all play."""
    for draws in (3, 4, 6):
        play = optimal_play("3336778m57p234s17z", draws=draws, waste=1, forms=forms.split(","))
        assert all(row.upper <= row.upper_any for row in play.discards)
        assert play.best.lower <= play.best.upper_any < Fraction(1, 2)
        if draws > 3:
            kept = expected_draws(play.best.hand, wall=play.wall, forms=forms.split(","))
            assert play.best.upper_any == kept.within(draws).probability


def test_values_never_exceed_one():
    """Many copies of a few kinds need the cap."""
    for waste in range(4):
        play = optimal_play(Hand.parse("23344m", called=3), wall=WALL, draws=9, waste=waste)
        assert all(0 <= r.lower <= r.upper <= r.upper_any <= 1 for r in play.discards)


@pytest.mark.parametrize("seed", range(2))
def test_bounds_are_monotone_in_draws_and_waste(seed):
    """Bounds of each discard never fall with more draws or waste; the curve holds those bounds."""
    hand = random_hand(np.random.default_rng(seed))
    before = {}
    for waste in (0, 1):
        play = optimal_play(hand, draws=9, waste=waste)
        rows = {row.kind: row for row in play.discards}
        assert all(rows[kind].lower >= row.lower for kind, row in before.items())
        assert all(rows[kind].upper >= row.upper for kind, row in before.items())
        before = rows
    curve = play.curve(1)[play.best.kind]
    assert all(low <= high for low, high in curve)
    assert sorted(curve) == curve
    assert len(curve) == 9
    assert curve[-1][1] == play.bounds.bounds()[play.best.kind][1] / Fraction(2**48)


def test_curve_of_a_hand_before_its_draw_ends_with_its_bounds():
    play = optimal_play("22557m234p34789s", draws=4, waste=0)
    [low, high] = play.curve()[None][-1]
    assert (low, high) == tuple(bound / Fraction(2**48) for bound in play.bounds.bounds()[-1])
    assert low > 0


def test_values_are_invariant_under_suit_permutation():
    """Values agree up to rounding: policies may break ties differently."""
    one = optimal_play("22557m234p34789s3z", draws=8, waste=1)
    two = optimal_play("34789m22557p234s3z", draws=8, waste=1)
    assert one.states == two.states
    uppers = [sorted(row.upper for row in play.discards) for play in (one, two)]
    lowers = [sorted(row.lower for row in play.discards) for play in (one, two)]
    for sides in (uppers, lowers):
        for a, b in zip(*sides, strict=True):
            assert abs(a - b) < Fraction(1, 10**5)


def test_descent_is_exact_in_other_forms():
    """T2 only requires that a win contains the tiles of some target."""
    hand = "1155m2288p37s1236z"
    play = optimal_play(hand, draws=10, waste=0, forms="seven_pairs")
    assert play.best.is_exact
    assert play.best.value > 0
    wide = optimal_play(hand, draws=10, waste=1, forms="seven_pairs")
    assert wide.best.lower >= play.best.value


def test_farther_forms_have_waste_of_their_own():
    """The class is the union over forms, and as good as that of each form alone."""
    hand, forms = "1155m2288p37s1236z", ("standard", "seven_pairs", "thirteen_orphans")
    both = optimal_play(hand, draws=10, waste=0, forms=forms)
    alone = [optimal_play(hand, draws=10, waste=0, forms=form) for form in forms[:2]]
    assert alone[0].deficiency > alone[1].deficiency == both.deficiency
    assert both.states > max(alone[0].states, alone[1].states)
    for play in alone:
        for row in play.discards:
            same = next(other for other in both.discards if other.kind == row.kind)
            assert same.lower >= row.lower
            assert same.upper <= same.upper_any
    assert both.best.lower > alone[1].best.lower


def test_a_form_too_far_away_is_left_out():
    """Orphans are eleven tiles away; the class is then that of the nearest form."""
    hand = "234456m234p4567s5s"
    play = optimal_play(hand, draws=12, waste=1, forms="all", seconds=0.02)
    nearest = optimal_play(hand, draws=12, waste=1, forms="standard", seconds=0.02)
    assert play.states <= nearest.states + 2 * 900
    assert play.best.lower >= nearest.best.lower


def test_bounds_hold_for_all_play_up_to_deficiency_plus_waste():
    """T5: up to deficiency + waste draws the bounds hold for all play."""
    hand = random_hand(np.random.default_rng(5))
    play = optimal_play(hand, draws=3, waste="auto")
    assert play.stopped == "complete"
    assert all(row.upper == row.upper_any for row in play.discards)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"draws": -1}, "draws: -1, expected 0 or more"),
        ({"waste": "much"}, "waste: 'much', expected 0 or more, or 'auto'"),
        ({"waste": -1}, "waste: -1"),
        ({"seconds": 0}, "seconds: 0, expected more than 0, and at most a day"),
        ({"seconds": "4"}, "seconds: '4', expected more than 0"),
        ({"seconds": True}, "seconds: True, expected more than 0"),
        ({"wall": [4] * 27}, "wall: 4 copies"),
        ({"wall": [4, 4, 4], "waste": 0}, "wall: 3"),
        ({"forms": ["eight_pairs"]}, "eight_pairs"),
    ],
)
def test_bad_arguments_are_refused(wrong, message):
    """The error is one line and names the argument."""
    with pytest.raises(MjoptError, match=message):
        optimal_play("123m456p1122789s1p", **wrong)


def test_complete_hand_and_empty_wall():
    """After a discard from a win the hand may win again; with an empty wall it cannot."""
    play = optimal_play(Hand.parse("11222m", called=3), draws=1, waste=1)
    assert play.deficiency == 0
    assert play.best.lower > 0
    none = optimal_play(Hand.parse("1122m", called=3), wall=[0] * 27)
    assert none.draws == 0
    assert none.best.value == 0


def test_too_large_class_is_refused(monkeypatch):
    module = import_module("mjopt.chances.win_chance.optimal_play")
    monkeypatch.setattr(module, "MAX_STATES", 100)
    with pytest.raises(MjoptError, match="waste 1, 2 tiles from a win: more than 100 hands"):
        optimal_play("3336778m57p234s17z", waste=1)
    assert optimal_play("3336778m57p234s17z").waste == 0
