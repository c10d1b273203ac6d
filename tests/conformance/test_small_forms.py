"""Winning forms of every kind: all formulations, solvers and brute force agree on small sets."""

import random
from collections import Counter
from itertools import combinations, combinations_with_replacement, product

import pytest
from helpers.small_forms import SMALL_FORMS, deal_hand

from mjopt import SOLVERS, UNREACHABLE, Hand, decompositions, is_win, solve
from mjopt.hands.blocks import Block, Shape, chow, eye, joker_usage, pong, usage
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.rules.template import Template
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.models import brute_force
from mjopt.models.shortest_path import distances
from mjopt.models.solve import Answer
from mjopt.models.solvers.mathopt import root_bound

MODELS = ("completion", "blockwise", "network")
PAIRS = tuple(product(MODELS, SOLVERS))


def has_parts(template: Template, answer: Answer) -> bool:
    """Return whether the blocks of an answer are the parts of a template, counted by shape."""
    number = Counter(block.shape for block in answer.blocks)
    fixed = [block for block in answer.blocks if block.shape is Shape.FIXED]
    allowed = all(
        set(block.kinds) <= set(template.kinds)
        and (template.has_chows if block.shape is Shape.CHOW else template.has_pongs)
        for block in answer.blocks
        if block.is_meld
    )
    melds = template.melds - answer.hand.called
    return (
        allowed
        and usage(fixed, len(template.fixed)) == template.fixed
        and number[Shape.CHOW] + number[Shape.PONG] == melds
        and number[Shape.EYE] == template.eyes + template.doubled + template.pairs
        and number[Shape.SINGLE] == template.distinct - template.doubled
    )


def check(form: WinningForm, answer: Answer, expected: int) -> None:
    """Compare an answer with the value by brute force, and its target with the value."""
    where = f"{answer.hand!r} {answer.hand.melds} {answer.unseen} {answer.model} {answer.solver}"
    assert answer.value == expected, where
    assert answer.is_optimal, where
    if expected == UNREACHABLE:
        assert answer.blocks == ()
        return
    template = form.templates[0]
    left = HandQuery.of_checked(answer.hand, (form,)).templates(form)
    assert any(has_parts(template, answer) for template in left), where
    used = usage(answer.blocks, form.tiles.num_kinds)
    stand_in = joker_usage(answer.blocks, form.tiles.num_kinds)
    assert answer.target == used
    assert max(used) <= (8 if template.has_fifth else 4), where
    assert all(u >= j for u, j in zip(used, stand_in, strict=True))
    assert sum(answer.draws) == expected, where
    assert all(d <= u for d, u in zip(answer.draws, answer.unseen, strict=True)), where


def compare(name: str, number: int) -> None:
    """Compare random hands, each under the next formulation and solver."""
    form = SMALL_FORMS[name]
    rng = random.Random(name)
    for case in range(number):
        hand, unseen = deal_hand(rng, form)
        expected = brute_force.deficiency(hand, unseen=unseen, forms=(form,))
        query = HandQuery(hand, form, unseen, general=True)
        assert distances(query) == {form: expected}
        model, solver = PAIRS[case % len(PAIRS)]
        check(form, solve(hand, model=model, solver=solver, unseen=unseen), expected)


@pytest.mark.parametrize("name", SMALL_FORMS)
def test_formulations_agree_with_brute_force(name: str) -> None:
    compare(name, len(PAIRS))


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL_FORMS)
def test_many_hands(name: str) -> None:
    compare(name, 5000)
    compare_wins(name, 100)


@pytest.mark.parametrize("name", SMALL_FORMS)
def test_relaxation_of_the_network_is_tight(name: str) -> None:
    from mjopt.models.registry import get_formulation

    form, rng = SMALL_FORMS[name], random.Random(name)
    for _ in range(5):
        hand, unseen = deal_hand(rng, form)
        query = HandQuery(hand, form, unseen, general=True)
        bound = root_bound(get_formulation("network").write_form(query, form))
        value = distances(query)[form]
        assert bound == pytest.approx(value) or (value == UNREACHABLE and bound == float("inf"))


