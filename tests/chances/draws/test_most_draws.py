"""The most draws that leave a hand incomplete, over all classes of its suits."""

from itertools import product

import numpy as np

from mjopt.chances.draws._kernels import most_draws_kernel


def most_by_enumeration(most: np.ndarray, joins: np.ndarray) -> int:
    """Join the suits from class 0 in every way that no suit excludes."""
    greatest = -1
    for classes in product(range(len(joins)), repeat=len(most)):
        whole, draws = 0, 0
        for suit, one in enumerate(classes):
            is_possible = whole >= 0 and most[suit, one] >= 0
            whole, draws = (joins[whole, one], draws + most[suit, one]) if is_possible else (-1, 0)
        greatest = max(greatest, int(draws)) if whole >= 0 else greatest
    return greatest


def test_most_draws_match_enumeration() -> None:
    rng, values = np.random.default_rng(3), set()
    for _ in range(60):
        most = rng.integers(-1, 4, (3, 4))
        joins = rng.integers(-2, 4, (4, 4)).astype(np.int32)
        found = most_draws_kernel(most, joins, np.full((4, 4), -1, np.int64))
        assert found == most_by_enumeration(most, joins)
        values.add(int(found))
    assert -1 in values
    assert len(values) > 5
