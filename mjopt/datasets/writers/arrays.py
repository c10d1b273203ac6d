"""NumPy files: one ``.npz`` with an array a column, or one ``.npy`` file a column."""

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mjopt.datasets.writers.base import Columns, Writer
from mjopt.datasets.writers.text import Texts


class _Gathered(Writer):
    """Keeps all rows of a split of a shard: how many there are stands first in the file."""

    def __init__(self, *what: Any) -> None:
        super().__init__(*what)
        self._parts: list[dict[str, NDArray[Any]]] = []

    def _add(self, columns: Columns) -> None:
        part = {}
        for column in self._columns:
            values = columns[column.name]
            if isinstance(values, str):
                values = np.full(len(columns["row"]), values)
            elif isinstance(values, Texts):
                values = np.array(values.to_list(), dtype=f"U{values.padded.shape[1]}")
            elif column.kind == "string":
                values = np.array(values.tolist(), dtype=str)
            part[column.name] = np.array(values)
        self._parts.append(part)

    def _arrays(self) -> dict[str, NDArray[Any]]:
        return {
            column.name: np.concatenate([part[column.name] for part in self._parts])
            for column in self._columns
        }


class NpzWriter(_Gathered):
    """Writes one compressed ``.npz`` file."""

    def _finish(self) -> None:
        archive = io.BytesIO()
        np.savez_compressed(archive, **self._arrays())  # type: ignore[arg-type]
        self._files[0].write(archive.getbuffer())


class NpyWriter(_Gathered):
    """Writes one ``.npy`` file a column."""

    def _finish(self) -> None:
        for file, array in zip(self._files, self._arrays().values(), strict=True):
            np.lib.format.write_array(file, array, allow_pickle=False)
