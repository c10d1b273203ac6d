from dataclasses import replace

import pytest
from helpers.arranged_game import act, arranged

from mjopt import M0, Hand
from mjopt.errors import GameError
from mjopt.hands.tiles import Suit, TileSet
from mjopt.play.game import GMJBG, JJ, M0_RULES, Action
from mjopt.play.game.events import Meld
from mjopt.play.game.rules import GameRules, Multipliers
from mjopt.play.game.scoring import multiplier, patterns, payments, wins

CHOW = Meld(Action.CHOW, (1, 2, 0), 1)
PONG = Meld(Action.PONG, (9, 9, 9), 1)
KONG = Meld(Action.KONG, (20, 20, 20, 20), 1)


def counts(text):
    return Hand.parse(text, tiles=M0, partial=True).counts


@pytest.mark.parametrize(
    ("text", "melds", "found", "worth"),
    [
        ("123m456m789p123s55s", (), {"normal"}, 6),
        ("111m333m777p999s55s", (), {"normal", "all_pongs"}, 8),
        ("333m777p99s", (PONG, KONG), {"normal", "all_pongs"}, 8),
        ("333m777p99s", (PONG, CHOW), {"normal"}, 6),
        ("123456789m11123m", (), {"normal", "one_suit"}, 12),
        ("456789m11m", (CHOW, CHOW), {"normal", "one_suit"}, 12),
        ("456789m11m", (CHOW, PONG), {"normal"}, 6),
        ("1133m5577p113399s", (), {"normal", "seven_pairs"}, 12),
        ("11223344556677m", (), {"normal", "one_suit", "seven_pairs"}, 12),
        ("22m", (PONG, PONG, KONG, KONG), {"normal", "all_pongs"}, 8),
    ],
)
def test_patterns_and_multipliers(text, melds, found, worth):
    held = counts(text)
    assert wins(held, len(melds), JJ)
    assert set(patterns(held, melds, JJ)) == found
    assert multiplier(held, melds, JJ) == worth
    assert multiplier(held, melds, JJ, declared=True) == 2 * worth
    assert multiplier(held, melds, M0_RULES) == 1


def test_highest_multiplier_applies():
    """All pongs in one suit: 12, not 8 and not their product."""
    assert multiplier(counts("111222444m66688m"), (), JJ) == 12


def test_discarder_pays_each_winner():
    assert payments([1], [6], 3, JJ) == (0, 6, 0, -6)
    pays_all = replace(JJ, discarder_pays_all=True, basic_score=10)
    assert payments([1], [6], 3, pays_all) == (0, 180, 0, -180)
    assert payments([0, 1, 2], [1, 1, 1], 3, GMJBG) == (1, 1, 1, -3)


def test_jj_wins_are_paid_by_pattern():
    state = arranged(JJ, ["111m333m777p99s55s", "", "", ""], draws="9s")
    assert act(state, "H9s").outcome.scores == (24, -8, -8, -8)


@pytest.mark.parametrize(
    "wrong",
    [
        {"dead_wall": 84},
        {"dead_wall": -1},
        {"basic_score": 0},
        {"forfeit": -1},
        {"ready_multiplier": 0},
        {"forms": ("flush",)},
    ],
)
def test_inconsistent_rules_are_refused(wrong):
    with pytest.raises(ValueError, match="rules|form"):
        replace(GMJBG, **wrong)


def test_multiplier_of_zero_is_refused():
    with pytest.raises(GameError, match="at least 1"):
        Multipliers(normal=0)


def test_custom_tile_set_is_evaluated_by_the_network_model():
    """The second of two suits has no chows."""
    nine = tuple(range(1, 10))
    tiles = TileSet(
        "two-suits", (Suit("m", "characters", nine), Suit("p", "dots", nine, has_chows=False))
    )
    rules = GameRules(name="two-suits", tiles=tiles)
    assert wins([1, 1, 1, 1, 1, 1, 1, 1, 1] + [3, 2] + [0] * 7, 0, rules)
    assert not wins([3, 3, 3] + [0] * 6 + [1, 1, 1, 2] + [0] * 5, 0, rules)
    assert rules.draws == 4 * 18 - 52
