"""Hands as lists in a cell: copies per kind, names of tiles, or numbers of tiles."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from mjopt._internal.cells import count_in, is_absent, whole_number
from mjopt._internal.sanitize import short_repr
from mjopt.errors import FileError
from mjopt.hands.notation.number_codes import Codes42, Codes52, Codes121
from mjopt.hands.notation.readings import NAMED
from mjopt.hands.tiles import FULL, M0, TileSet, from_full, places_in_full

IDS: Final = "ids136"
NUMBERED: Final = (IDS, *NAMED)
"""Notations that write a number for each tile."""

MOST_TILES: Final = 18
"""Longest list that is a hand of tiles rather than copies of too few kinds."""

_LAST_TENHOU: Final = 53  # the last code of its logs, which no notation of ours reads
ONLY_IDS: Final = frozenset(map(str, range(_LAST_TENHOU + 1, FULL.num_tiles))).difference(
    Codes121.symbols.values(), Codes52.symbols.values(), Codes42.symbols.values()
)
"""Numbers of tiles that no other way of numbering them has."""


def has_ids(lists: Iterable[Sequence[Any]]) -> bool:
    """Return whether some list holds a number that only ``ids136`` has."""
    return any(
        str(whole_number(item)) in ONLY_IDS
        for items in lists
        if len(items) <= MOST_TILES
        for item in items
    )


def text_of_tiles(items: Sequence[Any]) -> str:
    """Write names or numbers of tiles apart.

    Examples
    --------
    >>> text_of_tiles(["1m", "東"]), text_of_tiles([0, 16.0])
    ('1m 東', '0 16')
    >>> text_of_tiles(["1m", None])
    Traceback (most recent call last):
    mjopt.errors.FileError: item 1: no tile, expected its name or number
    """
    words = []
    for place, item in enumerate(items):
        word = item if isinstance(item, str) else whole_number(item)
        if word is None or is_absent(word):
            found = "no tile" if is_absent(item) else short_repr(item)
            raise FileError(found, position=place, unit="item", expected="its name or number")
        words.append(str(word))
    return " ".join(words)


def counts_of_list(
    numbers: Sequence[Any], tiles: TileSet, stored: TileSet | None
) -> tuple[int, ...]:
    """Return a list of copies per kind as counts of ``tiles``; their range is not checked.

    The list has the 34 kinds of ``FULL``, or the 27 of the tile set ``stored`` that the file names,
    else of ``tiles`` if it has 27, else of ``M0``. A `TileError` says that the tile set lacks a
    kind that has copies.

    Examples
    --------
    >>> counts_of_list([2] + [0] * 33, M0, None) == (2,) + (0,) * 26
    True
    >>> counts_of_list([1] * 4, M0, None)
    Traceback (most recent call last):
    mjopt.errors.FileError: 4 numbers, expected 27 or 34, one per kind; numbers of tiles need ...
    >>> counts_of_list([None] * 34, FULL, None)
    Traceback (most recent call last):
    mjopt.errors.FileError: 1m: no number, expected a whole number
    """
    is_own = len(numbers) == tiles.num_kinds and stored in (None, tiles)
    source = tiles if is_own else stored or (FULL if len(numbers) == FULL.num_kinds else M0)
    if len(numbers) != source.num_kinds:
        expected = str(source.num_kinds) if stored else f"{M0.num_kinds} or {FULL.num_kinds}"
        is_hand = 0 < len(numbers) <= MOST_TILES
        raise FileError(
            f"{len(numbers)} numbers",
            expected=f"{expected}, one per kind",
            hint=f"numbers of tiles need a notation, such as {IDS}" if is_hand else "",
        )
    if set(map(type, numbers)) == {int}:
        counts = tuple(numbers)
    else:
        named = zip(numbers, source.names, strict=True)
        counts = tuple([count_in(copies, name) for copies, name in named])
    if is_own:
        return counts
    wide = [0] * FULL.num_kinds
    for place, copies in zip(places_in_full(source), counts, strict=True):
        wide[place] = copies
    return tuple(wide if tiles == FULL else from_full(wide, tiles))
