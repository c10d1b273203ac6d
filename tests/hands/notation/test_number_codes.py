"""Numbers for kinds of tiles, as programs of the sources use them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mjopt
from mjopt.errors import NotationError
from mjopt.hands.files.hand_file import HandFile
from mjopt.hands.notation import get_notation
from mjopt.hands.notation.readings import readings_of
from mjopt.hands.tiles import COPIES, FULL, M0, Suit, TileSet

CODES = {
    "codes121": "1..9, 21..29, 41..49, 61, 71, 81, 91, 101, 111 or 121",
    "codes52": "1..9, 12..20, 23..31, 34, 37, 40, 43, 46, 49 or 52",
    "codes42": "0..8, 10..18, 20..28, 30, 32, 34, 36, 38, 40 or 42",
}


HONOURS = {  # of E S W N, white, green, red
    "codes121": (61, 71, 81, 91, 121, 111, 101),
    "codes52": (34, 37, 40, 43, 52, 49, 46),
    "codes42": (30, 32, 34, 36, 38, 40, 42),
}
FIRST = {
    "codes121": {"m": 1, "p": 21, "s": 41},
    "codes52": {"m": 1, "s": 12, "p": 23},
    "codes42": {"m": 0, "p": 10, "s": 20},
}


def published_code(name: str, kind: str) -> int:
    """Return the code of a kind in the source."""
    rank, suit = int(kind[0]), kind[1]
    return HONOURS[name][rank - 1] if suit == "z" else FIRST[name][suit] + rank - 1


@pytest.mark.parametrize("name", CODES)
def test_every_kind_has_its_published_code(name: str) -> None:
    notation = get_notation(name)
    for kind, tile in enumerate(FULL.names):
        code = str(published_code(name, tile))
        counts, red = notation.parse(f"{code} {code}", FULL)

        assert counts == tuple([2 * (k == kind) for k in range(FULL.num_kinds)])
        assert not any(red)
        assert notation.write(counts, (), FULL) == f"{code} {code}"


@pytest.mark.parametrize("name", CODES)
def test_only_these_codes_are_read(name: str) -> None:
    codes = {published_code(name, tile) for tile in FULL.names}
    assert len(codes) == FULL.num_kinds
    for code in range(150):
        if code in codes:
            assert sum(get_notation(name).parse(str(code), FULL).counts) == 1
        else:
            with pytest.raises(NotationError) as refused:
                get_notation(name).parse(f"1,{code}", FULL)
            message = f"'{code}' at character 3, expected {CODES[name]}"
            assert str(refused.value) == message


@pytest.mark.parametrize("name", CODES)
@pytest.mark.parametrize(
    ("text", "position"), [("1 -1", 3), ("1 1.0", 3), ("1m", 1), ("²", 1), ("1;2", 1), ("1 H1", 3)]
)
def test_other_text_is_refused(name: str, text: str, position: int) -> None:
    with pytest.raises(NotationError, match="expected [01][.][.][89]") as refused:
        get_notation(name).parse(text, FULL)
    assert f" at character {position}," in str(refused.value)


def test_fifth_copy_and_missing_kinds_are_refused(refuses) -> None:
    refuses("codes42", "0 0 0 0 0", FULL, "'0' at character 9: a fifth 1m, expected at most 4")
    missing = "'61' at character 3: M0 has no 1z, expected a suit m, p or s"
    refuses("codes121", "1 61", M0, missing)
    refuses("codes52", "1 [2", M0, f"'[2' at character 3, expected {CODES['codes52']}")
    refuses("codes52", "[1 2", M0, "'[' at character 1: never closed, expected ] at the end")


def test_leading_zeros_and_brackets_are_read(reads) -> None:
    assert reads("codes42", "[00, 010 ,020]") == ({"1m": 1, "1p": 1, "1s": 1}, {})


def test_red_fives_are_written_as_plain_ones(writes) -> None:
    for name in CODES:
        assert writes(name, "5m 5mr") == writes(name, "5m 5m")


def test_other_suits_have_no_code(writes) -> None:
    with pytest.raises(NotationError, match=r"^1x has no sign in notation codes52$"):
        writes("codes52", "1x", TileSet("other", (Suit("x", "others", (1, 2)),)))


@st.composite
def hands(draw: st.DrawFn) -> mjopt.Hand:
    """Draw a hand of 13 or 14 tiles."""
    deck = [kind for kind in range(FULL.num_kinds) for _ in range(COPIES)]
    size = draw(st.sampled_from([13, 14]))
    held = draw(st.permutations(deck))[:size]
    return mjopt.Hand.from_counts([held.count(kind) for kind in range(FULL.num_kinds)])


@pytest.mark.parametrize("name", CODES)
@settings(max_examples=20)
@given(hand=hands())
def test_hands_round_trip(name: str, hand: mjopt.Hand) -> None:
    text = hand.to_text(notation=name)

    assert mjopt.Hand.parse(text, notation=name, tiles="136") == hand
    assert readings_of(text).keys() <= {"ids136"}


@pytest.mark.parametrize("name", CODES)
def test_hands_are_read_from_files(name: str, tmp_path) -> None:
    texts = ["123m456p789s1122z5m", "1112345678999m", "19m19p19s1234567z1z"]
    given = [mjopt.Hand.parse(text, tiles="136") for text in texts]
    path = tmp_path / "hands.txt"
    path.write_text("".join(f"{hand.to_text(notation=name)}\n" for hand in given))

    assert list(HandFile(path=path, format="text", tiles=FULL, notation=name).rows()) == given


def test_hint_names_the_notations_that_read_the_numbers() -> None:
    with pytest.raises(NotationError, match="read in notation codes42$"):
        mjopt.Hand.parse("0 0 0 1 2 3 4 5 6 7 8 18 18 18")
