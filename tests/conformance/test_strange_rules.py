"""Twenty strange files of rules: every door against a recursion that reads the file alone."""

from itertools import islice

import numpy as np
import pytest
from helpers.strange_rules import NAMES, Case, deal_called, deal_cases, strange_rules
from reference_implementations.rule_file import NEVER, deficiencies

from mjopt import (
    UNREACHABLE,
    Hand,
    certify,
    deficiency,
    discards,
    discards_many,
    get_rules,
    is_win,
    label,
    targets,
    useful_tiles,
    useful_tiles_many,
)
from mjopt._internal.jit import compile_always
from mjopt.hands.blocks import Block, Shape
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.models import brute_force
from mjopt.tables.labels.rule_labels import FEW

FEW_HANDS = 20
MANY_HANDS = 1000


def said(values: np.ndarray) -> list[int]:
    """Return deficiencies of the reference as mjopt says them."""
    return np.where(values >= NEVER, UNREACHABLE, values).tolist()


def hand_of(rules: RuleSet, counts: np.ndarray, called: int) -> Hand:
    return Hand.from_counts(counts.tolist(), rules=rules, called=called)


def check_one(rules: RuleSet, case: Case, step: int) -> int:
    """Compare the answers about one hand, discards of each step-th; return how many."""
    for counts, value in zip(case.full, said(case.deficiency), strict=True):
        hand = hand_of(rules, counts, case.called)
        assert deficiency(hand) == value, hand
        assert is_win(hand) == (value == 0), hand
    before = case.before
    for row, value in enumerate(said(before.deficiency)):
        hand = hand_of(rules, before.rows[row], case.called)
        found = useful_tiles(hand)
        assert deficiency(hand) == found.deficiency == value, hand
        assert [*found.kinds] == np.flatnonzero(before.useful[row]).tolist(), hand
    number = 2 * len(case.full) + before.useful.size + len(before.rows)
    for row, counts in enumerate(case.full[::step]):
        hand = hand_of(rules, counts, case.called)
        judged = {each.kind: each.after for each in discards(hand)}
        some = np.flatnonzero(case.row == row * step)
        assert sorted(judged) == case.kind[some].tolist()
        for place, value in zip(some, said(case.thrown.deficiency[some]), strict=True):
            after = judged[case.kind[place]]
            assert after.deficiency == value, hand
            assert [*after.kinds] == np.flatnonzero(case.thrown.useful[place]).tolist(), hand
        number += len(some) * (1 + case.full.shape[1])
    return number


def check_labels(rules: RuleSet, case: Case, repeat: int) -> int:
    """Compare the labels of hands, each given several times; return how many."""
    options = {"rules": rules, "called": case.called}
    before = case.before
    for counts, values in ((case.full, case.deficiency), (before.rows, before.deficiency)):
        rows = np.concatenate([counts.astype(np.uint8)] * repeat)
        assert label(rows, **options).tolist() == said(values) * repeat
    return 2 * len(rows)


def check_many(rules: RuleSet, case: Case) -> int:
    """Compare the useful tiles and the discards of many hands; return how many answers."""
    options = {"rules": rules, "called": case.called}
    useful = useful_tiles_many(case.before.rows.astype(np.uint8), **options)
    assert useful.deficiency.tolist() == said(case.before.deficiency)
    assert np.array_equal(useful.useful, case.before.useful)
    assert np.array_equal(useful.num_copies, case.before.num_copies)
    thrown = discards_many(case.full.astype(np.uint8), **options)
    expected = np.full((2, *case.full.shape), UNREACHABLE)
    expected[1] = -1
    expected[:, case.row, case.kind] = said(case.thrown.deficiency), case.thrown.num_copies
    assert np.array_equal(thrown.deficiency, expected[0])
    assert np.array_equal(thrown.num_copies, expected[1])
    return useful.useful.size + 2 * len(useful) + 2 * len(case.row)


@pytest.mark.parametrize("name", NAMES)
def test_one_hand_equals_the_recursion(name: str) -> None:
    rules = get_rules(strange_rules(name)[0])
    with compile_always(False):
        for case in deal_cases(name, FEW_HANDS):
            check_one(rules, case, 12)


@pytest.mark.parametrize("name", NAMES)
def test_rows_equal_the_recursion(name: str) -> None:
    rules = get_rules(strange_rules(name)[0])
    with compile_always(False):
        for case in deal_cases(name, FEW_HANDS):
            check_labels(rules, case, 1)
            check_many(rules, case)


@pytest.mark.parametrize("name", NAMES)
def test_limited_unseen_tiles_equal_the_recursion(name: str) -> None:
    path, reference = strange_rules(name)
    rules, rng = get_rules(path), np.random.default_rng(5)
    for case in deal_cases(name, FEW_HANDS):
        rows, called = case.full[:5], case.called
        unseen = np.minimum(rng.integers(0, 4, rows.shape), 4 - rows)
        values = said(deficiencies(reference, rows, unseen, called))
        with compile_always(False):
            assert label(rows, unseen=unseen, rules=rules, called=called).tolist() == values
        for counts, left, value in zip(rows, unseen.tolist(), values, strict=True):
            assert deficiency(hand_of(rules, counts, called), unseen=left) == value


@pytest.mark.parametrize("name", NAMES)
def test_named_called_melds_equal_the_recursion(name: str) -> None:
    path, reference = strange_rules(name)
    rules, rng = get_rules(path), np.random.default_rng(6)
    for melds, counts, left in deal_called(reference, 8, rng):
        value = deficiencies(reference, counts[None], left[None], len(melds), melds)
        at = [[reference.kinds.index(kind) for kind in meld] for meld in melds]
        blocks = [
            Block(tuple(kinds), Shape.PONG if len({*kinds}) == 1 else Shape.CHOW) for kinds in at
        ]
        hand = Hand.from_counts(counts.tolist(), melds=blocks, rules=rules)
        assert [deficiency(hand)] == said(value), hand


@pytest.mark.parametrize("name", NAMES)
def test_targets_and_certificates_agree_with_the_recursion(name: str) -> None:
    path, reference = strange_rules(name)
    rules = get_rules(path)
    for case in deal_cases(name, FEW_HANDS):
        for counts, value in zip(case.full[:2], said(case.deficiency[:2]), strict=True):
            hand = hand_of(rules, counts, case.called)
            certificate = certify(hand)
            assert (certificate.deficiency, certificate.certified) == (value, True)
            nearest = np.array([*islice(targets(hand), 10)])
            assert (np.maximum(nearest - counts, 0).sum(axis=1) == value).all()
            assert not deficiencies(reference, nearest, None, case.called).any()


@pytest.mark.parametrize("name", NAMES)
def test_thousand_hands_equal_the_recursion(name: str) -> None:
    rules = get_rules(strange_rules(name)[0])
    with compile_always(False):
        for case in deal_cases(name, MANY_HANDS):
            check_one(rules, case, 20)
            check_labels(rules, case, 1)
            check_labels(rules, case, -(-FEW // len(case.full)))
            check_many(rules, case)


@pytest.mark.parametrize("name", NAMES)
def test_brute_force_equals_the_recursion(name: str) -> None:
    rules = get_rules(strange_rules(name)[0])
    for case in deal_cases(name, FEW_HANDS):
        for counts, value in zip(case.full, said(case.deficiency), strict=True):
            hand = hand_of(rules, counts, case.called)
            assert brute_force.deficiency(hand) == value, hand
