"""Files of hands: text, CSV and NumPy arrays in; CSV, JSON lines and arrays out."""

import csv
import io
import json
from collections.abc import Container, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, TextIO

import numpy as np
import numpy.typing as npt

from mjopt.errors import FileError, MjoptError
from mjopt.hands.forms import UNREACHABLE
from mjopt.hands.hand import Hand
from mjopt.hands.notation import get_notation
from mjopt.hands.tiles import TileSet

Counts = tuple[int, ...]
Columns = tuple[int | None, tuple[int, ...]]  # the column of the text, or those of the kinds
Cells = Iterator[tuple[int, str, tuple[Any, ...]]]

READABLE = {".txt": "text", ".hands": "text", ".csv": "csv", ".npy": "npy"}
WRITABLE = {".csv": "csv", ".npy": "npy", ".jsonl": "jsonl"}


def file_format(path: Path, known: dict[str, str]) -> str:
    """Return the format that a file name's ending stands for.

    Examples
    --------
    >>> file_format(Path("hands.txt"), READABLE)
    'text'
    >>> file_format(Path("hands.xls"), READABLE)
    Traceback (most recent call last):
    mjopt.errors.FileError: hands.xls: ending '.xls', expected one of .txt, .hands, ...
    """
    if path.suffix.lower() not in known:
        raise FileError(f"{path}: ending {path.suffix!r}, expected one of {', '.join(known)}")
    return known[path.suffix.lower()]


