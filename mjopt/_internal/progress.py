"""Progress reports, which the command line shows as a bar, and the format of durations."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, Protocol


class Progress(Protocol):
    """Receives progress reports."""

    def begin(self, total: float, /, unit: str = "", done: int = 0) -> None:
        """Start (again) with a total amount of work, its unit, and how much is done."""

    def advance(self, number: float = 1, /) -> None:
        """Report that a further amount of work is done."""

    def set_total(self, total: float, /) -> None:
        """Correct the total amount of work."""

    def say(self, text: str, /) -> None:
        """Show a line of text to the user."""


class _Ignore:
    """Ignores a report; as a default it is legible in signatures."""

    def __call__(self, report: object, /) -> None:
        """Ignore the report."""

    def __repr__(self) -> str:
        return "ignore"


ignore: Final = _Ignore()
"""A function that ignores its argument."""


class NoProgress:
    """Ignores all progress reports."""

    def say(self, *_: object, **__: object) -> None:
        """Ignore the report."""

    begin = advance = set_total = say


_listener: Final[ContextVar[Callable[[float], object] | None]] = ContextVar(
    "listener", default=None
)


@contextmanager
def listening(advance: Callable[[float], object] | None) -> Iterator[None]:
    """Pass what :func:`report` gets in the block, in this process, to a function."""
    token = _listener.set(advance)
    try:
        yield
    finally:
        _listener.reset(token)


@contextmanager
def one_of(parts: int) -> Iterator[None]:
    """Count reports in the block as those of one of several equal parts of the work."""
    advance = _listener.get()
    with listening(advance and (lambda number: advance(number / parts))):
        yield


def report(number: float) -> None:
    """Report a step of slow work to the function of :func:`listening`, if there is one."""
    if (advance := _listener.get()) is not None:
        advance(number)


def minutes(seconds: float) -> str:
    """Format a duration.

    Examples
    --------
    >>> minutes(40), minutes(400), minutes(8000)
    ('40 s', '7 min', '2 h 13 min')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    whole = round(seconds / 60)
    return f"{whole} min" if whole < 90 else f"{whole // 60} h {whole % 60} min"
