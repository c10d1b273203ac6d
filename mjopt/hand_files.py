"""Files of hands: text, CSV and NumPy arrays in; CSV, JSON lines and arrays out."""

import csv
import io
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, TextIO

import numpy as np
import numpy.typing as npt

from mjopt.errors import FileError, MjoptError
from mjopt.forms import UNREACHABLE
from mjopt.hand import Hand
from mjopt.tiles import TileSet

__all__ = ["READABLE", "WRITABLE", "HandFile", "Row", "file_format", "write_labels"]

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
            return int(self._array().shape[0])
        if self.format == "csv":
            with self._open() as file:
                return max(0, sum(bool(row) for row in csv.reader(file)) - 1)
        with self._open() as file:
            return sum(_is_hand(line) for line in file)

    def rows(self, start: int = 0) -> Iterator[Row]:
        """Yield the rows from number ``start`` (0 is the first) on.

        Raises
        ------
        FileError
            If the file is not what its format says.
        TileError, HandError
            If a row is not a hand; the message names the file and the line.
        """
        reader = {"text": self._text, "csv": self._csv, "npy": self._npy}[self.format]
        yield from reader(start)

    @contextmanager
    def _open(self) -> Iterator[TextIO]:
        """Open a text file; bytes that are no text are an error of the file."""
        try:
            with self.path.open(newline="", encoding="utf-8-sig") as file:
                yield file
        except UnicodeDecodeError as error:
            raise FileError(f"{self.path}: not UTF-8 text at byte {error.start}") from None

    def _hand(self, text: str, where: int) -> Hand:
        try:
            return Hand.parse(
                text,
                tiles=self.tiles,
                notation=self.notation,
                called=self.called,
                partial=self.partial,
            )
        except MjoptError as error:
            raise type(error)(f"{self.path} line {where}: {text.strip()!r}: {error}") from None

    def _counted(self, counts: Sequence[int], where: str) -> Hand:
        try:
            return Hand.from_counts(
                counts, tiles=self.tiles, called=self.called, partial=self.partial
            )
        except MjoptError as error:
            raise type(error)(f"{self.path} {where}: {error}") from None

    def _text(self, start: int) -> Iterator[Row]:
        with self._open() as file:
            number = -1
            for where, line in enumerate(file, 1):
                number += _is_hand(line)
                if _is_hand(line) and number >= start:
                    yield Row(self._hand(line.strip(), where))

    def _csv(self, start: int) -> Iterator[Row]:
        header = self.header
        at = header.index("hand") if "hand" in header else None
        columns = [] if at is not None else [header.index(name) for name in self.tiles.names]
        with self._open() as file:
            reader = csv.reader(file)
            next(reader)
            number = -1
            for cells in reader:
                number += bool(cells)
                if not cells or number < start:
                    continue
                where = reader.line_num
                if len(cells) != len(header):
                    raise FileError(
                        f"{self.path} line {where}: {len(cells)} cells, expected {len(header)}"
                    )
                if at is not None:
                    yield Row(self._hand(cells[at], where), tuple(cells))
                    continue
                try:
                    counts = [int(cells[i] or 0) for i in columns]
                except ValueError:
                    wrong = next(cells[i] for i in columns if not cells[i].strip().isdigit())
                    raise FileError(
                        f"{self.path} line {where}: {wrong!r}, expected a number of copies"
                    ) from None
                yield Row(self._counted(counts, f"line {where}"), tuple(cells))

    def _array(self) -> npt.NDArray[Any]:
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

    def _npy(self, start: int) -> Iterator[Row]:
        array = self._array()
        for number in range(start, len(array)):
            yield Row(self._counted(array[number].tolist(), f"row {number}"))


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
    rows = zip(source.rows(), labels.tolist(), strict=True)
    if format == "csv":
        table = csv.writer(text, lineterminator="\n")
        table.writerow([*source.header, name])
        for row, label in rows:
            cells = row.cells or (row.hand.to_text(source.notation),)
            table.writerow([*cells, "" if label == UNREACHABLE else label])
    else:
        for row, label in rows:
            record = dict(zip(source.header, row.cells, strict=True)) if row.cells else {}
            record.setdefault("hand", row.hand.to_text(source.notation))
            value = None if label == UNREACHABLE else label
            text.write(json.dumps({**record, name: value}, ensure_ascii=False) + "\n")
    text.flush()
    text.detach()
