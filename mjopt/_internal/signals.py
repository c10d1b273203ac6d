"""Turn SIGTERM into an exception, so that resources are released as on Ctrl-C."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final


class Terminated(BaseException):
    """SIGTERM was received. Like KeyboardInterrupt, it is not an error."""


_MOMENT: Final = 0.1  # seconds

STOPPED: Final = (KeyboardInterrupt, Terminated)
"""Exceptions that stop a command from outside."""


def find_end(error: BaseException | None) -> BaseException | None:
    """Return the signal exception that caused an error, or None.

    Examples
    --------
    >>> error = SystemError("a result with an exception set")
    >>> error.__cause__ = KeyboardInterrupt()
    >>> find_end(error), find_end(ValueError())
    (KeyboardInterrupt(), None)
    """
    while error is not None and not isinstance(error, STOPPED):
        error = error.__cause__ or error.__context__
    return error


def raise_on_sigterm() -> None:
    """Make SIGTERM raise :class:`Terminated` in the main thread, unless it is ignored.

    Only the first signal raises: later ones do not interrupt the release of resources. Where
    Python would print and forget the exception of a signal, such as in the callbacks of numba's
    compiler, the signal comes again a moment later.
    """

    def end(*_: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        raise Terminated

    def repeat(error: "sys.UnraisableHookArgs") -> None:
        if not isinstance(error.exc_value, STOPPED):
            sys.__unraisablehook__(error)
            return
        number = signal.SIGINT
        if isinstance(error.exc_value, Terminated):
            number = signal.SIGTERM
            signal.signal(number, end)
        again = threading.Timer(_MOMENT, os.kill, (os.getpid(), number))
        again.daemon = True
        again.start()

    sys.unraisablehook = repeat
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, end)


def exit_on_signals() -> None:
    """Make SIGINT and SIGTERM end the process at once: the interpreter may be closing down.

    There, an exception of a signal handler would be printed with its traceback.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda caught, _: os._exit(128 + caught))


@contextmanager
def delayed_signals() -> Iterator[None]:
    """Deliver SIGINT and SIGTERM at the end of the block instead of inside it."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signal handlers run in the main thread only
        return
    received: list[int] = []
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    delayed = [number for number in handlers if handlers[number] not in (None, signal.SIG_IGN)]
    for number in delayed:
        signal.signal(number, lambda number, _: received.append(number))
    try:
        yield
    finally:
        for number in delayed:
            signal.signal(number, handlers[number])
        for caught in received:
            signal.raise_signal(caught)
