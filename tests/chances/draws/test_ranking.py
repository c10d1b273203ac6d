"""Discards: each row has the expected draws of the hand after it."""

import random
from math import inf

import pytest
from reference_implementations.draws import FORMS

from mjopt import (
    FULL,
    Draws,
    Hand,
    TileSet,
    expected_draws,
    rank_discards,
    useful_tiles,
)
from mjopt.errors import HandError
from mjopt.hands.tiles import Suit


def deal(rng: random.Random, size: int, seen: int, tiles: TileSet = FULL) -> tuple[Hand, list[int]]:
    wall = [kind for kind in range(tiles.num_kinds) for _ in range(4)]
    rng.shuffle(wall)
    counts = [wall[:size].count(kind) for kind in range(tiles.num_kinds)]
    left = [wall[size + seen :].count(kind) for kind in range(tiles.num_kinds)]
    return Hand.from_counts(counts, tiles=tiles, called=(14 - size) // 3), left


@pytest.mark.parametrize("forms", [FORMS[:1], FORMS[:2], FORMS])
@pytest.mark.parametrize("size", [14, 8, 2])
def test_ranking_equals_the_draws_after_each_discard(size: int, forms: tuple[str, ...]) -> None:
    rng = random.Random(size)
    for seen in (0, 40, 90, 105, 105, 115, 115):  # from full walls to a few tiles
        hand, wall = deal(rng, size, seen)
        ranked = rank_discards(hand, wall=wall, forms=forms)
        assert sorted(row.kind for row in ranked) == [k for k, c in enumerate(hand.counts) if c]
        for row in ranked:
            left = [c - (k == row.kind) for k, c in enumerate(hand.counts)]
            after = Hand.from_counts(left, tiles=FULL, called=hand.called)
            assert row.hand.counts == after.counts
            assert row.draws == expected_draws(after, wall=wall, forms=forms)
            assert row.mean == row.draws.mean
            useful = useful_tiles(after, unseen=wall, forms=forms)
            assert (row.deficiency, row.useful) == (useful.deficiency, useful.copies)
            assert row.num_useful == useful.num_copies
            assert row.change == (0 if row.mean == ranked[0].mean else row.mean - ranked[0].mean)
            assert row.rank == 1 + sum(other.mean < row.mean for other in ranked)
            assert row.is_tied == (sum(other.mean == row.mean for other in ranked) > 1)
        means = [row.mean for row in ranked]
        assert means == sorted(means)
        floats = rank_discards(hand, wall=wall, forms=forms, exact=False)
        assert all(row.draws is None for row in floats)
        by_kind = {row.kind: row for row in ranked}
        for row in floats:
            assert float(row.mean) == pytest.approx(float(by_kind[row.kind].mean), rel=1e-11)
            assert (row.rank, row.is_tied) == (by_kind[row.kind].rank, by_kind[row.kind].is_tied)


def test_ties_are_exact() -> None:
    """Isolated honours tie; the default wall contains all tiles that are not held."""
    ranked = rank_discards(Hand.parse("123m456p789s11m567z", tiles=FULL))
    best = [row for row in ranked if row.rank == 1]
    assert [FULL.names[row.kind] for row in best] == ["5z", "6z", "7z"]
    assert all(row.is_tied and row.change == 0 for row in best)
    assert ranked[3].rank == 4
    assert isinstance(best[0].draws, Draws)
    assert best[0].draws.wall == Hand.parse("123m456p789s11m567z", tiles=FULL).unseen


def test_discard_after_which_no_win_is_possible() -> None:
    hand = Hand.parse("11m", called=4, tiles=FULL)
    hopeless = Hand.parse("12m", called=4, tiles=FULL)
    assert rank_discards(hand, wall=[0] * 34)[0].mean == inf
    assert [row.rank for row in rank_discards(hopeless, wall=[0] * 34)] == [1, 1]
    wall = [1] + [0] * 33
    first, last = rank_discards(hopeless, wall=wall)
    assert (FULL.names[first.kind], first.mean, last.mean, last.change) == ("2m", 1, inf, inf)


def test_custom_tile_set() -> None:
    tiles = TileSet(
        "pair of suits",
        (Suit("p", "dots", tuple(range(1, 10))), Suit("z", "winds", (1, 2, 3, 4), has_chows=False)),
    )
    hand = Hand.from_counts([1] * 9 + [2, 2, 1, 0], tiles=tiles)
    ranked = rank_discards(hand)
    assert tiles.names[ranked[0].kind] == "3z"
    assert ranked[0].deficiency == 1
    assert {tiles.names[kind]: copies for kind, copies in ranked[0].useful} == {"1z": 2, "2z": 2}


def test_hand_of_13_tiles_is_refused() -> None:
    with pytest.raises(HandError, match="13 tiles, expected 14: a hand after its draw"):
        rank_discards(Hand.parse("1112345678999m"))
