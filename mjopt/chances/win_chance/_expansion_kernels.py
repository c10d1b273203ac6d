"""Kernels that expand the graph of hands, with hash tables of the hands.

Callers allocate most arrays, and loops fill them, because numba compiles allocations and
assignments to slices slowly.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import inner, kernel

Longs = NDArray[np.int64]
Bytes = NDArray[np.int8]

_FAR = 99
_BITS = 15  # of a suit number in a key, see graph_expansion.py


@inner
def _slot(key: int, keys: Longs, slots: NDArray[np.int32]) -> Any:
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
def _larger(keys: Longs, count: int, slots: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the hash table with four times as many slots."""
    more = np.empty(4 * slots.size, np.int32)
    for place in range(more.size):
        more[place] = -1
    for number in range(count):
        more[_slot(keys[number], keys, more)] = number
    return more


@inner
def _without_melds(
    sums: Longs, features: NDArray[np.int64], before: int, after: int, forms: NDArray[np.bool_]
) -> Any:
    """Return the deficiency over the forms without melds after one suit state changes."""
    found: Any = np.int64(_FAR)
    if forms[0]:
        pairs = min(7, sums[1] + features[after, 1] - features[before, 1])
        singles = min(7 - pairs, sums[2] + features[after, 2] - features[before, 2])
        found = 14 - 2 * pairs - singles
    if forms[1]:
        is_single = sums[4] + features[after, 4] == features[before, 4]
        found = min(found, sums[3] + features[after, 3] - features[before, 3] + is_single)
    return found


def hash_table(keys: Longs) -> tuple[Longs, int, NDArray[np.int32]]:
    """Return a few distinct keys, their number, and a hash table from keys to their indices."""
    slots = np.full(64, -1, np.int32)
    with np.errstate(over="ignore"):
        for number, key in enumerate(keys):
            slots[_slot(key, keys, slots)] = number
    return keys, len(keys), slots


@kernel
def draw_kernel(  # noqa: PLR0912 - as below
    suits: Any,
    tables: Any,
    most: int,
    fresh: Longs,
    first: int,
    wins: Any,
    drawn: Any,
    is_drawn: NDArray[np.bool_],
    work: Any,
) -> tuple[Any, Any]:
    """Draw every possible tile for each hand.

    Parameters
    ----------
    suits
        First row of each suit; steps by row and rank, classes, features (new tiles, pairs,
        singles, missing orphans, orphans held twice), whether the wall has the rank.
    tables
        Classes of two suits, of a suit and the honours, answers, flags of the other forms.
    most
        Upper limit on new tiles plus deficiency of a hand of the class.
    fresh, first
        Keys of the hands, and the number of the first.
    wins
        Array of ``hand << 6 | kind`` of winning draws, and its length.
    drawn
        Array of keys of full hands that may have successors, and its length.
    is_drawn
        Output: flags of the rows of the suits in those full hands.
    work
        Working memory: rows and classes by suit, (4,) each, and sums of features, (5,), or (1,)
        for the standard form alone.

    Returns
    -------
    tuple
        ``drawn`` and ``wins`` with new entries appended.
    """
    begins, steps, class_of, features, has = suits
    pair, mixed, answers, forms = tables
    is_any = forms[0] or forms[1]
    (found, num_wins), (keys, count) = wins, drawn
    rows, classes, sums = work
    for number in range(fresh.size):
        for one in range(sums.size):
            sums[one] = 0
        for place in range(4):
            rows[place] = begins[place] + (fresh[number] >> _BITS * place & (1 << _BITS) - 1)
            classes[place] = class_of[rows[place]]
            for one in range(sums.size):
                sums[one] += features[rows[place], one]
        for place in range(4):
            row, is_some = rows[place], False
            for rank in range(9):
                if steps[row, rank] < 0 or not has[row, rank]:
                    continue
                after = begins[place] + steps[row, rank]
                classes[place] = class_of[after]
                lacks: Any = np.int64(
                    answers[pair[classes[0], classes[1]], mixed[classes[2], classes[3]]]
                )
                if is_any:
                    lacks = min(lacks, _without_melds(sums, features, row, after, forms))
                num_new = sums[0] - features[row, 0] + features[after, 0]
                if lacks == 0:
                    if num_wins == found.size:
                        found = longer(found)
                    found[num_wins] = first + number << 6 | 9 * place + rank
                    num_wins += 1
                elif lacks + num_new <= most + 1:
                    if count == keys.size:
                        keys = longer(keys)
                    keys[count] = fresh[number] + (after - row << _BITS * place)
                    count += 1
                    is_drawn[after] = is_some = True
            classes[place] = class_of[row]
            if is_some:
                for other in range(4):
                    is_drawn[rows[other]] |= other != place
    return (keys, count), (found, num_wins)


