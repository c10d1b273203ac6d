"""Build one shard of a dataset: draw hands, label them, write one Parquet file per split."""

import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.files import atomic_path, sha256_of
from mjopt._internal.unit_store import UnitStore
from mjopt.datasets.arrow import Columns, arrow_schema, arrow_table, hand_texts
from mjopt.datasets.known_labels import KnownLabels, label_values
from mjopt.datasets.labels.base import PER_KIND, HandRows, Label
from mjopt.datasets.manifest import DATA, ShardRecord, write_record
from mjopt.datasets.plan import DatasetPlan
from mjopt.datasets.recipes.base import BLOCK_ROWS, PositionColumns
from mjopt.datasets.row_filter import kept_rows
from mjopt.datasets.splits import split_of
from mjopt.errors import SolverError

CHECK_STREAM: Final = 9  # random stream that selects the rows to check
_WITH_STATISTICS: Final = ("bool", "int8", "int32", "int64")


@dataclass(slots=True)
class BuildReport:
    """Statistics of a build or of one shard; not stored with the dataset.

    Parameters
    ----------
    rows, bytes
        Rows and bytes of the shards built now.
    drawn
        Hands drawn for them: more than rows, if a filter leaves some out.
    kept_shards
        Number of shards that existed before.
    seconds
        Wall-clock time.
    steps
        CPU seconds by step, over all workers: ``draw``, ``label``, ``check``, ``split``, ``write``.
    memory
        Peak memory in bytes by process id.

    Examples
    --------
    >>> import tempfile
    >>> from mjopt.datasets import build, make_plan
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     report = build(make_plan("deals:100", seed=1), folder)
    >>> report.rows, report.kept_shards
    (100, 0)
    """

    rows: int = 0
    bytes: int = 0
    drawn: int = 0
    kept_shards: int = 0
    seconds: float = 0.0
    steps: dict[str, float] = field(default_factory=dict)
    memory: dict[int, int] = field(default_factory=dict)

    def add(self, other: "BuildReport") -> None:
        """Add the statistics of a shard."""
        self.rows += other.rows
        self.drawn += other.drawn
        self.bytes += other.bytes
        for step, seconds in other.steps.items():
            self.steps[step] = self.steps.get(step, 0.0) + seconds
        for process, memory in other.memory.items():
            self.memory[process] = max(memory, self.memory.get(process, 0))

    @property
    def labelling_share(self) -> float:
        """Share of the CPU time spent on labels, 0 to 1."""
        total = sum(self.steps.values())
        return self.steps.get("label", 0.0) / total if total else 0.0


class RowSample:
    """Random rows of a shard, whose labels are computed again by their second method."""

    def __init__(self, plan: DatasetPlan, shard: int) -> None:
        stream = np.random.SeedSequence(plan.seed, spawn_key=(CHECK_STREAM, shard))
        self._rng = np.random.default_rng(stream)
        self._number = plan.checked
        self._rows: list[tuple[float, HandRows, Columns]] = []

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, block: HandRows, columns: Columns) -> None:
        """Add rows of a block: of all rows so far, those with the least random keys stay."""
        if not self._number:
            return
        keys = self._rng.random(len(block.rows))
        for place in np.argsort(keys)[: self._number].tolist():
            self._rows.append((keys[place].item(), block.row(place), _take(columns, place)))
        self._rows = sorted(self._rows, key=lambda row: row[0])[: self._number]

    def check(self, labels: Sequence[Label]) -> None:
        """Raise a SolverError if the second method of a label disagrees on one of the rows."""
        for _, row, columns in sorted(self._rows, key=lambda row: row[1].rows[0]):
            for label, name, value, expected in wrong_labels(labels, row, columns):
                raise SolverError(
                    f"row {row.rows[0]}, {row.hand.to_text()}: {name} is {value} by "
                    f"{label.engine}, but {expected} by the second method"
                )


