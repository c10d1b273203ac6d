"""Progress reports, which the command line shows as a bar, and the format of durations."""

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