def complete_hand(rng: random.Random, form: WinningForm, *, exchange: bool) -> Hand:
    """Return a complete hand near a random one, perhaps with one tile exchanged."""
    while True:
        hand, _ = deal_hand(rng, form)
        answer = solve(hand, model="blockwise", solver="highs")
        if answer.value != UNREACHABLE:
            break
    counts = [h + d for h, d in zip(hand.counts, answer.draws, strict=True)]
    counts = [c - d for c, d in zip(counts, answer.discards, strict=True)]
    if exchange and any(counts):
        given = rng.choice([kind for kind, copies in enumerate(counts) if copies])
        taken = rng.choice([kind for kind, copies in enumerate(counts) if copies < 4])
        counts[given] -= 1
        counts[taken] += 1
    if any(c + s > 4 for c, s in zip(counts, hand.shown, strict=True)):
        return hand
    return Hand.from_counts(
        counts, tiles=hand.tiles, called=hand.called, melds=hand.melds, rules=RuleSet.of_form(form)
    )


def splits(hand: Hand, template: Template) -> set[tuple[Block, ...]]:
    """Return the decompositions of a hand by trying every choice of blocks."""
    kinds = range(hand.tiles.num_kinds)
    melds = [pong(k) for k in template.kinds if template.has_pongs]
    melds += [
        chow(k)
        for k in hand.tiles.chow_starts
        if template.has_chows and {k, k + 1, k + 2} <= set(template.kinds)
    ]
    eyes = [eye(kind) for kind in template.kinds]
    some = combinations_with_replacement if template.has_equal_pairs else combinations
    fixed = tuple(Block((k,) * template.fixed[k], Shape.FIXED) for k in kinds if template.fixed[k])
    found: set[tuple[Block, ...]] = set()
    if template.melds < hand.called or not all(map(template.allows, hand.melds)):
        return set()
    for group in combinations_with_replacement(melds, template.melds - hand.called):
        if any(u > c for u, c in zip(usage(group, len(kinds)), hand.counts, strict=True)):
            continue
        for pair, pairs in product(
            combinations_with_replacement(eyes, template.eyes), some(eyes, template.pairs)
        ):
            used = usage((*group, *pair, *pairs, *fixed), len(kinds))
            left = [c - u for c, u in zip(hand.counts, used, strict=True)]
            # What is left must be the distinct kinds, each once or twice.
            if (
                min(left) < 0
                or max(left) > 2
                or any(left[k] for k in kinds if k not in template.of)
            ):
                continue
            if sum(map(bool, left)) == template.distinct and left.count(2) == template.doubled:
                rest = [Block((k,) * left[k], Shape.SINGLE) for k in kinds if left[k] == 1]
                rest += [eye(k) for k in kinds if left[k] == 2]
                found.add(tuple(sorted((*group, *pair, *pairs, *fixed, *rest))))
    return found


def compare_wins(name: str, number: int) -> int:
    """Compare wins and decompositions of hands that are complete or nearly so."""
    form, rng, wins = SMALL_FORMS[name], random.Random(name), 0
    for case in range(number):
        hand = complete_hand(rng, form, exchange=case % 3 == 2)
        solver = tuple(SOLVERS)[case % len(SOLVERS)]
        expected = hand.is_full and brute_force.deficiency(hand, forms=(form,)) == 0
        assert is_win(hand, solver=solver) == expected == is_win(hand), repr(hand)
        wins += expected
        if any(hand.counts[kind] for kind in RuleSet.of_form(form).jokers):
            continue
        ways = set().union(*(splits(hand, template) for template in form.templates))
        assert decompositions(hand, solver=solver) == sorted(ways), repr(hand)
        assert bool(ways) == expected
    return wins


@pytest.mark.parametrize("name", SMALL_FORMS)
def test_wins_and_decompositions(name: str) -> None:
    assert compare_wins(name, 3) >= 2
