"""Whole games between GMJBG's agents in one kernel.

A hand is 34 bytes of copies, and the four hands lie one after the other; the reader of
the tables takes them from there. Games with three suits leave the honours at 0.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import inner, kernel
from mjopt.game.fast._philox import shuffle
from mjopt.game.fast._weights import chow_to_call, discard, wants_pong
from mjopt.tables._kernels import full_label, renumber
from mjopt.tables._simd_rows import full_row
from mjopt.tables.table_file import NUM_MIXED, NUM_PAIR

# Where the settings of the rules stand: the order of ``rule_settings``.
LIMIT: Final = 0  # the place in the wall that is not drawn any more
ALL_WINNERS: Final = 1
CALL_LAST: Final = 2
ORPHANS: Final = 3

# How a game ended: the order of ``ENDINGS``.
EMPTY: Final = 0
TAKEN: Final = 1
OWN: Final = 2

# What happened: the order of ``LETTERS``.
DRAW: Final = 0
DISCARD: Final = 1
CHOW: Final = 2
PONG: Final = 3
WIN: Final = 4
MOST_EVENTS: Final = 256  # 84 draws, 84 discards and more, 16 calls, 3 wins

HAND: Final = 13
KINDS: Final = 34
SPAN: Final = NUM_PAIR * NUM_MIXED  # answers for one number of called melds
LOCKS: Final = 2  # levels from here on lock
CALLS: Final = 3  # and from here on call
NOBODY: Final = -1

Bytes = NDArray[np.uint8]
Integers = NDArray[np.int64]
Words = NDArray[np.uint16]
INT: Any = np.int64


@inner
def _note(events: Words, count: int, seat: int, what: int, kind: int) -> int:
    """Write an event if there is room for events, and return how many there are."""
    if events.size > 0:
        events[count] = seat << 14 | what << 8 | kind
    return count + 1


@inner
def _is_orphans(hand: Bytes) -> Any:
    """Return 1 for thirteen orphans, else 0."""
    held = INT(0)
    for kind in range(KINDS):
        if kind >= 27 or kind % 9 == 0 or kind % 9 == 8:
            if hand[kind] == 0:
                return 0
            held += hand[kind]
    return INT(held == HAND + 1)


@inner
def _wins(hands: Bytes, seat: int, called: int, orphans: int, tables: Any) -> Any:
    """Return 1 if the tables know the hand of a seat as complete, else 0."""
    classes, pair, mixed, answer, steps, starts = tables
    high, suits, rest = full_row(hands, KINDS * seat)
    if high:
        suits, rest = renumber(hands, KINDS * seat, KINDS, suits, rest, steps, starts)
    part = answer[SPAN * called : SPAN * (called + 1)]
    if full_label(classes, pair, mixed, part, suits, rest) == 0:
        return 1
    if orphans == 0 or called > 0:
        return 0
    return _is_orphans(hands[KINDS * seat : KINDS * seat + KINDS])


@inner
def _winners(
    hands: Bytes, called: Integers, giver: int, kind: int, settings: Integers, tables: Any
) -> int:
    """Return a bit for each seat that wins with a discard."""
    found = 0
    for i in range(1, 4):
        seat = (giver + i) & 3
        hands[KINDS * seat + kind] += 1
        if _wins(hands, seat, called[seat], settings[ORPHANS], tables):
            found |= 1 << seat
        hands[KINDS * seat + kind] -= 1
        if found != 0 and settings[ALL_WINNERS] == 0:
            break
    return found


@inner
def _taker(
    hands: Bytes, levels: Integers, giver: int, kind: int, locked: Bytes, choices: Integers
) -> tuple[int, int]:
    """Return the seat that calls a discard and the chow's first kind (-1: a pong)."""
    for i in range(1, 4):
        seat = (giver + i) & 3
        if levels[seat] >= CALLS and hands[KINDS * seat + kind] >= 2:
            hand = hands[KINDS * seat : KINDS * seat + KINDS]
            if wants_pong(hand, kind, locked, choices[seat]):
                return seat, NOBODY
    seat = (giver + 1) & 3
    if levels[seat] >= CALLS:
        hand = hands[KINDS * seat : KINDS * seat + KINDS]
        chow = chow_to_call(hand, kind, locked, choices[seat])
        if chow >= 0:
            return seat, chow
    return NOBODY, NOBODY


@inner
def _lay_down(hands: Bytes, seat: int, kind: int, chow: int) -> None:
    """Take the tiles of a called meld from the hand, the discard aside."""
    start = KINDS * seat
    if chow < 0:
        hands[start + kind] -= 2
    else:
        for k in range(chow, chow + 3):
            hands[start + k] -= k != kind


