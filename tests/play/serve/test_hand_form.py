"""The hand form: parsing, and errors that name the field."""

from urllib.parse import urlsplit

import pytest
from starlette.datastructures import QueryParams

import mjopt
from mjopt.errors import MjoptError
from mjopt.hands.rules.classic_forms import names_of
from mjopt.hands.tiles import SANMA
from mjopt.play.serve.hand_form import HandForm, form_from_query, position_address
from mjopt.play.serve.hand_page import palette_of


@pytest.mark.parametrize("text", ["1112345678999m1p", "1112345678999m1z", "111m"])
def test_tile_set_depends_on_its_field_only(text: str) -> None:
    assert HandForm(hand=text).parse().hand_query.hand.tiles is mjopt.FULL
    assert HandForm(hand="1m", unseen="2m", tiles="m0").parse().hand_query.hand.tiles is mjopt.M0


def test_all_forms_of_the_tile_set_count_by_default() -> None:
    every = ("standard", "seven_pairs", "thirteen_orphans")

    assert names_of(HandForm(hand="1m").parse().hand_query.forms) == every
    assert names_of(HandForm(hand="1m", tiles="m0").parse().hand_query.forms) == every[:2]


@pytest.mark.parametrize(
    ("query", "forms"),
    [
        ("", "all"),
        ("forms=standard", "standard"),
        ("forms=standard,chiitoi", "standard,chiitoi"),
        ("forms=standard&forms=seven_pairs&forms=thirteen_orphans", "all"),
        ("forms=standard&forms=seven_pairs", "standard,seven_pairs"),
        ("forms=standard&forms=seven_pairs&tiles=m0", "all"),
        ("forms=riichi&tiles=108", "all"),
        ("forms=nine_gates", "nine_gates"),
    ],
)
def test_forms_in_an_address_are_kept(query: str, forms: str) -> None:
    assert form_from_query(QueryParams(query)).forms == forms


@pytest.mark.parametrize(
    "text",
    ["123m111z", "m123z111", "1m 2m 3m 1z1z1z", "123mEEE", "EEE 123m", "一二三萬 東東東"],
)
def test_hand_is_read_in_the_only_possible_notation(text: str) -> None:
    assert HandForm(hand=text).parse().hand_query.hand.to_text() == "123m111z"


def test_two_possible_readings_are_offered() -> None:
    with pytest.raises(MjoptError) as refused:
        HandForm(hand="B1B2B3").parse()

    counts = [parsed.counts for parsed in refused.value.readings.values()]
    texts = [
        HandForm(hand="B1B2B3", notation=name).parse().hand_query.hand.to_text()
        for name in refused.value.readings
    ]
    assert (len(set(counts)), texts) == (2, ["123s", "123p"])


def test_notation_of_the_hand_decides_for_the_other_fields() -> None:
    query = HandForm(hand="W1W2 T3", melds="B1B2B3", seen="B9").parse()

    assert query.hand_query.hand.shown[9:12] == (1, 1, 1)
    assert query.hand_query.unseen[17] == 3


@pytest.mark.parametrize("hand", ["12x", "B1", "1m"])
def test_hand_in_another_notation_decides_nothing(hand: str) -> None:
    with pytest.raises(MjoptError) as refused:
        HandForm(hand=hand, melds="B1B2B3").parse()
    assert (refused.value.argument, len(refused.value.readings)) == ("melds", 2)


@pytest.mark.parametrize("hand", ["123m1z", "E 1m"])
def test_108_tiles_have_no_honours(hand: str) -> None:
    with pytest.raises(MjoptError, match="M0 has no honours") as refused:
        HandForm(hand=hand, tiles="m0").parse()
    assert refused.value.argument == "hand"


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
        ("tiles", HandForm(hand="1m", tiles="144")),
        ("forms", HandForm(hand="1m", forms="nine_gates")),
        ("forms", HandForm(hand="1m", forms="kokushi", tiles="m0")),
        ("offered", HandForm(hand="1112345678999m", offered="12m")),
    ],
)
def test_error_names_the_field_in_one_line(field: str, written: HandForm) -> None:
    with pytest.raises(MjoptError) as refused:
        written.parse()

    assert refused.value.argument == field
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 300


