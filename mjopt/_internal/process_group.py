"""A program with all that it starts: stopped together, and at the latest when we end.

On POSIX systems a program runs in a process group that a watcher leads: a shell of a few
hundred kilobytes, which waits at the end of a pipe that only this process holds. However this
process ends, the pipe closes, and the watcher kills the group. As the watcher leads
the group, it is there before the program is, and the number of the group belongs to nobody
else until the watcher is waited for. A parent-death signal would reach the program alone, not
what it has started, on Linux only, and when the thread ends that started it.

On Windows there is no such group: the program sees that its input has ended.
"""

import atexit
import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from threading import Lock
from typing import Any, Final

IS_POSIX: Final = hasattr(os, "killpg")
LAST_WORDS: Final = 0.5  # seconds a program has to end by itself, and again when it is told to
AFTER_ALL: Final = 5.0  # seconds until the system has ended what was killed

_own: dict[int, "subprocess.Popen[bytes]"] = {}
_looking: Final = Lock()
"""The watcher of what runs to its end, by the number of our process: a fork has its own."""

_WATCH: Final = "trap '' HUP INT QUIT TERM; read line; kill -s KILL 0"


class ProcessGroup:
    """A running program, its standard input and output as raw pipes.

    Parameters
    ----------
    command
        The program and its arguments.

    Raises
    ------
    OSError
        If it cannot be started.

    Examples
    --------
    >>> import sys
    >>> group = ProcessGroup([sys.executable, "-c", "print(6 * 7)"])
    >>> group.process.wait(), group.process.stdout.read().split()
    (0, [b'42'])
    >>> group.stop()
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._watcher: subprocess.Popen[bytes] | None = None
        how: dict[str, Any] = {}
        if IS_POSIX:
            self._watcher = _watch()
            how["process_group"] = self._watcher.pid
        else:
            how["creationflags"] = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
        try:
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, **how
            )
        except BaseException:
            self._kill_group()
            raise

    def stop(self) -> None:
        """End the program, by its input, then by a word, then by force; and all it started.

        It may be called again, also when it was broken off.
        """
        process = self.process
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.close()
            if not self._has_ended():
                self._tell(signal.SIGTERM)
                self._has_ended()
        finally:
            self._kill_group()
            process.kill()  # on Windows, and if it has left the group
            with suppress(subprocess.TimeoutExpired):
                process.wait(AFTER_ALL)
            process.stdout.close()  # whoever else may still hold the other end

    def _has_ended(self) -> bool:
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(LAST_WORDS)
        return self.process.returncode is not None

    def _tell(self, what: signal.Signals) -> None:
        if self._watcher is None:
            self.process.terminate()
        elif self._watcher.returncode is None:  # the number is the group's until it is waited for
            with suppress(OSError):
                os.killpg(self._watcher.pid, what)

    def _kill_group(self) -> None:
        if self._watcher is not None:
            self._tell(signal.SIGKILL)
            _close(self._watcher)


def run_program(command: Sequence[str], *, timeout: float | None = None) -> bytes:
    """Run a program to its end, and return all that it has printed.

    It is killed when an exception goes by, also KeyboardInterrupt, and when we end. Whatever
    it starts itself is not waited for. One watcher does for all that a process runs so.

    Raises
    ------
    OSError
        If it cannot be started.
    subprocess.TimeoutExpired
        If it takes more seconds.

    Examples
    --------
    >>> import sys
    >>> run_program([sys.executable, "-c", "print(6 * 7)"]).split()
    [b'42']
    """
    how: dict[str, Any] = {"process_group": _own_group()} if IS_POSIX else {}
    ran: subprocess.CompletedProcess[bytes] = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=timeout,
        check=False,
        **how,
    )
    return ran.stdout


def _own_group() -> int:
    with _looking:
        watcher = _own.get(os.getpid())
        if watcher is None or watcher.poll() is not None:
            watcher = _own[os.getpid()] = _watch()
            atexit.register(_close, watcher)
    return watcher.pid


def _watch() -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        ["/bin/sh", "-c", _WATCH],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        process_group=0,
    )


def _close(watcher: "subprocess.Popen[bytes]") -> None:
    assert watcher.stdin is not None
    watcher.stdin.close()
    with suppress(subprocess.TimeoutExpired):
        watcher.wait(AFTER_ALL)
