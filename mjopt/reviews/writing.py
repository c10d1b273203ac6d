"""Judged discards as files: CSV, JSON lines, Parquet."""

import csv
import io
import json
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from mjopt.datasets.writers.parquet import arrow_table
from mjopt.reviews.judging import Judged
from mjopt.reviews.rows import call_documents, columns, documents
from mjopt.runtime.extras import need

FORMATS: Final = ("parquet", "csv", "jsonl")
_LISTS: Final = ("hand", "red", "unseen", "left", "left_copies")

MEANINGS: Final = {
    "row": "number of the row in this file",
    "game": "where the game was read: file and line",
    "wind": "prevailing wind, 0 for east",
    "round": "number of the round in that wind, from 1",
    "honba": "counters",
    "dealer": "seat that draws first",
    "turn": "which discard of the seat, from 1",
    "seat": "who throws",
    "called": "melds of the seat on the table",
    "declared": "the seat had declared itself ready and had no choice",
    "hand": "concealed copies of each kind before the discard",
    "red": "red fives of characters, dots, bamboos among them",
    "unseen": "copies of each kind that the seat cannot see",
    "discard": "tile thrown: 0..33 the kinds, 34..36 the red fives",
    "is_drawn": "it is the tile just drawn",
    "before": "least deficiency that any discard leaves",
    "deficiency": "deficiency after the discard",
    "copies": "unseen copies of useful tiles after it",
    "best": "kind to throw by deficiency, then copies; the lowest of equals",
    "best_copies": "unseen copies of useful tiles after that one",
    "rank": "one more than the kinds that are better",
    "moves_away": "the discard raised the deficiency; folding does so too",
    "left": "deficiency after each kind is thrown; 127 if none is held",
    "left_copies": "unseen copies of useful tiles after each kind is thrown",
    "draws": "expected draws after the discard; NaN if not asked",
    "best_draws": "least expected draws among discards that keep the least deficiency",
    "best_by_draws": "the kind that has it; -1 if not asked",
}


def discards_file(judged: Judged, names: Sequence[str], form: str) -> bytes:
    """Return the discards as the content of a file.

    Parameters
    ----------
    judged
        The games.
    names
        What each game is called.
    form
        One of :data:`FORMATS`.
    """
    if form == "parquet":
        return _parquet(judged, names)
    rows = ({**row, "game": names[row["game"]]} for row in documents(judged))
    return _text(rows, form)


def calls_file(judged: Judged, names: Sequence[str], form: str) -> bytes:
    """Return the calls as the content of a file, CSV or JSON lines."""
    return _text(({**row, "game": names[row["game"]]} for row in call_documents(judged)), form)


def _text(rows: Any, form: str) -> bytes:
    text = io.StringIO(newline="")
    if form == "jsonl":
        for row in rows:
            text.write(json.dumps(row, ensure_ascii=False) + "\n")
        return text.getvalue().encode()
    writer = None
    for row in rows:
        if writer is None:
            writer = csv.DictWriter(text, list(row), lineterminator="\n")
            writer.writeheader()
        writer.writerow(row)
    return text.getvalue().encode()


def _parquet(judged: Judged, names: Sequence[str]) -> bytes:
    need("pyarrow", extra="datasets")
    import pyarrow as pa
    from pyarrow import parquet

    found = columns(judged)
    number = len(judged.discards)
    games = np.array(names, object)[judged.discards.game] if number else np.array([], object)
    whole = {"row": np.arange(number, dtype=np.int32), "game": games, **found}
    meant = {name: {"meaning": MEANINGS[name]} for name in whole}
    fields = [
        pa.field(name, _type(name, values), nullable=False, metadata=meant[name])
        for name, values in whole.items()
    ]
    made = arrow_table(whole, pa.schema(fields))
    sink = io.BytesIO()
    parquet.write_table(made, sink, compression="zstd", compression_level=1)
    return sink.getvalue()


def _type(name: str, values: Any) -> Any:
    import pyarrow as pa

    if name == "game":
        return pa.string()
    kind = pa.from_numpy_dtype(values.dtype)
    if name not in _LISTS:
        return kind
    return pa.list_(pa.field("element", kind, nullable=False), values.shape[1])
