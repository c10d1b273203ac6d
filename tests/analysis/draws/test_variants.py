"""The simpler models, each against plain search of what it says it counts."""

import random
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import inf

import pytest
from helpers.plain_draws import FORMS, Plain, contains_win, small_case

from mjopt import FULL, Hand, compare_models, deficiency, targets
from mjopt.analysis.draws import MODELS
from mjopt.errors import ModelError


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


def test_nearest_hands_over_all_subsets() -> None:
    rng = random.Random(1)
    checked = costs = 0
    for _ in range(700):
        hand, wall, forms = small_case(rng, 7)
        missing = deficiency(hand, unseen=wall, forms=forms)
        if missing < 127 and targets(hand, unseen=wall, forms=forms).number > 60:
            continue
        exact, nearest = compare_models(hand, wall=wall, forms=forms, models=("finite", "nearest"))
        assert nearest.draws is not None
        assert nearest.draws.model == "nearest"
        expected = nearest_by_targets(hand, wall, forms)
        assert nearest.draws.ways == expected, (hand.to_text(), hand.called, wall, forms)
        assert nearest.mean >= exact.mean
        assert nearest.draws.least == (missing if missing < 127 else None)
        checked += missing not in (0, 127)
        costs += nearest.mean > exact.mean
    assert checked > 150
    assert costs > 20


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


@pytest.mark.parametrize("form", FORMS)
def test_an_infinite_wall_against_its_chain(form: str) -> None:
    rng = random.Random(form)
    finite = 0
    for _ in range(60):
        hand, wall, forms = small_case(rng, 7, (form,) if form != FORMS[2] else FORMS)
        if sum(copies > 0 for copies in wall) > 5 or (form == FORMS[2] and hand.tiles is not FULL):
            continue
        expected = mean_with_replacement(hand, wall, forms)
        [found] = compare_models(hand, wall=wall, forms=forms, models="infinite")
        assert found.draws is None
        assert found.mean == (inf if expected is None else pytest.approx(float(expected), rel=1e-9))
        finite += expected is not None and expected > 0
    assert finite > 8


def test_errors_are_relative_to_the_exact_number() -> None:
    hand = Hand.parse("123456m789p1146s", tiles=FULL)
    found = {row.model: row for row in compare_models(hand)}
    assert list(found) == list(MODELS) == ["finite", "infinite", "nearest"]
    exact = found["finite"]
    assert exact.error == 0
    assert found["nearest"].mean == Fraction(124, 5)  # one of four 5s among 123 tiles
    for row in found.values():
        assert row.error == pytest.approx(float(row.mean) / float(exact.mean) - 1)
    # The wall ends before the infinite one does.
    never = compare_models(hand, wall=[0] * 34)
    assert [(row.mean, row.error) for row in never] == [(inf, 0.0)] * 3
    win = compare_models(Hand.parse("11m", called=4, tiles=FULL))
    assert [(row.mean, row.error) for row in win] == [(0, 0.0)] * 3


def test_one_of_two_infinite() -> None:
    """A single wall tile drawn again and again makes a pair, but not from a real wall."""
    hand = Hand.parse("1m", called=4, tiles=FULL)
    wall = [0] * 34
    wall[33] = 1
    finite, infinite, nearest = compare_models(hand, wall=wall)
    assert (finite.mean, nearest.mean, infinite.mean) == (inf, inf, pytest.approx(2, rel=1e-9))
    assert infinite.error is None


def test_unknown_models_are_refused() -> None:
    with pytest.raises(ModelError, match="unknown model 'greedy', expected one of finite"):
        compare_models(Hand.parse("1112345678999m"), models="greedy")
