import pytest

from mjopt.hands.tiles import FULL, M0

SIGNS = "expected W1..W9, B1..B9, T1..T9, F1..F4 or J1..J3"


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("", {}),
        ("W1 B2,T3", {"1m": 1, "2p": 1, "3s": 1}),
        ("W1W1B9", {"1m": 2, "9p": 1}),
        ("F1F2F3F4", {"1z": 1, "2z": 1, "3z": 1, "4z": 1}),
        ("J1J2J2J3", {"7z": 1, "6z": 2, "5z": 1}),
    ],
)
def test_text_is_parsed(reads, text, counts):
    assert reads("botzone", text, FULL) == (counts, {})


@pytest.mark.parametrize(
    ("text", "tiles", "message"),
    [
        ("W1 H1", FULL, "'H1' at character 4: a flower, expected a suit tile or an honour"),
        ("H8", FULL, "'H8' at character 1: a flower, expected a suit tile or an honour"),
        ("H9", FULL, f"'H' at character 1, {SIGNS}"),
        ("W1 2", FULL, f"'2' at character 4, {SIGNS}"),
        ("w1", FULL, f"'w' at character 1, {SIGNS}"),
        ("W0", FULL, "'W0' at character 1, expected W1..W9"),
        ("B1B", FULL, "'B' at character 3, expected B1..B9"),
        ("T 1", FULL, "'T' at character 1, expected T1..T9"),
        ("W²", FULL, "'W' at character 1, expected W1..W9"),
        ("F5", FULL, "'F5' at character 1, expected F1..F4"),
        ("J4", FULL, "'J4' at character 1, expected J1..J3"),
        ("B1 F1", M0, "'F1' at character 4: M0 has no 1z, expected a suit m, p or s"),
        ("T1T1T1T1 T1", M0, "'T1' at character 10: a fifth 1s, expected at most 4"),
    ],
)
def test_bad_text_is_refused(refuses, text, tiles, message):
    refuses("botzone", text, tiles, message)


def test_b_means_dots_and_red_fives_are_written_as_plain_fives(writes):
    assert writes("botzone", "5pr 5p 1s 5z", FULL) == "B5 B5 T1 J3"
