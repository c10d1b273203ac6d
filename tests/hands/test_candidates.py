"""The set S: for each rule a hand where it applies and one where it does not."""

import pytest

from mjopt import FULL, Hand, candidates


def elements(text: str) -> set[str]:
    hand = Hand.parse(text, tiles=FULL, partial=True)
    found = candidates(hand)
    assert len(set(found)) == len(found)
    return {f"{block.shape}:{block.text(hand.tiles)}" for block in found}


@pytest.mark.parametrize(
    ("text", "element", "present"),
    [
        ("23m", "pchow:23m", True),  # case 1
        ("111123m", "pchow:23m", True),  # one neighbour suffices
        ("111123444m4m", "pchow:23m", False),  # all copies of both neighbours are held
        ("12m", "pchow:12m", True),
        ("123333m", "pchow:12m", False),  # at the end of a suit there is only one neighbour
        ("89m", "pchow:89m", True),
        ("777789m", "pchow:89m", False),
        ("13m", "pchow:13m", True),  # case 2
        ("122223m", "pchow:13m", False),
        ("79m", "pchow:79m", True),
        ("123m", "chow:123m", True),  # case 3
        ("124m", "chow:123m", False),
        ("11m", "eye:11m", True),  # case 4
        ("1m", "eye:11m", False),
        ("1111m", "eye:11m", True),
        ("111m", "pong:111m", True),  # case 5
        ("11m", "pong:111m", False),
        ("12z", "pchow:12z", False),  # honours form no chows
        ("111z", "pong:111z", True),
        ("9m1p", "pchow:91m", False),
    ],
)
def test_each_rule(text: str, element: str, present: bool) -> None:
    assert (element in elements(text)) == present


def test_pmelds_precede_melds() -> None:
    hand = Hand.parse("1112345678999m1p")
    shapes = [block.shape.value for block in candidates(hand)]
    assert shapes == sorted(shapes, key=["pchow", "eye", "chow", "pong"].index)
