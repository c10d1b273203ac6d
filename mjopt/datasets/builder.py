"""Build a dataset shard by shard, resuming an interrupted build."""

import time
from collections.abc import Callable
from concurrent.futures import Executor
from functools import partial
from pathlib import Path

from mjopt._internal.executor import open_executor
from mjopt._internal.files import as_path, atomic_write, lock_folder
from mjopt._internal.optional_deps import need
from mjopt._internal.validation import expect, whole
from mjopt.datasets.card import CARD, card_text
from mjopt.datasets.manifest import (
    prepare_folder,
    read_record,
    rows_by_split,
    unit_key,
    write_manifest,
)
from mjopt.datasets.plan import DatasetPlan
from mjopt.datasets.shard import BuildReport, build_shard, peak_memory


def build(
    plan: DatasetPlan,
    folder: Path | str,
    *,
    executor: Executor | None = None,
    jobs: int | None = None,
    scheduler: str | None = None,
    advance: Callable[[int], object] = lambda _: None,
) -> BuildReport:
    """Build a dataset, or continue an interrupted build.

    The files depend on the plan only: not on the executor, the number of workers, or how often
    the build was interrupted.

    Parameters
    ----------
    plan
        Plan of the dataset; see :func:`make_plan`.
    folder
        Folder of the dataset; created if it does not exist.
    executor
        A ``concurrent.futures`` executor, which stays open.
    jobs
        Number of shards built at the same time; by default one, or all cores of a cluster.
    scheduler
        Address of a Dask scheduler. Its workers must see the folder under the same path.
    advance
        Called with the number of rows of every finished shard.

    Returns
    -------
    BuildReport
        Rows, bytes, time and memory.

    Raises
    ------
    SolverError
        If a checked row is wrong.
    FileError
        If a folder holds something else, another process writes there, or a file is damaged or
        cannot be written.
    WorkerError
        If a worker died, or there are no such workers. Finished shards are kept.

    Examples
    --------
    >>> import tempfile
    >>> from mjopt.datasets import make_plan
    >>> plan = make_plan("deals:100", seed=1)
    >>> with tempfile.TemporaryDirectory() as name:
    ...     report = build(plan, name)
    ...     print(report.rows, sorted(path.name for path in Path(name).iterdir()))
    100 ['README.md', 'data', 'manifest.json']
    """
    need("pyarrow", extra="datasets")
    expect(plan, DatasetPlan, "plan")
    started, folder = time.perf_counter(), as_path(folder, "folder")
    report = BuildReport()
    keys = {unit_key(shard): shard for shard in range(plan.num_shards)}
    with lock_folder(folder.absolute()) as where:
        store = prepare_folder(where, plan)
        missing = [] if store is None else [keys[key] for key in store.missing(keys)]
        report.kept_shards = plan.num_shards - len(missing)
        for shard in keys.values():
            if shard not in missing:
                start, stop = plan.shard_rows(shard)
                advance(stop - start)
        if store is not None:
            if jobs is not None and executor is None and scheduler is None:
                jobs = min(whole(jobs, "jobs"), max(len(missing), 1))
            with open_executor(jobs, scheduler=scheduler, executor=executor) as workers:
                for part in workers.map_unordered(partial(build_shard, plan, store), missing):
                    report.add(part)
                    advance(part.rows)
            records = [read_record(store, shard) for shard in keys.values()]
            atomic_write(where / CARD, card_text(plan, rows_by_split(plan, records)))
            write_manifest(where, plan, store, records)
    report.memory.setdefault(0, peak_memory())
    report.seconds = time.perf_counter() - started
    return report
