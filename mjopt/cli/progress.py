"""Progress on stderr: a bar on a terminal, else lines at fixed moments."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain, count
from threading import Event, Thread, Timer
from time import monotonic
from typing import Final, Self, TypeVar

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

from mjopt._internal.progress import minutes
from mjopt._internal.sanitize import plain
from mjopt._internal.signals import STOPPED, cleanup_at_end
from mjopt.cli.output import warn
from mjopt.cli.stdio import IS_QUIET

T = TypeVar("T")

DELAY = 0.7  # seconds before an indeterminate bar appears

SETTING: Final = "MJOPT_PROGRESS"  # with the value 0, no lines are printed

MOMENTS: tuple[float, ...] = (1, 10, 30)
"""Seconds after which the first lines are printed; from 60 on there is one each minute. Work that
takes less than a second prints none."""


class _RateColumn(ProgressColumn):
    """Unit and items per second, once the rate is known."""

    def render(self, task: Task) -> Text:
        unit = task.fields["unit"]
        return Text(f"{unit}, {task.speed:,.0f}/s" if task.speed else unit)


def moments() -> Iterator[float]:
    """Yield the seconds after which lines are printed."""
    return chain(MOMENTS, count(60, 60))


def print_lines(
    describe: Callable[[], str],
    write: Callable[[str], object],
    wait: Callable[[float], bool],
    clock: Callable[[], float] = monotonic,
) -> None:
    """Write the state of the work at each moment, until `wait` returns that it has ended."""
    begin = clock()
    for moment in moments():
        if wait(max(0.0, begin + moment - clock())):
            return
        write(describe())


class _Lines:
    """Prints lines of progress in a thread, unless quiet or on a terminal."""

    def __init__(self, describe: Callable[[], str], console: Console) -> None:
        self._describe, self._console, self._ended = describe, console, Event()
        self._thread: Thread | None = None

    def start(self) -> None:
        """Begin to print."""
        is_off = IS_QUIET.get() or os.environ.get(SETTING) == "0"
        if not (is_off or self._console.is_terminal):
            args = self._describe, self._write, self._ended.wait
            self._thread = Thread(target=print_lines, args=args, daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """End the thread."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join()

    def _write(self, line: str) -> None:
        with suppress(OSError, ValueError):  # a closed stderr
            self._console.print(plain(line), highlight=False, markup=False, soft_wrap=True)


class Bar:
    """A progress bar in a ``with`` block; lines at fixed moments if stderr is no terminal.

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
        self._lines = _Lines(self._describe, console)
        self._begin, self._done_before = monotonic(), float(done)
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
        """Show the bar, or begin to print lines."""
        self._cleanup.__enter__()
        self.progress.start()
        self._begin = monotonic()
        self._lines.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Remove the bar; after Ctrl-C or SIGTERM print how to resume."""
        self._cleanup.__exit__(None, None, None)
        self._lines.stop()
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

    def _describe(self) -> str:
        """Return the amount done, the total and the rate since the start of this run."""
        task = self.progress.tasks[0]
        seconds = monotonic() - self._begin
        rate = (task.completed - self._done_before) / max(seconds, 1e-9)
        total = "" if task.total is None else f" of {task.total:,.0f}"
        unit = f" {task.fields['unit']}".rstrip()
        speed = f"{rate:,.0f}" if rate >= 100 else f"{rate:.2g}"
        amount = f"{task.completed:,.0f}{total}{unit}, {speed}/s"
        return f"{task.description}: {amount}, {minutes(seconds)} elapsed"

    def begin(self, total: float, unit: str = "", done: int = 0) -> None:
        """Restart the bar with a new total, unit and amount done."""
        self._begin, self._done_before = monotonic(), float(done)
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
    """Show an indeterminate bar if the block takes longer than `DELAY`, else lines.

    The block must not print.
    """
    console = Console(stderr=True)
    if IS_QUIET.get() or not console.is_terminal:
        begin = monotonic()
        lines = _Lines(lambda: f"{name}: {minutes(monotonic() - begin)} elapsed", console)
        lines.start()
        try:
            yield
        finally:
            lines.stop()
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
