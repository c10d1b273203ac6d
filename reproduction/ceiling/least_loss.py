"""Kernel that searches for the least loss of a deal whose draws are all known."""

from typing import Final

import numpy as np

from mjopt._internal.jit import inner, kernel
from mjopt.chances.ceiling._kernels import STORED_ONE
from mjopt.play.solitaire._play_kernels import (
    Bytes,
    Integers,
    Lookup,
    Stored,
    Tiles,
    add_copies,
    deal_hand,
    hand_number,
    is_complete,
    mean_after_draw,
    new_tiles,
    set_copies,
)

# A deal is played with all draws known, and the value of the hand with the drawn tile less its
# mean over the true wall is charged for that knowledge. The mean over deals of the ceiling less
# the least loss is at least the chance of optimal play (docs/results/ceiling.md, "From above").

ROOM: Final = 16  # hands per hand that is kept; further ones only bound the result

TOLERANCE: Final = 32.0
"""Stored values are rounded up, so losses can be negative by this much in all, in 1/65535."""


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
    if not is_first and is_complete(tiles, lookup):
        best = STORED_ONE
    for kind in range(len(values)):
        values[kind] = -1
        if tiles.copies[kind]:
            add_copies(tiles, kind, -1)
            values[kind] = layer[hand_number(tiles, lookup)]
            best = max(best, values[kind])
            add_copies(tiles, kind, 1)
    return best


@inner(inline=True)
def _loss_of_draw(tiles: Tiles, wall: Integers, lookup: Lookup, layers: Stored, left: int) -> float:
    """Return the ceiling of a hand minus its mean after the next draw from the true wall."""
    own: float = layers[left - 1, hand_number(tiles, lookup)]
    return own - mean_after_draw(tiles, wall, lookup, layers[max(left - 2, 0)], left == 1)


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
    tiles = new_tiles(num_kinds)
    size = len(deck) - draws
    deal_hand(tiles, deck, size)
    wall = 4 - tiles.copies
    if is_complete(tiles, lookup):
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
            set_copies(tiles, hands[index])
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
            set_copies(tiles, hands[index])
            loss = _loss_of_draw(tiles, wall, lookup, layers, left)
            losses[index] = after_losses[ranked[index]] + loss
            hands[index, deck[size + made]] += 1
        wall[deck[size + made]] -= 1
    for loss in losses[:number]:
        found = min(found, loss)  # a win has been paid for, and all else is worth 0
    return found, min(found, proven - TOLERANCE) if proven < found else found
