"""One hand per class, and per join of classes, against the integer program."""

import random
from functools import cache
from itertools import chain

import numpy as np

from mjopt import FULL, M0, Hand, TileSet, solve
from mjopt.tables.lookup import label_one
from mjopt.tables.standard.table_file import load_tables
from mjopt.tables.suits.state_index import MOST_TILES, num_states, state_copies


def members(num_kinds: int, classes: np.ndarray) -> dict[int, list[int]]:
    """Return the first states of every class."""
    states = state_copies(np.arange(num_states(num_kinds), dtype=np.uint32), num_kinds)
    found, first = np.unique(classes, return_index=True)
    chosen = {int(c): states[i].tolist() for c, i in zip(found, first, strict=True)}
    return {c: copies for c, copies in chosen.items() if sum(copies) <= MOST_TILES}


def first_joins(table: np.ndarray) -> list[tuple[int, int]]:
    """Return the first pair of classes that gives each class of a join."""
    _, first = np.unique(table, return_index=True)
    return [divmod(int(i), table.shape[1]) for i in first]


def filled(parts: list[list[int]], tiles: TileSet, rng: random.Random) -> Hand:
    """Add tiles of the last suit until the hand is full, as far as possible."""
    room = MOST_TILES - sum(map(sum, parts))
    rest = [0] * (tiles.num_kinds - sum(map(len, parts)))
    for _ in range(room):
        rest[rng.choice([k for k, copies in enumerate(rest) if copies < 4])] += 1
    return Hand.from_counts([*chain(*parts), *rest], tiles=tiles)


@cache
def hands() -> list[Hand]:
    tables, rng = load_tables(), random.Random(7)
    suits, honours = members(9, tables.suit_class), members(7, tables.honour_class)
    found = [filled([copies], M0, rng) for copies in suits.values()]
    for a, b in first_joins(tables.pair_class):
        if a in suits and b in suits and sum(suits[a]) + sum(suits[b]) <= MOST_TILES:
            found.append(filled([suits[a], suits[b]], M0, rng))
    for a, b in first_joins(tables.mixed_class):
        if a in suits and b in honours and sum(suits[a]) + sum(honours[b]) <= MOST_TILES:
            hand = filled([suits[a], honours[b]], FULL, rng)
            counts = [*suits[a], *hand.counts[16:], *honours[b]]
            found.append(Hand.from_counts(counts, tiles=FULL))
    return found


def test_hands_cover_every_class() -> None:
    assert len(hands()) == 159 + 339 + 450


def test_every_class_and_join_agrees_with_the_integer_program() -> None:
    for hand in hands():
        assert solve(hand).value == label_one(hand.counts), hand.to_text()
