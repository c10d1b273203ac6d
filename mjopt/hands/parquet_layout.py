"""Columns of Parquet files that hold hands: text, lists of copies per kind, or a column a kind."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from mjopt.errors import FileError
from mjopt.hands.tiles import FULL, M0, TILE_SETS, TileSet, from_full, places_in_full

if TYPE_CHECKING:
    import pyarrow as pa

HAND_COLUMNS: Final = ("hand", "text")
"""Columns that can hold the hand: the first that holds text or lists of numbers."""

_UNNAMED_INDEX = re.compile(r"__index_level_\d+__")


def table_columns(schema: "pa.Schema") -> tuple[str, ...]:
    """Return the columns of a table, without the row numbers that pandas stores beside them.

    An index with a name is a column like the others.
    """
    return tuple(name for name in schema.names if not _UNNAMED_INDEX.fullmatch(name))


def hand_column(schema: "pa.Schema", label: str) -> tuple[str | None, bool]:
    """Return the column of the hands, and whether it holds lists of copies per kind.

    Parameters
    ----------
    schema
        The schema of the file.
    label
        Name of the file in messages.

    Raises
    ------
    FileError
        If there is a column ``hand`` of another type.
    """
    for name in HAND_COLUMNS:
        alike = [other for other in schema.names if other.strip().lower() == name]
        named = [name] * schema.names.count(name) or alike
        if len(named) != 1:  # a repeated name is refused later
            continue
        kind = schema.field(named[0]).type
        if _is_text(kind) or (name == "hand" and _is_numbers(kind)):
            return named[0], not _is_text(kind)
    if schema.names.count("hand") == 1:
        raise FileError(
            f"column 'hand' holds {schema.field('hand').type}",
            argument=label,
            expected="text, or lists of copies per kind",
        )
    return None, False


def _is_text(kind: "pa.DataType") -> bool:
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        return _is_text(kind.value_type)
    # A column without any value has the type null.
    return str(kind) in ("string", "large_string", "string_view", "null")


def _is_numbers(kind: "pa.DataType") -> bool:
    import pyarrow as pa

    tests = (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list)
    if not any(test(kind) for test in tests):
        return False
    return any(test(kind.value_type) for test in (pa.types.is_integer, pa.types.is_floating))


def stored_tiles(schema: "pa.Schema") -> TileSet | None:
    """Return the tile set that the files of a dataset name; None in other files."""
    name = (schema.metadata or {}).get(b"mjopt.tiles", b"")
    return TILE_SETS.get(name.decode("utf-8", "replace"))


def stored_called(schema: "pa.Schema") -> int:
    """Return the called melds of every hand that the files of a dataset name; else 0."""
    number = (schema.metadata or {}).get(b"mjopt.called", b"")
    return int(number) if re.fullmatch(rb"[1-9]|10", number) else 0


def counts_of_list(
    numbers: Sequence[Any] | None, tiles: TileSet, stored: TileSet | None
) -> tuple[Any, ...]:
    """Return a list of copies per kind as counts of a tile set; their values are not checked.

    Parameters
    ----------
    numbers
        Copies of the 34 kinds of ``FULL``, or of the 27 kinds of the stored tile set, else of
        ``tiles`` if it has 27, else of ``M0``; None for an empty cell.
    tiles
        The tile set of the result.
    stored
        The tile set that the file names.

    Raises
    ------
    FileError
        If there are more or fewer numbers.
    TileError
        If the tile set lacks a kind that has copies.

    Examples
    --------
    >>> counts_of_list([2] + [0] * 33, M0, None) == (2,) + (0,) * 26
    True
    >>> counts_of_list([1] * 4, M0, None)
    Traceback (most recent call last):
    mjopt.errors.FileError: 4 numbers, expected 27 or 34, one per kind
    """
    if numbers is None:
        return (0,) * tiles.num_kinds
    if len(numbers) == tiles.num_kinds and stored in (None, tiles):
        return tuple(numbers)
    source = stored or (FULL if len(numbers) == FULL.num_kinds else M0)
    if len(numbers) != source.num_kinds:
        expected = str(source.num_kinds) if stored else f"{M0.num_kinds} or {FULL.num_kinds}"
        raise FileError(f"{len(numbers)} numbers", expected=f"{expected}, one per kind")
    wide = [0] * FULL.num_kinds
    for place, copies in zip(places_in_full(source), numbers, strict=True):
        wide[place] = copies or 0
    return tuple(wide if tiles == FULL else from_full(wide, tiles))
