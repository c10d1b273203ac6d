"""Worker processes that outlive a test, since each needs seconds to start and load kernels."""

import atexit
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from itertools import cycle
from threading import Event

import pytest

from mjopt._internal.worker_processes import WorkerProcesses
from mjopt.play.serve import background

_idle: list[WorkerProcesses] = []
_lent: list["LastingProcesses"] = []


class LastingProcesses:
    """A worker process; the next site continues to use it, unless it is ended in a task."""

    def __init__(self, jobs: int, *, can_cancel: bool = True) -> None:
        self._processes = _idle.pop() if _idle else WorkerProcesses(jobs, can_cancel=can_cancel)
        self._sent: Future[bytes] | None = None
        self._is_returned = Event()
        _lent.append(self)

    def start(self) -> None:
        """Do nothing: a process starts with its first task."""

    def wait_for_end(self) -> None:
        """Wait until the site is closed: it has no process after that."""
        self._is_returned.wait()

    def cancel(self) -> None:
        """Cancel the task."""
        self._processes.cancel()

    def submit(self, function: bytes, item: bytes) -> "Future[bytes]":
        """Run a pickled function on a pickled item."""
        self._sent = self._processes.submit(function, item)
        # After the start of the process: functions registered last are called first, and
        # multiprocessing registers one that waits for processes.
        atexit.register(_end_all)
        return self._sent

    def terminate(self) -> None:
        """Return an idle process for the next site; end one that computes."""
        if self not in _lent:
            return
        _lent.remove(self)
        self._is_returned.set()
        if self._sent is None or self._sent.done():
            _idle.append(self._processes)
        else:
            self._processes.terminate()


class LastingPool:
    """Some of these processes, which take turns, in the place of ``WorkerProcesses``."""

    def __init__(self, jobs: int) -> None:
        self._processes = [LastingProcesses(1) for _ in range(jobs)]
        self._next = cycle(self._processes)

    def submit(self, function: bytes, item: bytes) -> "Future[bytes]":
        """Run a pickled function on a pickled item."""
        return next(self._next).submit(function, item)

    def close(self) -> None:
        """Return the processes, which have computed all results."""
        self.terminate()

    def terminate(self) -> None:
        """Return idle processes; end those that compute."""
        for processes in self._processes:
            processes.terminate()


@contextmanager
def lasting_processes() -> Iterator[None]:
    """Let all sites of a block share their processes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(background, "WorkerProcesses", LastingProcesses)
        yield
    for processes in [*_lent]:  # of sites that a test left open
        processes.terminate()


def _end_all() -> None:
    for processes in [*_lent]:
        processes.terminate()
    while _idle:
        _idle.pop().terminate()
