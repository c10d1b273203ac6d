"""Look up the deficiency of one hand in plain Python, without compilation."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

import numpy as np

from mjopt._internal.sanitize import short_repr
from mjopt.hands.hand import check_called
from mjopt.hands.query import HandQuery
from mjopt.hands.rule_set import WinningForm
from mjopt.hands.tiles import COPIES, FULL, M0, TileSet, as_list, as_tiles, check_counts
from mjopt.hands.winning_forms import (
    DEFAULT_FORM,
    UNREACHABLE,
    Forms,
    check_forms,
    has_plain,
)
from mjopt.tables.hand_tables import standard_tables
from mjopt.tables.state_index import MOST_TILES, number_of
from mjopt.tables.template_cost import least_missing
from mjopt.tables.validation import not_a_hand, tiles_by_length

_BY_LENGTH: Final = {27: M0, 34: FULL}

Copies = tuple[int, ...]


def look_up(query: HandQuery) -> int:
    """Return the deficiency of a query about a tile set with tables.

    Examples
    --------
    >>> look_up(HandQuery("1112345678999m1p")), look_up(HandQuery("12m", called=4))
    (1, 1)
    """
    hand, forms = query.hand, query.forms
    if not (hand.melds or query.is_limited):
        return look_up_counts(hand.counts, hand.called, forms, hand.tiles, partial=hand.partial)
    return look_up_limited(
        hand.counts, query.unseen, hand.called, forms, hand.tiles, partial=hand.partial
    )


def look_up_counts(
    counts: Sequence[int],
    called: int,
    forms: Forms,
    tiles: TileSet,
    *,
    partial: bool = False,
) -> int:
    """Return :func:`label_one` for valid arguments; negative if the counts are not a hand."""
    value = _value(bytes(counts), called, partial, tiles)
    is_final = value < 0 or (len(forms) == 1 and forms[0].is_plain)
    return value if is_final else _least(value, counts, called, forms)


def look_up_limited(
    counts: Copies,
    unseen: Copies,
    called: int,
    forms: Forms,
    tiles: TileSet,
    *,
    partial: bool = False,
) -> int:
    """Return :func:`label_limited_one` without validation, for arguments known to be valid."""
    caps = tuple([min(cap, COPIES - have) for cap, have in zip(unseen, counts, strict=True)])
    if all(cap + have == COPIES for cap, have in zip(caps, counts, strict=True)):
        return look_up_counts(counts, called, forms, tiles, partial=partial)
    least = special_deficiency(counts, forms, caps) if not called else UNREACHABLE
    for form in forms:
        if form.is_plain:
            least = min(least, least_missing(form.templates, tiles, counts, caps, called))
    return least


def label_one(
    counts: Sequence[int],
    called: int = 0,
    *,
    forms: str | Iterable[str | WinningForm] = DEFAULT_FORM,
    partial: bool = False,
    tiles: TileSet | str | None = None,
) -> int:
    """Return the deficiency of one hand in a few microseconds.

    Parameters
    ----------
    counts
        Copies per kind, 27 or 34 of them.
    called
        Melds on the table.
    forms
        The winning forms; the least deficiency over them is returned.
    partial
        Allow fewer tiles than a hand has.
    tiles
        The tile set or its name; by default ``M0`` for 27 counts and ``FULL`` for 34.

    Raises
    ------
    TileError, HandError
        If the counts are not a hand.
    TypeError
        If an argument is of another type.

    Examples
    --------
    >>> label_one([3, 1, 1, 1, 1, 1, 1, 1, 3, 1] + [0] * 17)
    1
    >>> label_one([1, 0, 0, 0, 0, 0, 0, 0, 1] * 3 + [1] * 6 + [2])
    8
    >>> label_one([0] * 33 + [2], called=4)
    0
    """
    if not isinstance(counts, list | tuple):
        counts = _as_counts(counts)
    if tiles is not None and not isinstance(tiles, TileSet):
        tiles = as_tiles(tiles)
    try:
        value = _standard_value(counts, called, partial, tiles)
    except TypeError:
        check_called(called)  # one that is not hashable
        raise
    if value < 0:
        check_called(called)
        held = [int(copies) for copies in counts]
        raise not_a_hand(held, called=called, partial=partial, tiles=tiles)
    if isinstance(forms, str) and forms == DEFAULT_FORM:
        return value
    chosen = check_forms(forms, tiles_by_length(len(counts), tiles))
    return _least(value, [int(copies) for copies in counts], called, chosen)


def label_limited_one(
    counts: Sequence[int],
    unseen: Sequence[int],
    called: int = 0,
    *,
    forms: str | Iterable[str | WinningForm] = DEFAULT_FORM,
    partial: bool = False,
    tiles: TileSet | str | None = None,
) -> int:
    """Return the deficiency of one hand with a limit on the copies that can still arrive.

    Parameters
    ----------
    counts
        Copies per kind, 27 or 34 of them.
    unseen
        Copies of each kind that can still arrive, each in ``0..4``; larger numbers are
        reduced to ``4 - counts``.
    called, forms, partial, tiles
        As for :func:`mjopt.tables.label_one`.

    Returns
    -------
    int
        The deficiency, or ``UNREACHABLE`` if those copies cannot complete the hand.

    Examples
    --------
    >>> hand = [3, 1, 1, 1, 1, 1, 1, 1, 3, 1] + [0] * 17
    >>> label_limited_one(hand, [1] * 27), label_limited_one(hand, [0] * 27) == UNREACHABLE
    (1, True)
    """
    counts = as_list(counts, "counts")
    tiles = tiles_by_length(len(counts), None if tiles is None else as_tiles(tiles))
    check_called(called)
    chosen = check_forms(forms, tiles)
    held = check_counts(counts, tiles)
    left = check_counts(unseen, tiles, what="unseen")
    most = MOST_TILES - 3 * called
    if sum(held) > most or (sum(held) < most - 1 and not partial):
        raise not_a_hand(held, called=called, partial=partial, tiles=tiles)
    return look_up_limited(held, left, called, chosen, tiles, partial=partial)


def special_deficiency(
    counts: Sequence[int], forms: Sequence[WinningForm], unseen: Sequence[int] | None = None
) -> int:
    """Return the least deficiency over the chosen forms without melds.

    Parameters
    ----------
    counts
        Copies per kind, without called melds.
    forms
        Classic forms; those with melds are skipped.
    unseen
        Copies of each kind that can still arrive; by default ``4 - counts``.

    Examples
    --------
    >>> pairs = check_forms("seven_pairs", M0)
    >>> special_deficiency([2] * 6 + [1, 1] + [0] * 19, pairs)
    1
    >>> special_deficiency([1] * 7 + [0] * 20, pairs, [0] * 27) == UNREACHABLE
    True
    """
    others = [form for form in forms if not form.is_plain]
    reach = [COPIES] * len(counts)
    if others and unseen is not None:
        reach = [held + left for held, left in zip(counts, unseen, strict=True)]
    least = UNREACHABLE
    for form in others:
        if form.is_pairs:
            value = _seven_pairs(counts, reach)
        else:
            value = _singles(counts, reach, form.templates[0].of)
        least = min(least, value)
    return least


def _seven_pairs(counts: Sequence[int], reach: Sequence[int]) -> int:
    usable = [held for held, most in zip(counts, reach, strict=True) if most >= 2]
    if len(usable) < 7:
        return UNREACHABLE
    singles = usable.count(1)
    pairs = len(usable) - singles - usable.count(0)
    # Each missing pair needs one tile, and a second one if no single is left for it.
    return max(7 - pairs, 0) + max(7 - pairs - singles, 0)


def _singles(counts: Sequence[int], reach: Sequence[int], kinds: Sequence[int]) -> int:
    twice = [counts[kind] for kind in kinds if reach[kind] >= 2]
    if not twice or min(reach[kind] for kind in kinds) < 1:
        return UNREACHABLE
    missing = sum(counts[kind] == 0 for kind in kinds)
    return int(missing + (max(twice) < 2))


def _least(value: int, counts: Sequence[int], called: int, forms: Forms) -> int:
    """Return the least deficiency over the forms, given that of the standard form."""
    special = special_deficiency(counts, forms) if not called else UNREACHABLE
    return min(value, special) if has_plain(forms) else special


def _as_counts(given: object) -> Sequence[int]:
    """Return counts that are no list: an array, whose bytes are others, or an iterator."""
    if isinstance(given, str) or not hasattr(given, "__iter__"):
        raise TypeError(f"counts: {short_repr(given)}, expected 27 or 34 counts")
    counts = getattr(given, "tolist", lambda: given)()
    return as_list(counts, "counts")


def _standard_value(
    counts: Sequence[int], called: int, partial: bool, tiles: TileSet | None
) -> int:
    """Return the deficiency of the standard form; negative if the counts are not a hand."""
    if isinstance(counts, int | str):  # bytes(9) would be nine zeros
        raise TypeError(f"counts: {short_repr(counts)}, expected 27 or 34 counts")
    try:
        held = bytes(counts)
    except TypeError:
        raise TypeError(f"counts: {short_repr(counts)}, expected 27 or 34 counts") from None
    except ValueError:  # a number below 0 or above 255
        return -1
    if tiles is None:
        tiles = _BY_LENGTH.get(len(held))
    if tiles is None or tiles.num_kinds != len(held) or not tiles.is_built_in:
        tiles = tiles_by_length(len(held), tiles)  # raises the error
    return _value(held, called, partial, tiles)


def _value(held: bytes, called: int, partial: bool, tiles: TileSet) -> int:
    """Return the deficiency of the standard form; negative if the counts are not a hand."""
    parts, pair, other = _classes(tiles)
    try:
        first, second, third, *fourth = [
            classes[number_of(held[kinds])] for kinds, classes in parts
        ]
    except ValueError:  # more than four of a kind, or more than fourteen tiles
        return -1
    rest = other[third, fourth[0]] if fourth else third
    return _answers(tiles, called, partial)[pair[first, second], rest]


# Reading a memory view is several times faster than reading an array; it copies nothing.
@cache
def _classes(
    tiles: TileSet,
) -> tuple[list[tuple[slice, memoryview]], memoryview, memoryview]:
    """Return kinds and classes of each group, and the joins of the first two and of the others."""
    tables = standard_tables(tiles)
    pair, other = (np.asarray(half.numbers, np.uint16).data for half in tables.halves)
    parts = [
        (kinds, part.numbers.data) for kinds, part in zip(tables.kinds, tables.parts, strict=False)
    ]
    return parts, pair, other


@cache
def _answers(tiles: TileSet, called: int, partial: bool) -> memoryview:
    return standard_tables(tiles).answers(check_called(called), partial=partial).data
