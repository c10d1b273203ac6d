"""The branches of the tree search: what its kernels, which load late, know of it."""

from typing import Final

# The branches of the tree, numbered. With a the kind of the first tile that is not yet processed:
PONG: Final = 0  # a a a
CHOW: Final = 1  # a, a + 1, a + 2
EYE: Final = 2  # a a, once
PAIR: Final = 3  # a a in a meld slot, to become a pong
NEAR: Final = 4  # a, a + 1 in a meld slot, to become a chow
GAP: Final = 5  # a, a + 2 in a meld slot, to become a chow
DROP: Final = 6  # every a that is left stays over

BRANCHES: Final = 7

ORDERS: Final = {
    "melds-first": (PONG, CHOW, EYE, PAIR, NEAR, GAP, DROP),
    "as-published": (DROP, CHOW, NEAR, GAP, EYE, PONG, PAIR),
}
"""In which order the branches at a tile are tried, by name."""
