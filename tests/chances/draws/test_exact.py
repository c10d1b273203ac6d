"""Exact draws against all subsets and all orders of small walls."""

import random
from collections import Counter
from fractions import Fraction
from math import comb, inf

import pytest
from reference_implementations.draws import (
    FORMS,
    Plain,
    contains_win,
    mean_of,
    small_case,
    ways_kind_by_kind,
)

from mjopt import UNREACHABLE, Hand, expected_draws
from mjopt.chances.draws.automaton import derive_automaton
from mjopt.errors import TileError
from mjopt.hands.tiles import FULL, M0, Suit, TileSet
from mjopt.models import brute_force


def text_wall(text: str) -> tuple[int, ...]:
    return Hand.parse(text, tiles=FULL, partial=True).counts


def test_published_example_has_its_mean() -> None:
    """The ways of the example, and its mean: 3.2 draws."""
    hand = Hand.parse("113399s", called=2, tiles=FULL, partial=True)
    draws = expected_draws(hand, wall=text_wall("1223s2z"))
    assert draws.ways == (1, 5, 8, 4, 0, 0)
    assert draws.mean == Fraction(16, 5)
    assert Plain(hand, text_wall("1223s2z"), ("standard",)).mean_over_orders() == Fraction(16, 5)


@pytest.mark.parametrize("seed", range(8))
def test_every_subset_of_small_walls(seed: int) -> None:
    """Three thousand hands with walls of up to eight tiles, by enumeration."""
    rng = random.Random(seed)
    seen: Counter[str] = Counter()
    for _ in range(400):
        hand, wall, forms = small_case(rng, 8)
        expected = Plain(hand, wall, forms).ways()
        draws = expected_draws(hand, wall=wall, forms=forms)
        assert draws.ways == expected, (hand.to_text(), hand.called, wall, forms)
        assert draws.mean == (mean_of(expected) if expected[-1] == 0 else inf)
        seen["later"] += expected[0] == 1 and expected[-1] == 0
        seen["at once"] += expected[0] == 0
        seen["never"] += expected[-1] == 1
        seen["called"] += hand.called > 0
        seen["orphans"] += "thirteen_orphans" in forms and expected[-1] == 0
    assert seen["later"] > 100
    assert min(seen.values()) > 5, seen


@pytest.mark.parametrize("form", FORMS)
def test_every_order_of_small_walls(form: str) -> None:
    """The mean over all orders, one form at a time."""
    rng = random.Random(form)
    later = 0
    for size, number in ((5, 60), (6, 15), (8, 1)):
        for _ in range(number):
            hand, wall, forms = small_case(rng, size, (form,))
            if form == FORMS[2] and hand.tiles is M0:
                continue
            mean = Plain(hand, wall, forms).mean_over_orders()
            draws = expected_draws(hand, wall=wall, forms=forms)
            assert draws.mean == (inf if mean is None else mean)
            later += mean is not None and mean > 0
    assert later > 8


def test_plain_reference_agrees_with_all_complete_hands() -> None:
    """The reference of these tests against the package's brute force."""
    rng = random.Random(1)
    for _ in range(250):
        hand, wall, forms = small_case(rng, 8)
        if hand.tiles is FULL:  # brute force would enumerate seven pairs among 34 kinds
            forms = tuple({*forms, "standard"} - {"seven_pairs"})
        pool = [held + drawn for held, drawn in zip(hand.counts, wall, strict=True)]
        reachable = brute_force.deficiency(hand, unseen=wall, forms=forms) != UNREACHABLE
        assert contains_win(pool, hand.tiles, hand.called, forms) == reachable


def test_custom_tile_set() -> None:
    """Any number of suits with gaps: the same counts as brute force."""
    tiles = TileSet(
        "odd",
        (
            Suit("a", "split", (1, 2, 3, 5, 6, 7, 8)),
            Suit("b", "short", (4, 5, 6)),
            Suit("c", "no chows", (1, 2, 3), has_chows=False),
            Suit("d", "nine", tuple(range(1, 10))),
            Suit("e", "two", (2, 3)),
        ),
    )
    rng = random.Random(2)
    for _ in range(150):
        counts = [rng.choice((0, 0, 1, 2)) for _ in range(tiles.num_kinds)]
        while sum(counts) > 11:
            counts[rng.choice([k for k, c in enumerate(counts) if c])] -= 1
        wall = [0] * tiles.num_kinds
        for _ in range(8):
            kind = rng.randrange(tiles.num_kinds)
            wall[kind] += counts[kind] + wall[kind] < 4
        hand = Hand.from_counts(counts, tiles=tiles, called=1, partial=True)
        pieces = Plain(hand, wall, ("standard",))
        assert expected_draws(hand, wall=wall).ways == split_ways(pieces, tiles)


