import pytest

from mjopt.errors import NotationError
from mjopt.hands.tiles import FULL, M0, TileSet

H1 = "B1B2B3B3B3B8B8B8C4C5C6D6D7D8"  # hand H1 of Yan and Li (2023)


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("", {}),
        (" (,)", {}),
        ("B1B2C4", {"1s": 1, "2s": 1, "4m": 1}),
        ("1B2B4C", {"1s": 1, "2s": 1, "4m": 1}),
        ("B3333 C222267 D7777", {"3s": 4, "2m": 4, "6m": 1, "7m": 1, "7p": 4}),
        ("3333B 222267C", {"3s": 4, "2m": 4, "6m": 1, "7m": 1}),
        ("(B1B2B3)(C1, C1)", {"1s": 1, "2s": 1, "3s": 1, "1m": 2}),
        ("(1B 2B)(4C)", {"1s": 1, "2s": 1, "4m": 1}),
        ("B1 2 (3)", {"1s": 1, "2s": 1, "3s": 1}),
    ],
)
def test_text_is_parsed(reads, text, counts):
    assert reads("paper", text) == (counts, {})


def test_suits_of_the_full_set_are_parsed(reads):
    assert reads("paper", "B1C2D3", FULL) == ({"1s": 1, "2m": 1, "3p": 1}, {})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("B1E1", "'E' at character 3, expected a rank 1..9 or B, C or D"),
        ("b1", "'b' at character 1, expected a rank 1..9 or B, C or D"),
        ("B0", "'0' at character 2, expected a rank 1..9 or B, C or D"),
        ("B1[", "'[' at character 3, expected a rank 1..9 or B, C or D"),
        ("B5r", "'r' at character 3, expected a rank 1..9 or B, C or D"),
        ("B²", "'²' at character 2, expected a rank 1..9 or B, C or D"),
        ("1B 2", "'2' at character 4: ranks without a suit, expected B, C or D after them"),
        ("1BC", "'C' at character 3: a suit without ranks, expected ranks before it"),
        ("B1 C", "'C' at character 4: a suit without ranks, expected ranks after it"),
        ("BC1", "'B' at character 1: a suit without ranks, expected ranks after it"),
        ("B1 2B C4", "'B' at character 5: a suit without ranks, expected ranks after it"),
        ("B33 333", "'3' at character 7: a fifth 3s, expected at most 4"),
    ],
)
def test_bad_text_is_refused(refuses, text, message):
    refuses("paper", text, M0, message)


def test_suit_outside_the_tile_set_is_refused(refuses):
    dots = TileSet("dots", M0.suits[1:2])
    refuses("paper", "D1B2", dots, "'2' at character 4: dots has no 2s, expected a suit p")


def test_hand_h1_is_written_as_printed(reads, writes):
    names = " ".join(f"{name} " * copies for name, copies in reads("paper", H1)[0].items())
    assert writes("paper", names) == H1


def test_suit_order_is_bamboos_characters_dots(writes):
    assert writes("paper", "1p 9m 1m 5mr 2s") == "B2C1C5C9D1"


def test_honours_are_refused(writes):
    with pytest.raises(NotationError, match=r"^1z has no sign in notation paper$"):
        writes("paper", "1m 1z", FULL)
