"""Kernels: useful tiles of a hand, and of the hands after each discard.

The kernels of a tile set are specialised for its groups, in the order in which tables join them.

A discard changes the state of one suit; the useful tiles are then four look-ups per suit.
`find_gains` describes ``states`` and ``words``. Kinds are bits of a word. Indices are
unsigned, otherwise numba tests their sign.
"""

from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import Kernel, inner, kernel, specialised
from mjopt.hands.tiles import TileSet
from mjopt.hands.winning_forms import UNREACHABLE
from mjopt.tables._simd_rows import num_bits, row_reader
from mjopt.tables.groups import groups_of
from mjopt.tables.marginal_costs import BESIDE, HONOUR_WAYS, MIXED, REST, THREE, WAYS
from mjopt.tables.table_file import HONOURS

# Bits of the winning forms.
MELDS_TOO: Final = 1
PAIRS_TOO: Final = 2
ORPHANS_TOO: Final = 4

Bytes = NDArray[np.uint8]
Ranks = NDArray[np.int32]
Words = NDArray[np.uint16]
States = NDArray[np.uint32]
Integers = NDArray[np.int64]
U = np.uint64
INT = np.int64
_LOW = U(0xFFFFFFFF)
_CLASS = U(0xFF)
_NINE = U(0x1FF)

# `specialised` replaces these names, functions too, by those of a tile set.
WIDTH = 0  # counts of a row
NUM_GROUPS = 4
FIRST = (U(0), U(9), U(18), U(27))  # kind of each group
RANKS = (9, 9, 9, 7)  # kinds of each group
PLACE = (0, 1, 2, 3)  # of each group among the suits of the tile set
NOT_FIRST, NOT_LAST = U(0), U(0)  # kinds with a lower and with a higher neighbour


def read_one(rows: Bytes, start: U) -> tuple[U, U, U]:
    """Return whether some count exceeds three, and two words of state numbers of a row."""
    raise NotImplementedError


class JudgeTables(NamedTuple):
    """Tables of a tile set with K kinds and a number of called melds."""

    orphan: Bytes  # 1 for each terminal and honour, shape (K,)
    steps: Ranks  # of the state numbers of suits with four copies of a kind
    starts: Ranks
    states: States  # see `find_gains`, as ``words``
    third: int  # where the states of the third group begin
    words: Words


@inner
def _helped(state: U, way: U, words: Words) -> U:
    """Return the kinds that help the set of shares of this way."""
    return U(words[(U(state) >> U(8)) + (U(way) & U(255))])


# Avoid branches here: numba counts references to an array on both sides of a branch, and
# these atomic operations take longer than all the look-ups.
def look_up(a: U, b: U, c: U, h: U, words: Words) -> tuple[INT, U]:
    """Return the deficiency of a hand and its useful tiles, given the entries of its states."""
    i, j, k, honours = U(a) & U(255), U(b) & U(255), U(c) & U(255), U(h) & U(255)
    both = U(words[i << U(8) | j]) << U(8)
    one = U(words[U(REST) + (U(words[j << U(8) | k]) << U(8) | honours)])
    two = U(words[U(REST) + (U(words[i << U(8) | k]) << U(8) | honours)])
    three, four = U(words[U(REST) + (both | honours)]), U(words[U(THREE) + (both | k)])
    first, second = words[U(WAYS) + (one << U(8) | i)], words[U(WAYS) + (two << U(8) | j)]
    third = words[U(WAYS) + (three << U(8) | k)]
    last = words[U(HONOUR_WAYS) + (four << U(8) | honours)]
    found = _helped(a, first, words) << FIRST[0] | _helped(b, second, words) << FIRST[1]
    found |= _helped(c, third, words) << FIRST[2] | _helped(h, last, words) << FIRST[3]
    return INT(U(first) >> U(8)), found


def write_useful(
    numbers: States, states: States, third: int, words: Words, out: NDArray[np.uint64]
) -> None:
    """Write the useful tiles of hands, given as state numbers of shape (N, 3) or (N, 4).

    The states of the third group begin at ``third``.
    """
    h = states[U(HONOURS)]
    for row in range(len(numbers)):
        a, b = states[numbers[row, PLACE[0]]], states[numbers[row, PLACE[1]]]
        c = states[U(third) + U(numbers[row, PLACE[2]])]
        if NUM_GROUPS == 4:
            h = states[U(HONOURS) + U(numbers[row, PLACE[3]])]
        _, out[row] = look_up(a, b, c, h, words)


