"""Kernels: the recursive method of Li and Yan, for one hand and for all hands of a tile set."""

from typing import Final

import numpy as np
import numpy.typing as npt

from mjopt._internal.jit import inner, kernel
from mjopt.hands.rules.classic_forms import UNREACHABLE
from mjopt.hands.tiles import COPIES
from mjopt.heuristics._candidates import INT

# The definition of the deficiency, followed to the letter: complete hands have deficiency 0, and a
# hand has deficiency k + 1 if it has no lower one and one tile change leads to a hand of deficiency
# k (docs/results/by-deficiency.md, "The recursive method"). `search_hand` starts from one hand,
# `find_levels` from all complete hands at once. Both use no table, so they can check the tables.

Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]
Levels = npt.NDArray[np.int8]

NOT_FOUND: Final = -1
MOST_CHANGES: Final = 14


@inner
def _are_melds(tiles: Numbers, starts: Bytes) -> bool:
    """Return whether the tiles split into melds.

    Of three equal tiles three chows may be three pongs, so at the first kind only the remainder by
    three begins chows.
    """
    two_before, one_before = 0, 0  # chows that began at the two kinds before
    for kind in range(len(tiles)):
        left = tiles[kind] - two_before - one_before
        if left < 0:
            return False
        chows = left % 3
        if chows and not starts[kind]:
            return False
        two_before, one_before = one_before, chows
    return True


@inner
def _is_complete(tiles: Numbers, starts: Bytes) -> bool:
    """Return whether the tiles, 3 m + 2 of them, split into m melds and an eye."""
    for eye in range(len(tiles)):
        if tiles[eye] >= 2:
            tiles[eye] -= 2
            are_melds = _are_melds(tiles, starts)
            tiles[eye] += 2
            if are_melds:
                return True
    return False


# One hand: the hands k changes away are the hand without some k tiles, and with k others. Both are
# multisets, enumerated as ascending sequences of kinds in lexicographic order, so that each hand is
# looked at once and not once for each order of its changes.


@inner
def _fill(chosen: Numbers, first: int, number: int, kind: int, left: Numbers) -> bool:
    """Choose the least kinds, from ``kind`` on, for the places ``first`` to ``number - 1``.

    ``left`` has the copies that can still be chosen. If they do not suffice, nothing changes.
    """
    place = first
    while place < number and kind < len(left):
        if left[kind] > 0:
            left[kind] -= 1
            chosen[place] = kind
            place += 1
        else:
            kind += 1
    if place == number:
        return True
    while place > first:
        place -= 1
        left[chosen[place]] += 1
    return False


@inner
def _next(chosen: Numbers, number: int, left: Numbers) -> bool:
    """Choose the next kinds in lexicographic order, ascending; return whether there are any."""
    # As an odometer: the last place that can take a greater kind does, and those after it start
    # from the least kinds. Invariant: ``left`` lacks the copies of the places before ``place``.
    for place in range(number - 1, -1, -1):
        kind = chosen[place]
        left[kind] += 1
        if _fill(chosen, place, number, kind + 1, left):
            return True
    return False


@inner
def _search_one(
    counts: Numbers, can_arrive: Numbers, slots: int, starts: Bytes, most_hands: int, tiles: Numbers
) -> tuple[int, int]:
    """Look at all hands k tile changes away, for k = 0, 1, ..., until one is complete.

    Copies held and copies that can still arrive have shape ``(K,)``, as has ``tiles``, which
    receives the complete hand. ``slots`` is melds to make, ``0..4``; ``starts`` is 1 where a chow
    begins, shape ``(K + 2,)``. The result is the number of changes, or ``NOT_FOUND``, and the
    number of hands looked at, ``most_hands`` at most.
    """
    num_kinds, held, hands = len(counts), counts.sum(), 0
    missing = 3 * slots + 2 - held  # tiles that arrive without a discard
    discards, draws = np.zeros(MOST_CHANGES, np.int64), np.zeros(MOST_CHANGES, np.int64)
    kept, unseen = np.zeros(num_kinds, np.int64), np.zeros(num_kinds, np.int64)
    for changes in range(missing, 3 * slots + 3):
        for kind in range(num_kinds):
            kept[kind] = counts[kind]
        has_discards = _fill(discards, 0, changes - missing, 0, kept)
        while has_discards:
            for kind in range(num_kinds):  # a kind is not both discarded and drawn
                unseen[kind] = can_arrive[kind] if kept[kind] == counts[kind] else 0
            has_draws = _fill(draws, 0, changes, 0, unseen)
            while has_draws:
                if hands == most_hands:
                    return NOT_FOUND, hands
                hands += 1
                for kind in range(num_kinds):
                    tiles[kind] = kept[kind]
                for place in range(changes):
                    tiles[draws[place]] += 1
                if _is_complete(tiles, starts):
                    return changes, hands
                has_draws = _next(draws, changes, unseen)
            has_discards = _next(discards, changes - missing, kept)
    return NOT_FOUND, hands


@kernel
def search_hand(
    counts: Numbers, can_arrive: Numbers, slots: int, starts: Bytes, most_hands: int, tiles: Numbers
) -> tuple[int, int]:
    """Search one hand; see ``_search_one``."""
    return _search_one(counts, can_arrive, slots, starts, most_hands, tiles)


