"""How a study goes, on stderr: a bar with the time that remains, on a terminal."""

import sys
from types import TracebackType

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

WORTH_SAYING = 2.0  # seconds: shorter work is done before it is read


def minutes(seconds: float) -> str:
    """Write a duration for people.

    Examples
    --------
    >>> minutes(40), minutes(400), minutes(8000)
    ('40 s', '7 min', '2 h 13 min')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    whole = round(seconds / 60)
    return f"{whole} min" if whole < 90 else f"{whole // 60} h {whole % 60} min"


class StudyProgress:
    """Shows how a study goes; use it in a ``with`` block.

    Parameters
    ----------
    jobs
        Processes that share the work.
    quiet
        Show no bar and say nothing.
    """

    def __init__(self, *, jobs: int, quiet: bool = False) -> None:
        self._jobs, self._quiet = jobs, quiet
        console = Console(stderr=True)
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TaskProgressColumn(),
            TimeElapsedColumn(),
            TextColumn("elapsed,"),
            TimeRemainingColumn(),
            TextColumn("to go"),
            console=console,
            disable=quiet or not console.is_terminal,
        )
        self._task = self._bar.add_task("searching", total=None, visible=False)

    def __enter__(self) -> "StudyProgress":
        """Show the bar."""
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Take it away; after Ctrl-C say how to go on."""
        self._bar.stop()
        if kind is KeyboardInterrupt:
            print("mjopt: interrupted; the same command goes on from there", file=sys.stderr)

    def say(self, text: str) -> None:
        """Print a line."""
        if not self._quiet:
            self._bar.console.print(text, highlight=False, markup=False)

    def begin(self, total: float) -> None:
        """Begin a bar for so many CPU seconds of searches."""
        if total > WORTH_SAYING:
            self.say(
                f"about {minutes(total / self._jobs)} of searches on {self._jobs} "
                f"process{'es' * (self._jobs > 1)} (by a pilot)"
            )
        self._bar.reset(self._task, total=total, visible=True)

    def advance(self, seconds: float) -> None:
        """Move the bar on."""
        self._bar.advance(self._task, seconds)