@inner
def _even_bits(words: U) -> U:
    """Return every other bit of the two halves of a word, nine bits of each."""
    words &= U(0x5555_5555_5555_5555)
    words = (words | words >> U(1)) & U(0x3333_3333_3333_3333)
    words = (words | words >> U(2)) & U(0x0F0F_0F0F_0F0F_0F0F)
    words = (words | words >> U(4)) & U(0x00FF_00FF_00FF_00FF)
    words = (words | words >> U(8)) & U(0x0000_FFFF_0000_FFFF)
    return (words | words >> U(23)) & U(0x3FFFF)


def spread(first: U, others: U) -> U:
    """Return every other bit of the state numbers of the groups as one bit for each kind."""
    low, high = _even_bits(first), _even_bits(others)
    rest = (high & _NINE) << FIRST[2] | (high >> U(9)) << FIRST[3]
    return (low & _NINE) << FIRST[0] | (low >> U(9)) << FIRST[1] | rest


def number_of(row: Bytes, suit: int, steps: Ranks, starts: Ranks) -> INT:
    """Return the state number of a group, read from its copies."""
    start = FIRST[suit]
    kinds = RANKS[suit]
    number = most = INT(0)
    for rank in range(U(kinds)):
        held = INT(row[start + rank])
        number |= held << INT(2 * rank)
        most |= held
    if most < 4:
        return number
    tiles = four = INT(0)
    for rank in range(U(kinds)):
        tiles += INT(row[start + rank])
    number = INT(1 << 2 * kinds) + INT(starts[kinds, tiles])
    for rank in range(kinds):
        held = INT(row[start + U(rank)])
        number += INT(steps[kinds - rank, tiles, four, held])
        tiles -= held
        four |= held >> 2
    return number


@inner
def _without_melds(forms: int, tally: Integers) -> INT:
    """Return the least deficiency over seven pairs and thirteen orphans, if in ``forms``."""
    pairs, singles, orphans, twice = tally[0], tally[1], tally[2], tally[3]
    best = INT(UNREACHABLE)
    if forms & PAIRS_TOO:
        made = min(pairs, 7)
        best = 14 - 2 * made - min(singles, 7 - made)
    if forms & ORPHANS_TOO:
        best = min(best, 13 - orphans + (twice == 0))
    return best


@inner
def _tally(row: Bytes, kind: INT | int, by: int, orphan: Bytes, tally: Integers) -> None:
    """Add a kind to, or remove it from, the counts of pairs, singles, orphans and orphan pairs."""
    held = INT(row[kind])
    tally[0] += by * (held >= 2)
    tally[1] += by * (held == 1)
    if orphan[kind]:
        tally[2] += by * (held >= 1)
        tally[3] += by * (held >= 2)


@inner
def _add(row: Bytes, kind: INT | int, by: int, orphan: Bytes, tally: Integers) -> None:
    """Add a tile to the row or remove one, and update the tally."""
    _tally(row, kind, -1, orphan, tally)
    row[kind] += by
    _tally(row, kind, 1, orphan, tally)


@inner
def _helps_without_melds(
    row: Bytes, unseen: U, forms: int, least: INT, tally: Integers, orphan: Bytes
) -> U:
    """Return the kinds that bring a form without melds below the least deficiency."""
    found = U(0)
    for kind in range(row.size):
        if unseen >> U(kind) & U(1) and row[kind] < 4:
            _add(row, kind, 1, orphan, tally)
            if _without_melds(forms, tally) < least:
                found |= U(1) << U(kind)
            _add(row, kind, -1, orphan, tally)
    return found


def in_chows(held: U) -> U:
    """Return the kinds that complete a chow with two kinds that the hand holds."""
    below, above = held << U(1) & NOT_FIRST, held >> U(1) & NOT_LAST
    under, over = below << U(1) & NOT_FIRST, above >> U(1) & NOT_LAST
    return below & under | below & above | above & over


@inner
def _copies(found: U, ones: U, twos: U, fours: U) -> INT:
    """Count the available copies of some kinds, four each; those gone are given in binary."""
    copies = 4 * num_bits(found & ~fours) - num_bits(found & ones)
    return copies - 2 * num_bits(found & twos)


@inner
def _with_others(
    row: Bytes, least: INT, found: U, forms: int, unseen: U, tally: Integers, orphan: Bytes
) -> tuple[INT, U]:
    """Return the deficiency of a hand and its useful tiles, including the forms without melds."""
    # One tile lowers a form by at most one: a form above the minimum never counts.
    value = _without_melds(forms, tally)
    if value < least:
        least, found = value, U(0)
    if value == least:
        found |= _helps_without_melds(row, unseen, forms, least, tally, orphan)
    return least, found


