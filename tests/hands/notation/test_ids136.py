import pytest

from mjopt.errors import NotationError
from mjopt.hands.tiles import FULL, M0, Suit, TileSet

RANGE = "expected a number 0..135"


@pytest.mark.parametrize(
    ("text", "counts", "red"),
    [
        ("", {}, {}),
        ("[]", {}, {}),
        ("0 3,35 , 36", {"1m": 2, "9m": 1, "1p": 1}, {}),
        ("[0, 107]", {"1m": 1, "9s": 1}, {}),
        ("16 52 88", {"5m": 1, "5p": 1, "5s": 1}, {"5m": 1, "5p": 1, "5s": 1}),
        ("17 53 89", {"5m": 1, "5p": 1, "5s": 1}, {}),
        ("108 127 135", {"1z": 1, "5z": 1, "7z": 1}, {}),
    ],
)
def test_text_is_parsed(reads, text, counts, red):
    assert reads("ids136", text, FULL) == (counts, red)


@pytest.mark.parametrize(
    ("text", "tiles", "message"),
    [
        ("0 136", FULL, f"'136' at character 3, {RANGE}"),
        ("-1", FULL, f"'-1' at character 1, {RANGE}"),
        ("1.0", FULL, f"'1.0' at character 1, {RANGE}"),
        ("1_0", FULL, f"'1_0' at character 1, {RANGE}"),
        ("²", FULL, f"'²' at character 1, {RANGE}"),
        ("1m", FULL, f"'1m' at character 1, {RANGE}"),
        ("1;2", FULL, f"'1;2' at character 1, {RANGE}"),
        ("9" * 5000, FULL, f"'99999999999999999999'... at character 1, {RANGE}"),
        (
            "3, 0, 3",
            FULL,
            "'3' at character 7: number 3 of the list repeats number 1, "
            "expected each id at most once",
        ),
        ("0 108", M0, "'108' at character 3: M0 has no 1z, expected a suit m, p or s"),
        ("[0", M0, "'[' at character 1: never closed, expected ] at the end"),
        ("0 ] ", M0, "']' at character 3: never opened, expected [ at the start"),
    ],
)
def test_bad_text_is_refused(refuses, text, tiles, message):
    refuses("ids136", text, tiles, message)


def test_rank_outside_the_tile_set_is_refused(refuses):
    ends = TileSet("ends", (Suit("m", "characters", (1, 9), has_chows=False),))
    refuses(
        "ids136", "0 4", ends, "'4' at character 3: ends has no 2m, expected a rank 1 or 9 of m"
    )


@pytest.mark.parametrize(
    ("names", "text"),
    [
        ("1m 1m 7z", "0 1 132"),
        ("5m", "17"),
        ("5mr", "16"),
        ("5m 5mr", "16 17"),
        ("5m 5m 5m", "17 18 19"),
        ("5m 5m 5m 5m", "16 17 18 19"),
        ("5p 5p 5pr", "52 53 54"),
        ("5z", "124"),
    ],
)
def test_tiles_are_formatted(writes, text, names):
    assert writes("ids136", names, FULL) == text


def test_ids_are_ascending_for_any_suit_order(writes):
    assert writes("ids136", "1s 1m", TileSet("turned", M0.suits[::-1])) == "0 72"


def test_number_of_red_fives_is_lost(reads, writes):
    assert reads("ids136", writes("ids136", "5m 5m 5m 5m")) == ({"5m": 4}, {"5m": 1})
    assert reads("ids136", writes("ids136", "5mr 5mr")) == ({"5m": 2}, {"5m": 1})


def test_other_suits_are_refused(writes):
    with pytest.raises(NotationError, match=r"^1x has no sign in notation ids136$"):
        writes("ids136", "1x", TileSet("other", (Suit("x", "others", (1, 2)),)))
