"""Files of hands with values to audit, read row by row, including invalid rows."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mjopt.errors import FileError, MjoptError
from mjopt.hands.cells import is_absent, whole_number
from mjopt.hands.file_formats import TABULAR, file_format
from mjopt.hands.files import HandFile
from mjopt.hands.hand import Hand
from mjopt.hands.parquet_layout import HAND_COLUMNS
from mjopt.hands.row_blocks import RowBlock
from mjopt.hands.rule_set import RuleSet
from mjopt.hands.tiles import COPIES, FULL, TileSet
from mjopt.hands.winning_forms import FormsLike
from mjopt.tables.batch import label

SHANTEN = "shanten"
MEANINGS = ("deficiency", SHANTEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueRow:
    """A hand and the value to audit.

    Parameters
    ----------
    line
        Line of the file, from 1; in a file without lines the row, from 0.
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
        rules: RuleSet | None = None,
    ) -> "ValueFile":
        """Open a file and locate its columns.

        Parameters
        ----------
        path, tiles, notation, called, partial, format, rules
            As for `HandFile`; the extension decides the format unless ``format`` is given.
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
            path=path,
            format=kind,
            tiles=tiles,
            notation=notation,
            called=called,
            partial=partial,
            name=name,
            rules=rules,
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
        return cls(hands=hands, column=chosen, means=meaning)

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
        for block in self.blocks():
            yield from map(block.row, range(len(block)))

    def blocks(self) -> Iterator["ValueBlock"]:
        """Yield all rows in blocks."""
        columns = {*HAND_COLUMNS, *self.hands.tiles.names, "called", self.column}
        for rows in self.hands.blocks(columns):
            yield ValueBlock(self, rows)

    def read_row(self, line: int, cells: tuple[object, ...]) -> ValueRow:
        """Return a row, given its cells."""
        hands, text, hand, reason = self.hands, "", None, ""
        is_whole = len(cells) == len(hands.header)
        record = dict(zip(hands.names, cells, strict=True)) if is_whole else {}
        value = record.get(self.column)
        try:
            text = hands.text(cells)
            hand = hands.hand(cells)
            if hands.layout.text is None or hands.is_list(cells):
                text = hand.to_text(hands.notation)
        except MjoptError as error:
            reason = str(error)
        number = whole_number(value)
        return ValueRow(
            line=line,
            text=text,
            hand=hand,
            reason=reason,
            written="" if is_absent(value) else str(value).strip(),
            theirs=None if number is None else number + (self.means == SHANTEN),
        )


class ValueBlock:
    """Some rows of a file with values, one after the other.

    Parameters
    ----------
    file, rows
        The file and the rows.
    """

    def __init__(self, file: ValueFile, rows: RowBlock) -> None:
        self._file = file
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    def row(self, number: int) -> ValueRow:
        """Return a row."""
        return self._file.read_row(int(self._rows.lines[number]), self._rows.cells(number))

    def right_rows(self, tiles: TileSet, forms: FormsLike) -> NDArray[np.bool_]:
        """Return which rows are hands whose value is small and right, all at once.

        The others may be right, too, such as a value ``2.0``: :meth:`row` reads them.
        """
        file, rows = self._file, self._rows
        found = file.hands.read(rows)
        called, is_called = file.hands.read_called(rows)
        values, is_right = file.hands.numbers(rows, file.column)
        sizes, full = found.counts.sum(axis=1, dtype=np.int64), file.hands.size - 3 * called
        is_right &= rows.is_whole & is_called & ((sizes == full) | (sizes == full - 1))
        is_right &= (found.counts <= COPIES).all(axis=1)
        is_right[list(found.errors)] = False
        true = label(
            found.counts[is_right],
            tiles=tiles,
            called=called[is_right],
            forms=forms,
            rules=file.hands.rules,
        )
        theirs = values[is_right] + (file.means == SHANTEN)
        is_right[is_right] = true == theirs
        return is_right


def _value_column(hands: HandFile, column: str | None) -> str:
    name, header = hands.label, hands.header
    if column is not None:
        if column not in (*header, *hands.names):
            raise FileError(f"{name}: no column {column!r} among {', '.join(header)}")
        return hands.names[header.index(column)] if column in header else column
    named = [name for name in MEANINGS if name in hands.names]
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
