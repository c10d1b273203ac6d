"""Decompositions of hands with jokers against every choice of parts."""

import random
from collections import Counter
from functools import cache

import pytest
from helpers.small_forms import SMALL_FORMS, choose_parts

from mjopt import Block, Hand, RuleSet, WinningForm, decompositions, get_rules
from mjopt.hands.blocks import chow, eye, fixed, joker, pong, single
from mjopt.hands.rules.splits import find_splits
from mjopt.hands.rules.template import Template

WITH_JOKERS = [
    name for name, form in SMALL_FORMS.items() if any(part.jokers for part in form.templates)
]
Choice = tuple[tuple[Block, ...], tuple[int, ...], tuple[int, ...]]


@cache
def choices(form: WinningForm, template: Template, called: int) -> list[Choice]:
    """Return the blocks of every choice of parts, its copies, and those that jokers may be."""
    found = []
    for parts, (use, eligible) in choose_parts(template, form.tiles, called):
        blocks = [pong(m[0]) if m[0] == m[-1] else chow(m[0]) for m in parts["melds"]]
        blocks += [eye(pair[0]) for pair in (*parts["eyes"], *parts["pairs"])]
        once = Counter(kind for (kind,) in parts["distinct"])
        blocks += [eye(kind) if times == 2 else single(kind) for kind, times in once.items()]
        blocks += [fixed(kind, number) for kind, number in enumerate(template.fixed) if number]
        found.append((tuple(blocks), use, eligible))
    return found


def draw_winning_hand(rng: random.Random, form: WinningForm, called: int) -> Hand | None:
    """Replace some tiles of a random choice of parts by jokers."""
    template = rng.choice(form.templates)
    if called > template.melds:
        return None
    _, use, eligible = rng.choice(choices(form, template, called))
    places = [kind for kind, number in enumerate(eligible) for _ in range(number)]
    replaced = Counter(rng.sample(places, min(len(places), rng.randint(0, 4))))
    counts = [copies - replaced[kind] for kind, copies in enumerate(use)]
    for _ in range(replaced.total()):
        counts[rng.choice(template.jokers)] += 1
    if max(counts) > 4 or any(use[kind] > replaced[kind] for kind in template.jokers):
        return None
    rules = RuleSet.of_form(form)
    return Hand.from_counts(counts, tiles=form.tiles, called=called, rules=rules)


def every_decomposition(form: WinningForm, hand: Hand) -> set[tuple[Block, ...]]:
    found = set()
    for template in form.templates:
        if hand.called > template.melds:
            continue
        held = [0 if kind in template.jokers else n for kind, n in enumerate(hand.counts)]
        jokers = sum(hand.counts[kind] for kind in template.jokers)
        for blocks, use, eligible in choices(form, template, hand.called):
            lack = [copies - have for copies, have in zip(use, held, strict=True)]
            fits = all(0 <= n <= able for n, able in zip(lack, eligible, strict=True))
            if fits and sum(lack) == jokers:
                stand = [joker(kind, n) for kind, n in enumerate(lack) if n]
                found.add(tuple(sorted([*blocks, *stand])))
    return found


@pytest.mark.parametrize("name", WITH_JOKERS)
def test_every_decomposition_is_listed_once(name: str) -> None:
    rng, form = random.Random(f"splits {name}"), SMALL_FORMS[name]
    most = max(part.melds for part in form.templates)
    judged = jokers = 0
    while judged < 40:
        hand = draw_winning_hand(rng, form, rng.choice([0, 0, rng.randint(0, most)]))
        if hand is None:
            continue
        expected = every_decomposition(form, hand)
        splits = (find_splits(hand.counts, hand.tiles, p, hand.called) for p in form.templates)
        assert set().union(*splits) == expected
        if judged < 4:  # by set partition too, one solve for each
            assert decompositions(hand) == sorted(expected)
        judged += 1
        jokers += any(block.shape == "joker" for blocks in expected for block in blocks)
    assert jokers > 5


def test_incomplete_hand_with_jokers_has_none() -> None:
    hand = Hand.parse("123456789m1147s5z", rules=get_rules("examples/rules/laizi.toml"))
    assert decompositions(hand) == []


@pytest.mark.parametrize("missing", ["11s", "789m", "345p11s"])
def test_partial_hand_without_jokers_has_none(missing: str) -> None:
    """Not even if all its tiles are parts of a complete hand."""
    whole, less = (Hand.parse(text, partial=True) for text in ("123789m345678p11s", missing))
    assert len(decompositions(whole)) == 1
    counts = [a - b for a, b in zip(whole.counts, less.counts, strict=True)]
    assert decompositions(Hand.from_counts(counts, partial=True)) == []


def test_joker_completes_a_hand_in_several_ways() -> None:
    hand = Hand.parse("123456789m1122s5z", rules=get_rules("examples/rules/laizi.toml"))
    [first, second] = decompositions(hand)
    ones, twos = (hand.tiles.names.index(name) for name in ("1s", "2s"))
    assert set(first) - set(second) == {joker(ones, 1), pong(ones), eye(twos)}
    assert set(second) - set(first) == {eye(ones), joker(twos, 1), pong(twos)}
