"""Texts in any notation: the only reading is used, two readings are an error."""

import pytest

import mjopt
from mjopt import NOTATIONS
from mjopt.errors import NotationError
from mjopt.hands.notation.readings import NAMED, read_text, readings_of, to_mpsz


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("m123", "123m"),
        ("EEESSS", "111222z"),
        ("1m 2m 3m", "123m"),
        ("1 2 3 m", "123m"),
        ("123m EEE", "123m111z"),
        ("123mEEE", "123m111z"),
        ("CCC", "777z"),
        ("EESS123m", "123m1122z"),
        ("EESS 123m55p", "123m55p1122z"),
        ("123m456p+7p", "123m4567p"),
        ("m123 p456 + p7", "123m4567p"),
        ("123S", "123s"),
        ("F1F2", "12z"),
        ("B1B2C4", "4m12s"),
        ("W1W2B3", "12m3p"),
        ("一二三萬 東", "123m1z"),
        ("🀇🀈", "12m"),
        ("", ""),
    ],
)
def test_only_possible_reading_is_used(text: str, meaning: str) -> None:
    assert to_mpsz(read_text(text)) == meaning


@pytest.mark.parametrize("text", ["B1", "B1B2B3", "B1 B2 B3 B4"])
def test_bamboos_or_dots_are_never_guessed(text: str) -> None:
    with pytest.raises(NotationError) as refused:
        read_text(text)

    assert list(refused.value.readings) == ["paper", "botzone"]
    for name, parsed in refused.value.readings.items():
        assert read_text(text, name) == parsed


@pytest.mark.parametrize("text", ["123", "12 3", "12x", "123mSS1", "E1m", "1 2 3"])
def test_text_without_a_reading_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        read_text(text)


@pytest.mark.parametrize("name", NOTATIONS)
def test_every_example_has_one_reading_unless_never_inferred(name: str) -> None:
    hand = NOTATIONS[name].parse(NOTATIONS[name].example, mjopt.FULL)
    expected = [] if name in NAMED else [hand]

    assert list(readings_of(NOTATIONS[name].example).values()) == expected
    assert read_text(NOTATIONS[name].example, name) == hand


def test_number_codes_are_never_inferred() -> None:
    assert not readings_of("1 2 3 4 5 6 7 8 9 1 2 3 5 5")
    with pytest.raises(NotationError, match="read in notation codes121 or codes52$"):
        read_text("1 2 3 4 5 6 7 8 9 1 2 3 5 5")


def test_chosen_notation_is_strict() -> None:
    with pytest.raises(NotationError):
        read_text("m123", "mpsz")
