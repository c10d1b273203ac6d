"""
Your own recipe
===============

A recipe is a set of hands with numbers: equal seeds give equal hands, whatever block is read first.
"""

import numpy as np

from mjopt import FULL
from mjopt.datasets import Deal, HandRecipe


def with_dragons(deal: Deal, number: str) -> HandRecipe:
    """Draw hands that hold a pair of a dragon; the other tiles are any."""
    kinds = np.arange(deal.tiles.num_kinds)

    def find(start: int, stop: int, rng: np.random.Generator) -> np.ndarray:
        hands = np.zeros((stop - start, len(kinds)), np.uint8)
        for hand in hands:
            dragon = int(rng.choice(kinds[-3:]))
            left = np.repeat(kinds, 4 - 2 * (kinds == dragon))
            hand[dragon] = 2
            np.add.at(hand, rng.choice(left, deal.num_tiles - 2, replace=False), 1)
        return hands

    return HandRecipe(name="dragons", deal=deal, num_hands=int(number), find=find, stream=101)


def main() -> None:
    """Print some hands."""
    print(with_dragons(Deal(tiles=FULL), "3").counts(seed=1))


if __name__ == "__main__":
    main()
