"""Hands with somebody's values, row by row: in files, bad rows included."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mjopt.errors import FileError, MjoptError
from mjopt.hands.csv_cells import count_in, whole_number
from mjopt.hands.files import TABULAR, HandFile, file_format
from mjopt.hands.hand import Hand
from mjopt.hands.tiles import TileSet

MEANINGS = ("deficiency", "shanten")


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueRow:
    """A hand and somebody else's value for it.

    Parameters
    ----------
    line
        Line of the file, counted from 1; for files without lines the row.
    text
        The hand as it is written there.
    hand
        The hand; None if that is not one.
    reason
        Why it is not a hand.
    written
        The value as it is written there.
    theirs
        The value as a deficiency; None if it is not a whole number.
    """

    line: int
    text: str
    hand: Hand | None
    reason: str = ""
    written: str
    theirs: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueFile:
    """A file with a hand and a value in every row; :meth:`open` finds its columns.

    Parameters
    ----------
    hands
        The file as one of hands.
    called
        Melds on the table, for every row; None for what the column ``called``
        says, or none without such a column.
    column, means
        The column of the values, and ``deficiency`` or ``shanten``.
    """

    hands: HandFile
    called: int | None
    column: str
    means: str

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        tiles: TileSet,
        notation: str = "mpsz",
        called: int | None = None,
        partial: bool = False,
        column: str | None = None,
        means: str | None = None,
        format: str | None = None,
    ) -> "ValueFile":
        """Find the columns of a file.

        Parameters
        ----------
        path, tiles, notation, partial, format
            As for `HandFile`; the ending of its name says what it is, unless ``format`` does.
        called
            As for the class.
        column
            The column of the values; by default the one that is named
            ``deficiency`` or ``shanten``.
        means
            What that column holds; by default what it is named.

        Raises
        ------
        FileError
            If the file is missing, or has no such columns.
        """
        if not path.is_file():
            raise FileError(f"{path}: no such file")
        kind = format or file_format(path, TABULAR)
        hands = HandFile(path=path, format=kind, tiles=tiles, notation=notation, partial=partial)
        chosen = _value_column(hands, column)
        meaning = means or chosen
        if meaning not in MEANINGS:
            said = f"--means {means}" if means else f"{path}: column {chosen!r}"
            raise FileError(f"{said}: say what it holds, --means deficiency or --means shanten")
        return cls(hands=hands, called=called, column=chosen, means=meaning)

    def __len__(self) -> int:
        """Count the rows; reads the whole of a CSV file."""
        return len(self.hands)

    def rows(self) -> Iterator[ValueRow]:
        """Yield every row; one that is not a hand says why, and the next follow.

        Raises
        ------
        FileError
            If the file itself cannot be read on.
        """
        wanted = {"hand", *self.hands.tiles.names, "called", self.column}
        for line, cells in self.hands.records(wanted):
            yield self._row(line, cells)

    def _row(self, line: int, cells: tuple[Any, ...]) -> ValueRow:
        hands, text, hand, reason = self.hands, "", None, ""
        is_whole = len(cells) == len(hands.header)
        record = dict(zip(hands.header, cells, strict=True)) if is_whole else {}
        value, called = record.get(self.column), self.called
        try:
            text = hands.text(cells)
            if called is None:
                called = count_in(record.get("called"), "called")
            hand = hands.hand(cells, called)
            if hands.layout.text is None:
                text = hand.to_text(hands.notation)
        except MjoptError as error:
            reason = str(error)
        number = whole_number(value)
        return ValueRow(
            line=line,
            text=text,
            hand=hand,
            reason=reason,
            written="" if value is None else str(value).strip(),
            theirs=None if number is None else number + (self.means == "shanten"),
        )


def _value_column(hands: HandFile, column: str | None) -> str:
    path, header = hands.path, hands.header
    if column is not None:
        if column not in header:
            raise FileError(f"{path}: no column {column!r} among {', '.join(header)}")
        return column
    found = [name for name in MEANINGS if name in header]
    if not found:
        raise FileError(
            f"{path}: columns {', '.join(header)}; expected one named deficiency or shanten, "
            "or name it with --column"
        )
    if len(found) == 2:
        raise FileError(f"{path}: has columns deficiency and shanten, name one with --column")
    return found[0]
