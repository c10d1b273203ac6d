"""Kernels that read a ceiling table: a lookahead of one draw, and a search for the least loss."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import inner, kernel
from mjopt.chances.ceiling._kernels import STORED_ONE
from mjopt.chances.ceiling.layout import FIRST_NUMBER, HONOURS, OFFSET

# Layer m of a ceiling table bounds the chance of a hand to win within m draws from a wall of all
# tiles that it does not hold (docs/reference/ceiling.md). In a deal the true wall is known and
# holds fewer tiles. Both kernels average ceilings after one draw from it:
#
# - `look_ahead` values discards by this average. A rule based on it wins more often than the
#   ceiling alone (docs/results/ceiling.md, "From below").
# - `least_loss` plays a deal whose draws are all known, and charges for that knowledge the value
#   of the hand with the drawn tile less this average. The mean over deals of the ceiling less the
#   least loss is at least the chance of optimal play (docs/results/ceiling.md, "From above").
#
# A value is found by the number of the hand, so the codes of suits and honours are kept up to date
# tile by tile instead of being computed for each of the hundreds of hands around one hand.

Bytes = NDArray[np.uint8]
Integers = NDArray[np.int64]
Doubles = NDArray[np.float64]
Stored = NDArray[np.uint16]

NUM_RANKS: Final = 9
ROOM: Final = 16  # hands per hand that is kept; further ones only bound the result

TOLERANCE: Final = 32.0
"""Stored values are rounded up, so losses can be negative by this much in all, in 1/65535."""


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
def _new_tiles(num_kinds: int) -> Tiles:
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
def _add(tiles: Tiles, kind: int, copies: int) -> None:
    tiles.copies[kind] += copies
    tiles.codes[tiles.part_of[kind]] += copies * tiles.powers[kind]
    tiles.sizes[tiles.part_of[kind]] += copies


@inner(inline=True)
def _set(tiles: Tiles, copies: Integers) -> None:
    tiles.codes[:] = 0
    tiles.sizes[:] = 0
    tiles.copies[:] = 0
    for kind in range(len(copies)):
        if copies[kind]:
            _add(tiles, kind, copies[kind])


@inner(inline=True)
def _deal(tiles: Tiles, deck: Bytes, size: int) -> None:
    for place in range(size):
        _add(tiles, deck[place], 1)


@inner(inline=True)
def _number(tiles: Tiles, lookup: Lookup) -> int:
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
def _is_complete(tiles: Tiles, lookup: Lookup) -> bool:
    """Return whether suits and honours are melds and one eye."""
    sizes, codes = tiles.sizes, tiles.codes
    honours = lookup.honour_starts[sizes[HONOURS]] + lookup.honour_class[codes[HONOURS]]
    shape: int = lookup.honour_shape[honours]
    for part in range(HONOURS):
        shape += lookup.suit_shape[lookup.suit_starts[sizes[part]] + lookup.suit_class[codes[part]]]
    return shape == 1


@inner(inline=True)
def _mean_after_draw(
    tiles: Tiles, wall: Bytes | Integers, lookup: Lookup, layer: Stored, is_last: bool
) -> float:
    """Return the mean value over the next draw: 1 if it wins, else the best ceiling after it."""
    # A drawn tile can be discarded at once, so every draw has a best hand after it.
    total, in_wall = 0.0, 0
    for drawn in range(len(wall)):
        if wall[drawn] == 0:
            continue
        _add(tiles, drawn, 1)
        best = np.int64(0)
        if _is_complete(tiles, lookup):
            best = np.int64(STORED_ONE)
        elif not is_last:
            for kind in range(len(wall)):
                if tiles.copies[kind]:
                    _add(tiles, kind, -1)
                    best = max(best, np.int64(layer[_number(tiles, lookup)]))
                    _add(tiles, kind, 1)
        _add(tiles, drawn, -1)
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
    tiles = _new_tiles(hands.shape[1])
    for row in range(len(hands)):
        _set(tiles, hands[row].astype(np.int64))
        for column in range(chosen.shape[1]):
            if chosen[row, column] >= 0:
                _add(tiles, chosen[row, column], -1)
                values[row, column] = _mean_after_draw(tiles, walls[row], lookup, layer, is_last)
                _add(tiles, chosen[row, column], 1)


@inner(inline=True)
def _find(hands: Integers, slots: Integers, hand: Integers) -> np.int64:
    """Return the row of a hand, or minus one minus the free slot of the hash table."""
    # Open addressing: the hand is at its slot or after it, before the first free slot.
    code = np.uint64(14695981039346656037)  # FNV-1a
    for kind in range(len(hand)):
        code = (code ^ np.uint64(hand[kind])) * np.uint64(1099511628211)
    mask = len(slots) - 1
    # A product's low bits depend on the low bits of its factors alone, so higher ones are taken.
    slot = np.int64((code >> np.uint64(20)) & np.uint64(mask))
    while slots[slot] >= 0:
        if np.array_equal(hands[slots[slot]], hand):
            row: np.int64 = slots[slot]
            return row
        slot = (slot + 1) & mask
    return -1 - slot


@inner(inline=True)
def _discard_all(
    tiles: Tiles, lookup: Lookup, layer: Stored, is_first: bool, values: Integers
) -> int:
    """Write the value of each discard, and return the value of the hand."""
    best = 0
    if not is_first and _is_complete(tiles, lookup):
        best = STORED_ONE
    for kind in range(len(values)):
        values[kind] = -1
        if tiles.copies[kind]:
            _add(tiles, kind, -1)
            values[kind] = layer[_number(tiles, lookup)]
            best = max(best, values[kind])
            _add(tiles, kind, 1)
    return best


@inner(inline=True)
def _loss_of_draw(tiles: Tiles, wall: Integers, lookup: Lookup, layers: Stored, left: int) -> float:
    """Return the ceiling of a hand minus its mean after the next draw from the true wall."""
    own: float = layers[left - 1, _number(tiles, lookup)]
    return own - _mean_after_draw(tiles, wall, lookup, layers[max(left - 2, 0)], left == 1)


@kernel
def least_loss(
    deck: Bytes,
    draws: int,
    layers: Stored,
    width: int,
    most: float,
    lookup: Lookup,
    num_kinds: int,
) -> tuple[float, float]:
    """Search for the play with the least loss against the ceiling, with all draws known.

    The loss of a play is what its discards give up against the best one by the ceiling, plus the
    amount by which the ceiling before each draw exceeds the mean after it, drawn from the true
    wall. A beam search follows the hands with the least loss from draw to draw, ``width`` of them
    after each.

    ``deck`` holds kinds: the tiles of the hand, then the draws in order. ``layers`` has shape
    ``(draws, S)``: stored bounds for 1, 2, ... draws. Losses above ``most`` are not searched.
    Returns the loss of the best play found, at most ``most``, in units of 1/65535, and a bound: no
    play has a smaller loss. The two are equal if the search left nothing out.
    """
    tiles = _new_tiles(num_kinds)
    size = len(deck) - draws
    _deal(tiles, deck, size)
    wall = 4 - tiles.copies
    if _is_complete(tiles, lookup):
        return 0.0, 0.0
    room = width * ROOM
    # The first rows are in use: hands with a drawn tile, and after their discards. Each has the
    # least loss of the plays that lead to it: what follows depends on the hand alone.
    hands, losses = np.zeros((room, num_kinds), np.int64), np.zeros(room)
    after, after_losses = np.zeros((room, num_kinds), np.int64), np.zeros(room)
    # A hash table with open addressing: rows of ``after``, or -1; at most half full.
    slots = np.empty(1 << int(np.ceil(np.log2(2 * room))), np.int64)
    values = np.zeros(num_kinds, np.int64)
    # ``found`` is the least loss of the plays followed to their end, and ``most`` if there are
    # none. Plays that were left out lose at least ``proven``: apart from rounding no loss is
    # negative.
    found, proven = most, most
    hands[0] = tiles.copies
    number = 1
    # Invariant: the first ``number`` rows are different hands after ``made`` draws, and ``losses``
    # has for each the least loss of the searched plays that lead to it.
    for made in range(draws):
        left = draws - made
        slots[:] = -1
        number_after = 0
        for index in range(number):
            _set(tiles, hands[index])
            best = _discard_all(tiles, lookup, layers[left - 1], made == 0, values)
            found = min(found, losses[index] if best == STORED_ONE else found)
            for kind in range(num_kinds):
                loss = losses[index] + best - values[kind]
                if values[kind] == 0:  # no play wins from here, so nothing more is lost
                    found = min(found, loss)
                if values[kind] <= 0 or loss > found + TOLERANCE:
                    continue
                hands[index, kind] -= 1  # until the end of this round of the loop
                row = _find(after, slots, hands[index])
                if row >= 0:
                    after_losses[row] = min(after_losses[row], loss)
                elif number_after < room:
                    slots[-1 - row] = number_after
                    after[number_after] = hands[index]
                    after_losses[number_after] = loss
                    number_after += 1
                else:
                    proven = min(proven, loss)
                hands[index, kind] += 1
        reached = after_losses[:number_after]
        ranked = np.argsort(reached)
        number = min(number_after, width)
        for row in ranked[number : number + 1]:  # the least loss that is not searched
            proven = min(proven, after_losses[row])
        for index in range(number):
            hands[index] = after[ranked[index]]
            _set(tiles, hands[index])
            loss = _loss_of_draw(tiles, wall, lookup, layers, left)
            losses[index] = after_losses[ranked[index]] + loss
            hands[index, deck[size + made]] += 1
        wall[deck[size + made]] -= 1
    for loss in losses[:number]:
        found = min(found, loss)  # a win has been paid for, and all else is worth 0
    return found, min(found, proven - TOLERANCE) if proven < found else found
