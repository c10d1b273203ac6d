"""Apply a function to many items: in this process, in worker processes, or on a Dask cluster.

Functions and items travel by cloudpickle, so classes from a user's file reach every worker as
they are in this process.
"""

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Final, TypeVar

from mjopt._internal.optional_deps import need
from mjopt._internal.signals import Terminated, raise_on_sigterm
from mjopt._internal.validation import as_whole, shorten
from mjopt.errors import WorkerError

if TYPE_CHECKING:  # slow to load, and not needed with one process
    from concurrent.futures import Executor, Future
    from multiprocessing.connection import Connection

T = TypeVar("T")
R = TypeVar("R")

TASKS_PER_WORKER: Final = 4
"""Tasks submitted ahead for each worker, which keeps all workers busy while results are read."""

_DEFAULT_JOBS: Final = 64  # assumed number of workers of a foreign executor
_GRACE_SECONDS: Final = 5.0  # time for a worker to release its resources after SIGTERM
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

    executor: "Executor | None"  # None means this process
    jobs: int  # number of items processed at the same time
    prefix: str = ""  # prefix of error messages
    in_processes: bool = False  # whether open_executor started them as processes

    def map(self, function: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        """Yield the result for each item, in the order of the items.

        Only a few items are read ahead. Several maps may run on the same workers.

        Raises
        ------
        WorkerError
            If a worker process is killed, or the cluster fails.
        """
        return self._results(function, items, in_order=True)

    def map_unordered(self, function: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        """Yield the result for each item as soon as it is computed. See :meth:`map`."""
        return self._results(function, items, in_order=False)

    def _results(
        self, function: Callable[[T], R], items: Iterable[T], *, in_order: bool
    ) -> Iterator[R]:
        if self.executor is None:
            yield from map(function, items)
            return
        from concurrent.futures import FIRST_COMPLETED, wait

        import cloudpickle

        call = _call_in_process if self.in_processes else _call
        payload = cloudpickle.dumps(function)
        submit = self.executor.submit
        tasks = (submit(call, payload, cloudpickle.dumps(item)) for item in items)
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
                f"{self.prefix}{_describe(error)}: run the same command again"
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

    Parameters
    ----------
    jobs
        Worker processes. By default 1, which means this process. A cluster uses all its cores.
    scheduler
        Address of a Dask scheduler, such as ``tcp://10.0.0.1:8786``. The cluster must have the
        same versions of mjopt and NumPy.
    executor
        A ``concurrent.futures`` executor of the caller, which stays open.

    Raises
    ------
    WorkerError
        If `jobs` is below 1, no scheduler answers, or the versions differ.

    Examples
    --------
    >>> with open_executor(jobs=1) as workers:
    ...     list(workers.map(sum, [[1, 2], [3]]))
    [3, 3]
    """
    if jobs is not None and (as_whole(jobs) or 0) < 1:
        raise WorkerError(f"{shorten(jobs)} jobs, expected at least 1")
    if scheduler is not None:
        prefix = f"--scheduler {scheduler}: "
        with _open_cluster(scheduler, prefix) as (cluster, cores):
            yield Workers(cluster, cores or _DEFAULT_JOBS, prefix)
    elif executor is not None:
        yield Workers(executor, jobs or _DEFAULT_JOBS)
    elif jobs is None or jobs == 1:
        yield Workers(None, 1)
    else:
        with _open_processes(jobs) as processes:
            yield Workers(processes, jobs, in_processes=True)


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

    Parameters
    ----------
    function
        Takes a list of items and returns a result for each.
    items
        The items, read as they are needed.
    size
        Items in a batch.
    min_items
        With fewer items than this, all run in this process: starting workers would take longer.
    jobs, scheduler
        As for :func:`open_executor`.

    Raises
    ------
    WorkerError
        As for :func:`open_executor` and :meth:`Workers.map`.

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
def _open_processes(jobs: int) -> Iterator["Executor"]:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    context = get_context("spawn")  # fork would copy solver threads in an inconsistent state
    stop_reader, stop_writer = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(
        jobs, mp_context=context, initializer=_start_worker, initargs=(stop_reader,)
    )
    try:
        yield pool
    except BaseException:
        stop_writer.close()  # signals the end to every worker, see _watch
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
        stop_writer.close()
        stop_reader.close()


def _start_worker(stop_reader: "Connection") -> None:
    """Ignore Ctrl-C, which the parent handles, and detect the end of the parent."""
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_watch, args=(stop_reader,), daemon=True).start()


def _watch(stop_reader: "Connection") -> None:
    """Terminate this worker process when its parent ends or closes the pipe."""
    import time
    from multiprocessing import parent_process
    from multiprocessing.connection import wait

    parent = parent_process()
    wait([stop_reader] if parent is None else [stop_reader, parent.sentinel])
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_GRACE_SECONDS)
    os._exit(1)


def _call_in_process(function: bytes, item: bytes) -> bytes:
    """Run one task in a worker process; on SIGTERM release its resources and exit."""
    raise_on_sigterm()
    try:
        return _call(function, item)
    except Terminated:
        os._exit(1)
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)  # an idle worker terminates at once


def _call(function: bytes, item: bytes) -> bytes:
    import cloudpickle

    try:
        call, argument = cloudpickle.loads(function), cloudpickle.loads(item)
    except ImportError as error:
        raise WorkerError(
            f"a worker cannot import what it needs ({error}): install that module on every worker"
        ) from None
    result: bytes = cloudpickle.dumps(call(argument))
    return result


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
def _open_cluster(address: str, prefix: str) -> Iterator[tuple["Executor", int]]:
    """Return the executor of a Dask client, and the number of cores of its workers."""
    need("distributed", extra="datasets")
    from importlib.metadata import version

    from distributed import Client

    try:
        client = Client(address, timeout="10s", set_as_default=False)
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise WorkerError(f"{prefix}no Dask scheduler answers ({reason})") from None
    with client:
        for worker, installed in client.get_versions(packages=list(_SAME_VERSIONS))[
            "workers"
        ].items():
            for package in _SAME_VERSIONS:
                theirs, ours = installed["packages"].get(package), version(package)
                if theirs != ours:
                    actual = f"{package} {theirs}" if theirs else f"no {package}"
                    raise WorkerError(f"{prefix}worker {worker} has {actual}, expected {ours}")
        # Not pure: two tasks with equal arguments may write to different folders.
        yield client.get_executor(pure=False), sum(client.ncores().values())
