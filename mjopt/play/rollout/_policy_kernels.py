"""Kernels: the table policy for the tile set M0.

The table policy is that of the agent ``deficiency`` with its default options. Masks have one bit
for each of the 27 kinds. Copies of all kinds are three masks, the binary digits of the numbers,
so that bit operations count copies. A suit also has a code, two bits for each rank, which is its
state number unless it has four of a kind.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import inner
from mjopt.tables._simd_rows import num_bits
from mjopt.tables.rule_tables import SPARE
from mjopt.tables.state_index import MOST_TILES

Integers = NDArray[np.int64]
Words = NDArray[np.uint16]
States = NDArray[np.uint32]
INT = np.int64
Number = np.int64 | int
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

# A state is one array of int64, since numba counts references to every array that a function
# gets. These are the items; each seat has as many as given.
HAND: Final = 0  # 6: concealed copies in binary, and the code of each suit
SHOWN: Final = 24  # 3 for all seats: copies in melds and rivers in binary
MELDS: Final = 27  # 1: number of melds
DECLARED: Final = 31  # 1: whether it has declared ready
VALUE: Final = 35  # 1: the deficiency of the hand without a drawn tile
WAIT: Final = 39  # 1: the kinds that lower it
MELD_KIND: Final = 43  # 4: the lowest kind of each meld, in order of time
MELD_SHAPE: Final = 59  # 4
PHASE: Final = 75
TURN_OF: Final = 76  # the seat whose turn it is, or whose tile is on offer
TILE: Final = 77  # on offer, or drawn
LIVE: Final = 78  # tiles that may still be drawn
REPLACED: Final = 79  # whether the turn began with a replacement tile
FRONT: Final = 80  # 1: item of the next tile of the wall, or of its part
STRIDE: Final = 84  # 1 for a common wall, 4 if each seat has a part of it
BACK: Final = 85  # one more than the item of the last tile
WALL: Final = 86  # the kinds of the wall

# Where `PlayoutTables.states` holds the steps and starts of `rank_tables`.
MOST: Final = MOST_TILES + SPARE  # tiles of a state
NUM_SIZES: Final = MOST + 1
STEP_ROW: Final = 12
START_ROW: Final = MOST + 2
NUM_STATES: Final = 621_011  # num_states(9, MOST), and that of too many tiles
STEPS: Final = 5 * NUM_STATES
WAYS: Final = 1 << 16  # where the ways of a number of called melds begin: after 256 * 256 pairs
STARTS: Final = STEPS + 10 * NUM_SIZES * STEP_ROW


class PlayoutTables(NamedTuple):
    """The look-up tables of M0 for 0 to 4 called melds, one after the other.

    Every array is several more arguments of each function, so there are only two.
    """

    # (5 * NUM_STATES,): class, and from bit 8 on a row of ``words``; then the steps and the
    # starts of `rank_tables`, flat
    states: States
    words: Words
    begins: tuple[int, int, int, int, int]  # where the words of a number of called melds begin


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


@inner(inline=True)
def count(mask: INT) -> INT:
    """Return the number of kinds in a mask."""
    number: INT = num_bits(U(mask))
    return number


@inner(inline=True)
def copies_in(game: Integers, at: Number, kind: Number) -> INT:
    """Return the copies of a kind, by three binary digits from an item on."""
    digits = game[at] >> kind & 1, game[at + 1] >> kind & 1, game[at + 2] >> kind & 1
    copies: INT = digits[0] + 2 * digits[1] + 4 * digits[2]
    return copies


@inner(inline=True)
def add(game: Integers, at: INT, kind: Number) -> None:
    """Add a copy of a kind to three binary digits from an item on."""
    bit = INT(1) << kind
    carry = game[at] & bit
    game[at] ^= bit
    game[at + 2] ^= game[at + 1] & carry
    game[at + 1] ^= carry


@inner(inline=True)
def _remove(game: Integers, at: INT, kind: Number) -> None:
    bit = INT(1) << kind
    borrow = bit & ~game[at]
    game[at] ^= bit
    game[at + 2] ^= borrow & ~game[at + 1]
    game[at + 1] ^= borrow


@inner(inline=True)
def change(game: Integers, hand: INT, kind: Number, by: int) -> None:
    """Add copies of a kind to the hand at an item, or remove them."""
    suit = kind // RANKS
    game[hand + 3 + suit] += INT(by) << 2 * (kind - RANKS * suit)
    for _ in range(by):
        add(game, hand, kind)
    for _ in range(-by):
        _remove(game, hand, kind)


@inner
def _ranked(game: Integers, hand: INT, first: INT, states: States) -> INT:
    """Return the state number of a suit with four of a kind."""
    tiles = four = INT(0)
    for kind in range(first, first + RANKS):
        tiles += copies_in(game, hand, kind)
    number = (INT(1) << 2 * RANKS) + INT(states[STARTS + RANKS * START_ROW + tiles])
    for rank in range(RANKS):
        copies = copies_in(game, hand, first + rank)
        step = ((RANKS - rank) * NUM_SIZES + tiles) * STEP_ROW + 6 * four + copies
        number += INT(states[STEPS + step])
        tiles -= copies
        four |= copies >> 2
    return number


@inner(inline=True)
def _entry(game: Integers, hand: INT, suit: int, called: INT, tables: PlayoutTables) -> INT:
    """Return the entry of the state of a suit."""
    number = game[hand + 3 + suit]
    if game[hand + 2] >> RANKS * suit & SUIT:
        number = _ranked(game, hand, INT(RANKS * suit), tables.states)
    return INT(tables.states[called * NUM_STATES + number])


@inner(inline=True)
def _pair(words: Words, one: INT, two: INT) -> INT:
    """Return the class of two suits, given their entries."""
    return INT(words[(one & 255) << 8 | two & 255])


@inner(inline=True)
def _way(words: Words, ways: Number, rest: INT, entry: INT) -> INT:
    """Return the way of a suit; its bits from 8 on are the deficiency of the hand."""
    return INT(words[ways + (rest << 8 | entry & 255)])


@inner(inline=True)
def _helped(words: Words, begin: Number, entry: INT, way: INT) -> INT:
    """Return the useful ranks of a suit."""
    return INT(words[begin + (entry >> 8) + (way & 255)])


@inner(inline=True)
def _missing_pairs(ones: INT, twos: INT, fours: INT) -> INT:
    """Return the deficiency of the form seven pairs."""
    missing = 7 - count(twos | fours)
    return missing + max(missing - count(ones & ~twos), INT(0))


@inner(inline=True)
def _helps_pairs(ones: INT, twos: INT, fours: INT) -> INT:
    """Return the kinds that lower the deficiency of seven pairs, before a draw."""
    pairs = twos | fours
    useful = ones & ~pairs
    if count(ones | pairs) < 7:
        useful |= ALL_KINDS & ~(ones | pairs)
    return useful


@inner(inline=True)
def value_of(
    game: Integers, hand: INT, called: INT, seven_pairs: int, tables: PlayoutTables
) -> INT:
    """Return the deficiency of the hand at an item."""
    words = tables.words
    a = _entry(game, hand, 0, called, tables)
    b = _entry(game, hand, 1, called, tables)
    c = _entry(game, hand, 2, called, tables)
    least = _way(words, tables.begins[called] + WAYS, _pair(words, b, c), a) >> 8
    if seven_pairs and called == 0:
        least = min(least, _missing_pairs(game[hand], game[hand + 1], game[hand + 2]))
    return least


@inner(inline=True)
def refresh(game: Integers, seat: INT, seven_pairs: int, tables: PlayoutTables) -> None:
    """Compute the deficiency of a hand before its draw, and the kinds that lower it."""
    hand, called = HAND + 6 * seat, game[MELDS + seat]
    words, begin = tables.words, tables.begins[called]
    ways = begin + WAYS
    a = _entry(game, hand, 0, called, tables)
    b = _entry(game, hand, 1, called, tables)
    c = _entry(game, hand, 2, called, tables)
    first = _way(words, ways, _pair(words, b, c), a)
    second = _way(words, ways, _pair(words, a, c), b)
    third = _way(words, ways, _pair(words, a, b), c)
    least = first >> 8
    useful = _helped(words, begin, a, first) | _helped(words, begin, b, second) << RANKS
    useful |= _helped(words, begin, c, third) << 2 * RANKS
    if seven_pairs and called == 0:
        ones, twos, fours = game[hand], game[hand + 1], game[hand + 2]
        other = _missing_pairs(ones, twos, fours)
        if other < least:
            least, useful = other, INT(0)
        if other == least:
            useful |= _helps_pairs(ones, twos, fours)
    game[VALUE + seat], game[WAIT + seat] = least, useful


@inner(inline=True)
def seen_by(game: Integers, seat: INT) -> tuple[INT, INT, INT]:
    """Return the copies that a seat holds or sees, in binary."""
    hand = HAND + 6 * seat
    ones, twos, fours = game[hand], game[hand + 1], game[hand + 2]
    shown_ones, shown_twos, shown_fours = game[SHOWN], game[SHOWN + 1], game[SHOWN + 2]
    carry, both = ones & shown_ones, twos ^ shown_twos
    fours |= shown_fours | (twos & shown_twos) | (carry & both)
    return ones ^ shown_ones, both ^ carry, fours


@inner
def best_discard(  # noqa: PLR0915 - one loop over the tiles
    game: Integers,
    hand: INT,
    called: INT,
    seen: tuple[INT, INT, INT],
    seven_pairs: int,
    tables: PlayoutTables,
) -> tuple[INT, INT, INT]:
    """Return the discard of least deficiency, then of most useful copies, then the outer one.

    ``hand`` is the item of the hand after its draw or call, ``called`` its number of melds,
    ``seen`` the copies of each kind that the seat can see, in binary; ``seven_pairs`` says whether
    that form wins. Returns the kind, the deficiency after it, and the number of useful copies.
    """
    words, begin = tables.words, tables.begins[called]
    ways, offset = begin + WAYS, called * NUM_STATES
    ones, twos, fours = game[hand], game[hand + 1], game[hand + 2]
    seen_ones, seen_twos, seen_fours = seen
    held = ones | twos | fours
    own = _entry(game, hand, 0, called, tables)
    p = _entry(game, hand, 1, called, tables)
    q = _entry(game, hand, 2, called, tables)
    shift, shift_p, shift_q = INT(0), INT(RANKS), INT(2 * RANKS)
    pairs_too = seven_pairs and called == 0
    best_kind, best, best_copies, best_far = INT(NONE), INT(FAR), INT(NONE), INT(NONE)
    for suit in range(SUITS):
        rest = _pair(words, p, q)
        code, has_four = game[hand + 3 + suit], fours >> shift & SUIT
        bits = held >> shift & SUIT
        while bits:
            lowest = bits & -bits
            bits ^= lowest
            rank = count(lowest - 1)
            kind, bit = shift + rank, lowest << shift
            number = code - lowest * lowest  # two bits for each rank
            borrow = bit & ~ones
            ones_after, twos_after = ones ^ bit, twos ^ borrow
            fours_after = fours ^ (borrow & ~twos)
            if has_four and fours_after >> shift & SUIT:
                _remove(game, hand, kind)
                number = _ranked(game, hand, shift, tables.states)
                add(game, hand, kind)
            after = INT(tables.states[offset + number])
            way = _way(words, ways, rest, after)
            least = way >> 8
            other = INT(FAR)
            if pairs_too:
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
            copies = 4 * count(useful & ~seen_fours) - count(useful & seen_ones)
            copies -= 2 * count(useful & seen_twos)
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
def _own_kong(
    game: Integers, seat: INT, best: INT, rules: PlayoutRules, tables: PlayoutTables
) -> tuple[INT, INT]:
    """Return the first kong that does not increase the deficiency ``best``, or no action."""
    if not rules.kongs or game[LIVE] == 0:
        return INT(NONE), INT(NONE)
    hand, called = HAND + 6 * seat, game[MELDS + seat]
    has_declared = game[DECLARED + seat] != 0  # then the hand must still wait
    bits = game[hand + 2]
    while bits:
        kind = count((bits & -bits) - 1)
        bits &= bits - 1
        change(game, hand, kind, -4)
        value = value_of(game, hand, called + 1, rules.seven_pairs, tables)
        change(game, hand, kind, 4)
        if value <= best and (value == 1 or not has_declared):
            return INT(CLOSED_KONG), kind
    for meld in range(4 * seat, 4 * seat + called):
        kind = game[MELD_KIND + meld]
        if game[MELD_SHAPE + meld] != OF_PONG or not copies_in(game, hand, kind):
            continue
        if has_declared and kind != game[TILE]:
            continue
        change(game, hand, kind, -1)
        value = value_of(game, hand, called, rules.seven_pairs, tables)
        change(game, hand, kind, 1)
        if value <= best:
            return INT(ADDED_KONG), kind
    return INT(NONE), INT(NONE)


@inner(inline=True)
def choose_turn(game: Integers, rules: PlayoutRules, tables: PlayoutTables) -> tuple[INT, INT]:
    """Return the action and the kind of the seat whose turn it is."""
    seat, tile = game[TURN_OF], game[TILE]
    hand, called = HAND + 6 * seat, game[MELDS + seat]
    has_drawn = game[PHASE] == TURN
    if has_drawn and value_of(game, hand, called, rules.seven_pairs, tables) == 0:
        return INT(WIN), tile
    if game[DECLARED + seat]:
        change(game, hand, tile, -1)
        best = value_of(game, hand, called, rules.seven_pairs, tables)
        change(game, hand, tile, 1)
        action, kind = _own_kong(game, seat, best, rules, tables)
        if action == NONE:
            action, kind = INT(DISCARD), tile
        return action, kind
    seen = seen_by(game, seat)
    kind, best, _ = best_discard(game, hand, called, seen, rules.seven_pairs, tables)
    if has_drawn and (game[hand + 2] or called):
        action, of_kong = _own_kong(game, seat, best, rules, tables)
        if action != NONE:
            return action, of_kong
    held = game[hand] | game[hand + 1] | game[hand + 2]
    # A hand of one kind has just called; the policy then discards without a declaration.
    declares = rules.ready and best == 1 and held & (held - 1)
    return INT(READY) if declares else INT(DISCARD), kind


@inner
def take_chow(game: Integers, hand: INT, first: Number, tile: INT, by: int) -> None:
    """Add or remove the two other tiles of a chow."""
    for kind in range(first, first + 3):
        if kind != tile:
            change(game, hand, kind, by)


@inner(inline=True)
def may_call(game: Integers, seat: INT, tile: INT) -> bool:
    """Return whether a seat may have a call of the policy, a test that most tiles fail.

    A chow or pong lowers the deficiency only with a tile that does; a kong needs three copies.
    """
    hand = HAND + 6 * seat
    is_useful = game[WAIT + seat] >> tile & 1 and not game[DECLARED + seat]
    return is_useful or copies_in(game, hand, tile) == 3


@inner
def choose_call(
    game: Integers, seat: INT, rules: PlayoutRules, tables: PlayoutTables
) -> tuple[INT, INT]:
    """Return the call of a seat that does not win: an action and a kind, or no action."""
    tile, live = game[TILE], game[LIVE]
    hand, called, current = HAND + 6 * seat, game[MELDS + seat], game[VALUE + seat]
    has_declared = game[DECLARED + seat] != 0
    copies, pairs = copies_in(game, hand, tile), rules.seven_pairs
    action, kind = INT(NONE), INT(NONE)
    best, best_copies = INT(FAR), INT(NONE)
    if rules.kongs and copies == 3 and live > 0:
        change(game, hand, tile, -3)
        value = value_of(game, hand, called + 1, pairs, tables)
        change(game, hand, tile, 3)
        if value <= current and (value == 1 or not has_declared):
            action, kind, best, best_copies = INT(KONG), tile, value, INT(0)
    if has_declared or not (live > 0 or rules.calls_on_last_discard):
        return action, kind
    seen = seen_by(game, seat)
    if copies >= 2:
        change(game, hand, tile, -2)
        _, value, useful = best_discard(game, hand, called + 1, seen, pairs, tables)
        change(game, hand, tile, 2)
        if value < current and (value < best or (value == best and useful > best_copies)):
            action, kind, best, best_copies = INT(PONG), tile, value, useful
    if (game[TURN_OF] + 1) % SEATS != seat:
        return action, kind
    held = game[hand] | game[hand + 1] | game[hand + 2]
    start = tile - tile % RANKS
    for first in range(max(start, tile - 2), min(tile, start + RANKS - 3) + 1):
        others = (INT(7) << first) & ~(INT(1) << tile)
        if held & others != others:
            continue
        take_chow(game, hand, first, tile, -1)
        _, value, useful = best_discard(game, hand, called + 1, seen, pairs, tables)
        take_chow(game, hand, first, tile, 1)
        if value < current and (value < best or (value == best and useful > best_copies)):
            action, kind, best, best_copies = INT(CHOW), INT(first), value, useful
    return action, kind