def split_ways(pieces: Plain, tiles: TileSet) -> tuple[int, ...]:
    """Count by brute force, which has no gaps: the split suit becomes two suits."""
    halves = (Suit("a", "low", (1, 2, 3)), Suit("f", "high", (5, 6, 7, 8)), *tiles.suits[1:])
    pieces.hand = Hand.from_counts(
        pieces.hand.counts, tiles=TileSet("split", halves), called=1, partial=True
    )
    return pieces.ways()


def test_complete_hand_needs_no_draws() -> None:
    for text, forms in (
        ("123m456p789s11122z", FORMS[:1]),
        ("1133557799m1133p", FORMS),
        ("19m19p19s12345677z", FORMS[2:]),
    ):
        hand = Hand.parse(text, tiles=FULL)
        for wall in (None, [0] * 34):
            draws = expected_draws(hand, wall=wall, forms=forms)
            assert draws.mean == 0
            assert set(draws.ways) == {0}
            assert set(draws.curve) == {1}
            assert (draws.least, draws.most, draws.quantile(1)) == (0, 0, 0)


def test_wall_without_useful_tiles() -> None:
    hand = Hand.parse("1112345678999m", tiles=FULL)
    draws = expected_draws(hand, wall=[0] * 34)
    assert (draws.ways, draws.mean, draws.is_certain) == ((1,), inf, False)
    assert (draws.least, draws.most, draws.quantile(0.5)) == (None, None, None)
    draws = expected_draws(hand, wall=text_wall("1p1s1234z"))
    assert draws.ways == tuple(comb(6, i) for i in range(7))
    called = Hand.parse("1122334455m", called=1, tiles=FULL, partial=True)
    assert expected_draws(called, forms=("seven_pairs", "thirteen_orphans")).mean == inf


def test_impossible_walls_are_refused() -> None:
    hand = Hand.parse("1112345678999m", tiles=FULL)
    for wall, message in (
        ([2] + [0] * 33, "2 copies of 1m, but the hand leaves 1"),
        ([0] * 33 + [5], "5 copies of 7z at position 33, expected 0..4"),
        ([0] * 33 + [-1], "-1 copies"),
        ([0] * 33 + [0.5], "0.5 copies"),
        ([0] * 27, "27 numbers, expected 34"),
    ):
        with pytest.raises(TileError, match=message):
            expected_draws(hand, wall=wall)
    melds = Hand.parse("1m", melds=["111z", "222z", "333z", "4444z"], tiles=FULL)
    with pytest.raises(TileError, match="2 copies of 1z, but the hand leaves 1"):
        expected_draws(melds, wall=[0] * 27 + [2] + [0] * 6)
    with pytest.raises(TileError, match="1 copies of 4z, but the hand leaves 0"):
        expected_draws(melds, wall=[0] * 30 + [1] + [0] * 3)


@pytest.mark.parametrize("forms", [FORMS[:1], FORMS[:2], FORMS[1:], FORMS])
def test_full_walls_kind_by_kind(forms: tuple[str, ...]) -> None:
    """Full walls by another method: one state per hand, one integer per polynomial."""
    rng = random.Random(len(forms))
    for _ in range(4):
        tiles = [kind for kind in range(34) for _ in range(4)]
        rng.shuffle(tiles)
        called = 0 if forms != FORMS[:1] else rng.randint(0, 2)
        size = rng.randint(10, 14) - 3 * called
        counts = tuple(tiles[:size].count(kind) for kind in range(34))
        wall = tuple(tiles[size + 10 :].count(kind) for kind in range(34))
        hand = Hand.from_counts(counts, tiles=FULL, called=called, partial=True)
        assert expected_draws(hand, wall=wall, forms=forms).ways == by_kinds(hand, wall, forms)


def by_kinds(hand: Hand, wall: tuple[int, ...], forms: tuple[str, ...]) -> tuple[int, ...]:
    """Run the unminimised automaton and the thirteen orphans over all 34 kinds."""
    melds = 4 - hand.called if "standard" in forms else None
    automaton = derive_automaton(melds, pairs="seven_pairs" in forms)
    steps = automaton.steps.tolist()
    orphans = {i for i, name in enumerate(FULL.names) if name[0] in "19" or name[1] == "z"}
    counts_orphans = "thirteen_orphans" in forms

    def step(kind: int, state: tuple[int, int], copies: int) -> tuple[int, int] | None:
        number, alive = steps[state[0]][copies], state[1]
        if kind >= 27 or kind % 9 == 8:
            number = steps[steps[number][0]][0]
        if kind in orphans and alive:
            alive = 0 if copies == 0 else max(alive, min(copies, 2))
        return None if automaton.wins[number] else (number, alive)

    start = (0, 1 if counts_orphans else 0)
    kinds = list(zip(hand.counts, wall, strict=True))
    return tuple(ways_kind_by_kind(kinds, start, step, is_incomplete=lambda state: state[1] < 2))
