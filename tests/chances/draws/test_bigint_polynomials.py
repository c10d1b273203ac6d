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
@settings(max_examples=25, deadline=None)
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
