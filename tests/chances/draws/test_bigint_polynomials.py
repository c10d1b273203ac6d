"""Counts of draws in Python integers equal those of the kernels modulo primes."""

from math import inf

import numpy as np
import pytest
from helpers.support import AWKWARD, hands, limits
from hypothesis import given, settings
from hypothesis import strategies as st

from mjopt import FULL, M0, Hand
from mjopt._internal.jit import compile_always
from mjopt.analysis.discard import after_discards
from mjopt.chances.draws._kernels import joint_kernel
from mjopt.chances.draws.incomplete_counts import Setting, incomplete_means, incomplete_ways
from mjopt.hands.query import HandQuery
from mjopt.hands.winning_forms import SEVEN_PAIRS, STANDARD, THIRTEEN_ORPHANS

FORMS = [(STANDARD,), (SEVEN_PAIRS,), (STANDARD, SEVEN_PAIRS, THIRTEEN_ORPHANS)]


def check(hand: Hand, unseen: tuple[int, ...] | None, forms: tuple[str, ...]) -> None:
    kept = tuple(f for f in forms if f != THIRTEEN_ORPHANS or hand.tiles is FULL)
    query = HandQuery(hand, kept, unseen)
    others = tuple(after.counts for after in after_discards(hand).values())
    setting = Setting(query, others if hand.is_full else ())
    ways, means = incomplete_ways(setting), incomplete_means(setting)
    with compile_always(False):
        assert incomplete_ways(setting) == ways
        np.testing.assert_allclose(incomplete_means(setting), means, rtol=1e-12)


@given(st.data())
@settings(max_examples=25)
def test_integers_and_kernels_count_the_same(data: st.DataObject) -> None:
    hand = data.draw(hands())
    check(hand, data.draw(limits(hand)), data.draw(st.sampled_from(FORMS)))


@pytest.mark.parametrize("forms", FORMS, ids=len)
def test_awkward_hands_count_the_same(forms: tuple[str, ...]) -> None:
    for known in AWKWARD:
        check(known.hand, None, forms)


def test_empty_wall_and_complete_hand() -> None:
    check(Hand.parse("123m456m789m1239p"), (0,) * 27, (STANDARD,))
    check(Hand.parse("123m456m789m12399p"), None, (STANDARD,))
    check(Hand.from_counts([0] * 27, tiles=M0, partial=True), None, (STANDARD,))
    setting = Setting(HandQuery(Hand.parse("123m456m789m1239p"), unseen=[0] * 27))
    with compile_always(False):
        assert incomplete_ways(setting) == [[1]]
        assert incomplete_means(setting).tolist() == [inf]


def test_sums_of_many_products_do_not_overflow() -> None:
    """Modulo p, each of 100 products (p - 1)**2 is 1, and 65 exceed 64 bits; -1 is the factor."""
    prime, classes = 2**29 - 3, 100
    suits = np.zeros((2, classes, 1), np.int64)
    suits[:, 0] = prime - 1
    joins = np.zeros((classes, classes), np.int32)
    table, back = np.ones((1, 1, 1), np.uint32), np.full((1, 1), prime - 1, np.uint32)
    for array in (joins, table, back):  # as in other calls, so that one compilation serves both
        array.setflags(write=False)
    out = np.zeros((1, 1), np.uint64)
    joint_kernel(
        suits,
        np.full((1, classes, 1), prime - 1),
        np.array([1], np.int32),
        joins,
        table,
        back,
        np.uint64(prime),
        np.zeros((10, classes, 1), np.uint32),
        np.zeros((9, classes), np.bool_),
        np.empty((classes + 1, 1), np.uint64),
        np.empty(classes, np.int64),
        out,
    )
    assert out.item() == prime - classes
