"""Ends that are asked for: SIGTERM closes what is open, as Ctrl-C does."""

import signal
from typing import Any, Final


class Terminated(BaseException):
    """SIGTERM has come. Like KeyboardInterrupt it is no error, and goes through to the top."""


STOPPED: Final = (KeyboardInterrupt, Terminated)
"""What goes through a command that is stopped from outside."""


def find_end(error: BaseException | None) -> BaseException | None:
    """Return what stopped us, where an error came of it; None where nothing did.

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
    """Let SIGTERM raise :class:`Terminated` in the main thread; whoever ignores it still does.

    Only the first one does: nothing disturbs what is then closed.
    """

    def end(*_: Any) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        raise Terminated

    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, end)
