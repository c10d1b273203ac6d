"""Kernels: the tiles that help a hand, and what every discard leaves.

A discard changes the state of one suit, and what then helps is four look-ups a suit.
`gains` tells what ``states`` and ``words`` hold. Kinds are bits of a word. Every index is
unsigned, or numba would test its sign.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjopt.hands.forms import UNREACHABLE
from mjopt.runtime.jit import inner, kernel
from mjopt.tables._rows import full_row, m0_row, num_bits
from mjopt.tables.gains import HONOUR_WAYS, REST, THREE, WAYS
from mjopt.tables.store import HONOURS

# The winning forms, added up.
STANDARD_TOO: Final = 1
PAIRS_TOO: Final = 2
ORPHANS_TOO: Final = 4

Bytes = NDArray[np.uint8]
Ranks = NDArray[np.int32]
Words = NDArray[np.uint16]
States = NDArray[np.uint32]
Integers = NDArray[np.int64]
U: Any = np.uint64
INT: Any = np.int64
_LOW = U(0xFFFFFFFF)


@inner
def _helped(state: Any, way: Any, words: Words) -> Any:
    """Return the kinds that help the set of shares of this way."""
    return U(words[(U(state) >> U(8)) + (U(way) & U(255))])


# No branch here: on both sides of one the references to an array are counted, one atomic
# step each, which takes longer than all the look-ups.
@inner
def _useful(a: Any, b: Any, c: Any, h: Any, words: Words) -> tuple[Any, Any]:
    """Return what a hand lacks and its useful tiles, by what is known of its states."""
    i, j, k, honours = U(a) & U(255), U(b) & U(255), U(c) & U(255), U(h) & U(255)
    both, rest = U(words[i << U(8) | j]), U(REST) + (honours << U(9))
    one = U(words[rest + U(words[j << U(8) | k])])
    two = U(words[rest + U(words[i << U(8) | k])])
    three, four = U(words[rest + both]), U(words[U(THREE) + (k << U(9) | both)])
    first, second = words[U(WAYS) + (one << U(8) | i)], words[U(WAYS) + (two << U(8) | j)]
    third = words[U(WAYS) + (three << U(8) | k)]
    last = words[U(HONOUR_WAYS) + (four << U(8) | honours)]
    found = _helped(a, first, words) | _helped(b, second, words) << U(9)
    found |= _helped(c, third, words) << U(18) | _helped(h, last, words) << U(27)
    return INT(U(first) >> U(8)), found


@kernel
def write_useful(numbers: Any, states: States, words: Words, out: Any) -> None:
    """Write the useful tiles of hands given as state numbers, shape (N, 3) or (N, 4)."""
    full = numbers.shape[1] == 4
    h = states[U(HONOURS)]
    for row in range(len(numbers)):
        a, b, c = states[numbers[row, 0]], states[numbers[row, 1]], states[numbers[row, 2]]
        if full:
            h = states[U(HONOURS) + U(numbers[row, 3])]
        _, out[row] = _useful(a, b, c, h, words)


@inner
def _even_bits(words: Any) -> Any:
    """Return every other bit of the two halves of a word, nine bits of each."""
    words &= U(0x5555_5555_5555_5555)
    words = (words | words >> U(1)) & U(0x3333_3333_3333_3333)
    words = (words | words >> U(2)) & U(0x0F0F_0F0F_0F0F_0F0F)
    words = (words | words >> U(4)) & U(0x00FF_00FF_00FF_00FF)
    words = (words | words >> U(8)) & U(0x0000_FFFF_0000_FFFF)
    return (words | words >> U(23)) & U(0x3FFFF)


@inner
def _number(row: Bytes, suit: int, steps: Ranks, starts: Ranks) -> Any:
    """Return the state number of a suit (3: the honours), read from its copies."""
    start = U(9 * suit)
    kinds = 7 if suit == 3 else 9
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
    number = INT(1 << 2 * kinds) + starts[kinds, tiles]
    for rank in range(kinds):
        held = INT(row[start + U(rank)])
        number += steps[kinds - rank, tiles, four, held]
        tiles -= held
        four |= held >> 2
    return number


@inner
def _without_melds(forms: int, tally: Integers) -> int:
    """Return the lesser deficiency of seven pairs and thirteen orphans, as far as asked."""
    pairs, singles, orphans, twice = tally[0], tally[1], tally[2], tally[3]
    best = UNREACHABLE
    if forms & PAIRS_TOO:
        made = min(pairs, 7)
        best = 14 - 2 * made - min(singles, 7 - made)
    if forms & ORPHANS_TOO:
        best = min(best, 13 - orphans + (twice == 0))
    return best


@inner
def _tally(row: Bytes, kind: int, by: int, orphan: Bytes, tally: Integers) -> None:
    """Count a kind into pairs, singles, orphans and orphans held twice, or out of them."""
    held = INT(row[kind])
    tally[0] += by * (held >= 2)
    tally[1] += by * (held == 1)
    if orphan[kind]:
        tally[2] += by * (held >= 1)
        tally[3] += by * (held >= 2)


@inner
def _add(row: Bytes, kind: int, by: int, orphan: Bytes, tally: Integers) -> None:
    """Put a tile in the row or take one out, and keep the tally right."""
    _tally(row, kind, -1, orphan, tally)
    row[kind] += by
    _tally(row, kind, 1, orphan, tally)


@inner
def _helps_without_melds(
    row: Bytes, unseen: Any, forms: int, least: int, tally: Integers, orphan: Bytes
) -> Any:
    """Return the kinds that make the forms without melds lack less than the least."""
    found = U(0)
    for kind in range(row.size):
        if unseen >> U(kind) & U(1) and row[kind] < 4:
            _add(row, kind, 1, orphan, tally)
            if _without_melds(forms, tally) < least:
                found |= U(1) << U(kind)
            _add(row, kind, -1, orphan, tally)
    return found


@kernel
def judge(  # noqa: PLR0912, PLR0915 - one loop that tells one story
    rows: Bytes,
    unseen: Bytes,
    size: int,
    forms: int,
    discarding: bool,
    orphan: Bytes,
    steps: Ranks,
    starts: Ranks,
    states: States,
    words: Words,
    deficiency: NDArray[np.int8],
    useful: NDArray[np.int16],
) -> int:
    """Judge every discard of every hand, or every hand as it is.

    Parameters
    ----------
    rows
        Copies held, shape ``(N, K)``.
    unseen
        Copies that may arrive, in the same shape; or no rows, for all that are not held.
    size
        Tiles of every hand, called ones not counted.
    forms
        ``STANDARD_TOO``, ``PAIRS_TOO`` and ``ORPHANS_TOO``, added up.
    discarding
        Whether hands are judged after each discard.
    orphan
        1 for each terminal and honour, shape ``(K,)``.
    deficiency, useful
        Written where there is something to discard, shape ``(N, K)``, or ``(N, 1)`` if not
        discarding: the deficiency and the copies unseen that would lower it.

    Returns
    -------
    int
        The first row that is not a hand, or -1.
    """
    width = rows.shape[1]
    full = width == 34
    row = np.empty(width, np.uint8)
    numbers = np.zeros(4, np.uint64)
    tally = np.zeros(4, np.int64)
    for i in range(rows.shape[0]):
        if full:
            high, first, others = full_row(rows, 34 * i)
        else:
            high, first, others = m0_row(rows, 27 * i)
        numbers[0], numbers[1] = first & _LOW, first >> U(32)
        numbers[2], numbers[3] = others & _LOW, others >> U(32)
        # Copies held in binary: a bit for each kind in each of three words.
        ones = _even_bits(first) | _even_bits(others) << U(18)
        twos = _even_bits(first >> U(1)) | _even_bits(others >> U(1)) << U(18)
        fours = U(0)
        by_row = high or forms != STANDARD_TOO
        if by_row:
            tally[:] = 0
            ones = twos = U(0)
            for kind in range(width):
                held = U(rows[i, kind])
                if held > 4:
                    return i
                row[kind] = held
                ones |= (held & U(1)) << U(kind)
                twos |= (held >> U(1) & U(1)) << U(kind)
                fours |= (held >> U(2)) << U(kind)
                _tally(row, kind, 1, orphan, tally)
        if num_bits(ones) + 2 * num_bits(twos) + 4 * num_bits(fours) != size:
            return i
        if high:
            for suit in range(3 + full):
                numbers[suit] = _number(row, suit, steps, starts)
        a, b, c = states[numbers[0]], states[numbers[1]], states[numbers[2]]
        h = states[U(HONOURS) + numbers[3]]
        kept = ones | twos | fours if discarding else U(1)
        if len(unseen):  # and likewise the copies that cannot arrive
            ones = twos = fours = U(0)
            for kind in range(width):
                gone = U(4 - unseen[i, kind])
                ones |= (gone & U(1)) << U(kind)
                twos |= (gone >> U(1) & U(1)) << U(kind)
                fours |= (gone >> U(2)) << U(kind)
        while kept:
            kind = num_bits((kept & -kept) - U(1))
            kept &= kept - U(1)
            suit = U(kind) // U(9)
            number = numbers[suit]
            one, two, three, four = a, b, c, h
            if discarding:
                if by_row:
                    _add(row, kind, -1, orphan, tally)
                if high:
                    number = U(_number(row, suit, steps, starts))
                else:
                    number -= U(1) << U(2) * (U(kind) - U(9) * suit)
                after = states[number + U(HONOURS if suit == 3 else 0)]
                # In registers: what is read back from where it was just written waits for it.
                one, two = after if suit == 0 else a, after if suit == 1 else b
                three, four = after if suit == 2 else c, after if suit == 3 else h
            least, found = INT(UNREACHABLE), U(0)
            if forms & STANDARD_TOO:
                least, found = _useful(one, two, three, four, words)
            if forms != STANDARD_TOO:
                # One tile lowers a form by one at most: one above the least never counts.
                value = _without_melds(forms, tally)
                if value < least:
                    least, found = value, U(0)
                if value == least:
                    found |= _helps_without_melds(row, ~fours, forms, least, tally, orphan)
            copies = 4 * num_bits(found & ~fours) - num_bits(found & ones)
            deficiency[i, kind] = least
            useful[i, kind] = copies - 2 * num_bits(found & twos)
            if discarding and by_row:
                _add(row, kind, 1, orphan, tally)
    return -1
