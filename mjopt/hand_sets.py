"""Sets of hands that studies use, listed or drawn."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from mjopt.errors import HandError
from mjopt.hand import Hand
from mjopt.tiles import COPIES, M0, TileSet

__all__ = ["one_type_counts", "one_type_hands", "types_deal"]


def one_type_counts(size: int = 14, width: int = 9) -> npt.NDArray[np.uint8]:
    """List the counts of every hand inside one suit.

    Parameters
    ----------
    size
        Tiles in the hand.
    width
        Ranks of the suit.

    Returns
    -------
    ndarray of uint8, shape (N, width)
        In lexicographic order, each in ``0..4``.

    Examples
    --------
    >>> one_type_counts().shape
    (118800, 9)
    """
    grid = np.zeros((1, 0), dtype=np.uint8)
    for done in range(width):
        grid = np.concatenate(
            [
                np.repeat(grid, COPIES + 1, axis=0),
                np.tile(np.arange(COPIES + 1, dtype=np.uint8), len(grid))[:, None],
            ],
            axis=1,
        )
        held = grid.sum(axis=1)
        room = COPIES * (width - done - 1)
        grid = grid[(held <= size) & (held + room >= size)]
    return grid


def one_type_hands(tiles: TileSet = M0, size: int = 14) -> Iterator[Hand]:
    """Yield the paper's one-type set: every hand of the first suit.

    Examples
    --------
    >>> next(one_type_hands()).to_text()
    '66777788889999m'
    """
    after = (0,) * (tiles.num_kinds - 9)
    for counts in one_type_counts(size).tolist():
        yield Hand.from_counts((*counts, *after), tiles=tiles)


def types_deal(
    num_types: int,
    number: int,
    *,
    rng: np.random.Generator,
    tiles: TileSet = M0,
    size: int = 14,
) -> Iterator[Hand]:
    """Yield hands dealt uniformly from some suits, every one of them present.

    Parameters
    ----------
    num_types
        Suits in each hand; which ones is drawn for every hand.
    number
        Hands to draw.
    rng
        Source of randomness.
    tiles
        The tile set.
    size
        Tiles in each hand.

    Raises
    ------
    HandError
        If the tile set has fewer suits, or they hold fewer tiles.

    Examples
    --------
    >>> [hand] = types_deal(2, 1, rng=np.random.default_rng(1))
    >>> sum(sum(hand.counts[part]) > 0 for part in hand.tiles.slices)
    2
    """
    if not 1 <= num_types <= len(tiles.suits):
        raise HandError(f"{num_types} types, expected 1..{len(tiles.suits)} in {tiles.name}")
    drawn = 0
    while drawn < number:
        chosen = rng.permutation(len(tiles.suits))[:num_types]
        kinds = np.concatenate([np.arange(tiles.num_kinds)[tiles.slices[i]] for i in chosen])
        wall = np.repeat(kinds, COPIES)
        if size > len(wall):
            raise HandError(f"{size} tiles, expected at most {len(wall)}")
        hand = rng.permutation(wall)[:size]
        counts = np.bincount(hand, minlength=tiles.num_kinds)
        if all(counts[tiles.slices[i]].any() for i in chosen):
            drawn += 1
            yield Hand.from_counts(counts.tolist(), tiles=tiles)