def test_error_lists_the_choices() -> None:
    with pytest.raises(MjoptError, match="can be read in notation paper$"):
        HandForm(hand="B1B2B3B3B3B8B8B8C4C5C6D6D7D8", notation="mpsz").parse()


@pytest.mark.parametrize(
    ("before", "add", "remove", "after"),
    [
        ("", "5m", "", "5m"),
        ("123m", "0m1z", "", "1230m1z"),
        ("1230m1z", "", "5m", "123m1z"),
        ("1250m", "", "5m", "120m"),
        ("1250m", "", "0m", "125m"),
        ("123m", "", "9p", "123m"),
    ],
)
def test_tiles_are_added_and_removed(before: str, add: str, remove: str, after: str) -> None:
    assert HandForm(hand=before).with_tiles(add=add, remove=remove).hand == after


@pytest.mark.parametrize(
    ("seen", "tile", "after"),
    [("", "1z", ("10m", "1z")), ("9s", "0m", ("1m1z", "5m9s")), ("EE", "1m", ("0m1z", "1m11z"))],
)
def test_thrown_tile_is_seen(seen: str, tile: str, after: tuple[str, str]) -> None:
    thrown = HandForm(hand="10m1z", seen=seen).with_throw(tile)

    assert (thrown.hand, thrown.seen) == after


def test_only_a_tile_of_the_hand_is_thrown() -> None:
    with pytest.raises(MjoptError, match="'2m' is not in the hand"):
        HandForm(hand="10m1z").with_throw("2m")


@pytest.mark.parametrize("notation", mjopt.NOTATIONS)
def test_tiles_are_added_in_every_notation(notation: str) -> None:
    text = mjopt.Hand.parse("123m456p", partial=True).to_text(notation)
    changed = HandForm(hand=text, notation=notation).with_tiles(add="9s")

    assert changed.parse().hand_query.hand.to_text() == "123m456p9s"


@pytest.mark.parametrize(("hand", "add"), [("1111m", "1m"), ("1x", "1m"), ("1m", "1q")])
def test_invalid_additions_are_refused(hand: str, add: str) -> None:
    with pytest.raises(MjoptError):
        HandForm(hand=hand).with_tiles(add=add)


def test_fifth_copy_is_refused_by_name() -> None:
    with pytest.raises(MjoptError, match="^hand: a fifth 5m, expected at most 4$"):
        HandForm(hand="0555m").with_tiles(add="5m")


def test_notation_without_honours_refuses_honours() -> None:
    with pytest.raises(MjoptError, match="no sign in notation paper"):
        HandForm(hand="B1", notation="paper").with_tiles(add="1z")


@pytest.mark.parametrize(
    "text",
    [
        "23m67p44s1z melds=345m,6666z seen=1159s draws=3",
        "23m67p44s1z called=2 seen=1159s",
        "1112345678999m tiles=m0 forms=standard draws=0",
        "2378m345p6688s11z seen=44m draws=5 offered=4m calls=234m:6",
        "2378m345p6688s11z offered=4m calls=none",
        "1111m23456p789s55z calls=1111m:4",
    ],
)
def test_address_of_a_position_describes_the_position(text: str) -> None:
    position = mjopt.Position.parse(text)
    address = position_address(position)

    assert form_from_query(QueryParams(urlsplit(address).query)).parse().position == position
    assert len(address) < len(text) + 10


def test_address_of_a_position_keeps_the_tile_set() -> None:
    position = mjopt.Position.parse("1112345678999m tiles=m0")

    assert position_address(position) == "/?hand=1112345678999m&tiles=m0"


def test_three_players_have_no_2m_to_8m() -> None:
    query = HandForm(hand="1199m123p4567s115z", tiles="sanma").parse()
    assert query.hand_query.hand.tiles.name == "SANMA"
    with pytest.raises(MjoptError, match="SANMA has no 5m"):
        HandForm(hand="1599m123p4567s115z", tiles="sanma").parse()
    palette = [view.name for suit in palette_of(SANMA, None) for view, _ in suit]
    assert palette == [*SANMA.names[:11], "0p", *SANMA.names[11:20], "0s", *SANMA.names[20:]]
