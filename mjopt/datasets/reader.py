"""A complete dataset read again, whatever its format: whole columns, or random rows."""

import csv
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile
from zlib import error as ZlibError  # noqa: N812 - it is a class

import numpy as np
from numpy.typing import NDArray

from mjopt._internal import arrays
from mjopt._internal.optional_deps import need
from mjopt._internal.validation import as_rng
from mjopt.datasets.manifest import read_manifest
from mjopt.datasets.plan import DatasetPlan
from mjopt.errors import DatasetError, MjoptError
from mjopt.hands.hand import Hand

Values = dict[str, NDArray[Any]]

BROKEN = (*arrays.BROKEN, OSError, KeyError, IndexError, BadZipFile, ZlibError, csv.Error)
"""What readers of arrays and tables raise for a file that is not what it says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenDataset:
    """A complete dataset; :meth:`find` opens it.

    Parameters
    ----------
    folder, plan, manifest
        Where it is, what it is, and what its manifest says.
    """

    folder: Path
    plan: DatasetPlan
    manifest: dict[str, Any]

    @classmethod
    def find(cls, folder: Path | str) -> "OpenDataset":
        """Open the dataset of a folder.

        Raises
        ------
        DatasetError
            If there is none.
        """
        where = Path(folder)
        manifest = read_manifest(where)
        plan = DatasetPlan.from_document(manifest["plan"], str(where))
        numbers = [record["shard"] for record in manifest["shards"]]
        if len(numbers) != plan.num_shards or numbers != list(range(len(numbers))):
            last = plan.num_shards - 1
            raise DatasetError(f"{where}: the manifest does not list shards 0..{last}")
        return cls(folder=where, plan=plan, manifest=manifest)

    @property
    def splits(self) -> list[str]:
        """The names of the splits."""
        return [name for name, _ in self.plan.splits]

    @property
    def column_names(self) -> list[str]:
        """The names of the columns."""
        return [column.name for column in self.plan.columns()]

    def read(
        self,
        record: dict[str, Any],
        split: str,
        names: Sequence[str],
        *,
        only: NDArray[np.int64] | None = None,
    ) -> Iterator[Values]:
        """Yield some columns of one split of one shard, part by part.

        Parameters
        ----------
        record
            The shard, as the manifest has it.
        split
            Which of its splits.
        names
            The columns; ``hand`` comes as copies, shape (N, K).
        only
            Row numbers that are looked for: parts that hold none of them may be left out.

        Raises
        ------
        DatasetError
            If a file is not of its format, or lacks a column.
        """
        said = [file for file in record["files"] if file["split"] == split]
        if not said:
            raise DatasetError(f"{self.folder}: shard {record['shard']} has no split {split}")
        files, rows, counted = [self.folder / file["name"] for file in said], said[0]["rows"], 0
        try:
            for path, file in zip(files, said, strict=True):
                if path.stat().st_size != file["bytes"]:
                    size = path.stat().st_size
                    raise DatasetError(f"{path}: {size} bytes, expected {file['bytes']}")
            for values in self._parts(files, rows, names, only):
                counted += len(next(iter(values.values())))
                yield values
        except (*BROKEN, MjoptError) as error:
            if isinstance(error, DatasetError):
                raise
            reason = " ".join(str(error).split()) or type(error).__name__
            raise DatasetError(f"{files[0]}: cannot be read ({reason})") from None
        if only is None and counted != rows:
            raise DatasetError(f"{files[0]}: {counted} rows, expected {rows}")

    def _parts(
        self,
        files: Sequence[Path],
        rows: int,
        names: Sequence[str],
        only: NDArray[np.int64] | None,
    ) -> Iterator[Values]:
        """Yield columns of one split of one shard, as its format has them."""
        if self.plan.file_format == "parquet":
            yield from _parquet(files[0], names, only)
        elif self.plan.file_format == "npz":
            yield _npz(files[0], rows, names)
        elif self.plan.file_format == "npy":
            by_column = {file.name.rsplit(".", 2)[1]: file for file in files}
            yield {name: np.array(arrays.map_array(by_column[name])) for name in names}
        else:
            yield _csv(self.plan, files[0], names)


def _npz(path: Path, rows: int, names: Sequence[str]) -> Values:
    """Read arrays from an archive; none is unpacked that is larger than its rows are said to be."""
    npy = np.lib.format
    with ZipFile(path) as archive:
        for name in names:
            member = archive.getinfo(f"{name}.npy")
            with archive.open(member) as file:
                major, _ = npy.read_magic(file)
                read = npy.read_array_header_1_0 if major == 1 else npy.read_array_header_2_0
                shape, _, dtype = read(file)
                size = file.tell() + math.prod(shape) * dtype.itemsize
            if shape[:1] != (rows,) or size != member.file_size:
                raise DatasetError(f"{path}: {name} of shape {shape}, expected {rows} rows")
    with np.load(path, allow_pickle=False) as found:
        return {name: found[name] for name in names}


def _parquet(path: Path, names: Sequence[str], only: NDArray[np.int64] | None) -> Iterator[Values]:
    need("pyarrow", extra="datasets")
    from pyarrow import parquet

    with parquet.ParquetFile(path) as file:
        missing = set(names) - set(file.schema_arrow.names)
        if missing:
            raise DatasetError(f"{path}: no column {', '.join(sorted(missing))}")
        groups = [g for g in range(file.num_row_groups) if _may_hold(file, g, only)]
        for batch in file.iter_batches(1 << 17, row_groups=groups, columns=list(names)):
            yield {name: _as_array(batch.column(name)) for name in names}


def _may_hold(file: Any, group: int, only: NDArray[np.int64] | None) -> bool:
    """Return whether a row group may hold one of these rows, as far as its statistics say."""
    if only is None or "row" not in file.schema_arrow.names:
        return True
    at = file.schema_arrow.get_field_index("row")  # the first column: no list comes before it
    found = file.metadata.row_group(group).column(at).statistics
    if found is None or not found.has_min_max:
        return True
    return bool(((only >= found.min) & (only <= found.max)).any())


def _as_array(column: Any) -> NDArray[Any]:
    import pyarrow as pa

    if pa.types.is_fixed_size_list(column.type):
        flat = column.flatten().to_numpy(zero_copy_only=False)
        return np.asarray(flat.reshape(len(column), column.type.list_size))
    return np.asarray(column.to_numpy(zero_copy_only=False))


def _csv(plan: DatasetPlan, path: Path, names: Sequence[str]) -> Values:
    kinds = {column.name: column.kind for column in plan.columns()}
    with path.open(newline="", encoding="utf-8") as file:
        reader = csv.reader(file, strict=True)
        header = next(reader, [])
        rows = []
        for cells in reader:
            if len(cells) != len(header):
                where = f"{path} line {reader.line_num}"
                raise DatasetError(f"{where}: {len(cells)} cells, expected {len(header)}")
            rows.append(dict(zip(header, cells, strict=True)))
    found: Values = {}
    for name in names:
        cells = [row["hand" if name == "text" else name] for row in rows]
        if name == "hand":
            counts = [
                Hand.parse(cell, tiles=plan.deal.tiles, called=plan.called).counts for cell in cells
            ]
            width = plan.deal.tiles.num_kinds
            found[name] = np.array(counts, np.uint8).reshape(-1, width)
        elif kinds[name] == "string":
            found[name] = np.array(cells, dtype=object)
        elif kinds[name] == "bool":
            found[name] = np.array([cell == "True" for cell in cells])
        else:
            found[name] = np.array(cells).astype(kinds[name])
    return found


def sample_rows(
    folder: Path | str, number: int, *, rng: int | np.random.Generator, split: str | None = None
) -> Iterator[dict[str, Any]]:
    """Yield random rows, all equally likely and none twice, in the order they stand.

    Parameters
    ----------
    folder
        The dataset.
    number
        How many rows; all of them if there are fewer.
    rng
        Source of randomness, or a seed.
    split
        Only from this split.

    Raises
    ------
    DatasetError
        If there is no dataset, or no such split.
    """
    data = OpenDataset.find(folder)
    if split is not None and split not in data.splits:
        raise DatasetError(f"split {split!r}, expected one of {', '.join(data.splits)}")
    if number < 1:
        raise DatasetError(f"{number} rows, expected 1 or more")
    parts = [
        (name, record, next(f["rows"] for f in record["files"] if f["split"] == name))
        for name in ([split] if split else data.splits)
        for record in data.manifest["shards"]
    ]
    edges = np.cumsum([0, *(rows for _, _, rows in parts)])
    total = int(edges[-1])
    picked = np.sort(as_rng(rng).choice(total, size=min(number, total), replace=False))
    for (name, record, rows), first in zip(parts, edges.tolist(), strict=False):
        inside = picked[(picked >= first) & (picked < first + rows)] - first
        if not len(inside):
            continue
        begun = 0
        for values in data.read(record, name, data.column_names):
            size = len(values["row"])
            for place in inside[(inside >= begun) & (inside < begun + size)] - begun:
                row = {column: cells[place] for column, cells in values.items()}
                yield {"split": name, **_plain(data.plan, row)}
            begun += size


def _plain(plan: DatasetPlan, values: dict[str, Any]) -> dict[str, Any]:
    """Return plain values: the hand as text, a set of kinds by name."""
    kinds = {column.name: column.kind for column in plan.columns()}
    names = plan.deal.tiles.names
    row: dict[str, Any] = {}
    for name, value in values.items():
        if name == "text":
            continue
        if name == "hand":
            hand = Hand.from_counts(value.tolist(), tiles=plan.deal.tiles, called=plan.called)
            row[name] = hand.to_text()
        elif kinds[name].startswith("uint"):
            row[name] = [kind for k, kind in enumerate(names) if int(value) >> k & 1]
        else:
            row[name] = value.item() if hasattr(value, "item") else value
    return row
