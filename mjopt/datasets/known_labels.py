"""Labels of a complete dataset, reused to build one with more labels, rows or splits."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from mjopt._internal.arrays import Array
from mjopt._internal.progress import one_of
from mjopt.datasets.labels.base import HandRows, Label, Values
from mjopt.datasets.reader import OpenDataset
from mjopt.errors import FileError


class KnownLabels:
    """The rows of a complete dataset, by their number."""

    def __init__(self, folder: Path) -> None:
        self._data = OpenDataset.find(folder)
        self.labels = frozenset(self._data.plan.labels)

    def values(self, block: HandRows, names: Sequence[str]) -> Values:
        """Return columns of the first rows of a block: those that the dataset holds.

        The block has hands in the order of their numbers. If the dataset holds another hand in one
        of these rows, `FileError` is raised.
        """
        first, last = block.rows[0].item(), block.rows[-1].item()
        wanted = np.arange(first, last + 1)
        parts: list[Values] = []
        for record in self._data.manifest["shards"]:
            start = record["first_row"]
            if start > last or start + record["rows"] <= first:
                continue
            for split in self._data.splits:
                for part in self._data.read(record, split, ["row", "hand", *names], only=wanted):
                    inside = (part["row"] >= first) & (part["row"] <= last)
                    parts.append({name: array[inside] for name, array in part.items()})
        if not parts:
            return {}
        columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        order = np.argsort(columns["row"], kind="stable")
        columns = {name: array[order] for name, array in columns.items()}
        self._check(columns, block)
        return columns

    def _check(self, columns: Values, block: HandRows) -> None:
        """Raise a FileError unless the rows are the first ones of a block."""
        rows, number = columns["row"], len(columns["row"])
        is_same = number <= len(block.rows) and np.array_equal(rows, block.rows[:number])
        if is_same and (columns["hand"] == block.hands[:number]).all():
            return
        wrong = block.rows[0].item()
        if is_same:
            others = (columns["hand"] != block.hands[:number]).any(axis=1)
            wrong = rows[others.argmax()].item()
        raise FileError(
            f"row {wrong} is another hand than the recipe gives now",
            argument=str(self._data.folder),
            hint="name another folder",
        )


def label_values(labels: Sequence[Label], block: HandRows, known: KnownLabels | None) -> Values:
    """Return the columns of labels, taken from a dataset where it holds them.

    ``known`` has the first of these hands; without it every label is computed.
    """
    shared = [] if known is None else [label for label in labels if label.name in known.labels]
    names = [column.name for label in shared for column in label.columns]
    taken = {} if known is None else known.values(block, names)
    number = len(taken["row"]) if taken else 0
    rest = block.take(slice(number, None))
    columns: Values = {}
    for label in labels:
        if label not in shared or not number:
            with one_of(len(labels)):
                columns.update(label.values(block))
            continue
        with one_of(len(labels)):
            computed = label.values(rest) if len(rest.rows) else {}
        for column in label.columns:
            parts = [taken[column.name], *([computed[column.name]] if computed else [])]
            columns[column.name] = _joined(parts)
    return columns


def _joined(parts: list[Array]) -> Array:
    """Return arrays one after the other; texts as Python texts."""
    if len(parts) == 1:
        return parts[0]
    if parts[0].dtype.kind == "O":
        parts = [part if part.dtype.kind == "O" else _texts(part) for part in parts]
    return np.concatenate(parts)


def _texts(array: Array) -> Array:
    """Return an array of texts or zero-padded bytes as Python texts."""
    return np.array([v.decode() if isinstance(v, bytes) else v for v in array.tolist()], object)
