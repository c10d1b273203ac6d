"""Validate arrays of hands and split the work over threads."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mjopt._internal.arrays import as_integers, distinct
from mjopt._internal.sanitize import short_repr
from mjopt._internal.validation import as_whole
from mjopt.errors import ArgumentError, HandError, MjoptError, TileError
from mjopt.hands.hand import MAX_CALLED, check_called
from mjopt.hands.notation import read_tiles
from mjopt.hands.notation.text_rows import Texts, as_texts, read_texts
from mjopt.hands.rules.classic_forms import HAND_SIZE
from mjopt.hands.rules.rule_file import get_rules
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.tiles import COPIES, FULL, M0, TileSet, as_tiles, places_in_full
from mjopt.hands.wide_rows import narrow_rows
from mjopt.tables.rows.validation import faulty_rows, not_a_hand, tiles_by_length

COPY_ROWS: Final = 1 << 15
"""Rows per copied part, if kernels cannot read in place; a part fits in the CPU cache."""

SHARE_ROWS: Final = 1 << 14
"""Fewest rows per thread."""

Rows = NDArray[np.integer]
Labels = NDArray[np.int8]
Number = TypeVar("Number", bound=np.generic)
SLICE_ROWS: Final = 1 << 20
"""Most rows per step if they are read in place: a few milliseconds."""

Which = slice | NDArray[np.intp]
"""Rows that share a number of called melds."""

SliceWork = Callable[[int, int], int]
"""Processes rows start to stop; returns the first invalid row, or -1."""


@dataclass(frozen=True, slots=True, eq=False)
class CountRows:
    """Hands of one tile set as rows of counts."""

    rows: Rows  # copies per kind, shape (N, K)
    tiles: TileSet
    # Whether all 34 kinds of ``FULL`` were given, some of which the tile set lacks.
    is_wide: bool = False
    rules: RuleSet | None = None  # None: hands of 14 tiles without further rules

    @property
    def size(self) -> int:
        """Number of tiles of a complete hand."""
        return HAND_SIZE if self.rules is None else self.rules.size

    @property
    def most_called(self) -> int:
        """Most melds that can be on the table."""
        return MAX_CALLED if self.rules is None else self.rules.most_called

    def narrow(self, given: NDArray[Number], what: str) -> NDArray[Number]:
        """Return other numbers per kind, given like the rows, for the kinds of the tile set."""
        if not self.is_wide or given.ndim == 0 or given.shape[-1] != FULL.num_kinds:
            return given
        return narrow_rows(given, self.tiles, what)

    def widen(self, found: NDArray[Number], missing: int, *, axes: int = 1) -> NDArray[Number]:
        """Return results per kind, on the last ``axes`` axes, in the width of the rows given."""
        if not self.is_wide:
            return found
        # One more column for the kinds that the tile set lacks: place -1 of the others.
        order = np.full(FULL.num_kinds, -1)
        order[list(places_in_full(self.tiles))] = np.arange(self.tiles.num_kinds)
        for axis in range(found.ndim - axes, found.ndim):
            padding = [(0, int(other == axis)) for other in range(found.ndim)]
            found = np.pad(found, padding, constant_values=missing).take(order, axis=axis)
        return found


def read_rows(
    counts: ArrayLike,
    tiles: TileSet | str | None = None,
    rules: RuleSet | str | Path | None = None,
) -> CountRows:
    """Return hands as a two-dimensional array of integers; an array of integers is not copied.

    Rows have shape ``(N, K)``, or ``(N, 34)`` for a tile set that lacks kinds of ``FULL``, if no
    hand holds those; or they are texts in mpsz notation, in a list, an array or a pandas Series.
    The tile set is by default that of the width or of the texts; rules decide it too.

    Examples
    --------
    >>> as_rows(["123m", "11z"]).shape, as_rows([[1.0] * 27]).dtype
    ((2, 34), dtype('int64'))
    >>> read_rows(["19m", "1p"], "sanma").rows.shape
    (2, 27)
    >>> read_rows([[0.5]])
    Traceback (most recent call last):
    mjopt.errors.TileError: counts: float64 of shape (1, 1), expected integers of shape (N, 27) ...
    """
    named = None if tiles is None else as_tiles(tiles)
    if rules is not None:
        rules = get_rules(rules)
        if named not in (None, rules.tiles):
            raise TileError(
                f"{named.name}, but the rules {rules.name} are about {rules.tiles.name}"
            )
        return replace(_read_rows(counts, rules.tiles), rules=rules)
    if named is not None and not named.is_built_in:
        tiles_by_length(named.num_kinds, named)  # raises the error
    return _read_rows(counts, named)


def _read_rows(counts: ArrayLike, named: TileSet | None) -> CountRows:
    texts = as_texts(counts, "counts")
    if texts is not None:
        return _rows_of_texts(texts, named)
    rows = as_integers(counts, "counts")
    widths: tuple[int, ...] = (27, 34)
    if named is not None:
        is_part = bool(places_in_full(named))
        widths = (named.num_kinds, FULL.num_kinds) if is_part else (named.num_kinds,)
    if rows.ndim != 2 or rows.dtype.kind not in "iu" or rows.shape[1] not in widths:
        expected = " or ".join(f"(N, {width})" for width in dict.fromkeys(widths))
        of = "" if named is None else f" for {named.name}"
        raise TileError(
            f"{rows.dtype} of shape {rows.shape}",
            argument="counts",
            expected=f"integers of shape {expected}{of}",
        )
    found = tiles_by_length(rows.shape[1]) if named is None else named
    if found.num_kinds == rows.shape[1]:
        return CountRows(rows, found)
    return CountRows(narrow_rows(rows, found, "counts"), found, is_wide=True)


def _rows_of_texts(texts: list[str], tiles: TileSet | None) -> CountRows:
    """Return hands in mpsz notation as rows, of ``M0`` or ``FULL`` by their tiles."""
    named = FULL if tiles is None else tiles
    found = read_texts(Texts.of(texts), "mpsz", named)
    for row in found.errors:
        try:
            read_tiles([texts[row]], "mpsz", named)
        except MjoptError as error:
            error.locate("", row)
            raise
    rows = found.counts
    if tiles is None and not rows[:, M0.num_kinds :].any():
        return CountRows(np.ascontiguousarray(rows[:, : M0.num_kinds]), M0)
    return CountRows(rows, named)


def as_rows(counts: ArrayLike) -> Rows:
    """Return the rows of :func:`read_rows`, of ``M0`` or ``FULL`` by their width."""
    return read_rows(counts).rows


def as_hands(counts: ArrayLike, called: int, tiles: TileSet | None = None) -> NDArray[np.uint8]:
    """Return the rows of hands that share a number of called melds; an error names the first fault.

    Examples
    --------
    >>> as_hands(["1112345678999m", "12m"], 0)
    Traceback (most recent call last):
    mjopt.errors.HandError: row 1: 2 tiles, expected 14 or 13
    """
    rows, melds = read_rows(counts, tiles).rows, check_called(called)
    for row in faulty_rows(rows, called=melds, partial=False)[:1].tolist():
        raise not_a_hand(rows[row].tolist(), called=melds, row=row, tiles=tiles)
    return np.asarray(rows, np.uint8)


def check_threads(threads: int | None) -> int:
    """Validate a number of threads; None means one for each core."""
    number = os.cpu_count() or 1 if threads is None else as_whole(threads)
    if number is None or number < 1:
        raise ArgumentError(argument="threads", value=short_repr(threads), expected="1 or more")
    return number


def as_labels(out: Labels | None, num_rows: int) -> Labels:
    """Return the output array: ``out`` or a new one."""
    if out is None:
        return np.empty(num_rows, np.int8)
    if not isinstance(out, np.ndarray):
        raise TileError(
            type(out).__name__, argument="out", expected=f"an array of int8 ({num_rows},)"
        )
    if out.dtype != np.int8 or out.shape != (num_rows,):
        raise TileError(
            f"{out.dtype} of shape {out.shape}", argument="out", expected=f"int8 of ({num_rows},)"
        )
    return out


def _as_called(called: ArrayLike, num_rows: int, most: int) -> NDArray[np.integer]:
    """Return called melds as a scalar array or one per row, each in ``0..most``."""
    melds = as_integers(called, "called")
    if melds.dtype.kind not in "iu" or melds.shape not in ((), (num_rows,)):
        raise HandError(
            f"{melds.dtype} of shape {melds.shape}",
            argument="called",
            expected=f"an integer, or integers of shape ({num_rows},)",
        )
    wrong = np.flatnonzero((melds < 0) | (melds > most))
    if len(wrong):
        raise HandError(
            f"{melds.flat[wrong[0]]} called melds",
            position=int(wrong[0]) if melds.ndim else None,
            unit="row",
            expected=f"0..{most}" if most else "0",
        )
    return melds


def flat(rows: NDArray[Number]) -> NDArray[Number]:
    """Flatten rows to one dimension, read-only; a view if possible."""
    return _read_only(np.ascontiguousarray(rows).reshape(-1))


def _read_only(array: NDArray[Number]) -> NDArray[Number]:
    """Return a read-only view: numba then compiles one signature instead of two."""
    view = array.view()
    view.setflags(write=False)
    return view


def as_flags(masks: NDArray[np.uint64], width: int) -> NDArray[np.bool_]:
    """Return the bits of every word, one row per word.

    Examples
    --------
    >>> as_flags(np.array([5], np.uint64), 4)
    array([[ True, False,  True, False]])
    """
    octets = masks.view(np.uint8).reshape(-1, 8)
    return np.unpackbits(octets, axis=1, bitorder="little", count=width).view(np.bool_)


def as_bytes(rows: Rows) -> NDArray[np.uint8]:
    """Return rows as bytes in C order; an invalid count becomes a byte above 4."""
    if rows.itemsize == 1:
        return np.ascontiguousarray(rows).view(np.uint8)
    # A cast to bytes would make 256 a 0 and -1 a 255. As unsigned numbers all wrong counts are
    # above 4, and stay wrong as 5.
    unsigned = rows.view(f"{rows.dtype.byteorder}u{rows.itemsize}")  # negative counts are huge
    if unsigned.max(initial=0) > COPIES:
        unsigned = np.minimum(unsigned, COPIES + 1)
    return np.ascontiguousarray(unsigned, np.uint8)


def is_in_place(rows: Rows) -> bool:
    """Return whether the kernels can read the rows without a copy."""
    return rows.itemsize == 1 and rows.flags.c_contiguous


def fill_by_called(
    hands: CountRows,
    called: ArrayLike,
    partial: bool,
    out: Labels | None,
    fill: Callable[[Which, int, Labels], int],
) -> Labels:
    """Label the rows, grouped by their number of called melds.

    ``fill`` labels the selected rows, which have the same number of called melds; it returns the
    first invalid row, or -1. The other arguments are those of the public function.
    """
    rows = hands.rows
    labels = as_labels(out, len(rows))
    melds = _as_called(called, len(rows), hands.most_called)
    # Kernels write to consecutive bytes; a strided `out` is filled at the end.
    target = labels if labels.flags.c_contiguous else np.empty(len(rows), np.int8)
    faults = []
    if melds.ndim == 0:
        faults = [fill(slice(None), int(melds), target)]
    else:
        for number in distinct(melds).tolist():
            which = np.flatnonzero(melds == number)
            some = np.empty(len(which), np.int8)
            fault = fill(which, number, some)
            faults.append(int(which[fault]) if fault >= 0 else -1)
            target[which] = some
    # Groups are labelled one after the other, but the error names the first row of the input.
    fault = min((fault for fault in faults if fault >= 0), default=-1)
    if fault >= 0:
        number = int(melds[fault] if melds.ndim else melds)
        counts = rows[fault].tolist()
        raise not_a_hand(
            counts, called=number, partial=partial, row=fault, tiles=hands.tiles, size=hands.size
        )
    if target is not labels:
        labels[:] = target
    return labels


def share_out(work: SliceWork, num_rows: int, threads: int | None, *, in_place: bool) -> int:
    """Process all rows; return the first invalid row, or -1.

    ``work`` processes a slice of the rows and must release the GIL. Slices that are read
    ``in_place``, without a copy, may be of any length. ``threads`` is the most threads, including
    this one; None: one for each core.
    """
    threads = max(1, min(check_threads(threads), num_rows // SHARE_ROWS))
    length = min(-(-num_rows // threads), SLICE_ROWS if in_place else COPY_ROWS)
    # Each idle thread takes the next slice, since a thread may start late.
    starts = iter(range(0, num_rows, max(1, length)))

    def do_share() -> int:
        for start in starts:
            fault = work(start, min(start + length, num_rows))
            if fault >= 0:
                return fault
        return -1

    others = [_pool(threads - 1).submit(do_share) for _ in range(1, threads)]
    faults = [do_share(), *(other.result() for other in others)]
    return min((fault for fault in faults if fault >= 0), default=-1)


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, thread_name_prefix="mjopt-label")


if hasattr(os, "register_at_fork"):  # a forked process has the pool but not its threads
    os.register_at_fork(after_in_child=_pool.cache_clear)
