"""Table look-ups of single hands against the network and the kernels."""

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
    """Check that the definite answers of the tables equal those of the network."""
    least, kinds, is_true = find_wait(hand.counts, unseen, hand.called)
    [(every, drawn)] = nearest_kinds([hand.counts], [hand.unseen], hand.tiles, hand.called)
    [(value, found)] = nearest_kinds([hand.counts], [unseen], hand.tiles, hand.called)
    seen[is_true] += 1
    assert every == least or hand.melds
    if is_true:
        assert (least, kinds) == (value, found)
        assert hand.melds or drawn == kinds


@given(st.data())
@settings(max_examples=150)
def test_definite_answers_match_the_network(data: st.DataObject) -> None:
    hand = data.draw(hands())
    for one in after_discards(hand).values() if hand.is_full else [hand]:
        check(one, HandQuery(one, unseen=data.draw(limits(hand))).unseen)
        if hand.is_full:
            check(one, hand.unseen)


def test_awkward_hands_match_the_network() -> None:
    for known in AWKWARD:
        waiting = [known.hand]
        if known.hand.is_full:
            waiting = list(after_discards(known.hand).values())
        for one in waiting:
            check(one, known.hand.unseen)
            check(one, tuple(min(copies, 1) for copies in known.hand.unseen))
    assert seen[True] > 0
    assert seen[False] > 0


def test_discarded_copy_is_not_waited_for() -> None:
    """Hand 111m23m would wait for the fourth 1m if it had not been discarded."""
    hand = Hand.parse("111123m456789p55s")
    [thrown] = [row for row in discards(hand) if row.kind == 0]
    assert not find_wait(thrown.after.hand.counts, hand.unseen)[2]
    assert (thrown.deficiency, thrown.after.copies) == (1, ((3, 4), (22, 2)))


def test_definite_answers_after_each_discard() -> None:
    """Most answers stay definite when a copy is gone, except for four of a kind."""
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


def test_wait_without_unseen_copies_is_dead() -> None:
    gone = useful_tiles(Hand.parse("1112345678999m"), unseen=[0] * 27)
    assert (gone.deficiency, gone.shape, gone.copies) == (UNREACHABLE, 1, ())


def test_known_called_melds_reduce_the_copies() -> None:
    hand = Hand.parse("222m55p", tiles=FULL, melds=["234m", "444s", "789p"])
    one = after_discards(hand)[1]
    [found] = useful_of([one], [one.unseen], HandQuery(one).forms)
    assert (found.deficiency, dict(found.copies)) == (1, {1: 1, 13: 2})


@given(st.data())
@settings(max_examples=25)
def test_lookup_and_kernel_agree(data: st.DataObject) -> None:
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
def test_lookup_and_kernel_give_the_same_error(plainly: bool) -> None:
    counts = [[5] + [0] * 25 + [9], [1] * 27]
    with compile_always(not plainly), pytest.raises(Exception, match="row 0: more than 4 copies"):
        judge_discards(counts, np.zeros_like(counts))
    with (
        compile_always(not plainly),
        pytest.raises(Exception, match="row 0: 27 tiles, expected 14"),
    ):
        judge_discards(counts[1:], np.zeros_like(counts[1:]))


def test_copies_that_suffice_leave_an_answer_definite() -> None:
    """The hand waits for one 5s: two or three copies of it may be gone, but not all."""
    hand = Hand.parse("123456789m123p5s")
    for left in (3, 2, 1, 0):
        unseen = [left if kind == 22 else copies for kind, copies in enumerate(hand.unseen)]
        assert find_wait(hand.counts, unseen) == (1, [22], left > 0)
