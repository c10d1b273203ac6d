"""One shard: hands from the recipe, labels, files, and a record that it is done."""

import json
import os
import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass
from errno import EDQUOT, EFBIG, ENOSPC
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mjopt.datasets.folder import record_path
from mjopt.datasets.labels.base import HandRows, Label
from mjopt.datasets.plan import DatasetPlan
from mjopt.datasets.recipes.base import BLOCK_ROWS
from mjopt.datasets.splits import split_of
from mjopt.datasets.writers import WRITERS, Columns
from mjopt.datasets.writers.base import hand_texts
from mjopt.errors import DatasetError
from mjopt.runtime.folder import write_whole

try:
    import resource
except ImportError:  # not on Windows
    resource = None  # type: ignore[assignment]

CHECKS = 9  # the stream of random numbers that picks the rows to check


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardDone:
    """What making a shard took; none of it is kept.

    Parameters
    ----------
    rows
        Its rows.
    bytes
        Of its files.
    seconds
        Processor time by step: ``draw``, ``label``, ``split``, ``write``, ``check``.
    memory
        Most bytes the process has held so far.
    process
        Which process it was.
    """

    rows: int
    bytes: int
    seconds: dict[str, float]
    memory: int
    process: int


class _Clock:
    """Processor time by step."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = time.process_time()

    def note(self, step: str) -> None:
        now = time.process_time()
        self.seconds[step] = self.seconds.get(step, 0.0) + now - self._last
        self._last = now


def make_shard(plan: DatasetPlan, folder: Path, shard: int) -> ShardDone:
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
        raise DatasetError(_disk_trouble(error, folder, shard, plan.num_shards)) from None


def _disk_trouble(error: OSError, folder: Path, shard: int, num_shards: int) -> str:
    where = f"{folder}: shard {shard} of {num_shards}"
    if error.errno in (ENOSPC, EDQUOT, EFBIG):
        return f"{where}: the disk is full; make room and run the same command again"
    return f"{where}: {error.strerror or error}" + (f": {error.filename}" if error.filename else "")


def _make_shard(plan: DatasetPlan, folder: Path, shard: int) -> ShardDone:
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
            block = HandRows(
                deal=plan.deal, hands=columns["hand"], rows=columns["row"], seed=plan.seed
            )
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
    return ShardDone(
        rows=stop - start,
        bytes=sum(file["bytes"] for file in files),
        seconds=clock.seconds,
        memory=peak_memory(),
        process=os.getpid(),
    )


def peak_memory() -> int:
    """Return the most bytes that this process has held; 0 where nobody keeps count."""
    if resource is None:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak


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


def _take(columns: Columns, which: NDArray[Any]) -> Columns:
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
        for label in labels:
            for name, value in label.again(one).items():
                if columns[name][place] != value:
                    raise DatasetError(
                        f"row {one.rows[0]}, {one.hand.to_text()}: {name} is "
                        f"{columns[name][place]} by {label.engine}, but {value} found another way"
                    )
