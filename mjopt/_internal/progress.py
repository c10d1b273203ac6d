"""Who is told how far long work is: a bar of the command line, or nobody."""

from typing import Protocol


class Watcher(Protocol):
    """Is told how far the work is; only the command line shows anything."""

    def begin(self, total: float, /, unit: str = "", done: int = 0) -> None:
        """Hear how much there is from now on, in what it is counted, and what is done of it."""

    def advance(self, number: float = 1, /) -> None:
        """Hear that so much more is done."""

    def say(self, text: str, /) -> None:
        """Hear a line for the user."""


class Quiet:
    """Hears everything, shows nothing."""

    def say(self, *_: object, **__: object) -> None:
        """Hear it."""

    begin = advance = say
