"""Processes with the package preloaded, forked from a server process without JAX.

JAX runs threads, which do not survive a fork: code that waits for one would hang. The test process
may have loaded JAX, because the collection of doctests imports it.
"""

import multiprocessing
import os
import sys
from collections.abc import Callable
from functools import partial
from multiprocessing.process import BaseProcess
from typing import Any

LOADED = ["__main__", "mjopt.cli.main", "mjopt.datasets", "mjopt.studies.runner"]
LOADED += ["mjopt.tournaments", "mjopt.tables.label"]


def fork_context() -> Any:
    """Return a context that forks its processes from a server process."""
    if not hasattr(os, "fork"):
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(LOADED)
    return context


def started(work: Callable[[], object]) -> BaseProcess:
    """Start work in such a process, and return when it begins.

    Its test module is pickled by value, because another process cannot import it.
    """
    import cloudpickle

    for home in _homes(work):
        cloudpickle.register_pickle_by_value(sys.modules[home])
    context = fork_context()
    begun = context.Event()
    process: BaseProcess = context.Process(target=_do, args=(cloudpickle.dumps(work), begun))
    process.start()
    begun.wait()
    return process


def _homes(work: Any) -> set[str]:
    """Return the test modules that define the work and its arguments."""
    if isinstance(work, partial):
        return set().union(*map(_homes, (work.func, *work.args)))
    home = getattr(work, "__module__", None) or ""
    return {home} if home.rpartition(".")[2].startswith("test_") else set()


def _do(work: bytes, begun: Any) -> None:
    import cloudpickle

    does = cloudpickle.loads(work)
    begun.set()
    does()
