"""The algorithm of nyanten, built again from its description, as another side in benchmarks.

nyanten (Cryolite, C++, MIT licence) stores, for every way to hold up to 14 tiles of one suit, how
many tiles are missing to 0 to 4 melds, without and with a pair. A minimal perfect hash function,
a sum of one table entry per rank, maps the tiles of a suit to its row. The rows of the four suits
are added in the (min, +) sense, and the entry of all melds and the pair is the answer; seven pairs
and thirteen orphans are counted directly.

This file shares no code with mjopt and none with nyanten. Numba compiles it, so it shows the speed
of the algorithm and not that of nyanten's own binary; the same loops in C++ (``g++ -O3``) took 0.9
of its time.
"""

from functools import cache
from typing import Any, Final

import numba
import numpy as np
from numpy.typing import NDArray

COPIES: Final = 4
MOST_TILES: Final = 14
SUIT, HONOURS = 9, 7  # ranks
BITS: Final = 4  # of a packed number of missing tiles, at most 14

Grid = NDArray[Any]  # a value for every way to hold 0 to 4 copies of each rank


def melds_of(ranks: int) -> list[list[int]]:
    """Return the pongs of a suit, and its chows unless it is of honours."""
    pongs = [[rank] * 3 for rank in range(ranks)]
    chows = [[rank, rank + 1, rank + 2] for rank in range(ranks - 2)]
    return pongs + (chows if ranks == SUIT else [])


def with_block(grid: Grid, blocks: list[list[int]]) -> Grid:
    """Return the holdings that are one of the given ones and one block more."""
    found = np.zeros_like(grid)
    for block in blocks:
        added = np.bincount(block, minlength=grid.ndim)
        low = tuple(slice(0, COPIES + 1 - n) for n in added)
        high = tuple(slice(n, COPIES + 1) for n in added)
        found[high] |= grid[low]
    return found


def missing_tiles(goals: Grid) -> Grid:
    """Return how many tiles each holding lacks to contain the nearest goal, rank by rank."""
    missing = np.where(goals, 0, 99).astype(np.uint8)
    for rank in range(goals.ndim):
        by_copies = np.moveaxis(missing, rank, 0)
        for copies in range(1, COPIES + 1):  # more tiles than the goal has are free
            np.minimum(by_copies[copies], by_copies[copies - 1], out=by_copies[copies])
        for copies in range(COPIES - 1, -1, -1):  # every tile less costs one
            np.minimum(by_copies[copies], by_copies[copies + 1] + 1, out=by_copies[copies])
    return missing


def packed_rows(ranks: int) -> Grid:
    """Return ten numbers in one word for every holding: 0 to 4 melds, and the same with a pair."""
    shape = (COPIES + 1,) * ranks
    goals = np.zeros(shape, np.bool_)
    goals[(0,) * ranks] = True
    rows = np.zeros(shape, np.uint64)
    for melds in range(5):
        with_pair = with_block(goals, [[rank] * 2 for rank in range(ranks)])
        for place, of in ((melds, goals), (5 + melds, with_pair)):
            # A goal never lacks more than 14 tiles. Honours alone cannot form every number of
            # melds; 14 then stands for "impossible" and is never part of the best sum.
            missing = np.minimum(missing_tiles(of), MOST_TILES).astype(np.uint64)
            rows |= missing << np.uint64(BITS * place)
        goals = with_block(goals, melds_of(ranks))
    return rows


def hash_table(ranks: int) -> NDArray[np.int64]:
    """Return the terms of the hash: the rank of a holding in lexicographic order.

    Shape ``(ranks, 15, 5)``: by rank, tiles before it, and copies of it.
    """
    ways = np.zeros((ranks + 1, MOST_TILES + 1), np.int64)  # ways to go on, by tiles held
    ways[ranks] = 1
    terms = np.zeros((ranks, MOST_TILES + 1, COPIES + 1), np.int64)
    for rank in range(ranks - 1, -1, -1):
        for held in range(MOST_TILES + 1):
            most = min(COPIES, MOST_TILES - held)
            ahead = ways[rank + 1, held : held + most + 1]
            ways[rank, held] = ahead.sum()
            terms[rank, held, 1 : most + 1] = ahead.cumsum()[:-1]
    return terms