@inner(inline=True)
def _rows_of(suit: int, first: U, second: U, last: U, words: Words) -> tuple[U, U, U, U]:
    """Return the table rows for the discards of a suit, given the classes of the other three.

    The first row holds the ways of the suit itself, by its class after the discard. The way of
    another suit depends on the class of the other three: two of them select its row, and the class
    of the suit that discards is an index into it.
    """
    both = U(words[first << U(8) | second]) << U(8)
    if suit < 3:
        return (
            U(WAYS) + (U(words[U(REST) + (both | last)]) << U(8)),
            U(BESIDE) + (U(words[U(MIXED) + (second << U(8) | last)]) << U(8)),
            U(BESIDE) + (U(words[U(MIXED) + (first << U(8) | last)]) << U(8)),
            U(THREE) + both,
        )
    return (
        U(HONOUR_WAYS) + (U(words[U(THREE) + (both | last)]) << U(8)),
        U(REST) + (U(words[second << U(8) | last]) << U(8)),
        U(REST) + (U(words[first << U(8) | last]) << U(8)),
        U(REST) + both,
    )


@inner(inline=True)
def _in_binary(copies: Bytes, row: int, first: int, by: int) -> tuple[U, U, U]:
    """Return ``first + by * copies`` of each kind in binary: a word for each of three digits."""
    ones = twos = fours = U(0)
    for kind in range(copies.shape[1]):
        number = U(first + by * INT(copies[row, kind]))
        ones |= (number & U(1)) << U(kind)
        twos |= (number >> U(1) & U(1)) << U(kind)
        fours |= (number >> U(2)) << U(kind)
    return ones, twos, fours


def judge(  # noqa: PLR0912, PLR0915 - one loop over the rows
    rows: Bytes,
    unseen: Bytes,
    size: int,
    forms: int,
    discarding: bool,
    tables: JudgeTables,
    doubtful: Integers,
    deficiency: NDArray[np.int8],
    useful: NDArray[np.int16],
) -> INT:
    """Judge every discard of every hand, or every hand as it is.

    Parameters
    ----------
    rows
        Copies held, shape ``(N, K)``.
    unseen
        Copies that may arrive, in the same shape; no rows mean all copies not held.
    size
        Number of concealed tiles of every hand.
    forms
        Sum of ``MELDS_TOO``, ``PAIRS_TOO`` and ``ORPHANS_TOO``.
    discarding
        Whether hands are judged after each discard.
    tables
        The tables of the tile set.
    doubtful
        Empty, or a buffer for ``row * K + kind`` of every discard whose table entries may
        overestimate, since they let the discarded tile return. That can matter for a
        kind held three or four times that a nearest complete hand draws, if the hand holds
        four of some kind, and of two kinds or the other tiles of a chow with this one.
        (*Checked* for every suit with every rest of a hand, with 0 to 4 called melds.)
    deficiency, useful
        Output for each possible discard, shape ``(N, K)``, or ``(N, 1)`` if not discarding:
        the deficiency and the number of unseen copies that lower it.

    Returns
    -------
    int
        The first row that is not a hand; otherwise -1 minus the number of doubtful discards.
    """
    orphan, steps, starts, states, third, words = tables
    row = np.empty(WIDTH, np.uint8)
    numbers = np.zeros(4, np.uint64)
    tally = np.zeros(4, np.int64)
    num_doubtful = INT(0)
    for i in range(U(rows.shape[0])):
        high, first, others = read_one(rows, U(WIDTH) * i)
        numbers[0], numbers[1] = first & _LOW, first >> U(32)
        numbers[2], numbers[3] = others & _LOW, others >> U(32)
        # The copies held in binary, three words with one bit per kind: bit operations count copies.
        # With at most three copies of each kind, state numbers hold them in two bits per rank.
        # Rows with more, and forms without melds, are read kind by kind.
        ones, twos = spread(first, others), spread(first >> U(1), others >> U(1))
        fours = deep = U(0)
        by_row = high or forms != MELDS_TOO
        if by_row:
            tally[:] = 0
            for kind in range(WIDTH):
                row[kind] = rows[i, kind]
                if row[kind] > 4:
                    return INT(i)
                _tally(row, kind, 1, orphan, tally)
            ones, twos, fours = _in_binary(rows, i, 0, 1)
        if num_bits(ones) + 2 * num_bits(twos) + 4 * num_bits(fours) != size:
            return INT(i)
        kept = ones | twos | fours
        if high:
            for suit in range(NUM_GROUPS):
                numbers[suit] = number_of(row, suit, steps, starts)
            deep = (ones & twos | fours) & (in_chows(kept) if num_bits(fours) == 1 else kept)
        a, b, c = states[numbers[0]], states[numbers[1]], states[U(third) + numbers[2]]
        h = states[U(HONOURS) + numbers[3]]
        if len(unseen):  # the same for the copies that cannot arrive
            ones, twos, fours = _in_binary(unseen, i, 4, -1)
        if not discarding:
            least, found = INT(UNREACHABLE), U(0)
            if forms & MELDS_TOO:
                least, found = look_up(a, b, c, h, words)
            if forms != MELDS_TOO:
                least, found = _with_others(row, least, found, forms, ~fours, tally, orphan)
            deficiency[i, 0], useful[i, 0] = least, _copies(found, ones, twos, fours)
            continue
        # The rest of the hand is the same for every discard from a suit, so the table rows
        # of the rest are selected once and each discard reads only those rows. ``own`` is the suit
        # that discards; p, q and r are the others, r the honours until they discard themselves.
        p, q, r, own = b, c, h, a
        shift, shift_p, shift_q, shift_r = FIRST
        to_r = U(HONOUR_WAYS)
        for suit in range(NUM_GROUPS):
            first, second, last = U(p) & _CLASS, U(q) & _CLASS, U(r) & _CLASS
            row_own, row_p, row_q, row_r = _rows_of(suit, first, second, last, words)
            begin = U(HONOURS if suit == 3 else third if suit == 2 else 0)
            bits = kept >> shift & U((1 << RANKS[suit]) - 1)
            while bits:
                lowest = bits & -bits
                bits ^= lowest
                thrown = shift + U(num_bits(lowest - U(1)))
                number = numbers[suit] - lowest * lowest  # two bits per rank
                if by_row:
                    _add(row, INT(thrown), -1, orphan, tally)
                    if high:
                        number = U(number_of(row, suit, steps, starts))
                after = U(states[number + begin])
                there = after & _CLASS
                way = words[row_own + there]
                way_p = words[U(WAYS) + (U(words[row_p + there]) << U(8) | first)]
                way_q = words[U(WAYS) + (U(words[row_q + there]) << U(8) | second)]
                way_r = words[to_r + (U(words[row_r + there]) << U(8) | last)]
                # Every way holds the deficiency of the whole hand above its number.
                least, found = INT(U(way_p) >> U(8)), _helped(after, way, words) << shift
                found |= _helped(p, way_p, words) << shift_p
                found |= _helped(q, way_q, words) << shift_q
                found |= _helped(r, way_r, words) << shift_r
                if deep & found & (lowest << shift) and len(doubtful):
                    doubtful[num_doubtful] = i * WIDTH + thrown
                    num_doubtful += 1
                if forms != MELDS_TOO:
                    if not forms & MELDS_TOO:
                        least, found = INT(UNREACHABLE), U(0)
                    least, found = _with_others(row, least, found, forms, ~fours, tally, orphan)
                deficiency[i, thrown], useful[i, thrown] = least, _copies(found, ones, twos, fours)
                if by_row:
                    _add(row, INT(thrown), 1, orphan, tally)
            if suit < 2:  # the next suit
                own, p, q = p, q, own
                shift, shift_p, shift_q = shift_p, shift_q, shift
            else:
                p, q, r, to_r = a, b, c, U(WAYS)
                shift_p, shift_q, shift_r, shift = FIRST
    return -1 - num_doubtful


