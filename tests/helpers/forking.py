"""Processes that begin with the package loaded, forked from one that holds no JAX.

JAX runs threads, which do not live on in a fork: whoever waits for one there waits for ever. And
wherever doctests of the package are collected, JAX is loaded.
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
    """Return a context whose processes are forked from one of its own."""
    if not hasattr(os, "fork"):
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(LOADED)
    return context


def started(work: Callable[[], object]) -> BaseProcess:
    """Start some work in such a process, and return when it begins.

    What is defined beside it goes along: another process cannot import a module of tests.
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
    """Return the modules of tests that hold some work, and what it is given to do."""
    if isinstance(work, partial):
        return set().union(*map(_homes, (work.func, *work.args)))
    home = getattr(work, "__module__", None) or ""
    return {home} if home.rpartition(".")[2].startswith("test_") else set()


def _do(work: bytes, begun: Any) -> None:
    import cloudpickle

    does = cloudpickle.loads(work)
    begun.set()
    does()
