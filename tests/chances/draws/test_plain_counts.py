"""Counts of draws in Python integers equal those of the kernels modulo primes."""

from math import comb, inf

import numpy as np
import pytest
from helpers.support import AWKWARD, hands, limits
from hypothesis import given, settings
from hypothesis import strategies as st

from mjopt import FULL, M0, Hand
from mjopt._internal.jit import compile_always
from mjopt.analysis.discard import after_discards
from mjopt.chances.draws._joint_kernels import joint_kernel
from mjopt.chances.draws.incomplete_counts import Setting, count_incomplete, incomplete_means
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.classic_forms import SEVEN_PAIRS, STANDARD, THIRTEEN_ORPHANS

FORMS = [(STANDARD,), (SEVEN_PAIRS,), (STANDARD, SEVEN_PAIRS, THIRTEEN_ORPHANS)]


def check(hand: Hand, unseen: tuple[int, ...] | None, forms: tuple[str, ...]) -> None:
    kept = tuple(f for f in forms if f != THIRTEEN_ORPHANS or hand.tiles is FULL)
    query = HandQuery(hand, kept, unseen)
    others = tuple(after.counts for after in after_discards(hand).values()) if hand.is_full else ()
    with compile_always(False):
        ways = count_incomplete(query, others)
    assert count_incomplete(query, others, in_bulk=True) == ways
    size = sum(query.unseen)
    means = [
        sum(n / comb(size, i) for i, n in enumerate(row)) if not row[-1] else inf for row in ways
    ]
    np.testing.assert_allclose(incomplete_means(Setting(query, others)), means, rtol=1e-11)


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
    query = HandQuery(Hand.parse("123m456m789m1239p"), unseen=[0] * 27)
    assert count_incomplete(query) == [[1]]
    assert incomplete_means(Setting(query)).tolist() == [inf]


def test_sums_of_many_products_do_not_overflow() -> None:
    """Modulo p, each of 100 products (p - 1)**2 is 1, and 65 exceed 64 bits."""
    prime, classes, room = 2**29 - 3, 100, 101
    most, starts = np.zeros(3 * classes + 3, np.int64), [0, 1, 2, 102, 202, 302, 303]
    codes = np.zeros((1, 1), np.int32), np.zeros((classes, classes), np.int32)
    table, one = np.ones((1, 1, 1), np.uint32), np.ones((1, 1), np.uint32)
    for array in (table, one):  # as in other calls, so that one compilation serves both
        array.setflags(write=False)
    ways = np.full((len(most), 1), prime - 1)
    ways[[0, 1, -1]] = 1
    out = np.zeros((2, 1), np.uint64)
    joint_kernel(
        ways,
        most,
        np.array(starts),
        np.array([2, 0]),
        (codes[0], codes[0], codes[1], codes[1]),
        (np.zeros((1, 1), np.int8), np.zeros((1, 1), np.int8)),
        table,
        np.ones((1, 1), np.uint32),
        np.ones(1, np.bool_),
        one,
        np.uint64(prime),
        np.zeros((len(most), 1), np.uint32),
        np.zeros(len(most), np.bool_),
        np.zeros((3, room, 1), np.uint32),
        np.zeros((room + 1, 1), np.uint64),
        np.zeros(room, np.int32),
        out,
    )
    assert out.tolist() == [[classes**2]] * 2
