"""Write hands with their labels as CSV, JSON lines or NumPy arrays."""

import csv
import io
import json
from collections.abc import Sequence
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from mjopt.hands.files.hand_file import HandFile
from mjopt.hands.rules.classic_forms import UNREACHABLE

WRITABLE = {".csv": "csv", ".npy": "npy", ".jsonl": "jsonl"}


def free_name(name: str, header: Sequence[str]) -> str:
    """Return a name for a new column: the given one, or with a prefix if it is taken.

    Examples
    --------
    >>> free_name("cost", ["hand"]), free_name("cost", ["hand", "cost"])
    ('cost', 'mjopt_cost')
    """
    while name in header:
        name = f"mjopt_{name}"
    return name


def write_labels(
    file: BinaryIO,
    format: str,
    source: HandFile,
    labels: npt.NDArray[np.int8],
    name: str,
) -> None:
    """Copy the rows of a file and append its label to each; ``UNREACHABLE`` if it cannot win.

    ``csv`` keeps the input's own columns, ``npy`` holds labels alone. The column is named
    ``deficiency`` or ``cost``; see :func:`free_name`.
    """
    name = free_name(name, source.header)
    if format == "npy":
        # Not into the file itself: NumPy asks for its position, which a pipe does not have.
        array = io.BytesIO()
        np.save(array, labels)
        file.write(array.getbuffer())
        return
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    if format == "csv":
        _write_csv(text, source, labels, name)
    else:
        rows = zip(source.cells(), labels.tolist(), strict=True)
        header = source.header
        for cells, label in rows:
            value = None if label == UNREACHABLE else label
            record = {**dict(zip(header, cells, strict=True)), name: value}
            # Parquet cells can be dates or bytes.
            text.write(json.dumps(record, ensure_ascii=False, default=str) + "\n")
    text.flush()
    text.detach()


def _write_csv(
    text: io.TextIOWrapper, source: HandFile, labels: npt.NDArray[np.int8], name: str
) -> None:
    """Write the columns of a file and the labels as CSV."""
    table = csv.writer(text, lineterminator="\n")
    table.writerow([*source.header, name])
    shown = ["" if label == UNREACHABLE else str(label) for label in labels.tolist()]
    if source.format not in ("text", "csv"):
        table.writerows([*cells, label] for cells, label in zip(source.cells(), shown, strict=True))
        return
    done = 0
    for block in source.blocks():
        some = shown[done : done + len(block)]
        done += len(block)
        lines = block.csv_lines()
        if lines is not None:
            text.write("".join([f"{a},{b}\n" for a, b in zip(lines, some, strict=True)]))
            continue
        table.writerows([*block.cells(row), label] for row, label in enumerate(some))
