"""Rows of a file of hands in blocks, most of them without a Python object for each row."""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, BinaryIO, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import is_few
from mjopt._internal.text_input import UNPACK_ERRORS
from mjopt.hands.notation.text_rows import FEW, Texts, read_only

Cells = tuple[Any, ...]
Bytes = NDArray[np.uint8]
Places = NDArray[np.int64]

CHUNK: Final = 1 << 22
"""Bytes of a file read at once."""

MOST_CELLS: Final = 1 << 22
"""Most cells of the lines of a chunk, for the memory of their places."""

_MARK: Final = "\ufeff".encode()
_ZERO: Final = ord("0")
_MINUS: Final = ord("-")


class RowBlock(Protocol):
    """Some rows of a file, one after the other."""

    @property
    def lines(self) -> Places:
        """Line or row number of each row, from 1."""
        ...

    @property
    def is_whole(self) -> NDArray[np.bool_]:
        """Whether each row has as many cells as the header."""
        ...

    def __len__(self) -> int: ...

    def cells(self, row: int) -> Cells:
        """Return the cells of a row."""
        ...

    def column(self, place: int) -> Texts | None:
        """Return the cells of a column, None if some are no texts; short rows hold any text."""
        ...

    def csv_lines(self) -> list[str] | None:
        """Return each row as a line of CSV; None if some cells may need quotation marks."""
        ...


class CellBlock:
    """Rows given as cells, each with its line or row number; ``width`` is the number of columns."""

    def __init__(self, rows: Sequence[tuple[int, Cells]], width: int) -> None:
        self._rows = [cells for _, cells in rows]
        self.lines = np.array([line for line, _ in rows], np.int64)
        self.is_whole = np.array([len(cells) == width for cells in self._rows], np.bool_)

    def __len__(self) -> int:
        return len(self._rows)

    def cells(self, row: int) -> Cells:
        """Return the cells of a row."""
        return self._rows[row]

    def column(self, place: int) -> Texts | None:
        """Return the cells of a column, None if some are no texts."""
        if self.is_whole.all():
            cells = [cells[place] for cells in self._rows]
        else:
            cells = [cells[place] if len(cells) > place else "" for cells in self._rows]
        texts = ["" if cell is None else cell for cell in cells]
        return Texts.of(texts) if all(isinstance(text, str) for text in texts) else None

    def csv_lines(self) -> None:
        """Return None: the cells may need quotation marks."""
        return


@dataclass(frozen=True, slots=True, eq=False)
class LineBlock:
    """Rows given as lines of text, with quotation marks only around cells."""

    data: bytes  # whole lines in UTF-8
    # Between cells; empty if a line is one cell, whose white space at both ends is ignored.
    delimiter: str
    lines: Places
    is_whole: NDArray[np.bool_]
    starts: Places  # where each cell begins, shape (N, W)
    stops: Places  # where it ends

    def __len__(self) -> int:
        return len(self.lines)

    def from_row(self, first: int) -> "LineBlock":
        """Return the block without its first rows."""
        return replace(
            self,
            lines=self.lines[first:],
            is_whole=self.is_whole[first:],
            starts=self.starts[first:],
            stops=self.stops[first:],
        )

    def cells(self, row: int) -> Cells:
        """Return the cells of a row."""
        start = int(self.starts[row, 0])
        if self.data[start - 1 : start] == b'"':  # around the first cell
            start -= 1
        line = self.data[start : self.data.index(b"\n", start)].removesuffix(b"\r").decode()
        if '"' in line:
            return tuple(next(csv.reader([line], delimiter=self.delimiter, strict=True)))
        return tuple(line.split(self.delimiter)) if self.delimiter else (line.strip(),)

    def column(self, place: int) -> Texts:
        """Return the cells of a column."""
        octets = np.frombuffer(self.data, np.uint8)
        starts, stops = self.starts[:, place], self.stops[:, place]
        return Texts(octets, np.ascontiguousarray(starts), np.ascontiguousarray(stops))

    def csv_lines(self) -> list[str] | None:
        """Return each row as a line of CSV; None if some cells may need quotation marks."""
        has_commas = self.delimiter != "," and b"," in self.data
        if not self.is_whole.all() or has_commas or b'"' in self.data:
            return None
        data = self.data.replace(self.delimiter.encode(), b",") if self.delimiter else self.data
        places = zip(self.starts[:, 0].tolist(), self.stops[:, -1].tolist(), strict=True)
        lines = [data[start:stop].decode() for start, stop in places]
        return lines if self.delimiter else [line.strip() for line in lines]


