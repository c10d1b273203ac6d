"""Build a dataset: shard by shard, on any executor, stopped and gone on with at will."""

import json
import shutil
import time
from collections.abc import Callable
from concurrent.futures import Executor
from functools import partial
from pathlib import Path
from typing import Any

from mjopt._internal.folder import hold_folder, write_whole
from mjopt._internal.optional_deps import need
from mjopt._internal.pool import open_pool
from mjopt.datasets.card import CARD, card_text
from mjopt.datasets.manifest import (
    BUILD,
    MANIFEST,
    check_plan,
    finished_shards,
    read_manifest,
    read_object,
    record_path,
    rows_by_split,
    scratch,
    strangers,
)
from mjopt.datasets.plan import DatasetPlan
from mjopt.datasets.shard import BuildReport, make_shard, peak_memory
from mjopt.errors import DatasetError, WorkerError


def build(
    plan: DatasetPlan,
    folder: Path | str,
    *,
    executor: Executor | None = None,
    jobs: int | None = None,
    kind: str = "processes",
    scheduler: str | None = None,
    advance: Callable[[int], object] = lambda _: None,
) -> BuildReport:
    """Build a dataset, or go on with one that was stopped.

    What is written depends on the plan alone: not on the executor, on how many work,
    or on how often the build was stopped, in whatever way.

    Parameters
    ----------
    plan
        What to build; see :func:`make_plan`.
    folder
        Where; made if it does not exist.
    executor
        Anything with ``submit`` as in ``concurrent.futures``. It is not shut down.
    jobs
        How many shards are made at once: by default one, all cores of a cluster, or what
        `MOST_JOBS` says for an executor of yours.
    kind
        Without an executor: ``processes`` or ``threads``. One works in this process.
    scheduler
        The address of a Dask scheduler instead; its workers see the folder under the
        same path.
    advance
        Told of the rows of every shard that is done.

    Returns
    -------
    BuildReport
        What was done, and what it took.

    Raises
    ------
    DatasetError
        If the folder holds something else or is being written, a disk is full, a worker
        died, or a checked row is wrong. What is done stays done.
    WorkerError
        If there are no such workers.

    Examples
    --------
    >>> import tempfile
    >>> from mjopt.datasets import make_plan
    >>> plan = make_plan("deals:100", seed=1, file_format="csv")
    >>> with tempfile.TemporaryDirectory() as name:
    ...     report = build(plan, name)
    ...     print(report.rows, sorted(path.name for path in Path(name).iterdir()))
    100 ['README.md', 'data', 'manifest.json']
    """
    if plan.file_format == "parquet":
        need("pyarrow", extra="datasets")
    begun = time.perf_counter()
    where = Path(folder).absolute()
    report = BuildReport()
    with hold_folder(where):
        if not check_plan(where, plan):
            done = finished_shards(where, plan)
            report.kept_shards = len(done)
            for record in done.values():
                advance(record["rows"])
            missing = [shard for shard in range(plan.num_shards) if shard not in done]
            if jobs is not None and executor is None and scheduler is None:
                jobs = min(jobs, max(len(missing), 1))
            workers = open_pool(jobs, kind=kind, executor=executor, scheduler=scheduler, kept=True)
            with workers as pool:
                try:
                    for shard_done in pool.as_done(partial(make_shard, plan, where), missing):
                        report.add(shard_done)
                        advance(shard_done.rows)
                except WorkerError as error:
                    raise DatasetError(f"{where}: {error}") from None
            _complete(plan, where)
        else:
            report.kept_shards = len(read_manifest(where)["shards"])
            advance(plan.num_rows)
    report.memory.setdefault(0, peak_memory())
    report.seconds = time.perf_counter() - begun
    return report


def _complete(plan: DatasetPlan, folder: Path) -> None:
    """Gather the records into the manifest, write the card, and clear the scaffolding."""
    records = [read_object(record_path(folder, shard)) for shard in range(plan.num_shards)]
    for record in records:
        wanted = plan.shard_rows(record["shard"])
        if (record["first_row"], record["first_row"] + record["rows"]) != wanted:
            raise DatasetError(f"{folder}: the record of shard {record['shard']} is of other rows")
    manifest: dict[str, Any] = {
        "plan": plan.to_document(),
        "rows": rows_by_split(plan, records),
        "shards": records,
    }
    for path in strangers(folder, records):
        raise DatasetError(f"{path}: no file of this dataset; remove it")
    text = json.dumps(manifest, indent=1) + "\n"
    write_whole(folder / CARD, card_text(plan, manifest).encode(), within=scratch(folder))
    write_whole(folder / MANIFEST, text.encode(), within=scratch(folder))
    shutil.rmtree(folder / BUILD)
