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
    is_built,
    prepare_folder,
    rows_by_split,
    shard_record,
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
    DatasetError
        If the folder holds something else, or a checked row is wrong.
    FileError
        If another process writes the folder, or a file cannot be written.
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
    shards = range(plan.num_shards)
    with lock_folder(folder.absolute()) as where:
        if prepare_folder(where, plan):
            report.kept_shards = plan.num_shards
            advance(plan.num_rows)
        else:
            missing = [shard for shard in shards if not is_built(where, plan, shard)]
            report.kept_shards = plan.num_shards - len(missing)
            for shard in shards:
                if shard not in missing:
                    start, stop = plan.shard_rows(shard)
                    advance(stop - start)
            if jobs is not None and executor is None and scheduler is None:
                jobs = min(whole(jobs, "jobs"), max(len(missing), 1))
            with open_executor(jobs, scheduler=scheduler, executor=executor) as workers:
                for part in workers.map_unordered(partial(build_shard, plan, where), missing):
                    report.add(part)
                    advance(part.rows)
            records = [shard_record(where, plan, shard) for shard in shards]
            atomic_write(where / CARD, card_text(plan, rows_by_split(plan, records)))
            write_manifest(where, plan, records)
    report.memory.setdefault(0, peak_memory())
    report.seconds = time.perf_counter() - started
    return report
