"""Kernel that finds the cells of the lines of a file."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import inner, kernel

TAB: Final = 9
FEED: Final = 10
RETURN: Final = 13
SPACE: Final = 32
QUOTE: Final = 34
COMMENT: Final = 35
BEYOND: Final = 127
LONGEST: Final = 1 << 16  # bytes of a line; the module csv takes cells twice as long

Bytes = NDArray[np.uint8]
Places = NDArray[np.int64]


@inner
def _skip_spaces(octets: Bytes, start: int, stop: int) -> int:
    while start < stop and (octets[start] == SPACE or octets[start] == TAB):
        start += 1
    return start


@inner
def _closing_mark(octets: Bytes, start: int) -> int:
    """Return the next quotation mark of a line, or -1."""
    at = start
    while octets[at] != QUOTE:
        if octets[at] in (FEED, 0):
            return -1
        at += 1
    return at


@kernel
def split_rows(
    octets: Bytes, delimiter: int, is_text: bool, starts: Places, stops: Places, found: Places
) -> int:
    """Find the rows and the cells of lines of text; return the number of rows, or -1.

    The number is -1 if the lines hold something that needs a reader of CSV: a quotation mark that
    does not enclose a cell of one line, a null character, a carriage return within a line, or a
    very long line.

    ``octets`` are whole lines that end with a line feed; ``delimiter`` is a byte, or -1. With
    ``is_text``, blank lines and those that begin with ``#`` are skipped, otherwise only empty ones.
    ``starts`` and ``stops`` receive the bounds of the first cells of each row, the same number for
    every row, and ``found`` the line number, from 0, and the number of cells of each row.
    """
    # Only what every dialect of CSV reads alike is read here; for anything else the result is -1
    # and the module csv reads the lines. So there is one reader of difficult lines, and the kernel
    # needs no quoting rules. `begin` is where the line starts, `first` where the cell starts, `row`
    # how many rows are complete.
    width = starts.size // (found.size // 2)
    row = line = begin = cell = first = at = 0
    closing = -1  # the mark that ends a cell in quotation marks
    while at < octets.size:
        octet = octets[at]
        if octet in (delimiter, FEED):
            is_end = octet == FEED
            stop = at - (is_end and at > begin and octets[at - 1] == RETURN)
            if is_text:
                begin = first = _skip_spaces(octets, begin, stop)
                if begin < stop and not SPACE < octets[begin] < BEYOND:  # or another kind of space
                    return -1
            if cell < width:
                starts[row * width + cell] = first + (closing >= 0)
                stops[row * width + cell] = stop if closing < 0 else closing
            cell += 1
            closing = -1
            first = at + 1
            if is_end:
                if at - begin > LONGEST:
                    return -1
                if begin < stop and not (is_text and octets[begin] == COMMENT):
                    found[2 * row], found[2 * row + 1] = line, cell
                    row += 1
                line += 1
                begin, cell = at + 1, 0
        elif octet == QUOTE and at == first and not is_text:
            closing = at = _closing_mark(octets, at + 1)
            if closing < 0 or octets[at + 1] not in (delimiter, RETURN, FEED):
                return -1
        elif octet in (QUOTE, 0) or (octet == RETURN and octets[at + 1] != FEED):
            return -1
        at += 1
    return row