@cache
def kernels_of(
    tiles: TileSet,
) -> tuple[
    Kernel[States, States, int, Words, NDArray[np.uint64], None],
    Kernel[
        Bytes,
        Bytes,
        int,
        int,
        bool,
        JudgeTables,
        Integers,
        NDArray[np.int8],
        NDArray[np.int16],
        INT,
    ],
]:
    """Return the kernels of a tile set: :func:`write_useful` and :func:`judge`."""
    groups, width = groups_of(tiles), tiles.num_kinds
    chows = [group.kinds for group in groups if group.has_chows]
    names: dict[str, object] = {
        "WIDTH": width,
        "NUM_GROUPS": len(groups),
        "FIRST": (*(U(group.start) for group in groups), U(width))[:4],
        "RANKS": (*(group.width for group in groups), 0)[:4],
        "PLACE": (*(group.place for group in groups), 0)[:4],
        "NOT_FIRST": U(sum(1 << kind for part in chows for kind in range(width)[part][1:])),
        "NOT_LAST": U(sum(1 << kind for part in chows for kind in range(width)[part][:-1])),
        "read_one": row_reader(1, tiles),
    }
    for function in (look_up, spread, number_of, in_chows):
        own = specialised(function, f"{function.__name__}_{tiles.key}", **names)
        names[function.__name__] = inner(own)
    return (
        kernel(specialised(write_useful, f"write_useful_{tiles.key}", **names)),
        kernel(specialised(judge, f"judge_{tiles.key}", **names)),
    )
