"""Discards and waits judged by the tables, compiled.

A discard changes the class of one suit, a draw that of another or the same one: all
other classes stay, and a hand after both is three look-ups.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjopt.hands.forms import UNREACHABLE
from mjopt.runtime.kernels import kernel
from mjopt.tables.store import HONOURS, NUM_HONOUR, NUM_MIXED, NUM_PAIR, NUM_SUIT

NOT_HELD: Final = UNREACHABLE
STANDARD_TOO: Final = 1
PAIRS_TOO: Final = 2
ORPHANS_TOO: Final = 4

M0_SPAN: Final = NUM_PAIR * NUM_SUIT  # answers for one number of called melds
FULL_SPAN: Final = NUM_PAIR * NUM_MIXED

Bytes = NDArray[np.uint8]
Joins = NDArray[np.uint16]
Labels = NDArray[np.int8]
Ranks = NDArray[np.int32]
Integers = NDArray[np.int64]
INT: Any = np.int64
U: Any = np.uint64


@kernel
def _class_of(row: Bytes, suit: int, classes: Bytes, steps: Ranks, starts: Ranks) -> Any:
    """Return the class of one suit (3: the honours) of a row of counts of at most four."""
    start = U(9 * suit)
    kinds = 7 if suit == 3 else 9
    number = 0
    most = 0
    for rank in range(U(kinds)):
        held = INT(row[start + rank])
        number |= held << INT(2 * rank)
        most |= held
    if most >= 4:
        tiles = 0
        for rank in range(U(kinds)):
            tiles += INT(row[start + rank])
        number = (1 << 2 * kinds) + INT(starts[kinds, tiles])
        four = 0
        for rank in range(kinds):
            held = INT(row[start + U(rank)])
            number += INT(steps[kinds - rank, tiles, four, held])
            tiles -= held
            four |= held >> 2
    return INT(classes[U(number + (HONOURS if suit == 3 else 0))])


@kernel
def _joined(
    width: int,
    suits: Integers,
    first: int,
    first_class: int,
    pair: Joins,
    mixed: Joins,
    answer: Labels,
    offset: int,
) -> Any:
    """Return the deficiency, the class of one suit being another than noted."""
    a = first_class if first == 0 else suits[0]
    b = first_class if first == 1 else suits[1]
    c = first_class if first == 2 else suits[2]
    both = INT(pair[U(a * NUM_SUIT + b)])
    if width == 27:
        return INT(answer[U(offset + both + c)])
    d = first_class if first == 3 else suits[3]
    other = INT(mixed[U(c * NUM_HONOUR + d)])
    return INT(answer[U(offset + both * NUM_MIXED + other)])


@kernel
def _without_melds(forms: int, pairs: int, singles: int, orphans: int, twice: int) -> int:
    """Return the lesser deficiency of seven pairs and thirteen orphans, as far as asked.

    Parameters
    ----------
    forms
        Which of them.
    pairs, singles
        Kinds held at least twice, and once.
    orphans, twice
        Orphan kinds held, and held at least twice.
    """
    best = NOT_HELD
    if forms & PAIRS_TOO:
        made = min(pairs, 7)
        best = 14 - 2 * made - min(singles, 7 - made)
    if forms & ORPHANS_TOO:
        best = min(best, 13 - orphans + (twice == 0))
    return best


@kernel
def _tally(row: Bytes, kind: int, by: int, orphan: Bytes, tally: Integers) -> None:
    """Count a kind into pairs, singles, orphans and orphans held twice, or out of them."""
    held = INT(row[kind])
    tally[0] += by * (held >= 2)
    tally[1] += by * (held == 1)
    if orphan[kind]:
        tally[2] += by * (held >= 1)
        tally[3] += by * (held >= 2)


@kernel
def _add(row: Bytes, kind: int, by: int, orphan: Bytes, tally: Integers) -> None:
    """Put a tile in the row or take one out, and keep the tally right."""
    _tally(row, kind, -1, orphan, tally)
    row[kind] += by
    _tally(row, kind, 1, orphan, tally)


@kernel
def _grow(
    row: Bytes, suit: int, classes: Bytes, steps: Ranks, starts: Ranks, grown: Integers
) -> None:
    """Write the class of a suit with one more of each of its kinds."""
    for kind in range(9 * suit, min(9 * suit + 9, row.size)):
        if row[kind] < 4:
            row[kind] += 1
            grown[kind] = _class_of(row, suit, classes, steps, starts)
            row[kind] -= 1


@kernel
def _judge_one(
    row: Bytes,
    unseen: Bytes,
    suits: Integers,
    grown: Integers,
    forms: int,
    tally: Integers,
    orphan: Bytes,
    pair: Joins,
    mixed: Joins,
    answer: Labels,
    offset: int,
) -> tuple[int, int]:
    """Return the deficiency of a hand before its draw, and its useful copies.

    ``grown`` holds, for each kind, the class of its suit with one more of it.
    """
    width = row.size
    standard = forms & STANDARD_TOO
    least = _joined(width, suits, -1, 0, pair, mixed, answer, offset) if standard else NOT_HELD
    if forms != STANDARD_TOO:
        least = min(least, _without_melds(forms, tally[0], tally[1], tally[2], tally[3]))
    copies = 0
    for kind in range(width):
        if unseen[kind] == 0 or row[kind] == 4:
            continue
        after = NOT_HELD
        if standard:
            after = _joined(width, suits, kind // 9, grown[kind], pair, mixed, answer, offset)
        if forms != STANDARD_TOO:
            _add(row, kind, 1, orphan, tally)
            after = min(after, _without_melds(forms, tally[0], tally[1], tally[2], tally[3]))
            _add(row, kind, -1, orphan, tally)
        if after < least:
            copies += INT(unseen[kind])
    return least, copies


@kernel
def judge(
    rows: Bytes,
    unseen: Bytes,
    called: Bytes,
    forms: int,
    discarding: bool,
    orphan: Bytes,
    classes: Bytes,
    pair: Joins,
    mixed: Joins,
    answer: Labels,
    steps: Ranks,
    starts: Ranks,
    deficiency: Labels,
    useful: NDArray[np.int16],
) -> int:
    """Judge every discard of every hand, or every hand as it is.

    Parameters
    ----------
    rows, unseen
        Copies held and copies that may arrive, shape ``(N, K)``.
    called
        Melds on the table, shape ``(N,)``.
    forms
        ``STANDARD_TOO``, ``PAIRS_TOO`` and ``ORPHANS_TOO``, added up.
    discarding
        Whether hands are judged after each discard.
    orphan
        1 for each terminal and honour, shape ``(K,)``.
    deficiency, useful
        Written, shape ``(N, K)``, or ``(N, 1)`` if not discarding: the deficiency
        (``NOT_HELD`` where there is nothing to discard) and the copies unseen that
        would lower it.

    Returns
    -------
    int
        The first row that is not a hand, or -1.
    """
    width = rows.shape[1]
    row = np.empty(width, np.uint8)
    suits = np.zeros(4, np.int64)
    grown = np.zeros(width, np.int64)
    kept = np.zeros(width, np.int64)
    tally = np.empty(4, np.int64)
    span = M0_SPAN if width == 27 else FULL_SPAN
    for i in range(rows.shape[0]):
        tiles = 3 * INT(called[i])
        most = INT(0)
        tally[:] = 0
        for kind in range(width):
            row[kind] = rows[i, kind]
            tiles += INT(row[kind])
            most = max(most, INT(row[kind]))
            _tally(row, kind, 1, orphan, tally)
        if called[i] > 4 or most > 4 or tiles != (14 if discarding else 13):
            return i
        chosen = forms if called[i] == 0 else forms & STANDARD_TOO
        for suit in range(3 + (width == 34)):
            suits[suit] = _class_of(row, suit, classes, steps, starts)
            _grow(row, suit, classes, steps, starts, grown)
        kept[:] = grown
        for kind in range(width if discarding else 1):
            deficiency[i, kind] = NOT_HELD
            useful[i, kind] = 0
            suit = kind // 9
            before = suits[suit]
            if discarding:
                if row[kind] == 0:
                    continue
                _add(row, kind, -1, orphan, tally)
                suits[suit] = _class_of(row, suit, classes, steps, starts)
                _grow(row, suit, classes, steps, starts, grown)
            least, copies = _judge_one(
                row,
                unseen[i],
                suits,
                grown,
                chosen,
                tally,
                orphan,
                pair,
                mixed,
                answer,
                span * INT(called[i]),
            )
            deficiency[i, kind] = least
            useful[i, kind] = copies
            if discarding:
                _add(row, kind, 1, orphan, tally)
                suits[suit] = before
                for other in range(9 * suit, min(9 * suit + 9, width)):
                    grown[other] = kept[other]
    return -1
