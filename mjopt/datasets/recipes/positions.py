"""Positions from a Parquet file: hands, what their players see, and what an opponent shows."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from mjopt._internal.arrays import Array
from mjopt._internal.files import sha256_of
from mjopt._internal.optional_deps import need
from mjopt._internal.sanitize import short_repr
from mjopt.datasets.recipes.base import Counts, Deal, HandRecipe, PositionColumns
from mjopt.errors import ArgumentError, FileError, TileError
from mjopt.hands.tiles import COPIES

if TYPE_CHECKING:
    import pyarrow as pa

COPIES_COLUMNS: Final = ("hand", "unseen")
OTHER_COLUMNS: Final = ("cannot_win_on", "num_melds")
MOST_MASK: Final = 64  # kinds, a bit for each


def positions_from_file(deal: Deal, path: Path) -> HandRecipe:
    """Read positions; those of hands with other called melds than the deal are left out.

    A file that cannot be read, lacks a column, or holds no position of the deal is a `FileError`; a
    row that cannot be a position is a `TileError` that names it.
    """
    tiles, where = deal.tiles, str(path)
    if tiles.num_kinds > MOST_MASK:
        raise ArgumentError(f"{tiles.num_kinds} kinds", expected=f"at most {MOST_MASK}")
    table = _read(path)
    hands, unseen = (_copies(table, name, deal, where) for name in COPIES_COLUMNS)
    called = _numbers(table["num_melds"], "num_melds", where)
    melds = np.full(len(hands), "", object)
    if "opponent_melds" in table.column_names:
        melds = np.array([text or "" for text in table["opponent_melds"].to_pylist()], object)
    masks = _masks(table["cannot_win_on"].to_pylist(), tiles.num_kinds, where)
    both = hands + unseen
    if (both > COPIES).any():
        row, kind = np.argwhere(both > COPIES)[0].tolist()
        raise _error(
            f"{hands[row, kind]} copies of {tiles.names[kind]} in the hand and "
            f"{unseen[row, kind]} unseen",
            where,
            row,
            f"at most {COPIES}",
        )
    rows = np.flatnonzero(hands.sum(axis=1) == deal.num_tiles)
    if not len(rows):
        raise FileError(
            f"{len(hands)} positions, none of a hand of {deal.num_tiles} tiles", argument=where
        )
    kept = np.ascontiguousarray(hands[rows], np.uint8)
    return HandRecipe(
        name=f"positions:{path}",
        deal=deal,
        num_hands=len(kept),
        find=lambda start, stop, _: kept[start:stop],
        identity={"sha256": sha256_of(path)},
        positions=PositionColumns(
            unseen=unseen[rows].astype(np.uint8),
            cannot_win_on=masks[rows].astype(np.uint32 if tiles.num_kinds <= 32 else np.uint64),
            opponent_melds=melds[rows],
            opponent_called=called[rows].astype(np.int8),
        ),
    )


def _error(message: str, where: str, row: int, expected: str) -> TileError:
    return TileError(message, argument=where, position=row, unit="row", expected=expected)


def _read(path: Path) -> "pa.Table":
    if not path.is_file():
        raise FileError("no such file", argument=str(path))
    need("pyarrow", extra="datasets")
    from pyarrow import parquet

    try:
        table = parquet.read_table(path).combine_chunks()
    except (OSError, ValueError) as error:
        reason = short_repr(" ".join(str(error).split()))
        raise FileError(f"not a Parquet file ({reason})", argument=str(path)) from None
    for name in (*COPIES_COLUMNS, *OTHER_COLUMNS):
        if name not in table.column_names:
            raise FileError(
                f"no column {name}",
                argument=str(path),
                expected=", ".join((*COPIES_COLUMNS, *OTHER_COLUMNS)),
            )
        if table[name].null_count:
            raise FileError(f"column {name} has empty cells", argument=str(path))
    return table


def _copies(table: "pa.Table", name: str, deal: Deal, where: str) -> Counts:
    """Return copies per kind, shape (N, K)."""
    cells, num_kinds = table[name].to_pylist(), deal.tiles.num_kinds
    for row, cell in enumerate(cells):
        if not isinstance(cell, list) or len(cell) != num_kinds:
            size = f"{len(cell)} numbers" if isinstance(cell, list) else short_repr(cell)
            raise TileError(
                f"{name}: {size}",
                argument=where,
                position=row,
                unit="row",
                expected=f"{num_kinds} copies for {deal.tiles.name}",
                hint="name the rules of the positions, such as riichi",
            )
        wrong = [copies for copies in cell if copies not in range(COPIES + 1)]
        if wrong:
            raise _error(f"{name}: {short_repr(wrong[0])} copies", where, row, f"0..{COPIES}")
    return np.array(cells, np.uint8).reshape(-1, num_kinds)


def _numbers(column: "pa.ChunkedArray", name: str, where: str) -> npt.NDArray[np.int64]:
    cells = column.to_pylist()
    for row, cell in enumerate(cells):
        if cell not in range(100):
            raise _error(f"{name}: {short_repr(cell)}", where, row, "0 or more")
    return np.array(cells, np.int64)


def _masks(cells: list[object], num_kinds: int, where: str) -> Array:
    """Return sets of kinds as numbers, bit k for kind k."""
    masks = np.zeros(len(cells), np.uint64)
    for row, kinds in enumerate(cells):
        if not (isinstance(kinds, list) and all(kind in range(num_kinds) for kind in kinds)):
            expected = f"a list of kinds, 0..{num_kinds - 1}"
            raise _error(f"cannot_win_on: {short_repr(kinds)}", where, row, expected)
        masks[row] = sum(1 << int(kind) for kind in {*kinds})
    return masks
