"""What every recipe offers: a number of hands, and any block of them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from mjopt.errors import RecipeError
from mjopt.hands.hand import MAX_CALLED
from mjopt.hands.tiles import TileSet

BLOCK_ROWS: Final = 122_880
"""Hands drawn from one stream of random numbers, and rows of a Parquet row group."""

MOST_AT_ONCE: Final = 1 << 31
"""Hands that may be put into one array."""

Counts = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """The tiles that hands are made from, and how many each holds.

    Parameters
    ----------
    tiles
        The tile set.
    size
        Tiles of a hand with nothing called: 13 before the draw, 14 after.
    called
        Melds on the table; a hand then holds three tiles fewer for each.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> Deal(tiles=M0, size=13, called=2).num_tiles
    7
    """

    tiles: TileSet
    size: int = 14
    called: int = 0

    def __post_init__(self) -> None:
        """Refuse what is no hand."""
        if self.size not in (13, 14):
            raise RecipeError(f"hands of {self.size} tiles, expected 13 or 14")
        if self.called not in range(MAX_CALLED + 1):
            raise RecipeError(f"{self.called} called melds, expected 0..{MAX_CALLED}")

    @property
    def num_tiles(self) -> int:
        """How many tiles each hand holds itself."""
        return self.size - 3 * self.called


@dataclass(frozen=True, kw_only=True)
class HandRecipe:
    """Hands by number: the same seed always gives the same hands, in any order asked.

    Parameters
    ----------
    name
        The recipe as text; :func:`read_recipe` reads it back.
    deal
        Tile set and size.
    num_hands
        How many hands there are.
    find
        Finds the hands from one number to another, within a block; those that are
        drawn by the generator of that block.
    stream
        Which random numbers it uses; 0 if nothing is random.
    weigh
        Finds what each of those hands counts for in statistics of deals, if not one.
    identity
        What the hands depend on beside name and seed, as plain data.
    """

    name: str
    deal: Deal
    num_hands: int
    find: Callable[[int, int, np.random.Generator], Counts]
    stream: int = 0
    weigh: Callable[[int, int], npt.NDArray[np.float64]] | None = None
    identity: dict[str, object] = field(default_factory=dict)

    def block(self, number: int, *, seed: int = 0) -> Counts:
        """Return the hands ``number * BLOCK_ROWS`` and on, as many as a block has."""
        start, stop = self._limits(number)
        return self.find(start, stop, block_rng(seed, self.stream, number))

    def counts(self, *, seed: int = 0) -> Counts:
        """Return all hands, shape (N, K)."""
        if self.num_hands > MOST_AT_ONCE:
            raise RecipeError(f"{self.name}: {self.num_hands} hands, too many for one array")
        blocks = range(-(-self.num_hands // BLOCK_ROWS))
        none = np.zeros((0, self.deal.tiles.num_kinds), np.uint8)
        return np.concatenate([none, *(self.block(number, seed=seed) for number in blocks)])

    def weights(self, number: int) -> npt.NDArray[np.float64] | None:
        """Return what each hand of a block counts for in statistics of deals, or None."""
        return self.weigh(*self._limits(number)) if self.weigh else None

    def _limits(self, number: int) -> tuple[int, int]:
        """Return the first hand of a block, and the first after it."""
        start = number * BLOCK_ROWS
        if not 0 <= start < max(self.num_hands, 1):
            raise RecipeError(
                f"block {number} of {self.num_hands} hands, expected 0..{self.num_hands}"
            )
        return start, min(start + BLOCK_ROWS, self.num_hands)


def block_rng(seed: int, stream: int, number: int) -> np.random.Generator:
    """Return the generator of one block.

    Parameters
    ----------
    seed
        The user's seed.
    stream
        A number that belongs to the kind of recipe.
    number
        Which block.

    Examples
    --------
    >>> one, again, other = (block_rng(7, 1, n).integers(1000) for n in (0, 0, 1))
    >>> one == again, one == other
    (np.True_, np.False_)
    """
    if seed < 0:
        raise RecipeError(f"seed {seed}, expected 0 or more")
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(stream, number)))
