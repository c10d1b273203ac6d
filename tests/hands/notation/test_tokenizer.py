import pytest

from mjopt.errors import NotationError
from mjopt.hands.notation.mpsz import Token, ranks_then_suit, suit_then_ranks


def _signs(text):
    return [Token(char, at, char) for at, char in enumerate(text)]


@pytest.mark.parametrize(
    ("group", "text", "names"),
    [
        (ranks_then_suit, "12m3p", ["1m", "2m", "3p"]),
        (suit_then_ranks, "m12p3", ["1m", "2m", "3p"]),
        (ranks_then_suit, "", []),
        (suit_then_ranks, "", []),
    ],
)
def test_group_is_split_into_tiles(group, text, names):
    assert [tile.name for tile in group(_signs(text), "m")] == names


@pytest.mark.parametrize(
    ("group", "text", "message"),
    [
        (
            ranks_then_suit,
            "1mp",
            "'p' at character 3: a suit without ranks, expected ranks before it",
        ),
        (
            ranks_then_suit,
            "1m23",
            "'23' at character 3: ranks without a suit, expected m after them",
        ),
        (
            suit_then_ranks,
            "mp1",
            "'m' at character 1: a suit without ranks, expected ranks after it",
        ),
        (
            suit_then_ranks,
            "m1p",
            "'p' at character 3: a suit without ranks, expected ranks after it",
        ),
        (suit_then_ranks, "1m", "'1' at character 1: ranks without a suit, expected m before them"),
    ],
)
def test_bad_group_is_refused(group, text, message):
    with pytest.raises(NotationError) as refused:
        list(group(_signs(text), "m"))
    assert str(refused.value) == message