def line_blocks(
    file: BinaryIO, delimiter: str, width: int, line: int = 1
) -> Iterator[LineBlock | None]:
    """Yield the rows of a text file; None, and then nothing more, if the rest needs another reader.

    That is the case for few rows, which Python reads faster than numba loads, for quotation marks,
    and for faults.

    The file is at the beginning of a line, of number ``line``. Without a delimiter, lines that
    begin with ``#`` are skipped.
    """
    rest, is_first = b"", True
    while True:
        try:
            data = file.read(CHUNK)
        except UNPACK_ERRORS:
            yield None
            return
        block = rest + data
        if is_first:
            is_first = False
            block = block.removeprefix(_MARK)
            if is_few(block.count(b"\n"), FEW):
                yield None
                return
        if not data and block:
            block += b"\n"
        end = block.rfind(b"\n") + 1
        block, rest = block[:end], block[end:]
        if block:
            number = block.count(b"\n")
            found = _split(block, delimiter, width, line, number)
            if found is None:
                yield None
                return
            yield found
            line += number
        if len(rest) > CHUNK:
            yield None
            return
        if not data:
            return


def _split(data: bytes, delimiter: str, width: int, line: int, most: int) -> LineBlock | None:
    """Return the rows of whole lines, of which there are at most ``most``."""
    from mjopt.hands.files._row_kernels import split_rows

    try:
        data.decode()
    except UnicodeDecodeError:
        return None
    if most * width > MOST_CELLS or data.count(b"\r") != data.count(b"\r\n"):
        return None  # a line break that only the other reader counts
    starts, stops = np.zeros(most * width, np.int64), np.zeros(most * width, np.int64)
    found = np.zeros(2 * most, np.int64)
    octets = read_only(np.frombuffer(data, np.uint8))
    separator = ord(delimiter) if delimiter else -1
    number = split_rows(octets, separator, not delimiter, starts, stops, found)
    if number < 0:
        return None
    return LineBlock(
        data,
        delimiter,
        found[: 2 * number : 2] + line,
        found[1 : 2 * number : 2] == width,
        starts.reshape(-1, width)[:number],
        stops.reshape(-1, width)[:number],
    )


def small_numbers(texts: Texts) -> tuple[NDArray[np.int16], NDArray[np.bool_]]:
    """Read texts of one digit, two digits, or a minus and a digit; return which are such texts.

    Examples
    --------
    >>> numbers, is_number = small_numbers(Texts.of(["0", "14", "-1", "1.0", "", "+1"]))
    >>> numbers[:3].tolist(), is_number.tolist()
    ([0, 14, -1], [True, True, True, False, False, False])
    """
    if not len(texts.octets):
        return np.zeros(len(texts), np.int16), np.zeros(len(texts), np.bool_)
    sizes = texts.stops - texts.starts
    last = len(texts.octets) - 1
    first = texts.octets[np.minimum(texts.starts, last)]
    second = texts.octets[np.minimum(texts.starts + 1, last)]
    one, two = (octets.astype(np.int16) - _ZERO for octets in (first, second))
    is_first, is_second = (((digit >= 0) & (digit <= 9)) for digit in (one, two))
    is_minus = first == _MINUS
    numbers = np.where(sizes == 1, one, np.where(is_minus, -two, 10 * one + two))
    is_number = (sizes == 1) & is_first
    is_number |= (sizes == 2) & is_second & (is_first | is_minus)
    return numbers, is_number
