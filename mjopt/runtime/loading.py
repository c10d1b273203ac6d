"""Ctrl-C while the command line loads: it just ends, without the traceback of an import.

The package imports this first, for what that does; nothing is open then that had to be closed.
"""

import os
import signal
import sys
import threading
from contextlib import suppress
from typing import Any, Final, NoReturn

INTERRUPTED: Final = 130  # what shells report for Ctrl-C


def begin_loading() -> None:
    """Let Ctrl-C end the process at once, unless somebody has other plans with it."""
    is_ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_ours and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, _leave)


def end_loading() -> None:
    """Let Ctrl-C raise KeyboardInterrupt again."""
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def end_line() -> None:
    """Leave the line of a terminal on which ``^C`` stands to what has been typed there."""
    with suppress(OSError):
        if os.isatty(2):
            os.write(2, b"\n")


def _leave(*_: Any) -> NoReturn:
    end_line()
    os._exit(INTERRUPTED)


def _is_command() -> bool:
    """Whether this process is the command, as a script or by ``python -m mjopt``."""
    if sys.argv[:1] == ["-m"]:  # so long as the module is looked for
        return "mjopt" in sys.orig_argv
    name, _ = os.path.splitext(os.path.basename(sys.argv[0])) if sys.argv else ("", "")
    return name in ("mjopt", "mjopt-script")


if _is_command():
    begin_loading()
