"""Kernels: the deficiency and the best discard of a hand of M0, by table look-ups."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import inner
from mjopt.play.rollout._game_record import (
    ALL_KINDS,
    INT,
    NONE,
    RANKS,
    SUIT,
    SUITS,
    Number,
    Record,
)
from mjopt.tables.bundles.rule_tables import SPARE
from mjopt.tables.rows._simd_rows import num_bits
from mjopt.tables.suits.state_index import MOST_TILES

# The deficiency of a hand depends on a suit only through a small number, the class of the suit. The
# look-ups are those of :mod:`mjopt.tables.gains.gain_layout`, for three equal suits and one form:
#
#   state of a suit  -> entry: its class (8 bits), and where its sets of useful ranks begin
#   two classes      -> the rest: the class of both suits together
#   rest and class   -> way: the number of a set, and from bit 8 on the deficiency of the hand
#   entry and way    -> the useful ranks of the suit, one bit each
#
# The three suits are alike, so one table of each sort serves them all. Rows of rests and ways are
# padded to 256, so that an index is two bytes side by side instead of a product. Seven pairs need
# no table: pairs and single kinds are counted in the masks of copies.

Words = NDArray[np.uint16]
States = NDArray[np.uint32]
U = np.uint64

FAR: Final = 99  # more than any deficiency

# Where `PlayoutTables.states` holds the steps and starts of `rank_tables`.
MOST: Final = MOST_TILES + SPARE  # tiles of a state
NUM_SIZES: Final = MOST + 1
STEP_ROW: Final = 12
START_ROW: Final = MOST + 2
NUM_STATES: Final = 621_011  # num_states(9, MOST), and that of too many tiles
STEPS: Final = 5 * NUM_STATES
WAYS: Final = 1 << 16  # where the ways of a number of called melds begin: after 256 * 256 rests
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


@inner(inline=True)
def count(mask: INT) -> INT:
    """Return the number of kinds in a mask."""
    number: INT = num_bits(U(mask))
    return number


@inner(inline=True)
def copies_in(copies: Record, kind: Number) -> INT:
    """Return the number of copies of a kind."""
    digits = copies.ones >> kind & 1, copies.twos >> kind & 1, copies.fours >> kind & 1
    number: INT = digits[0] + 2 * digits[1] + 4 * digits[2]
    return number


@inner(inline=True)
def add(copies: Record, kind: Number) -> None:
    """Add a copy of a kind: a binary addition in one bit of the three masks."""
    bit = INT(1) << kind
    carry = copies.ones & bit
    copies.ones ^= bit
    copies.fours ^= copies.twos & carry
    copies.twos ^= carry


@inner(inline=True)
def _remove(copies: Record, kind: Number) -> None:
    bit = INT(1) << kind
    borrow = bit & ~copies.ones
    copies.ones ^= bit
    copies.fours ^= borrow & ~copies.twos
    copies.twos ^= borrow


@inner(inline=True)
def change(player: Record, kind: Number, by: int) -> None:
    """Add copies of a kind to the hand of a seat, or remove them."""
    suit = kind // RANKS
    player.codes[suit] += INT(by) << 2 * (kind - RANKS * suit)
    for _ in range(by):
        add(player.held, kind)
    for _ in range(-by):
        _remove(player.held, kind)


@inner
def _ranked(player: Record, first: INT, states: States) -> INT:
    """Return the state number of a suit with four of a kind.

    Four copies do not fit in the two bits of a code. These states are numbered after all codes, in
    the order of :mod:`mjopt.tables.suits.state_index`.
    """
    tiles = four = INT(0)
    for kind in range(first, first + RANKS):
        tiles += copies_in(player.held, kind)
    number = (INT(1) << 2 * RANKS) + INT(states[STARTS + RANKS * START_ROW + tiles])
    # Add the states that come before this one: those with fewer copies at the first rank where
    # they differ, given the tiles of the ranks before.
    for rank in range(RANKS):
        copies = copies_in(player.held, first + rank)
        step = ((RANKS - rank) * NUM_SIZES + tiles) * STEP_ROW + 6 * four + copies
        number += INT(states[STEPS + step])
        tiles -= copies
        four |= copies >> 2
    return number


@inner(inline=True)
def _entry(player: Record, suit: int, called: INT, tables: PlayoutTables) -> INT:
    """Return the entry of the state of a suit."""
    number = player.codes[suit]
    if player.held.fours >> RANKS * suit & SUIT:
        number = _ranked(player, INT(RANKS * suit), tables.states)
    return INT(tables.states[called * NUM_STATES + number])


@inner(inline=True)
def _pair(words: Words, one: INT, two: INT) -> INT:
    """Return the rest that two suits are, given their entries."""
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
    """Return the deficiency of the form seven pairs.

    Each missing pair takes one draw if a single tile of its kind is held, else two. A kind makes
    one pair, however many copies are held.
    """
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
def deficiency_of(player: Record, called: INT, seven_pairs: int, tables: PlayoutTables) -> INT:
    """Return the deficiency of the concealed tiles of a seat with that many called melds."""
    words = tables.words
    a = _entry(player, 0, called, tables)
    b = _entry(player, 1, called, tables)
    c = _entry(player, 2, called, tables)
    least = _way(words, tables.begins[called] + WAYS, _pair(words, b, c), a) >> 8
    if seven_pairs and called == 0:
        held = player.held
        least = min(least, _missing_pairs(held.ones, held.twos, held.fours))
    return least


@inner(inline=True)
def refresh(player: Record, seven_pairs: int, tables: PlayoutTables) -> None:
    """Compute the deficiency of a hand before its draw, and the kinds that lower it."""
    called = player.num_melds
    words, begin = tables.words, tables.begins[called]
    ways = begin + WAYS
    a = _entry(player, 0, called, tables)
    b = _entry(player, 1, called, tables)
    c = _entry(player, 2, called, tables)
    first = _way(words, ways, _pair(words, b, c), a)
    second = _way(words, ways, _pair(words, a, c), b)
    third = _way(words, ways, _pair(words, a, b), c)
    least = first >> 8
    useful = _helped(words, begin, a, first) | _helped(words, begin, b, second) << RANKS
    useful |= _helped(words, begin, c, third) << 2 * RANKS
    if seven_pairs and called == 0:
        ones, twos, fours = player.held.ones, player.held.twos, player.held.fours
        other = _missing_pairs(ones, twos, fours)
        if other < least:
            least, useful = other, INT(0)
        if other == least:
            useful |= _helps_pairs(ones, twos, fours)
    player.deficiency, player.useful = least, useful


@inner
def best_discard(  # noqa: PLR0915 - one loop over the tiles
    player: Record,
    called: INT,
    seen: tuple[INT, INT, INT],
    seven_pairs: int,
    tables: PlayoutTables,
) -> tuple[INT, INT, INT]:
    """Return the discard of least deficiency, then of most useful copies, then the outer one.

    ``player`` is the seat after its draw or call, ``called`` its number of melds, ``seen`` the
    copies of each kind that the seat can see, in binary; ``seven_pairs`` says whether that form
    wins. Returns the kind, the deficiency after it, and the number of useful copies.
    """
    words, begin = tables.words, tables.begins[called]
    ways, offset = begin + WAYS, called * NUM_STATES
    ones, twos, fours = player.held.ones, player.held.twos, player.held.fours
    seen_ones, seen_twos, seen_fours = seen
    held = ones | twos | fours
    own = _entry(player, 0, called, tables)
    p = _entry(player, 1, called, tables)
    q = _entry(player, 2, called, tables)
    shift, shift_p, shift_q = INT(0), INT(RANKS), INT(2 * RANKS)
    pairs_too = seven_pairs and called == 0
    best_kind, best, best_copies, best_far = INT(NONE), INT(FAR), INT(NONE), INT(NONE)
    # In each round ``own`` and ``shift`` are of the suit that discards, ``p`` and ``q`` of the two
    # others, whose rest is looked up once for all discards of the round.
    for suit in range(SUITS):
        rest = _pair(words, p, q)
        code, has_four = player.codes[suit], fours >> shift & SUIT
        bits = held >> shift & SUIT
        while bits:
            lowest = bits & -bits
            bits ^= lowest
            rank = count(lowest - 1)
            kind, bit = shift + rank, lowest << shift
            number = code - lowest * lowest  # the square of 1 << rank is 1 << 2 * rank
            # The hand after the discard stays in registers; memory changes only for a suit that
            # keeps a four of a kind, whose state number is not its code.
            borrow = bit & ~ones
            ones_after, twos_after = ones ^ bit, twos ^ borrow
            fours_after = fours ^ (borrow & ~twos)
            if has_four and fours_after >> shift & SUIT:
                _remove(player.held, kind)
                number = _ranked(player, shift, tables.states)
                add(player.held, kind)
            after = INT(tables.states[offset + number])
            way = _way(words, ways, rest, after)
            least = way >> 8
            other = INT(FAR)
            if pairs_too:
                other = _missing_pairs(ones_after, twos_after, fours_after)
            value = min(least, other)
            if value > best:  # its useful kinds need not be looked up
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
            # The sum of 4 - seen copies over the useful kinds, a binary digit at a time.
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
