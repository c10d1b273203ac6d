"""State numbers: a bijection between states and numbers."""

import numpy as np
import pytest

from mjopt.tables.suits.state_index import (
    num_states,
    one_type_counts,
    state_copies,
    state_number,
    state_numbers,
)


@pytest.mark.parametrize("kinds", [3, 7, 9])
def test_number_and_copies_round_trip(kinds: int) -> None:
    numbers = np.arange(num_states(kinds), dtype=np.uint32)
    copies = state_copies(numbers, kinds)
    assert (state_numbers(copies) == numbers).all()
    assert copies.max() == 4
    fours = copies[4**kinds :]
    assert (fours.max(axis=1) == 4).all()
    assert (np.diff(fours.sum(axis=1, dtype=int)) >= 0).all()
    assert copies[: 4**kinds].max() == 3


@pytest.mark.parametrize("kinds", [7, 9])
def test_single_state_matches_the_batch(kinds: int) -> None:
    rng = np.random.default_rng(1)
    numbers = rng.integers(0, num_states(kinds), 500, dtype=np.uint32)
    for number, copies in zip(numbers, state_copies(numbers, kinds), strict=True):
        assert state_number(copies.tolist()) == number


@pytest.mark.parametrize("copies", [[5, 0, 0], [4, 4, 4, 3], [0, 6]])
def test_invalid_copies_have_no_number(copies: list[int]) -> None:
    with pytest.raises(ValueError, match="not the state"):
        state_number(copies)


def test_one_type_hands_are_listed_once() -> None:
    counts = one_type_counts()
    assert counts.shape == (118_800, 9)
    assert len({row.tobytes() for row in counts}) == 118_800
    assert (counts.sum(axis=1) == 14).all()
    assert counts.max() == 4
