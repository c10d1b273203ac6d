"""The worker processes of a command, as /proc shows them."""

import os
from pathlib import Path
from typing import NamedTuple

from helpers.waits import wait_until

PROC = Path("/proc")


class Process(NamedTuple):
    """A process, identified by pid and start time, because pids are reused."""

    pid: int
    start: str

    @property
    def is_alive(self) -> bool:
        """Return whether it runs; a zombie does not."""
        fields = _stat(self.pid)
        return bool(fields) and fields[0] not in "ZX" and fields[19] == self.start


def _stat(pid: int) -> list[str]:
    """Return the fields after the name in a process's ``stat``: state, parent and others."""
    try:
        return (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def children_of(parent: int, mark: str) -> list[Process]:
    """Return the child processes of a process whose command line contains a text."""
    found = []
    for path in PROC.iterdir():
        if path.name.isdigit() and (fields := _stat(int(path.name))) and int(fields[1]) == parent:
            try:
                words = (path / "cmdline").read_bytes()
            except OSError:
                continue
            if mark.encode() in words:
                found.append(Process(int(path.name), fields[19]))
    return found


def processor_ticks(parent: int) -> int:
    """Return the processor time of a process and of its child processes that run, in ticks."""
    pids = [parent, *(child.pid for child in children_of(parent, ""))]
    return sum(int(ticks) for pid in pids for ticks in _stat(pid)[11:13])


def workers_of(parent: int) -> list[Process]:
    """Return the worker processes of a process."""
    return children_of(parent, "spawn_main")


def marked(mark: str) -> list[Process]:
    """Return every process whose command line contains a text."""
    found = []
    for path in PROC.iterdir():
        if path.name.isdigit() and (fields := _stat(int(path.name))):
            try:
                words = (path / "cmdline").read_bytes()
            except OSError:
                continue
            if mark.encode() in words and int(path.name) != os.getpid():
                found.append(Process(int(path.name), fields[19]))
    return found


def wait_for_workers(parent: int, number: int) -> list[Process]:
    """Wait until a process has a number of workers, and return them."""
    wait_until(lambda: not _stat(parent) or len(workers_of(parent)) >= number, "too few workers")
    assert _stat(parent), "it ended before it had its workers"
    return workers_of(parent)


def wait_until_gone(processes: list[Process]) -> None:
    """Wait until all processes have ended."""
    message = "worker processes outlive the one that started them"
    wait_until(lambda: not any(process.is_alive for process in processes), message)
