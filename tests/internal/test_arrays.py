"""Operations on arrays of numbers."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mjopt._internal.arrays import distinct


@given(st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(-3, 3)), st.booleans())
def test_distinct_numbers_are_those_of_a_set(numbers: list[int], is_small: bool) -> None:
    kind = np.int8 if is_small else np.int64
    array = np.array(numbers, np.int64).astype(kind)
    before = array.copy()
    found = distinct(array)
    assert (found.dtype, found.tolist()) == (kind, sorted(set(array.tolist())))
    assert (array == before).all()
