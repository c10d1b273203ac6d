"""Kernels of ceiling tables: one draw and one discard for all hands of a block.

A row is all hands of a block with the same second and third suit and the same honours; the class
of the largest suit varies along it. Moves of the other parts lead from row to row, so that they
are vector operations; moves of the largest suit are gathered.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import inner, kernel
from mjopt.chances.ceiling.layout import (
    FIRST_NUMBER,
    FIRST_SIZE,
    FIRST_START,
    HONOURS,
    NUM_ARRANGEMENTS,
    OFFSET,
)
from mjopt.chances.ceiling.suits import Moves
from mjopt.tables.suits.costs import NUM_COSTS

# One draw of the recursion of docs/reference/ceiling.md ("The theorem"), for all hands: `discard`
# sets w_{m-1}(g), the best discard of each hand g with a drawn tile, and `draw` sets c_m(h) from
# c_{m-1}(h) and w_{m-1}. Every quotient is rounded up, so stored values stay bounds (the induction
# needs no more).
# A value is found by arithmetic: the number of a hand is affine in the class numbers of its parts
# (`layout`), so a move looks up one class and multiplies it by a stride. There is no hash table and
# no list of neighbours, since 900 million hands take 3.6 GB at four bytes each.

ONE: Final = 1 << 24
"""Chance 1. The products of a draw then fit in 32 bits: 135 tiles times ONE is less."""

STORED_ONE: Final = 65535
"""Chance 1 in a table file."""

TOO_FAR: Final = 60
"""Cost of an impossible share of melds and eyes; twice this number fits in an int8."""

Values = NDArray[np.uint32]
Stored = NDArray[np.uint16]
AnyValues = Values | Stored
Columns = NDArray[np.int64]
Costs = NDArray[np.int8]


@inner(inline=True)
def _classes_of_row(block: Columns, row: int, classes: Columns) -> None:
    """Write the class numbers of the other parts."""
    second = block[FIRST_NUMBER + 1]
    third = block[FIRST_NUMBER + 2]
    classes[1] = row % second
    classes[2] = row // second % third
    classes[HONOURS] = row // (second * third)


@inner(inline=True)
def _start(move: Columns, classes: Columns, part: int, target: int) -> int:
    """Return the number of the first hand of a row after a move of one part."""
    start: int = move[0]
    for other in range(1, 4):
        start += move[1 + other] * (target if other == part else classes[other])
    return start


@inner(inline=True)
def _maximum(best: AnyValues, values: AnyValues, stride: int) -> None:
    # The stride of the largest suit is 1 unless the move made another suit the largest; this case
    # has a loop of its own, because contiguous values can be loaded as vectors.
    if stride == 1:
        near = values[: len(best)]
        for first in range(len(best)):
            best[first] = max(best[first], near[first])
    else:
        for first in range(len(best)):
            best[first] = max(best[first], values[first * stride])


@inner(inline=True)
def _add_gain(gains: Values, own: Values, values: Values, stride: int, copies: np.uint32) -> None:
    if stride == 1:
        near = values[: len(gains)]
        for first in range(len(gains)):
            gains[first] += copies * (max(near[first], own[first]) - own[first])
    else:
        for first in range(len(gains)):
            value = values[first * stride]
            gains[first] += copies * (max(value, own[first]) - own[first])


@inner(inline=True)
def _best_discards(
    best: AnyValues,
    held: AnyValues,
    block: Columns,
    moves: Columns,
    suits: Moves,
    honours: Moves,
    classes: Columns,
    one: int,
) -> None:
    """Compute the values of a row of full hands: the best discard, or 1 if complete."""
    num_first, first_start = block[FIRST_NUMBER], block[FIRST_START]
    best[:] = 0
    shape = 0
    for part in range(1, 4):
        index = block[FIRST_START + part] + classes[part]
        shape += honours.shape[index] if part == HONOURS else suits.shape[index]
        if block[FIRST_SIZE + part] == 0:
            continue
        removed = honours.removed if part == HONOURS else suits.removed
        # Moves that do not exist repeat one that does, which leaves the maximum as it is.
        for rank in range(len(removed)):
            start = _start(moves[part], classes, part, removed[rank, index])
            _maximum(best, held[start:], moves[part, 1])
    if block[FIRST_SIZE]:
        values = held[_start(moves[0], classes, 0, 0) :]
        stride = moves[0, 1]
        for rank in range(len(suits.removed)):
            targets = suits.removed[rank, first_start : first_start + num_first]
            if stride == 1:
                for first in range(num_first):
                    best[first] = max(best[first], values[targets[first]])
            else:
                for first in range(num_first):
                    best[first] = max(best[first], values[targets[first] * stride])
    shapes = suits.shape[first_start : first_start + num_first]
    for first in range(num_first):
        if shapes[first] + shape == 1:
            best[first] = one


@inner(inline=True)
def _ways_of_row(block: Columns, classes: Columns, suits: Moves, honours: Moves) -> int:
    """Return the number of sets of physical tiles of the other parts, in all arrangements."""
    ways: int = block[NUM_ARRANGEMENTS]
    for part in range(1, 4):
        index = block[FIRST_START + part] + classes[part]
        ways *= honours.ways[index] if part == HONOURS else suits.ways[index]
    return ways


@kernel
def discard(
    full: Values,
    held: Values,
    block: Columns,
    moves: Columns,
    suits: Moves,
    honours: Moves,
    low: int,
    high: int,
) -> float:
    """Compute the values of full hands: the best discard, or 1 if complete.

    ``full``, with the values of hands with a drawn tile, is written from ``held``, with those of
    hands after a discard. ``block`` and ``moves`` are the block of full hands and the moves of its
    parts by one tile less; ``suits`` and ``honours`` the moves of the parts; ``low`` and ``high``
    the rows of the block. Returns the sum of the values in these rows times the number of deals, in
    units of 1 / ONE.
    """
    num_first, first_start = block[FIRST_NUMBER], block[FIRST_START]
    classes = np.zeros(4, np.int64)
    # The deals of a hand are a product over its parts: those of the other parts are a factor of the
    # whole row.
    first_ways = suits.ways[first_start : first_start + num_first]
    total = 0.0
    for row in range(low, high):
        _classes_of_row(block, row, classes)
        begin = block[OFFSET] + row * num_first
        best = full[begin : begin + num_first]
        _best_discards(
            best,
            held,
            block,
            moves,
            suits,
            honours,
            classes,
            ONE,
        )
        in_row = 0
        for first in range(num_first):
            in_row += first_ways[first] * np.int64(best[first])
        total += float(_ways_of_row(block, classes, suits, honours)) * in_row
    return total


@kernel
def draw(
    held: Values,
    full: Values,
    block: Columns,
    moves: Columns,
    suits: Moves,
    honours: Moves,
    low: int,
    high: int,
    in_wall: int,
) -> None:
    """Compute the value of hands before a draw from their value with one draw less, in place.

    ``held`` is replaced; ``full`` has the values of hands with a drawn tile. ``block`` and
    ``moves`` are the block of held hands and the moves of its parts by one tile more; the other
    arguments are as for :func:`discard`, with ``in_wall`` the number of tiles in the wall.
    """
    num_first = block[FIRST_NUMBER]
    classes = np.zeros(4, np.int64)
    first_start = block[FIRST_START]
    gains = np.empty(num_first, np.uint32)
    tiles = np.uint32(in_wall)
    for row in range(low, high):
        _classes_of_row(block, row, classes)
        begin = block[OFFSET] + row * num_first
        # In place: the new value of a hand needs its own old value, and otherwise only values of
        # hands with a drawn tile.
        own = held[begin : begin + num_first]
        gains[:] = 0
        for part in range(1, 4):
            if moves[part, 0] < 0:
                continue
            index = block[FIRST_START + part] + classes[part]
            added = honours.added if part == HONOURS else suits.added
            copies = honours.added_copies if part == HONOURS else suits.added_copies
            for rank in range(len(added)):
                if copies[rank, index]:
                    start = _start(moves[part], classes, part, added[rank, index])
                    _add_gain(gains, own, full[start:], moves[part, 1], copies[rank, index])
        if moves[0, 0] >= 0:
            # The largest suit remains the largest with one tile more, so its stride is 1. Its
            # classes after a draw are not contiguous, and values are gathered.
            values = full[_start(moves[0], classes, 0, 0) :]
            for rank in range(len(suits.added)):
                targets = suits.added[rank, first_start : first_start + num_first]
                free = suits.added_copies[rank, first_start : first_start + num_first]
                for first in range(num_first):
                    value = values[targets[first]]
                    gains[first] += free[first] * (max(value, own[first]) - own[first])
        for first in range(num_first):
            step = (gains[first] + tiles - np.uint32(1)) // tiles
            own[first] = min(own[first] + step, np.uint32(ONE))


@inner(inline=True)
def _join_costs(
    rest: Costs,
    joined: Costs,
    block: Columns,
    classes: Columns,
    suits: Moves,
    honours: Moves,
    has_honours: bool,
) -> None:
    """Compute the cost vector of the other parts of a row; honours count if the set has them."""
    index = block[FIRST_START + 1] + classes[1]
    for share in range(NUM_COSTS):
        rest[share] = suits.costs[share, index]
    for part in range(2, 4 if has_honours else 3):
        costs = honours.costs if part == HONOURS else suits.costs
        index = block[FIRST_START + part] + classes[part]
        # A share is 2 * melds + eye, so shares of two parts add up, except that two eyes would read
        # as a meld.
        joined[:] = TOO_FAR
        for share in range(NUM_COSTS):
            for own in range(share + 1):
                if own & (share - own) & 1 == 0:  # not two eyes
                    cost = rest[share - own] + costs[own, index]
                    joined[share] = min(joined[share], cost)
        for share in range(NUM_COSTS):
            rest[share] = joined[share]


@kernel
def tally(
    weights: Columns,
    extremes: Columns,
    layer: Stored,
    block: Columns,
    moves: Columns,
    suits: Moves,
    honours: Moves,
    has_honours: bool,
    share: int,
    one: int,
    low: int,
    high: int,
) -> None:
    """Count deals by deficiency and stored ceiling, and find the extreme hands.

    ``weights``, shape ``(D, one + 1)``: number of deals; added to. ``extremes``, shape ``(D, 4)``:
    the greatest ceiling and its first hand with a drawn tile, the least and its hand; updated.
    Ceilings are -1 before the first hand. ``layer`` has the stored ceilings of the hands after a
    discard; ``has_honours`` says whether the tile set has honours. ``share`` is the column of the
    costs of a complete hand, ``one`` the stored number of chance 1. The other arguments are as for
    :func:`discard`.
    """
    num_first, first_start = block[FIRST_NUMBER], block[FIRST_START]
    classes = np.zeros(4, np.int64)
    rest, joined = np.zeros(NUM_COSTS, np.int8), np.zeros(NUM_COSTS, np.int8)
    best, distance = np.zeros(num_first, np.uint16), np.zeros(num_first, np.int8)
    first_ways = suits.ways[first_start : first_start + num_first]
    for row in range(low, high):
        _classes_of_row(block, row, classes)
        _best_discards(
            best,
            layer,
            block,
            moves,
            suits,
            honours,
            classes,
            one,
        )
        _join_costs(rest, joined, block, classes, suits, honours, has_honours)
        distance[:] = 2 * TOO_FAR
        for own in range(share + 1):
            own_costs = suits.costs[own, first_start : first_start + num_first]
            other = rest[share - own]
            for first in range(num_first):
                distance[first] = min(distance[first], np.int8(own_costs[first] + other))
        ways = _ways_of_row(block, classes, suits, honours)
        begin = block[OFFSET] + row * num_first
        for first in range(num_first):
            # All C(136, 14) = 4.3e18 deals together are less than 2**63: the counts are exact.
            value, found = np.int64(best[first]), extremes[distance[first]]
            weights[distance[first], value] += ways * first_ways[first]
            if value > found[0]:
                found[0], found[1] = value, begin + first
            if found[2] < 0 or value < found[2]:
                found[2], found[3] = value, begin + first
