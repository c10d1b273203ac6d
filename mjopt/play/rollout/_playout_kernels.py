"""Kernels: a game of the tile set M0 played on to its end by the table policy.

The table policy is that of the agent ``deficiency`` with its default options. Masks have one bit
for each of the 27 kinds. Copies of all kinds are three masks, the binary digits of the numbers,
so that bit operations count copies. A suit also has a code, two bits for each rank, which is its
state number unless it has four of a kind.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import inner, kernel
from mjopt.tables._simd_rows import num_bits
from mjopt.tables.marginal_costs import WAYS

Integers = NDArray[np.int64]
Bytes = NDArray[np.int8]
INT = np.int64
U = np.uint64

SEATS: Final = 4
SUITS: Final = 3
RANKS: Final = 9
KINDS: Final = SUITS * RANKS
ALL_KINDS: Final = (1 << KINDS) - 1
SUIT: Final = (1 << RANKS) - 1
FAR: Final = 99  # more than any deficiency
NONE: Final = -1

# Phases; a game starts with TURN, CALLED, CLAIM or ROB.
DRAW: Final = 0
REPLACE: Final = 1
TURN: Final = 2
CALLED: Final = 3
CLAIM: Final = 4
ROB: Final = 5
OVER: Final = 6

# Actions, in the order of `mjopt.play.rollout.playout.ACTIONS`.
WIN: Final = 0
KONG: Final = 1
PONG: Final = 2
CHOW: Final = 3
PASS: Final = 4
DISCARD: Final = 5
READY: Final = 6
CLOSED_KONG: Final = 7
ADDED_KONG: Final = 8
DRAWN: Final = 9

# Shapes of melds.
OF_CHOW: Final = 0
OF_PONG: Final = 1
OF_KONG: Final = 2

# Endings, in the order of `mjopt.play.rollout.playout.ENDINGS`.
BY_DISCARD: Final = 0
BY_OWN_DRAW: Final = 1
BY_REPLACEMENT: Final = 2
BY_ROBBING: Final = 3
WALL_EMPTY: Final = 4

# Items of `GameArrays.numbers`.
PHASE: Final = 0
TURN_OF: Final = 1
TILE: Final = 2  # on offer, or drawn in TURN
FRONT: Final = 3  # index of the next tile of the wall
BACK: Final = 4  # one more than the index of the next replacement tile
LIVE: Final = 5  # tiles that may still be drawn
REPLACED: Final = 6  # whether the turn began with a replacement tile
NUM_NUMBERS: Final = 7

# Items of an outcome; the scores of the four seats come first.
ENDING: Final = 4
WINNER: Final = 5
PAYER: Final = 6
WIN_KIND: Final = 7
WORTH: Final = 8
NUM_EVENTS: Final = 9
NUM_RESULTS: Final = 10

# Limits of `grow_hand` for a seat that has declared ready.
MOST_GROWTH: Final = 40
MOST_RESTARTS: Final = 6


class PlayoutTables(NamedTuple):
    """The look-up tables of M0 for 0 to 4 called melds, one after the other."""

    states: NDArray[np.uint32]  # (5 * S,): class, and from bit 8 on the offset of useful kinds
    words: NDArray[np.uint16]
    begins: Integers  # (5,): where the words of a number of called melds begin
    num_states: int
    steps: NDArray[np.int32]  # of the state numbers of suits with four of a kind
    starts: NDArray[np.int32]


class PlayoutRules(NamedTuple):
    """The fields of the rules of a game as numbers."""

    seven_pairs: int
    kongs: int
    robbing: int
    calls_on_last_discard: int
    ready: int
    normal: int
    all_pongs: int
    one_suit: int
    seven_pairs_worth: int
    ready_multiplier: int
    payments: int  # of the seat whose tile was won, in multiples of the score


class GameArrays(NamedTuple):
    """The state of a game."""

    held: Integers  # (4, 3): concealed copies of each seat in binary
    codes: Integers  # (4, 3): the code of each suit of each seat
    shown: Integers  # (3,): copies in melds and rivers in binary
    called: Integers  # (4,)
    meld_kinds: Integers  # (4, 4): the lowest kind of each meld, in order of time
    meld_shapes: Integers  # (4, 4)
    ready: Integers  # (4,)
    values: Integers  # (4,): the deficiency of each hand without a drawn tile
    waits: Integers  # (4,): the kinds that lower it
    numbers: Integers  # (NUM_NUMBERS,)
    wall: Bytes  # kinds


@inner(inline=True)
def _count(mask: INT) -> INT:
    return num_bits(U(mask))


@inner(inline=True)
def _copies_of(held: Integers, kind: INT) -> INT:
    return (held[0] >> kind & 1) + 2 * (held[1] >> kind & 1) + 4 * (held[2] >> kind & 1)


@inner(inline=True)
def _add(counts: Integers, kind: INT) -> None:
    """Add a copy to copies in binary."""
    bit = INT(1) << kind
    carry = counts[0] & bit
    counts[0] ^= bit
    counts[2] ^= counts[1] & carry
    counts[1] ^= carry


@inner(inline=True)
def _remove(counts: Integers, kind: INT) -> None:
    bit = INT(1) << kind
    borrow = bit & ~counts[0]
    counts[0] ^= bit
    counts[2] ^= borrow & ~counts[1]
    counts[1] ^= borrow


@inner(inline=True)
def _change(held: Integers, codes: Integers, kind: INT, by: int) -> None:
    """Add copies of a kind to a hand, or remove them."""
    suit = kind // RANKS
    codes[suit] += INT(by) << 2 * (kind - RANKS * suit)
    for _ in range(by):
        _add(held, kind)
    for _ in range(-by):
        _remove(held, kind)


@inner
def _ranked(held: Integers, first: INT, tables: PlayoutTables) -> INT:
    """Return the state number of a suit with four of a kind."""
    tiles = four = INT(0)
    for kind in range(first, first + RANKS):
        tiles += _copies_of(held, kind)
    number = (INT(1) << 2 * RANKS) + INT(tables.starts[RANKS, tiles])
    for rank in range(RANKS):
        copies = _copies_of(held, first + rank)
        number += INT(tables.steps[RANKS - rank, tiles, four, copies])
        tiles -= copies
        four |= copies >> 2
    return number


@inner(inline=True)
def _entry(held: Integers, codes: Integers, suit: int, called: INT, tables: PlayoutTables) -> INT:
    """Return the entry of the state of a suit."""
    number = codes[suit]
    if held[2] >> RANKS * suit & SUIT:
        number = _ranked(held, INT(RANKS * suit), tables)
    return INT(tables.states[called * tables.num_states + number])


@inner(inline=True)
def _pair(words: NDArray[np.uint16], one: INT, two: INT) -> INT:
    """Return the class of two suits, given their entries."""
    return INT(words[(one & 255) << 8 | two & 255])


@inner(inline=True)
def _way(words: NDArray[np.uint16], ways: INT, rest: INT, entry: INT) -> INT:
    """Return the way of a suit; its bits from 8 on are the deficiency of the hand."""
    return INT(words[ways + (rest << 8 | entry & 255)])


@inner(inline=True)
def _helped(words: NDArray[np.uint16], begin: INT, entry: INT, way: INT) -> INT:
    """Return the useful ranks of a suit."""
    return INT(words[begin + (entry >> 8) + (way & 255)])


@inner(inline=True)
def _missing_pairs(ones: INT, twos: INT, fours: INT) -> INT:
    """Return the deficiency of the form seven pairs."""
    pairs = _count(twos | fours)
    missing = 7 - pairs
    return missing + max(missing - _count(ones & ~twos), INT(0))


@inner(inline=True)
def _helps_pairs(ones: INT, twos: INT, fours: INT) -> INT:
    """Return the kinds that lower the deficiency of seven pairs, before a draw."""
    some = twos | fours
    useful = ones & ~some
    if _count(ones | some) < 7:
        useful |= ALL_KINDS & ~(ones | some)
    return useful


@inner
def _value(
    held: Integers, codes: Integers, called: INT, seven_pairs: int, tables: PlayoutTables
) -> INT:
    """Return the deficiency of a hand."""
    words = tables.words
    a = _entry(held, codes, 0, called, tables)
    b = _entry(held, codes, 1, called, tables)
    c = _entry(held, codes, 2, called, tables)
    least = _way(words, tables.begins[called] + WAYS, _pair(words, b, c), a) >> 8
    if seven_pairs and called == 0:
        least = min(least, _missing_pairs(held[0], held[1], held[2]))
    return least


@inner
def _wait(
    held: Integers, codes: Integers, called: INT, seven_pairs: int, tables: PlayoutTables
) -> tuple[INT, INT]:
    """Return the deficiency of a hand before a draw, and the kinds that lower it."""
    words, begin = tables.words, tables.begins[called]
    ways = begin + WAYS
    a = _entry(held, codes, 0, called, tables)
    b = _entry(held, codes, 1, called, tables)
    c = _entry(held, codes, 2, called, tables)
    first = _way(words, ways, _pair(words, b, c), a)
    second = _way(words, ways, _pair(words, a, c), b)
    third = _way(words, ways, _pair(words, a, b), c)
    least = first >> 8
    useful = _helped(words, begin, a, first) | _helped(words, begin, b, second) << RANKS
    useful |= _helped(words, begin, c, third) << 2 * RANKS
    if seven_pairs and called == 0:
        other = _missing_pairs(held[0], held[1], held[2])
        if other < least:
            least, useful = other, INT(0)
        if other == least:
            useful |= _helps_pairs(held[0], held[1], held[2])
    return least, useful


@inner
def _best_discard(
    held: Integers,
    codes: Integers,
    called: INT,
    gone: tuple[INT, INT, INT],
    seven_pairs: int,
    tables: PlayoutTables,
) -> tuple[INT, INT, INT]:
    """Return the discard of least deficiency, then of most useful copies, then the outer one.

    Parameters
    ----------
    held, codes, called
        The hand after its draw or call.
    gone
        The copies of each kind that the seat can see, in binary.
    seven_pairs
        Whether that form wins.
    tables
        The look-up tables.

    Returns
    -------
    tuple of int
        The kind, the deficiency after it, and the number of useful copies.
    """
    words, begin = tables.words, tables.begins[called]
    ways, offset = begin + WAYS, called * tables.num_states
    ones, twos, fours = held[0], held[1], held[2]
    some = ones | twos | fours
    p = _entry(held, codes, 1, called, tables)
    q = _entry(held, codes, 2, called, tables)
    a = _entry(held, codes, 0, called, tables)
    own = a
    shift, shift_p, shift_q = INT(0), INT(RANKS), INT(2 * RANKS)
    pairs_too = seven_pairs and called == 0
    best_kind, best, best_copies, best_far = INT(NONE), INT(FAR), INT(NONE), INT(NONE)
    for suit in range(SUITS):
        rest = _pair(words, p, q)
        code, has_four = codes[suit], fours >> shift & SUIT
        bits = some >> shift & SUIT
        while bits:
            lowest = bits & -bits
            bits ^= lowest
            rank = _count(lowest - 1)
            kind = shift + rank
            bit = lowest << shift
            number = code - lowest * lowest  # two bits for each rank
            if has_four:
                _remove(held, kind)
                if held[2] >> shift & SUIT:
                    number = _ranked(held, shift, tables)
                _add(held, kind)
            after = INT(tables.states[offset + number])
            way = _way(words, ways, rest, after)
            least = way >> 8
            other = INT(FAR)
            if pairs_too:
                borrow = bit & ~ones
                ones_after = ones ^ bit
                fours_after = fours ^ (borrow & ~twos)
                twos_after = twos ^ borrow
                other = _missing_pairs(ones_after, twos_after, fours_after)
            value = min(least, other)
            if value > best:
                continue
            useful = INT(0)
            if least == value:
                way_p = _way(words, ways, _pair(words, after, q), p)
                way_q = _way(words, ways, _pair(words, after, p), q)
                useful = _helped(words, begin, after, way) << shift
                useful |= _helped(words, begin, p, way_p) << shift_p
                useful |= _helped(words, begin, q, way_q) << shift_q
            if other == value:
                useful |= _helps_pairs(ones_after, twos_after, fours_after)
            copies = 4 * _count(useful & ~gone[2]) - _count(useful & gone[0])
            copies -= 2 * _count(useful & gone[1])
            far = abs(rank - RANKS // 2)
            is_best = copies > best_copies or (copies == best_copies and far > best_far)
            if value < best or is_best:
                best_kind, best, best_copies, best_far = kind, value, copies, far
        if suit == 0:
            own, p = p, own
            shift, shift_p = shift_p, shift
        else:
            own, q = q, own
            shift, shift_q = shift_q, shift
    return best_kind, best, best_copies


@inner
def _seen_by(held: Integers, shown: Integers) -> tuple[INT, INT, INT]:
    """Return the copies that a seat holds or sees, in binary."""
    carry = held[0] & shown[0]
    both = held[1] ^ shown[1]
    fours = held[2] | shown[2] | (held[1] & shown[1]) | (carry & both)
    return held[0] ^ shown[0], both ^ carry, fours


@inner
def _refresh(game: GameArrays, seat: INT, rules: PlayoutRules, tables: PlayoutTables) -> None:
    """Compute what a hand before its draw waits for."""
    game.values[seat], game.waits[seat] = _wait(
        game.held[seat], game.codes[seat], game.called[seat], rules.seven_pairs, tables
    )


@inner
def _wins_on(game: GameArrays, seat: INT, kind: INT) -> bool:
    return game.values[seat] == 1 and (game.waits[seat] >> kind & 1) != 0


@inner
def _own_kong(
    game: GameArrays, seat: INT, best: INT, rules: PlayoutRules, tables: PlayoutTables
) -> tuple[INT, INT]:
    """Return the first kong that does not increase the deficiency ``best``, or no action."""
    if not rules.kongs or game.numbers[LIVE] == 0:
        return INT(NONE), INT(NONE)
    held, codes, called = game.held[seat], game.codes[seat], game.called[seat]
    most = min(best, INT(1)) if game.ready[seat] else best
    bits = held[2]
    while bits:
        kind = _count((bits & -bits) - 1)
        bits &= bits - 1
        _change(held, codes, kind, -4)
        value = _value(held, codes, called + 1, rules.seven_pairs, tables)
        _change(held, codes, kind, 4)
        if value <= most and (value == 1 or not game.ready[seat]):
            return INT(CLOSED_KONG), kind
    for meld in range(called):
        kind = game.meld_kinds[seat, meld]
        if game.meld_shapes[seat, meld] != OF_PONG or not _copies_of(held, kind):
            continue
        if game.ready[seat] and kind != game.numbers[TILE]:
            continue
        _change(held, codes, kind, -1)
        value = _value(held, codes, called, rules.seven_pairs, tables)
        _change(held, codes, kind, 1)
        if value <= best:
            return INT(ADDED_KONG), kind
    return INT(NONE), INT(NONE)


@inner
def _choose_turn(
    game: GameArrays, rules: PlayoutRules, tables: PlayoutTables
) -> tuple[INT, INT]:
    """Return the action and the kind of the seat whose turn it is."""
    numbers = game.numbers
    seat = numbers[TURN_OF]
    held, codes, called = game.held[seat], game.codes[seat], game.called[seat]
    has_drawn = numbers[PHASE] == TURN
    if has_drawn and _value(held, codes, called, rules.seven_pairs, tables) == 0:
        return INT(WIN), numbers[TILE]
    if game.ready[seat]:
        _change(held, codes, numbers[TILE], -1)
        best = _value(held, codes, called, rules.seven_pairs, tables)
        _change(held, codes, numbers[TILE], 1)
        action, kind = _own_kong(game, seat, best, rules, tables)
        return (action, kind) if action != NONE else (INT(DISCARD), numbers[TILE])
    gone = _seen_by(held, game.shown)
    kind, best, _ = _best_discard(held, codes, called, gone, rules.seven_pairs, tables)
    if has_drawn:
        action, of_kong = _own_kong(game, seat, best, rules, tables)
        if action != NONE:
            return action, of_kong
    some = held[0] | held[1] | held[2]
    # A hand of one kind has just called; the policy then discards without a declaration.
    if rules.ready and best == 1 and some & (some - 1):
        return INT(READY), kind
    return INT(DISCARD), kind


@inner
def _choose_call(
    game: GameArrays, seat: INT, rules: PlayoutRules, tables: PlayoutTables
) -> tuple[INT, INT]:
    """Return the call of a seat that does not win: an action and a kind, or no action."""
    numbers = game.numbers
    tile, giver, live = numbers[TILE], numbers[TURN_OF], numbers[LIVE]
    held, codes, called = game.held[seat], game.codes[seat], game.called[seat]
    copies = _copies_of(held, tile)
    current = game.values[seat]
    action, kind = INT(NONE), INT(NONE)
    best, best_copies = INT(FAR), INT(NONE)
    if rules.kongs and copies == 3 and live > 0:
        _change(held, codes, tile, -3)
        value = _value(held, codes, called + 1, rules.seven_pairs, tables)
        _change(held, codes, tile, 3)
        if value <= current and (value == 1 or not game.ready[seat]):
            action, kind, best, best_copies = INT(KONG), tile, value, INT(0)
    # A call lowers the deficiency only with a tile that does.
    is_useful = game.waits[seat] >> tile & 1
    may_call = live > 0 or rules.calls_on_last_discard
    if not is_useful or game.ready[seat] or not may_call:
        return action, kind
    gone = _seen_by(held, game.shown)
    if copies >= 2:
        _change(held, codes, tile, -2)
        _, value, useful = _best_discard(held, codes, called + 1, gone, rules.seven_pairs, tables)
        _change(held, codes, tile, 2)
        if value < current and (value < best or (value == best and useful > best_copies)):
            action, kind, best, best_copies = INT(PONG), tile, value, useful
    if (giver + 1) % SEATS != seat:
        return action, kind
    some, start = held[0] | held[1] | held[2], tile - tile % RANKS
    for first in range(max(start, tile - 2), min(tile, start + RANKS - 3) + 1):
        others = (INT(7) << first) & ~(INT(1) << tile)
        if some & others != others:
            continue
        _take_chow(held, codes, first, tile, -1)
        _, value, useful = _best_discard(held, codes, called + 1, gone, rules.seven_pairs, tables)
        _take_chow(held, codes, first, tile, 1)
        if value < current and (value < best or (value == best and useful > best_copies)):
            action, kind, best, best_copies = INT(CHOW), INT(first), value, useful
    return action, kind


@inner
def _take_chow(held: Integers, codes: Integers, first: INT, tile: INT, by: int) -> None:
    """Add or remove the two other tiles of a chow."""
    for kind in range(first, first + 3):
        if kind != tile:
            _change(held, codes, kind, by)


@inner
def _show(game: GameArrays, kind: INT, copies: int) -> None:
    for _ in range(copies):
        _add(game.shown, kind)


@inner
def _lay_down(game: GameArrays, seat: INT, kind: INT, shape: int) -> None:
    """Append a meld."""
    number = game.called[seat]
    game.meld_kinds[seat, number], game.meld_shapes[seat, number] = kind, shape
    game.called[seat] = number + 1


@inner
def _worth(game: GameArrays, seat: INT, rules: PlayoutRules) -> INT:
    """Return the value of a winning hand, the winning tile included."""
    held, called = game.held[seat], game.called[seat]
    ones, twos, fours = held[0], held[1], held[2]
    worth = INT(rules.normal)
    is_pongs = _count(twos & ~ones) == 1 and not ones & ~twos and not fours
    some = ones | twos | fours
    for meld in range(called):
        some |= INT(1) << game.meld_kinds[seat, meld]
        is_pongs = is_pongs and game.meld_shapes[seat, meld] != OF_CHOW
    if is_pongs:
        worth = max(worth, INT(rules.all_pongs))
    num_suits = 0
    for suit in range(SUITS):
        num_suits += (some >> RANKS * suit & SUIT) != 0
    if num_suits == 1:
        worth = max(worth, INT(rules.one_suit))
    if rules.seven_pairs and called == 0 and _count(twos | fours) == 7:
        worth = max(worth, INT(rules.seven_pairs_worth))
    return worth * rules.ready_multiplier if game.ready[seat] else worth


@inner
def _end_with_win(
    game: GameArrays, winner: INT, kind: INT, ending: int, rules: PlayoutRules, result: Integers
) -> None:
    """Write the outcome of a win on a drawn tile, or on the tile of the seat whose turn it is."""
    payer = INT(NONE)
    if ending == BY_DISCARD or ending == BY_ROBBING:
        payer = game.numbers[TURN_OF]
        _change(game.held[winner], game.codes[winner], kind, 1)
    worth = _worth(game, winner, rules)
    for seat in range(SEATS):
        owed = worth if payer == NONE else worth * rules.payments * (seat == payer)
        if seat != winner:
            result[seat] -= owed
            result[winner] += owed
    result[ENDING], result[WINNER], result[PAYER] = ending, winner, payer
    result[WIN_KIND], result[WORTH] = kind, worth
    game.numbers[PHASE] = OVER


@inner
def _note(events: Bytes, result: Integers, seat: INT, action: INT, kind: INT) -> None:
    """Append an event, if events are kept."""
    if len(events):
        number = result[NUM_EVENTS]
        events[number, 0], events[number, 1], events[number, 2] = seat, action, kind
        result[NUM_EVENTS] = number + 1


@inner
def _call(game: GameArrays, seat: INT, action: INT, kind: INT) -> None:
    """Move the tile on offer to a meld of a seat, whose turn it then is."""
    held, codes, tile = game.held[seat], game.codes[seat], game.numbers[TILE]
    game.numbers[TURN_OF] = seat
    game.numbers[PHASE] = REPLACE if action == KONG else CALLED
    if action == CHOW:
        _take_chow(held, codes, kind, tile, -1)
        for other in range(kind, kind + 3):
            if other != tile:
                _show(game, INT(other), 1)
        _lay_down(game, seat, kind, OF_CHOW)
        return
    copies = 3 if action == KONG else 2
    _change(held, codes, tile, -copies)
    _show(game, tile, copies)
    _lay_down(game, seat, tile, OF_KONG if action == KONG else OF_PONG)


@inner
def _take_turn(
    game: GameArrays, action: INT, kind: INT, rules: PlayoutRules, tables: PlayoutTables
) -> None:
    """Carry out a discard or a kong of the seat whose turn it is."""
    numbers = game.numbers
    seat = numbers[TURN_OF]
    held, codes = game.held[seat], game.codes[seat]
    numbers[REPLACED] = 0
    if action == CLOSED_KONG:
        _change(held, codes, kind, -4)
        _show(game, kind, 4)
        _lay_down(game, seat, kind, OF_KONG)
        numbers[PHASE] = REPLACE
        return
    _change(held, codes, kind, -1)
    _show(game, kind, 1)
    numbers[TILE] = kind
    if action == ADDED_KONG:
        for meld in range(game.called[seat]):
            if game.meld_kinds[seat, meld] == kind and game.meld_shapes[seat, meld] == OF_PONG:
                game.meld_shapes[seat, meld] = OF_KONG
        numbers[PHASE] = ROB if rules.robbing else REPLACE
        return
    if action == READY:
        game.ready[seat] = 1
    _refresh(game, seat, rules, tables)
    numbers[PHASE] = CLAIM


@inner
def play_on(
    game: GameArrays,
    own: int,
    first: int,
    first_kind: int,
    rules: PlayoutRules,
    tables: PlayoutTables,
    events: Bytes,
    result: Integers,
) -> None:
    """Play a game to its end.

    Parameters
    ----------
    game
        The state; changed.
    own, first, first_kind
        The seat to decide and its action; then no seat before it wins on the tile on offer. If
        the action is NONE, every seat plays by the policy.
    rules, tables
        The rules and the look-up tables.
    events
        Empty, or a buffer for the draws and moves without passes: seat, action, kind.
    result
        The outcome; written.
    """
    numbers = game.numbers
    result[:] = 0
    forced = INT(first)
    while numbers[PHASE] != OVER:
        phase = numbers[PHASE]
        seat = numbers[TURN_OF]
        if phase == DRAW or phase == REPLACE:
            if numbers[LIVE] == 0:
                result[ENDING], result[WINNER], result[PAYER] = WALL_EMPTY, NONE, NONE
                result[WIN_KIND] = NONE
                numbers[PHASE] = OVER
                break
            if phase == REPLACE:
                numbers[BACK] -= 1
                kind = INT(game.wall[numbers[BACK]])
            else:
                kind = INT(game.wall[numbers[FRONT]])
                numbers[FRONT] += 1
            numbers[LIVE] -= 1
            numbers[REPLACED] = phase == REPLACE
            numbers[TILE] = kind
            numbers[PHASE] = TURN
            _change(game.held[seat], game.codes[seat], kind, 1)
            _note(events, result, seat, INT(DRAWN), kind)
        elif phase == TURN or phase == CALLED:
            if forced != NONE:
                action, kind = forced, INT(first_kind)
                forced = INT(NONE)
            else:
                action, kind = _choose_turn(game, rules, tables)
            _note(events, result, seat, action, kind)
            if action == WIN:
                ending = BY_REPLACEMENT if numbers[REPLACED] else BY_OWN_DRAW
                _end_with_win(game, seat, kind, ending, rules, result)
            else:
                _take_turn(game, action, kind, rules, tables)
        else:
            tile = numbers[TILE]
            caller, call, of_kind = INT(NONE), INT(PASS), INT(NONE)
            is_before = forced != NONE
            for place in range(1, SEATS):
                other = (seat + place) % SEATS
                action, kind = INT(NONE), INT(NONE)
                if forced != NONE and other == own:
                    action, kind = forced, INT(first_kind)
                    if action == PASS:
                        action = INT(NONE)
                    is_before = False
                elif _wins_on(game, other, tile):
                    if not is_before:
                        action, kind = INT(WIN), tile
                elif phase == CLAIM:
                    action, kind = _choose_call(game, other, rules, tables)
                if action != NONE and (action == WIN or call >= CHOW and action < call):
                    caller, call, of_kind = other, action, kind
                if action == WIN:
                    break
            forced = INT(NONE)
            if call == WIN:
                _note(events, result, caller, call, tile)
                ending = BY_ROBBING if phase == ROB else BY_DISCARD
                _end_with_win(game, caller, tile, ending, rules, result)
            elif phase == ROB:
                numbers[PHASE] = REPLACE
            elif call != PASS:
                _note(events, result, caller, call, of_kind)
                _call(game, caller, call, of_kind)
            else:
                numbers[TURN_OF] = (seat + 1) % SEATS
                numbers[PHASE] = DRAW


@inner
def _copy(game: GameArrays, copy: GameArrays) -> None:
    """Copy a state; the wall is shared."""
    copy.held[:] = game.held
    copy.codes[:] = game.codes
    copy.shown[:] = game.shown
    copy.called[:] = game.called
    copy.meld_kinds[:] = game.meld_kinds
    copy.meld_shapes[:] = game.meld_shapes
    copy.ready[:] = game.ready
    copy.values[:] = game.values
    copy.waits[:] = game.waits
    copy.numbers[:] = game.numbers


@inner
def _new_game(wall: Bytes) -> GameArrays:
    return GameArrays(
        np.zeros((SEATS, 3), np.int64),
        np.zeros((SEATS, SUITS), np.int64),
        np.zeros(3, np.int64),
        np.zeros(SEATS, np.int64),
        np.zeros((SEATS, 4), np.int64),
        np.zeros((SEATS, 4), np.int64),
        np.zeros(SEATS, np.int64),
        np.zeros(SEATS, np.int64),
        np.zeros(SEATS, np.int64),
        np.zeros(NUM_NUMBERS, np.int64),
        wall,
    )


@kernel
def play_one(
    game: GameArrays,
    own: int,
    first: int,
    first_kind: int,
    rules: PlayoutRules,
    tables: PlayoutTables,
    events: Bytes,
    result: Integers,
) -> None:
    """Play one game with all tiles known to its end; see :func:`play_on`."""
    for seat in range(SEATS):
        _refresh(game, INT(seat), rules, tables)
    play_on(game, own, first, first_kind, rules, tables, events, result)


@inner(inline=True)
def _random(state: NDArray[np.uint64], size: INT) -> INT:
    """Return a random number below ``size``, by the generator SplitMix64."""
    state[0] += U(0x9E3779B97F4A7C15)
    word = state[0]
    word = (word ^ word >> U(30)) * U(0xBF58476D1CE4E5B9)
    word = (word ^ word >> U(27)) * U(0x94D049BB133111EB)
    word ^= word >> U(31)
    return INT((word >> U(32)) * U(size) >> U(32))


@inner
def _take_random(
    pool: Bytes, start: INT, held: Integers, codes: Integers, size: INT, state: NDArray[np.uint64]
) -> None:
    """Move random tiles from ``pool[start:]`` to its front, and into a hand."""
    for place in range(start, start + size):
        other = place + _random(state, INT(len(pool) - place))
        pool[place], pool[other] = pool[other], pool[place]
        _change(held, codes, INT(pool[place]), 1)


@inner
def _grow(
    game: GameArrays,
    seat: INT,
    start: INT,
    size: INT,
    draws: INT,
    rules: PlayoutRules,
    tables: PlayoutTables,
    state: NDArray[np.uint64],
) -> None:
    """Let a hand draw from the unseen tiles and discard by the policy.

    A hand before a declaration stops short of waiting; one after it goes on until it waits.

    Parameters
    ----------
    game
        The state, with the hand of the seat and the waits of its declaration.
    seat
        The seat.
    start, size
        Its tiles are ``game.wall[start : start + size]``, and later ones are unseen.
    draws
        Most draws.
    rules, tables, state
        The rules, the look-up tables and the random generator.
    """
    held, codes, called = game.held[seat], game.codes[seat], game.called[seat]
    pool = game.wall
    end = start + size
    gone = _seen_by(held, game.shown)
    for _ in range(draws):
        other = end + _random(state, INT(len(pool)) - end)
        drawn = INT(pool[other])
        _change(held, codes, drawn, 1)
        gone = _seen_by(held, game.shown)
        kind, value, _ = _best_discard(held, codes, called, gone, rules.seven_pairs, tables)
        if value == 1 and rules.ready and not game.ready[seat]:
            _change(held, codes, drawn, -1)
            return
        _change(held, codes, kind, -1)
        if kind != drawn:
            for place in range(start, end):
                if pool[place] == kind:
                    pool[place], pool[other] = pool[other], pool[place]
                    break
        if value == 1 and game.ready[seat]:
            return


@inner
def deal_hidden(
    game: GameArrays,
    own: int,
    sizes: Integers,
    draws: Integers,
    passed: Integers,
    rules: PlayoutRules,
    tables: PlayoutTables,
    state: NDArray[np.uint64],
) -> None:
    """Deal the tiles of ``game.wall``, which are unseen, to the other seats and the wall.

    Parameters
    ----------
    game
        The state as the own seat sees it; the hands of the others are empty.
    own
        The own seat.
    sizes
        Tiles of each seat.
    draws
        Draws by which the hand of each seat grows; see :func:`_grow`. No number above 0 deals
        uniformly.
    passed
        Kinds that a seat passed after its declaration, so that it does not wait for them.
    rules, tables, state
        The rules, the look-up tables and the random generator.
    """
    pool, begin = game.wall, INT(0)
    for turn in range(2):  # hands that wait take what they need
        for place in range(1, SEATS):
            seat = INT((own + place) % SEATS)
            if (turn == 0) != (game.ready[seat] != 0 and draws[seat] > 0):
                continue
            size = sizes[seat]
            held, codes = game.held[seat], game.codes[seat]
            _take_random(pool, begin, held, codes, size, state)
            if turn == 0:
                for attempt in range(MOST_RESTARTS):
                    _grow(game, seat, begin, size, INT(MOST_GROWTH), rules, tables, state)
                    _refresh(game, seat, rules, tables)
                    if game.values[seat] == 1 and not game.waits[seat] & passed[seat]:
                        break
                    if attempt < MOST_RESTARTS - 1:
                        held[:] = 0
                        codes[:] = 0
                        _take_random(pool, begin, held, codes, size, state)
            elif draws[seat] > 0:
                _grow(game, seat, begin, size, draws[seat], rules, tables, state)
            _refresh(game, seat, rules, tables)
            begin += size
    for place in range(begin, len(pool)):
        other = place + _random(state, INT(len(pool) - place))
        pool[place], pool[other] = pool[other], pool[place]
    game.numbers[FRONT], game.numbers[BACK] = begin, len(pool)


@kernel
def play_many(
    game: GameArrays,
    own: int,
    sizes: Integers,
    draws: Integers,
    passed: Integers,
    moves: Integers,
    seed: int,
    first: int,
    rules: PlayoutRules,
    tables: PlayoutTables,
    scores: Integers,
) -> None:
    """Play some moves of a seat on the same random deals of the unseen tiles.

    Parameters
    ----------
    game
        The state as the own seat sees it; see :func:`deal_hidden`. The unseen tiles are its wall.
    own, sizes, draws, passed
        See :func:`deal_hidden`.
    moves
        Actions and kinds, shape ``(M, 2)``.
    seed, first
        Seed of all deals, and the number of the first deal.
    rules, tables
        The rules and the look-up tables.
    scores
        Shape ``(N, M)``: the points of the own seat for each deal and move; written.
    """
    pool = game.wall.copy()
    dealt, copy = _new_game(pool), _new_game(pool)
    events = np.zeros((0, 3), np.int8)
    result = np.zeros(NUM_RESULTS, np.int64)
    state = np.zeros(1, np.uint64)
    for row in range(len(scores)):
        state[0] = U(first + row)
        _random(state, INT(1))
        state[0] = (state[0] ^ U(seed)) * U(0xD1342543DE82EF95)
        pool[:] = game.wall
        _copy(game, dealt)
        deal_hidden(dealt, own, sizes, draws, passed, rules, tables, state)
        _refresh(dealt, INT(own), rules, tables)
        for column in range(len(moves)):
            _copy(dealt, copy)
            play_on(copy, own, moves[column, 0], moves[column, 1], rules, tables, events, result)
            scores[row, column] = result[own]
