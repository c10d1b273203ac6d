"""Recipes that list hands: nothing is random."""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from mjopt._internal.folder import file_digest
from mjopt.datasets.recipes.base import BLOCK_ROWS, Counts, Deal, HandRecipe
from mjopt.datasets.recipes.ranking import DISTINCT, any_hand, count_ways
from mjopt.errors import FileError, HandError, RecipeError, TileError
from mjopt.hands.files import READABLE, HandFile, file_format
from mjopt.tables.state_index import one_type_counts


def every_hand(deal: Deal) -> HandRecipe:
    """List every distinct hand, in lexicographic order of its copies."""
    ways = count_ways(deal.tiles, any_hand(deal.num_tiles), weights=DISTINCT)

    def find(start: int, stop: int, _: np.random.Generator) -> Counts:
        """Find the first hand by its number, then each next one."""
        from mjopt.datasets.recipes import _kernels

        hands = np.empty((stop - start, deal.tiles.num_kinds), np.uint8)
        hands[:1] = ways.hands(np.array([start], np.uint64))
        _kernels.next_hands(hands)
        return hands

    return HandRecipe(name="all", deal=deal, num_hands=ways.total, find=find)


def _given(name: str, deal: Deal, hands: Counts, identity: dict[str, object]) -> HandRecipe:
    """List the hands of an array, shape (N, K)."""

    def find(start: int, stop: int, _: np.random.Generator) -> Counts:
        return np.ascontiguousarray(hands[start:stop], np.uint8)

    return HandRecipe(name=name, deal=deal, num_hands=len(hands), find=find, identity=identity)


def one_type(deal: Deal) -> HandRecipe:
    """List every hand of the first suit: 118,800 hands of 14 tiles."""
    suit = deal.tiles.suits[0]
    if len(suit.ranks) != 9:
        raise RecipeError(f"one-type: {suit.name} of {deal.tiles.name} has no nine ranks")
    counts = one_type_counts(deal.num_tiles)
    hands = np.zeros((len(counts), deal.tiles.num_kinds), np.uint8)
    hands[:, :9] = counts
    return _given("one-type", deal, hands, {})


def from_file(deal: Deal, path: Path) -> HandRecipe:
    """Read hands from a file: text (mpsz), CSV, Parquet or ``.npy``.

    Raises
    ------
    FileError
        If the file cannot be read.
    TileError, HandError
        If a row is not a hand of the deal; the message names it.
    """
    if not path.is_file():
        raise FileError(f"{path}: no such file")
    source = HandFile(
        path=path, format=file_format(path, READABLE), tiles=deal.tiles, called=deal.called
    )
    if source.format == "npy":
        rows = source.array()
    else:
        rows = np.array(list(source.counts()), dtype=np.int64)
        rows = rows.reshape(-1, deal.tiles.num_kinds)
    for start in range(0, len(rows), BLOCK_ROWS):
        _check(rows[start : start + BLOCK_ROWS], start, deal, path)
    hands = rows if rows.dtype == np.uint8 else rows.astype(np.uint8)
    return _given(f"file:{path}", deal, hands, {"sha256": file_digest(path)})


def _check(rows: npt.NDArray[np.integer], start: int, deal: Deal, path: Path) -> None:
    copies = (rows < 0) | (rows > 4)
    if copies.any():
        row, kind = (int(n) for n in np.argwhere(copies)[0])
        raise TileError(
            f"{path} row {start + row}: {rows[row, kind]} copies of "
            f"{deal.tiles.names[kind]}, expected 0..4"
        )
    sizes = rows.sum(axis=1, dtype=np.int64)
    # A file may mix hands before and after the draw.
    full = deal.num_tiles + 14 - deal.size
    wrong = np.flatnonzero((sizes != full) & (sizes != full - 1))
    if len(wrong):
        row = int(wrong[0])
        raise HandError(
            f"{path} row {start + row}: {sizes[row]} tiles, expected {full} or {full - 1}"
        )
