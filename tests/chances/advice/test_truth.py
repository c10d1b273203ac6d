"""Advice against brute force over hand and wall, in small worlds of one suit."""

from fractions import Fraction
from functools import cache
from math import sqrt

import numpy as np
import pytest
from reference_implementations.win_chance import World, best_play, changed, distance, kinds

from mjopt import UNREACHABLE, AdvisedOption, Hand, Position, advise, useful_tiles
from mjopt.chances.advice.estimate import estimate_chances
from mjopt.hands.blocks import pong
from mjopt.hands.rules.read_forms import check_forms

KINDS = 6


def random_position(rng: np.random.Generator, called: int, *, is_full: bool) -> Position:
    """Return a hand of one suit, a small wall, a few draws and often a tile on offer."""
    tiles = rng.permutation(np.repeat(np.arange(KINDS), 4))
    size = 13 - 3 * called + is_full
    most = 6 if is_full else 7
    wall_size = int(rng.integers(3, most))
    hand, wall = tiles[:size], tiles[size : size + wall_size]
    rest = tiles[size + wall_size :]
    return Position(
        hand=Hand.from_counts(np.bincount(hand, minlength=27).tolist(), called=called),
        wall=tuple(np.bincount(wall, minlength=27).tolist()),
        draws=int(rng.integers(1, min(wall_size, 4))),
        forms=("standard",),
        offered=None if is_full or rng.random() < 0.2 else int(rng.choice(rest)),
    )


def optimum(counts: tuple[int, ...], called: int, wall: tuple[int, ...], draws: int) -> Fraction:
    """Return the chance to win of a hand before its draw, over all plays without calls."""
    return best_play(World(counts, called, wall, draws, 0), in_class=False)(counts, wall, draws)


def exact_chance(position: Position, row: AdvisedOption) -> Fraction:
    """Return the chance of an option by brute force, from the position alone."""
    counts, called, draws = position.hand.counts, position.hand.called, position.draws
    if position.offered is not None and row.action != "pass":
        counts = changed(counts, gained=position.offered)
    if row.action == "win":
        assert distance(counts, called) == 0
        return Fraction(1)
    if row.meld is not None:
        [draws] = [call.draws for call in position.calls or () if call.meld == row.meld]
        is_added = pong(row.meld.kinds[0]) in position.hand.melds
        for kind in row.meld.kinds[:1] if is_added else row.meld.kinds:
            counts = changed(counts, thrown=kind)
        called += not is_added
    if row.kind is not None:
        counts = changed(counts, thrown=row.kind)
    return optimum(counts, called, position.wall, draws)


def check(position: Position, effort: str = "normal") -> set[str]:
    """Compare every option with brute force; return the actions."""
    advice = advise(position, effort=effort)
    for row in advice.options:
        exact = exact_chance(position, row)
        shown = (position.to_text(), row.name)
        assert row.at_most is not None, shown
        assert exact <= row.at_most, shown
        assert row.at_least is None or row.at_least <= exact, shown
        assert row.in_class is None or row.at_least <= row.in_class, shown
        if row.is_lost_proven:
            first = exact_chance(position, advice.options[0])
            assert first > exact, shown
    return {row.action for row in advice.options}


@pytest.mark.parametrize("effort", ["quick", "normal"])
@pytest.mark.parametrize("called", [2, 3, 4])
def test_bounds_of_discards_hold(called: int, effort: str) -> None:
    rng = np.random.default_rng(called)
    for _ in range(8 if called > 2 else 3):
        check(random_position(rng, called, is_full=True), effort)


@pytest.mark.parametrize("called", [2, 3, 4])
def test_bounds_of_answers_hold(called: int) -> None:
    rng = np.random.default_rng([called, 1])
    seen: set[str] = set()
    for _ in range(20 if called == 3 else 6):
        seen |= check(random_position(rng, called, is_full=False))
    assert seen >= ({"pass", "chow", "pong"} if called < 4 else {"pass"})


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("1112m called=3 tiles=m0 offered=1m draws=3", "kong"),
        ("11112m called=3 tiles=m0 draws=3", "kong"),
        ("112m23m melds=666m,444m,555m tiles=m0 draws=2", "discard"),
        ("1223m4m melds=666m,111m,555m tiles=m0 draws=2", "kong"),
        ("11m melds=222s,333s,666s,777s tiles=m0 draws=2", "win"),
    ],
)
def test_bounds_of_kongs_and_wins_hold(text: str, action: str) -> None:
    position = Position.parse(text)
    wall = tuple(copies if kind < KINDS else 0 for kind, copies in enumerate(position.wall))
    small = Position(
        hand=position.hand, wall=wall, draws=position.draws, offered=position.offered,
        forms=("standard",),
    )  # fmt: skip
    assert action in check(small)


def simple_play(
    counts: tuple[int, ...], called: int, wall: tuple[int, ...], draws: int
) -> Fraction:
    """Return the chance of the simulated way of playing: least deficiency, most useful tiles."""

    def key(kind: int, held: tuple[int, ...], left: tuple[int, ...]) -> tuple[int, int, int]:
        after = Hand.from_counts(changed(held, thrown=kind), called=called)
        found = useful_tiles(after, unseen=left)
        missing = UNREACHABLE if found.deficiency is None else found.deficiency
        return missing, -found.num_copies, kind

    @cache
    def value(hand: tuple[int, ...], left: tuple[int, ...], number: int) -> Fraction:
        won = Fraction(0)
        for drawn in kinds(left) if number else ():
            held, rest = changed(hand, drawn), changed(left, thrown=drawn)
            if distance(held, called) == 0:
                won += left[drawn]
                continue
            thrown = min(kinds(held), key=lambda kind: key(kind, held, rest))
            won += left[drawn] * value(changed(held, thrown=thrown), rest, number - 1)
        return won / sum(left) if number else won

    return value(counts, wall, draws)


@pytest.mark.parametrize("called", [2, 3])
def test_estimate_is_that_of_its_way_of_playing_and_no_more_than_optimal_play(called: int) -> None:
    rng = np.random.default_rng([called, 2])
    for _ in range(8 if called == 3 else 2):
        position = random_position(rng, called, is_full=False)
        hand, wall = position.hand, position.wall
        draws = min(position.draws, called)
        [found] = estimate_chances(
            [hand],
            [draws],
            wall,
            [check_forms("standard", hand.tiles)],
            rng=np.random.default_rng(1),
        )
        chance = simple_play(hand.counts, called, wall, draws)
        assert chance <= optimum(hand.counts, called, wall, draws)
        deviation = sqrt(float(chance * (1 - chance)) / found.tries)
        assert abs(found.mean - chance) <= 4 * deviation
        low, high = found.interval
        assert 0 <= low <= found.mean <= high <= 1
        assert low - 3 * deviation <= chance <= high + 3 * deviation


def test_intervals_contain_the_chance_about_19_times_in_20() -> None:
    hand = Hand.parse("123456789m1123p")
    chance = useful_tiles(hand).num_copies / sum(hand.unseen)
    inside = 0
    for seed in range(60):
        [found] = estimate_chances(
            [hand],
            [1],
            hand.unseen,
            [check_forms("standard", hand.tiles)],
            tries=400,
            rng=np.random.default_rng(seed),
        )
        inside += found.interval[0] <= chance <= found.interval[1]
    assert 50 <= inside <= 60
