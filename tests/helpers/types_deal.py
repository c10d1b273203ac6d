"""Random hands of a given number of suits, for tests and benchmarks."""

from collections.abc import Iterator

import numpy as np

from mjopt.hands.hand import Hand
from mjopt.hands.tiles import COPIES, M0, TileSet


def types_deal(
    num_types: int,
    number: int,
    *,
    rng: np.random.Generator,
    tiles: TileSet = M0,
    size: int = 14,
) -> Iterator[Hand]:
    """Yield hands dealt uniformly from some suits, with every suit present."""
    drawn = 0
    while drawn < number:
        chosen = rng.permutation(len(tiles.suits))[:num_types]
        kinds = np.concatenate([np.arange(tiles.num_kinds)[tiles.slices[i]] for i in chosen])
        wall = np.repeat(kinds, COPIES)
        hand = rng.permutation(wall)[:size]
        counts = np.bincount(hand, minlength=tiles.num_kinds)
        if all(counts[tiles.slices[i]].any() for i in chosen):
            drawn += 1
            yield Hand.from_counts(counts.tolist(), tiles=tiles)
