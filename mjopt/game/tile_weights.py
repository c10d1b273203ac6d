"""The weights of GMJBG's agents in plain Python, every open choice named."""

from collections.abc import Sequence
from typing import Final

from mjopt.errors import GameError
from mjopt.game.moves import PASS, Action, Move, after_call, with_copies
from mjopt.game.readings import DEFAULT_READING, CallTest, ChowChoice, Reading, Ties
from mjopt.game.rules import HAND_SIZE

Counts = Sequence[int]
NO_LOCK: Final = (0,) * 34
RANKS: Final = 9
FIRST_HONOUR: Final = 27
OWN_KONGS: Final = (Action.CLOSED_KONG, Action.ADDED_KONG)


def basic_weight(kind: int) -> int:
    """Return the basic weight of a kind: honours, ones and nines 0; twos and eights 1; else 2.

    Examples
    --------
    >>> [basic_weight(kind) for kind in (0, 1, 2, 7, 8, 9, 27)]
    [0, 1, 2, 1, 0, 0, 0]
    """
    if kind >= FIRST_HONOUR:
        return 0
    rank = kind % RANKS
    return min(rank, RANKS - 1 - rank, 2)


def locked_copies(counts: Counts, reading: Reading = DEFAULT_READING) -> tuple[int, ...]:
    """Return how many copies of each kind are locked, shape as ``counts``.

    Examples
    --------
    >>> locked_copies([1, 1, 2, 1, 1, 0, 0, 0, 0] + [0] * 18)[:5]
    (1, 1, 1, 0, 0)
    >>> locked_copies([1, 1, 2, 1, 1, 0, 0, 0, 0] + [0] * 18, Reading(most_locked=2))[:5]
    (1, 1, 2, 1, 1)
    """
    free = list(counts)
    left = reading.most_locked
    for start in range(0, FIRST_HONOUR, RANKS):
        for first in range(start, start + RANKS - 2):
            while left and min(free[first : first + 3]) > 0:
                left -= 1
                for kind in range(first, first + 3):
                    free[kind] -= 1
    return tuple(c - f for c, f in zip(counts, free, strict=True))


def tile_weights(
    counts: Counts, locked: Counts, reading: Reading = DEFAULT_READING
) -> tuple[tuple[int, int, int], ...]:
    """Return the weight of every tile that may be discarded.

    The weight is the basic weight, and what the rest of the hand adds: 1 for a tile two
    ranks below, 1 for one two above, 2 for the next below, 2 for the next above, each
    once; 2 if the hand holds two of the tile, 4 if three.

    Parameters
    ----------
    counts
        Concealed copies per kind, shape ``(27,)`` or ``(34,)``.
    locked
        Copies that are locked, in the same shape.
    reading
        How open choices are read.

    Returns
    -------
    tuple of (kind, copies, weight)
        By kind: how many copies have that weight. A locked copy that stays in the
        choice (see :class:`Reading`) stands before the other ones of its kind.

    Examples
    --------
    >>> hand = [2, 0, 1, 0, 0, 0, 0, 0, 1] + [0] * 9 + [0] * 9 + [3] + [0] * 6
    >>> tile_weights(hand, [0] * 34)
    ((0, 2, 3), (2, 1, 3), (8, 1, 0), (27, 3, 4))
    """
    around = (
        list(counts)
        if reading.locked_support or reading.locked_choosable
        else [c - lock for c, lock in zip(counts, locked, strict=True)]
    )
    found = []
    for kind, held in enumerate(counts):
        if not held:
            continue
        added = _added(kind, around, reading)
        free = held - locked[kind]
        if locked[kind] and reading.locked_choosable:
            found.append((kind, locked[kind], added - 1))
        if free:
            found.append((kind, free, basic_weight(kind) + added))
    return tuple(found)


def _added(kind: int, around: Counts, reading: Reading) -> int:
    added = {2: 2, 3: 4, 4: reading.four_alike}.get(around[kind], 0)
    if kind < FIRST_HONOUR:
        rank = kind % RANKS
        for step, worth in ((-2, 1), (-1, 2), (1, 2), (2, 1)):
            if 0 <= rank + step < RANKS and around[kind + step]:
                added += worth
    return added


def total_weight(counts: Counts, *, locking: bool, reading: Reading = DEFAULT_READING) -> int:
    """Return the weight of all tiles of a hand, locked ones left out.

    Examples
    --------
    >>> orphans = [1, 0, 0, 0, 0, 0, 0, 0, 1] * 3 + [1] * 6 + [2]
    >>> total_weight(orphans, locking=False)
    4
    """
    locked = locked_copies(counts, reading) if locking else NO_LOCK[: len(counts)]
    return sum(copies * weight for _, copies, weight in tile_weights(counts, locked, reading))


