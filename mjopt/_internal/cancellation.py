"""Cancellation of long computations, which look at a flag between their steps.

A worker process that is ended instead has to be replaced, and its successor imports everything and
loads all kernels again.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Cancelled(BaseException):
    """The result of a computation is no longer wanted. Like KeyboardInterrupt, it is no error."""


def _never() -> bool:
    return False


_is_cancelled: Callable[[], bool] = _never


@contextmanager
def cancelled_by(flag: Callable[[], bool]) -> Iterator[None]:
    """Cancel computations in a block once a function returns True.

    Examples
    --------
    >>> with cancelled_by(lambda: True):
    ...     check_cancelled()
    Traceback (most recent call last):
    mjopt._internal.cancellation.Cancelled
    >>> check_cancelled()
    """
    global _is_cancelled  # noqa: PLW0603 - one flag for all threads of a worker
    before, _is_cancelled = _is_cancelled, flag
    try:
        yield
    finally:
        _is_cancelled = before


def check_cancelled() -> None:
    """Raise :class:`Cancelled` if the computation is cancelled; takes less than a microsecond."""
    if _is_cancelled():
        raise Cancelled
