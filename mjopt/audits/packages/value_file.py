"""Files of hands with values to audit, read row by row, including invalid rows."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from mjopt.errors import FileError, MjoptError
from mjopt.hands.files import TABULAR, HandFile, called_in, count_in, file_format, whole_number
from mjopt.hands.hand import Hand
from mjopt.hands.parquet_layout import HAND_COLUMNS
from mjopt.hands.tiles import FULL, TileSet

SHANTEN = "shanten"
MEANINGS = ("deficiency", SHANTEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueRow:
    """A hand and the value to audit.

    Parameters
    ----------
    line
        Line of the file, counted from 1; the row number in files without lines.
    text
        The hand as written in the file.
    hand
        The parsed hand; None if the text is not a hand.
    reason
        The reason if the text is not a hand.
    written
        The value as written in the file.
    theirs
        The value as a deficiency; None if it is not an integer.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> hand = Hand.parse("1111m123p112233s")
    >>> ValueRow(line=2, text="1111m123p112233s", hand=hand, written="1", theirs=1).theirs
    1
    """

    line: int
    text: str
    hand: Hand | None
    reason: str = ""
    written: str
    theirs: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueFile:
    """A file with a hand and a value in every row; :meth:`open` locates its columns.

    Parameters
    ----------
    hands
        The file as a file of hands.
    called
        The number of called melds of every row. If None, the column ``called`` gives it;
        without this column it is that of the dataset that the file belongs to, else 0.
    column, means
        The column of the values, and its quantity: ``deficiency`` or ``shanten``.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from mjopt.hands.tiles import FULL
    >>> rows = ["hand,shanten", "1112345678999m1p,0"]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "values.csv")
    ...     _ = path.write_text(chr(10).join(rows))
    ...     values = ValueFile.open(path, tiles=FULL)
    >>> values.column, values.means
    ('shanten', 'shanten')
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
        name: str = "",
    ) -> "ValueFile":
        """Open a file and locate its columns.

        Parameters
        ----------
        path, tiles, notation, partial, format
            As for `HandFile`; the extension decides the format unless ``format`` is given.
        called
            As for the class.
        column
            The column of the values; by default the column named
            ``deficiency`` or ``shanten``.
        means
            The quantity in that column; by default its name.

        Raises
        ------
        FileError
            If the file or one of these columns is missing.
        """
        if not path.is_file():
            raise FileError("no such file", argument=str(path))
        kind = format or file_format(path, TABULAR)
        hands = HandFile(
            path=path, format=kind, tiles=tiles, notation=notation, partial=partial, name=name
        )
        chosen = _value_column(hands, column)
        meaning = means or chosen
        if meaning not in MEANINGS:
            if means is None:
                raise FileError(
                    f"{hands.label}: column {chosen!r}",
                    argument="means",
                    expected="deficiency or shanten",
                )
            raise FileError(argument="means", value=means, expected="deficiency or shanten")
        if called is None and "called" not in hands.header:
            called = called_in(path, kind)
        return cls(hands=hands, called=called, column=chosen, means=meaning)

    def in_full(self) -> "ValueFile":
        """Return the same file with its hands read as those of 136 tiles."""
        return replace(self, hands=replace(self.hands, tiles=FULL))

    def __len__(self) -> int:
        """Return the number of rows; this reads a CSV file to its end."""
        return len(self.hands)

    def rows(self) -> Iterator[ValueRow]:
        """Yield every row; a row that is not a hand has the reason.

        Raises
        ------
        FileError
            If the file cannot be read further.
        """
        columns = {*HAND_COLUMNS, *self.hands.tiles.names, "called", self.column}
        for line, cells in self.hands.records(columns):
            yield self._row(line, cells)

    def _row(self, line: int, cells: tuple[object, ...]) -> ValueRow:
        hands, text, hand, reason = self.hands, "", None, ""
        is_whole = len(cells) == len(hands.header)
        record = dict(zip(hands.header, cells, strict=True)) if is_whole else {}
        value, called = record.get(self.column), self.called
        try:
            text = hands.text(cells)
            if called is None:
                called = count_in(record.get("called"), "called")
            hand = hands.hand(cells, called)
            if not hands.layout.is_text:
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
            theirs=None if number is None else number + (self.means == SHANTEN),
        )


def _value_column(hands: HandFile, column: str | None) -> str:
    name, header = hands.label, hands.header
    if column is not None:
        if column not in header:
            raise FileError(f"{name}: no column {column!r} among {', '.join(header)}")
        return column
    named = [name for name in MEANINGS if name in header]
    if not named:
        raise FileError(
            f"{name}: columns ({', '.join(header)})",
            argument="column",
            expected="one named deficiency or shanten, or its name",
        )
    if len(named) == 2:
        raise FileError(
            f"{name}: has columns deficiency and shanten",
            argument="column",
            expected="the name of one",
        )
    return named[0]