@kernel
def search_hands(
    counts: Bytes,
    slots: int,
    starts: Bytes,
    most_hands: npt.NDArray[np.int64],
    changes: Levels,
    hands: npt.NDArray[np.int32],
) -> None:
    """Search every row; all copies that a row does not hold are unseen.

    ``most_hands`` has shape ``(N,)``; the last two arrays receive the results.
    """
    num_kinds = counts.shape[1]
    held, unseen = np.zeros(num_kinds, np.int64), np.zeros(num_kinds, np.int64)
    tiles = np.zeros(num_kinds, np.int64)
    for i in range(len(counts)):
        for kind in range(num_kinds):
            held[kind] = counts[i, kind]
            unseen[kind] = COPIES - held[kind]
        changes[i], hands[i] = _search_one(held, unseen, slots, starts, most_hands[i], tiles)


# All hands: a hand is a place in one array of levels, its rank among all hands in lexicographic
# order. It takes one byte there: 310 MB in all for the 209,856,330 hands of two suits.


@inner
def _rank(tiles: Numbers, size: int, ways: Numbers) -> int:
    """Return the place of a hand among all hands of that size, in lexicographic order.

    ``ways`` has the number of hands by kinds and tiles, shape ``(K + 1, size + 1)``.
    """
    # A hand that comes before has equal copies up to some kind, and fewer copies of that kind.
    left, last = size, len(tiles) - 1
    rank: int = INT(0)
    for kind in range(len(tiles)):
        for copies in range(tiles[kind]):
            rank += ways[last - kind, left - copies]
        left -= tiles[kind]
    return rank


@inner
def _advance(tiles: Numbers) -> None:
    """Replace a hand by the next one of its size in lexicographic order; the last one stays."""
    # The last kind that can take a tile from the kinds after it takes one; the rest of these tiles
    # moves to the end, which is the least arrangement.
    kind = len(tiles) - 1
    right = tiles[kind]  # tiles of the kinds after this one
    while kind > 0:
        kind -= 1
        if right > 0 and tiles[kind] < COPIES:
            tiles[kind] += 1
            right -= 1
            for later in range(len(tiles) - 1, kind, -1):
                tiles[later] = min(right, COPIES)
                right -= tiles[later]
            return
        right += tiles[kind]


@inner
def _first(tiles: Numbers, size: int) -> None:
    """Write the first hand in lexicographic order."""
    for kind in range(len(tiles) - 1, -1, -1):
        tiles[kind] = min(size, COPIES)
        size -= tiles[kind]


@kernel
def rank_hands(counts: Bytes, ways: Numbers, ranks: Numbers) -> None:
    """Write the place of every row among all hands, see ``_rank``."""
    tiles = np.zeros(counts.shape[1], np.int64)
    for i in range(len(counts)):
        for kind in range(counts.shape[1]):
            tiles[kind] = counts[i, kind]
        ranks[i] = _rank(tiles, ways.shape[1] - 1, ways)


@kernel
def find_levels(starts: Bytes, ways: Numbers, levels: Levels) -> None:
    """Write the deficiency of every hand, level by level.

    The hands of level 0 are complete. A hand is of level k + 1 if it is of no lower level and one
    tile change away from a hand of level k. The change is a discard and a draw: what remains after
    the discard is looked at once, with the first hand that leaves it.

    ``starts`` is 1 where a chow begins, shape ``(K + 2,)``; ``ways`` is the number of hands by
    kinds and tiles, shape ``(K + 1, size + 1)``. ``levels`` receives the levels of all hands, in
    lexicographic order.
    """
    num_kinds, size = ways.shape[0] - 1, ways.shape[1] - 1
    tiles = np.zeros(num_kinds, np.int64)
    seen = np.zeros(ways[num_kinds, size - 1], np.bool_)  # hands after a discard
    _first(tiles, size)
    for hand in range(len(levels)):
        levels[hand] = 0 if _is_complete(tiles, starts) else UNREACHABLE
        _advance(tiles)
    # Invariant: before the pass of a level, the hands of this and of lower levels have theirs.
    level, has_hands = 0, True
    while has_hands:
        has_hands = False
        _first(tiles, size)
        for hand in range(len(levels)):
            if levels[hand] == level:
                has_hands = True
                _spread(tiles, size, level, ways, seen, levels)
            _advance(tiles)
        level += 1


@inner
def _spread(
    tiles: Numbers, size: int, level: int, ways: Numbers, seen: Flags, levels: Levels
) -> None:
    """Give the next level to the hands one tile change away that have none."""
    for discard in range(len(tiles)):
        if tiles[discard] == 0:
            continue
        tiles[discard] -= 1
        kept = _rank(tiles, size - 1, ways)
        # Hands that share all tiles but one are neighbours of each other. The first one reached has
        # the least level, so that the others could mark no further hand.
        if not seen[kept]:
            seen[kept] = True
            for draw in range(len(tiles)):
                if tiles[draw] < COPIES:
                    tiles[draw] += 1
                    hand = _rank(tiles, size, ways)
                    if levels[hand] == UNREACHABLE:
                        levels[hand] = level + 1
                    tiles[draw] -= 1
        tiles[discard] += 1
