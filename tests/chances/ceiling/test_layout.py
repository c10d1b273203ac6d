"""Hand numbers: one for each hand up to mirrors and the order of suits and honours."""

from collections.abc import Callable
from math import comb

import numpy as np
import pytest
from reference_implementations.ceiling import (
    ONE_SUIT,
    TWO_SUITS,
    canonical,
    canonical_hands,
    suit_slices,
)

from mjopt import FULL, M0, TileSet
from mjopt.chances.ceiling.layout import FIRST_NUMBER, NUM_ARRANGEMENTS, Layout, make_layout
from mjopt.chances.ceiling.suits import (
    Moves,
    honour_classes,
    honour_moves,
    suit_classes,
    suit_moves,
)

SETS = (ONE_SUIT, TWO_SUITS, M0, FULL)


def random_hands(tiles: TileSet, size: int, number: int, seed: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    decks = rng.permuted(np.tile(np.repeat(np.arange(tiles.num_kinds), 4), (number, 1)), axis=1)
    rows = np.arange(number)[:, None]
    hands = np.zeros((number, tiles.num_kinds), np.uint8)
    np.add.at(hands, (rows, decks[:, :size]), 1)
    return hands


@pytest.mark.parametrize("tiles", SETS, ids=lambda tiles: tiles.name)
@pytest.mark.parametrize("size", [1, 2, 4, 5])
def test_small_layouts_are_bijections(tiles: TileSet, size: int) -> None:
    layout = make_layout(tiles, size)
    hands = np.stack([layout.hand(number) for number in range(layout.num_states)])
    assert (hands.sum(axis=1) == size).all()
    assert layout.numbers(hands).tolist() == list(range(layout.num_states))


@pytest.mark.parametrize("tiles", SETS, ids=lambda tiles: tiles.name)
@pytest.mark.parametrize("size", [10, 13, 14])
def test_large_layouts_are_bijections_at_random_numbers(tiles: TileSet, size: int) -> None:
    layout = make_layout(tiles, size)
    numbers = np.random.default_rng(size).integers(layout.num_states, size=300)
    hands = np.stack([layout.hand(number) for number in numbers.tolist()])
    assert layout.numbers(hands).tolist() == numbers.tolist()


@pytest.mark.parametrize(("tiles", "size"), [(ONE_SUIT, 7), (TWO_SUITS, 5), (M0, 4), (FULL, 4)])
def test_numbers_are_equal_exactly_for_symmetric_hands(tiles: TileSet, size: int) -> None:
    layout = make_layout(tiles, size)
    representatives = sorted(canonical_hands(tiles, size))
    numbers = layout.numbers(np.array(representatives, np.uint8))
    # Suits of equal size are stored in both orders, so some numbers belong to no representative.
    assert len(np.unique(numbers)) == len(representatives) <= layout.num_states
    stored = {canonical(tuple(layout.hand(n).tolist()), tiles) for n in range(layout.num_states)}
    assert stored == set(representatives)


@pytest.mark.parametrize("tiles", SETS, ids=lambda tiles: tiles.name)
@pytest.mark.parametrize("size", [4, 13, 14])
def test_suits_honours_and_mirrors_may_be_exchanged(tiles: TileSet, size: int) -> None:
    layout, rng = make_layout(tiles, size), np.random.default_rng(3)
    hands = random_hands(tiles, size, 200)
    parts = [hands[:, part] for part in suit_slices(tiles)]
    sizes = np.stack([part.sum(axis=1) for part in parts], axis=1)
    is_ordered = np.array([len({*row}) == len(row) for row in sizes.tolist()])
    order = rng.permutation(len(parts))
    moved = [parts[k][:, ::-1] if rng.integers(2) else parts[k] for k in order]
    honours = rng.permuted(hands[:, 9 * len(parts) :], axis=1)
    numbers = layout.numbers(np.concatenate([*moved, honours], axis=1))
    assert (numbers == layout.numbers(hands))[is_ordered].all()
    # Suits of equal size have one number for each order, and only their order may differ.
    mirrored = [part[:, ::-1] for part in parts]
    numbers = layout.numbers(np.concatenate([*mirrored, honours], axis=1))
    assert (numbers == layout.numbers(hands)).all()


def numbers_of_discards(layout: Layout, hand: list[int]) -> dict[int, int]:
    after = {}
    for kind, held in enumerate(hand):
        if held:
            row = np.array([hand], np.uint8)
            row[0, kind] -= 1
            after[kind] = layout.numbers(row).item()
    return after


@pytest.mark.parametrize("tiles", SETS, ids=lambda tiles: tiles.name)
@pytest.mark.parametrize("size", [1, 4, 13])
def test_discards_of_one_hand_lead_to_the_same_hands(tiles: TileSet, size: int) -> None:
    """Suits of equal size may come in either order, so the hands are compared."""
    layout = make_layout(tiles, size)
    for hand in random_hands(tiles, size + 1, 40).tolist():
        fast, slow = layout.numbers_after_discard(hand), numbers_of_discards(layout, hand)
        assert fast.keys() == slow.keys()
        for kind, number in fast.items():
            hands = (layout.hand(number), layout.hand(slow[kind]))
            first, second = (canonical(tuple(h.tolist()), tiles) for h in hands)
            assert first == second


@pytest.mark.parametrize("moves", [suit_moves, honour_moves])
def test_moves_that_all_layouts_share_cannot_be_changed(moves: Callable[[], Moves]) -> None:
    for array in moves():
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


@pytest.mark.parametrize("tiles", SETS, ids=lambda tiles: tiles.name)
@pytest.mark.parametrize("size", [0, 1, 5, 13, 14])
def test_deals_of_all_hands_sum_to_their_number(tiles: TileSet, size: int) -> None:
    layout, total = make_layout(tiles, size), 0
    for block in layout.blocks.tolist():
        deals = block[NUM_ARRANGEMENTS]
        for part, (classes, moves) in enumerate(
            [(suit_classes(), suit_moves())] * 3 + [(honour_classes(), honour_moves())]
        ):
            start = classes.starts[block[1 + part]]
            deals *= int(moves.ways[start : start + block[FIRST_NUMBER + part]].sum())
        total += deals
    assert total == comb(tiles.num_tiles, size)