@cache
def tables(ranks: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return the terms of the hash and the packed rows in its order."""
    rows = packed_rows(ranks)
    counts = np.indices(rows.shape, np.uint8).reshape(ranks, -1).sum(axis=0)
    # C order of the grid is the lexicographic order of its holdings.
    return hash_table(ranks).astype(np.uint64), rows.ravel()[counts <= MOST_TILES]


@numba.njit(inline="always")
def _unpack(counts, first, ranks, terms, rows, out):  # type: ignore[no-untyped-def]
    number, held = np.uint64(0), np.uint64(0)
    for rank in range(ranks):
        copies = np.uint64(counts[first + rank])
        number += terms[np.uint64(rank), held, copies]
        held += copies
    row = rows[number]
    for place in range(10):
        out[place] = (row >> np.uint64(4 * place)) & np.uint64(15)


@numba.njit(inline="always")
def _add(total, row, least):  # type: ignore[no-untyped-def]
    """Add a suit; entries of fewer melds than ``least`` are not needed any more."""
    for number in range(4, least - 1, -1):
        best = np.int64(99)
        for ours in range(5):
            if ours <= number:
                pair_there = total[ours] + row[5 + number - ours]
                pair_here = total[5 + ours] + row[number - ours]
                best = min(best, pair_there, pair_here)
        total[5 + number] = best
    for number in range(4, -1, -1):
        best = np.int64(99)
        for ours in range(5):
            if ours <= number:
                best = min(best, total[ours] + row[number - ours])
        total[number] = best


@numba.njit(inline="always")
def _standard(counts, melds, suit, honours, total, row):  # type: ignore[no-untyped-def]
    _unpack(counts, 0, 9, suit[0], suit[1], total)
    _unpack(counts, 9, 9, suit[0], suit[1], row)
    _add(total, row, 0)
    _unpack(counts, 18, 9, suit[0], suit[1], row)
    _add(total, row, 0)
    _unpack(counts, 27, 7, honours[0], honours[1], row)
    best = np.int64(99)
    for ours in range(melds + 1):
        pair_there = total[ours] + row[5 + melds - ours]
        pair_here = total[5 + ours] + row[melds - ours]
        best = min(best, pair_there, pair_here)
    return best


@numba.njit
def _others(counts):  # type: ignore[no-untyped-def]
    pairs = kinds = orphans = orphan_pairs = 0
    for kind in range(34):
        copies = counts[kind]
        kinds += copies > 0
        pairs += copies > 1
        if kind >= 27 or kind % 9 in (0, 8):
            orphans += copies > 0
            orphan_pairs += copies > 1
    return min(7 - pairs + max(0, 7 - kinds), 14 - orphans - (orphan_pairs > 0))


@numba.njit
def _label(hands, all_forms, suit, honours):  # type: ignore[no-untyped-def]
    out = np.empty(len(hands), np.int8)
    total, row = np.empty(10, np.int64), np.empty(10, np.int64)
    for number in range(len(hands)):
        counts = hands[number]
        held = 0
        for kind in range(34):
            held += counts[kind]
        found = _standard(counts, held // 3, suit, honours, total, row)
        if all_forms and held >= 13:
            found = min(found, _others(counts))
        out[number] = found
    return out


def label(hands: NDArray[np.uint8], *, all_forms: bool = False) -> NDArray[np.int8]:
    """Return the deficiency of hands of 34 kinds; with all forms, the least of the three."""
    return _label(hands, all_forms, tables(SUIT), tables(HONOURS))
