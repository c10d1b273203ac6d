"""Tiles of many texts as rows of counts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.cells import is_absent
from mjopt._internal.jit import is_few
from mjopt._internal.sanitize import short_repr
from mjopt.errors import MjoptError, TileError
from mjopt.hands.notation import get_notation
from mjopt.hands.notation.automaton import COPY_SHIFT, TextAutomaton
from mjopt.hands.tiles import COPIES, TileSet

FEW: Final = 4096
"""Python reads fewer texts, at some microseconds each, in less time than numba takes to load."""

ENCODING: Final = ("utf-8", "surrogatepass")

Bytes = NDArray[np.uint8]
Places = NDArray[np.int64]
Table = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """Many texts in one array of bytes.

    Examples
    --------
    >>> texts = Texts.of(["123m", "東"])
    >>> len(texts), texts[1]
    (2, '東')
    """

    octets: Bytes  # the texts in UTF-8
    starts: Places  # where each text begins, shape (N,)
    stops: Places  # where it ends

    @classmethod
    def of(cls, texts: Sequence[str]) -> "Texts":
        """Join texts."""
        joined = "".join(texts)
        data = joined.encode(*ENCODING)
        sizes = map(len, texts if joined.isascii() else (t.encode(*ENCODING) for t in texts))
        stops = np.fromiter(sizes, np.int64, len(texts)).cumsum()
        starts = np.concatenate([np.zeros(1, np.int64), stops[:-1]])[: len(texts)]
        return cls(np.frombuffer(data, np.uint8), starts, stops)

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, row: int) -> str:
        return self.octets[self.starts[row] : self.stops[row]].tobytes().decode(*ENCODING)


@dataclass(frozen=True, slots=True, eq=False)
class TextRows:
    """Tiles of N texts."""

    counts: Bytes  # copies per kind, shape (N, K), uint8; 0 in the rows that are no tiles
    reds: Bytes  # red fives among them, of the same shape; no rows if not requested
    # The error of each text that is no tiles, by its number, ascending.
    errors: dict[int, MjoptError]


def as_texts(given: object, what: str) -> list[str] | None:
    """Return texts in a list, an array or a Series as a list; None if they are something else.

    If the first is a text, or absent, but another is not, `TileError` is raised.

    Examples
    --------
    >>> as_texts(np.array(["123m", "11z"]), "hands"), as_texts([[1] * 27], "hands")
    (['123m', '11z'], None)
    """
    if isinstance(given, list | tuple):
        items = list(given)
    elif getattr(given, "ndim", 0) == 1 and hasattr(given, "tolist"):
        items = given.tolist()
    else:
        return None
    if not items or not isinstance(items[0], str):
        is_first_absent = bool(items) and is_absent(items[0])
        if not is_first_absent or not any(isinstance(item, str) for item in items):
            return None
    for row, item in enumerate(items):
        if not isinstance(item, str):
            raise TileError(
                short_repr(item), argument=what, position=row, unit="row", expected="a text"
            )
    return items


def read_texts(texts: Texts, notation: str, tiles: TileSet, *, with_reds: bool = False) -> TextRows:
    """Read tiles from many texts; the errors are those of the notation, without hints.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> rows = read_texts(Texts.of(["123m", "9x"]), "mpsz", M0)
    >>> rows.counts.sum(axis=1).tolist(), [str(error) for error in rows.errors.values()]
    ([3, 0], ["'x' at character 2: not a suit of M0, expected m, p or s"])
    """
    reader, shape = get_notation(notation), (len(texts), tiles.num_kinds)
    counts = np.zeros(shape, np.uint8)
    reds = np.zeros(shape if with_reds else (0, tiles.num_kinds), np.uint8)
    is_read = np.zeros(len(texts), np.bool_)
    if not is_few(len(texts), FEW):
        from mjopt.hands.notation import _text_kernels

        for automaton in reader.automata(tiles):
            table, ends = _byte_table(automaton)
            _text_kernels.read_texts(
                read_only(texts.octets),
                texts.starts,
                texts.stops,
                table,
                ends,
                automaton.is_reversed,
                tiles.num_kinds,
                counts.reshape(-1),
                reds.reshape(-1),
                is_read,
            )
            if is_read.all():
                break
    errors: dict[int, MjoptError] = {}
    for row in np.flatnonzero(~is_read).tolist():
        try:
            parsed = reader.parse(texts[row], tiles)
        except MjoptError as error:
            errors[row] = error
        else:
            counts[row] = parsed.counts
            if with_reds:
                reds[row] = parsed.red
    return TextRows(counts, reds, errors)


def read_only(array: Bytes) -> Bytes:
    """Return a read-only view: numba then compiles one signature instead of two."""
    view = array.view()
    view.setflags(write=False)
    return view


_TABLES: dict[TextAutomaton, tuple[Table, Table]] = {}


def _byte_table(automaton: TextAutomaton) -> tuple[Table, Table]:
    """Return the steps of an automaton by state and byte, flat, and its emissions at the end."""
    if automaton not in _TABLES:
        shift = COPY_SHIFT + COPIES
        rows: list[dict[int, int]] = [{} for _ in automaton.steps]  # more for parts of characters
        for state, steps in enumerate(automaton.steps):
            for char, (after, emission) in steps.items():
                *first, last = char.encode()[:: -1 if automaton.is_reversed else 1]
                here = state
                for octet in first:
                    if octet not in rows[here]:
                        rows[here][octet] = len(rows) << shift
                        rows.append({})
                    here = rows[here][octet] >> shift
                rows[here][last] = after << shift | emission
        table = np.full((len(rows), 256), -1, np.int32)
        for state, row in enumerate(rows):
            table[state, list(row)] = list(row.values())
        ends = np.full(len(rows), -1, np.int32)
        ends[: len(automaton.ends)] = [-1 if end is None else end for end in automaton.ends]
        _TABLES[automaton] = table.reshape(-1), ends
    return _TABLES[automaton]
