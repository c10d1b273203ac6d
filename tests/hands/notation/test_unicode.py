import unicodedata

import pytest

from mjopt.hands.notation.unicode import SYMBOLS
from mjopt.hands.tiles import FULL, M0

EXPECTED = "expected a suit tile or an honour 🀀..🀡"
DIGITS = ["ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE"]
SUITS = {"m": "CHARACTERS", "p": "CIRCLES", "s": "BAMBOOS"}
HONOURS = [f"{wind} WIND" for wind in ("EAST", "SOUTH", "WEST", "NORTH")]
HONOURS += [f"{dragon} DRAGON" for dragon in ("WHITE", "GREEN", "RED")]


@pytest.mark.parametrize("name", FULL.names)
def test_symbols_follow_the_unicode_standard(name):
    rank, letter = int(name[0]) - 1, name[1]
    tile = HONOURS[rank] if letter == "z" else f"{DIGITS[rank]} OF {SUITS[letter]}"
    assert unicodedata.name(SYMBOLS[name]) == f"MAHJONG TILE {tile}"


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("", {}),
        ("🀀🀄", {"1z": 1, "7z": 1}),
        ("🀇 🀏\n🀙\N{IDEOGRAPHIC SPACE}🀘", {"1m": 1, "9m": 1, "1p": 1, "9s": 1}),
        ("🀄\ufe0f🀄\ufe0e", {"7z": 2}),
    ],
)
def test_text_is_parsed(reads, text, counts):
    assert reads("unicode", text, FULL) == (counts, {})


@pytest.mark.parametrize(
    ("text", "tiles", "message"),
    [
        ("🀇🀫", FULL, f"'🀫' at character 2: MAHJONG TILE BACK, {EXPECTED}"),
        ("🀢", FULL, f"'🀢' at character 1: MAHJONG TILE PLUM, {EXPECTED}"),
        ("🀩", FULL, f"'🀩' at character 1: MAHJONG TILE WINTER, {EXPECTED}"),
        ("🀪", FULL, f"'🀪' at character 1: MAHJONG TILE JOKER, {EXPECTED}"),
        ("🀰", FULL, f"'🀰' at character 1, {EXPECTED}"),
        ("🀇,", FULL, f"',' at character 2, {EXPECTED}"),
        ("\ud83c", FULL, rf"'\ud83c' at character 1, {EXPECTED}"),
        ("🀀", M0, "'🀀' at character 1: M0 has no 1z, expected a suit m, p or s"),
        ("🀇\ufe0f🀇🀇🀇 🀇", M0, "'🀇' at character 7: a fifth 1m, expected at most 4"),
    ],
)
def test_bad_text_is_refused(refuses, text, tiles, message):
    refuses("unicode", text, tiles, message)


def test_red_fives_are_written_as_plain_fives(writes):
    assert writes("unicode", "5z 5mr 4m", FULL) == "🀊🀋🀆"
