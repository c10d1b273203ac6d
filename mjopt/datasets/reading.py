"""Read the files of a dataset again, whatever their format: whole columns, or random rows."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mjopt.datasets.folder import read_manifest
from mjopt.datasets.plan import DatasetPlan
from mjopt.errors import DatasetError
from mjopt.hands.hand import Hand
from mjopt.runtime.extras import need

Values = dict[str, NDArray[Any]]


def read_columns(
    plan: DatasetPlan,
    folder: Path,
    files: Sequence[str],
    names: Sequence[str],
    *,
    only: NDArray[np.int64] | None = None,
) -> Iterator[Values]:
    """Yield some columns of one split of one shard, part by part.

    Parameters
    ----------
    plan
        The dataset.
    folder
        Where it is.
    files
        The files, as the manifest names them.
    names
        The columns; ``hand`` comes as copies, shape (N, K).
    only
        Row numbers that are looked for: parts that hold none of them may be left out.

    Raises
    ------
    DatasetError
        If a file is not of its format, or lacks a column.
    """
    try:
        if plan.file_format == "parquet":
            yield from _parquet(folder / files[0], names, only)
        else:
            yield from _READERS[plan.file_format](plan, folder, files, names)
    except (OSError, ValueError, KeyError) as error:
        if isinstance(error, DatasetError):
            raise
        reason = " ".join(str(error).split())
        raise DatasetError(f"{folder / files[0]}: cannot be read ({reason})") from None


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


def _npz(
    _: DatasetPlan, folder: Path, files: Sequence[str], names: Sequence[str]
) -> Iterator[Values]:
    import zipfile

    try:
        with np.load(folder / files[0], allow_pickle=False) as arrays:
            yield {name: arrays[name] for name in names}
    except zipfile.BadZipFile as error:
        raise DatasetError(f"{folder / files[0]}: cannot be read ({error})") from None


def _npy(
    _: DatasetPlan, folder: Path, files: Sequence[str], names: Sequence[str]
) -> Iterator[Values]:
    by_column = {file.rsplit(".", 2)[1]: file for file in files}
    yield {name: np.load(folder / by_column[name], allow_pickle=False) for name in names}


def _csv(
    plan: DatasetPlan, folder: Path, files: Sequence[str], names: Sequence[str]
) -> Iterator[Values]:
    import csv

    kinds = {column.name: column.kind for column in plan.columns()}
    with (folder / files[0]).open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
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
    yield found


_READERS = {"npz": _npz, "npy": _npy, "csv": _csv}


def sample_rows(
    folder: Path | str, number: int, *, rng: np.random.Generator, split: str | None = None
) -> Iterator[dict[str, Any]]:
    """Yield random rows, all equally likely and none twice, in the order they stand.

    Parameters
    ----------
    folder
        The dataset.
    number
        How many rows; all of them if there are fewer.
    rng
        Source of randomness.
    split
        Only from this split.

    Raises
    ------
    DatasetError
        If there is no dataset, or no such split.
    """
    where = Path(folder)
    manifest = read_manifest(where)
    plan = DatasetPlan.from_document(manifest["plan"], str(where))
    names = [name for name, _ in plan.splits]
    if split is not None and split not in names:
        raise DatasetError(f"split {split!r}, expected one of {', '.join(names)}")
    if number < 1:
        raise DatasetError(f"{number} rows, expected 1 or more")
    parts: list[tuple[str, list[str], int]] = []
    for name in names if split is None else [split]:
        for record in manifest["shards"]:
            files = [file for file in record["files"] if file["split"] == name]
            parts.append((name, [file["name"] for file in files], files[0]["rows"]))
    edges = np.cumsum([0, *(rows for _, _, rows in parts)])
    total = int(edges[-1])
    picked = np.sort(rng.choice(total, size=min(number, total), replace=False))
    columns = [column.name for column in plan.columns()]
    for (name, files, rows), first in zip(parts, edges.tolist(), strict=False):
        inside = picked[(picked >= first) & (picked < first + rows)] - first
        if not len(inside):
            continue
        begun = 0
        for values in read_columns(plan, where, files, columns):
            size = len(values["row"])
            for place in inside[(inside >= begun) & (inside < begun + size)] - begun:
                yield {"split": name, **_plain(plan, {n: v[place] for n, v in values.items()})}
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
