"""The candidate set S in both orders, repair, and the fitness of Eq. 8."""

import random

import numpy as np
import pytest
from helpers.made_hands import EMPTY, ONE_ELEMENT, awkward_hands, random_hand
from helpers.support import hands
from hypothesis import given, settings
from hypothesis import strategies as st

from mjopt import FULL, Hand, candidates
from mjopt.errors import ArgumentError, HandError
from mjopt.hands.blocks import Shape, usage
from mjopt.heuristics import Encoding, evaluate, make_feasible
from mjopt.heuristics._candidates import (
    FIELD,
    FIELDS,
    HELD,
    NUM_ELEMENTS,
    PAIRS,
    POSITIONS,
    WEIGHT,
    Problem,
    judge,
    list_elements,
    new_problem,
)
from mjopt.heuristics.encoding import ORDERS
from mjopt.heuristics.population import chow_starts
from mjopt.heuristics.repair import REPAIRS, removals, rule_code

RNG = np.random.default_rng(0)
SPECIAL_CASES = [Hand.parse(text) for text in ("1111234567m23p19s", "11112222m345678p")]


def problem_of(
    hand: Hand, *, order: str = "by-kind", rule: str = "pmelds-first", **special: bool
) -> Problem:
    problem = new_problem(
        called=hand.called,
        by_tile=order == "by-tile",
        rule=rule_code(rule),
        **{"special_case_1": True, "special_case_2": True, **special},
    )
    list_elements(np.array(hand.counts, np.uint8), chow_starts(hand.tiles), problem)
    return problem


def read_word(word: int, held: list[int]) -> tuple[int, ...]:
    """Return the kinds encoded by a word of the kernels."""
    fields = word & FIELDS
    return tuple(kind for i, kind in enumerate(held) for _ in range(int(fields) >> FIELD * i & 15))


@settings(max_examples=150)
@given(hand=hands(), order=st.sampled_from(ORDERS))
def test_kernels_list_the_same_elements(hand: Hand, order: str) -> None:
    encoding, problem = Encoding(hand, order), problem_of(hand, order=order)
    held = [kind for kind, number in enumerate(hand.counts) if number]
    assert problem[NUM_ELEMENTS] == encoding.num_elements
    assert problem[POSITIONS] == encoding.num_positions == 5 - hand.called
    assert usage_of(int(problem[HELD]), held) == {k: hand.counts[k] for k in held}
    for e, block in enumerate(encoding.elements, start=1):
        assert read_word(int(problem[e]), held) == block.kinds
        assert (int(problem[e]) >> WEIGHT & 15) == 1 + block.is_meld
        assert (problem[PAIRS + e] > 0) == (block.shape is Shape.EYE)


def usage_of(word: int, held: list[int]) -> dict[int, int]:
    return {kind: word >> FIELD * i & 15 for i, kind in enumerate(held)}


def test_candidate_orders() -> None:
    hand = Hand.parse("B1B2B3B3B3B8B8B8C4C5C6D6D7D8", notation="paper")
    by_kind, by_tile = (Encoding(hand, order).elements for order in ORDERS)
    assert by_kind == candidates(hand)
    assert sorted(by_tile) == sorted(by_kind)
    assert " ".join(block.text(hand.tiles) for block in by_tile) == (
        "45m 46m 456m 56m 66p 67p 68p 678p 78p "  # cases 1 to 5, tile by tile
        "12s 13s 123s 23s 33s 333s 88s 888s"
    ).replace("66p ", "")


def test_empty_and_single_sets() -> None:
    assert Encoding(EMPTY).elements == ()
    assert [block.text(FULL) for block in Encoding(ONE_ELEMENT).elements] == ["11z"]


def test_unknown_names_are_refused() -> None:
    with pytest.raises(ArgumentError, match="order 'by-luck', expected one of by-kind, by-tile"):
        Encoding(EMPTY, "by-luck")
    with pytest.raises(ArgumentError, match="repair 'none', expected one of pmelds-first, "):
        rule_code("none")


