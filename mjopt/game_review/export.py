"""Write evaluated discards as CSV, JSON lines or Parquet."""

import csv
import io
import json
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from mjopt._internal.optional_deps import need
from mjopt.datasets.arrow import arrow_table
from mjopt.game_review.evaluate import Evaluation
from mjopt.game_review.schema import MEANINGS, call_documents, columns, documents

FORMATS: Final = ("parquet", "csv", "jsonl")
_LISTS: Final = ("hand", "red", "unseen", "left", "left_copies")


def discards_file(judged: Evaluation, names: Sequence[str], form: str) -> bytes:
    """Return the discards as file content in one of :data:`FORMATS`; ``names`` has game names."""
    if form == "parquet":
        return _parquet(judged, names)
    rows = ({**row, "game": names[row["game"]]} for row in documents(judged))
    return _text(rows, form)


def calls_file(judged: Evaluation, names: Sequence[str], form: str) -> bytes:
    """Return the calls as file content, CSV or JSON lines."""
    return _text(({**row, "game": names[row["game"]]} for row in call_documents(judged)), form)


def _text(rows: Any, form: str) -> bytes:
    text = io.StringIO(newline="")
    if form == "jsonl":
        for row in rows:
            text.write(json.dumps(row, ensure_ascii=False) + "\n")
        return text.getvalue().encode()
    writer = csv.writer(text, lineterminator="\n")
    for number, row in enumerate(rows):
        if not number:
            writer.writerow(row)
        writer.writerow(row.values())
    return text.getvalue().encode()


def _parquet(judged: Evaluation, names: Sequence[str]) -> bytes:
    need("pyarrow", extra="datasets")
    import pyarrow as pa
    from pyarrow import parquet

    discard_columns = columns(judged)
    number = len(judged.discards)
    games = np.array(names, object)[judged.discards.game] if number else np.array([], object)
    whole = {"row": np.arange(number, dtype=np.int32), "game": games, **discard_columns}
    metadata = {name: {"meaning": MEANINGS[name]} for name in whole}
    fields = [
        pa.field(name, _type(name, values), nullable=False, metadata=metadata[name])
        for name, values in whole.items()
    ]
    table = arrow_table(whole, pa.schema(fields))
    sink = io.BytesIO()
    parquet.write_table(table, sink, compression="zstd", compression_level=1)
    return sink.getvalue()


def _type(name: str, values: Any) -> Any:
    import pyarrow as pa

    if name == "game":
        return pa.string()
    kind = pa.from_numpy_dtype(values.dtype)
    if name not in _LISTS:
        return kind
    return pa.list_(pa.field("element", kind, nullable=False), values.shape[1])
