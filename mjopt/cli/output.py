"""Printing: results on stdout, everything else on stderr."""

import json
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from mjopt._internal.sanitize import MESSAGE, plain, short
from mjopt.hands.hand import Hand
from mjopt.hands.notation import get_notation
from mjopt.hands.winning_forms import UNREACHABLE

if TYPE_CHECKING:
    from rich.table import Column
    from rich.text import Text

    from mjopt._internal.report import Table

# What JSON leaves as it is, a terminal may obey, or no file can hold: see `plain`.
UNSHOWN = re.compile("[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")


def warn(text: str) -> None:
    """Print a line on stderr; the two blanks of one that goes on stay."""
    with suppress(OSError):  # the work goes on, and its status tells what came of it
        print(f"mjopt: {short(plain(text), MESSAGE)}", file=sys.stderr)


def print_json(document: Any) -> None:
    """Print one JSON document on stdout, in ASCII where that cannot show all of it."""
    text = json.dumps(document, ensure_ascii=False, indent=2)
    try:
        text.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        text = json.dumps(document, indent=2)
    print(UNSHOWN.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


def value_text(value: int | None) -> str:
    """Write a deficiency."""
    return "unreachable" if value == UNREACHABLE else "unknown" if value is None else str(value)


def as_document(value: int | None, name: str = "deficiency") -> dict[str, Any]:
    """Return a deficiency as JSON has it: null, and said to be so, where there is none."""
    return {name: None if value == UNREACHABLE else value, "reachable": value != UNREACHABLE}


def as_text(hand: Hand, notation: str) -> str:
    """Write a hand with its called melds."""
    melds = " ".join(f"({meld.text(hand.tiles)})" for meld in hand.melds)
    return f"{hand.to_text(notation)} {melds}".strip()


def say_it_wins(hand: str, forms: Iterable[str], throws: bool) -> None:
    """Say of a complete hand what is first to be said."""
    then = "to throw all the same:" if throws else "nothing to throw (--throw ranks discards)"
    print(f"{hand} wins, complete as {', '.join(forms)}; {then}")


def tiles_text(counts: tuple[int, ...], hand: Hand, notation: str) -> str:
    """Write some tiles in a notation; a dash for none."""
    none = (0,) * len(counts)
    return get_notation(notation).write(counts, none, hand.tiles) or "-"


def right(headings: Iterable[str]) -> "list[Column]":
    """Give columns of a table whose cells stand at the right."""
    from rich.table import Column

    return [Column(heading, justify="right") for heading in headings]


def cell(text: str) -> "Text":
    """Give a cell of a table as it is: text of others, and no marks of style."""
    from rich.text import Text

    return Text(plain(text))


def print_tables(tables: "Iterable[Table]", *, wide: bool = False) -> None:
    """Print tables on stdout, as wide as they are, or as a terminal has room for."""
    from rich.table import Table as RichTable  # takes longer to load than a short answer to find

    from mjopt.cli.grid import print_grid

    for table in tables:
        shown = RichTable()
        for index, column in enumerate(table.columns):
            shown.add_column(
                column.heading,
                justify="left" if column.is_text else "right",
                no_wrap=index == 0 and column.is_text,
            )
        for row in table.shown_rows():
            shown.add_row(*map(cell, row))
        headings = {column.name: column.heading for column in table.columns}
        less = [
            " | ".join(headings[name] for name in names.split(" | ") if name in headings)
            for names in table.optional
        ]
        print_grid(shown, title=table.title, notes=table.notes, less=less, wide=wide)
        print()
