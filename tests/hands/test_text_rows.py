"""Many texts at once: the result or the error of each is that of the text alone."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mjopt
from mjopt import NOTATIONS
from mjopt._internal.jit import compile_always
from mjopt.errors import MjoptError, NotationError, TileError
from mjopt.hands.coerce import as_hand, each_hand
from mjopt.hands.notation import get_notation, read_tiles
from mjopt.hands.notation.text_rows import Texts, as_texts, read_texts
from mjopt.hands.tiles import FULL, M0, SANMA, Suit, TileSet

TILE_SETS = [M0, FULL, SANMA, TileSet("one", (Suit("r", "reds", (1, 2, 5)),))]
SIGNS = '0123456789mpszr+BCDEWTFJHNSP()[],"? \t\n\r\ud800🀀🀇🀡🀫\ufe0f一伍九萬筒東中发Ｍ１，　'
PIECES = {
    "mpsz": ["123m", "0p", "55s", "11z", "5Z", "東", "一二萬", " ", ",", "+", "🀇"],
    "prefix": ["m123", "p0", "s55", "z11", "東", "萬一", " ", ",", "M9"],
    "paper": ["B1", "B234", "(", ")", ",", "C9", "D", "5", "12B", " "],
    "ids136": ["0", "16", "17", "135", "136", "007", " ", ",", "[", "]", "4 8"],
    "mjai": ["1m", "5mr", "5s", "E", "C", " ", ",", '"1m"', "[", "]", '["5pr", "N"]', "?"],
    "unicode": ["🀇🀈🀉", "🀀", "🀡\ufe0f", " ", "　", "🀫"],
    "codes121": ["1", "9", "10", "29", "41", "101", "121", "021", " ", ",", "[", "]", "1 1"],
    "codes52": ["1", "9", "10", "31", "12", "46", "52", "012", " ", ",", "[", "]", "1 1"],
    "codes42": ["0", "8", "9", "18", "28", "31", "42", "00", " ", ",", "[", "]", "0 0"],
    "botzone": ["W1", "B9", "T5", "F4", "F5", "J3", "H1", " ", ","],
}


def texts_of(notation: str) -> st.SearchStrategy[str]:
    """Return texts that are often, but not always, in a notation."""
    pieces = st.lists(st.sampled_from(PIECES[notation]), max_size=8).map("".join)
    return pieces | st.text(SIGNS, max_size=12)


def read_alone(text: str, notation: str, tiles: TileSet) -> object:
    try:
        return get_notation(notation).parse_fully(text, tiles)
    except NotationError as error:
        return error.position, error.message, error.expected


@pytest.mark.parametrize("notation", NOTATIONS)
@settings(max_examples=40)
@given(data=st.data())
def test_many_texts_read_as_each_alone(notation: str, data: st.DataObject) -> None:
    tiles = data.draw(st.sampled_from(TILE_SETS))
    texts = data.draw(st.lists(texts_of(notation), min_size=1, max_size=12))

    with compile_always():
        rows = read_texts(Texts.of(texts), notation, tiles, with_reds=True)

    for row, text in enumerate(texts):
        if row in rows.errors:
            error = rows.errors[row]
            found: object = (error.position, error.message, error.expected)
        else:
            found = (tuple(rows.counts[row].tolist()), tuple(rows.reds[row].tolist()))
        assert found == read_alone(text, notation, tiles), text


@pytest.mark.parametrize("notation", NOTATIONS)
def test_automata_read_the_examples(notation: str) -> None:
    reader = NOTATIONS[notation]
    found = [automaton.read(reader.example) for automaton in reader.automata(FULL)]

    assert reader.parse_fully(reader.example, FULL) in found


@pytest.mark.parametrize("notation", NOTATIONS)
@settings(max_examples=40)
@given(data=st.data())
def test_one_text_reads_as_token_by_token(notation: str, data: st.DataObject) -> None:
    text, tiles = data.draw(texts_of(notation)), data.draw(st.sampled_from(TILE_SETS))
    try:
        found: object = get_notation(notation).parse(text, tiles)
    except NotationError as error:
        found = (error.position, error.message, error.expected)
    assert found == read_alone(text, notation, tiles)


@pytest.mark.parametrize("notation", NOTATIONS)
def test_usual_texts_need_no_slower_reader(notation: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One is read by the automaton, several are read by the kernel."""
    reader = get_notation(notation)
    expected = reader.parse_fully(reader.example, M0)
    monkeypatch.setattr(type(reader), "parse_fully", None)
    assert reader.parse(reader.example, M0) == expected
    monkeypatch.setattr(type(reader), "parse", None)
    found = read_texts(Texts.of([reader.example] * 2), notation, M0)
    assert found.counts.tolist() == [list(expected.counts)] * 2


