"""Public functions refuse invalid arguments with one line that names the argument."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import mjopt
from mjopt import Hand, MjoptError, SolveOptions

HAND = Hand.parse("1112345678999m1p")
COUNTS = list(HAND.counts)
NOT_COUNTS = [
    *(float("nan"), float("inf"), 0.5, 10**30, -1, True, None, "3", 3j, [1], object(), b"3"),
    *(np.float64("nan"), np.bool_(True), np.timedelta64(3, "s"), np.zeros(2)),
    *(Decimal("NaN"), Fraction(1, 2)),
]
NOT_LISTS: list[Any] = [5, None, object(), float("nan"), HAND, "", [], [1, 2], np.zeros((2, 2))]


def named(value: object) -> str:
    """Return a test id that is the same in every process (without an address)."""
    return f"{type(value).__name__} {'' if type(value) in (object, Hand) else value}"


def refused(call: Callable[..., object], *words: str) -> None:
    """Check that a call raises a one-line error that contains these words."""
    with pytest.raises((MjoptError, TypeError)) as caught:
        call()
    message = str(caught.value)
    assert len(message.splitlines()) == 1
    assert len(message) < 300
    assert all(word in message for word in words), message


@pytest.mark.parametrize("wrong", NOT_COUNTS, ids=named)
def test_non_counts_are_refused(wrong: Any) -> None:
    counts = [wrong, *COUNTS[1:]]
    refused(lambda: Hand.from_counts(counts), "counts", "1m", "position 0")
    refused(lambda: HAND.with_counts(counts), "counts", "position 0")
    refused(lambda: mjopt.deficiency(HAND, unseen=counts), "unseen", "position 0")
    refused(lambda: mjopt.expected_draws(HAND, wall=counts), "wall", "position 0")


@pytest.mark.parametrize("wrong", NOT_LISTS, ids=named)
def test_non_lists_of_counts_are_refused(wrong: Any) -> None:
    refused(lambda: Hand.from_counts(wrong), "counts")
    refused(lambda: mjopt.label(wrong), "counts")
    refused(lambda: mjopt.pack(wrong), "counts")
    refused(lambda: mjopt.unpack(wrong), "packed")
    refused(lambda: mjopt.label_packed(wrong), "packed")
    if wrong is not None:
        if not isinstance(wrong, str):  # an empty text is valid: no tile can arrive
            refused(lambda: mjopt.deficiency(HAND, unseen=wrong), "unseen")
        refused(lambda: mjopt.label([COUNTS], unseen=wrong), "unseen")
        refused(lambda: mjopt.label([COUNTS], called=wrong), "called")
        refused(lambda: mjopt.label([COUNTS], out=wrong), "out")


@pytest.mark.parametrize("kind", [bool, object, complex, str, "m8[s]"])
def test_arrays_of_wrong_types_are_refused(kind: Any) -> None:
    refused(lambda: mjopt.label(np.array([COUNTS]).astype(kind)), "counts", "expected integers")


@pytest.mark.parametrize("wrong", [0.5, np.nan, np.inf])
def test_floats_that_are_not_whole_are_refused(wrong: float) -> None:
    floats = np.array([COUNTS], float)
    assert mjopt.label(floats)[0] == mjopt.deficiency(HAND)
    floats[0, 3] = wrong
    refused(lambda: mjopt.label(floats), "counts")


def test_ragged_rows_are_refused() -> None:
    refused(lambda: mjopt.label([[[1], *COUNTS[1:]]]), "counts", "no array")


def test_integers_of_any_type_are_accepted() -> None:
    for kind in (float, np.float32, np.int8, np.uint64, Fraction):
        assert Hand.from_counts([kind(count) for count in COUNTS]) == HAND
    assert Hand.from_counts(iter(COUNTS)) == HAND


@pytest.mark.parametrize("wrong", [None, 7, "123m", [], np.zeros((2, 2)), int], ids=repr)
def test_non_hands_are_refused(wrong: Any) -> None:
    for name in (
        *("deficiency", "is_win", "decompositions", "useful_tiles", "discards", "targets"),
        *("candidates", "solve", "certify", "expected_draws", "rank_discards"),
    ):
        refused(lambda name=name: getattr(mjopt, name)(wrong), "hand")  # type: ignore[misc]
    refused(lambda: mjopt.judge_calls(wrong, "1m"), "hand")
    refused(lambda: list(mjopt.expected_draws_many([wrong])), "hands row 0: ")


@pytest.mark.parametrize("wrong", [7, "", "x", ["x"], 1.5, True, np.zeros((2, 2))], ids=repr)
def test_unknown_names_are_refused(wrong: Any) -> None:
    refused(lambda: mjopt.deficiency(HAND, model=wrong), "model")
    refused(lambda: mjopt.deficiency(HAND, solver=wrong), "solver")
    refused(lambda: mjopt.deficiency(HAND, options=wrong), "options")
    refused(lambda: mjopt.certify(HAND, options=wrong), "options")
    refused(lambda: mjopt.deficiency(HAND, forms=wrong), "form")
    refused(lambda: Hand.parse("11m", called=4, notation=wrong), "notation")
    refused(lambda: Hand.parse("11m", called=4, tiles=wrong), "tiles")
    refused(lambda: mjopt.census(wrong), "tiles")


@pytest.mark.parametrize("wrong", [0, -1, 10**30, 1.5, float("nan"), True, "2", None, []], ids=repr)
def test_numbers_out_of_bounds_are_refused(wrong: Any) -> None:
    refused(lambda: SolveOptions(threads=wrong), "threads", "expected 1..100")
    if wrong not in (10**30, None):  # capped by the amount of work; None: one for each core
        refused(lambda: mjopt.label([COUNTS], threads=wrong), "threads", "expected 1 or more")
    if wrong is not None:  # None: as many as a complete hand has
        refused(lambda: mjopt.census(size=wrong), "13 or 14")
    if wrong != 0:
        refused(lambda: SolveOptions(seed=wrong), "seed", "expected 0..2147483647")
        refused(lambda: Hand.parse("11m", called=wrong or "x"), "called", "0..4")
    if wrong is not None and wrong not in (1.5, 10**30):
        refused(lambda: SolveOptions(time_limit=wrong), "time_limit")
    refused(lambda: SolveOptions(time_limit=float("inf")), "time_limit")
    refused(lambda: SolveOptions(threads=101), "threads", "101")


def test_non_boolean_flags_are_refused() -> None:
    wrong: Any = "no"
    refused(lambda: Hand.parse("11m", called=4, partial=wrong), "partial", "expected a bool")
    refused(lambda: mjopt.label([COUNTS], partial=wrong), "partial", "expected a bool")
    refused(lambda: mjopt.discards(HAND, improving=wrong), "improving", "expected a bool")
