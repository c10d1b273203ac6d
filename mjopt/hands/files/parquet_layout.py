"""Columns of Parquet files that hold hands: text, lists, or a column a kind."""

import re
from typing import TYPE_CHECKING, Final

from mjopt.errors import FileError
from mjopt.hands.tiles import TILE_SETS, TileSet

if TYPE_CHECKING:
    import pyarrow as pa

HAND_COLUMNS: Final = ("hand", "text")
"""Columns that can hold the hand: the first that holds text or lists."""

_UNNAMED_INDEX = re.compile(r"__index_level_\d+__")


def table_columns(schema: "pa.Schema") -> tuple[str, ...]:
    """Return the columns of a table, without the row numbers that pandas stores beside them.

    An index with a name is a column like the others.
    """
    return tuple(name for name in schema.names if not _UNNAMED_INDEX.fullmatch(name))


def hand_column(schema: "pa.Schema", label: str) -> str | None:
    """Return the column of the hands as text or lists, if there is one.

    A column ``hand`` of another type is a `FileError` whose message begins with ``label``.
    """
    for name in HAND_COLUMNS:
        alike = [other for other in schema.names if other.strip().lower() == name]
        named = [name] * schema.names.count(name) or alike
        if len(named) != 1:  # a repeated name is refused later
            continue
        kind = schema.field(named[0]).type
        if _is_text(kind) or (name == "hand" and _is_list(kind)):
            return named[0]
    if schema.names.count("hand") == 1:
        raise FileError(
            f"column 'hand' holds {schema.field('hand').type}",
            argument=label,
            expected="text, or lists of copies per kind or of tiles",
        )
    return None


def _is_text(kind: "pa.DataType") -> bool:
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        return _is_text(kind.value_type)
    # A column without any value has the type null.
    return str(kind) in ("string", "large_string", "string_view", "null")


def _is_list(kind: "pa.DataType") -> bool:
    """Return whether a column holds lists of numbers or of names of tiles."""
    import pyarrow as pa

    tests = (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list)
    if not any(test(kind) for test in tests):
        return False
    is_number = pa.types.is_integer(kind.value_type) or pa.types.is_floating(kind.value_type)
    return is_number or _is_text(kind.value_type)


def stored_tiles(schema: "pa.Schema") -> TileSet | None:
    """Return the tile set that the files of a dataset name; None in other files."""
    name = (schema.metadata or {}).get(b"mjopt.tiles", b"")
    return TILE_SETS.get(name.decode("utf-8", "replace"))


def stored_called(schema: "pa.Schema") -> int:
    """Return the called melds of every hand that the files of a dataset name; else 0."""
    number = (schema.metadata or {}).get(b"mjopt.called", b"")
    return int(number) if re.fullmatch(rb"[1-9]|10", number) else 0
