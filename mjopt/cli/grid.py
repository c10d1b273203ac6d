"""Tables on stdout: whole, or on a narrow terminal without the columns that say least."""

import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from rich.cells import cell_len
from rich.console import Console, ConsoleDimensions
from rich.table import Column, Table
from rich.text import Text

from mjopt._internal.sanitize import plain

WORDY: Final = 24  # columns that a cell of several words may be folded to
DRAWN: Final = (4, 40)  # of a bar: at least, and at most


def print_grid(
    table: Table,
    *,
    title: str = "",
    notes: Iterable[str] = (),
    less: Sequence[str] = (),
    wide: bool = False,
) -> None:
    """Print a table; where it is wider than the terminal, whole columns are left out.

    Cells of several words are folded before that. What is left out is said below. Headings
    that leave no room even so are numbered, and stand below. Where stdout is no terminal,
    nothing is left out or numbered.

    Parameters
    ----------
    table
        The table, its cells as text.
    title, notes
        What stands above and below.
    less
        Headings of columns that may be left out, those that go first first; some with
        bars between them go together.
    wide
        Leave none out, and fold nothing.
    """
    console = Console(highlight=False, markup=False, emoji=False)
    is_whole = wide or not sys.stdout.isatty()
    width, gone = console.width, list[str]()
    if is_whole:
        width = _frame(table) + sum(_room(column)[1] for column in table.columns)
        # Both at once: a dumb terminal has 80 columns whatever width alone is set.
        console.size = ConsoleDimensions(width + console.legacy_windows, console.height)
    for names in () if is_whole else less:
        if _frame(table) + sum(_room(column)[0] for column in table.columns) <= width:
            break
        some = names.split(" | ")
        here = [column for column in table.columns if column.header in some]
        table.columns = [column for column in table.columns if column not in here]
        gone += [str(column.header).strip() for column in here]
    legend = [] if is_whole else _number_headings(table, width)
    _give_room(table, width)
    if title:
        console.print(plain(title), soft_wrap=is_whole)
    console.print(table)
    for line in legend:
        console.print(plain(line), soft_wrap=True)
    if gone:
        notes = (f"{width} columns leave out: {', '.join(gone)}; --wide shows them", *notes)
    for note in notes:
        console.print(plain(note), soft_wrap=is_whole)


def _frame(table: Table) -> int:
    """Return the columns that lines and blanks take."""
    number = len(table.columns)
    return 2 * number + (0 if table.box is None else number + 1)


def _number_headings(table: Table, width: int) -> list[str]:
    """Put numbers for the longest headings until there is room; return what they stand for."""

    def spared(column: Column) -> int:
        return _room(column)[0] - _room(replace(column, header="(0)"))[0]

    missing = _frame(table) + sum(_room(column)[0] for column in table.columns) - width
    long: set[int] = set()
    for column in sorted(table.columns, key=spared, reverse=True):
        if missing > 0 and spared(column) > 0:
            missing -= spared(column)
            long.add(id(column))
    legend: list[str] = []
    for column in table.columns:
        if id(column) in long:
            legend.append(f"({len(legend) + 1}) {column.header}")
            column.header = f"({len(legend)})"
    return legend


def _room(column: Column) -> tuple[int, int]:
    """Return the columns that it needs, and those that it would fill."""
    cells = [str(text) for text in column.cells if isinstance(text, (str, Text))]
    if len(cells) < len(list(column.cells)):
        return DRAWN
    words = [*str(column.header).split(), *(word for text in cells for word in text.split())]
    # A short cell and a name stay on one line; a long one is folded between words.
    most = max(map(cell_len, (str(column.header), *cells)))
    wordy = most if column.no_wrap else WORDY
    whole = [min(cell_len(text), wordy) if " " in text else cell_len(text) for text in cells]
    return max([*map(cell_len, words), *whole], default=0), most


def _give_room(table: Table, width: int) -> None:
    """Give each column what it needs, then more; a name too long for all is folded."""
    rooms = [_room(column) for column in table.columns]
    given = [least for least, _ in rooms]
    spare = width - _frame(table) - sum(given)
    for place in sorted(range(len(rooms)), key=lambda i: rooms[i][1] - given[i]):
        more = max(0, min(spare, rooms[place][1] - given[place]))
        given[place] += more
        spare -= more
    while spare < 0 and max(given) > 1:
        given[given.index(max(given))] -= 1
        spare += 1
    for column, room in zip(table.columns, given, strict=True):
        # What is held to one line all the same would be cut where it is too long.
        column.width, column.overflow, column.no_wrap = room, "fold", False
