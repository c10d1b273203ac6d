"""The order of the options: chance, then useful tiles, then draws, never the order of tiles."""

import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import pytest
from chances.advice.random_positions import random_position

from mjopt import SANMA, AdvisedOption, Hand, Position, advise

CLOSE = Fraction(2, 1000)
"""Which of equal plays the search prefers depends on the order of tiles."""


def key(row: AdvisedOption) -> tuple[int, int, float]:
    """Return what the options are ranked by: the chance as it is shown."""
    chance = -1 if row.at_least is None else int(row.at_least * 10_000)
    return -chance, -row.num_useful, row.mean_draws_keeping_all


def renamed(position: Position, by: int) -> Position:
    """Return a position with the suits renamed in a circle."""
    size = len(position.wall)

    def moved(counts: Sequence[int]) -> list[int]:
        return [counts[renamed_kind(kind, -by)] for kind in range(size)]

    hand = Hand.from_counts(
        moved(position.hand.counts), tiles=position.hand.tiles, called=position.hand.called
    )
    offered = position.offered
    return Position(
        hand=hand,
        wall=tuple(moved(position.wall)),
        draws=position.draws,
        offered=None if offered is None else renamed_kind(offered, by),
    )


def renamed_kind(kind: int, by: int) -> int:
    return (kind + 9 * by) % 27 if kind < 27 else kind


def identity(row: AdvisedOption, by: int = 0) -> tuple[object, ...]:
    kinds = () if row.meld is None else tuple(renamed_kind(kind, by) for kind in row.meld.kinds)
    discard = None if row.kind is None or row.meld else renamed_kind(row.kind, by)
    return row.action, discard, kinds


def test_options_are_ranked_by_chance_then_useful_tiles_then_draws() -> None:
    for seed in range(10):
        advice = advise(random_position(random.Random(seed), called=(1, 2, 3, 4)), effort="quick")
        rows = [row for row in advice.options if row.action != "win"]
        if advice.measure == "chance":
            assert all(key(one) <= key(other) for one, other in pairwise(rows))
        else:
            draws = [row.mean_draws_keeping_all for row in rows]
            assert draws == sorted(draws)
        assert all(row.action != "win" for row in advice.options[1:])


@pytest.mark.parametrize(
    ("by", "number"), [(1, 6), (2, 6), pytest.param(2, 30, marks=pytest.mark.slow)]
)
def test_renaming_suits_renames_the_options(by: int, number: int) -> None:
    compared = 0
    for seed in range(number):
        position = random_position(random.Random(seed), called=(1, 2, 3), most_draws=8)
        if position.hand.tiles is SANMA:
            continue
        advice = advise(position, effort="quick")
        other = advise(renamed(position, by), effort="quick")
        assert (advice.measure, advice.waste) == (other.measure, other.waste)
        rows = {identity(row): row for row in other.options}
        assert len(rows) == len(advice.options)
        for row in advice.options:
            same = rows[identity(row, by)]
            assert abs(row.at_most - same.at_most) < 1e-6
            assert (row.deficiency, row.num_useful) == (same.deficiency, same.num_useful)
            assert row.mean_draws_keeping_all == same.mean_draws_keeping_all
            assert (row.at_least is None) == (same.at_least is None)
            if row.at_least is not None:
                assert abs(row.at_least - same.at_least) < CLOSE
        best, same = rows[identity(advice.options[0], by)], other.options[0]
        if key(best) != key(same):
            assert abs(best.at_least - same.at_least) < CLOSE
        compared += 1
    assert compared > number // 2


def test_equal_chances_are_told_apart_by_useful_tiles() -> None:
    """Four draws hardly ever win, so that many chances are shown as 0."""
    advice = advise("122347m34p124s567z draws=4")
    equal = [row for row in advice.options if key(row)[0] == 0]
    assert len(equal) > 3
    assert [row.num_useful for row in equal] == sorted((r.num_useful for r in equal), reverse=True)


@pytest.mark.parametrize("effort", ["quick", "normal"])
def test_same_position_has_the_same_advice(effort: str) -> None:
    for text in ("122347m34p124s567z draws=3", "2378m345p6688s11z offered=4m draws=4"):
        first, second = (advise(text, effort=effort) for _ in range(2))
        assert first == second
        assert first.to_document() == second.to_document()
