"""Slow reference for the tables: enumerate all ways to fill a suit.

It shares no code with the package. It enumerates sets of melds by adding one meld at a time,
counts the distance to each, and joins suits by trying all distributions of the melds.
"""

from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

NEVER = 1000


def blocks(num_kinds: int, has_chows: bool) -> list[tuple[int, ...]]:
    melds = []
    for kind in range(num_kinds):
        melds.append(tuple(3 * (k == kind) for k in range(num_kinds)))
        if has_chows and kind + 2 < num_kinds:
            melds.append(tuple(int(kind <= k <= kind + 2) for k in range(num_kinds)))
    return melds


@cache
def fillings(num_kinds: int, has_chows: bool) -> dict[tuple[int, int], NDArray[np.int64]]:
    """Return all tile counts of m melds and e eyes, with at most four of a kind."""
    found = {}
    sets = {(0,) * num_kinds}
    for melds in range(5):
        with_eye = {
            tuple(c + 2 * (k == kind) for k, c in enumerate(counts))
            for counts in sets
            for kind in range(num_kinds)
            if counts[kind] <= 2
        }
        found[melds, 0] = np.array(sorted(sets))
        found[melds, 1] = np.array(sorted(with_eye))
        more = {
            tuple(a + b for a, b in zip(counts, meld, strict=True))
            for counts in sets
            for meld in blocks(num_kinds, has_chows)
        }
        sets = {counts for counts in more if max(counts) <= 4}
    return found


@cache
def _columns(num_kinds: int, has_chows: bool) -> dict[tuple[int, int], NDArray[np.int8]]:
    sets = fillings(num_kinds, has_chows)
    return {needed: np.ascontiguousarray(rows.T, np.int8) for needed, rows in sets.items()}


def suit_costs(
    held: Sequence[int], has_chows: bool = True, unseen: Sequence[int] | None = None
) -> dict[tuple[int, int], int]:
    """Return the minimal number of missing tiles for every number of melds and eyes."""
    left = [4] * len(held) if unseen is None else unseen
    costs = {}
    for needed, columns in _columns(len(held), has_chows).items():
        totals = np.zeros(columns.shape[1], np.int8)
        for column, have, most in zip(columns, held, left, strict=True):
            missing = np.maximum(column - np.int8(have), 0)
            totals += np.where(missing <= most, missing, 50).astype(np.int8)
            np.minimum(totals, 50, out=totals)
        least = int(totals.min(initial=50))
        costs[needed] = NEVER if least == 50 else least
    return costs


def shares(melds: int, suits: int) -> Iterator[tuple[int, ...]]:
    if suits == 1:
        yield (melds,)
        return
    for first in range(melds + 1):
        for rest in shares(melds - first, suits - 1):
            yield (first, *rest)


def deficiency(
    counts: Sequence[int], called: int = 0, unseen: Sequence[int] | None = None
) -> int | None:
    """Return the deficiency of the standard form, or None if it cannot be reached."""
    parts = range(0, len(counts), 9)
    costs = [
        suit_costs(
            counts[first : first + 9],
            first < 27,
            None if unseen is None else unseen[first : first + 9],
        )
        for first in parts
    ]
    least = NEVER
    for share in shares(4 - called, len(costs)):
        for eye in range(len(costs)):
            missing = sum(
                cost[m, int(k == eye)] for k, (cost, m) in enumerate(zip(costs, share, strict=True))
            )
            least = min(least, missing)
    return None if least >= NEVER else least


@cache
def one_suit_hands(size: int, num_kinds: int = 9) -> NDArray[np.uint8]:
    """Return all hands of ``size`` tiles in one suit."""
    rows = [()]
    for left in range(num_kinds, 0, -1):
        rows = [
            (*row, held)
            for row in rows
            for held in range(5)
            if sum(row) + held <= size <= sum(row) + held + 4 * (left - 1)
        ]
    return np.array(rows, np.uint8)


def deal(
    rng: np.random.Generator, num_hands: int, num_kinds: int, size: int, *, few: int | None = None
) -> NDArray[np.uint8]:
    """Deal hands; a wall of only a few kinds gives many kongs."""
    hands = np.zeros((num_hands, num_kinds), np.uint8)
    for row in hands:
        kinds = np.arange(num_kinds) if few is None else rng.permutation(num_kinds)[:few]
        drawn = rng.choice(np.repeat(kinds, 4), size, replace=False)
        np.add.at(row, drawn, 1)
    return hands


def seven_pairs(counts: Sequence[int], unseen: Sequence[int] | None = None) -> int | None:
    left = [4] * len(counts) if unseen is None else unseen
    costs = [max(0, 2 - h) for h, u in zip(counts, left, strict=True) if max(0, 2 - h) <= u]
    return sum(sorted(costs)[:7]) if len(costs) >= 7 else None


def thirteen_orphans(counts: Sequence[int], unseen: Sequence[int] | None = None) -> int | None:
    left = [4] * 34 if unseen is None else unseen
    ends = [0, 8, 9, 17, 18, 26, *range(27, 34)]
    found = []
    for pair in ends:
        missing = [(max(0, 1 + (kind == pair) - counts[kind]), left[kind]) for kind in ends]
        if all(need <= most for need, most in missing):
            found.append(sum(need for need, _ in missing))
    return min(found, default=None)


__all__ = [
    "deal",
    "deficiency",
    "fillings",
    "one_suit_hands",
    "seven_pairs",
    "suit_costs",
    "thirteen_orphans",
]
