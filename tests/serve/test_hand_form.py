"""What the fields of a form put is read, or refused by the name of the field."""

import pytest

import mjopt
from mjopt.serve.hand_form import FieldError, Written


@pytest.mark.parametrize(
    ("written", "name"),
    [
        (Written(hand="1112345678999m1p"), "M0"),
        (Written(hand="1112345678999m1z"), "FULL"),
        (Written(hand="1112345678999m", call="1z"), "FULL"),
        (Written(hand="1112345678999m", unseen="1z"), "FULL"),
        (Written(hand="1112345678999m", forms="riichi"), "FULL"),
        (Written(hand="1m", melds="111z 222p"), "FULL"),
        (Written(hand="1112345678999m", tiles="full"), "FULL"),
    ],
)
def test_the_tile_set_is_what_the_fields_say_together(written: Written, name: str) -> None:
    assert written.read().query.hand.tiles.name == name


@pytest.mark.parametrize(
    ("field", "written"),
    [
        ("hand", Written(hand="12x")),
        ("hand", Written(hand="123")),
        ("hand", Written(hand="11111m")),
        ("hand", Written(hand="123456789m123456p")),
        ("hand", Written(hand="1" * 1001)),
        ("hand", Written(hand="1z", tiles="m0")),
        ("notation", Written(hand="1m", notation="tenhou")),
        ("melds", Written(hand="1m", melds="124m")),
        ("melds", Written(hand="1m", melds="111m 111p 111s 111z 222z")),
        ("called", Written(hand="1m", melds="111p", called="2")),
        ("called", Written(hand="1m", called="²")),
        ("unseen", Written(hand="1m", unseen="?")),
        ("wall", Written(hand="1111m", wall="1m")),
        ("tiles", Written(hand="1m", tiles="144")),
        ("forms", Written(hand="1m", forms="nine_gates")),
        ("forms", Written(hand="1m", forms="kokushi", tiles="m0")),
        ("call", Written(hand="1112345678999m", call="12m")),
    ],
)
def test_a_refusal_names_the_field_in_one_line(field: str, written: Written) -> None:
    with pytest.raises(FieldError) as refused:
        written.read()

    assert refused.value.field == field
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 300


def test_a_refusal_says_what_to_choose() -> None:
    with pytest.raises(FieldError, match="reads as paper: choose notation paper$"):
        Written(hand="B1B2B3B3B3B8B8B8C4C5C6D6D7D8").read()


@pytest.mark.parametrize(
    ("before", "add", "remove", "after"),
    [
        ("", "5m", "", "5m"),
        ("123m", "0m1z", "", "1230m1z"),
        ("1230m1z", "", "5m", "123m1z"),
        ("1250m", "", "5m", "120m"),
        ("1250m", "", "0m", "125m"),
        ("123m1z", "", "last", "123m"),
        ("123m", "", "9p", "123m"),
        ("", "", "last", ""),
    ],
)
def test_tiles_are_added_and_taken_out(before: str, add: str, remove: str, after: str) -> None:
    assert Written(hand=before).changed(add=add, remove=remove).hand == after


@pytest.mark.parametrize("notation", mjopt.NOTATIONS)
def test_tiles_are_added_in_every_notation(notation: str) -> None:
    text = mjopt.Hand.parse("123m456p", partial=True).to_text(notation)
    changed = Written(hand=text, notation=notation).changed(add="9s")

    assert changed.read().query.hand.to_text() == "123m456p9s"


@pytest.mark.parametrize(("hand", "add"), [("1111m", "1m"), ("1x", "1m"), ("1m", "1q")])
def test_what_cannot_be_added_is_refused(hand: str, add: str) -> None:
    with pytest.raises(FieldError):
        Written(hand=hand).changed(add=add)


def test_a_fifth_copy_is_refused_by_its_name() -> None:
    with pytest.raises(FieldError, match="^a fifth 5m, expected at most 4$"):
        Written(hand="0555m").changed(add="5m")


def test_a_notation_without_honours_takes_none() -> None:
    with pytest.raises(FieldError, match="no sign in notation paper"):
        Written(hand="B1", notation="paper").changed(add="1z")
