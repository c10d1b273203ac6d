"""One shard: hands from the recipe, labels, files, and a record that it is done."""

import json
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from errno import EDQUOT, EFBIG, ENOSPC
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.folder import write_whole
from mjopt.datasets.labels.base import HandRows, Label
from mjopt.datasets.manifest import record_path
from mjopt.datasets.plan import DatasetPlan
from mjopt.datasets.recipes.base import BLOCK_ROWS
from mjopt.datasets.splits import split_of
from mjopt.datasets.writers import WRITERS, Columns
from mjopt.datasets.writers.base import hand_texts
from mjopt.errors import DatasetError

try:
    import resource
except ImportError:  # not on Windows
    resource = None  # type: ignore[assignment]

CHECKS = 9  # the stream of random numbers that picks the rows to check


@dataclass(slots=True)
class BuildReport:
    """What a build did, or the making of one shard; nothing of it is kept with the dataset.

    Parameters
    ----------
    rows, bytes
        Of the shards made now.
    kept_shards
        Shards that were done before.
    seconds
        Time on the clock.
    steps
        Processor seconds by step, over all workers: ``draw``, ``label``, ``check``, ``split``,
        ``write``.
    memory
        Most bytes held by each process, by its number.
    """

    rows: int = 0
    bytes: int = 0
    kept_shards: int = 0
    seconds: float = 0.0
    steps: dict[str, float] = field(default_factory=dict)
    memory: dict[int, int] = field(default_factory=dict)

    def add(self, other: "BuildReport") -> None:
        """Count what else was done."""
        self.rows += other.rows
        self.bytes += other.bytes
        for step, seconds in other.steps.items():
            self.steps[step] = self.steps.get(step, 0.0) + seconds
        for process, memory in other.memory.items():
            self.memory[process] = max(memory, self.memory.get(process, 0))

    @property
    def labelling_share(self) -> float:
        """The share of processor time that labelling took."""
        total = sum(self.steps.values())
        return self.steps.get("label", 0.0) / total if total else 0.0


class _Clock:
    """Processor time by step."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = time.process_time()

    def note(self, step: str) -> None:
        now = time.process_time()
        self.seconds[step] = self.seconds.get(step, 0.0) + now - self._last
        self._last = now


def make_shard(plan: DatasetPlan, folder: Path, shard: int) -> BuildReport:
    """Make one shard of a dataset, in this process.

    Its bytes depend on the plan and the number alone. The record is written last:
    without it the shard counts as not done.

    Parameters
    ----------
    plan
        The dataset.
    folder
        Where it is built.
    shard
        Which part.

    Raises
    ------
    DatasetError
        If the disk is full, or a checked row does not get the same label again.
    """
    try:
        return _make_shard(plan, folder, shard)
    except OSError as error:
        reason = f"{error.strerror or error}" + (f": {error.filename}" if error.filename else "")
        if error.errno in (ENOSPC, EDQUOT, EFBIG):
            reason = "the disk is full; make room and run the same command again"
        where = f"{folder}: shard {shard} of {plan.num_shards}"
        raise DatasetError(f"{where}: {reason}") from None


def _make_shard(plan: DatasetPlan, folder: Path, shard: int) -> BuildReport:
    clock = _Clock()
    labels = plan.label_list()
    start, stop = plan.shard_rows(shard)
    checks = _rows_to_check(plan, shard)
    files: list[dict[str, Any]] = []
    with ExitStack() as stack:
        writers = [
            WRITERS[plan.file_format](plan, folder, split, shard, stack) for split, _ in plan.splits
        ]
        for number in range(start // BLOCK_ROWS, -(-stop // BLOCK_ROWS)):
            columns = read_block(plan, number, start, stop)
            clock.note("draw")
            block = rows_of(plan, columns)
            for label in labels:
                columns.update(label.values(block))
            clock.note("label")
            _check_rows(labels, block, columns, checks)
            clock.note("check")
            split = split_of(columns["hand"], plan.splits)
            parts = [
                columns if len(writers) == 1 else _take(columns, np.flatnonzero(split == k))
                for k in range(len(writers))
            ]
            clock.note("split")
            for writer, part in zip(writers, parts, strict=True):
                writer.add(part)
            clock.note("write")
        for writer in writers:
            files += writer.finish()
    record = {"shard": shard, "first_row": start, "rows": stop - start, "checked": len(checks)}
    text = json.dumps({**record, "files": files}, indent=1)
    write_whole(record_path(folder, shard), text.encode())
    clock.note("write")
    size = sum(file["bytes"] for file in files)
    memory = {os.getpid(): peak_memory()}
    return BuildReport(rows=stop - start, bytes=size, steps=clock.seconds, memory=memory)


def peak_memory() -> int:
    """Return the most bytes that this process has held; 0 where nobody keeps count."""
    if resource is None:
        return _peak_on_windows()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak


def _peak_on_windows() -> int:
    import ctypes

    class Counters(ctypes.Structure):
        _fields_ = [
            ("size", ctypes.c_uint32),
            ("faults", ctypes.c_uint32),
            ("peak", ctypes.c_size_t),
            ("others", ctypes.c_size_t * 7),
        ]

    found, windows = Counters(size=ctypes.sizeof(Counters)), getattr(ctypes, "windll", None)
    this = ctypes.c_void_p(-1)
    if windows is not None:
        windows.kernel32.K32GetProcessMemoryInfo(this, ctypes.byref(found), found.size)
    return int(found.peak)


def read_block(plan: DatasetPlan, number: int, start: int, stop: int) -> Columns:
    """Return the columns of a block that are no labels, of the rows from start to stop only."""
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
    if plan.text:
        columns["text"] = hand_texts(hands)
    if plan.is_weighted:
        weights = recipe.weights(number)
        columns["weight"] = np.ones(len(hands)) if weights is None else weights[low:high]
    return columns


def rows_of(plan: DatasetPlan, columns: Columns) -> HandRows:
    """Return the hands of a block, to be labelled."""
    return HandRows(deal=plan.deal, hands=columns["hand"], rows=columns["row"], seed=plan.seed)


def differing(
    labels: Sequence[Label], one: HandRows, values: Mapping[str, Any]
) -> Iterator[tuple[Label, str, Any, Any]]:
    """Label one row again, another way: yield what is not the value that it has.

    Yields
    ------
    tuple
        The label, its column, the value that the row has, and the one found now.
    """
    for label in labels:
        for name, again in label.again(one).items():
            if values[name] != again:
                yield label, name, values[name], again


def _take(columns: Columns, which: NDArray[Any] | int) -> Columns:
    return {
        name: values if isinstance(values, str) else values[which]
        for name, values in columns.items()
    }


def _rows_to_check(plan: DatasetPlan, shard: int) -> NDArray[np.int64]:
    start, stop = plan.shard_rows(shard)
    rng = np.random.default_rng(np.random.SeedSequence(plan.seed, spawn_key=(CHECKS, shard)))
    number = min(plan.checked, stop - start)
    return np.sort(start + rng.choice(stop - start, size=number, replace=False))


def _check_rows(
    labels: tuple[Label, ...], block: HandRows, columns: Columns, rows: NDArray[np.int64]
) -> None:
    """Label some rows again, another way."""
    for place in np.flatnonzero(np.isin(block.rows, rows)).tolist():
        one = block.row(place)
        for label, name, value, again in differing(labels, one, _take(columns, place)):
            raise DatasetError(
                f"row {one.rows[0]}, {one.hand.to_text()}: {name} is "
                f"{value} by {label.engine}, but {again} found another way"
            )
