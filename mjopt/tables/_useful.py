"""Kernels: the tiles that help a hand, and what every discard leaves.

A discard changes the state of one suit, and what then helps is four look-ups. ``tables``
is one tuple everywhere: classes, pair, rows, kinds, cheapest, honour_rows, honour_kinds,
cheapest_honours, rest, rest_of_honours (see `gains`). Kinds are bits of a word.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjopt.hands.forms import UNREACHABLE
from mjopt.runtime.jit import inner, kernel
from mjopt.tables.store import HONOURS

# The winning forms, added up.
STANDARD_TOO: Final = 1
PAIRS_TOO: Final = 2
ORPHANS_TOO: Final = 4

Bytes = NDArray[np.uint8]
Ranks = NDArray[np.int32]
Integers = NDArray[np.int64]
U: Any = np.uint64
INT: Any = np.int64


@inner
def _helped(kinds: Any, row: Any, shares: Any) -> Any:
    """Return the kinds that help some of these shares."""
    found = U(0)
    share = 0
    while shares:
        if shares & 1:
            found |= U(kinds[row, share])
        shares >>= 1
        share += 1
    return found


# Arrays are unpacked once a call of what follows: each time costs an atomic count of
# references. And 27 kinds have a function of their own, small enough to be inlined.
@inner
def _useful_m0(
    a: Any, b: Any, c: Any, classes: Any, pair: Any, rows: Any, kinds: Any, cheapest: Any
) -> Any:
    """Return the useful tiles of a hand of three suits, by its state numbers."""
    i, j, k = INT(classes[a]), INT(classes[b]), INT(classes[c])
    first = _helped(kinds, rows[a], cheapest[i, pair[j, k]])
    second = _helped(kinds, rows[b], cheapest[j, pair[i, k]])
    third = _helped(kinds, rows[c], cheapest[k, pair[i, j]])
    return first | second << U(9) | third << U(18)


@inner
def _useful_full(
    a: Any, b: Any, c: Any, h: Any, classes: Any, pair: Any, rows: Any, kinds: Any, cheapest: Any,
    honour_rows: Any, honour_kinds: Any, cheapest_honours: Any, rest: Any, rest_of_honours: Any,
) -> Any:  # fmt: skip
    """Return those of a hand of three suits and the honours."""
    i, j, k = INT(classes[a]), INT(classes[b]), INT(classes[c])
    honours = INT(classes[HONOURS + h])
    both = pair[i, j]
    first = _helped(kinds, rows[a], cheapest[i, rest[pair[j, k], honours]])
    second = _helped(kinds, rows[b], cheapest[j, rest[pair[i, k], honours]])
    third = _helped(kinds, rows[c], cheapest[k, rest[both, honours]])
    shares = cheapest_honours[honours, rest_of_honours[both, k]]
    last = _helped(honour_kinds, honour_rows[h], shares)
    return first | second << U(9) | third << U(18) | last << U(27)


@kernel
def write_useful(numbers: Any, tables: Any, out: Any) -> None:
    """Write the useful tiles of hands given as state numbers, shape (N, 3) or (N, 4)."""
    classes, pair, rows, kinds, cheapest = tables[:5]
    honour_rows, honour_kinds, cheapest_honours, rest, rest_of_honours = tables[5:]
    if numbers.shape[1] == 3:
        for row in range(len(numbers)):
            a, b, c = INT(numbers[row, 0]), INT(numbers[row, 1]), INT(numbers[row, 2])
            out[row] = _useful_m0(a, b, c, classes, pair, rows, kinds, cheapest)
    else:
        for row in range(len(numbers)):
            a, b, c = INT(numbers[row, 0]), INT(numbers[row, 1]), INT(numbers[row, 2])
            h = INT(numbers[row, 3])
            out[row] = _useful_full(
                a, b, c, h, classes, pair, rows, kinds, cheapest,
                honour_rows, honour_kinds, cheapest_honours, rest, rest_of_honours,
            )  # fmt: skip


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
    row: Bytes, unseen: Bytes, forms: int, least: int, tally: Integers, orphan: Bytes
) -> Any:
    """Return the kinds that make the forms without melds lack less than the least."""
    found = U(0)
    for kind in range(row.size):
        if unseen[kind] > 0 and row[kind] < 4:
            _add(row, kind, 1, orphan, tally)
            if _without_melds(forms, tally) < least:
                found |= U(1) << U(kind)
            _add(row, kind, -1, orphan, tally)
    return found


@kernel
def judge(  # noqa: PLR0912 - one loop that tells one story
    rows: Bytes,
    unseen: Bytes,
    size: int,
    forms: int,
    discarding: bool,
    orphan: Bytes,
    mixed: Any,
    answer: Any,
    steps: Ranks,
    starts: Ranks,
    tables: Any,
    deficiency: NDArray[np.int8],
    useful: NDArray[np.int16],
) -> int:
    """Judge every discard of every hand, or every hand as it is.

    Parameters
    ----------
    rows, unseen
        Copies held and copies that may arrive, shape ``(N, K)``.
    size
        Tiles of every hand, called ones not counted.
    forms
        ``STANDARD_TOO``, ``PAIRS_TOO`` and ``ORPHANS_TOO``, added up.
    discarding
        Whether hands are judged after each discard.
    orphan
        1 for each terminal and honour, shape ``(K,)``.
    mixed, answer
        The class of a suit and the honours; what a hand lacks, by class of a pair and of
        the rest.
    deficiency, useful
        Written, shape ``(N, K)``, or ``(N, 1)`` if not discarding: the deficiency
        (``UNREACHABLE`` where there is nothing to discard) and the copies unseen that
        would lower it.

    Returns
    -------
    int
        The first row that is not a hand, or -1.
    """
    classes, pair, state_rows, kinds, cheapest = tables[:5]
    honour_rows, honour_kinds, cheapest_honours, rest, rest_of_honours = tables[5:]
    width = rows.shape[1]
    row = np.empty(width, np.uint8)
    suits = np.zeros(4, np.int64)
    tally = np.zeros(4, np.int64)
    for i in range(rows.shape[0]):
        left = unseen[i]
        tiles = most = INT(0)
        for kind in range(width):
            row[kind] = rows[i, kind]
            tiles += INT(row[kind])
            most = max(most, INT(row[kind]))
        if most > 4 or tiles != size:
            return i
        for suit in range(3 + (width == 34)):
            suits[suit] = _number(row, suit, steps, starts)
        for kind in range(width if discarding else 1):
            suit = kind // 9
            before = suits[suit]
            if discarding:
                if row[kind] == 0:
                    deficiency[i, kind], useful[i, kind] = UNREACHABLE, 0
                    continue
                row[kind] -= 1
                suits[suit] = _number(row, suit, steps, starts)
            least, found = UNREACHABLE, U(0)
            if forms & STANDARD_TOO:
                a, b, c, h = suits[0], suits[1], suits[2], suits[3]
                if width == 27:
                    found = _useful_m0(a, b, c, classes, pair, state_rows, kinds, cheapest)
                    other = INT(classes[c])
                else:
                    found = _useful_full(
                        a, b, c, h, classes, pair, state_rows, kinds, cheapest,
                        honour_rows, honour_kinds, cheapest_honours, rest, rest_of_honours,
                    )  # fmt: skip
                    other = INT(mixed[INT(classes[c]), INT(classes[HONOURS + h])])
                least = INT(answer[pair[INT(classes[a]), INT(classes[b])], other])
            if forms != STANDARD_TOO:
                # One tile lowers a form by one at most: one above the least never counts.
                tally[:] = 0
                for at in range(width):
                    _tally(row, at, 1, orphan, tally)
                value = _without_melds(forms, tally)
                if value < least:
                    least, found = value, U(0)
                if value == least:
                    found |= _helps_without_melds(row, left, forms, least, tally, orphan)
            copies = 0
            for at in range(U(width)):
                copies += INT(left[at]) * INT(found >> at & U(1))
            deficiency[i, kind], useful[i, kind] = least, copies
            if discarding:
                row[kind] += 1
                suits[suit] = before
    return -1
