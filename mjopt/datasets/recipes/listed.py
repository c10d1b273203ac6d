"""Recipes that list hands: nothing is random."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from mjopt.datasets.recipes.base import BLOCK_ROWS, Counts, Deal, HandRecipe, cut
from mjopt.datasets.recipes.rules import any_hand
from mjopt.datasets.recipes.ways import DISTINCT, Ways, count_ways
from mjopt.errors import FileError, HandError, RecipeError, TileError
from mjopt.hands.files import READABLE, HandFile, file_format
from mjopt.runtime.folder import file_digest
from mjopt.tables.states import one_type_counts


@dataclass(frozen=True, kw_only=True)
class EveryHand(HandRecipe):
    """Every distinct hand, in lexicographic order of its copies.

    Parameters
    ----------
    name, deal, num_hands
        As for every recipe.
    ways
        All hands, numbered.
    """

    ways: Ways
    is_random: ClassVar[bool] = False

    def block(self, number: int, *, seed: int = 0) -> Counts:  # noqa: ARG002 - nothing is drawn
        """Return the hands of one block: the first by its number, then each next one."""
        from mjopt.datasets.recipes import _kernels

        start, stop = cut(number, self.num_hands)
        hands = np.empty((stop - start, self.deal.tiles.num_kinds), np.uint8)
        hands[:1] = self.ways.hands(np.array([start], np.uint64))
        _kernels.next_hands(hands)
        return hands


@dataclass(frozen=True, kw_only=True)
class GivenHands(HandRecipe):
    """Hands that lie in an array.

    Parameters
    ----------
    name, deal, num_hands
        As for every recipe.
    hands
        Their copies, shape (N, K).
    digest
        SHA-256 of the file they come from; empty if they come from none.
    """

    hands: Counts = field(repr=False, compare=False)
    digest: str = ""
    is_random: ClassVar[bool] = False

    def block(self, number: int, *, seed: int = 0) -> Counts:  # noqa: ARG002 - nothing is drawn
        """Return the hands of one block."""
        start, stop = cut(number, self.num_hands)
        return np.ascontiguousarray(self.hands[start:stop], np.uint8)

    def identity(self) -> dict[str, object]:
        """Return the digest of the file."""
        return {"sha256": self.digest} if self.digest else {}


def every_hand(deal: Deal) -> EveryHand:
    """List every distinct hand."""
    ways = count_ways(deal.tiles, any_hand(deal.num_tiles), weights=DISTINCT)
    return EveryHand(name="all", deal=deal, num_hands=ways.total, ways=ways)


def one_type(deal: Deal) -> GivenHands:
    """List every hand of the first suit: 118,800 hands of 14 tiles."""
    suit = deal.tiles.suits[0]
    if len(suit.ranks) != 9:
        raise RecipeError(f"one-type: {suit.name} of {deal.tiles.name} has no nine ranks")
    counts = one_type_counts(deal.num_tiles)
    hands = np.zeros((len(counts), deal.tiles.num_kinds), np.uint8)
    hands[:, :9] = counts
    return GivenHands(name="one-type", deal=deal, num_hands=len(hands), hands=hands)


def from_file(deal: Deal, path: Path) -> GivenHands:
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
    return GivenHands(
        name=f"file:{path}",
        deal=deal,
        num_hands=len(hands),
        hands=hands,
        digest=file_digest(path),
    )


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
