"""Who makes the shards: anything with the interface of ``concurrent.futures``."""

import signal
import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from os import _exit
from typing import Any

from mjopt.errors import DatasetError
from mjopt.runtime.extras import need

EXECUTORS = ("processes", "threads")


@contextmanager
def open_executor(kind: str, jobs: int) -> Iterator[Executor | None]:
    """Open an executor for so many jobs; None if this process is to do the work.

    Parameters
    ----------
    kind
        ``processes`` or ``threads``.
    jobs
        How many; one process is this one.
    """
    if kind not in EXECUTORS:
        raise DatasetError(f"executor {kind!r}, expected {' or '.join(EXECUTORS)}")
    if jobs < 1:
        raise DatasetError(f"{jobs} jobs, expected at least 1")
    if jobs == 1 and kind == "processes":
        yield None
        return
    pool: Executor
    if kind == "threads":
        pool = ThreadPoolExecutor(jobs, thread_name_prefix="mjopt-shard")
    else:
        # Not fork: the threads of the parent would be copied half-alive.
        pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_prepare)
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _prepare() -> None:
    """Leave Ctrl-C to the parent; end when the parent does, however that happens."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent.sentinel,), daemon=True).start()


def _follow(sentinel: Any) -> None:
    wait([sentinel])
    _exit(1)  # killed in the middle of a shard, as the parent was: nothing is half in place


@contextmanager
def dask_executor(address: str) -> Iterator[tuple[Executor, int]]:
    """Open the executor of a Dask scheduler; also say how many cores its workers have.

    The workers need this package, and the folder of the dataset under the same path.

    Parameters
    ----------
    address
        Such as ``tcp://10.0.0.1:8786``.

    Raises
    ------
    DatasetError
        If nobody answers there, or the cluster gives up: its scheduler is gone, or
        worker after worker died of one shard.
    """
    need("distributed", extra="datasets")
    from distributed import Client, KilledWorker

    try:
        client = Client(address, timeout="10s", set_as_default=False)
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise DatasetError(f"--scheduler {address}: no Dask scheduler answers ({reason})") from None
    try:
        # Not pure: two builds of one plan in two folders are two builds.
        yield client.get_executor(pure=False), sum(client.ncores().values())
    except (CancelledError, KilledWorker) as error:
        raise DatasetError(
            f"--scheduler {address}: the cluster gave up ({type(error).__name__}); "
            "what is done is kept: run the same command again"
        ) from None
    finally:
        client.close()
