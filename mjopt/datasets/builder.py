"""Build a dataset shard by shard, resuming an interrupted build."""

import time
from collections.abc import Callable
from concurrent.futures import Executor
from functools import partial
from pathlib import Path

from mjopt._internal.executor import open_executor
from mjopt._internal.files import as_path, atomic_write, lock_folder
from mjopt._internal.optional_deps import need
from mjopt._internal.progress import ignore, listening
from mjopt._internal.validation import expect, whole
from mjopt.datasets.additions import (
    NEXT,
    finish_addition,
    is_complete_addition,
    open_source,
    remove_leftovers,
)
from mjopt.datasets.card import CARD, card_text
from mjopt.datasets.licence import licence_lines, licence_text, write_licence
from mjopt.datasets.manifest import (
    prepare_folder,
    read_manifest,
    read_record,
    rows_by_split,
    unit_key,
    write_manifest,
)
from mjopt.datasets.plan import DatasetPlan
from mjopt.datasets.shard import BuildReport, build_shard, peak_memory
from mjopt.errors import ArgumentError


class _Rows:
    """Reports whole rows: those of slow labels as they are labelled, the others by shard."""

    def __init__(self, advance: Callable[[int], object]) -> None:
        self._advance, self._labelled, self._reported = advance, 0.0, 0

    def add(self, share: float) -> None:
        """Add a share of a row of the current shard."""
        self._labelled += share
        if number := int(self._labelled + 1e-6) - self._reported:
            self._reported += number
            self._advance(number)

    def complete(self, number: int) -> None:
        """End a shard of a number of rows."""
        if number > self._reported:
            self._advance(number - self._reported)
        self._labelled, self._reported = 0.0, 0


def build(
    plan: DatasetPlan,
    folder: Path | str,
    *,
    executor: Executor | None = None,
    jobs: int | None = None,
    scheduler: str | None = None,
    licence: str | None = None,
    advance: Callable[[int], object] = ignore,
) -> BuildReport:
    """Build a dataset, continue an interrupted build, or add to a complete dataset.

    The files depend on the plan only: not on the executor, the number of workers, or how often
    the build was interrupted. If the folder holds a dataset of the same plan with fewer labels,
    rows or splits, its labels are taken over.

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
    licence
        SPDX identifier of the licence, such as ``CC-BY-4.0``, or a file with its text; by default
        that of the folder, else ``MIT``.
    advance
        Called with the number of hands drawn for every finished shard.

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
    100 ['LICENSE', 'README.md', 'data', 'manifest.json']
    """
    need("pyarrow", extra="datasets")
    expect(plan, DatasetPlan, "plan")
    started, folder = time.perf_counter(), as_path(folder, "folder", utf8=True)
    report, licence = BuildReport(), None if licence is None else licence_text(licence)
    keys = {unit_key(shard): shard for shard in range(plan.num_shards)}
    with lock_folder(folder.absolute()) as where:
        if is_complete_addition(where):
            finish_addition(where, plan)
        source = open_source(where, plan)
        home = where if source is None else where / NEXT
        store = prepare_folder(home, plan)
        is_relicensed = write_licence(where, licence)
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
                task = partial(build_shard, plan, store, source=None if source is None else where)
                steps = _Rows(advance)
                with listening(steps.add):
                    for part in workers.map_unordered(task, missing):
                        report.add(part)
                        steps.complete(part.drawn)
            records = [read_record(store, shard) for shard in keys.values()]
            rows = rows_by_split(plan, records)
            if not sum(rows.values()):
                raise ArgumentError(
                    f"keeps none of {plan.num_rows} hands", argument="where", value=plan.where
                )
            atomic_write(home / CARD, card_text(plan, rows, licence_lines(where)))
            write_manifest(home, plan, store, records)
        elif is_relicensed:
            rows = read_manifest(home)["rows"]
            atomic_write(home / CARD, card_text(plan, rows, licence_lines(where)))
        if source is not None:
            finish_addition(where, plan)
        elif (where / NEXT).is_dir():
            remove_leftovers(where)
    report.memory.setdefault(0, peak_memory())
    report.seconds = time.perf_counter() - started
    return report
