"""Hands of any integer type and layout get the labels of plain bytes."""

import numpy as np
import pytest
from helpers.ways import plain_ways

from mjopt.errors import MjoptError
from mjopt.tables import label
from mjopt.tables._batches import as_bytes
from mjopt.tables.packed import pack

TYPES = ["i1", "u2", "<i2", ">i4", "i8", "u8"]
ROWS = np.array([[2] * 7 + [0] * 20, [3, 1, 1, 1, 1, 1, 1, 1, 3, 1] + [0] * 17] * 50, np.uint8)
LABELS = [0, 1] * 50
LAYOUTS = {
    "rows": lambda rows: rows,
    "columns": np.asfortranarray,
    "every second column": lambda rows: np.repeat(rows, 2, axis=1)[:, ::2],
    "backwards": lambda rows: np.ascontiguousarray(rows[::-1])[::-1],
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("kind", TYPES)
def test_labels(kind: str, layout: str) -> None:
    rows = LAYOUTS[layout](ROWS.astype(kind))
    assert label(rows).tolist() == LABELS
    assert (pack(rows) == pack(ROWS)).all()


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        *[("i1", -1), ("i4", 258), ("i8", 2**32 + 2), ("i8", 260), ("u8", 256)],
        *[(">i8", 2**56 + 1), (">i4", -255), (">u2", 259)],
    ],
)
def test_what_would_be_a_count_as_a_byte_is_refused(kind: str, wrong: int, layout: str) -> None:
    rows = ROWS.astype(kind)
    rows[70, 0] = wrong
    with pytest.raises(MjoptError, match="row 70"):
        label(LAYOUTS[layout](rows))


@pytest.mark.parametrize("layout", ["rows", "columns"])
@pytest.mark.parametrize("kind", ["i2", ">i4", "i8", ">u8"])
def test_a_kernel_makes_the_bytes_that_numpy_makes(kind: str, layout: str) -> None:
    rows = LAYOUTS[layout](ROWS.astype(kind))
    rows[7] = 4
    for wrong in (4, 260, 255):
        rows[70, 3] = wrong
        with plain_ways():
            plain = as_bytes(rows)
        assert as_bytes(rows).tolist() == plain.tolist()
