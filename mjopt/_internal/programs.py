"""Run other programs so that they and their descendants end with this process.

Every program leads a process group of its own. The group is killed when its run ends, when a signal
ends this process, and when this process is killed: a shell that knows the groups waits for the end
of its input, which is a pipe from this process.
"""

import atexit
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Final

from mjopt._internal.signals import add_cleanup, delayed_signals, remove_cleanup

MAX_OUTPUT: Final = 1 << 24  # bytes
_CHUNK: Final = 1 << 16
_KILL: Final = getattr(signal, "SIGKILL", signal.SIGTERM)
_POLLS: Final = (0.001, 0.05)  # seconds between looks at a program: the first, the longest

_SHELL: Final = """
trap '' HUP INT TERM
while read -r verb group; do
    kept=
    for each in $groups; do [ "$each" = "$group" ] || kept="$kept $each"; done
    [ "$verb" = add ] && kept="$kept $group"
    groups=$kept
done
for each in $groups; do kill -s KILL -- "-$each"; done
"""


@dataclass(frozen=True)
class FinishedProgram:
    """The result of :func:`run_program`."""

    status: int | None  # negative for a signal; None if killed at the time limit or for its output
    output: str  # standard output and standard error, `MAX_OUTPUT` bytes at most
    is_too_long: bool = False  # whether it wrote more


def run_program(
    words: Sequence[str], *, time_limit: float | None = None, folder: Path | None = None
) -> FinishedProgram:
    r"""Run a program without input, then kill the processes that it has left running.

    It is killed after ``time_limit`` seconds; ``folder`` is its working folder. A program that
    cannot be started is an ``OSError``.

    Examples
    --------
    >>> run_program(["echo", "done"])
    FinishedProgram(status=0, output='done\n', is_too_long=False)
    """
    deadline = None if time_limit is None else time.monotonic() + time_limit
    process = start_program(
        words,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=folder,
    )
    output = bytearray()
    try:
        has_ended = _read_until_end(process, output, deadline)
    finally:
        end_program(process)
    text = output[:MAX_OUTPUT].decode(errors="replace")
    if len(output) > MAX_OUTPUT:
        return FinishedProgram(None, text, is_too_long=True)
    return FinishedProgram(process.returncode if has_ended else None, text)


def _read_until_end(
    process: "subprocess.Popen[bytes]", output: bytearray, deadline: float | None
) -> bool:
    """Collect the output of a program; return whether it ended by itself.

    Its descendants may hold the pipe open, so the program itself is looked at as well.
    """
    assert process.stdout is not None
    descriptor, (pause, longest) = process.stdout.fileno(), _POLLS
    os.set_blocking(descriptor, False)
    is_open = True
    with selectors.DefaultSelector() as selector:
        selector.register(descriptor, selectors.EVENT_READ)
        while True:
            has_ended = process.poll() is not None
            while is_open and len(output) <= MAX_OUTPUT:
                try:
                    chunk = os.read(descriptor, _CHUNK)
                except BlockingIOError:
                    break
                output += chunk
                if not (is_open := bool(chunk)):
                    selector.unregister(descriptor)
            if has_ended or len(output) > MAX_OUTPUT:
                return has_ended
            if deadline is not None and time.monotonic() >= deadline:
                return False
            if not selector.select(pause):
                pause = min(2 * pause, longest)


def start_program(words: Sequence[str], **options: Any) -> "subprocess.Popen[bytes]":
    """Start a program as the leader of a process group that ends with this process.

    Options are those of ``subprocess.Popen``. Call :func:`end_program` in the end. A program that
    cannot be started is an ``OSError``.
    """
    with delayed_signals():
        process = subprocess.Popen(words, start_new_session=True, **options)
        _GUARD.add(process.pid)
    return process


def end_program(process: "subprocess.Popen[bytes]") -> None:
    """Kill a program and the processes of its group, and close its pipes."""
    signal_group(process, _KILL)
    process.kill()  # in case it has left the group
    process.wait()
    _GUARD.drop(process.pid)
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()


def signal_group(process: "subprocess.Popen[bytes]", number: int) -> None:
    """Send a signal to the process group of a program, if the system has groups."""
    _signal_group(process.pid, number)


def _signal_group(group: int, number: int) -> None:
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(group, number)


class _Guard:
    """The shell that kills process groups when this process ends, also if that is killed."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._groups: set[int] = set()
        self._shell: subprocess.Popen[bytes] | None = None
        atexit.register(self._close)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forget)

    def add(self, group: int) -> None:
        """Let a group end with this process."""
        with self._lock:
            if not self._groups:
                add_cleanup(self.kill_groups)
            self._groups.add(group)
            if not self._write(f"add {group}\n"):
                self._start()

    def drop(self, group: int) -> None:
        """Forget a group, whose number may be used again."""
        with self._lock:
            self._groups.discard(group)
            self._write(f"drop {group}\n")
            if not self._groups:
                remove_cleanup(self.kill_groups)

    def kill_groups(self) -> None:
        """Kill all groups."""
        for group in [*self._groups]:
            _signal_group(group, _KILL)

    def _start(self) -> None:
        """Start the shell, again if it was killed."""
        self._close()
        if not hasattr(os, "killpg"):
            return
        with suppress(OSError):  # a system without a shell
            self._shell = subprocess.Popen(
                ["/bin/sh", "-c", _SHELL],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                cwd="/",
                start_new_session=True,
            )
            self._write("".join(f"add {group}\n" for group in self._groups))

    def _write(self, lines: str) -> bool:
        if self._shell is None or self._shell.stdin is None:
            return False
        try:
            self._shell.stdin.write(lines.encode())
        except OSError:
            return False
        return True

    def _close(self) -> None:
        if self._shell is not None and self._shell.stdin is not None:
            self._shell.stdin.close()
            self._shell.wait()
        self._shell = None

    def _forget(self) -> None:
        """Leave the shell to the parent of a forked process."""
        shell, self._shell = self._shell, None
        self._groups.clear()
        self._lock = Lock()
        if shell is not None and shell.stdin is not None:
            shell.stdin.close()
            shell.returncode = 0  # it is no child of this process


_GUARD: Final = _Guard()
