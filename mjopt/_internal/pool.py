"""The same work on many batches, by whoever is there to do it.

Processes of this machine, threads, an executor of somebody else's, or a Dask cluster:
all are spoken to in the few words that every ``concurrent.futures.Executor`` knows,
``submit`` with positional arguments, ``result``, ``cancel`` and ``wait``.
"""

import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice, product
from typing import TYPE_CHECKING, Any, Final, TypeVar

from mjopt._internal.optional_deps import need
from mjopt._internal.signals import Terminated, raise_on_sigterm
from mjopt.errors import WorkerError

# What they name is slow to load, and rarely needed.
if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

T = TypeVar("T")
R = TypeVar("R")

KINDS: Final = ("processes", "threads")
AHEAD: Final = 4  # batches given out per worker: enough that none waits for the reader
MOST_JOBS: Final = 64  # workers that somebody's executor is taken to have if nobody says
LAST_WORDS: Final = 5.0  # seconds in which a worker that is stopped cleans up
SAME: Final = ("mjopt", "numpy")  # a cluster's must be ours: rows and random streams are theirs


def batched(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Cut a stream into lists of a size, the last one perhaps shorter.

    Examples
    --------
    >>> list(batched("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    stream = iter(items)
    while batch := list(islice(stream, size)):
        yield batch


def in_order(
    work: Callable[[T], R],
    batches: Iterable[T],
    *,
    jobs: int = 1,
    kind: str = "processes",
    scheduler: str | None = None,
    warm: Callable[[], object] | None = None,
    kept: bool = False,
) -> Iterator[R]:
    """Yield the result for each batch, in order, as soon as it and those before are done.

    Parameters
    ----------
    work
        What to do with a batch; a function that another process can import.
    batches
        The batches; only a few are read ahead.
    jobs
        Processes or threads; one works in this process. A cluster has as many as it has.
    kind, scheduler, warm, kept
        As for :func:`open_pool`.

    Raises
    ------
    WorkerError
        If a worker is killed.

    Examples
    --------
    >>> list(in_order(sum, [[1, 2], [3]], jobs=1))
    [3, 3]
    """
    at_once = None if scheduler else jobs
    with open_pool(at_once, kind=kind, scheduler=scheduler, warm=warm, kept=kept) as pool:
        yield from pool.in_order(work, batches)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """Workers, and how they are given work; made by :func:`open_pool`.

    Parameters
    ----------
    executor
        Who works; None for this process.
    jobs
        How many work at once.
    where
        What a message about them begins with.
    kept
        Whether what is done outlives a run that fails.
    """

    executor: "Executor | None" = None
    jobs: int = 1
    where: str = ""
    kept: bool = False

    def in_order(
        self,
        work: Callable[[T], R],
        batches: Iterable[T],
        *,
        meanwhile: Callable[[], object] | None = None,
    ) -> Iterator[R]:
        """Yield the result for each batch, in order; only a few batches are read ahead.

        ``meanwhile`` is done in this process once the first batches are given out.
        """
        return self._results(work, batches, ordered=True, meanwhile=meanwhile)

    def as_done(self, work: Callable[[T], R], batches: Iterable[T]) -> Iterator[R]:
        """Yield the results as they come."""
        return self._results(work, batches, ordered=False)

    def _results(
        self,
        work: Callable[[T], R],
        batches: Iterable[T],
        *,
        ordered: bool,
        meanwhile: Callable[[], object] | None = None,
    ) -> Iterator[R]:
        if self.executor is None:
            if meanwhile is not None:
                meanwhile()
            yield from map(work, batches)
            return
        from concurrent.futures import FIRST_COMPLETED, wait

        submit, size = self.executor.submit, AHEAD * self.jobs
        stream = iter(batches)
        waiting: list[Future[R]] = []
        try:
            waiting.extend(submit(work, batch) for batch in islice(stream, size))
            if meanwhile is not None:
                meanwhile()
            while waiting:
                some = waiting[:1] if ordered else wait(waiting, return_when=FIRST_COMPLETED).done
                results = [future.result() for future in some]
                for future in some:
                    waiting.remove(future)
                # Before the reader goes on: nobody waits for it.
                waiting.extend(submit(work, batch) for batch in islice(stream, len(some)))
                yield from results
        except _deaths() as error:
            raise WorkerError(self._lost(error)) from None
        finally:
            for future in waiting:
                future.cancel()

    def _lost(self, error: BaseException) -> str:
        from concurrent.futures import BrokenExecutor

        how = f"the cluster gave up ({type(error).__name__})"
        if isinstance(error, BrokenExecutor):
            how = "a worker process was killed (out of memory?)"
        kept = "; what is done is kept" if self.kept else ""
        return f"{self.where}{how}{kept}: run the same command again"


def _deaths() -> tuple[type[BaseException], ...]:
    """Return how executors tell that a worker is no more; Dask has a word of its own."""
    import sys
    from concurrent.futures import BrokenExecutor, CancelledError

    dask = sys.modules.get("distributed")
    return (BrokenExecutor, CancelledError, *([dask.KilledWorker] if dask else []))


@contextmanager
def open_pool(
    jobs: int | None = None,
    *,
    kind: str = "processes",
    executor: "Executor | None" = None,
    scheduler: str | None = None,
    warm: Callable[[], object] | None = None,
    kept: bool = False,
    apart: bool = False,
) -> Iterator[Pool]:
    """Open a pool of workers, and see to it that none of them stays behind.

    Processes leave Ctrl-C to this one, and end when it does, however that happens.

    Parameters
    ----------
    jobs
        How many work at once: by default one, all cores of a cluster, or what
        ``MOST_JOBS`` says for an executor of yours. One works in this process.
    kind
        ``processes`` or ``threads``, without the next two.
    executor
        Anything with ``submit`` as in ``concurrent.futures``. It is not shut down.
    scheduler
        The address of a Dask scheduler, such as ``tcp://10.0.0.1:8786``. Its workers need
        this package, of this version.
    warm
        What each worker of a cluster does first: it compiles its kernels anew.
    kept
        Whether what is done outlives a run that fails; the message then says so.
    apart
        One is a worker too, as this process has something else to do.

    Raises
    ------
    WorkerError
        If they cannot be had as asked: nobody answers there, for one, or a worker of the
        cluster has another version.

    Examples
    --------
    >>> with open_pool(2, kind="threads") as pool:
    ...     list(pool.in_order(sum, [[1, 2], [3]]))
    [3, 3]
    """
    if kind not in KINDS:
        raise WorkerError(f"executor {kind!r}, expected {' or '.join(KINDS)}")
    if jobs is not None and jobs < 1:
        raise WorkerError(f"{jobs} jobs, expected at least 1")
    if scheduler is not None:
        where = f"--scheduler {scheduler}: "
        with _open_cluster(scheduler, where, warm) as (cluster, cores):
            at_once = jobs or cores or MOST_JOBS
            yield Pool(executor=cluster, jobs=at_once, where=where, kept=kept)
    elif executor is not None:
        yield Pool(executor=executor, jobs=jobs or MOST_JOBS, kept=kept)
    elif jobs is None or (jobs == 1 and not apart):
        yield Pool()
    else:
        with _own_executor(kind, jobs) as own:
            yield Pool(executor=own, jobs=jobs, kept=kept)


@contextmanager
def _own_executor(kind: str, jobs: int) -> Iterator["Executor"]:
    from concurrent.futures import ThreadPoolExecutor

    if kind == "threads":
        own: Executor = ThreadPoolExecutor(jobs, thread_name_prefix="mjopt")
    else:
        own = _worker_processes(jobs)
    try:
        yield own
    except BaseException as error:
        # An error of the work: what is begun is done, and may be kept. Else it is Ctrl-C, SIGTERM,
        # or nobody wants more; or one worker is dead, and the others could take for ever.
        is_of_work = isinstance(error, Exception) and not isinstance(error, WorkerError)
        if kind != "threads" and not is_of_work:
            _end_workers(own)
        raise
    finally:
        own.shutdown(wait=True, cancel_futures=True)


def _worker_processes(jobs: int) -> "Executor":
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    class Workers(ProcessPoolExecutor):
        """Processes whose work can be broken off."""

        def submit(self, work: Any, /, *args: Any, **how: Any) -> "Future[Any]":
            return super().submit(_do, work, *args, **how)

    # Not fork: a solver's threads in the parent would be copied half-alive.
    return Workers(jobs, mp_context=get_context("spawn"), initializer=_prepare)


def _end_workers(pool: Any) -> None:
    """Break off the work of processes: by a word, so that they can clean up, then by force."""
    from multiprocessing.connection import wait

    # Private names: Python 3.14 has methods for either way, not for one after the other.
    manager, processes = pool._executor_manager_thread, dict(pool._processes or {})
    pool.shutdown(wait=False, cancel_futures=True)  # first, or the manager takes it for a crash
    workers = {worker.sentinel: worker for worker in processes.values()}
    for worker in workers.values():
        worker.terminate()
    deadline = time.monotonic() + LAST_WORDS
    while workers and (left := deadline - time.monotonic()) > 0:
        for sentinel in wait(list(workers), left):
            del workers[sentinel]
    for worker in workers.values():
        worker.kill()
    if manager is not None:
        manager.join()


def _do(work: Callable[..., R], *args: Any, **how: Any) -> R:
    """Do some work in a worker process, which SIGTERM ends when what it broke off is closed."""
    raise_on_sigterm()
    try:
        return work(*args, **how)
    except Terminated:
        os._exit(1)
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)  # who has nothing to close just ends


def _prepare() -> None:
    """Leave Ctrl-C to the parent, which then stops the pool; end when the parent does."""
    import threading
    from multiprocessing import parent_process

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent.sentinel,), daemon=True).start()