class _StepTimer:
    """CPU time by step."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = time.process_time()

    def stop(self, step: str) -> None:
        now = time.process_time()
        self.seconds[step] = self.seconds.get(step, 0.0) + now - self._last
        self._last = now


def build_shard(
    plan: DatasetPlan, store: UnitStore, shard: int, *, source: Path | None = None
) -> BuildReport:
    """Build one shard of a dataset in this process.

    The rows depend only on the plan and the number of the shard. Files are written atomically; a
    shard is complete when its record is in the store.

    ``source`` is the folder of a dataset that holds some of the rows and labels already.
    `FileError` is raised if a file cannot be written, or that dataset holds other hands;
    `SolverError`, if the second method disagrees with the label of a checked row.
    """
    from pyarrow import parquet

    timer = _StepTimer()
    labels = plan.label_list()
    start, stop = plan.shard_rows(shard)
    known = None if source is None else KnownLabels(source)
    to_check = RowSample(plan, shard)
    data = store.folder.parent / DATA
    paths = {split: data / plan.file_name(split, shard) for split, _ in plan.splits}
    num_rows = dict.fromkeys(paths, 0)
    with ExitStack() as stack:
        writers = []
        for split, path in paths.items():
            temporary = stack.enter_context(atomic_path(path))
            schema = arrow_schema(plan, split, shard)
            writer = parquet.ParquetWriter(temporary, schema, **_parquet_options(plan))
            writers.append(stack.enter_context(writer))
        for number in range(start // BLOCK_ROWS, -(-stop // BLOCK_ROWS)):
            columns = read_block(plan, number, start, stop)
            timer.stop("draw")
            if not len(columns["row"]):  # the filter keeps none
                continue
            block = hand_rows(plan, columns)
            columns.update(label_values(labels, block, known))
            timer.stop("label")
            to_check.add(block, columns)
            timer.stop("check")
            split_numbers = split_of(columns["hand"], plan.splits, plan.deal.tiles, plan.rules)
            parts = [
                columns
                if len(writers) == 1
                else _take(columns, np.flatnonzero(split_numbers == number))
                for number in range(len(writers))
            ]
            timer.stop("split")
            for split, writer, part in zip(paths, writers, parts, strict=True):
                num_rows[split] += len(part["row"])
                writer.write_table(arrow_table(part, writer.schema), row_group_size=BLOCK_ROWS)
            timer.stop("write")
        to_check.check(labels)
        timer.stop("check")
    record = _shard_record(plan, shard, paths, num_rows, num_checked=len(to_check))
    write_record(store, record)
    timer.stop("write")
    return BuildReport(
        rows=sum(num_rows.values()),
        drawn=stop - start,
        bytes=sum(file["bytes"] for file in record["files"]),
        steps=timer.seconds,
        memory={os.getpid(): peak_memory()},
    )


def _shard_record(
    plan: DatasetPlan,
    shard: int,
    paths: Mapping[str, Path],
    num_rows: Mapping[str, int],
    *,
    num_checked: int,
) -> ShardRecord:
    """Return the manifest entry of a shard, from its files and rows by split."""
    start, stop = plan.shard_rows(shard)
    return {
        "shard": shard,
        "first_row": start,
        "rows": stop - start,
        "checked": num_checked,
        "files": [
            {
                "name": f"{DATA}/{path.name}",
                "split": split,
                "rows": num_rows[split],
                "bytes": path.stat().st_size,
                "sha256": sha256_of(path),
            }
            for split, path in paths.items()
        ],
    }


def _parquet_options(plan: DatasetPlan) -> dict[str, object]:
    """Return compression and encodings, chosen by measurements on a million deals.

    Copies per kind are smallest with a dictionary (byte streams are newer than many readers),
    row numbers as differences. Levels of zstd above 1 take longer and save nothing here.
    """
    kinds = {column.name: column.kind for column in plan.columns()}
    return {
        "compression": "zstd",
        "compression_level": 1,
        "use_dictionary": [
            f"{name}.list.element" if kind in PER_KIND else name
            for name, kind in kinds.items()
            if kind in ("hand", "codes", "int8", "float64") or name == "engine"
        ],
        "column_encoding": {"row": "DELTA_BINARY_PACKED"},
        "write_statistics": [name for name, kind in kinds.items() if kind in _WITH_STATISTICS],
    }


def peak_memory() -> int:
    """Return the peak memory of this process in bytes; 0 on Windows."""
    if sys.platform == "win32":
        return 0
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak


def read_block(plan: DatasetPlan, number: int, start: int, stop: int) -> Columns:
    """Return the columns of a block except labels, limited to rows `start` to `stop`.

    A plan with a filter has fewer rows.
    """
    recipe = plan.hand_recipe
    hands = recipe.block(number, seed=plan.seed)
    first = number * BLOCK_ROWS
    low, high = max(start - first, 0), min(stop - first, len(hands))
    hands = np.ascontiguousarray(hands[low:high])
    columns: Columns = {
        "row": np.arange(first + low, first + high, dtype=np.int64),
        "hand": hands,
        "engine": plan.engine,
    }
    if plan.has_positions:
        assert recipe.positions is not None, "of this recipe"
        columns |= recipe.positions.take(slice(first + low, first + high)).columns()
    if plan.is_weighted:
        weights = recipe.weights(number)
        columns["weight"] = np.ones(len(hands)) if weights is None else weights[low:high]
    if plan.own_filter is not None and len(hands):
        kept = kept_rows(plan.where, plan.own_filter, hand_rows(plan, columns))
        columns = _take(columns, np.flatnonzero(kept))
    if plan.text:
        columns["text"] = hand_texts(columns["hand"], plan.deal.tiles)
    return columns


def hand_rows(plan: DatasetPlan, columns: Columns) -> HandRows:
    """Return the hands of a block as the input of labels."""
    positions = None
    if plan.has_positions:
        names = (field.name for field in fields(PositionColumns))
        positions = PositionColumns(**{name: columns[name] for name in names})
    return HandRows(
        deal=plan.deal,
        hands=columns["hand"],
        rows=columns["row"],
        seed=plan.seed,
        positions=positions,
    )


def wrong_labels(
    labels: Sequence[Label], row: HandRows, values: Mapping[str, object]
) -> Iterator[tuple[Label, str, object, object]]:
    """Recompute the labels of one row with their second method, and yield differences.

    These are the label, its column, the stored value, and the recomputed one.
    """
    for label in labels:
        for name, expected in label.recompute(row).items():
            if not _is_same(values[name], expected):
                yield label, name, values[name], expected


def _is_same(stored: object, expected: object) -> bool:
    """Return whether two values, or two lists of them, are the same; NaN is the same as NaN."""
    if isinstance(stored, np.ndarray):
        return np.array_equal(stored, np.array(expected), equal_nan=True)
    return bool(stored == expected)


def _take(columns: Columns, which: NDArray[np.generic] | int) -> Columns:
    return {
        name: values if isinstance(values, str) else values[which]
        for name, values in columns.items()
    }
