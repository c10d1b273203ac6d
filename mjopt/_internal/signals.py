"""Turn SIGTERM into an exception, so that resources are released as on Ctrl-C."""

import signal
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
