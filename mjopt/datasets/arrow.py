"""Datasets as Arrow tables: schemas, and columns without copies."""

import json
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.arrays import Array
from mjopt.datasets.labels.base import PER_KIND
from mjopt.datasets.plan import DatasetPlan
from mjopt.hands.tiles import FULL, M0, TileSet

if TYPE_CHECKING:
    import pyarrow as pa

Columns = dict[str, Any]
"""Values by column: an array, or one string for all rows."""


def hand_texts(hands: NDArray[np.uint8], tiles: TileSet | None = None) -> NDArray[np.bytes_]:
    """Write hands, shape ``(N, K)``, in mpsz notation, as bytes, shape ``(N,)``.

    The tile set is by default ``M0`` for 27 kinds and ``FULL`` for 34.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> hand = Hand.parse("11m99p123456789s1m")
    >>> hand_texts(np.array([hand.counts], np.uint8)).tolist()
    [b'111m99p123456789s']
    """
    from mjopt.datasets._kernels import write_text

    if tiles is None:
        tiles = FULL if hands.shape[1] == FULL.num_kinds else M0
    # Nine columns for each suit, also for the ranks that it lacks.
    places = [9 * n + rank - 1 for n, suit in enumerate(tiles.suits) for rank in suit.ranks]
    rows = np.zeros((len(hands), 9 * len(tiles.suits)), np.uint8)
    rows[:, places] = hands
    rows.setflags(write=False)  # numba compiles one version for writable and read-only arrays
    letters = np.frombuffer("".join(suit.letter for suit in tiles.suits).encode(), np.uint8)
    most = int(hands.sum(axis=1, dtype=np.int64).max(initial=0))
    texts = np.empty((len(hands), most + len(letters)), np.uint8)
    write_text(rows, letters, texts)
    return texts.view(f"S{texts.shape[1]}").ravel()


def arrow_schema(plan: DatasetPlan, split: str, shard: int) -> "pa.Schema":
    """Return the schema of a data file; its metadata hold the plan."""
    import pyarrow as pa

    lists = {
        kind: pa.list_(
            pa.field("element", pa.type_for_alias(entry), nullable=False), plan.deal.tiles.num_kinds
        )
        for kind, entry in PER_KIND.items()
    }
    types = {
        **lists,
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
    metadata = {
        f"mjopt.{key}": value if isinstance(value, str) else json.dumps(value)
        for key, value in plan.to_document().items()
    }
    return pa.schema(fields, metadata={**metadata, "mjopt.split": split, "mjopt.shard": str(shard)})


def arrow_table(columns: Columns, schema: "pa.Schema") -> "pa.Table":
    """Return columns as a table of a schema.

    Arrays are passed as buffers, since ``pyarrow.array`` would import pandas, which takes longer
    than writing a million rows.
    """
    import pyarrow as pa

    num_rows = len(columns["row"])
    arrays = []
    for field in schema:
        values = columns[field.name]
        if isinstance(values, str):
            arrays.append(pa.repeat(pa.scalar(values), num_rows))
        elif field.type == pa.string():
            arrays.append(_text_array(values))
        elif pa.types.is_fixed_size_list(field.type):
            flat = _flat_array(values.reshape(-1), field.type.value_type)
            arrays.append(pa.FixedSizeListArray.from_arrays(flat, type=field.type))
        else:
            arrays.append(_flat_array(values, field.type))
    return pa.Table.from_arrays(arrays, schema=schema)


def _flat_array(values: Array, kind: "pa.DataType") -> "pa.Array":
    import pyarrow as pa

    values = np.ascontiguousarray(values)
    if values.dtype == bool:  # Arrow stores a bit for each
        packed = np.packbits(values, bitorder="little")
        return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(packed)])
    return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(values)])


def _text_array(texts: Array) -> "pa.Array":
    """Return texts as an array, either zero-padded bytes or an object array of str."""
    import pyarrow as pa

    if texts.dtype.kind == "O":
        return pa.array(texts.tolist(), pa.string())
    from pyarrow import compute

    padded = pa.Array.from_buffers(
        pa.binary(texts.itemsize), len(texts), [None, pa.py_buffer(np.ascontiguousarray(texts))]
    )
    return compute.ascii_rtrim(padded.cast(pa.string()), characters="\0")
