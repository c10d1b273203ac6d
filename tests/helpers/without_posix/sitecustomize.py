"""Hide what Windows lacks, before anything of ours is imported: ``MJOPT_WITHOUT_POSIX=1``.

On the path of every Python that the tests start. The standard library keeps what it has
taken for itself; ``msvcrt`` locks as that of Windows does, by locks that belong to an open file.
"""

import asyncio  # noqa: F401 (these take what they need, as long as it is there)
import fcntl
import multiprocessing.popen_spawn_posix
import multiprocessing.resource_tracker
import os
import signal
import struct
import subprocess
import sys
import tempfile  # noqa: F401
from types import ModuleType

MODULES = ("fcntl", "resource", "termios", "tty", "pty", "pwd", "grp", "readline", "syslog")
# Not what other packages take by the name of the platform: getuid, uname, sched_getaffinity.
NAMES = {
    os: (
        *("chown", "fchmod", "fchown", "fork", "forkpty", "getegid", "getgid"),
        *("getpgid", "getpgrp", "getsid", "killpg", "lockf", "mkfifo", "mknod"),
        *("nice", "openpty", "posix_fallocate", "pread", "pwrite"),
        *("set_blocking", "setgid", "setpgid", "setsid", "setuid", "statvfs", "sync"),
        *("O_NOFOLLOW", "O_NONBLOCK", "O_DIRECTORY", "O_CLOEXEC"),
    ),
    signal: (
        *("SIGALRM", "SIGHUP", "SIGKILL", "SIGSTOP", "SIGUSR1", "SIGUSR2", "SIGCHLD"),
        *("alarm", "setitimer", "ITIMER_REAL", "pause", "pthread_kill", "sigwait"),
    ),
}

LK_LOCK, LK_NBLCK = 1, 2
_control, _how = fcntl.fcntl, {LK_LOCK: fcntl.F_OFD_SETLKW, LK_NBLCK: fcntl.F_OFD_SETLK}
_write, _kill = fcntl.F_WRLCK, os.kill


def _locking(descriptor: int, mode: int, number: int) -> None:
    place = os.lseek(descriptor, 0, os.SEEK_CUR)
    lock = struct.pack("hhqqi4x", _write, os.SEEK_SET, place, number, 0)
    _control(descriptor, _how[mode], lock)


def _kill_nobody(pid: int, what: int) -> None:
    """Kill, but refuse to ask: on Windows 0 is the number of Ctrl-C."""
    if not what:
        raise AssertionError("os.kill(pid, 0) presses Ctrl-C on Windows")
    _kill(pid, what)


if os.environ.get("MJOPT_WITHOUT_POSIX") and "msvcrt" not in sys.modules:
    msvcrt = ModuleType("msvcrt")
    msvcrt.__dict__.update(LK_LOCK=LK_LOCK, LK_NBLCK=LK_NBLCK, locking=_locking)
    sys.modules["msvcrt"] = msvcrt
    for _name in MODULES:
        sys.modules[_name] = None  # type: ignore[assignment]
    for _owner, _names in NAMES.items():
        for _name in _names:
            if hasattr(_owner, _name):
                delattr(_owner, _name)
    os.kill = _kill_nobody
    subprocess.Popen.kill = lambda self: self.send_signal(9)
    multiprocessing.popen_spawn_posix.Popen.kill = lambda self: self._send_signal(9)
