"""One hand at a time: look-ups in plain Python, nothing to compile."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from mjopt.hands.forms import STANDARD, UNREACHABLE, check_forms
from mjopt.hands.tiles import COPIES
from mjopt.tables.checks import check_called, explain, tiles_by_length
from mjopt.tables.special import special_deficiency
from mjopt.tables.states import MOST_TILES, rank_tables
from mjopt.tables.store import answers, load_tables

_DIGITS: Final = b"0123".ljust(256, b"x")
_STANDARD_ONLY: Final = (STANDARD,)


def label_one(
    counts: Sequence[int],
    called: int = 0,
    *,
    forms: Iterable[str] = _STANDARD_ONLY,
    partial: bool = False,
) -> int:
    """Return the deficiency of one hand in a few microseconds.

    Parameters
    ----------
    counts
        Copies per kind, 27 or 34 of them.
    called
        Melds on the table.
    forms
        Which forms count as a win; the least deficiency over them is returned.
    partial
        Allow fewer tiles than a hand has.

    Raises
    ------
    TileError, HandError
        If the counts are not a hand.

    Examples
    --------
    >>> label_one([3, 1, 1, 1, 1, 1, 1, 1, 3, 1] + [0] * 17)
    1
    >>> label_one([1, 0, 0, 0, 0, 0, 0, 0, 1] * 3 + [1] * 6 + [2])
    8
    >>> label_one([0] * 33 + [2], called=4)
    0
    """
    value = _standard_value(counts, called, partial)
    if value < 0:
        check_called(called)
        raise explain([int(copies) for copies in counts], called=called, partial=partial)
    if forms == _STANDARD_ONLY:
        return value
    chosen = check_forms(forms, tiles_by_length(len(counts)))
    held = [int(copies) for copies in counts]
    special = special_deficiency(held, chosen) if not called else UNREACHABLE
    return min(value, special) if STANDARD in chosen else special


def _standard_value(counts: Sequence[int], called: int, partial: bool) -> int:
    """Return the deficiency of the standard form, negative if this is not a hand."""
    try:
        held = bytes(counts)
    except ValueError:  # a number below 0 or above 255
        return -1
    full = len(held) == 34
    if not full and len(held) != 27:
        tiles_by_length(len(held))
    suit_class, honour_class, pair, mixed = _classes()
    try:
        first = suit_class[_number(held[:9])]
        second = suit_class[_number(held[9:18])]
        third = suit_class[_number(held[18:27])]
        rest = mixed[third, honour_class[_number(held[27:])]] if full else third
    except ValueError:  # more than four of a kind, or more than fourteen tiles
        return -1
    return _answers(len(held), called, partial)[pair[first, second], rest]


def _number(held: bytes) -> int:
    try:
        return int(held.translate(_DIGITS)[::-1], 4)  # the first rank is the lowest digit
    except ValueError:  # four of a kind, at least
        return state_number(held)


def state_number(copies: Sequence[int]) -> int:
    """Return the number of one state.

    Raises
    ------
    ValueError
        If it has none: more than four copies, or more than fourteen tiles.

    Examples
    --------
    >>> state_number([1, 2, 0]), state_number([0, 0, 4])
    (9, 64)
    """
    if max(copies) < COPIES:
        return sum(held << 2 * rank for rank, held in enumerate(copies))
    left = sum(copies)
    if left > MOST_TILES or max(copies) > COPIES:
        raise ValueError(f"not the state of a suit: {list(copies)}")
    steps, starts = _rank_lists()
    kinds = len(copies)
    number: int = 4**kinds + starts[kinds][left]
    seen = 0
    for rank, held in enumerate(copies):
        number += steps[kinds - rank][left][seen][held]
        left -= held
        seen |= held == COPIES
    return number


@cache
def _rank_lists() -> tuple[list[list[list[list[int]]]], list[list[int]]]:
    steps, starts = rank_tables()
    return steps.tolist(), starts.tolist()


# Memory views are read several times faster than arrays, and copy nothing.
@cache
def _classes() -> tuple[memoryview, memoryview, memoryview, memoryview]:
    tables = load_tables()
    return (
        tables.suit_class.data,
        tables.honour_class.data,
        tables.pair_class.data,
        tables.mixed_class.data,
    )


@cache
def _answers(num_kinds: int, called: int, partial: bool) -> memoryview:
    return answers(num_kinds, check_called(called), partial=partial).data
