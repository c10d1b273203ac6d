"""Parquet files: row groups of one block, zstd, a typed schema, and what the file is.

Chosen by measuring 122,880 deals with their labels (nanoseconds of one core and bytes a
row; the machine was busy): the copies dictionary-encoded 617 and 9.1, plain 708 and 15.8
(the format knows no bytes, so each copy is four), split into byte streams 400 and 9.8,
delta-packed 417 and 12.6. Byte streams of integers are newer than many readers, and the
dictionary is the smallest, so the dictionary it is. Levels of zstd above 1 cost time and
save nothing here. Row numbers packed as differences take one byte in a hundred rows.
"""

import json
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Final

import numpy as np

from mjopt._internal.optional_deps import need
from mjopt.datasets.plan import DatasetPlan
from mjopt.datasets.recipes.base import BLOCK_ROWS
from mjopt.datasets.writers.base import Columns, Writer
from mjopt.hands.tiles import TILE_SETS

LEVEL: Final = 1  # of zstd


def arrow_schema(plan: DatasetPlan, split: str, shard: int) -> Any:
    """Return the schema of a file, with everything about it in the metadata."""
    import pyarrow as pa

    copies = pa.field("element", pa.uint8(), nullable=False)
    types = {
        "hand": pa.list_(copies, TILE_SETS[plan.tiles].num_kinds),
        "bool": pa.bool_(),
        "string": pa.string(),
        "float64": pa.float64(),
    }
    fields = [
        pa.field(
            column.name,
            types.get(column.kind) or pa.type_for_alias(column.kind),
            nullable=False,
            metadata={"meaning": column.meaning},
        )
        for column in plan.columns()
    ]
    document = plan.to_document()
    about = {
        f"mjopt.{key}": value if isinstance(value, str) else json.dumps(value)
        for key, value in document.items()
    }
    return pa.schema(fields, metadata={**about, "mjopt.split": split, "mjopt.shard": str(shard)})


def arrow_table(columns: Columns, schema: Any) -> Any:
    """Return columns as a table of a schema, copying little.

    They are handed over as bytes: `pyarrow.array` would load pandas first.
    """
    import pyarrow as pa

    num_rows = len(columns["row"])
    arrays = []
    for field in schema:
        values = columns[field.name]
        if field.type == pa.string():
            content, lengths = _text_and_lengths(values, num_rows)
            offsets = np.concatenate([[np.int32(0)], np.cumsum(lengths, dtype=np.int32)])
            arrays.append(
                pa.StringArray.from_buffers(num_rows, *map(pa.py_buffer, (offsets, content)))
            )
            continue
        is_hand = pa.types.is_fixed_size_list(field.type)
        kind = field.type.value_type if is_hand else field.type
        flat = np.ascontiguousarray(values).reshape(-1)
        packed = np.packbits(flat, bitorder="little") if flat.dtype == bool else flat
        array = pa.Array.from_buffers(kind, len(flat), [None, pa.py_buffer(packed)])
        arrays.append(
            pa.FixedSizeListArray.from_arrays(array, type=field.type) if is_hand else array
        )
    return pa.Table.from_arrays(arrays, schema=schema)


def _text_and_lengths(values: Any, num_rows: int) -> tuple[Any, Any]:
    """Return all texts of a column in one, and how many bytes each has."""
    if isinstance(values, str):
        return values.encode() * num_rows, np.full(num_rows, len(values.encode()))
    if values.dtype.kind == "S":
        padded = values.view(np.uint8).reshape(-1, values.itemsize)
        return padded[padded > 0], (padded > 0).sum(axis=1)
    texts = [text.encode() for text in values]
    return b"".join(texts), list(map(len, texts))


class ParquetWriter(Writer):
    """Writes one split of one shard as a Parquet file."""

    def __init__(
        self, plan: DatasetPlan, folder: Path, split: str, shard: int, stack: ExitStack
    ) -> None:
        need("pyarrow", extra="datasets")
        from pyarrow import parquet

        super().__init__(plan, folder, split, shard, stack)
        self._schema = arrow_schema(plan, split, shard)
        kinds = {column.name: column.kind for column in self._columns}
        repeated = [
            f"{name}.list.element" if kind == "hand" else name
            for name, kind in kinds.items()
            if kind in ("hand", "int8", "float64") or name == "engine"
        ]
        self._writer = parquet.ParquetWriter(
            self._files[0],
            self._schema,
            compression="zstd",
            compression_level=LEVEL,
            use_dictionary=repeated,
            column_encoding={"row": "DELTA_BINARY_PACKED"},
            write_statistics=[name for name, kind in kinds.items() if kind in _ORDERED],
        )
        stack.push(self._abandon)
        self._waiting: list[Any] = []
        self._num_waiting = 0

    def _abandon(self, kind: object, *_: object) -> None:
        """After an error, close at once: left to itself the writer would complain later."""
        if kind is not None:
            with suppress(Exception):
                self._writer.close()

    def _add(self, columns: Columns) -> None:
        """Write whole row groups; keep the rest."""
        table = arrow_table(columns, self._schema)
        self._waiting.append(table)
        self._num_waiting += table.num_rows
        while self._num_waiting >= BLOCK_ROWS:
            self._write(BLOCK_ROWS)

    def _write(self, num_rows: int) -> None:
        import pyarrow as pa

        table = pa.concat_tables(self._waiting)
        self._writer.write_table(table.slice(0, num_rows), row_group_size=BLOCK_ROWS)
        self._waiting = [table.slice(num_rows)]
        self._num_waiting -= num_rows

    def _finish(self) -> None:
        """Write the last rows and the footer."""
        if self._num_waiting:
            self._write(self._num_waiting)
        self._writer.close()


_ORDERED: Final = ("bool", "int8", "int32", "int64")