def _follow(sentinel: Any) -> None:
    """End as the parent did: killed in the middle of the work, which is nowhere half in place."""
    from multiprocessing.connection import wait

    wait([sentinel])
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(LAST_WORDS)
    os._exit(1)


@contextmanager
def _open_cluster(
    address: str, where: str, warm: Callable[[], object] | None
) -> Iterator[tuple["Executor", int]]:
    """Open the executor of a Dask scheduler; also say how many cores its workers have."""
    need("distributed", extra="datasets")
    from importlib.metadata import version

    from distributed import Client

    try:
        client = Client(address, timeout="10s", set_as_default=False)
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise WorkerError(f"{where}no Dask scheduler answers ({reason})") from None
    with client:
        workers = client.get_versions(packages=list(SAME))["workers"]
        for worker, package in product(workers, SAME):
            theirs, ours = workers[worker]["packages"].get(package), version(package)
            if theirs != ours:
                has = f"{package} {theirs}" if theirs else f"no {package}"
                raise WorkerError(f"{where}worker {worker} has {has}, expected {ours}")
        cores = client.ncores()
        if warm is not None:
            # Another may do it for one that dies; what fails here fails again in the work.
            begun = [
                client.submit(warm, workers=[worker], allow_other_workers=True, pure=False)
                for worker in cores
            ]
            for future in begun:
                future.exception()
        # Not pure: the same work into two folders is two works.
        yield client.get_executor(pure=False), sum(cores.values())
