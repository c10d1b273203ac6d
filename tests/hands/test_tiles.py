"""Tile sets as data, and the validation of counts."""

import pytest

from mjopt.errors import TileError
from mjopt.hands.rules.classic_forms import standard_template
from mjopt.hands.tiles import FULL, M0, Suit, TileSet, check_counts
from mjopt.models import brute_force
from mjopt.models.network import network_graph

THREE_PLAYER = TileSet(
    "three-player",
    (
        Suit("m", "characters", (1, 9), has_chows=False),
        Suit("p", "dots", tuple(range(1, 10))),
        Suit("s", "bamboos", tuple(range(1, 10))),
        Suit("z", "honours", tuple(range(1, 8)), has_chows=False),
    ),
)


def test_number_of_kinds_and_tiles() -> None:
    assert (M0.num_kinds, M0.num_tiles, len(M0.chow_starts)) == (27, 108, 21)
    assert (FULL.num_kinds, FULL.num_tiles, len(FULL.chow_starts)) == (34, 136, 21)
    assert FULL.names[27:] == ("1z", "2z", "3z", "4z", "5z", "6z", "7z")


def test_chows_do_not_cross_suits() -> None:
    assert all(FULL.letter(t) == FULL.letter(t + 2) for t in FULL.chow_starts)


def test_three_player_set_needs_no_code() -> None:
    from mjopt import Hand, deficiency

    hand = Hand.parse("111m999m123p456s1z", tiles=THREE_PLAYER)
    assert deficiency(hand) == 1
    assert deficiency(hand, model="network") == brute_force.deficiency(hand)
    assert len(network_graph(standard_template(THREE_PLAYER), THREE_PLAYER).arcs) < len(
        network_graph(standard_template(FULL), FULL).arcs
    )
    with pytest.raises(ValueError, match="2m"):
        Hand.parse("2m", tiles=THREE_PLAYER, partial=True)


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ([0] * 26, "26 numbers, expected 27"),
        ([0, 5, *[0] * 25], "5 copies of 2m at position 1, expected 0..4"),
        ([-1, *[0] * 26], "-1 copies of 1m at position 0"),
        ([0.5, *[0] * 26], "0.5 copies of 1m at position 0"),
    ],
)
def test_bad_counts_are_refused(counts: list[float], message: str) -> None:
    with pytest.raises(TileError, match=message):
        check_counts(counts, M0)  # type: ignore[arg-type]


def test_bad_suits_are_refused() -> None:
    with pytest.raises(TileError, match="ascend"):
        Suit("m", "characters", (2, 1))
    with pytest.raises(TileError, match="one lower-case letter"):
        Suit("M", "characters", (1,))
    with pytest.raises(TileError, match="must differ"):
        TileSet("twice", (Suit("m", "a", (1,)), Suit("m", "b", (1,))))
