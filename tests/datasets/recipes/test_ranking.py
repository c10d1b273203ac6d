"""Ranking and unranking of hands, exhaustive on tiny tile sets."""

from collections import Counter
from itertools import product
from math import comb, prod

import numpy as np
import pytest

from mjopt.datasets import _kernels
from mjopt.datasets.recipes.ranking import (
    DEALT,
    DISTINCT,
    Ranking,
    any_hand,
    rank_hands,
    with_kongs,
    with_types,
)
from mjopt.errors import ArgumentError
from mjopt.hands.tiles import FULL, M0, Suit, TileSet

TINY = TileSet(
    "tiny",
    (Suit("m", "characters", (1, 2, 3)), Suit("z", "honours", (1, 2), has_chows=False)),
)
SUITS = ((0, 1, 2), (3, 4))


def every_hand(num_tiles: int) -> list[tuple[int, ...]]:
    return [hand for hand in product(range(5), repeat=5) if sum(hand) == num_tiles]


def num_types(hand: tuple[int, ...]) -> int:
    return sum(any(hand[kind] for kind in suit) for suit in SUITS)


def numbers_of(ways: Ranking, hands: np.ndarray) -> np.ndarray:
    """Compute ranks independently: count the hands that precede each one."""
    numbers, state = np.zeros(len(hands), np.uint64), 0
    for after, below, held in zip(ways.after, ways.below, hands.T, strict=True):
        numbers += below[state, held]
        state = after[state, held]
    return numbers


RULES = [
    (any_hand(6), lambda _: True),
    (with_types(TINY, 6, 1), lambda hand: num_types(hand) == 1),
    (with_types(TINY, 6, 2), lambda hand: num_types(hand) == 2),
    (with_kongs(6, 1), lambda hand: 4 in hand),
    (with_kongs(6, 0), lambda _: True),
]


@pytest.mark.parametrize(("rule", "belongs"), RULES)
def test_distinct_hands_are_ranked_bijectively(rule, belongs) -> None:
    ways = rank_hands(TINY, rule, weights=DISTINCT)
    wanted = [hand for hand in every_hand(6) if belongs(hand)]
    found = ways.hands(np.arange(ways.total, dtype=np.uint64))
    assert [tuple(hand) for hand in found.tolist()] == wanted  # lexicographic, none twice
    assert numbers_of(ways, found).tolist() == list(range(ways.total))


@pytest.mark.parametrize(("rule", "belongs"), RULES)
def test_every_deal_has_one_rank(rule, belongs) -> None:
    ways = rank_hands(TINY, rule, weights=DEALT)
    numbers = np.arange(ways.total, dtype=np.uint64)
    found = Counter(tuple(hand) for hand in ways.hands(numbers).tolist())
    assert found == {
        hand: prod(comb(4, held) for held in hand) for hand in every_hand(6) if belongs(hand)
    }


def test_totals_of_real_tile_sets() -> None:
    assert rank_hands(M0, any_hand(14), weights=DISTINCT).total == 21_310_147_575
    for tiles in (M0, FULL):
        dealt = rank_hands(tiles, any_hand(14), weights=DEALT).total
        assert dealt == comb(tiles.num_tiles, 14)
        by_types = [
            rank_hands(tiles, with_types(tiles, 14, n), weights=DEALT).total
            for n in range(1, len(tiles.suits) + 1)
        ]
        assert sum(by_types) == dealt


def test_rank_and_unrank_are_inverse_for_large_ranks() -> None:
    rng = np.random.default_rng(1)
    for tiles in (M0, FULL):
        ways = rank_hands(tiles, any_hand(14), weights=DISTINCT)
        numbers = rng.integers(0, ways.total, size=2000, dtype=np.uint64)
        hands = ways.hands(numbers)
        assert (hands.sum(axis=1) == 14).all()
        assert hands.max() <= 4
        assert (numbers_of(ways, hands) == numbers).all()


def test_next_hand_has_next_rank() -> None:
    ways = rank_hands(M0, any_hand(14), weights=DISTINCT)
    for first in (0, 123_456_789, ways.total - 500):
        hands = np.empty((500, 27), np.uint8)
        hands[:1] = ways.hands(np.array([first], np.uint64))
        _kernels.next_hands(hands)
        assert numbers_of(ways, hands).tolist() == list(range(first, first + 500))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: rank_hands(TINY, any_hand(21), weights=DISTINCT), "no hand fits"),
        (lambda: with_types(TINY, 6, 3), "3 types, expected 1..2"),
        (lambda: with_kongs(6, 2), "2 kongs, expected 0..1"),
        (lambda: rank_hands(FULL, any_hand(68), weights=DEALT), "more than 2\\*\\*63"),
    ],
)
def test_invalid_ranks_are_refused(make, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        make()
