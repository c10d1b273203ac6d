"""The paper's sets: the one-type hands are all there, the dealt ones hold every type."""

import numpy as np
import pytest

from mjopt import FULL, M0
from mjopt.errors import HandError
from mjopt.hand_sets import one_type_counts, one_type_hands, types_deal


def test_one_type_hands_are_all_there() -> None:
    counts = one_type_counts()
    assert counts.shape == (118_800, 9)
    assert len({row.tobytes() for row in counts}) == 118_800
    assert (counts.sum(axis=1) == 14).all()
    assert counts.max() == 4
    assert sum(1 for _ in one_type_hands()) == 118_800


@pytest.mark.parametrize("num_types", [1, 2, 3])
def test_dealt_hands_hold_every_type(num_types: int) -> None:
    for hand in types_deal(num_types, 50, rng=np.random.default_rng(num_types)):
        present = [sum(hand.counts[part]) > 0 for part in M0.slices]
        assert sum(present) == num_types
        assert hand.num_tiles == 14


def test_same_seed_same_hands() -> None:
    runs = [
        [hand.counts for hand in types_deal(2, 20, rng=np.random.default_rng(7), tiles=FULL)]
        for _ in range(2)
    ]
    assert runs[0] == runs[1]


def test_bad_requests() -> None:
    with pytest.raises(HandError, match="4 types, expected 1..3"):
        next(types_deal(4, 1, rng=np.random.default_rng(0)))
    with pytest.raises(HandError, match="40 tiles, expected at most 36"):
        next(types_deal(1, 1, rng=np.random.default_rng(0), size=40))
