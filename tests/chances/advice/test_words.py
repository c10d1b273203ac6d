"""Positions that are given as a hand or a text, with what it does not say by name."""

import pytest

import mjopt
from mjopt import FULL, Hand, Position
from mjopt.chances.advice.search import EFFORTS, Effort
from mjopt.errors import ArgumentError
from mjopt.hands.rules.classic_forms import names_of

TEXT = "2378m345p6688s11z"
SAID = "draws=6 offered=4m seen=115m9s"


@pytest.fixture(autouse=True)
def _little_effort(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search hardly anything: the same words have the same advice, whatever the effort."""
    monkeypatch.setitem(EFFORTS, "quick", Effort(first=100, more=1))


def quickly(*given, **words):
    return mjopt.advise(*given, effort="quick", **words)


def test_hand_and_words_are_the_position_of_the_text() -> None:
    expected = quickly(f"{TEXT} {SAID}")
    hand = Hand.parse(TEXT)
    seen = Hand.parse("115m9s", tiles=FULL, partial=True).counts
    for given in (hand, hand.counts, TEXT):
        assert quickly(given, draws=6, offered="4m", seen="115m9s") == expected
        assert quickly(given, draws=6, offered=3, seen=seen) == expected
        assert quickly(given, draws=6, offered="4m", wall=expected.position.wall) == expected
    assert quickly(f"{TEXT} draws=6 seen=115m9s", offered="4m") == expected
    assert quickly(Position.parse(f"{TEXT} {SAID}")) == expected
    only = quickly(hand, draws=2, forms="standard").position.forms
    assert names_of(only) == ("standard",)
    assert quickly("147m258p369s1122z", draws=1, forms="mcr.knitted_straight").options


def test_other_words_of_a_position_are_taken() -> None:
    text = "23m667p445s11z melds=345m offered=4m draws=2 swaps=no"
    hand = Hand.parse("23m667p445s11z", melds=["345m"])
    asked = Position.parse(text)
    assert quickly(hand, offered="4m", draws=2, swaps=False).position == asked
    calls = asked.calls[:1]
    assert quickly(hand, offered="4m", draws=2, calls=calls).position.calls == calls
    after = Hand.parse("1236m67p44s", melds=["345m", "111z"])
    assert quickly(after, barred=["3m", "6m"], draws=1).position.barred == (2, 5)


def test_calls_are_judged_of_hands_and_positions() -> None:
    position = Position.parse(f"{TEXT} {SAID}")
    expected = [*quickly(position).options]
    judged = mjopt.judge_calls
    assert judged(position, effort="quick") == expected
    assert judged(f"{TEXT} {SAID}", effort="quick") == expected
    assert judged(TEXT, "4m", draws=6, seen="115m9s", effort="quick") == expected
    assert judged(Hand.parse(TEXT), "4m", draws=6, seen="115m9s", effort="quick") == expected
    with pytest.raises(ArgumentError, match="tile: none, expected the tile that can be called"):
        judged(TEXT)


def test_words_beside_a_position_are_named() -> None:
    position = Position.parse(f"{TEXT} {SAID}")
    with pytest.raises(ArgumentError, match="together with a Position: draws, offered, expected"):
        mjopt.advise(position, draws=3, offered="4m")
    with pytest.raises(ArgumentError, match="together with a Position: tile, seen, expected"):
        mjopt.judge_calls(position, "4m", seen="1m")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"seen": "1m", "wall": "2m"}, "seen: given together with wall"),
        ({"draws": -1}, "draws: -1, expected 0 or more"),
        ({"draws": 999}, "draws: 999 draws from a wall of 123 tiles"),
        ({"offered": "4x"}, "offered: .*4x"),
        ({"seen": "1111m2222m"}, "seen: 4 of 2m, but only 3"),
        ({"forms": "unknown"}, "forms"),
    ],
)
def test_wrong_words_are_named(words, message) -> None:
    with pytest.raises(mjopt.MjoptError, match=message):
        mjopt.advise(Hand.parse(TEXT), **words)
    with pytest.raises(ArgumentError, match="position: draws twice, expected once"):
        mjopt.advise(f"{TEXT} draws=3", draws=3)
