"""The hand form: parsing, and errors that name the field."""

from urllib.parse import urlsplit

import pytest
from starlette.datastructures import QueryParams

import mjopt
from mjopt.serve.hand_form import FieldError, HandForm, position_address
from mjopt.serve.hand_page import form_from_query


@pytest.mark.parametrize(
    ("written", "name"),
    [
        (HandForm(hand="1112345678999m1p"), "M0"),
        (HandForm(hand="1112345678999m1z"), "FULL"),
        (HandForm(hand="1112345678999m", call="1z"), "FULL"),
        (HandForm(hand="1112345678999m", unseen="1z"), "FULL"),
        (HandForm(hand="1112345678999m", forms="riichi"), "FULL"),
        (HandForm(hand="1m", melds="111z 222p"), "FULL"),
        (HandForm(hand="1112345678999m", tiles="full"), "FULL"),
    ],
)
def test_tile_set_is_inferred_from_all_fields(written: HandForm, name: str) -> None:
    assert written.parse().hand_query.hand.tiles.name == name


@pytest.mark.parametrize(
    ("field", "written"),
    [
        ("hand", HandForm(hand="12x")),
        ("hand", HandForm(hand="123")),
        ("hand", HandForm(hand="11111m")),
        ("hand", HandForm(hand="123456789m123456p")),
        ("hand", HandForm(hand="1" * 1001)),
        ("hand", HandForm(hand="1z", tiles="m0")),
        ("notation", HandForm(hand="1m", notation="tenhou")),
        ("melds", HandForm(hand="1m", melds="124m")),
        ("melds", HandForm(hand="1m", melds="111m 111p 111s 111z 222z")),
        ("called", HandForm(hand="1m", melds="111p", called="2")),
        ("called", HandForm(hand="1m", called="²")),
        ("seen", HandForm(hand="1m", seen="?")),
        ("seen", HandForm(hand="111m", seen="11m")),
        ("unseen", HandForm(hand="1m", unseen="?")),
        ("wall", HandForm(hand="1111m", wall="1m")),
        ("tiles", HandForm(hand="1m", tiles="144")),
        ("forms", HandForm(hand="1m", forms="nine_gates")),
        ("forms", HandForm(hand="1m", forms="kokushi", tiles="m0")),
        ("call", HandForm(hand="1112345678999m", call="12m")),
    ],
)
def test_error_names_the_field_in_one_line(field: str, written: HandForm) -> None:
    with pytest.raises(FieldError) as refused:
        written.parse()

    assert refused.value.field == field
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 300


def test_error_lists_the_choices() -> None:
    with pytest.raises(FieldError, match="can be read in notation paper$"):
        HandForm(hand="B1B2B3B3B3B8B8B8C4C5C6D6D7D8").parse()


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
def test_tiles_are_added_and_removed(before: str, add: str, remove: str, after: str) -> None:
    assert HandForm(hand=before).with_tiles(add=add, remove=remove).hand == after


@pytest.mark.parametrize("notation", mjopt.NOTATIONS)
def test_tiles_are_added_in_every_notation(notation: str) -> None:
    text = mjopt.Hand.parse("123m456p", partial=True).to_text(notation)
    changed = HandForm(hand=text, notation=notation).with_tiles(add="9s")

    assert changed.parse().hand_query.hand.to_text() == "123m456p9s"


@pytest.mark.parametrize(("hand", "add"), [("1111m", "1m"), ("1x", "1m"), ("1m", "1q")])
def test_invalid_additions_are_refused(hand: str, add: str) -> None:
    with pytest.raises(FieldError):
        HandForm(hand=hand).with_tiles(add=add)


def test_fifth_copy_is_refused_by_name() -> None:
    with pytest.raises(FieldError, match="^a fifth 5m, expected at most 4$"):
        HandForm(hand="0555m").with_tiles(add="5m")


def test_notation_without_honours_refuses_honours() -> None:
    with pytest.raises(FieldError, match="no sign in notation paper"):
        HandForm(hand="B1", notation="paper").with_tiles(add="1z")


def test_address_of_a_position_describes_the_position() -> None:
    hand = mjopt.Hand.parse("23m67p44s1z", melds=["345m", "6666z"])
    unseen = tuple(max(copies - (kind % 3 == 0), 0) for kind, copies in enumerate(hand.unseen))
    address = position_address(hand.counts, hand.melds, unseen, hand.tiles)
    query = form_from_query(QueryParams(urlsplit(address).query)).parse()

    assert (query.hand_query.hand, query.wall) == (hand, unseen)


def test_address_of_a_position_keeps_the_tile_set() -> None:
    hand = mjopt.Hand.parse("1112345678999m")
    address = position_address(hand.counts, (), hand.unseen, hand.tiles)

    assert address == "/?hand=1112345678999m&tiles=m0"
