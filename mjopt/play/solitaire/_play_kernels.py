"""Kernel that values discards by a ceiling table and a lookahead of one draw."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import inner, kernel
from mjopt.chances.ceiling._kernels import STORED_ONE
from mjopt.chances.ceiling.layout import FIRST_NUMBER, HONOURS, OFFSET

# Layer m of a ceiling table bounds the chance of a hand to win within m draws from a wall of all
# tiles that it does not hold (docs/reference/ceiling.md). In a deal the true wall is known and
# holds fewer tiles, so `look_ahead` averages ceilings after one draw from it. A rule based on this
# average wins more often than the ceiling alone (docs/results/ceiling.md, "From below").
#
# A value is found by the number of the hand, so the codes of suits and honours are kept up to date
# tile by tile instead of being computed for each of the hundreds of hands around one hand.

Bytes = NDArray[np.uint8]
Integers = NDArray[np.int64]
Doubles = NDArray[np.float64]
Stored = NDArray[np.uint16]

NUM_RANKS: Final = 9


class Lookup(NamedTuple):
    """Arrays that lead from a hand to its number; see Classes, Moves and Layout."""

    suit_class: NDArray[np.int32]  # among the classes of its size, by the code of a suit
    honour_class: NDArray[np.int32]
    # (15, 15, 15, 15): by the sizes of the suits, in descending order, and that of the honours
    block_of: NDArray[np.int32]
    blocks: Integers  # (B, 14)
    suit_shape: Bytes  # by class of all sizes; the sum over the parts is 1 for a complete hand
    honour_shape: Bytes
    suit_starts: Integers  # first class of each size
    honour_starts: Integers


class Tiles(NamedTuple):
    """A hand as its kernels change it. Its parts are three suits and the honours.

    The code of a part is a number to base 5 whose digits are the copies of each kind, so that
    adding a tile adds a power of 5; see :func:`mjopt.chances.ceiling.suits.codes`.
    """

    copies: Integers  # (K,)
    codes: Integers  # (4,)
    sizes: Integers  # (4,)
    order: Integers  # (3,): memory in which suits are sorted by size
    powers: Integers  # (K,): what a copy adds to the code of its part
    part_of: Integers  # (K,)


@inner(inline=True)
def new_tiles(num_kinds: int) -> Tiles:
    """Return an empty hand."""
    powers = np.empty(num_kinds, np.int64)
    part_of = np.empty(num_kinds, np.int64)
    in_suits = num_kinds // NUM_RANKS * NUM_RANKS
    for kind in range(num_kinds):
        if kind < in_suits:
            part_of[kind] = kind // NUM_RANKS
            powers[kind] = 5 ** (NUM_RANKS - 1 - kind % NUM_RANKS)
        else:
            part_of[kind] = HONOURS
            powers[kind] = 5 ** (num_kinds - 1 - kind)
    return Tiles(
        np.zeros(num_kinds, np.int64),
        np.zeros(4, np.int64),
        np.zeros(4, np.int64),
        np.zeros(3, np.int64),
        powers,
        part_of,
    )


@inner(inline=True)
def add_copies(tiles: Tiles, kind: int, copies: int) -> None:
    tiles.copies[kind] += copies
    tiles.codes[tiles.part_of[kind]] += copies * tiles.powers[kind]
    tiles.sizes[tiles.part_of[kind]] += copies


@inner(inline=True)
def set_copies(tiles: Tiles, copies: Integers) -> None:
    tiles.codes[:] = 0
    tiles.sizes[:] = 0
    tiles.copies[:] = 0
    for kind in range(len(copies)):
        if copies[kind]:
            add_copies(tiles, kind, copies[kind])


@inner(inline=True)
def deal_hand(tiles: Tiles, deck: Bytes, size: int) -> None:
    for place in range(size):
        add_copies(tiles, deck[place], 1)


@inner(inline=True)
def hand_number(tiles: Tiles, lookup: Lookup) -> int:
    """Return the number of a hand in its layout."""
    sizes, order, codes = tiles.sizes, tiles.order, tiles.codes
    order[0], order[1], order[2] = 0, 1, 2  # to be sorted by three compare-and-swap steps
    if sizes[order[0]] < sizes[order[1]]:
        order[0], order[1] = order[1], order[0]
    if sizes[order[1]] < sizes[order[2]]:
        order[1], order[2] = order[2], order[1]
    if sizes[order[0]] < sizes[order[1]]:
        order[0], order[1] = order[1], order[0]
    # Inside its block the number is ((honours * n_c + c) * n_b + b) * n_a + a; see Layout.
    block = lookup.blocks[
        lookup.block_of[sizes[order[0]], sizes[order[1]], sizes[order[2]], sizes[HONOURS]]
    ]
    number = lookup.honour_class[codes[HONOURS]] * block[FIRST_NUMBER + 2]
    number = (number + lookup.suit_class[codes[order[2]]]) * block[FIRST_NUMBER + 1]
    number = (number + lookup.suit_class[codes[order[1]]]) * block[FIRST_NUMBER]
    found: int = block[OFFSET] + number + lookup.suit_class[codes[order[0]]]
    return found


@inner(inline=True)
def is_complete(tiles: Tiles, lookup: Lookup) -> bool:
    """Return whether suits and honours are melds and one eye."""
    sizes, codes = tiles.sizes, tiles.codes
    honours = lookup.honour_starts[sizes[HONOURS]] + lookup.honour_class[codes[HONOURS]]
    shape: int = lookup.honour_shape[honours]
    for part in range(HONOURS):
        shape += lookup.suit_shape[lookup.suit_starts[sizes[part]] + lookup.suit_class[codes[part]]]
    return shape == 1


@inner(inline=True)
def mean_after_draw(
    tiles: Tiles, wall: Bytes | Integers, lookup: Lookup, layer: Stored, is_last: bool
) -> float:
    """Return the mean value over the next draw: 1 if it wins, else the best ceiling after it."""
    # A drawn tile can be discarded at once, so every draw has a best hand after it.
    total, in_wall = 0.0, 0
    for drawn in range(len(wall)):
        if wall[drawn] == 0:
            continue
        add_copies(tiles, drawn, 1)
        best = np.int64(0)
        if is_complete(tiles, lookup):
            best = np.int64(STORED_ONE)
        elif not is_last:
            for kind in range(len(wall)):
                if tiles.copies[kind]:
                    add_copies(tiles, kind, -1)
                    best = max(best, np.int64(layer[hand_number(tiles, lookup)]))
                    add_copies(tiles, kind, 1)
        add_copies(tiles, drawn, -1)
        total += wall[drawn] * best
        in_wall += wall[drawn]
    return total / in_wall


@kernel
def look_ahead(
    hands: Bytes,
    walls: Bytes,
    chosen: Integers,
    values: Doubles,
    layer: Stored,
    is_last: bool,
    lookup: Lookup,
) -> None:
    """Value discards by one draw from the true wall, and the ceiling of the best hand after it.

    ``hands`` and ``walls`` have shape ``(N, K)``: hands with a drawn tile, and the tiles left in
    the wall. ``chosen`` has shape ``(N, C)``: kinds to discard, or -1. ``values``, of the same
    shape, receives the mean over the next draw, in the units of ``layer``: stored bounds with one
    draw less, which are ignored if the next draw is the last one.
    """
    tiles = new_tiles(hands.shape[1])
    for row in range(len(hands)):
        set_copies(tiles, hands[row].astype(np.int64))
        for column in range(chosen.shape[1]):
            if chosen[row, column] >= 0:
                add_copies(tiles, chosen[row, column], -1)
                values[row, column] = mean_after_draw(tiles, walls[row], lookup, layer, is_last)
                add_copies(tiles, chosen[row, column], 1)
