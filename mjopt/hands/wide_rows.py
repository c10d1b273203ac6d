"""Rows of counts with all 34 kinds of ``FULL`` for tile sets that lack some of them."""

from typing import TypeVar

import numpy as np
import numpy.typing as npt

from mjopt.hands.tiles import FULL, TileSet, absent_kind, places_in_full

Number = TypeVar("Number", bound=np.generic)


def narrow_rows(rows: npt.NDArray[Number], tiles: TileSet, what: str) -> npt.NDArray[Number]:
    """Return the columns of the kinds of a tile set, given rows of shape ``(34,)`` or ``(N, 34)``.

    Copies of a kind that the tile set lacks are a `TileError`.

    Examples
    --------
    >>> from mjopt.hands.tiles import SANMA
    >>> row = np.zeros((1, 34), np.uint8)
    >>> narrow_rows(row, SANMA, "counts").shape
    (1, 27)
    >>> row[0, 4] = 2
    >>> narrow_rows(row, SANMA, "counts")
    Traceback (most recent call last):
    mjopt.errors.TileError: counts row 0: 2 copies of 5m, but SANMA has no 5m
    """
    places = list(places_in_full(tiles))
    absent = np.setdiff1d(np.arange(FULL.num_kinds), places)
    faults = np.argwhere(rows[..., absent] != 0)
    if len(faults):
        *row, column = faults[0].tolist()
        kind = int(absent[column])
        copies = rows[(*row, kind)].item()
        raise absent_kind(copies, kind, tiles, what, *row)
    return np.ascontiguousarray(rows[..., places])


def widen_rows(rows: npt.NDArray[Number], tiles: TileSet) -> npt.NDArray[Number]:
    """Return rows with all 34 kinds if the tile set lacks some between others; else the rows.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0, SANMA
    >>> rows = np.arange(27)[None]
    >>> widen_rows(rows, M0) is rows, widen_rows(rows, SANMA)[0, :10].tolist()
    (True, [0, 0, 0, 0, 0, 0, 0, 0, 1, 2])
    """
    places = places_in_full(tiles)
    if places == tuple(range(tiles.num_kinds)):
        return rows
    wide = np.zeros((len(rows), FULL.num_kinds), rows.dtype)
    wide[:, list(places)] = rows
    return wide
