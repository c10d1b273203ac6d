"""Ctrl-C while the command line loads: it just ends, without the traceback of an import.

The package imports this first, for what that does, and this imports little; nothing is open
then that had to be closed.
"""

import os
import signal
import sys
from contextlib import suppress

INTERRUPTED = 130  # what shells report for Ctrl-C


def begin_loading() -> None:
    """Let Ctrl-C end the process at once, unless somebody has other plans with it."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        with suppress(ValueError):  # not the main thread
            signal.signal(signal.SIGINT, _leave)


def end_loading() -> None:
    """Let Ctrl-C raise KeyboardInterrupt again."""
    if signal.getsignal(signal.SIGINT) is _leave:
        with suppress(ValueError):
            signal.signal(signal.SIGINT, signal.default_int_handler)


def end_line() -> None:
    """Leave the line of a terminal on which ``^C`` stands to what has been typed there."""
    with suppress(OSError):
        if os.isatty(2):
            os.write(2, b"\n")


def _leave(*_: object) -> None:
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
