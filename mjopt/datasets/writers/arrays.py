"""NumPy files and CSV: what pandas, polars and a text editor read."""

import csv
import io
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mjopt.datasets.writers.base import Columns, Writer, hand_texts


class NpzWriter(Writer):
    """Writes one compressed ``.npz`` file with an array a column.

    All rows of a split of a shard are kept: how many there are stands first in the file.
    """

    def __init__(self, *what: Any) -> None:
        super().__init__(*what)
        self._parts: list[dict[str, NDArray[Any]]] = []

    def _add(self, columns: Columns) -> None:
        part = {}
        for column in self._columns:
            values = columns[column.name]
            if isinstance(values, str):
                values = np.full(len(columns["row"]), values)
            elif column.kind == "string":
                values = values.astype(str)
            part[column.name] = np.array(values)
        self._parts.append(part)

    def _arrays(self) -> dict[str, NDArray[Any]]:
        return {
            column.name: np.concatenate([part[column.name] for part in self._parts])
            for column in self._columns
        }

    def _finish(self) -> None:
        archive = io.BytesIO()
        np.savez_compressed(archive, **self._arrays())  # type: ignore[arg-type]
        self._files[0].write(archive.getbuffer())


class NpyWriter(NpzWriter):
    """Writes one ``.npy`` file a column."""

    def _finish(self) -> None:
        for file, array in zip(self._files, self._arrays().values(), strict=True):
            np.lib.format.write_array(file, array, allow_pickle=False)


class CsvWriter(Writer):
    """Writes CSV, where a set of kinds is a number of bits; ``mjopt label`` reads it back."""

    def __init__(self, *what: Any) -> None:
        super().__init__(*what)
        # The text stands under "hand": two columns of the same would be one too many.
        self._names = [column.name for column in self._columns if column.name != "text"]
        self._write([self._names])

    def _write(self, rows: Any) -> None:
        text = io.StringIO(newline="")
        csv.writer(text, lineterminator="\n").writerows(rows)
        self._files[0].write(text.getvalue().encode())

    def _add(self, columns: Columns) -> None:
        cells = columns | {"hand": hand_texts(columns["hand"]).astype(str)}
        rows = len(columns["row"])
        lists = (
            [values] * rows if isinstance(values, str) else values.tolist()
            for values in map(cells.__getitem__, self._names)
        )
        self._write(zip(*lists, strict=True))
