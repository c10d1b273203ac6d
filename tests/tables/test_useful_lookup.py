"""Table look-ups of single hands against the network and the kernels."""

import random
from collections import Counter

import numpy as np
import pytest
from helpers.support import AWKWARD, deal, hands, limits
from hypothesis import given, settings
from hypothesis import strategies as st

from mjopt import FULL, M0, SANMA, UNREACHABLE, Hand, discards, useful_tiles
from mjopt._internal.jit import compile_always
from mjopt.analysis.discard import after_discards
from mjopt.analysis.nearest_batch import nearest_kinds
from mjopt.analysis.useful_tiles import helpful_copies, useful_of
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.classic_forms import SEVEN_PAIRS, STANDARD, THIRTEEN_ORPHANS
from mjopt.hands.rules.winning_form import templates_of
from mjopt.hands.tiles import COPIES
from mjopt.tables.bundles.bundle import NO_HAND
from mjopt.tables.bundles.rule_tables import SPARE
from mjopt.tables.lookup import lookup_for
from mjopt.tables.suits.state_index import MOST_TILES
from mjopt.tables.suits.template_cost import least_missing
from mjopt.tables.useful import judge_discards, judge_waits

FORMS = [(STANDARD,), (SEVEN_PAIRS,), (STANDARD, SEVEN_PAIRS)]
seen: Counter[bool] = Counter()


def by_network(hand: Hand, unseen: tuple[int, ...]) -> tuple[int, tuple[tuple[int, int], ...]]:
    [(value, kinds)] = nearest_kinds([hand.counts], [unseen], hand.tiles, hand.called)
    return value, tuple((kind, unseen[kind]) for kind in kinds)


def check(hand: Hand, unseen: tuple[int, ...]) -> None:
    """Check that the answers, by tables or the network, equal those of the network."""
    forms = HandQuery(hand).forms
    seen[by_network(hand, hand.unseen)[0] != by_network(hand, unseen)[0]] += 1
    assert helpful_copies([hand], [unseen], forms) == [by_network(hand, unseen)], hand
    [found] = useful_of([hand], [unseen], forms)
    assert (found.deficiency, found.copies) == by_network(hand, unseen)
    assert found.shape == by_network(hand, hand.unseen)[0]


@given(st.data())
@settings(max_examples=150)
def test_answers_match_the_network(data: st.DataObject) -> None:
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
    assert (thrown.deficiency, thrown.after.copies) == (1, ((3, 4), (22, 2)))


def test_answers_after_each_discard() -> None:
    """The network answers for few hands, though a copy is gone: mostly after four of a kind."""
    rng = random.Random(3)
    dealt = [deal(rng, M0, size=14, num_kinds=rng.choice([5, 7, 9, None])) for _ in range(40)]
    asked = Counter[str]()
    for hand in [*dealt, Hand.parse("12223m77888899p1s")]:
        lookup = lookup_for(HandQuery(hand).forms)
        rest = after_discards(hand)
        waits = lookup.useful(hand.counts, 0)
        assert waits[-1][0] == lookup.one(bytes(hand.counts), 0)
        by_table = [
            (value, tuple((kind, hand.unseen[kind]) for kind in kinds))
            for value, kinds in waits[:-1]
        ]
        found = [by_network(one, hand.unseen) for one in rest.values()]
        judged = discards(hand)
        assert {row.kind: (row.deficiency, row.after.copies) for row in judged} == dict(
            zip(rest, found, strict=True)
        )
        for kind, one, other in zip(rest, by_table, found, strict=True):
            asked["another" if one != other else "same"] += 1
            assert one == other or hand.counts[kind] >= 3
    assert asked["same"] > 100 * asked["another"] > 0


@given(st.data())
@settings(max_examples=100)
def test_more_copies_of_a_kind(data: st.DataObject) -> None:
    """The tables count tiles beyond a hand, as far as they go; the program counts any number."""
    hand = data.draw(hands())
    forms = HandQuery(hand).forms
    kind = data.draw(st.sampled_from([k for k, held in enumerate(hand.counts) if held < COPIES]))
    more = data.draw(st.integers(1, COPIES - hand.counts[kind]))
    after = tuple(held + more * (k == kind) for k, held in enumerate(hand.counts))
    left = tuple(COPIES - held for held in after)
    value = lookup_for(forms).with_more(hand.counts, hand.called, kind, more)
    halves = [sum(after[:18]), sum(after[18:])]
    if max(halves) > MOST_TILES + SPARE and hand.tiles is not SANMA:
        assert value == NO_HAND
    if value != NO_HAND:
        templates = templates_of(forms)
        assert value == least_missing(templates, hand.tiles, after, left, hand.called)
    else:
        assert sum(after) > MOST_TILES + SPARE


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


def test_copies_that_suffice_leave_an_answer_as_it_is() -> None:
    """The hand waits for one 5s: two or three copies of it may be gone, but not all."""
    hand = Hand.parse("123456789m123p5s")
    for left in (3, 2, 1, 0):
        unseen = [left if kind == 22 else copies for kind, copies in enumerate(hand.unseen)]
        found = useful_tiles(hand, unseen=unseen)
        assert (found.deficiency, found.copies) == (
            (1, ((22, left),)) if left else (2, found.copies)
        )
        assert found.is_dead_wait == (not left)
