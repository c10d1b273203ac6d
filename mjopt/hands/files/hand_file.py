"""Read files of hands: text, CSV, JSON lines, Parquet and NumPy arrays."""

from collections.abc import Container, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.cells import count_in, is_absent, is_plain
from mjopt._internal.sanitize import short_repr
from mjopt.errors import FileError, MjoptError
from mjopt.hands.files.list_cells import (
    IDS,
    MOST_TILES,
    NUMBERED,
    counts_of_list,
    has_ids,
    text_of_tiles,
)
from mjopt.hands.files.parquet_layout import stored_called
from mjopt.hands.files.row_blocks import RowBlock, small_numbers
from mjopt.hands.files.row_file import Cells, RowFile
from mjopt.hands.hand import MAX_CALLED, Hand
from mjopt.hands.notation import get_notation, read_tiles
from mjopt.hands.notation.text_rows import TextRows, read_texts
from mjopt.hands.rules.classic_forms import HAND_SIZE
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.tiles import COPIES, check_counts

Counts = tuple[int, ...]
SMALL = 100  # beyond every value; numbers from here on are compared one by one


@dataclass(frozen=True, kw_only=True)
class HandFile(RowFile):
    """A file whose rows are hands of one tile set and rule set, read lazily."""

    # Of every hand; by default the column ``called``, else that of the file's dataset, else none.
    called: int | None = None
    partial: bool = False
    rules: RuleSet | None = None  # they decide the size of the hands; ``tiles`` is their tile set

    @property
    def size(self) -> int:
        """Number of tiles of a complete hand, called melds with three tiles each."""
        return HAND_SIZE if self.rules is None else self.rules.size

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


def _word(item: object) -> str:
    """Return an item of a hand as text; a dash if it is absent."""
    return "-" if is_absent(item) else str(item)