def choose_discard(counts: Counts, *, locking: bool, reading: Reading = DEFAULT_READING) -> int:
    """Return the kind that GMJBG discards: the first of least weight.

    Parameters
    ----------
    counts, reading
        As for :func:`tile_weights`.
    locking
        Whether whole chows are locked (L2 and L3).

    Examples
    --------
    >>> from mjopt import FULL, Hand
    >>> hand = Hand.parse("123m4455p678s1135z", tiles=FULL)
    >>> FULL.names[choose_discard(hand.counts, locking=False)]
    '3z'
    >>> hand = Hand.parse("123m44556p678s557z", tiles=FULL)
    >>> FULL.names[choose_discard(hand.counts, locking=False)]
    '7z'
    """
    plain = NO_LOCK[: len(counts)]
    weighed = tile_weights(counts, plain, reading)
    total = sum(copies * weight for _, copies, weight in weighed)
    if sum(counts) == HAND_SIZE + 1 and total <= reading.orphan_total:
        return max(weighed, key=lambda tile: (tile[2], -tile[0]))[0]
    if locking:
        weighed = tile_weights(counts, locked_copies(counts, reading), reading)
    if not weighed:
        raise GameError("every tile is locked: none can be discarded")
    order = 1 if reading.ties is Ties.FIRST else -1
    return min(weighed, key=lambda tile: (tile[2], order * tile[0]))[0]


def total_after(counts: Counts, move: Move, tile: int, reading: Reading = DEFAULT_READING) -> int:
    """Return what the tiles weigh that are weighed after a call; see :func:`wants_call`."""
    if move.action is Action.KONG:
        left, size = after_call(counts, move, tile), 4
    elif move.action in OWN_KONGS:
        size = 1 if move.action is Action.ADDED_KONG else 4
        left = with_copies(counts, tile, -size)
    else:
        test, size = reading.chow_test if move.action is Action.CHOW else reading.pong_test, 3
        is_out = test is CallTest.MELD_OUT
        left = after_call(counts, move, tile) if is_out else with_copies(counts, tile, 1)
    return total_weight(left, locking=True, reading=reading) + size * reading.called_weight


def wants_call(
    counts: Counts, move: Move, tile: int, *, reading: Reading = DEFAULT_READING
) -> bool:
    """Return whether a chow, a pong or a kong lowers the total weight of the hand.

    Parameters
    ----------
    counts, reading
        As for :func:`tile_weights`; the copies before the call.
    move
        A chow, a pong or a kong.
    tile
        The tile on offer; of a kong in one's own turn, its tile.

    Examples
    --------
    >>> from mjopt import FULL, Hand
    >>> held = Hand.parse("345m1199p159s1122z", tiles=FULL, partial=True).counts
    >>> wants_call(held, Move(Action.PONG, 9), 9)
    True
    >>> wants_call(held, Move(Action.CHOW, 1), 1)
    False
    """
    before = total_weight(counts, locking=True, reading=reading)
    return total_after(counts, move, tile, reading) < before


def choose_call(
    counts: Counts, moves: Sequence[Move], tile: int, *, reading: Reading = DEFAULT_READING
) -> Move:
    """Return the pong or chow that AI_L3 calls, or a pass. A pong comes before a chow.

    A kong comes before both, if the reading has kongs.

    Parameters
    ----------
    counts, tile, reading
        As for :func:`wants_call`.
    moves
        What may be done with the tile; wins are not looked at.
    """
    kongs = (Action.KONG,) if reading.kongs else ()
    for action in (*kongs, Action.PONG, Action.CHOW):
        wanted = [
            move
            for move in moves
            if move.action is action and wants_call(counts, move, tile, reading=reading)
        ]
        if wanted and reading.chow_choice is ChowChoice.LEAST_TOTAL:
            return min(wanted, key=lambda move: total_after(counts, move, tile, reading))
        if wanted:
            return min(wanted)
    return PASS


def choose_kong(
    counts: Counts, moves: Sequence[Move], *, reading: Reading = DEFAULT_READING
) -> Move | None:
    """Return the kong that AI_L3 makes in its own turn, if the reading has kongs.

    The one that leaves the least total weight, the lowest kind of equals; None if none
    lowers it.

    Examples
    --------
    >>> closed = Move(Action.CLOSED_KONG, 0)
    >>> choose_kong([4] + [0] * 26, [closed]) is None
    True
    >>> choose_kong([4] + [0] * 26, [closed], reading=Reading(kongs=True)) == closed
    True
    """
    if not reading.kongs:
        return None
    wanted = [
        move
        for move in moves
        if move.action in OWN_KONGS and wants_call(counts, move, move.kind, reading=reading)
    ]
    return min(
        wanted,
        key=lambda move: (total_after(counts, move, move.kind, reading), move.kind),
        default=None,
    )
