"""Kernels that expand the graph of hands, with hash tables of the hands.

Callers allocate most arrays, and loops fill them, because numba compiles allocations and
assignments to slices slowly.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import inner, kernel

Longs = NDArray[np.int64]
Flags = NDArray[np.bool_]
Slots = NDArray[np.int32]

FEATURE_BITS = 8
"""Bits for each feature of a suit: new tiles, pairs, singles, missing orphans, orphans held twice.

The features of a hand are the sum over its suits.
"""

_FAR = 99
_BITS = 15  # of a suit number in a key, see graph_expansion.py


class Suits(NamedTuple):
    """The states of all suits, one row each, suit after suit.

    A fourth suit that the tile set lacks has one row without a step, so that every hand has four.
    """

    begins: Longs  # first row of each suit, shape (4,)
    steps: Slots  # states with one copy more or fewer, new kinds first; shape (R, 9)
    ranks: NDArray[np.int8]  # rank of each step, shape (R, 9)
    num_steps: Longs  # shape (R,)
    num_new: Longs  # kinds of which the first hand holds fewer, shape (R,)
    classes: NDArray[np.uint8]  # shape (R,)
    features: Longs  # packed, see FEATURE_BITS; shape (R,)


class Answers(NamedTuple):
    """Tables of the deficiency: ``answers[pairs[a, b], mixed[c, d]]`` for the classes of a hand."""

    pairs: NDArray[np.uint16]
    mixed: NDArray[np.uint16]
    answers: NDArray[np.int8]
    forms: Flags  # whether seven pairs and thirteen orphans count, shape (2,)


class Items(NamedTuple):
    """An array whose first ``size`` places are in use."""

    values: Longs
    size: int


class HashTable(NamedTuple):
    """Distinct keys with their indices."""

    keys: Longs
    size: int
    slots: Slots  # index of the key that is hashed there, -1 for none; at most half are in use


class HandWork(NamedTuple):
    """Working memory for one hand."""

    rows: Longs  # by suit, shape (4,)
    classes: Longs  # by suit, shape (4,)


class DiscardWork(NamedTuple):
    """Working memory for the discards of one full hand."""

    hand: HandWork
    left: Longs  # keys of the hands after each discard, shape (14,)
    kinds: Longs  # kinds discarded, shape (14,)


@inner
def _slot(key: int, keys: Longs, slots: Slots) -> np.int64:
    """Return the slot of a key in the hash table, which contains -1 if the key is new."""
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(32)
    place = np.int64(mixed) & (slots.size - 1)
    while slots[place] >= 0 and keys[slots[place]] != key:
        place = (place + 1) & (slots.size - 1)
    return place


@inner
def longer(keys: Longs) -> Longs:
    """Return a copy with more than twice the capacity."""
    more = np.empty(2 * keys.size + 64, np.int64)
    for place in range(keys.size):
        more[place] = keys[place]
    return more


@inner
def _larger(keys: Longs, count: int, slots: Slots) -> Slots:
    """Return the hash table with four times as many slots."""
    more = np.empty(4 * slots.size, np.int32)
    for place in range(more.size):
        more[place] = -1
    for number in range(count):
        more[_slot(keys[number], keys, more)] = number
    return more


@inner
def _without_melds(features: int, forms: Flags) -> np.int64:
    """Return the deficiency over the forms without melds."""
    found = _FAR
    if forms[0]:
        pairs = min(7, features >> FEATURE_BITS & 255)
        found = 14 - 2 * pairs - min(7 - pairs, features >> 2 * FEATURE_BITS & 255)
    if forms[1]:
        is_single = features >> 4 * FEATURE_BITS == 0
        found = min(found, (features >> 3 * FEATURE_BITS & 255) + is_single)
    return np.int64(found)


@inner(inline=True)
def _read_key(
    key: int,
    begins: Longs,
    class_of: NDArray[np.uint8],
    features: Longs,
    rows: Longs,
    classes: Longs,
) -> int:
    """Write the rows and the classes of the suits of a hand, and return its features."""
    total = 0
    for place in range(4):
        rows[place] = begins[place] + (key >> _BITS * place & (1 << _BITS) - 1)
        classes[place] = class_of[rows[place]]
        total += int(features[rows[place]])
    return total


def hash_table(keys: Longs) -> HashTable:
    """Return a hash table of a few distinct keys."""
    slots = np.full(64, -1, np.int32)
    with np.errstate(over="ignore"):
        for number, key in enumerate(keys):
            slots[_slot(key, keys, slots)] = number
    return HashTable(keys, len(keys), slots)


@kernel
def draw_kernel(
    suits: Suits,
    tables: Answers,
    most: int,
    fresh: Longs,
    first: int,
    wins: Items,
    drawn: Items,
    is_drawn: Flags,
    work: HandWork,
) -> tuple[Items, Items]:
    """Draw every possible tile for each hand.

    Parameters
    ----------
    suits, tables
        The states of the suits, with steps to one copy more, and the deficiencies.
    most
        Upper limit on new tiles plus deficiency of a hand of the class.
    fresh, first
        Keys of the hands, and the number of the first.
    wins
        Winning draws, ``hand << 6 | kind``.
    drawn
        Keys of full hands that may have successors.
    is_drawn
        Output: flags of the rows of the suits in those full hands.
    work
        Working memory.

    Returns
    -------
    tuple
        ``drawn`` and ``wins`` with new entries appended.
    """
    begins, steps, ranks, num_steps, _, class_of, features = suits
    pair, mixed, answers, forms = tables
    is_any = forms[0] or forms[1]
    (found, num_wins), (keys, count) = wins, drawn
    rows, classes = work
    for number in range(fresh.size):
        total = _read_key(fresh[number], begins, class_of, features, rows, classes)
        # A draw changes the row of one suit, and the features are sums over suits. So each hand
        # after a draw costs a few look-ups, whatever it holds.
        for place in range(4):
            row, is_some = rows[place], False
            for step in range(num_steps[row]):
                after = begins[place] + steps[row, step]
                classes[place] = class_of[after]
                lacks = np.int64(
                    answers[pair[classes[0], classes[1]], mixed[classes[2], classes[3]]]
                )
                changed = total - features[row] + features[after]
                if is_any:
                    lacks = min(lacks, _without_melds(changed, forms))
                if lacks == 0:
                    if num_wins == found.size:
                        found = longer(found)
                    found[num_wins] = first + number << 6 | 9 * place + ranks[row, step]
                    num_wins += 1
                elif lacks + (changed & 255) <= most + 1:
                    if count == keys.size:
                        keys = longer(keys)
                    keys[count] = fresh[number] + (after - row << _BITS * place)
                    count += 1
                    is_drawn[after] = is_some = True
            classes[place] = class_of[row]
            if is_some:
                for other in range(4):
                    is_drawn[rows[other]] |= other != place
    return Items(keys, count), Items(found, num_wins)


@kernel
def discard_kernel(  # noqa: PLR0912, PLR0915 - one loop: passing arrays costs more
    suits: Suits,
    tables: Answers,
    most: int,
    drawn: Longs,
    fulls: Items,
    first: int,
    hands: HashTable,
    edges: Items,
    limit: int,
    work: DiscardWork,
) -> tuple[Items, HashTable, Items]:
    """Discard from full hands until there are too many hands.

    Parameters
    ----------
    suits, tables, most
        As for :func:`draw_kernel`, with steps to one copy fewer.
    drawn
        Keys of full hands, sorted.
    fulls, first
        The full hands of the graph, and the number of the first one of the level before, which
        are sorted. Full hands with only one discard within the class are left out: it returns to
        the hand before the draw.
    hands
        The hands of the graph.
    edges
        The discards, ``hand << 38 | kind << 32 | full``.
    limit
        Stop if there are more hands.
    work
        Working memory.

    Returns
    -------
    tuple
        ``fulls``, ``hands`` and ``edges`` with new entries appended.
    """
    begins, steps, ranks, num_steps, new_kinds, class_of, features = suits
    pair, mixed, answers, forms = tables
    is_any = forms[0] or forms[1]
    full_keys, num_fulls = fulls
    keys, count, slots = hands
    found, num_edges = edges
    (rows, classes), left, kinds = work
    seen, end = first, num_fulls
    for key in drawn:
        # The hands in a full hand are neighbours. So it is drawn at one level or at two in a row.
        while seen < end and full_keys[seen] < key:
            seen += 1
        if seen < end and full_keys[seen] == key:
            continue
        total = _read_key(key, begins, class_of, features, rows, classes)
        ways, num_new = 0, total & 255
        least = np.int64(answers[pair[classes[0], classes[1]], mixed[classes[2], classes[3]]])
        if is_any:
            least = min(least, _without_melds(total, forms))
        # A discard removes at most one new tile. It never lowers the deficiency.
        is_new_only = least + num_new > most
        for place in range(4):
            row = rows[place]
            for step in range(new_kinds[row] if is_new_only else num_steps[row]):
                after = begins[place] + steps[row, step]
                classes[place] = class_of[after]
                lacks = np.int64(
                    answers[pair[classes[0], classes[1]], mixed[classes[2], classes[3]]]
                )
                if is_any:
                    changed = total - features[row] + features[after]
                    lacks = min(lacks, _without_melds(changed, forms))
                if lacks + num_new - (step < new_kinds[row]) <= most:
                    left[ways] = key + (after - row << _BITS * place)
                    kinds[ways] = 9 * place + ranks[row, step]
                    ways += 1
            classes[place] = class_of[row]
        if ways == 1:
            continue
        # The discards of a full hand are written together, once there is room for all.
        if num_fulls == full_keys.size:
            full_keys = longer(full_keys)
        if num_edges + ways > found.size:
            found = longer(found)
        if count + ways > keys.size:
            keys = longer(keys)
        if 2 * (count + ways) > slots.size:
            slots = _larger(keys, count, slots)
        full_keys[num_fulls] = key
        for way in range(ways):
            at = _slot(left[way], keys, slots)
            number = np.int64(slots[at])
            if number < 0:
                number = np.int64(count)
                keys[count], slots[at] = left[way], count
                count += 1
            found[num_edges] = number << 38 | kinds[way] << 32 | num_fulls
            num_edges += 1
        num_fulls += 1
        if count > limit:
            break
    return (
        Items(full_keys, num_fulls),
        HashTable(keys, count, slots),
        Items(found, num_edges),
    )
