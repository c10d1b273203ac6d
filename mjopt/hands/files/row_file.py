"""Rows of a file of hands, whatever its format: their numbers and their cells."""

import csv
import re
from collections.abc import Container, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import numpy as np

from mjopt._internal.arrays import Array, as_whole_numbers, map_array
from mjopt._internal.sanitize import short_repr
from mjopt._internal.strict_json import read_json
from mjopt._internal.text_input import open_text, open_utf8
from mjopt.errors import FileError
from mjopt.hands.files.formats import DELIMITED, LINES
from mjopt.hands.files.parquet_layout import hand_column, stored_tiles, table_columns
from mjopt.hands.files.row_blocks import CellBlock, RowBlock, line_blocks
from mjopt.hands.files.table_layout import (
    TableLayout,
    named_layout,
    understood_names,
    unnamed_layout,
)
from mjopt.hands.tiles import FULL, TileSet, places_in_full
from mjopt.hands.wide_rows import narrow_rows

if TYPE_CHECKING:
    from pyarrow.parquet import ParquetFile

Cells = tuple[Any, ...]

DELIMITERS = (",", ";", "\t")
LONGEST_LINE = 1 << 17  # characters, as many as a cell of CSV may have
LONGEST_SEPARATOR = 16
_SEPARATOR = re.compile(r'"?sep=([,;\t|])"?\r?\n?')
BATCH = 8192  # rows of a Parquet file in memory at once


@dataclass(frozen=True, kw_only=True)
class RowFile:
    """The rows of a file of hands, read lazily; it can be read several times.

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
    name: str = ""  # in errors; by default the path

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

    def _is_heading(self, cells: Cells) -> bool:
        if self.format == "csv":
            return self.layout.is_named
        return understood_names(cells) == ("hand",)

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
                        raise ValueError(f"{short_repr(record)}, expected an object")
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
