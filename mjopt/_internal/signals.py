"""Turn SIGTERM into an exception, so that resources are released as on Ctrl-C."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final


class Terminated(BaseException):
    """SIGTERM was received. Like KeyboardInterrupt, it is not an error."""


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

    Only the first signal raises: later ones do not interrupt the release of resources.
    """

    def end(*_: Any) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        raise Terminated

    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, end)


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
