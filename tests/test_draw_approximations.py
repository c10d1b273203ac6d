"""The approximations of examples/draw_approximations.py, each against plain search."""

import random
import runpy
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import inf

import pytest
from reference_implementations.draws import FORMS, Plain, contains_win, small_case

from mjopt import FULL, Hand, deficiency, expected_draws, targets
from tools.pages import EXAMPLES

EXAMPLE = runpy.run_path(str(EXAMPLES / "draw_approximations.py"))
nearest_draws, replacement_mean = EXAMPLE["nearest_draws"], EXAMPLE["replacement_mean"]


def nearest_by_targets(hand: Hand, wall: tuple[int, ...], forms: Sequence[str]) -> tuple[int, ...]:
    """Incomplete draws, over all subsets: no target's missing tiles among them."""
    missing = [
        [max(0, t - h) for t, h in zip(target, hand.counts, strict=True)]
        for target in targets(hand, unseen=wall, forms=forms)
    ]
    tiles = Plain(hand, wall, forms).tiles
    ways = [0] * (len(tiles) + 1)
    for chosen in range(1 << len(tiles)):
        drawn = [0] * len(wall)
        for place, kind in enumerate(tiles):
            drawn[kind] += chosen >> place & 1
        done = any(all(d >= m for d, m in zip(drawn, want, strict=True)) for want in missing)
        ways[sum(drawn)] += not done
    return tuple(ways)


def test_nearest_hands_agree_with_all_subsets() -> None:
    rng = random.Random(1)
    checked = costs = 0
    for _ in range(160):
        hand, wall, forms = small_case(rng, 7)
        missing = deficiency(hand, unseen=wall, forms=forms)
        if missing < 127 and targets(hand, unseen=wall, forms=forms).number > 60:
            continue
        exact = expected_draws(hand, wall=wall, forms=forms)
        nearest = nearest_draws(hand, wall, forms)
        expected = nearest_by_targets(hand, wall, forms)
        assert nearest.ways == expected, (hand.to_text(), hand.called, wall, forms)
        assert nearest.mean >= exact.mean
        assert nearest.least == (missing if missing < 127 else None)
        checked += missing not in (0, 127)
        costs += nearest.mean > exact.mean
    assert checked > 30
    assert costs > 4


def mean_with_replacement(hand: Hand, wall: Sequence[int], forms: Sequence[str]) -> Fraction | None:
    """Solve the Markov chain of an infinite wall: a state is the copies that count."""
    size = sum(wall)

    @cache
    def mean(pool: tuple[int, ...]) -> Fraction | None:
        if contains_win(pool, hand.tiles, hand.called, forms):
            return Fraction(0)
        total, moving = Fraction(1), Fraction(0)
        for kind, copies in enumerate(wall):
            if copies and pool[kind] < 4:
                after = mean((*pool[:kind], pool[kind] + 1, *pool[kind + 1 :]))
                if after is None:
                    return None
                total += Fraction(copies, size) * after
                moving += Fraction(copies, size)
        return total / moving if moving else None

    return mean(hand.counts)


@pytest.mark.parametrize("form", FORMS[:2])
def test_drawing_with_replacement_agrees_with_its_markov_chain(form: str) -> None:
    rng = random.Random(form)
    finite = 0
    for _ in range(60):
        hand, wall, forms = small_case(rng, 7, (form,))
        if sum(copies > 0 for copies in wall) > 5:
            continue
        expected = mean_with_replacement(hand, wall, forms)
        mean = replacement_mean(hand, wall, forms)
        assert mean == (inf if expected is None else pytest.approx(float(expected), rel=1e-9))
        finite += expected is not None and expected > 0
    assert finite > 8


def test_hopeless_and_complete_hands() -> None:
    hand = Hand.parse("123456m789p1146s", tiles=FULL)
    assert nearest_draws(hand).mean == Fraction(124, 5)  # one of four 5s among 123 tiles
    never, win = [0] * 34, Hand.parse("11m", called=4, tiles=FULL)
    assert replacement_mean(hand, never) == nearest_draws(hand, never).mean == inf
    assert replacement_mean(win) == nearest_draws(win).mean == 0


def test_replaced_tile_can_make_a_pair() -> None:
    hand = Hand.parse("1m", called=4, tiles=FULL)
    wall = [0] * 33 + [1]
    assert expected_draws(hand, wall=wall).mean == nearest_draws(hand, wall).mean == inf
    assert replacement_mean(hand, wall) == pytest.approx(2, rel=1e-9)