def test_errors_of_texts_name_row_and_character() -> None:
    texts = ["1112345678999m1p"] * 5000
    texts[4321] = "111234x"
    with pytest.raises(NotationError) as caught:
        read_tiles(["111234x"])
    with pytest.raises(NotationError) as many:
        mjopt.label(texts)

    assert str(many.value) == f"row 4321: {caught.value}"
    assert (many.value.position, many.value.unit) == (4321, "row")


@pytest.mark.parametrize("number", [3, 5000])
def test_texts_may_be_in_arrays(number: int) -> None:
    pandas = pytest.importorskip("pandas")
    texts = ["1112345678999m1p", "11223344556677z", "123m456p789s1122z"] * number
    expected = [1, 4, 1] * number

    for several in (
        tuple(texts),
        np.array(texts),
        np.array(texts, object),
        pandas.Series(texts),
        pandas.Series(texts, dtype="string"),
        pandas.Series(texts, index=range(7, 7 + len(texts))),
    ):
        assert mjopt.label(several).tolist() == expected
    assert mjopt.useful_tiles_many(np.array(["1112345678999m"])).num_copies.tolist() == [23]
    with pytest.raises(TileError, match="counts row 1: nan, expected a text"):
        mjopt.label(pandas.Series(["1112345678999m1p", np.nan]))


def test_texts_keep_line_breaks_and_surrogates() -> None:
    texts = ["1m\n2m", "\ud800", "", "東"]

    assert [Texts.of(texts)[row] for row in range(4)] == texts
    assert len(Texts.of([])) == 0
    with pytest.raises(MjoptError, match=r"row 1: '\\ud800' at character 1"):
        mjopt.label(texts)


def test_long_lists_of_texts_are_the_same_hands() -> None:
    plain = ["1112345678999m1p", "1112345678999m", "0555m234p789s1122p"]
    honours = ["11223344556677z", "0555m234p789s1122z", "東東123456789m99p"]
    for texts, tiles in (
        (plain + honours, None),
        (plain + honours, "136"),
        (plain, "108"),
        (["1199m123456p123s"], "sanma"),
    ):
        with compile_always():
            found = list(each_hand(texts, tiles))
        assert found == [as_hand(text, tiles) for text in texts]
        assert not any(hand.partial for hand in found)
    with compile_always(), pytest.raises(MjoptError, match="hands row 1: 'x' at character 2"):
        list(each_hand([plain[0], "1x"]))
    for text in ("123m", "123456789m123p", "123456789m123456p"):
        with compile_always(), pytest.raises(MjoptError, match=r"hands row 1: (3|12|15) tiles"):
            list(each_hand([plain[0], text]))


class Undimensioned:
    """Has a list of texts, but is no array of one dimension."""

    def tolist(self) -> list[str]:
        return ["123m"]


@pytest.mark.parametrize("given", [Undimensioned(), np.array([["123m"]]), np.array("123m"), "1m"])
def test_only_lists_and_arrays_of_one_dimension_hold_texts(given: object) -> None:
    assert as_texts(given, "hands") is None
