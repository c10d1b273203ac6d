"""Apply a function to many items: in this process, in worker processes, or on a Dask cluster.

Functions and items travel by cloudpickle, so classes from a user's file reach every worker as
they are in this process.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Final, TypeVar

from mjopt._internal.optional_deps import need
from mjopt._internal.sanitize import short_repr
from mjopt._internal.validation import as_whole
from mjopt._internal.worker_processes import WorkerProcesses, call_pickled
from mjopt.errors import ArgumentError, WorkerError

if TYPE_CHECKING:  # slow to load, and not needed with one process
    from concurrent.futures import Executor, Future

T = TypeVar("T")
R = TypeVar("R")

TASKS_PER_WORKER: Final = 4
"""Tasks submitted ahead for each worker, which keeps all workers busy while results are read."""

_DEFAULT_JOBS: Final = 64  # assumed number of workers of a foreign executor
_SAME_VERSIONS: Final = ("mjopt", "numpy")  # results and random streams depend on both


def batched(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Split a stream into lists of a fixed size; the last one may be shorter.

    Examples
    --------
    >>> list(batched("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    stream = iter(items)
    while batch := list(islice(stream, size)):
        yield batch


@dataclass(frozen=True, slots=True)
class Workers:
    """Workers opened by :func:`open_executor`."""

    submit: "Callable[[bytes, bytes], Future[bytes]] | None"  # None means this process
    jobs: int  # number of items processed at the same time
    scheduler: str = ""  # address of the cluster

    def map(self, function: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        """Yield the result for each item, in the order of the items.

        Only a few items are read ahead. Several maps may run on the same workers.

        A worker process that is killed, or a cluster that fails, is a `WorkerError`.
        """
        return self._results(function, items, in_order=True)

    def map_unordered(self, function: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        """Yield the result for each item as soon as it is computed. See :meth:`map`."""
        return self._results(function, items, in_order=False)

    def _results(
        self, function: Callable[[T], R], items: Iterable[T], *, in_order: bool
    ) -> Iterator[R]:
        if self.submit is None:
            yield from map(function, items)
            return
        from concurrent.futures import FIRST_COMPLETED, wait

        import cloudpickle

        payload = cloudpickle.dumps(function)
        submit = self.submit
        tasks = (submit(payload, cloudpickle.dumps(item)) for item in items)
        pending: list[Future[bytes]] = []
        try:
            pending.extend(islice(tasks, TASKS_PER_WORKER * self.jobs))
            while pending:
                done = pending[:1] if in_order else wait(pending, None, FIRST_COMPLETED).done
                results = [cloudpickle.loads(future.result()) for future in done]
                pending = [future for future in pending if future not in done]
                # Submitted before the results are used, so that workers continue meanwhile.
                pending.extend(islice(tasks, len(done)))
                yield from results
        except _executor_failures() as error:
            raise WorkerError(
                _describe(error),
                argument="scheduler" if self.scheduler else "",
                value=self.scheduler,
                hint="run the same command again",
            ) from None
        finally:
            for future in pending:
                future.cancel()


@contextmanager
def open_executor(
    jobs: int | None = None,
    *,
    scheduler: str | None = None,
    executor: "Executor | None" = None,
) -> Iterator[Workers]:
    """Open workers, and close them at the end of the block.

    ``jobs`` is the number of worker processes, by default 1, which means this process; below 1 is
    an `ArgumentError`. ``scheduler`` is the address of a Dask scheduler, such as
    ``tcp://10.0.0.1:8786``; by default its cluster uses all its cores. It must have the same
    versions of mjopt and NumPy: otherwise, or if no scheduler answers, `WorkerError` is raised. An
    ``executor`` of the caller, a ``concurrent.futures`` one, stays open.

    Examples
    --------
    >>> with open_executor(jobs=1) as workers:
    ...     list(workers.map(sum, [[1, 2], [3]]))
    [3, 3]
    """
    if jobs is not None and (as_whole(jobs) or 0) < 1:
        raise ArgumentError(argument="jobs", value=short_repr(jobs), expected="at least 1")
    if scheduler is not None:
        with _open_cluster(scheduler) as (cluster, cores):
            yield Workers(_call_with(cluster), cores or _DEFAULT_JOBS, scheduler)
    elif executor is not None:
        yield Workers(_call_with(executor), jobs or _DEFAULT_JOBS)
    elif jobs is None or jobs == 1:
        yield Workers(None, 1)
    else:
        with _open_processes(jobs) as processes:
            yield Workers(processes.submit, jobs)


def map_batches(
    function: Callable[[list[T]], Iterable[R]],
    items: Iterable[T],
    *,
    size: int,
    min_items: int = 0,
    jobs: int = 1,
    scheduler: str | None = None,
) -> Iterator[R]:
    """Apply a function to batches of many small items; yield the results one by one, in order.

    ``size`` is the number of items in a batch; items are read as they are needed. With fewer than
    ``min_items``, all run in this process: starting workers would take longer. Arguments and errors
    are otherwise those of :func:`open_executor` and :meth:`Workers.map`.

    Examples
    --------
    >>> list(map_batches(lambda numbers: [-n for n in numbers], range(3), size=2))
    [0, -1, -2]
    """
    batches = batched(items, size)
    first = list(islice(batches, -(-min_items // size)))
    is_small = scheduler is None and sum(map(len, first)) < min_items
    with open_executor(jobs, scheduler=scheduler) as workers:
        run = map if is_small else workers.map
        for results in run(function, chain(first, batches)):
            yield from results


@contextmanager
def _open_processes(jobs: int) -> Iterator[WorkerProcesses]:
    processes = WorkerProcesses(jobs)
    try:
        yield processes
        processes.close()
    except BaseException:
        processes.terminate()
        raise


def _call_with(executor: "Executor") -> "Callable[[bytes, bytes], Future[bytes]]":
    """Return a function that runs a pickled function on a pickled item in an executor."""
    return lambda function, item: executor.submit(call_pickled, function, item)


def _executor_failures() -> tuple[type[BaseException], ...]:
    """Return the exceptions that indicate a lost worker, with Dask's if Dask is loaded."""
    import sys
    from concurrent.futures import BrokenExecutor, CancelledError

    distributed = sys.modules.get("distributed")
    return (BrokenExecutor, CancelledError, *([distributed.KilledWorker] if distributed else []))


def _describe(error: BaseException) -> str:
    from concurrent.futures import BrokenExecutor

    if isinstance(error, BrokenExecutor):
        return "a worker process was killed (out of memory?)"
    return f"the cluster gave up ({type(error).__name__})"


@contextmanager
def _open_cluster(address: str) -> Iterator[tuple["Executor", int]]:
    """Return the executor of a Dask client, and the number of cores of its workers."""
    need("distributed", extra="datasets")
    from importlib.metadata import version

    from distributed import Client

    try:
        client = Client(address, timeout="10s", set_as_default=False)
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise WorkerError(
            f"no Dask scheduler answers ({reason})", argument="scheduler", value=address
        ) from None
    with client:
        for worker, installed in client.get_versions(packages=list(_SAME_VERSIONS))[
            "workers"
        ].items():
            for package in _SAME_VERSIONS:
                theirs, ours = installed["packages"].get(package), version(package)
                if theirs != ours:
                    actual = f"{package} {theirs}" if theirs else f"no {package}"
                    raise WorkerError(
                        f"worker {worker} has {actual}",
                        argument="scheduler",
                        value=address,
                        expected=ours,
                    )
        # Not pure: two tasks with equal arguments may write to different folders.
        yield client.get_executor(pure=False), sum(client.ncores().values())
