"""Records of integer programs: their parts fit together."""

from dataclasses import replace

import pytest
from helpers.small_programs import make

from mjopt.errors import ModelError


@pytest.mark.parametrize(
    "wrong",
    [
        {"starts": (0, 2, 2)},
        {"starts": (0, 1)},
        {"columns": (0,)},
        {"coefficients": (1, 1, 1)},
        {"lower": ()},
        {"upper": (3, 3)},
        {"names": ("r0", "r1")},
    ],
    ids=repr,
)
def test_rows_of_different_lengths_are_refused(wrong: dict[str, tuple[object, ...]]) -> None:
    rows = make([2, 1], [(0, 2), (0, 2)], [(2, 3, [(0, 1), (1, 1)])]).rows
    with pytest.raises(ModelError, match="rows do not fit together"):
        replace(rows, **wrong)  # type: ignore[arg-type]
