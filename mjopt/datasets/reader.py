"""Read complete datasets: NumPy arrays, pandas data frames, parts of shards, random rows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.arrays import Array
from mjopt._internal.files import as_path
from mjopt._internal.optional_deps import need
from mjopt._internal.sanitize import short_repr, shorten
from mjopt._internal.validation import as_rng, expect, expect_all, whole
from mjopt.datasets.labels.base import PER_KIND, Values
from mjopt.datasets.manifest import Manifest, ShardRecord, read_manifest
from mjopt.datasets.plan import DatasetPlan
from mjopt.errors import ArgumentError, FileError

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    from pyarrow import parquet

Cells = dict[str, Any]
"""The cells of a row by column."""

BATCH_ROWS = 1 << 17


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenDataset:
    """A complete dataset; :meth:`find` opens it."""

    folder: Path
    plan: DatasetPlan
    manifest: Manifest

    @classmethod
    def find(cls, folder: Path | str) -> "OpenDataset":
        """Open the dataset of a folder; `FileError` if it holds no complete one."""
        need("pyarrow", extra="datasets")
        where = as_path(folder, "folder", utf8=True)
        manifest = read_manifest(where)
        plan = DatasetPlan.from_document(manifest["plan"], str(where))
        numbers = [record["shard"] for record in manifest["shards"]]
        if len(numbers) != plan.num_shards or numbers != list(range(len(numbers))):
            last = plan.num_shards - 1
            raise FileError(f"{where}: the manifest does not list shards 0..{last}")
        names = sorted(name for name, _ in plan.splits)
        for record in manifest["shards"]:
            if sorted(file["split"] for file in record["files"]) != names:
                raise FileError(
                    f"{where}: shard {record['shard']} has other splits than {', '.join(names)}"
                )
        return cls(folder=where, plan=plan, manifest=manifest)

    @property
    def splits(self) -> list[str]:
        """Names of the splits."""
        return [name for name, _ in self.plan.splits]

    @property
    def column_names(self) -> list[str]:
        """Names of the columns."""
        return [column.name for column in self.plan.columns()]

    def read(
        self,
        record: ShardRecord,
        split: str,
        names: Sequence[str],
        *,
        only: NDArray[np.int64] | None = None,
    ) -> Iterator[Values]:
        """Yield columns of one split of one shard, in batches; ``hand`` has shape ``(N, K)``.

        ``record`` is that of the shard in the manifest. Row groups without any of the wanted row
        numbers ``only`` are skipped. A file that is damaged or lacks a column is a `FileError`.
        """
        listed = next((file for file in record["files"] if file["split"] == split), None)
        if listed is None:
            raise FileError(
                f"shard {record['shard']} has no split {split}", argument=str(self.folder)
            )
        path, num_rows = self.folder / listed["name"], 0
        try:
            if path.stat().st_size != listed["bytes"]:
                size = path.stat().st_size
                raise FileError(f"{size} bytes", argument=str(path), expected=str(listed["bytes"]))
            for values in _read_parquet(path, names, only):
                num_rows += len(next(iter(values.values())))
                yield values
        except (OSError, ValueError, KeyError, IndexError) as error:
            if isinstance(error, FileError):
                raise
            reason = " ".join(str(error).split()) or type(error).__name__
            raise FileError(f"cannot be read ({reason})", argument=str(path)) from None
        if only is None and num_rows != listed["rows"]:
            raise FileError(f"{num_rows} rows", argument=str(path), expected=str(listed["rows"]))

    def check_split(self, split: str) -> None:
        """Raise an ArgumentError if there is no such split."""
        expect(split, str, "split")
        if split not in self.splits:
            raise ArgumentError(
                argument="split", value=short_repr(split), expected=tuple(self.splits)
            )


def _read_parquet(
    path: Path, names: Sequence[str], only: NDArray[np.int64] | None
) -> Iterator[Values]:
    from pyarrow import parquet

    with parquet.ParquetFile(path) as file:
        missing = set(names) - set(file.schema_arrow.names)
        if missing:
            raise FileError(f"no column {shorten(', '.join(sorted(missing)))}", argument=str(path))
        if not file.metadata.num_rows:  # a split or a filter may leave none
            empty = file.schema_arrow.empty_table()
            yield {name: _as_numpy(empty.column(name).combine_chunks()) for name in names}
            return
        groups = [g for g in range(file.num_row_groups) if _may_contain(file, g, only)]
        for batch in file.iter_batches(BATCH_ROWS, row_groups=groups, columns=list(names)):
            yield {name: _as_numpy(batch.column(name)) for name in names}


def _may_contain(file: "parquet.ParquetFile", group: int, only: NDArray[np.int64] | None) -> bool:
    """Return whether a row group may contain one of these rows, by its statistics."""
    if only is None or "row" not in file.schema_arrow.names:
        return True
    column = file.schema_arrow.get_field_index("row")  # the first column, before any list
    statistics = file.metadata.row_group(group).column(column).statistics
    if statistics is None or not statistics.has_min_max:
        return True
    return bool(((only >= statistics.min) & (only <= statistics.max)).any())


def _as_numpy(column: "pa.Array") -> Array:
    import pyarrow as pa

    if pa.types.is_fixed_size_list(column.type):
        flat = column.flatten().to_numpy(zero_copy_only=False)
        return np.asarray(flat.reshape(len(column), column.type.list_size))
    return np.asarray(column.to_numpy(zero_copy_only=False))


def to_numpy(
    folder: Path | str, columns: Sequence[str] | None = None, *, split: str | None = None
) -> "Values":
    """Read columns of a dataset as NumPy arrays, in the order of rows.

    Parameters
    ----------
    folder
        The dataset.
    columns
        Names of the columns; by default all.
    split
        Only this split; by default all of them.

    Returns
    -------
    dict of ndarray
        Arrays of shape (N,) by column; ``hand`` holds copies per kind, shape (N, K).

    Raises
    ------
    FileError
        If there is no dataset, or no such column.
    ArgumentError
        If there is no such split.

    Examples
    --------
    >>> import tempfile
    >>> from mjopt.datasets import build, make_plan
    >>> with tempfile.TemporaryDirectory() as name:
    ...     _ = build(make_plan("deals:100", seed=1), name)
    ...     values = to_numpy(name, ["hand", "deficiency"])
    >>> values["hand"].shape, values["deficiency"].dtype
    ((100, 27), dtype('int8'))
    """
    data = OpenDataset.find(folder)
    if split is not None:
        data.check_split(split)
    names = data.column_names if columns is None else [*expect_all(columns, str, "columns")]
    parts = [
        values
        for record in data.manifest["shards"]
        for name in ([split] if split else data.splits)
        for values in data.read(record, name, list(dict.fromkeys(["row", *names])))
    ]
    arrays = {name: np.concatenate([part[name] for part in parts]) for name in ["row", *names]}
    rows = arrays["row"]
    if (rows[1:] > rows[:-1]).all():  # one split: sorting would take as long as reading
        return {name: arrays[name] for name in names}
    order = np.argsort(rows, kind="stable")
    return {name: arrays[name][order] for name in names}


def to_pandas(
    folder: Path | str, columns: Sequence[str] | None = None, *, split: str | None = None
) -> "pd.DataFrame":
    """Read columns of a dataset as a data frame, in the order of rows; as for :func:`to_numpy`.

    The cells of ``hand`` are arrays of shape (K,).

    Examples
    --------
    >>> import tempfile
    >>> from mjopt.datasets import build, make_plan
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = build(make_plan("deals:100", seed=1), folder)
    ...     to_pandas(folder, ["text", "deficiency"]).shape
    (100, 2)
    """
    need("pandas", extra="experiments")
    import pandas as pd

    values = to_numpy(folder, columns, split=split)
    return pd.DataFrame(
        {name: list(array) if array.ndim > 1 else array for name, array in values.items()}
    )


def sample_rows(
    folder: Path | str, number: int, *, rng: int | np.random.Generator, split: str | None = None
) -> Iterator[dict[str, object]]:
    """Yield random rows without replacement, in the order of the files.

    Parameters
    ----------
    folder
        The dataset.
    number
        How many rows; all of them if there are fewer.
    rng
        Random generator, or a seed.
    split
        Only from this split.

    Yields
    ------
    dict
        The split and the cells by column: the hand as text, a set of kinds as names, numbers for
        each kind as a list with None for NaN.

    Raises
    ------
    FileError
        If there is no dataset.
    ArgumentError
        If there is no such split.

    Examples
    --------
    >>> import tempfile
    >>> from mjopt.datasets import build, make_plan
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = build(make_plan("deals:100", seed=1), folder)
    ...     [(row["row"], row["deficiency"]) for row in sample_rows(folder, 2, rng=1)]
    [(46, 2), (51, 3)]
    """
    data = OpenDataset.find(folder)
    if split is not None:
        data.check_split(split)
    if whole(number, "number") < 1:
        raise ArgumentError(f"{number} rows", expected="1 or more")
    parts = [
        (name, record, next(f["rows"] for f in record["files"] if f["split"] == name))
        for name in ([split] if split else data.splits)
        for record in data.manifest["shards"]
    ]
    edges = np.cumsum([0, *(rows for _, _, rows in parts)])
    total = int(edges[-1])
    picked = np.sort(as_rng(rng).choice(total, size=min(number, total), replace=False))
    for (name, record, rows), first in zip(parts, edges.tolist(), strict=False):
        places = picked[(picked >= first) & (picked < first + rows)] - first
        if not len(places):
            continue
        offset = 0
        for values in data.read(record, name, data.column_names):
            size = len(values["row"])
            for place in places[(places >= offset) & (places < offset + size)] - offset:
                row = {column: cells[place] for column, cells in values.items()}
                yield {"split": name, **_readable_row(data.plan, row)}
            offset += size


def _readable_row(plan: DatasetPlan, values: Cells) -> dict[str, object]:
    """Return a row with the hand as text and sets of kinds as names."""
    kinds = {column.name: column.kind for column in plan.columns()}
    names = plan.deal.tiles.names
    row: dict[str, object] = {}
    for name, value in values.items():
        if name == "text":
            continue
        if name == "hand":
            row[name] = plan.deal.hand(value.tolist()).to_text()
        elif kinds[name] in PER_KIND:
            row[name] = [None if isnan(cell) else cell for cell in value.tolist()]
        elif kinds[name].startswith("uint"):
            row[name] = [kind for k, kind in enumerate(names) if int(value) >> k & 1]
        else:
            row[name] = value.item() if hasattr(value, "item") else value
    return row
