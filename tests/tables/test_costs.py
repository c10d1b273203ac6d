"""Cost vectors of suits and honours, and the number of their classes."""

import numpy as np
import pytest

from mjopt.hands.tiles import Suit
from mjopt.models import brute_force
from mjopt.tables.standard.table_file import load_tables
from mjopt.tables.suits.costs import cost_vectors, joined
from mjopt.tables.suits.state_index import one_type_counts, state_copies, state_numbers


def choices(num_kinds: int, has_chows: bool) -> dict[tuple[int, int], np.ndarray]:
    """Return the counts of every m melds and e eyes in one suit, by brute force."""
    return brute_force.suit_choices(Suit("m", "", tuple(range(1, num_kinds + 1)), has_chows))


@pytest.mark.parametrize(("num_kinds", "has_chows"), [(4, True), (5, True), (4, False)])
def test_short_suits_match_brute_force(num_kinds: int, has_chows: bool) -> None:
    costs = cost_vectors(num_kinds, has_chows=has_chows)
    for row, held in zip(costs, np.ndindex(*(5,) * num_kinds), strict=True):
        for (melds, eye), sets in choices(num_kinds, has_chows).items():
            if len(sets):
                missing = np.maximum(sets - np.array(held), 0).sum(axis=1).min()
                assert row[2 * melds + eye] == missing


def test_one_type_hands_match_brute_force() -> None:
    hands = one_type_counts()
    base = hands.astype(np.int64) @ 5 ** np.arange(8, -1, -1)
    found = cost_vectors(9, has_chows=True)[base][:, 9]
    assert np.bincount(found).tolist() == [13259, 91065, 14386, 90]
    complete = choices(9, True)[4, 1].astype(int)
    for hand, value in zip(hands[::997], found[::997], strict=True):
        assert np.maximum(complete - hand, 0).sum(axis=1).min() == value


def test_numbers_of_states_and_classes() -> None:
    tables = load_tables()
    for classes, costs, size, states, vectors in (
        (tables.suit_class, tables.suit_cost, tables.suit_size, 405_350, 126),
        (tables.honour_class, tables.honour_cost, tables.honour_size, 43_130, 55),
    ):
        assert (size[classes] <= 14).sum() == states
        assert len(np.unique(costs[size <= 14], axis=0)) == vectors
        assert set(classes.tolist()) == set(range(len(costs)))


@pytest.mark.parametrize(("kinds", "has_chows"), [(9, True), (7, False)])
def test_one_state_per_class_matches_brute_force(kinds: int, has_chows: bool) -> None:
    tables = load_tables()
    classes = tables.suit_class if has_chows else tables.honour_class
    costs = tables.suit_cost if has_chows else tables.honour_cost
    sizes = tables.suit_size if has_chows else tables.honour_size
    rng = np.random.default_rng(3)
    order = rng.permutation(len(classes)).astype(np.uint32)
    _, first = np.unique(classes[order], return_index=True)
    for held in state_copies(order[first], kinds):
        number = classes[int(state_numbers(held[None])[0])]
        if sizes[number] > 14:
            assert held.sum() > 14
            continue
        assert held.sum() == sizes[number]
        for (melds, eyes), sets in choices(kinds, has_chows).items():
            missing = np.maximum(sets - held.astype(int), 0).sum(axis=1).min()
            assert costs[number, 2 * melds + eyes] == missing


def test_join_is_commutative() -> None:
    tables = load_tables()
    assert (tables.pair_class == tables.pair_class.T).all()
    both = joined(tables.suit_cost, tables.suit_cost)
    small = tables.suit_size.astype(int)[:, None] + tables.suit_size <= 14
    assert (tables.pair_cost[tables.pair_class] == both)[small].all()
    assert (tables.pair_size[tables.pair_class] == 15)[~small].all()
