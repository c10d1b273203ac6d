"""Validate rows of counts and name their faults."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mjopt.errors import HandError, MjoptError, TileError
from mjopt.hands.tiles import COPIES, FULL, M0, TILE_SETS, TileSet
from mjopt.tables.suits.state_index import MOST_TILES

_EACH_BYTE = np.uint64(0x0101_0101_0101_0101)
_BY_LENGTH = {27: M0, 34: FULL}


def tiles_by_length(num_kinds: int, tiles: TileSet | None = None) -> TileSet:
    """Return the tile set if it is given; else ``M0`` for 27 kinds and ``FULL`` for 34.

    A tile set with another number of kinds, or without tables, is a `TileError`.

    Examples
    --------
    >>> tiles_by_length(9)
    Traceback (most recent call last):
    mjopt.errors.TileError: 9 counts a hand, expected 27 (M0) or 34 (FULL)
    """
    if tiles is not None:
        if not tiles.is_built_in:
            known = tuple(known.name for known in TILE_SETS.values())
            raise TileError(f"{tiles.name} has no tables", expected=known)
        if num_kinds != tiles.num_kinds:
            raise TileError(
                f"{num_kinds} counts a hand", expected=f"{tiles.num_kinds} ({tiles.name})"
            )
        return tiles
    if num_kinds not in _BY_LENGTH:
        raise TileError(f"{num_kinds} counts a hand", expected="27 (M0) or 34 (FULL)")
    return _BY_LENGTH[num_kinds]


def not_a_hand(
    counts: Sequence[int],
    *,
    called: int = 0,
    partial: bool = False,
    row: int | None = None,
    tiles: TileSet | None = None,
    size: int = MOST_TILES,
) -> MjoptError:
    """Return the error for counts, shape ``(K,)``, that are not a hand of ``size`` tiles.

    ``partial`` allows fewer tiles. ``row`` is that of the hand, if there are several. The tile set
    is by default that of the length.

    Examples
    --------
    >>> not_a_hand([1] * 27, row=3)
    HandError('row 3: 27 tiles, expected 14 or 13')
    >>> not_a_hand([0, 5] + [0] * 25)
    TileError('5 copies of 2m at position 1, expected 0..4')
    """
    tiles = tiles or tiles_by_length(len(counts))
    for kind, copies in enumerate(counts):
        if not 0 <= copies <= COPIES:
            return TileError(
                value=f"{copies} copies of {tiles.names[kind]}",
                position=kind if row is None else row,
                unit="position" if row is None else "row",
                expected=f"0..{COPIES}",
            )
    most = size - 3 * called
    expected = f"at most {most}" if partial else f"{most} or {most - 1}"
    with_called = f" with {called} called" if called else ""
    return HandError(
        f"{sum(counts)} tiles", position=row, unit="row", expected=f"{expected}{with_called}"
    )


def faulty_rows(
    rows: NDArray[np.integer], *, called: int, partial: bool, size: int = MOST_TILES
) -> NDArray[np.intp]:
    """Return the numbers of the rows that are not hands, ascending.

    Slower than the kernels, which only report that some row is invalid.
    """
    if rows.itemsize == 1 and rows.flags.c_contiguous and COPIES * rows.shape[1] < 256:
        octets = rows.view(np.uint8)  # the same for numbers in 0..4
        total, most_copies = sum_rows(octets).astype(np.int64), octets.max(initial=0)
    else:
        total, most_copies = rows.sum(axis=1, dtype=np.int64), COPIES + 1
    most = size - 3 * called
    is_hand = total <= most if partial else (total == most) | (total == most - 1)
    if most_copies > COPIES:
        is_hand &= ((rows >= 0) & (rows <= COPIES)).all(axis=1)
    return np.flatnonzero(~is_hand)


def sum_rows(octets: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """Return the sum of every row of bytes, modulo 256: eight bytes at a time."""
    words = np.zeros((len(octets), -(-octets.shape[1] // 8) * 8), np.uint8)
    words[:, : octets.shape[1]] = octets
    columns = words.view(np.uint64)
    total: NDArray[np.uint64] = columns[:, 0].copy()
    for column in range(1, columns.shape[1]):
        total += columns[:, column]
    return (total * _EACH_BYTE) >> np.uint64(56)
