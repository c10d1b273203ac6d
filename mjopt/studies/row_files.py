"""Parquet files of a study: their columns, and bytes that depend on nothing but the rows."""

from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mjopt._internal.folder import replace_whole
from mjopt._internal.optional_deps import need
from mjopt.errors import FileError

Columns = dict[str, npt.NDArray[Any]]

HANDS: Final = {
    "hand": "int32",  # its number in the set, from 0
    "text": "string",  # mpsz
    "deficiency": "int8",  # the true value, all that the hand does not show being unseen
    "num_elements": "int16",  # of S, the paper's NS
    "num_kongs": "int8",  # kinds held four times
    "num_types": "int8",  # suits present
    "certified": "bool",  # whether a certificate of the value was made and checked
}
ROWS: Final = {
    "hand": "int32",
    "value": "int8",  # the best cost found
    "evaluations": "int32",  # spent in all
    "generations": "int32",  # completed; 0 is the initial population
    "hit_evaluations": "int32",  # spent when the value first was at most the deficiency; -1 never
    "hit_generation": "int32",
    "stopped": "int8",  # code of mjopt.heuristics.stopping.StopReason
}
KEPT: Final = tuple(name for name in ROWS if name != "hand")
"""Columns that are kept while a run goes on; the numbers of the hands are known."""
TIMES: Final = {
    "first_hand": "int32",  # of a lot, as a position in the set or in the sample
    "hands": "int32",  # in the lot
    "stop_at_target": "bool",
    "seconds": "float64",  # CPU time of the whole lot, on one thread
}
CURVES: Final = {
    "run": "int16",
    "hand": "int32",
    "generation": "int32",  # 0 is the initial population
    "best": "int8",  # the best cost so far
}


def write_columns(path: Path, schema: dict[str, str], columns: Columns) -> None:
    """Write columns as one Parquet file, whole or not at all.

    The same columns give the same bytes: fixed settings, no times, no metadata of
    the writer but its version.

    Parameters
    ----------
    path
        Where it shall stand; the folder must exist.
    schema
        Names and types of the columns: `HANDS`, `ROWS`, `TIMES` or `CURVES`.
    columns
        One array for each, all of the same length.

    Raises
    ------
    FileError
        If the folder does not exist.
    """
    need("pyarrow", extra="experiments")
    import pyarrow as pa
    import pyarrow.parquet as pq

    fields = [pa.field(*typed, nullable=False) for typed in _arrow_types(schema).items()]
    arrays = [_to_arrow(columns[field.name], field.type) for field in fields]
    table = pa.Table.from_arrays(arrays, schema=pa.schema(fields))
    counting = [name for name in schema if name in ("hand", "first_hand")]
    with replace_whole(path) as file:
        pq.write_table(
            table,
            file,
            version="2.6",
            compression="zstd",
            compression_level=6,
            # Positions grow by one: their differences take no room at all.
            use_dictionary=[name for name in schema if name not in counting],
            column_encoding=dict.fromkeys(counting, "DELTA_BINARY_PACKED"),
            row_group_size=1 << 20,
            write_statistics=False,
            store_schema=False,
            write_page_checksum=True,
        )


def read_columns(path: Path, schema: dict[str, str], *, rows: int | None = None) -> Columns:
    """Read a Parquet file of a study.

    Parameters
    ----------
    path
        The file.
    schema
        The columns it must have.
    rows
        How many rows it must have; None for any number.

    Returns
    -------
    dict
        One array for each column; text as an array of objects.

    Raises
    ------
    FileError
        If it is missing, damaged, or not such a file.
    """
    need("pyarrow", extra="experiments")
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not path.is_file():
        raise FileError(f"{path}: no such file; run the study again to make it")
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            table = file.read(use_threads=False)
        found = {name: table.column(name).combine_chunks() for name in table.column_names}
    except (pa.ArrowException, OSError, ValueError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise FileError(f"{path}: damaged ({reason}); delete it and run the study again") from None
    if {name: column.type for name, column in found.items()} != _arrow_types(schema):
        raise FileError(
            f"{path}: columns {', '.join(found)}; expected {', '.join(schema)} of their types"
        )
    if rows is not None and table.num_rows != rows:
        raise FileError(f"{path}: {table.num_rows} rows, expected {rows}; delete it and run again")
    return {name: _from_arrow(found[name], kind) for name, kind in schema.items()}


# Not by `pyarrow.array` and `to_numpy`: they load pandas, most of a second, and a study
# that is only run needs none.


def _to_arrow(values: npt.NDArray[Any], kind: Any) -> Any:
    """Return a column of Arrow's with the same values."""
    import pyarrow as pa

    if pa.types.is_string(kind):
        texts = [text.encode() for text in values]
        ends = np.cumsum([0, *map(len, texts)], dtype=np.int32)
        parts: list[Any] = [None, ends, b"".join(texts)]
    else:
        plain = np.ascontiguousarray(values).astype(str(kind), casting="safe", copy=False)
        parts = [None, np.packbits(plain, bitorder="little") if kind == pa.bool_() else plain]
    buffers = [part if part is None else pa.py_buffer(part) for part in parts]
    return pa.Array.from_buffers(kind, len(values), buffers)


def _from_arrow(column: Any, kind: str) -> npt.NDArray[Any]:
    """Return the values of a column of Arrow's."""
    if kind in ("string", "bool"):
        return np.array(column.to_pylist(), object if kind == "string" else kind)
    return np.from_dlpack(column)


def _arrow_types(schema: dict[str, str]) -> dict[str, Any]:
    import pyarrow as pa

    return {name: pa.type_for_alias(kind) for name, kind in schema.items()}
