"""The look-ups of one hand against the network, and against the kernels."""

import random
from collections import Counter

import numpy as np
import pytest
from helpers.support import AWKWARD, deal, hands, limits
from hypothesis import given, settings
from hypothesis import strategies as st

from mjopt import FULL, M0, UNREACHABLE, Hand, discards, useful_tiles
from mjopt._internal.jit import compile_always
from mjopt.analysis.discard import after_discards
from mjopt.analysis.nearest_batch import nearest_kinds
from mjopt.analysis.useful_tiles import useful_of
from mjopt.hands.query import HandQuery
from mjopt.hands.winning_forms import SEVEN_PAIRS, STANDARD, THIRTEEN_ORPHANS
from mjopt.tables.useful import judge_discards, judge_waits
from mjopt.tables.useful_lookup import find_wait, find_waits_after

FORMS = [(STANDARD,), (SEVEN_PAIRS,), (STANDARD, SEVEN_PAIRS)]
seen: Counter[bool] = Counter()


def check(hand: Hand, unseen: tuple[int, ...]) -> None:
    """A hand before its draw: what the tables are sure of is what the network finds."""
    least, kinds, is_true = find_wait(hand.counts, unseen, hand.called)
    [(every, drawn)] = nearest_kinds([hand.counts], [hand.unseen], hand.tiles, hand.called)
    [(value, found)] = nearest_kinds([hand.counts], [unseen], hand.tiles, hand.called)
    seen[is_true] += 1
    assert every == least or hand.melds
    if is_true:
        assert (least, kinds) == (value, found)
        assert hand.melds or drawn == kinds


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_what_the_tables_are_sure_of(data: st.DataObject) -> None:
    hand = data.draw(hands())
    for one in after_discards(hand).values() if hand.is_full else [hand]:
        check(one, HandQuery(one, unseen=data.draw(limits(hand))).unseen)
        if hand.is_full:
            check(one, hand.unseen)


def test_awkward_hands_with_every_copy_and_with_fewer() -> None:
    for known in AWKWARD:
        waiting = [known.hand]
        if known.hand.is_full:
            waiting = list(after_discards(known.hand).values())
        for one in waiting:
            check(one, known.hand.unseen)
            check(one, tuple(min(copies, 1) for copies in known.hand.unseen))
    assert seen[True] > 0
    assert seen[False] > 0


def test_nobody_waits_for_the_copy_that_was_thrown() -> None:
    """With 111m23m a fourth 1m would do, if it were not on the table."""
    hand = Hand.parse("111123m456789p55s")
    [thrown] = [row for row in discards(hand) if row.kind == 0]
    assert not find_wait(thrown.after.hand.counts, hand.unseen)[2]
    assert (thrown.deficiency, thrown.after.copies) == (1, ((3, 4), (22, 2)))


def test_what_the_tables_are_sure_of_after_each_discard() -> None:
    """Most are sure though the thrown copy is gone; those that hold four of a kind are not."""
    rng = random.Random(3)
    dealt = [deal(rng, M0, size=14, num_kinds=rng.choice([5, 7, 9, None])) for _ in range(40)]
    for hand in [*dealt, Hand.parse("12223m77888899p1s")]:
        waits = find_waits_after(hand.counts, hand.unseen)
        sure = {kind: wait[:2] for kind, wait in waits.items() if wait[2]}
        rest = after_discards(hand)
        after = [rest[kind].counts for kind in sure]
        found = nearest_kinds(after, [hand.unseen] * len(after), M0, 0)
        assert list(sure.values()) == found, hand
        assert all(hand.counts[kind] >= 3 for kind in waits.keys() - sure)


def test_what_a_hand_waits_for_is_gone() -> None:
    gone = useful_tiles(Hand.parse("1112345678999m"), unseen=[0] * 27)
    assert (gone.deficiency, gone.shape, gone.copies) == (UNREACHABLE, 1, ())


def test_called_melds_that_are_known() -> None:
    hand = Hand.parse("222m55p", tiles=FULL, melds=["234m", "444s", "789p"])
    one = after_discards(hand)[1]
    [found] = useful_of([one], [one.unseen])
    assert (found.deficiency, dict(found.copies)) == (1, {1: 1, 13: 2})


@given(st.data())
@settings(max_examples=25, deadline=None)
def test_discards_and_waits_judged_both_ways(data: st.DataObject) -> None:
    hand = data.draw(hands())
    forms = data.draw(st.sampled_from([*FORMS, (STANDARD, SEVEN_PAIRS, THIRTEEN_ORPHANS)]))
    forms = tuple(f for f in forms if f != THIRTEEN_ORPHANS or hand.tiles is FULL)
    if hand.num_tiles < 13 - 3 * hand.called:
        return
    unseen = HandQuery(hand, unseen=data.draw(limits(hand))).unseen
    judge = judge_discards if hand.is_full else judge_waits
    compiled = judge(hand.counts, unseen, called=hand.called, forms=forms)
    with compile_always(False):
        plain = judge(hand.counts, unseen, called=hand.called, forms=forms)
    for one, other in zip(plain, compiled, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("plainly", [True, False], ids=["plain", "compiled"])
def test_what_is_no_hand_is_told_alike(plainly: bool) -> None:
    counts = [[5] + [0] * 25 + [9], [1] * 27]
    with compile_always(not plainly), pytest.raises(Exception, match="row 0: more than 4 copies"):
        judge_discards(counts, np.zeros_like(counts))
    with (
        compile_always(not plainly),
        pytest.raises(Exception, match="row 0: 27 tiles, expected 14"),
    ):
        judge_discards(counts[1:], np.zeros_like(counts[1:]))
