"""Calls: each row is the best discard of the opened hand, compared by the chance to win."""

import random
from itertools import pairwise

import pytest

from mjopt import FULL, M0, AdvisedOption, Hand, Position, TileSet, advise, judge_calls
from mjopt.errors import ArgumentError, HandError, TileError

FORMS = ("standard", "seven_pairs")


def deal(rng: random.Random, size: int, seen: int, tiles: TileSet = FULL) -> tuple[Hand, list[int]]:
    wall = [kind for kind in range(tiles.num_kinds) for _ in range(4)]
    rng.shuffle(wall)
    counts = [wall[:size].count(kind) for kind in range(tiles.num_kinds)]
    left = [wall[size + seen :].count(kind) for kind in range(tiles.num_kinds)]
    return Hand.from_counts(counts, tiles=tiles, called=(14 - size) // 3), left


def possible_melds(hand: Hand, kind: int) -> set[tuple[int, ...]]:
    """Return the kinds of every chow, pong and kong with a discarded tile."""
    counts, melds = hand.counts, set()
    for first in range(kind - 2, kind + 1):
        run = (first, first + 1, first + 2)
        same_suit = kind < 27 and first >= 0 and first // 9 == (first + 2) // 9 == kind // 9
        if same_suit and all(counts[k] for k in run if k != kind):
            melds.add(run)
    if counts[kind] >= 2:
        melds.add((kind,) * 3)
    if counts[kind] == 3:
        melds.add((kind,) * 4)
    return melds


def row_of(found: list[AdvisedOption], action: str) -> AdvisedOption:
    return next(row for row in found if row.action == action)


@pytest.mark.parametrize("size", [10, 4])
def test_calls_equal_the_best_discard_of_the_opened_hand(size: int) -> None:
    rng = random.Random(size)
    calls = 0
    for _ in range(8):
        hand, wall = deal(rng, size, 60)
        callable_kinds = [k for k in range(34) if wall[k] and possible_melds(hand, k)]
        if not callable_kinds:
            continue
        kind = rng.choice(callable_kinds)
        wall[kind] -= 1
        found = judge_calls(hand, kind, wall=wall, draws=4, effort="quick")
        assert found[0].action == "win" or all(
            one.at_least >= other.at_least - 1e-4 or other.action == "win"
            for one, other in pairwise(found)
        )
        rows = [row for row in found if row.meld]
        assert {row.meld.kinds for row in rows} == possible_melds(hand, kind)
        assert len(rows) == len(possible_melds(hand, kind))
        for row in rows:
            if row.action == "kong":
                assert (row.kind, row.draws) == (None, 4)
                continue
            counts = list(hand.counts)
            counts[kind] += 1
            for used in row.meld.kinds:
                counts[used] -= 1
            opened = Hand.from_counts(counts, tiles=FULL, called=hand.called + 1)
            after = advise(
                Position(hand=opened, wall=tuple(wall), draws=3, calls=()), effort="quick"
            )
            discards = {r.kind: r for r in after.options if r.action == "discard"}
            best = max(r.at_least for r in discards.values())
            assert row.at_least <= discards[row.kind].at_most
            assert best - row.at_least < 2e-3 or not after.is_closed
            assert row.draws == 3
            assert row.hand.counts == discards[row.kind].hand.counts
            assert row.mean_draws_keeping_all == discards[row.kind].mean_draws_keeping_all
        calls += len(rows)
    assert calls >= 3


def test_call_is_rated_by_its_gain() -> None:
    chow, passing = judge_calls("2378m345p6688s11z", "4m", effort="quick")
    assert (chow.action, passing.action) == ("chow", "pass")
    assert chow.meld is not None
    assert chow.meld.text(FULL) == "234m"
    assert (chow.draws, passing.draws) == (17, 18)
    assert chow.at_least > 0.43
    assert 0.34 < passing.at_least < 0.35
    # Six pairs: a call would break up the seven pairs.
    closed = judge_calls("1133m5577p1199s4z", "1m", forms=FORMS, draws=4)
    assert closed[0].action == "pass"
    assert row_of(closed, "pong").lost > 0


def test_winning_tile() -> None:
    ready = Hand.parse("1112345678999m", tiles=FULL)
    found = judge_calls(ready, "5m", draws=3)
    assert (found[0].action, found[0].at_least, found[0].lost) == ("win", 1, 0)
    assert row_of(found, "pass").is_lost_proven
    assert "win" not in {row.action for row in judge_calls(ready, "5p", draws=3)}


def test_named_called_melds_are_kept() -> None:
    hand = Hand.parse("1123m567p11z5s", melds=["222z"], tiles=FULL)
    pong = row_of(judge_calls(hand, "1m", draws=2), "pong")
    assert [meld.text(FULL) for meld in pong.hand.melds] == ["222z", "111m"]
    counted = Hand.parse("1123m567p11z5s", called=1, tiles=FULL)
    assert row_of(judge_calls(counted, "1m", draws=2), "pong").hand.melds == ()


@pytest.mark.parametrize(
    ("text", "called", "tile", "wall", "message"),
    [
        ("1112345678999m1p", 0, "1m", None, "1m on offer to a hand after its draw"),
        ("1112345678m", 0, "1m", None, "10 tiles, expected 13 or 14"),
        ("1112345678999m", 0, "1z", None, "no tile '1z' in M0"),
        ("1112345678999m", 0, 27, None, "no tile 27 in M0"),
        ("1111m", 3, "1m", None, "1m: the hand shows all 4 copies, nobody can have discarded one"),
        ("1112m", 3, "1m", [1] + [0] * 26, "hand and offer leave 0"),
        ("1112m", 3, "1m", [2] + [0] * 26, "2 copies of 1m, but the hand leaves 1"),
    ],
)
def test_impossible_calls_are_refused(
    text: str, called: int, tile: str | int, wall: list[int] | None, message: str
) -> None:
    hand = Hand.parse(text, called=called, tiles=M0, partial=True)
    with pytest.raises((HandError, TileError), match=message):
        judge_calls(hand, tile, wall=wall)


def test_more_draws_than_the_wall_are_refused() -> None:
    with pytest.raises(ArgumentError, match="draws: 3 draws from a wall of 2 tiles"):
        judge_calls(Hand.parse("1112m", called=3), "1m", wall=[0, 2] + [0] * 25, draws=3)


def test_fifth_call_is_refused() -> None:
    hand = Hand.parse("1m", called=4)
    assert [row.action for row in judge_calls(hand, "1m", draws=3)] == ["win", "pass"]
    assert [row.action for row in judge_calls(hand, "2m", draws=3)] == ["pass"]


@pytest.mark.parametrize(
    ("text", "rules"), [("123456m12p1144s2235s", "taiwan"), ("147m258p36s11122z", "mcr")]
)
def test_hand_after_a_call_keeps_its_rules(text: str, rules: str) -> None:
    hand = Hand.parse(text, rules=rules)
    offered = "3p" if rules == "taiwan" else "1z"

    options = advise(hand, offered=offered, draws=2, effort="quick").options

    assert any(option.meld is not None for option in options)
    assert all(option.hand.rules == hand.rules for option in options)