# One loop that tells one story: the turns of a game.
@inner
def _play_one(
    wall: Bytes,
    dealer: int,
    levels: Integers,
    choices: Integers,
    settings: Integers,
    tables: Any,
    hands: Bytes,
    locked: Bytes,
    called: Integers,
    thrown: Integers,
    events: Words,
) -> tuple[int, int, int, int, int, int]:
    """Play one game; return ending, winners, giver, tile, tiles drawn, events."""
    hands[:] = 0
    called[:] = 0
    thrown[:] = 0
    for place in range(4 * HAND):
        hands[KINDS * ((dealer + place // HAND) & 3) + wall[place]] += 1
    front, seat, count = 4 * HAND, dealer, 0
    has_called = False
    while True:
        if not has_called:
            if front >= settings[LIMIT]:
                return EMPTY, 0, NOBODY, NOBODY, front - 4 * HAND, count
            drawn = INT(wall[front])
            front += 1
            hands[KINDS * seat + drawn] += 1
            count = _note(events, count, seat, DRAW, drawn)
            if _wins(hands, seat, called[seat], settings[ORPHANS], tables):
                count = _note(events, count, seat, WIN, drawn)
                return OWN, 1 << seat, NOBODY, drawn, front - 4 * HAND, count
        hand = hands[KINDS * seat : KINDS * seat + KINDS]
        kind = discard(hand, levels[seat] >= LOCKS, locked, choices[seat])
        hand[kind] -= 1
        thrown[seat] += 1
        count = _note(events, count, seat, DISCARD, kind)
        won = _winners(hands, called, seat, kind, settings, tables)
        if won != 0:
            for i in range(1, 4):
                if won >> ((seat + i) & 3) & 1:
                    count = _note(events, count, (seat + i) & 3, WIN, kind)
            return TAKEN, won, seat, kind, front - 4 * HAND, count
        taker, chow = NOBODY, NOBODY
        if front < settings[LIMIT] or settings[CALL_LAST] != 0:
            taker, chow = _taker(hands, levels, seat, kind, locked, choices)
        has_called = taker >= 0
        if has_called:
            _lay_down(hands, taker, kind, chow)
            called[taker] += 1
            is_pong = chow < 0
            count = _note(
                events, count, taker, PONG if is_pong else CHOW, kind if is_pong else chow
            )
        seat = taker if has_called else (seat + 1) & 3


@kernel
def play_each(
    seed: Any,
    games: NDArray[np.uint64],
    dealers: Bytes,
    levels: Integers,
    choices: Integers,
    settings: Integers,
    num_tiles: int,
    tables: Any,
    endings: Bytes,
    winners: Bytes,
    payers: NDArray[np.int8],
    kinds: NDArray[np.int8],
    turns: NDArray[np.int16],
    draws: NDArray[np.int16],
    calls: NDArray[np.int16],
    events: Words,
    num_events: NDArray[np.int16],
) -> None:
    """Play one game after another; the moves are those of the Python engine.

    Parameters
    ----------
    seed, games
        The keys of the walls.
    dealers
        The seat that begins each game.
    levels
        1, 2 or 3 by seat.
    choices, settings
        Of the reading, a row for each seat, and of the rules.
    tables
        What the tables' kernels read: classes, joins, answers, ranks.
    endings, winners, payers, kinds, turns, draws, calls
        Written, one a game: how it ended, a bit for each winner, who gave the tile, the
        tile, the turn of the win, tiles drawn; and melds called, one a seat.
    events, num_events
        Written if ``events`` has a row for every game, otherwise it has none.
    """
    wall = np.empty(num_tiles, np.uint8)
    hands = np.empty(4 * KINDS, np.uint8)
    locked = np.empty(KINDS, np.uint8)
    called = np.empty(4, np.int64)
    thrown = np.empty(4, np.int64)
    recording = events.shape[0] > 0
    row = np.empty(0, np.uint16)
    for game in range(games.size):
        shuffle(seed, games[game], wall)
        if recording:
            row = events[game]
        end, won, giver, kind, drawn, count = _play_one(
            wall,
            INT(dealers[game]),
            levels,
            choices,
            settings,
            tables,
            hands,
            locked,
            called,
            thrown,
            row,
        )
        endings[game] = end
        winners[game] = won
        payers[game] = giver
        kinds[game] = kind
        draws[game] = drawn
        turns[game] = 0
        for i in range(4, 0, -1):  # the last that is written is the first winner
            seat = (giver + i) & 3
            if won >> seat & 1:
                turns[game] = thrown[seat] + 1
        for seat in range(4):
            calls[game, seat] = called[seat]
        if recording:
            num_events[game] = count
