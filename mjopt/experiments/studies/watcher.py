"""Who is told how a study goes: only the command line shows anything."""

from typing import Protocol


class Watcher(Protocol):
    """Is told how a study goes."""

    def say(self, text: str) -> None:
        """Hear a line for the user."""

    def begin(self, total: float) -> None:
        """Hear how many CPU seconds of searches are to come, by a pilot."""

    def advance(self, seconds: float) -> None:
        """Hear that so many of those are done."""


class Quiet:
    """Hears everything, shows nothing."""

    def say(self, text: str) -> None:
        """Hear a line for the user."""

    def begin(self, total: float) -> None:
        """Hear how much is to come."""

    def advance(self, seconds: float) -> None:
        """Hear how much is done."""
