"""Protocol for progress reports; the command line shows a bar."""

from typing import Protocol


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


class NoProgress:
    """Ignores all progress reports."""

    def say(self, *_: object, **__: object) -> None:
        """Ignore the report."""

    begin = advance = set_total = say
