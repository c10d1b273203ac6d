"""Win chances of rule sets other than those of the classic forms."""

from fractions import Fraction

import pytest

import mjopt
from mjopt import Hand
from mjopt.hands.rules.rule_file import parse_rules

LAIZI = parse_rules(
    'name = "laizi"\ntiles = "136"\n[jokers]\nkinds = "5z"\n[[form]]\nmelds = 4\neyes = 1'
)


def best_chance(hand: Hand, wall: tuple[int, ...], forms: tuple[str, ...], draws: int) -> Fraction:
    """Return the chance to win under optimal play, by trying every play."""
    total = Fraction(0)
    for kind, copies in enumerate(wall):
        if not copies:
            continue
        full = hand.with_one(kind, 1)
        if mjopt.is_win(full, forms=forms):
            total += copies
        elif draws > 1:
            left = (*wall[:kind], copies - 1, *wall[kind + 1 :])
            thrown = [full.with_one(k, -1) for k, held in enumerate(full.counts) if held]
            total += copies * max(best_chance(h, left, forms, draws - 1) for h in thrown)
    return total / sum(wall)


@pytest.mark.parametrize(
    ("text", "rules", "wall"),
    [
        ("123456789m123p1244s", "taiwan", "345s4p"),
        ("147m258p369s1123z", "mcr", "123z1m"),
        ("112345678m1234p", LAIZI, "59m4p5z"),
    ],
)
def test_two_draws_by_every_play(text, rules, wall):
    hand = Hand.parse(text, rules=rules)
    copies = Hand.parse(wall, tiles=hand.tiles, partial=True).counts
    forms = hand.rules.forms
    play = mjopt.optimal_play(hand, wall=copies, draws=2, waste=2, forms=forms[-2:])
    advice = mjopt.advise(mjopt.Position(hand=hand, wall=copies, draws=2, forms=forms[-2:]))
    expected = best_chance(hand, copies, forms[-2:], 2)

    assert play.best.lower <= expected <= play.best.upper_any
    assert abs(play.best.lower - expected) < Fraction(1, 10**9)
    assert advice.options[0].at_least <= expected <= advice.options[0].at_most


def test_a_tile_away_in_one_draw():
    play = mjopt.optimal_play(Hand.parse("123456789m123p1244s", rules="taiwan"), draws=1)
    assert abs(play.best.lower - Fraction(4, 120)) < Fraction(1, 10**9)


def test_complete_hand_of_rules_has_a_bound_for_every_discard() -> None:
    hand = mjopt.Hand.parse("123456789m123p12344s", rules="taiwan")

    play = mjopt.optimal_play(hand, draws=2, waste=0)

    assert len(play.discards) == 16
    assert all(row.lower <= row.upper <= row.upper_any for row in play.discards)


@pytest.mark.parametrize(("called", "chance"), [("777m", 0), ("777p", Fraction(2, 123))])
def test_called_melds_decide_the_templates(called: str, chance: Fraction) -> None:
    """After a meld of characters, a flush of dots is impossible."""
    hand = Hand.parse("22p13p111222z", rules="half-flush", melds=[called])
    play = mjopt.optimal_play(hand, draws=1, forms=hand.rules)
    assert play.best.upper - Fraction(1, 10**9) < chance <= play.best.upper
