import pytest

from mjopt.errors import NotationError
from mjopt.hands.tiles import FULL, M0, Suit, TileSet

WORDS = "expected 1m..9m, 1p..9p, 1s..9s, 5mr, 5pr, 5sr or one of ESWNPFC"


@pytest.mark.parametrize(
    ("text", "counts", "red"),
    [
        ("", {}, {}),
        ("[]", {}, {}),
        ("1m 9s,5pr", {"1m": 1, "9s": 1, "5p": 1}, {"5p": 1}),
        ("5mr 5mr 5m", {"5m": 3}, {"5m": 2}),
        ("E S W N P F C", {f"{rank}z": 1 for rank in range(1, 8)}, {}),
        ('["1m","5sr", "C"]', {"1m": 1, "5s": 1, "7z": 1}, {"5s": 1}),
    ],
)
def test_text_is_parsed(reads, text, counts, red):
    assert reads("mjai", text, FULL) == (counts, red)


@pytest.mark.parametrize(
    ("text", "tiles", "message"),
    [
        ("1m ?", M0, "'?' at character 4: a hidden tile, expected a known one"),
        ('["?"]', M0, "'?' at character 3: a hidden tile, expected a known one"),
        ("1m 1z", FULL, f"'1z' at character 4, {WORDS}"),
        ("e", FULL, f"'e' at character 1, {WORDS}"),
        ("0m", FULL, f"'0m' at character 1, {WORDS}"),
        ("4mr", FULL, f"'4mr' at character 1, {WORDS}"),
        ("1m2m", FULL, f"'1m2m' at character 1, {WORDS}"),
        ('["1m", ""]', FULL, f"'' at character 9, {WORDS}"),
        ("E", M0, "'E' at character 1: M0 has no 1z, expected a suit m, p or s"),
        ("1m 1m 1m 1m 1m", M0, "'1m' at character 13: a fifth 1m, expected at most 4"),
        (
            '["1m", 2m]',
            M0,
            '\'2m\' at character 8, expected a tile in double quotes, as in ["1m", "E"]',
        ),
        (
            '["]',
            M0,
            '\'"\' at character 2, expected a tile in double quotes, as in ["1m", "E"]',
        ),
        ('"1m"', M0, f"'\"1m\"' at character 1, {WORDS}"),
        ('["1m"', M0, "'[' at character 1: never closed, expected ] at the end"),
    ],
)
def test_bad_text_is_refused(refuses, text, tiles, message):
    refuses("mjai", text, tiles, message)


@pytest.mark.parametrize(
    ("names", "text"),
    [
        ("5m 5mr 4m", "4m 5mr 5m"),
        ("1z 2z 3z 4z 5z 6z 7z", "E S W N P F C"),
    ],
)
def test_tiles_are_formatted(writes, names, text):
    assert writes("mjai", names, FULL) == text


@pytest.mark.parametrize("name", ["1x", "5xr"])
def test_other_suits_are_refused(writes, name):
    with pytest.raises(NotationError, match="has no sign in notation mjai"):
        writes("mjai", name, TileSet("other", (Suit("x", "others", (1, 5)),)))
