"""Ceilings: equal to exact fractions but for their rounding, and above the best play of all."""

import random
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from chances.ceiling.conftest import Table
from reference_implementations.ceiling import (
    ONE_SUIT,
    TWO_SUITS,
    Small,
    best_play,
    built_layers,
    canonical,
    changed,
    exact_layers,
    held_kinds,
)

import mjopt
from mjopt import FULL, M0, Hand, TileSet
from mjopt.chances.ceiling._kernels import ONE
from mjopt.chances.ceiling.layout import make_layout
from mjopt.chances.ceiling.sweeps import TableFields
from mjopt.chances.ceiling.table import TableKey
from mjopt.chances.win_chance.play_bounds import COMPLETE


def check_against_fractions(question: TableFields) -> None:
    """Every value differs from the exact one by the rounding of each draw at most.

    Of one draw, the weights of the gains add up to the unseen tiles over the tiles in the wall at
    most. A value may be below the exact one, because a hand gains less over a greater value of its
    own; both are bounds. In tables of 108 and 136 tiles for 18 draws the difference is less than a
    unit a draw.
    """
    layout, layers = built_layers(question)
    hands = [canonical(tuple(layout.hand(n).tolist()), layout.tiles) for n in range(len(layers[0]))]
    unseen, most = layout.tiles.num_tiles - question.size, Fraction(0)
    for draws, (built, exact) in enumerate(zip(layers, exact_layers(question), strict=True)):
        if draws:
            in_wall = question.wall_size - (question.draws - draws)
            most = most * max(1, Fraction(2 * unseen, in_wall) - 1) + 1
        excess = [value - exact[hand] * ONE for hand, value in zip(hands, built, strict=True)]
        is_usual = layout.tiles in (M0, FULL) and question.draws <= 18
        assert max(map(abs, excess)) <= (draws if is_usual else most)


@pytest.mark.parametrize(
    "question",
    [
        TableKey(called=4),
        TableKey(called=4, tiles="136", melds="known"),
        Small(ONE_SUIT, 4, 18),
        Small(TWO_SUITS, 4, 3),
    ],
    ids=repr,
)
def test_values_are_exact_but_for_their_rounding(question: TableFields) -> None:
    check_against_fractions(question)


@pytest.mark.slow
@pytest.mark.parametrize(
    "question",
    [
        TableKey(called=3),
        TableKey(called=3, draws=60),
        TableKey(called=3, tiles="136"),
        TableKey(called=3, melds="known"),
        Small(ONE_SUIT, 7, 18),
        Small(ONE_SUIT, 10, 10),
        Small(TWO_SUITS, 7, 2),
    ],
    ids=repr,
)
def test_more_values_are_exact_but_for_their_rounding(question: TableFields) -> None:
    check_against_fractions(question)


def check_best_play(tiles: TileSet, size: int, draws: int, number: int, seed: int = 1) -> None:
    """No discard of random hands is worth more than its ceiling, for any play."""
    layout, layers = built_layers(Small(tiles, size, draws))
    rng = random.Random(f"{tiles.name} {size} {draws} {seed}")
    for _ in range(number):
        deck = [kind for kind in range(tiles.num_kinds) for _ in range(4)]
        dealt = rng.sample(deck, size + 1)
        hand = tuple(dealt.count(kind) for kind in range(tiles.num_kinds))
        wall = tuple(4 - held for held in hand)
        value = best_play(tiles)
        for kind in held_kinds(hand):
            after = changed(hand, kind, -1)
            ceiling = layers[draws][layout.numbers(np.array([after], np.uint8)).item()]
            assert value(after, wall, draws) <= Fraction(ceiling, ONE), (hand, kind)


@pytest.mark.parametrize(
    ("tiles", "size", "draws"),
    [
        (ONE_SUIT, 1, 5),
        *((ONE_SUIT, 4, draws) for draws in (1, 2, 3)),
        *((ONE_SUIT, 7, draws) for draws in (1, 2)),
        (TWO_SUITS, 1, 3),
        *((TWO_SUITS, 4, draws) for draws in (1, 2)),
        *((TWO_SUITS, 7, draws) for draws in (1, 2)),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_no_play_exceeds_its_ceiling(tiles: TileSet, size: int, draws: int) -> None:
    check_best_play(tiles, size, draws, number=2)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tiles", "size", "draws"),
    [
        *((ONE_SUIT, 4, draws) for draws in (3, 4, 5, 6)),
        *((ONE_SUIT, 7, draws) for draws in (2, 3, 4)),
        *((TWO_SUITS, 4, draws) for draws in (3, 4)),
        (TWO_SUITS, 1, 6),
        (TWO_SUITS, 7, 3),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_no_play_of_more_draws_exceeds_its_ceiling(tiles: TileSet, size: int, draws: int) -> None:
    check_best_play(tiles, size, draws, number=20 if draws < 5 else 3, seed=2)


def check_optimal_play(table: Table, numbers: list[int], draws: int) -> tuple[int, Fraction]:
    """Compare hands with exact values; return the number of exact values and the worst excess."""
    layout = make_layout(M0, 5)
    found, num_exact, worst = table(called=3, draws=draws), 0, Fraction(0)
    for number in numbers:
        hand = Hand.from_counts(layout.hand(number).tolist(), called=3)
        play = mjopt.optimal_play(hand, draws=draws)
        rows = mjopt.ceiling(hand, draws=draws, table=found).discards
        values = {row.kind: row.value for row in rows}
        for row in play.discards:
            assert row.kind is not None
            assert row.lower <= values[row.kind], (hand, row)
            if row.is_exact and play.stopped == COMPLETE:
                num_exact += 1
                worst = max(worst, values[row.kind] - row.lower)
    return num_exact, worst


@pytest.mark.parametrize(("draws", "number"), [(1, 20), (2, 20), (3, 3)])
def test_no_exact_value_exceeds_its_ceiling(table: Table, draws: int, number: int) -> None:
    numbers = random.Random(draws).sample(range(make_layout(M0, 5).num_states), number)
    num_exact, worst = check_optimal_play(table, numbers, draws)
    assert num_exact
    assert worst < Fraction(1, 100)


@pytest.mark.slow
@pytest.mark.parametrize("draws", [1, 2, 3])
def test_no_exact_value_of_any_hand_exceeds_its_ceiling(table: Table, draws: int) -> None:
    """All hands of five tiles and their discards: all hands of four, from every fresh wall."""
    numbers = range(make_layout(M0, 5).num_states)
    num_exact, worst = check_optimal_play(table, [*numbers], draws)
    print(f"{draws} draws: {num_exact} exact values, worst excess {float(worst):.6f}")
    assert num_exact
    assert worst < Fraction(3, 100)  # .0186 for two draws, .0264 for three


@pytest.mark.parametrize("tiles", [M0, FULL], ids=lambda tiles: tiles.name)
def test_equal_hands_have_equal_values(table: Table, tiles: TileSet) -> None:
    """Hands with suits of equal size have a number for each order of these suits."""
    found = table(tiles=tiles.key, called=3, draws=6, all_layers=True)
    values: dict[tuple[int, ...], set[tuple[int, ...]]] = {}
    layers = np.stack([found.layer(draws) for draws in range(1, 7)], axis=1).tolist()
    for number, row in enumerate(layers):
        hand = canonical(tuple(found.layout.hand(number).tolist()), tiles)
        values.setdefault(hand, set()).add(tuple(row))
    assert len(values) < len(layers)
    assert all(len(rows) == 1 for rows in values.values())
    assert all(low <= high for row in layers for low, high in pairwise(row))