@kernel
def discard_kernel(  # noqa: PLR0912, PLR0915 - one loop: passing arrays costs more
    suits: Any,
    tables: Any,
    most: int,
    drawn: Longs,
    fulls: Any,
    hands: Any,
    edges: Any,
    limit: int,
    work: Any,
) -> tuple[Any, Any, Any]:
    """Discard from full hands until there are too many hands.

    Parameters
    ----------
    suits, tables, most
        As for :func:`draw_kernel`.
    drawn
        Keys of full hands.
    fulls, hands
        Keys, their number, and the hash table of their indices. Full hands with only one
        discard within the class are left out.
    edges
        Array of ``hand << 38 | kind << 32 | full`` of the discards, and its length.
    limit
        Stop if there are more hands.
    work
        Working memory: as for :func:`draw_kernel`, and hands and kinds by discard, (14,) each.

    Returns
    -------
    tuple
        ``fulls``, ``hands`` and ``edges`` with new entries appended.
    """
    begins, steps, class_of, features, _ = suits
    pair, mixed, answers, forms = tables
    is_any = forms[0] or forms[1]
    full_keys, num_fulls, full_slots = fulls
    keys, count, slots = hands
    found, num_edges = edges
    (rows, classes, sums), left, kinds = work
    for key in drawn:
        at = _slot(key, full_keys, full_slots)
        if full_slots[at] >= 0:
            continue
        for one in range(sums.size):
            sums[one] = 0
        for place in range(4):
            rows[place] = begins[place] + (key >> _BITS * place & (1 << _BITS) - 1)
            classes[place] = class_of[rows[place]]
            for one in range(sums.size):
                sums[one] += features[rows[place], one]
        ways, row = 0, rows[0]
        least: Any = np.int64(answers[pair[classes[0], classes[1]], mixed[classes[2], classes[3]]])
        if is_any:
            least = min(least, _without_melds(sums, features, row, row, forms))
        if least + sums[0] > most + 1 or (least + sums[0] > most and sums[0] == 1):
            continue
        for place in range(4):
            row = rows[place]
            if least + sums[0] > most and features[row, 0] == 0:
                continue
            for rank in range(9):
                if steps[row, rank] < 0:
                    continue
                after = begins[place] + steps[row, rank]
                num_new = sums[0] - features[row, 0] + features[after, 0]
                if least + num_new > most:  # a discard cannot lower the deficiency
                    continue
                classes[place] = class_of[after]
                lacks: Any = np.int64(
                    answers[pair[classes[0], classes[1]], mixed[classes[2], classes[3]]]
                )
                if is_any:
                    lacks = min(lacks, _without_melds(sums, features, row, after, forms))
                if lacks + num_new <= most:
                    left[ways], kinds[ways] = key + (after - row << _BITS * place), 9 * place + rank
                    ways += 1
            classes[place] = class_of[row]
        if ways == 1:
            continue
        if num_fulls == full_keys.size:
            full_keys = longer(full_keys)
        if num_edges + ways > found.size:
            found = longer(found)
        if count + ways > keys.size:
            keys = longer(keys)
        if 2 * (count + ways) > slots.size:
            slots = _larger(keys, count, slots)
        full_keys[num_fulls], full_slots[at] = key, num_fulls
        for way in range(ways):
            at = _slot(left[way], keys, slots)
            number = np.int64(slots[at])
            if number < 0:
                number = count
                keys[count], slots[at] = left[way], count
                count += 1
            found[num_edges] = number << 38 | kinds[way] << 32 | num_fulls
            num_edges += 1
        num_fulls += 1
        if 2 * num_fulls > full_slots.size:
            full_slots = _larger(full_keys, num_fulls, full_slots)
        if count > limit:
            break
    return (full_keys, num_fulls, full_slots), (keys, count, slots), (found, num_edges)
