"""What the commands about games show: tables, and how far the games are."""

import sys
from collections.abc import Callable, Iterable
from types import TracebackType

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table as RichTable

from mjopt.reports.table import Table


class GameProgress:
    """A bar of games played, on a terminal; in a ``with`` block it gives what moves it on.

    Parameters
    ----------
    total
        Games in all.
    quiet
        Show no bar.
    resumes
        Whether the same command goes on after Ctrl-C.
    """

    def __init__(self, total: int, *, quiet: bool = False, resumes: bool = False) -> None:
        console = Console(stderr=True)
        self._resumes = resumes
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=console,
            disable=quiet or not console.is_terminal,
        )
        self._task = self._bar.add_task("games", total=total)

    def __enter__(self) -> Callable[[int], None]:
        """Show the bar."""
        self._bar.start()
        return lambda games: self._bar.advance(self._task, games)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Take it away; after Ctrl-C say how to go on."""
        self._bar.stop()
        if kind is KeyboardInterrupt:
            hint = "; the same command goes on from there" if self._resumes else ""
            print(f"mjopt: interrupted{hint}", file=sys.stderr)


def print_tables(tables: Iterable[Table]) -> None:
    """Print tables on stdout, as wide as they are."""
    console = Console(width=None if sys.stdout.isatty() else 220, highlight=False)
    for table in tables:
        console.print(table.title, markup=False, soft_wrap=True)
        shown = RichTable()
        for column in table.columns:
            right = column.form != "text"
            shown.add_column(column.heading, justify="right" if right else "left", no_wrap=right)
        for row in table.written_rows():
            shown.add_row(*row)
        console.print(shown, markup=False)
        for note in table.notes:
            console.print(note, markup=False, soft_wrap=True)
        console.print()
