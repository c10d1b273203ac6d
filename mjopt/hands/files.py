"""Read files of hands: text, CSV, JSON lines, Parquet and NumPy arrays."""

import csv
import re
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.arrays import Array, as_whole_numbers, map_array
from mjopt._internal.sanitize import short_repr
from mjopt._internal.strict_json import read_json
from mjopt._internal.text_input import open_text, open_utf8
from mjopt.errors import FileError, MjoptError
from mjopt.hands.cells import count_in, is_absent, is_plain
from mjopt.hands.file_formats import DELIMITED, LINES
from mjopt.hands.hand import HAND_SIZE, MAX_CALLED, Hand
from mjopt.hands.list_cells import (
    IDS,
    MOST_TILES,
    NUMBERED,
    counts_of_list,
    has_ids,
    text_of_tiles,
)
from mjopt.hands.notation import get_notation, read_tiles
from mjopt.hands.parquet_layout import hand_column, stored_called, stored_tiles, table_columns
from mjopt.hands.row_blocks import CellBlock, RowBlock, line_blocks, small_numbers
from mjopt.hands.rule_set import RuleSet
from mjopt.hands.table_layout import (
    TableLayout,
    named_layout,
    understood_names,
    unnamed_layout,
)
from mjopt.hands.text_rows import TextRows, read_texts
from mjopt.hands.tiles import COPIES, FULL, TileSet, check_counts, places_in_full
from mjopt.hands.wide_rows import narrow_rows

if TYPE_CHECKING:
    from pyarrow.parquet import ParquetFile

Counts = tuple[int, ...]
Cells = tuple[Any, ...]

DELIMITERS = (",", ";", "\t")
LONGEST_LINE = 1 << 17  # characters, as many as a cell of CSV may have
LONGEST_SEPARATOR = 16
_SEPARATOR = re.compile(r'"?sep=([,;\t|])"?\r?\n?')
BATCH = 8192  # rows of a Parquet file in memory at once
SMALL = 100  # beyond every value; numbers from here on are compared one by one