@dataclass(frozen=True, slots=True)
class Row:
    """One hand of a file.

    Parameters
    ----------
    hand
        The hand.
    cells
        What stood in the file beside and including it (CSV only), for the output.
    """

    hand: Hand
    cells: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HandFile:
    """A file of hands of one kind, read row by row as often as asked.

    Text holds one hand a line (empty lines and lines that begin with ``#`` are
    passed over). CSV has a header with a column ``hand``, or one column of copies
    per kind (``1m``, ``2m``, ...). A ``.npy`` array has shape (N, K).

    Parameters
    ----------
    path, format
        Where it is, and ``text``, ``csv`` or ``npy``.
    tiles, notation, called, partial
        How the hands are to be read.
    """

    path: Path
    format: str
    tiles: TileSet
    notation: str = "mpsz"
    called: int = 0
    partial: bool = False

    @property
    def header(self) -> tuple[str, ...]:
        """The columns of a CSV file; ``("hand",)`` for other formats."""
        if self.format != "csv":
            return ("hand",)
        with self._open() as file:
            header = tuple(next(csv.reader(file), ()))
        if "hand" not in header and not set(self.tiles.names) <= set(header):
            raise FileError(
                f"{self.path}: columns {', '.join(header) or '(none)'}; expected one named 'hand', "
                f"or one per kind ({self.tiles.names[0]} ... {self.tiles.names[-1]})"
            )
        return header

    def __len__(self) -> int:
        """Count the rows; reads the whole file unless it is an array."""
        if self.format == "npy":
            return int(self.array().shape[0])
        if self.format == "csv":
            with self._open() as file:
                return max(0, sum(bool(row) for row in csv.reader(file)) - 1)
        with self._open() as file:
            return sum(_is_hand(line) for line in file)

    def rows(self, start: int = 0, only: Container[int] | None = None) -> Iterator[Row]:
        """Yield the rows from number ``start`` (0 is the first) on, or some of them only.

        Raises
        ------
        FileError
            If the file is not what its format says.
        TileError, HandError
            If a row is not a hand; the message names the file and the line.
        """
        columns = self._columns
        for number, where, cells in self._cells():
            if number >= start and (only is None or number in only):
                hand = self._hand(cells, where, columns)
                yield Row(hand, cells if self.format == "csv" else ())

    def counts(self) -> Iterator[Counts]:
        """Yield the counts of every row, read but not checked to be a hand.

        Much quicker than :meth:`rows`, for callers that check many rows at once.
        """
        columns = self._columns
        for _, where, cells in self._cells():
            yield self._read(cells, where, columns)

    def cells(self) -> Iterator[tuple[str, ...]]:
        """Yield what to write again for every row: its own cells, or its tiles as text."""
        if self.format == "npy":
            writer, none = get_notation(self.notation), (0,) * self.tiles.num_kinds
            for counts in self.array():
                yield (writer.write(tuple(counts.tolist()), none, self.tiles),)
            return
        for _, _, cells in self._cells():
            yield cells

    def _cells(self) -> Cells:
        """Yield the number of every row, where it stands, and its cells."""
        return {"text": self._text, "csv": self._csv, "npy": self._npy}[self.format]()

    @contextmanager
    def _open(self) -> Iterator[TextIO]:
        """Open a text file; bytes that are no text are an error of the file."""
        try:
            with self.path.open(newline="", encoding="utf-8-sig") as file:
                yield file
        except UnicodeDecodeError as error:
            raise FileError(f"{self.path}: not UTF-8 text at byte {error.start}") from None

    def _read(self, cells: tuple[str, ...], where: str, columns: Columns) -> Counts:
        """Read the counts of one row."""
        at, kinds = columns
        try:
            if at is not None:
                return get_notation(self.notation).parse(cells[at], self.tiles).counts
            return tuple([int(cells[i] or 0) for i in kinds])
        except MjoptError as error:
            raise type(error)(f"{self.path} {where}: {cells[at or 0]!r}: {error}") from None
        except ValueError:
            wrong = next(cells[i] for i in kinds if not cells[i].strip().isdigit())
            raise FileError(
                f"{self.path} {where}: {wrong!r}, expected a number of copies"
            ) from None

    def _hand(self, cells: tuple[str, ...], where: str, columns: Columns) -> Hand:
        """Read one row and check that it is a hand."""
        at, _ = columns
        try:
            if at is not None:
                return Hand.parse(
                    cells[at],
                    tiles=self.tiles,
                    notation=self.notation,
                    called=self.called,
                    partial=self.partial,
                )
            return Hand.from_counts(
                self._read(cells, where, columns),
                tiles=self.tiles,
                called=self.called,
                partial=self.partial,
            )
        except FileError:
            raise
        except MjoptError as error:
            text = "" if at is None else f"{cells[at]!r}: "
            raise type(error)(f"{self.path} {where}: {text}{error}") from None

    @property
    def _columns(self) -> Columns:
        """Where the text of a hand stands in a row, or else where the counts stand."""
        if self.format == "text":
            return 0, ()
        if self.format == "npy":
            return None, tuple(range(self.tiles.num_kinds))
        header = self.header
        if "hand" in header:
            return header.index("hand"), ()
        return None, tuple(header.index(name) for name in self.tiles.names)

    def _text(self) -> Cells:
        with self._open() as file:
            number = -1
            for where, line in enumerate(file, 1):
                if _is_hand(line):
                    number += 1
                    yield number, f"line {where}", (line.strip(),)

    def _csv(self) -> Cells:
        width = len(self.header)
        with self._open() as file:
            reader = csv.reader(file)
            next(reader)
            number = -1
            for cells in reader:
                if not cells:
                    continue
                number += 1
                if len(cells) != width:
                    raise FileError(
                        f"{self.path} line {reader.line_num}: {len(cells)} cells, expected {width}"
                    )
                yield number, f"line {reader.line_num}", tuple(cells)

    def _npy(self) -> Cells:
        for number, counts in enumerate(self.array()):
            yield number, f"row {number}", tuple(counts.tolist())

    def array(self) -> npt.NDArray[Any]:
        """Return the counts of a ``.npy`` file, shape (N, K), mapped from disk."""
        try:
            array = np.load(self.path, mmap_mode="r", allow_pickle=False)
        except ValueError as error:
            raise FileError(f"{self.path}: not a .npy array ({error})") from None
        wanted = self.tiles.num_kinds
        if array.ndim != 2 or array.shape[1] != wanted or array.dtype.kind not in "iu":
            raise FileError(
                f"{self.path}: {array.dtype} of shape {array.shape}, "
                f"expected whole numbers of shape (N, {wanted})"
            )
        return array  # type: ignore[no-any-return]


def _is_hand(line: str) -> bool:
    text = line.strip()
    return bool(text) and not text.startswith("#")


def write_labels(
    file: BinaryIO,
    format: str,
    source: HandFile,
    labels: npt.NDArray[np.int8],
    name: str,
) -> None:
    """Write the rows of a file again with a label each.

    Parameters
    ----------
    file
        Where to write.
    format
        ``csv`` (the input's own columns kept), ``jsonl`` or ``npy`` (labels alone).
    source
        The hands.
    labels
        One per row, ``UNREACHABLE`` where there is none.
    name
        What the label is called: ``deficiency`` or ``cost``.
    """
    if format == "npy":
        np.save(file, labels)
        return
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    rows = zip(source.cells(), labels.tolist(), strict=True)
    if format == "csv":
        table = csv.writer(text, lineterminator="\n")
        table.writerow([*source.header, name])
        for cells, label in rows:
            table.writerow([*cells, "" if label == UNREACHABLE else label])
    else:
        header = source.header
        for cells, label in rows:
            value = None if label == UNREACHABLE else label
            record = {**dict(zip(header, cells, strict=True)), name: value}
            text.write(json.dumps(record, ensure_ascii=False) + "\n")
    text.flush()
    text.detach()
