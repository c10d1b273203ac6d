"""Kernels that draw tiles for hands and discard tiles of full hands, with tables of hands.

A hand is a row of copies, and the same copies in words of 64 bits, three bits for each kind, which
decide whether two hands are equal: a draw or a discard changes one word. Callers provide all
memory, because numba compiles allocations slowly.

The hash table has open addressing. The lower half of a slot is the number of a hand plus one, so
that an unused slot is 0; the upper half is its hash, whose first bits are the slot. Hashes are
compared first, because the words of another hand are rarely in the CPU cache, and a larger table is
filled in the order of its slots.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import inner, kernel
from mjopt.hands.tiles import COPIES

# The graph grows breadth first: hands draw in the order of their numbers, and hands that are new
# get the next number. Three bits hold 0..4 copies, so that a draw adds one to its kind in one word
# and a discard subtracts one, without a carry or a borrow to the kinds beside it; two words hold 42
# kinds. So a hand is found by its words, and its row of copies is written only if it is new.

Longs = NDArray[np.int64]
Flags = NDArray[np.bool_]
Numbers = NDArray[np.int32]
Slots = NDArray[np.uint64]
Rows = NDArray[np.uint8]
Words = NDArray[np.uint64]

Whole = int | np.int64

KINDS_IN_WORD = 21
_ONE = np.uint64(1)
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)
_LOW = np.uint64((1 << 32) - 1)


class HandTable(NamedTuple):
    """Distinct hands, numbered as they appear."""

    rows: Rows  # copies held, shape (N, K); of full hands only those from a given number on
    num_new: Longs  # tiles that the first hand does not hold, shape (N,), of the same hands
    words: Words  # the copies of all hands, shape (N, W)
    slots: Slots  # more than half are free; their number is a power of two, at most 2**32
    shift: np.uint64  # of a hash, to the slot


class ThrownHands(NamedTuple):
    """Hands after a discard, shape (D, K), the full hands before it, and the kinds discarded."""

    rows: Rows
    num_new: Longs
    full: Numbers
    kinds: Numbers


@inner
def _find(
    words: Words, number: Whole, place: Whole, step: np.uint64, table: HandTable, size: Whole
) -> Whole:
    """Return the number of a hand, whose word at ``place`` is changed by ``step``.

    A hand that is not in the table is added as the one numbered ``size``, with its words only.
    """
    # Each step multiplies by 2**64 over the golden ratio, which moves low bits up, and folds the
    # upper half into the lower.
    mixed = np.uint64(0)
    for word in range(words.shape[1]):
        value = words[number, word] + (step if word == place else np.uint64(0))
        mixed = (mixed ^ value) * _FACTOR
        mixed ^= mixed >> _HALF
    mixed &= ~_LOW
    last = np.uint64(table.slots.size - 1)
    slot = mixed >> table.shift
    # Linear probing ends, because more than half of the slots are free.
    while table.slots[slot]:
        if table.slots[slot] & ~_LOW == mixed:
            known = np.int64(table.slots[slot] & _LOW) - 1
            is_same = True
            for word in range(words.shape[1]):
                value = words[number, word] + (step if word == place else np.uint64(0))
                is_same &= table.words[known, word] == value
            if is_same:
                return known
        slot = (slot + _ONE) & last
    table.slots[slot] = mixed | np.uint64(size + 1)
    for word in range(words.shape[1]):
        value = words[number, word] + (step if word == place else np.uint64(0))
        table.words[size, word] = value
    return size


@inner
def _write(
    row: Whole, source: HandTable, number: Whole, kind: Whole, by: int, held: Longs,
    target: HandTable,
) -> None:  # fmt: skip
    """Write the copies of a hand with one copy more or fewer of a kind."""
    for other in range(held.size):
        target.rows[row, other] = source.rows[number, other]
    target.rows[row, kind] += by
    copies = np.int64(target.rows[row, kind])
    is_new = copies > held[kind] if by > 0 else copies >= held[kind]
    target.num_new[row] = source.num_new[number] + by * is_new


@kernel
def hash_kernel(hands: HandTable, size: int) -> None:
    """Write the numbers of the first distinct hands of a table into free slots."""
    for number in range(size):
        _find(hands.words, number, 0, np.uint64(0), hands, number)


@kernel
def move_kernel(slots: Slots, larger: Slots, shift: np.uint64) -> None:
    """Write the hands of a hash table into a larger one."""
    # The slot of a hand is made of the first bits of its hash, and the slot value contains the
    # hash. So the table grows without a look at the hands.
    last = np.uint64(larger.size - 1)
    for value in slots:
        if value:
            slot = value >> shift
            while larger[slot]:
                slot = (slot + _ONE) & last
            larger[slot] = value


@kernel
def number_kernel(edges: Longs, numbers: Longs) -> None:
    """Write new numbers of full hands into edges, in the order of their first edges."""
    count = 0
    for place in range(edges.size):
        full = edges[place] & 0xFFFFFFFF
        if numbers[full] < 0:
            numbers[full] = count
            count += 1
        edges[place] += numbers[full] - full


@kernel
def draw_kernel(
    hands: HandTable, begin: int, end: int, held: Longs, wall: Longs, fulls: HandTable,
    first: int, drawn: Numbers,
) -> int:  # fmt: skip
    """Draw every possible tile for some hands, and return the number of full hands then.

    The hands from ``begin`` to ``end`` draw. ``held`` and ``wall``, shape (K,): copies that the
    first hand holds, and those in the wall. ``fulls`` has the full hands, whose rows are written
    from number ``first`` on. ``drawn``, shape (N, K), is an output: number of the full hand for
    each hand and kind, -1 without one.
    """
    size = first
    for number in range(begin, end):
        # Copies beyond those of the first hand came from the wall: if it held no more, none can be
        # drawn.
        for kind in range(held.size):
            copies = np.int64(hands.rows[number, kind])
            if copies == COPIES or wall[kind] <= max(0, copies - held[kind]):
                drawn[number - begin, kind] = -1
                continue
            step = _ONE << np.uint64(3 * (kind % KINDS_IN_WORD))
            full = _find(hands.words, number, kind // KINDS_IN_WORD, step, fulls, size)
            if full == size:
                _write(size - first, hands, number, kind, 1, held, fulls)
                size += 1
            drawn[number - begin, kind] = full
    return size


@kernel
def discard_kernel(
    fulls: HandTable, first: int, places: Longs, beyond: Longs, held: Longs, discards: ThrownHands
) -> int:
    """Write the discards of some full hands that can lead to the class, and return their number.

    ``places`` of full hands count from the one numbered ``first``, and ``beyond`` says by how much
    each exceeds the limit of the class. A discard removes at most one new tile, and it never lowers
    a deficiency: a full hand beyond the limit by one must discard a new tile.
    """
    count = 0
    for place in places:
        for kind in range(held.size):
            copies = np.int64(fulls.rows[place, kind])
            is_new = copies > held[kind]
            if copies == 0 or (beyond[place] > 0 and not is_new):
                continue
            for other in range(held.size):
                discards.rows[count, other] = fulls.rows[place, other]
            discards.rows[count, kind] -= 1
            discards.num_new[count] = fulls.num_new[place] - is_new
            discards.full[count], discards.kinds[count] = first + place, kind
            count += 1
    return count


@kernel
def add_kernel(
    fulls: HandTable, first: int, discards: ThrownHands, count: int, is_in: Flags, held: Longs,
    hands: HandTable, size: int, edges: Longs,
) -> tuple[int, int]:  # fmt: skip
    """Add the hands of the class after discards, if their full hand has two or more of them.

    A single one returns to the hand before the draw. An edge is ``hand << 38 | kind << 32 | full``.
    Returns the numbers of hands and of edges.
    """
    start = num_edges = 0
    while start < count:
        end, ways = start, 0
        while end < count and discards.full[end] == discards.full[start]:
            ways += is_in[end]
            end += 1
        if ways > 1:
            for place in range(start, end):
                if not is_in[place]:
                    continue
                full, kind = np.int64(discards.full[place]), np.int64(discards.kinds[place])
                step = np.uint64(0) - (_ONE << np.uint64(3 * (kind % KINDS_IN_WORD)))
                hand = _find(fulls.words, full, kind // KINDS_IN_WORD, step, hands, size)
                if hand == size:
                    _write(size, fulls, full - first, kind, -1, held, hands)
                    size += 1
                edges[num_edges] = hand << 38 | kind << 32 | full
                num_edges += 1
        start = end
    return size, num_edges
