"""Columns of a table that hold the hands, found by its header or its first row."""

from collections.abc import Collection
from dataclasses import dataclass

from mjopt.errors import FileError, MjoptError
from mjopt.hands.notation import get_notation
from mjopt.hands.tiles import FULL, M0, TileSet

UNDERSTOOD = {
    *("hand", "text", "called", "melds", "unseen", "win", "shanten", "deficiency"),
    *("useful", "ukeire", "discard", "decompositions", *FULL.names),
}
"""Names of columns that count in any case."""


def understood_names(header: tuple[str, ...]) -> tuple[str, ...]:
    """Return names of columns, those that are understood in lower case and without spaces.

    A name that stands there exactly so is meant.

    Examples
    --------
    >>> understood_names(("ID", "Hand", " Shanten")), understood_names(("hand", "Hand"))
    (('ID', 'hand', 'shanten'), ('hand', 'Hand'))
    """
    plain = [name.strip().lower() for name in header]
    return tuple(
        [
            other if other in UNDERSTOOD and other not in header else name
            for name, other in zip(header, plain, strict=True)
        ]
    )


@dataclass(frozen=True, slots=True)
class TableLayout:
    """Columns of a table that hold the hand."""

    header: tuple[str, ...]  # the name of every column
    text: int | None = None  # column of its text or list; None for copies per kind
    copies: tuple[int, ...] = ()  # columns of the copies per kind
    delimiter: str = ","
    is_named: bool = True  # whether the first row is the header
    list_tiles: TileSet | None = None  # the tile set of lists of copies, if the file names it


def named_layout(
    header: tuple[str, ...], tiles: TileSet, delimiter: str, label: str
) -> TableLayout | None:
    """Find the hand by column names; None without them, `FileError` if a name is repeated."""
    named = understood_names(header)
    names = _names_of_copies(set(named), tiles)
    if "hand" not in named and names is None:
        return None
    repeated = next((name for name in named if name and named.count(name) > 1), None)
    if repeated is not None:  # ambiguous
        raise FileError(
            f"column {repeated!r} occurs twice", argument=label, expected="each name once"
        )
    if "hand" in named:
        return TableLayout(header, named.index("hand"), (), delimiter)
    copies = tuple(named.index(name) for name in names or ())
    return TableLayout(header, None, copies, delimiter)


def _names_of_copies(header: Collection[str], tiles: TileSet) -> tuple[str, ...] | None:
    """Return the kinds that columns of copies hold: all, or all but the honours of FULL."""
    choices = (tiles.names, M0.names) if tiles == FULL else (tiles.names,)
    return next((names for names in choices if set(names) <= set(header)), None)


def unnamed_layout(
    first: tuple[str, ...], tiles: TileSet, delimiter: str, notation: str
) -> TableLayout | None:
    """Find the hand by the first row of a file; None if no cell or several may be one."""
    names = M0.names if tiles == FULL and len(first) == M0.num_kinds else tiles.names
    if len(first) == len(names) and set(map(str.strip, first)) <= set("01234"):
        return TableLayout(names, None, tuple(range(len(names))), delimiter, is_named=False)
    # A cell with a comma is rather a row with another delimiter than one hand.
    has_commas = notation in ("mpsz", "prefix") and delimiter != ","
    sizes = [0 if has_commas and "," in c else _num_tiles(c, tiles, notation) for c in first]
    largest = max(sizes, default=0)
    if not largest or sizes.count(largest) > 1:
        return None
    column = sizes.index(largest)
    header = [str(number) for number in range(1, len(first) + 1)]
    header[column] = "hand"
    return TableLayout(tuple(header), column, (), delimiter, is_named=False)


def _num_tiles(cell: str, tiles: TileSet, notation: str) -> int:
    """Count the tiles in a cell; 0 if it is not a hand or is the name of a kind."""
    try:
        counts = get_notation(notation).parse(cell, tiles).counts
    except MjoptError:
        return 0
    return 0 if cell in tiles.names else sum(counts)
