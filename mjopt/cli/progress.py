"""Progress bars on stderr."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from threading import Timer
from typing import Self, TypeVar

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from mjopt._internal.sanitize import plain
from mjopt._internal.signals import STOPPED, cleanup_at_end
from mjopt.cli.output import warn
from mjopt.cli.stdio import IS_QUIET

T = TypeVar("T")

DELAY = 0.7  # seconds before an indeterminate bar appears


class _RateColumn(ProgressColumn):
    """Unit and items per second, once the rate is known."""

    def render(self, task: Task) -> Text:
        unit = task.fields["unit"]
        return Text(f"{unit}, {task.speed:,.0f}/s" if task.speed else unit)


class Bar:
    """A progress bar in a ``with`` block, shown if stderr is a terminal.

    Parameters
    ----------
    name, unit
        Description of the work, and the unit of its amount.
    total
        Total amount of work, if known.
    done
        Amount done by earlier runs.
    resumes
        Whether the same command resumes the work after Ctrl-C; None prints no message.
    """

    def __init__(
        self,
        name: str,
        total: float | None = None,
        *,
        unit: str = "",
        done: int = 0,
        resumes: bool | None = None,
    ) -> None:
        console = Console(stderr=True)
        self._resumes = resumes
        self.progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            _RateColumn(),
            TimeElapsedColumn(),
            TextColumn("elapsed,"),
            TimeRemainingColumn(),
            TextColumn("to go"),
            console=console,
            disable=IS_QUIET.get() or not console.is_terminal,
        )
        self._task = self.progress.add_task(name, total=total, completed=done, unit=unit)
        self._cleanup = cleanup_at_end(self._end)

    def __enter__(self) -> Self:
        """Show the bar."""
        self._cleanup.__enter__()
        self.progress.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Remove the bar; after Ctrl-C or SIGTERM print how to resume."""
        self._cleanup.__exit__(None, None, None)
        self.progress.stop()
        if kind is not None and issubclass(kind, STOPPED):
            self._report_interruption()

    def _report_interruption(self) -> None:
        if self._resumes is not None:
            warn(f"interrupted{'; the same command resumes' * self._resumes}")

    def _end(self) -> None:
        """Leave the bar when a signal ends the process; the main thread may be using it."""
        if not self.progress.disable:
            _show_cursor()
        self._report_interruption()

    def say(self, text: str) -> None:
        """Print a line, unless quiet."""
        if not IS_QUIET.get():
            with suppress(OSError):  # ignore a closed stderr, as `warn` does
                console = self.progress.console
                console.print(plain(text), highlight=False, markup=False, soft_wrap=True)

    def begin(self, total: float, unit: str = "", done: int = 0) -> None:
        """Restart the bar with a new total, unit and amount done."""
        self.progress.reset(self._task, total=total, completed=done)
        if unit:
            self.progress.update(self._task, unit=unit)

    def advance(self, number: float = 1) -> None:
        """Advance the bar."""
        self.progress.advance(self._task, number)

    def set_total(self, total: float) -> None:
        """Correct the total."""
        self.progress.update(self._task, total=total)

    def each(self, items: Iterable[T]) -> Iterator[T]:
        """Yield items and advance the bar by one after each."""
        for item in items:
            yield item
            self.advance()


@contextmanager
def waiting(name: str) -> Iterator[None]:
    """Show an indeterminate bar if the block takes longer than `DELAY`.

    The block must not print.
    """
    console = Console(stderr=True)
    if IS_QUIET.get() or not console.is_terminal:
        yield
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    progress = Progress(*columns, console=console, transient=True)
    progress.add_task(name, total=None)
    timer = Timer(DELAY, progress.start)
    timer.daemon = True
    timer.start()
    try:
        with cleanup_at_end(_show_cursor):
            yield
    finally:
        timer.cancel()
        timer.join()
        progress.stop()


def _show_cursor() -> None:
    """Show the cursor, which bars hide, on a line of its own."""
    with suppress(OSError):
        os.write(2, b"\x1b[?25h\n")
