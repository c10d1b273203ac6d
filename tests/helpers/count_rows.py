"""Hands as rows of counts: random deals, and deficiencies by brute force."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mjopt import Hand
from mjopt.models import brute_force


def deal(
    rng: np.random.Generator, num_hands: int, num_kinds: int, size: int, *, few: int | None = None
) -> NDArray[np.uint8]:
    """Deal hands; a wall of only a few kinds gives many kongs."""
    hands = np.zeros((num_hands, num_kinds), np.uint8)
    for row in hands:
        kinds = np.arange(num_kinds) if few is None else rng.permutation(num_kinds)[:few]
        drawn = rng.choice(np.repeat(kinds, 4), size, replace=False)
        np.add.at(row, drawn, 1)
    return hands


def deficiency(
    counts: Sequence[int],
    called: int = 0,
    unseen: Sequence[int] | None = None,
    *forms: str,
) -> int:
    hand = Hand.from_counts(counts, called=called, partial=True)
    return brute_force.deficiency(hand, unseen=unseen, forms=forms or ("standard",))