@dataclass(frozen=True, kw_only=True)
class HandFile:
    """A file of hands, read lazily row by row; it can be read several times.

    Text has one hand a line; empty lines, lines that begin with ``#`` and a first line
    ``hand`` are skipped. CSV (cells separated by commas, semicolons or tabs, or by the character
    that a first line such as ``sep=;`` names), JSON lines (an object a line) and Parquet
    have a column ``hand`` or one column of copies per kind (``1m``, ``2m``, ...); in JSON lines and
    Parquet the column ``hand`` may hold lists of copies, of names of tiles, or of numbers of
    tiles, and in Parquet ``text`` is another name of it. In a CSV
    file without a header the hand is the only cell of the first row that is tiles, or all
    cells are copies; other columns are named by their number. The case of these names does not
    matter. Text, CSV and JSON lines may be compressed by gzip, xz or bzip2, in UTF-8 or UTF-16.
    A ``.npy`` array has shape (N, K). A cell that is empty, null or NaN is absent, not zero:
    its row is no hand.
    """

    path: Path
    format: str  # ``text``, ``csv``, ``jsonl``, ``parquet`` or ``npy``
    tiles: TileSet
    notation: str = "mpsz"
    # Of every hand; by default the column ``called``, else that of the file's dataset, else none.
    called: int | None = None
    partial: bool = False
    name: str = ""  # in errors; by default the path
    rules: RuleSet | None = None  # they decide the size of the hands; ``tiles`` is their tile set

    @property
    def size(self) -> int:
        """Number of tiles of a complete hand, called melds with three tiles each."""
        return HAND_SIZE if self.rules is None else self.rules.size

    @property
    def label(self) -> str:
        """The name of the file in errors."""
        return self.name or str(self.path)

    @property
    def header(self) -> tuple[str, ...]:
        """The columns of a table; ``("hand",)`` for other formats."""
        return self.layout.header

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The header, with the names that are understood in lower case."""
        return understood_names(self.header)

    @cached_property
    def layout(self) -> TableLayout:
        """Columns of the hands; an error if there are none or a name is repeated."""
        if self.format == "text":
            return TableLayout(("hand",), text=0)
        if self.format == "npy":
            return TableLayout(("hand",), copies=tuple(range(self.tiles.num_kinds)))
        if self.format == "parquet":
            with self.parquet() as file:
                schema = file.schema_arrow
            firsts = {",": table_columns(schema)}
            name = hand_column(schema, self.label)
            if name is not None:
                place = firsts[","].index(name)
                return TableLayout(firsts[","], place, list_tiles=stored_tiles(schema))
        elif self.format == "jsonl":
            keys = (key for _, record in self._objects() for key in record)
            firsts = {",": tuple(dict.fromkeys(keys))}
        else:
            firsts = {by: self._first(by) for by in self._named_delimiter or DELIMITERS}
        # The delimiter that makes most cells is the likeliest; Parquet always has a header.
        by_width = sorted(firsts, key=lambda by: -len(firsts[by])) * (self.format == "csv")
        layouts = chain(
            (named_layout(first, self.tiles, by, self.label) for by, first in firsts.items()),
            (unnamed_layout(firsts[by], self.tiles, by, self.notation) for by in by_width),
        )
        layout = next(filter(None, layouts), None)
        if layout is None:
            if self.format == "csv":
                next(self._table(","), None)  # perhaps it is not CSV at all
            first = next(iter(firsts.values()))
            raise FileError(
                f"columns ({', '.join(first) or 'none'})",
                argument=self.label,
                expected="one named 'hand', or one per kind "
                f"({self.tiles.names[0]} ... {self.tiles.names[-1]})",
            )
        return layout

    def _first(self, delimiter: str) -> Cells:
        """Return the cells of the first row; empty if the delimiter does not fit."""
        with suppress(FileError):
            return next(self._table(delimiter), (1, ()))[1]
        return ()

    def __len__(self) -> int:
        """Count the rows; reads the whole file if it is text."""
        if self.format == "npy":
            return int(self.array().shape[0])
        if self.format == "parquet":
            with self.parquet() as file:
                return int(file.metadata.num_rows)
        return sum(map(len, self.blocks()))

    def rows(self, start: int = 0, only: Container[int] | None = None) -> Iterator[Hand]:
        """Return the hands from row ``start`` on (0 is the first), optionally of some rows only.

        The `TileError` or `HandError` of a row that is not a hand names the file and the line.
        """
        done = 0
        for block in self.blocks():
            numbers = range(done, done + len(block))
            done += len(block)
            wanted = [n for n in numbers if n >= start and (only is None or n in only)]
            if wanted:
                yield from self._hands(block, [number - numbers.start for number in wanted])

    def _hands(self, block: RowBlock, rows: Sequence[int]) -> Iterator[Hand]:
        """Yield the hands of some rows of a block."""
        found = self.read(block, with_reds=True)
        called, is_hand = self.read_called(block)
        sizes, full = found.counts.sum(axis=1, dtype=np.int64), self.size - 3 * called
        is_hand &= (sizes <= full) & ((sizes >= full - 1) | self.partial)
        is_hand &= (found.counts <= COPIES).all(axis=1)
        is_hand[list(found.errors)] = False
        for row in rows:
            if is_hand[row]:
                counts, reds = tuple(found.counts[row].tolist()), tuple(found.reds[row].tolist())
                how = (int(called[row]), (), self.partial, self.rules)
                yield Hand.of_checked(self.tiles, counts, reds, *how)
                continue
            try:
                hand = self.hand(block.cells(row))
            except MjoptError as error:
                raise self._located(error, block, row) from None
            yield hand

    def count_blocks(self) -> Iterator[NDArray[np.uint8]]:
        """Yield the counts of :meth:`hand_blocks`."""
        for counts, _ in self.hand_blocks():
            yield counts

    def hand_blocks(self) -> Iterator[tuple[NDArray[np.uint8], NDArray[np.int16]]]:
        """Yield the counts of every row, shape ``(N, K)``, and its called melds, shape ``(N,)``.

        Whether they are hands is not checked. Rows before the first that is no tiles come before
        its error. Much faster than :meth:`rows`, for callers that validate many rows at once.
        """
        for block in self.blocks():
            found = self.read(block)
            called, is_called = self.read_called(block)
            for row in np.flatnonzero(~is_called).tolist():
                try:
                    called[row] = min(max(self._called(block.cells(row)), -1), SMALL)
                except MjoptError as error:
                    found.errors.setdefault(row, error)
            for row in sorted(found.errors)[:1]:
                yield found.counts[:row], called[:row]
                raise self._located(found.errors[row], block, row)
            yield found.counts, called

    def read_called(self, block: RowBlock) -> tuple[NDArray[np.int16], NDArray[np.bool_]]:
        """Return the called melds of each row, and whether they are known and possible."""
        if self.called is None and "called" in self.names:
            called, is_number = self.numbers(block, "called")
        else:
            called = np.full(len(block), self._called_by_all, np.int16)
            is_number = np.ones(len(block), np.bool_)
        most = MAX_CALLED if self.rules is None else self.rules.most_called
        return called, is_number & (called >= 0) & (called <= most)

    def numbers(self, block: RowBlock, name: str) -> tuple[NDArray[np.int16], NDArray[np.bool_]]:
        """Return the cells of a column as small numbers, and which are such numbers."""
        place = self.names.index(name)
        texts = block.column(place)
        if texts is not None:
            return small_numbers(texts)
        rows = np.flatnonzero(block.is_whole).tolist()
        cells = {row: block.cells(row)[place] for row in rows}
        given = np.full(len(block), np.nan)
        for row, cell in cells.items():
            if type(cell) in (int, float) and abs(cell) < SMALL:
                given[row] = cell
        numbers = np.nan_to_num(given).astype(np.int16)
        return numbers, numbers == given

    @cached_property
    def _called_by_all(self) -> int:
        """The called melds of every hand: those given, or else those that a dataset names, or 0."""
        if self.called is not None or self.format != "parquet":
            return self.called or 0
        with self.parquet() as file:
            return stored_called(file.schema_arrow)

    def _called(self, cells: Cells) -> int:
        """Return the called melds in the cells of a row."""
        if self.called is None and "called" in self.names:
            self._check_width(cells)
            return count_in(cells[self.names.index("called")], "called")
        return self._called_by_all

    def _located(self, error: MjoptError, block: RowBlock, row: int) -> MjoptError:
        """Return an error with the file, the line and the text of a row."""
        cells = block.cells(row)
        is_text = self.layout.text is not None and not self.is_list(cells)
        if is_text and not isinstance(error, FileError):
            error.locate(short_repr(self.text(cells)))
        error.locate(self.label, int(block.lines[row]), self.unit)
        return error

    def located(self, error: MjoptError, row: int) -> MjoptError:
        """Return an error with the file and the line of a row, which is numbered from 0."""
        for block in self.blocks():
            if row < len(block):
                error.locate(self.label, int(block.lines[row]), self.unit)
                break
            row -= len(block)
        return error

    @property
    def unit(self) -> str:
        """What numbers the rows: ``line``, from 1; in a file without lines ``row``, from 0."""
        return "line" if self.format in LINES else "row"

    def blocks(self, names: Container[str] | None = None) -> Iterator[RowBlock]:
        """Yield all rows in blocks; ``names`` as for :meth:`records`."""
        layout, done, is_first = self.layout, 0, True
        if self.format in DELIMITED:
            delimiter = "" if self.format == "text" else layout.delimiter
            skipped = len(self._named_delimiter) if delimiter else 0
            with open_utf8(self.path) as file:
                if skipped and file is not None:
                    file.readline()
                width = len(layout.header)
                found = [None] if file is None else line_blocks(file, delimiter, width, 1 + skipped)
                for block in found:
                    if block is None:
                        break
                    if not len(block):
                        continue
                    has_heading = is_first and self._is_heading(block.cells(0))
                    is_first = False
                    hands = block.from_row(1) if has_heading else block
                    done += len(hands)
                    yield hands
                else:
                    return
        records = islice(self.records(names), done, None)
        is_end = False
        while not is_end:
            rows: list[tuple[int, Cells]] = []
            fault = None
            try:
                rows.extend(islice(records, BATCH))  # keeps the rows before a fault
            except FileError as error:
                fault = error
            if rows:
                yield CellBlock(rows, len(layout.header))
            is_end = len(rows) < BATCH
            if fault is not None:
                raise fault

    def read(self, block: RowBlock, *, with_reds: bool = False) -> TextRows:
        """Read the tiles in the rows of a block, which need not be hands.

        The errors do not name the rows.
        """
        layout = self.layout
        texts = None if layout.text is None else block.column(layout.text)
        if texts is not None:
            found = read_texts(texts, self.notation, self.tiles, with_reds=with_reds)
            is_open = ~block.is_whole | ~found.counts.any(axis=1)  # also rows with an error
            rows = np.flatnonzero(is_open)
        else:
            shape = (len(block), self.tiles.num_kinds)
            found = TextRows(np.zeros(shape, np.uint8), np.zeros(shape, np.uint8), {})
            rows = np.flatnonzero(~self._read_copies(block, found.counts))
        found.errors.clear()
        for row in rows.tolist():
            try:
                counts, reds = self._held(block.cells(row))
                if not 0 <= min(counts) <= max(counts) <= COPIES:
                    check_counts(counts, self.tiles)
            except MjoptError as error:
                found.errors[row] = error
            else:
                found.counts[row] = counts
                if with_reds and reds:
                    found.reds[row] = reds
        return found

    def _read_copies(self, block: RowBlock, counts: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Read columns of copies per kind; return which rows hold a digit in each of them."""
        is_read = block.is_whole & (self.format == "csv")
        for kind, place in enumerate(self.layout.copies):
            texts = block.column(place)
            if texts is None or not is_read.any():
                return np.zeros(len(block), np.bool_)
            copies, is_number = small_numbers(texts)
            is_read &= is_number & (copies >= 0) & (copies <= COPIES)
            counts[:, kind] = copies
        return is_read

    def _is_heading(self, cells: Cells) -> bool:
        if self.format == "csv":
            return self.layout.is_named
        return understood_names(cells) == ("hand",)

    def cells(self) -> Iterator[Cells]:
        """Yield the cells to copy to the output: the row itself, or its tiles as text."""
        notation, column = get_notation(self.notation), self.layout.text
        for _, cells in self.records():
            if self.format == "npy":
                yield (notation.write(cells, (), self.tiles),)
            elif column is not None and self.is_list(cells):
                text = notation.write(*self._held(cells), self.tiles)
                yield (*cells[:column], text, *cells[column + 1 :])
            else:
                yield cells

    def is_list(self, cells: Cells) -> bool:
        """Return whether the hand of a row is a list."""
        place = self.layout.text
        return place is not None and len(cells) > place and isinstance(cells[place], list)

    def hand(self, cells: Cells) -> Hand:
        """Return the hand in the cells of a row; an error does not name the row."""
        called = self._called(cells)
        counts, red = self._held(cells)
        return Hand(
            tiles=self.tiles,
            counts=counts,
            red=red,
            called=called,
            partial=self.partial,
            rules=self.rules,
        )

    def text(self, cells: Cells) -> str:
        """Return the text of a hand."""
        layout = self.layout
        self._check_width(cells)
        if layout.text is None:
            return " ".join(map(_word, (cells[column] for column in layout.copies)))
        cell = cells[layout.text]
        if isinstance(cell, list):
            return " ".join(map(_word, cell))
        return "" if cell is None else str(cell).strip()

    def _held(self, cells: Cells) -> tuple[Counts, Counts]:
        """Return the copies and the red fives in the cells of a row."""
        layout = self.layout
        if self.format == "npy":
            return cells, ()
        self._check_width(cells)
        if layout.text is not None:
            return self._tiles_in(cells[layout.text])
        absent = (0,) * (self.tiles.num_kinds - len(layout.copies))
        if self.format == "csv":
            texts = [cells[column] for column in layout.copies]
            if is_plain("".join(texts)):
                with suppress(ValueError):  # nearly always works, and is faster
                    return (*map(int, texts), *absent), ()
        named = zip(layout.copies, self.tiles.names, strict=False)
        return (*(count_in(cells[column], name) for column, name in named), *absent), ()

    def _tiles_in(self, cell: object) -> tuple[Counts, Counts]:
        """Return the copies and the red fives in a cell that holds a text or a list."""
        if isinstance(cell, list):
            if any(isinstance(item, str) for item in cell):
                notation = self.notation
            elif 0 < len(cell) <= MOST_TILES and self._list_notation in NUMBERED:
                notation = self._list_notation
            else:
                return counts_of_list(cell, self.tiles, self.layout.list_tiles), ()
            text = text_of_tiles(cell)
        elif is_absent(cell):
            raise FileError("no hand", expected="its tiles")
        elif not isinstance(cell, str):
            raise FileError(short_repr(cell), expected="text, or a list of copies or tiles")
        else:
            text, notation = cell.strip(), self.notation
        return read_tiles([text], notation, self.tiles)[1][0]

    @cached_property
    def _list_notation(self) -> str:
        """Notation of lists of tiles: ``ids136`` by default if they hold what only that has."""
        column = self.layout.text
        if self.notation != "mpsz" or column is None:
            return self.notation
        cells = (cells[column] for _, cells in self.records({self.names[column]}))
        return IDS if has_ids(cell for cell in cells if isinstance(cell, list)) else self.notation

    def _check_width(self, cells: Cells) -> None:
        if len(cells) != len(self.layout.header):
            raise FileError(f"{len(cells)} cells", expected=str(len(self.layout.header)))

    def records(self, names: Container[str] | None = None) -> Iterator[tuple[int, Cells]]:
        """Yield the number of every record, counted as :attr:`unit` says, and its cells.

        Columns of a Parquet file that are not in ``names`` are None.
        """
        if self.format == "csv":
            yield from islice(self._table(self.layout.delimiter), self.layout.is_named, None)
        elif self.format == "npy":
            yield from enumerate(map(tuple, map(np.ndarray.tolist, self.array())))
        elif self.format == "jsonl":
            header = self.header
            for number, record in self._objects():
                yield number, tuple([record.get(key) for key in header])
        elif self.format == "parquet":
            chosen = [
                name
                for name, known in zip(self.header, self.names, strict=True)
                if names is None or name in names or known in names
            ]
            row = 0
            with self.parquet() as file:
                for batch in file.iter_batches(batch_size=BATCH, columns=chosen):
                    columns, absent = batch.to_pydict(), [None] * len(batch)
                    cells = zip(*(columns.get(name, absent) for name in self.header), strict=True)
                    yield from enumerate(cells, row)
                    row += len(batch)
        else:
            with self._open() as file:
                lines = self._lines(file)
                hands = ((line, (text,)) for line, text in lines if text and text[0] != "#")
                first = next(hands, None)
                if first is not None and not self._is_heading(first[1]):
                    yield first
                yield from hands

    def _lines(self, file: TextIO) -> Iterator[tuple[int, str]]:
        """Yield number and text of every line of a text file; a very long one is an error."""
        for number, line in enumerate(iter(partial(file.readline, LONGEST_LINE + 1), ""), 1):
            if len(line) > LONGEST_LINE:
                raise FileError(
                    "too many characters",
                    argument=self.label,
                    position=number,
                    unit="line",
                    expected=f"at most {LONGEST_LINE:,}",
                )
            yield number, line.strip()

    def _objects(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield line number and content of every line that is not empty, a JSON object each."""
        with self._open() as file:
            for number, text in self._lines(file):
                if not text:
                    continue
                try:
                    record = read_json(text)
                    if not isinstance(record, dict):
                        raise ValueError(f"{short_repr(record)} is no object")
                except ValueError as error:
                    raise FileError(
                        f"not a line of JSON ({error})",
                        argument=self.label,
                        position=number,
                        unit="line",
                    ) from None
                yield number, record

    def _table(self, delimiter: str) -> Iterator[tuple[int, Cells]]:
        """Yield line number and cells of every non-empty row of a text file."""
        with self._open() as file:
            reader = csv.reader(file, delimiter=delimiter, strict=True)
            skipped = len(self._named_delimiter)
            try:
                for cells in filter(None, reader):
                    yield reader.line_num + skipped, tuple(cells)
            except csv.Error as error:
                line = reader.line_num + skipped
                raise FileError(
                    str(error), argument=self.label, position=line, unit="line"
                ) from None

    @cached_property
    def _named_delimiter(self) -> str:
        """The delimiter that a first line such as ``sep=;`` names; empty without one."""
        with open_text(self.path, self.label, newline="") as file:
            named = _SEPARATOR.fullmatch(file.readline(LONGEST_SEPARATOR))
        return named[1] if named else ""

    @contextmanager
    def _open(self) -> Iterator[TextIO]:
        """Open a text file at its first row: after a line ``sep=;``, if it begins so."""
        with open_text(self.path, self.label, newline="") as file:
            if self.format == "csv" and self._named_delimiter:
                file.readline()
            yield file

    @contextmanager
    def parquet(self) -> "Iterator[ParquetFile]":
        """Open a Parquet file; PyArrow is imported only here."""
        try:
            from pyarrow import ArrowException
            from pyarrow.parquet import ParquetFile
        except ImportError:
            raise FileError(
                "reading Parquet needs PyArrow: pip install 'mjopt[datasets]'", argument=self.label
            ) from None
        try:
            with ParquetFile(self.path) as file:
                yield file
        except (ArrowException, OSError) as error:
            first = str(error).splitlines()[0]
            raise FileError(f"not a Parquet file ({first})", argument=self.label) from None

    def array(self) -> Array:
        """Return the counts of a ``.npy`` file, shape (N, K), mapped from disk.

        An array of all 34 kinds is read for a tile set that lacks some of them if it holds none of
        those.
        """
        array = as_whole_numbers(map_array(self.path))
        num_kinds = self.tiles.num_kinds
        is_wide = array.shape[1:] == (FULL.num_kinds,) and places_in_full(self.tiles)
        if is_wide and num_kinds < FULL.num_kinds and array.dtype.kind in "iu":
            array = narrow_rows(array, self.tiles, self.label)
        if array.ndim != 2 or array.shape[1] != num_kinds or array.dtype.kind not in "iu":
            raise FileError(
                f"{array.dtype} of shape {array.shape}",
                argument=self.label,
                expected=f"whole numbers of shape (N, {num_kinds})",
            )
        return array


def _word(item: object) -> str:
    """Return an item of a hand as text; a dash if it is absent."""
    return "-" if is_absent(item) else str(item)
