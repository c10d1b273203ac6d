"""Files of hands with values: CSV and Parquet, row by row, bad rows included."""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mjopt.errors import FileError, MjoptError
from mjopt.experiments.audits.packages.rows import MEANINGS, ValueRow, as_deficiency
from mjopt.hands.files import file_format
from mjopt.hands.hand import Hand
from mjopt.hands.tiles import TileSet

AUDITABLE = {".csv": "csv", ".parquet": "parquet"}
BATCH = 8192  # rows of a Parquet file in memory at once


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueFile:
    """A file with a hand and a value in every row.

    The hand is in a column ``hand``, or in one column of copies per kind (``1m``,
    ``2m``, ...). Use :meth:`open`, which finds the columns.

    Parameters
    ----------
    path, format
        Where it is, and ``csv`` or ``parquet``.
    tiles, notation, partial
        How the hands are to be read.
    called
        Melds on the table, for every row; None for what the column ``called``
        says, or none without such a column.
    column, means
        The column of the values, and ``deficiency`` or ``shanten``.
    header
        Every column.
    """

    path: Path
    format: str
    tiles: TileSet
    notation: str
    partial: bool
    called: int | None
    column: str
    means: str
    header: tuple[str, ...]

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
        path
            A file whose ending says what it is, unless ``format`` does.
        tiles, notation, called, partial
            How the hands are to be read.
        column
            The column of the values; by default the one that is named
            ``deficiency`` or ``shanten``.
        means
            What that column holds; by default what it is named.
        format
            ``csv`` or ``parquet``.

        Raises
        ------
        FileError
            If the file is missing, or has no such columns.
        """
        if not path.is_file():
            raise FileError(f"{path}: no such file")
        kind = format or file_format(path, AUDITABLE)
        header = _csv_header(path) if kind == "csv" else tuple(_parquet(path).schema_arrow.names)
        if "hand" not in header and not set(tiles.names) <= set(header):
            raise FileError(
                f"{path}: columns {', '.join(header) or '(none)'}; expected one named 'hand', "
                f"or one per kind ({tiles.names[0]} ... {tiles.names[-1]})"
            )
        chosen = _value_column(path, header, column)
        meaning = means or chosen
        if meaning not in MEANINGS:
            said = f"--means {means}" if means else f"{path}: column {chosen!r}"
            raise FileError(f"{said}: say what it holds, --means deficiency or --means shanten")
        return cls(
            path=path,
            format=kind,
            tiles=tiles,
            notation=notation,
            partial=partial,
            called=called,
            column=chosen,
            means=meaning,
            header=header,
        )

    def __len__(self) -> int:
        """Count the rows; reads the whole of a CSV file."""
        if self.format == "parquet":
            return int(_parquet(self.path).metadata.num_rows)
        with self.path.open(newline="", encoding="utf-8-sig", errors="replace") as file:
            return max(0, sum(bool(row) for row in csv.reader(file)) - 1)

    def rows(self) -> Iterator[ValueRow]:
        """Yield every row; one that is not a hand says why, and the next follow.

        Raises
        ------
        FileError
            If the file itself cannot be read on.
        """
        records = self._csv_records() if self.format == "csv" else self._parquet_records()
        for line, record in records:
            yield self._row(line, record)

    def _row(self, line: int, record: dict[str, Any] | str) -> ValueRow:
        if isinstance(record, str):
            return ValueRow(line=line, text="", hand=None, reason=record, written="", theirs=None)
        value = record[self.column]
        written = "" if value is None else str(value).strip()
        theirs = as_deficiency(value, means=self.means)
        text = self._hand_text(record)
        try:
            hand = self._hand(record, text)
        except MjoptError as error:
            reason = str(error)
            return ValueRow(
                line=line, text=text, hand=None, reason=reason, written=written, theirs=theirs
            )
        if "hand" not in self.header:
            text = hand.to_text(self.notation)
        return ValueRow(line=line, text=text, hand=hand, written=written, theirs=theirs)

    def _hand_text(self, record: dict[str, Any]) -> str:
        if "hand" in self.header:
            return "" if record["hand"] is None else str(record["hand"]).strip()
        return " ".join(str(record[name] or 0) for name in self.tiles.names)

    def _hand(self, record: dict[str, Any], text: str) -> Hand:
        called = self.called or 0
        if self.called is None and "called" in self.header:
            called = _whole(record["called"], "called")
        if "hand" in self.header:
            return Hand.parse(
                text,
                tiles=self.tiles,
                notation=self.notation,
                called=called,
                partial=self.partial,
            )
        counts = [_whole(record[name], name) for name in self.tiles.names]
        return Hand.from_counts(counts, tiles=self.tiles, called=called, partial=self.partial)

    def _csv_records(self) -> Iterator[tuple[int, dict[str, Any] | str]]:
        try:
            with self.path.open(newline="", encoding="utf-8-sig") as file:
                reader = csv.reader(file)
                next(reader)
                for cells in reader:
                    if len(cells) == len(self.header):
                        yield reader.line_num, dict(zip(self.header, cells, strict=True))
                    elif cells:
                        reason = f"{len(cells)} cells, expected {len(self.header)}"
                        yield reader.line_num, reason
        except UnicodeDecodeError as error:
            raise FileError(f"{self.path}: not UTF-8 text at byte {error.start}") from None
        except csv.Error as error:
            raise FileError(f"{self.path} line {reader.line_num}: {error}") from None

    def _parquet_records(self) -> Iterator[tuple[int, dict[str, Any]]]:
        kinds = ["hand"] if "hand" in self.header else list(self.tiles.names)
        wanted = [*kinds, self.column, *(["called"] if "called" in self.header else [])]
        line = 0
        for batch in _parquet(self.path).iter_batches(batch_size=BATCH, columns=wanted):
            for record in batch.to_pylist():
                line += 1
                yield line, record


def _whole(value: Any, name: str) -> int:
    """Return a number of copies or of melds; nothing counts as none."""
    if value is None or value == "":
        return 0
    number = as_deficiency(value, means="deficiency")
    if number is None:
        raise FileError(f"{name}: {value!r}, expected a whole number")
    return number


def _value_column(path: Path, header: Sequence[str], column: str | None) -> str:
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


def _csv_header(path: Path) -> tuple[str, ...]:
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            return tuple(next(csv.reader(file), ()))
    except UnicodeDecodeError as error:
        raise FileError(f"{path}: not UTF-8 text at byte {error.start}") from None


def _parquet(path: Path) -> Any:
    """Open a Parquet file; PyArrow loads only for one."""
    try:
        from pyarrow import ArrowException
        from pyarrow.parquet import ParquetFile
    except ImportError:
        raise FileError(
            f"{path}: reading Parquet needs PyArrow: pip install 'mjopt[datasets]'"
        ) from None
    try:
        return ParquetFile(path)
    except (ArrowException, OSError) as error:
        first = str(error).splitlines()[0]
        raise FileError(f"{path}: not a Parquet file ({first})") from None
