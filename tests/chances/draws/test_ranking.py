"""Discards and calls: each row has the expected draws of the hand after the move."""

import random
from fractions import Fraction
from math import inf

import pytest
from mjopt.chances.draws.calls import CallDraws
from reference_implementations.draws import FORMS

from mjopt import (
    FULL,
    M0,
    Draws,
    Hand,
    TileSet,
    expected_draws,
    judge_calls,
    rank_discards,
    useful_tiles,
)
from mjopt.errors import HandError, TileError
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


def by_hand(
    hand: Hand, kind: int, taken: tuple[int, int], wall: list[int], forms: tuple[str, ...]
) -> tuple[object, int]:
    """Call with two tiles of the hand, then try every discard."""
    counts = list(hand.counts)
    for other in taken:
        counts[other] -= 1
    found = []
    for discard in [k for k, held in enumerate(counts) if held]:
        left = [c - (k == discard) for k, c in enumerate(counts)]
        after = Hand.from_counts(left, tiles=hand.tiles, called=hand.called + 1)
        found.append((expected_draws(after, wall=wall, forms=forms).mean, discard))
    return min(found)


@pytest.mark.parametrize("size", [13, 10, 4])
def test_calls_match_brute_force(size: int) -> None:
    rng = random.Random(size)
    calls = 0
    for _ in range(120 // size):
        hand, wall = deal(rng, size, 30)
        forms = FORMS[:2] if rng.random() < 0.5 else FORMS[:1]
        near = {k + step for k, held in enumerate(hand.counts) if held for step in (-1, 0, 1)}
        kind = rng.choice(sorted(k for k in near & set(range(34)) if wall[k]))
        wall[kind] -= 1
        found = judge_calls(hand, kind, wall=wall, forms=forms)
        assert [row.mean for row in found] == sorted(row.mean for row in found)
        [passing] = [row for row in found if row.action == "pass"]
        assert passing.draws == expected_draws(hand, wall=wall, forms=forms)
        expected = []
        if hand.counts[kind] >= 2:
            expected.append(("pong", *by_hand(hand, kind, (kind, kind), wall, forms)))
        for low, high in ((-2, -1), (-1, 1), (1, 2)):
            one, two = kind + low, kind + high
            same_suit = kind < 27 and one // 9 == two // 9 == kind // 9
            if same_suit and min(one, two) >= 0 and hand.counts[one] and hand.counts[two]:
                expected.append(("chow", *by_hand(hand, kind, (one, two), wall, forms)))
        rows = [row for row in found if row.meld]
        assert sorted((r.action, r.mean, r.discard) for r in rows) == sorted(expected)
        for row in rows:
            assert row.hand.called == hand.called + 1
            assert row.hand.num_tiles == hand.num_tiles - 3
            assert row.change == row.mean - passing.mean
            assert row.is_worth_it == (row.mean < passing.mean)
        calls += len(rows)
    assert calls >= 3


def row_of(found: list[CallDraws], action: str) -> CallDraws:
    return next(row for row in found if row.action == action)


def test_call_is_rated_by_its_gain() -> None:
    open_hand = Hand.parse("2378m345p6688s11z", tiles=FULL)
    found = judge_calls(open_hand, "4m")
    assert row_of(found, "chow").is_worth_it
    assert row_of(found, "chow").meld is not None
    assert row_of(found, "chow").meld.text(FULL) == "234m"
    # Six pairs: a call would break up the seven pairs.
    pairs = Hand.parse("1133m5577p1199s4z", tiles=FULL)
    closed = judge_calls(pairs, "1m", forms=FORMS[:2])
    assert closed[0].action == "pass"
    assert not row_of(closed, "pong").is_worth_it


def test_winning_tile() -> None:
    ready = Hand.parse("1112345678999m", tiles=FULL)
    found = judge_calls(ready, "5m")
    assert (found[0].action, found[0].mean, found[0].draws) == ("win", 0, None)
    assert row_of(found, "pass").mean > 0
    assert "win" not in {row.action for row in judge_calls(ready, "5p")}


def test_hand_after_a_discard_can_call() -> None:
    best = rank_discards(Hand.parse("2378m345p6688s11z5z", tiles=FULL))[0]
    assert best.hand.to_text() == "2378m345p6688s11z"
    assert {row.action for row in judge_calls(best.hand, 3)} == {"pass", "chow"}


def test_named_called_melds_are_kept() -> None:
    hand = Hand.parse("1123m567p11z5s", melds=["222z"], tiles=FULL)
    pong = row_of(judge_calls(hand, "1m"), "pong")
    assert [meld.text(FULL) for meld in pong.hand.melds] == ["222z", "111m"]
    counted = Hand.parse("1123m567p11z5s", called=1, tiles=FULL)
    assert row_of(judge_calls(counted, "1m"), "pong").hand.melds == ()


@pytest.mark.parametrize(
    ("text", "called", "tile", "wall", "message"),
    [
        ("1112345678999m1p", 0, "1m", None, "14 tiles, expected 13"),
        ("1112345678m", 0, "1m", None, "10 tiles, expected 13"),
        ("1112345678999m", 0, "1z", None, "no tile '1z' in M0"),
        ("1112345678999m", 0, 27, None, "no tile 27 in M0"),
        ("1111m", 3, "1m", None, "1m discarded, but the hand shows all 4 copies"),
        ("1112m", 3, "1m", [1] + [0] * 26, "the hand and the discard leave 0"),
        ("1112m", 3, "1m", [2] + [0] * 26, "2 copies of 1m, but the hand leaves 1"),
    ],
)
def test_impossible_calls_are_refused(
    text: str, called: int, tile: str | int, wall: list[int] | None, message: str
) -> None:
    hand = Hand.parse(text, called=called, tiles=M0, partial=True)
    with pytest.raises((HandError, TileError), match=message):
        judge_calls(hand, tile, wall=wall)


def test_fifth_call_is_refused() -> None:
    hand = Hand.parse("1m", called=4)
    assert [row.action for row in judge_calls(hand, "1m")] == ["win", "pass"]
    assert [row.action for row in judge_calls(hand, "2m")] == ["pass"]
    assert isinstance(judge_calls(hand, "2m")[0].mean, Fraction)
