"""Hands of any integer type and memory layout get the same labels."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from mjopt import label
from mjopt.errors import MjoptError
from mjopt.tables.rows._array_input import as_bytes
from mjopt.tables.standard.packed import pack

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
def test_labels_do_not_depend_on_type_or_layout(kind: str, layout: str) -> None:
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
def test_count_valid_only_modulo_256_is_refused(kind: str, wrong: int, layout: str) -> None:
    rows = ROWS.astype(kind)
    rows[70, 0] = wrong
    with pytest.raises(MjoptError, match="row 70"):
        label(LAYOUTS[layout](rows))


def one_of_a_record(rows: NDArray[Any]) -> NDArray[Any]:
    records = np.zeros(len(rows), [("other", np.uint8), ("counts", rows.dtype, rows.shape[1:])])
    records["counts"] = rows
    return records["counts"]


@given(
    kind=st.sampled_from(["i1", "u1", *TYPES, ">u8"]),
    layout=st.sampled_from(
        [
            *LAYOUTS.values(),
            lambda rows: np.repeat(rows, 2, axis=0)[::2],
            lambda rows: np.hstack([rows, rows])[:, : rows.shape[1]],
            lambda rows: np.asfortranarray(np.vstack([rows, rows]))[: len(rows)],
            lambda rows: np.asfortranarray(rows)[:, ::-1],
            lambda rows: np.broadcast_to(rows[:1], rows.shape),
            one_of_a_record,
        ]
    ),
    width=st.sampled_from([27, 34]),
    number=st.sampled_from([0, 1, 2, 3, 200]),
    most=st.sampled_from([4, 5, 7, 8, 127]),
    seed=st.integers(0, 2**32 - 1),
)
def test_values_are_read_for_every_type_and_layout(
    kind: str, layout: Any, width: int, number: int, most: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.integers(0 if kind[-2] == "u" else -(most == 127), most + 1, (number, width))
    given_rows = layout(rows.astype(kind))
    expected = np.where((given_rows < 0) | (given_rows > 4), 5, given_rows)
    found = as_bytes(given_rows)
    assert found.flags.c_contiguous
    assert found.dtype == np.uint8
    assert (np.minimum(found, 5) == expected).all()
