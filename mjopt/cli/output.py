"""Printing: results on stdout, everything else on stderr."""

import json
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from mjopt._internal.sanitize import MESSAGE, plain, shorten
from mjopt.hands.hand import Hand
from mjopt.hands.notation import get_notation
from mjopt.hands.rules.classic_forms import UNREACHABLE

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Column
    from rich.table import Table as RichTable
    from rich.text import Text

    from mjopt._internal.tables import Table

# Characters that JSON does not escape but that control a terminal or are invalid in UTF-8.
UNSHOWN = re.compile("[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")


def warn(text: str) -> None:
    """Print a one-line message on stderr."""
    with suppress(OSError):  # a closed stderr does not stop the work
        print(f"mjopt: {shorten(text, MESSAGE)}", file=sys.stderr)


def print_json(document: object) -> None:
    """Print one JSON document on stdout, in ASCII if stdout cannot encode it."""
    text = json.dumps(document, ensure_ascii=False, indent=2)
    try:
        text.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        text = json.dumps(document, indent=2)
    print(UNSHOWN.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


def value_text(value: int | None) -> str:
    """Format a deficiency."""
    return "unreachable" if value == UNREACHABLE else "unknown" if value is None else str(value)


def as_document(value: int | None, name: str = "deficiency") -> dict[str, object]:
    """Return the JSON fields of a deficiency: null and ``unreachable`` if it is undefined."""
    return {name: None if value == UNREACHABLE else value, "reachable": value != UNREACHABLE}


def as_text(hand: Hand, notation: str) -> str:
    """Format a hand with its called melds."""
    melds = " ".join(f"({meld.text(hand.tiles)})" for meld in hand.melds)
    return f"{hand.to_text(notation)} {melds}".strip()


def say_it_wins(hand: str, forms: Iterable[str]) -> None:
    """Print that a hand is complete."""
    print(f"{hand} wins, complete as {', '.join(forms)}; its discards, if the win is declined:")


def tiles_text(counts: tuple[int, ...], hand: Hand, notation: str) -> str:
    """Format tiles in a notation; a dash if there are none."""
    none = (0,) * len(counts)
    return get_notation(notation).write(counts, none, hand.tiles) or "-"


def is_terminal() -> bool:
    """Return whether stdout is a terminal."""
    return sys.stdout.isatty()


def right(headings: Iterable[str]) -> "list[Column]":
    """Return right-aligned columns of a table."""
    from rich.table import Column

    return [Column(heading, justify="right") for heading in headings]


def cell(text: str) -> "Text":
    """Return a table cell that shows a text without interpreting markup."""
    from rich.text import Text

    return Text(plain(text))


def print_table(
    table: "RichTable",
    *,
    title: str = "",
    notes: Iterable[str] = (),
    optional: Iterable[str] = (),
) -> None:
    """Print a table on stdout.

    On a terminal that is too narrow, optional columns are left out and named in a note, then
    cells are folded. Elsewhere the table has its full width.

    Parameters
    ----------
    table
        The table; its cells are texts.
    title, notes
        Lines above and below the table.
    optional
        Headings of optional columns; the first is left out first. Headings joined by ``" | "``
        are left out together.
    """
    from rich.console import Console, ConsoleDimensions

    console = Console(highlight=False, markup=False, emoji=False)
    unlimited = console.options.update_width(100_000)
    is_full = not is_terminal()
    left_out: list[str] = []
    for names in () if is_full else optional:
        if console.measure(table, options=unlimited).minimum <= console.width:
            break
        headings = names.split(" | ")
        left_out += [str(c.header).strip() for c in table.columns if c.header in headings]
        table.columns = [column for column in table.columns if column.header not in headings]
    full_width = console.measure(table, options=unlimited).maximum
    if is_full:
        # Set width and height: rich ignores a width alone on a dumb terminal.
        console.size = ConsoleDimensions(full_width + console.legacy_windows, console.height)
    else:
        _set_widths(table, console, full_width - console.width)
    if left_out:
        notes = (
            f"{console.width} columns leave out: {', '.join(left_out)}; --json has them",
            *notes,
        )
    if title:
        console.print(plain(title), soft_wrap=is_full)
    console.print(table)
    for note in notes:
        console.print(plain(note), soft_wrap=is_full)


def _set_widths(table: "RichTable", console: "Console", excess: int) -> None:
    """Narrow the widest columns of a table; break words only if necessary."""
    # Rich narrows columns without regard to their words, so that a name is broken while another
    # column still has blanks to break at. With a min_width instead, a table that does not fit is
    # cut.
    unlimited = console.options.update_width(100_000)
    for column in table.columns:
        column.overflow = "fold"
        measured = [console.measure(c, options=unlimited) for c in (column.header, *column.cells)]
        column.width = max(part.maximum for part in measured)
        column.min_width = max(column.min_width or 0, *(part.minimum for part in measured))
    while excess > 0:
        spare = [(c.width or 0) - (c.min_width or 0) for c in table.columns]
        widest = max(range(len(spare)), key=lambda k: (spare[k] > 0, table.columns[k].width or 0))
        column = table.columns[widest]
        if (column.width or 0) <= 1:
            return
        column.width = (column.width or 0) - 1
        if spare[widest] <= 0:
            column.min_width = column.width  # a word too long for the terminal is folded
        excess -= 1


def print_tables(tables: "Iterable[Table]") -> None:
    """Print tables on stdout."""
    from rich.table import Table as RichTable

    for table in tables:
        printed = RichTable()
        for column in table.columns:
            printed.add_column(column, justify="left" if table.is_text(column) else "right")
        for row in table.shown_rows():
            printed.add_row(*map(cell, row))
        print_table(printed, title=table.title, notes=table.notes, optional=table.optional)
        print()
