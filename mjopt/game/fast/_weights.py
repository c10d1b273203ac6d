"""GMJBG's weights, compiled: the twins of the functions in ``mjopt.game.tile_weights``."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import inner

# Where the choices of a reading stand: the order of ``reading_choices``.
MOST_LOCKED: Final = 0
LOCKED_SUPPORT: Final = 1
LOCKED_CHOOSABLE: Final = 2
FOUR_ALIKE: Final = 3
LAST_OF_TIES: Final = 4
CHOW_TILE_IN: Final = 5
PONG_TILE_IN: Final = 6
LEAST_TOTAL: Final = 7
CALLED_WEIGHT: Final = 8
ORPHAN_TOTAL: Final = 9

NONE: Final = -1
NEVER: Final = 1 << 20

Bytes = NDArray[np.uint8]
Choices = NDArray[np.int64]
INT: Any = np.int64
U: Any = np.uint64


@inner
def _lock(hand: Bytes, locked: Bytes, choices: Choices) -> None:
    """Write how many copies of each kind are locked."""
    locked[:] = 0
    left = choices[MOST_LOCKED]
    for start in range(0, 27, 9):
        for first in range(U(start), U(start + 7)):
            second, third = first + U(1), first + U(2)
            free = min(
                hand[first] - locked[first],
                hand[second] - locked[second],
                hand[third] - locked[third],
            )
            chows = min(INT(free), left)
            if chows > 0:
                locked[first] += chows
                locked[second] += chows
                locked[third] += chows
                left -= chows
                if left == 0:
                    return


@inner
def _added(around: Bytes, kind: int, four_alike: int) -> Any:
    """Return what the rest of the hand adds to the basic weight of a tile."""
    copies = INT(around[kind])
    added = INT(0)
    if copies == 2:
        added = 2
    elif copies == 3:
        added = 4
    elif copies == 4:
        added = four_alike
    if kind < 27:
        rank = kind % 9
        if rank > 0:
            added += 2 * (around[kind - 1] > 0)
        if rank > 1:
            added += INT(around[kind - 2] > 0)
        if rank < 8:
            added += 2 * (around[kind + 1] > 0)
        if rank < 7:
            added += INT(around[kind + 2] > 0)
    return added


@inner
def _weigh(hand: Bytes, locked: Bytes, choices: Choices) -> tuple[int, int, int]:
    """Return the kind of least weight, the first of greatest, and the total."""
    least, greatest, total = NEVER, -NEVER, INT(0)
    lightest, heaviest = NONE, NONE
    # A tie goes to the later tile if one counts as no tie.
    slack = INT(choices[LAST_OF_TIES] != 0)
    whole = choices[LOCKED_SUPPORT] != 0 or choices[LOCKED_CHOOSABLE] != 0
    around = np.empty(34, np.uint8)
    for kind in range(U(34)):
        around[kind] = hand[kind] if whole else hand[kind] - locked[kind]
    for kind in range(34):
        held, shut = INT(hand[kind]), INT(locked[kind])
        if held == 0:
            continue
        added = _added(around, kind, choices[FOUR_ALIKE])
        if shut > 0 and choices[LOCKED_CHOOSABLE] != 0:
            total += shut * (added - 1)
            if added - 1 < least + slack:
                least, lightest = added - 1, kind
            if added - 1 > greatest:
                greatest, heaviest = added - 1, kind
        if held > shut:
            rank = kind % 9
            weight = added + (min(rank, 8 - rank, 2) if kind < 27 else 0)
            total += (held - shut) * weight
            if weight < least + slack:
                least, lightest = weight, kind
            if weight > greatest:
                greatest, heaviest = weight, kind
    return lightest, heaviest, total


@inner
def discard(hand: Bytes, locking: bool, locked: Bytes, choices: Choices) -> int:
    """Return the kind to discard; ``locked`` is scratch, shape (34,)."""
    size = 0
    for kind in range(34):
        size += hand[kind]
    locked[:] = 0
    lightest = NONE
    if not locking or (size == 14 and choices[ORPHAN_TOTAL] >= 0):
        lightest, heaviest, total = _weigh(hand, locked, choices)
        if size == 14 and total <= choices[ORPHAN_TOTAL]:
            return heaviest
    if locking:
        _lock(hand, locked, choices)
        lightest, _, _ = _weigh(hand, locked, choices)
    return lightest


@inner
def _total(hand: Bytes, locked: Bytes, choices: Choices) -> Any:
    _lock(hand, locked, choices)
    _, _, total = _weigh(hand, locked, choices)
    return total


@inner
def wants_pong(hand: Bytes, tile: int, locked: Bytes, choices: Choices) -> Any:
    """Return 1 if AI_L3 calls a pong that it could call, else 0."""
    before = _total(hand, locked, choices)
    change = 1 if choices[PONG_TILE_IN] != 0 else -2
    hand[tile] += change
    after = _total(hand, locked, choices) + 3 * choices[CALLED_WEIGHT]
    hand[tile] -= change
    return INT(after < before)


@inner
def _total_with_chow(hand: Bytes, first: int, tile: int, locked: Bytes, choices: Choices) -> Any:
    """Return the total after a chow, the hand being left as it was."""
    if choices[CHOW_TILE_IN] != 0:
        hand[tile] += 1
        after = _total(hand, locked, choices)
        hand[tile] -= 1
    else:
        for kind in range(first, first + 3):
            hand[kind] -= kind != tile
        after = _total(hand, locked, choices)
        for kind in range(first, first + 3):
            hand[kind] += kind != tile
    return after + 3 * choices[CALLED_WEIGHT]


@inner
def chow_to_call(hand: Bytes, tile: int, locked: Bytes, choices: Choices) -> int:
    """Return the first kind of the chow that AI_L3 calls, or -1."""
    chosen, least, before = NONE, NEVER, NEVER
    rank = tile % 9
    if tile >= 27:
        return chosen
    for first in range(tile - min(2, rank), tile - max(0, rank - 6) + 1):
        has_both = True
        for kind in range(first, first + 3):
            has_both &= kind == tile or hand[kind] > 0
        if not has_both:
            continue
        if before == NEVER:
            before = _total(hand, locked, choices)
        after = _total_with_chow(hand, first, tile, locked, choices)
        if after < before and after < least:
            chosen, least = first, after
            if choices[LEAST_TOTAL] == 0:
                break
    return chosen
