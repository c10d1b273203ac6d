"""NumPy files: one ``.npz`` with an array a column, or one ``.npy`` file a column."""

import io
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mjopt.datasets.folder import placed
from mjopt.datasets.plan import DatasetPlan
from mjopt.datasets.writers.base import Columns, rows_of
from mjopt.datasets.writers.text import Texts


class _Gathered:
    """Keeps all rows of a split of a shard: how many there are stands first in the file."""

    def __init__(
        self, plan: DatasetPlan, folder: Path, split: str, shard: int, stack: ExitStack
    ) -> None:
        self._plan, self._split = plan, split
        self._columns = plan.columns()
        self._parts: list[dict[str, NDArray[Any]]] = []
        self._files = [
            stack.enter_context(placed(folder, name)) for name in plan.file_names(split, shard)
        ]

    def add(self, columns: Columns) -> None:
        """Keep some rows."""
        num_rows = rows_of(columns)
        part = {}
        for column in self._columns:
            values = columns[column.name]
            if isinstance(values, str):
                values = np.full(num_rows, values)
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

    def finish(self) -> list[dict[str, Any]]:
        """Write all arrays."""
        arrays = self._arrays()
        [file] = self._files
        archive = io.BytesIO()
        np.savez_compressed(archive, **arrays)  # type: ignore[arg-type]
        file.write(archive.getbuffer())
        return [file.to_document(self._split, len(arrays["row"]))]


class NpyWriter(_Gathered):
    """Writes one ``.npy`` file a column."""

    def finish(self) -> list[dict[str, Any]]:
        """Write all arrays."""
        arrays = self._arrays()
        documents = []
        for file, array in zip(self._files, arrays.values(), strict=True):
            np.lib.format.write_array(file, array, allow_pickle=False)
            documents.append(file.to_document(self._split, len(array)))
        return documents