@settings(max_examples=150)
@given(hand=hands(), rule=st.sampled_from(list(REPAIRS)), data=st.data())
def test_repair_removes_only_what_is_needed(hand: Hand, rule: str, data: st.DataObject) -> None:
    """Replay the removals: each was necessary at its time and the choice of the rule."""
    encoding = Encoding(hand)
    elements = st.integers(0, encoding.num_elements)
    before = data.draw(st.tuples(*[elements] * encoding.num_positions))
    prefer, place = REPAIRS[rule]
    now = list(before)
    for kind, position in removals(before, encoding, rule=rule, rng=np.random.default_rng(1)):
        blocks = {j: encoding.elements[e - 1] for j, e in enumerate(now) if e}
        used = usage(list(blocks.values()), hand.tiles.num_kinds)
        assert used[kind] > hand.counts[kind]  # needed
        assert all(u <= c for u, c in zip(used[:kind], hand.counts, strict=False))
        having = [j for j, block in blocks.items() if kind in block.kinds]
        liked = [j for j in having if blocks[j].is_meld == (prefer == "melds")]
        choices = having if prefer == "any" or not liked else liked
        allowed = {"first": choices[:1], "last": choices[-1:], "random": choices}[place]
        assert position in allowed
        now[position] = 0
    encoding.decode(now)  # feasible, or HandError
    after = make_feasible(before, encoding, rule=rule, rng=np.random.default_rng(1))
    assert after == tuple(now)


@pytest.mark.parametrize(
    ("rule", "kept"),
    [
        ("pmelds-first", "-- 123 --"),
        ("melds-first", "-- --- 33"),
        ("first-position", "-- --- 33"),
        ("last-position", "13 --- --"),
    ],
)
def test_repair_by_hand(rule: str, kept: str) -> None:
    """Repair 13m, 123m and 33m for a hand with one 1m and two 3m."""
    hand = Hand.parse("12335m", partial=True)
    encoding = Encoding(hand)
    names = [block.text(hand.tiles)[:-1] for block in encoding.elements]
    chosen = [names.index(name) + 1 for name in ("13", "123", "33")]
    left = make_feasible(chosen, encoding, rule=rule, rng=np.random.default_rng(1))
    texts = [
        names[e - 1] if e else "-" * len(names[c - 1]) for e, c in zip(left, chosen, strict=True)
    ]
    assert " ".join(texts) == kept


def test_random_repair_chooses_uniformly() -> None:
    encoding = Encoding(Hand.parse("123m", partial=True))
    rng = np.random.default_rng(1)
    whole = encoding.num_elements  # 123m
    left = [make_feasible([whole] * 5, encoding, rule="random", rng=rng) for _ in range(400)]
    places = [[bool(x) for x in kept].index(True) for kept in left]
    assert all(sum(map(bool, kept)) == 1 for kept in left)
    # Expected 80 each, within six standard deviations.
    assert all(50 < places.count(j) < 110 for j in range(5))


@pytest.mark.parametrize("rule", [rule for rule in REPAIRS if not rule.endswith("random")])
def test_kernel_repair_and_fitness_equal_python(rule: str) -> None:
    rng = random.Random(1)
    for hand in [*awkward_hands(), *SPECIAL_CASES, *(random_hand(rng) for _ in range(60))]:
        special = {"special_case_1": rng.random() < 0.5, "special_case_2": rng.random() < 0.5}
        encoding, problem = Encoding(hand), problem_of(hand, rule=rule, **special)
        for _ in range(30):
            chosen = [rng.randint(0, encoding.num_elements) for _ in range(encoding.num_positions)]
            row = np.array((chosen + [0] * 5)[:5], np.int64)
            cost = judge(row, problem, RNG)
            kept = make_feasible(chosen, encoding, rule=rule, rng=np.random.default_rng(1))
            assert tuple(row.tolist()[: len(chosen)]) == kept
            assert cost == evaluate(kept, encoding, **special)


@pytest.mark.parametrize(
    ("text", "pieces", "option"),
    [
        ("1111234567m23p19s", "11m 11m 234m 567m 23p", "special_case_1"),
        ("11112222m345678p", "111m 222m 345p 678p", "special_case_2"),
    ],
)
def test_each_special_case_adds_one_in_kernels(text: str, pieces: str, option: str) -> None:
    hand = Hand.parse(text)
    names = [block.text(hand.tiles) for block in Encoding(hand).elements]
    chosen = np.array([*(names.index(name) + 1 for name in pieces.split()), 0][:5], np.int64)
    with_case, without = (
        judge(chosen, problem_of(hand, **{option: on}), RNG) for on in (True, False)
    )
    assert with_case == without + 1


def test_evaluate_refuses_infeasible_predecompositions() -> None:
    encoding = Encoding(Hand.parse("123m", partial=True))
    with pytest.raises(HandError, match="pieces use 2 of 1m, the hand holds 1"):
        evaluate([encoding.num_elements] * 2, encoding)
