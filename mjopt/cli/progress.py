"""How far the work is, on stderr: one bar for every command, with the time to go."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from threading import Timer
from typing import Any, ClassVar, Self, TypeVar, cast

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
from mjopt._internal.signals import STOPPED
from mjopt.cli.output import warn

T = TypeVar("T")

WORTH_SAYING = 2.0  # seconds: shorter work is done before it is read
SOON = 0.7  # seconds until work shows that it goes on


class _RateColumn(ProgressColumn):
    """So many a second, once that is known."""

    def render(self, task: Task) -> Text:
        unit = task.fields["unit"]
        return Text(f"{unit}, {task.speed:,.0f}/s" if task.speed else unit)


class Bar:
    """Shows how far the work is, if stderr is a terminal; use it in a ``with`` block.

    Parameters
    ----------
    name, unit
        What is done, and in what it is counted.
    total
        How much there is, if that is known.
    done
        How much of it was done before.
    quiet
        Show no bar and say nothing.
    resumes
        Whether the same command goes on after Ctrl-C; None to say nothing then.
    """

    shown: ClassVar[Progress | None] = None  # what is, or is about to be

    def __init__(
        self,
        name: str,
        total: float | None = None,
        *,
        unit: str = "",
        done: int = 0,
        quiet: bool = False,
        resumes: bool | None = None,
    ) -> None:
        console = Console(stderr=True)
        self._quiet, self._resumes = quiet, resumes
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
            disable=quiet or not console.is_terminal,
        )
        self._task = self.progress.add_task(name, total=total, completed=done, unit=unit)

    def __enter__(self) -> Self:
        """Show the bar."""
        self.progress.start()
        Bar.shown = self.progress
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Take it away; after Ctrl-C or SIGTERM say how to go on."""
        Bar.shown = None
        self.progress.stop()
        if kind in STOPPED and self._resumes is not None:
            warn(f"interrupted{'; the same command goes on from there' * self._resumes}")

    def say(self, text: str) -> None:
        """Print a line."""
        if not self._quiet:
            with suppress(OSError):  # as `warn`
                console = self.progress.console
                console.print(plain(text), highlight=False, markup=False, soft_wrap=True)

    def begin(self, total: float, unit: str = "", done: int = 0) -> None:
        """Begin again, with so much to do, perhaps in other units, perhaps some of it done."""
        counted: dict[str, Any] = {"unit": unit} if unit else {}
        self.progress.reset(self._task, total=total, completed=done, **counted)

    def advance(self, number: float = 1) -> None:
        """Move the bar on."""
        self.progress.advance(self._task, number)

    def each(self, items: Iterable[T]) -> Iterator[T]:
        """Yield items, moving the bar on by one after each."""
        for item in items:
            yield item
            self.advance()


@contextmanager
def waiting(name: str) -> Iterator[None]:
    """Show that work goes on which is mostly short: after a second, until it is done.

    Nothing may be printed meanwhile.
    """
    console = Console(stderr=True)
    if not console.is_terminal:
        yield
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    progress = Progress(*columns, console=console, transient=True)
    progress.add_task(name, total=None)
    timer = Timer(SOON, progress.start)
    timer.daemon = True
    timer.start()
    before, Bar.shown = Bar.shown, progress
    try:
        yield
    finally:
        Bar.shown = before
        timer.cancel()
        timer.join()
        progress.stop()


def awaited(name: str, items: Iterable[T]) -> Iterator[T]:
    """Yield items, each when it comes, and show meanwhile that work goes on."""
    stream = iter(items)
    while True:
        with waiting(name):
            found = next(stream, stream)
        if found is stream:
            return
        yield cast("T", found)


class StudyBar(Bar):
    """The bar of a study, in CPU seconds of searches: it tells first what a pilot expects.

    Parameters
    ----------
    jobs
        Processes that share the work.
    quiet
        Show no bar and say nothing.
    """

    def __init__(self, *, jobs: int, quiet: bool) -> None:
        super().__init__("searching", unit="CPU s", quiet=quiet, resumes=True)
        self._jobs = jobs

    def begin(self, total: float, unit: str = "", done: int = 0) -> None:
        """Begin with so many CPU seconds to do."""
        if total > WORTH_SAYING:
            self.say(
                f"about {minutes(total / self._jobs)} of searches on {self._jobs} "
                f"process{'es' * (self._jobs > 1)} (by a pilot)"
            )
        super().begin(total, unit, done)


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
