"""Targets of forms with jokers against all complete hands of small tile sets."""

import random
from functools import lru_cache
from itertools import product

import numpy as np
import pytest
from helpers.small_forms import (
    RULE_TEXTS,
    SMALL_FORMS,
    THREES,
    beside,
    complete_hands,
    deal_hand,
    small_rules,
)

from mjopt import UNREACHABLE, Hand, deficiency, targets
from mjopt.hands.rules.template import Template
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import COPIES, TileSet

APART = Template(  # jokers of the second and the seventh kind
    fixed=(0,) * 8,
    melds=2,
    eyes=1,
    kinds=tuple(range(8)),
    jokers=(1, 6),
    joker_parts=("melds", "eyes"),
    joker_fixed=(0,) * 8,
)
FORMS = [
    form
    for form in (
        WinningForm("apart", THREES, (APART,)),
        *SMALL_FORMS.values(),
        *(form for name in RULE_TEXTS for form in small_rules(name).forms),
    )
    if any(template.jokers for template in form.templates)
]


@lru_cache(maxsize=64)
def finished(template: Template, tiles: TileSet, called: int) -> frozenset[tuple[int, ...]]:
    """Return every hand that makes the template with exactly its jokers."""
    kinds, jokers = range(tiles.num_kinds), template.jokers
    naturals = {
        counts
        for use, eligible in complete_hands(template, tiles, called)
        for counts in product(
            *(
                range(use[k] - eligible[k], min(use[k], 0 if k in jokers else COPIES) + 1)
                for k in kinds
            )
        )
    }
    size = template.num_tiles - 3 * called
    splits = list(product(range(COPIES + 1), repeat=len(jokers)))
    found = set()
    for counts in naturals:
        for split in splits:
            if sum(split) == size - sum(counts):
                hand = list(counts)
                for kind, copies in zip(jokers, split, strict=True):
                    hand[kind] = copies
                found.add(tuple(hand))
    return frozenset(found)


def expected_targets(
    form: WinningForm, hand: Hand, unseen: tuple[int, ...]
) -> tuple[int, set[tuple[int, ...]]]:
    melds = [meld.kinds for meld in hand.melds]
    parts = [
        part for part in beside(form.templates, hand.tiles, melds) if part.melds >= hand.called
    ]
    every = {row for part in parts for row in finished(part, hand.tiles, hand.called)}
    if not every:
        return UNREACHABLE, set()
    rows = np.array(sorted(every))
    missing = np.maximum(rows - hand.counts, 0)
    rows, missing = (part[(missing <= unseen).all(axis=1)] for part in (rows, missing))
    if not len(rows):
        return UNREACHABLE, set()
    distances = missing.sum(axis=1)
    least = int(distances.min())
    return least, set(map(tuple, rows[distances == least].tolist()))


@pytest.mark.parametrize("form", FORMS)
def test_targets_with_jokers_are_all_nearest_complete_hands(form: WinningForm) -> None:
    rng = random.Random(form.name)
    numbers = set()
    for _ in range(25):
        hand, unseen = deal_hand(rng, form)
        found = targets(hand, unseen=unseen)
        least, expected = expected_targets(form, hand, found.unseen)
        listed = list(found)
        assert found.deficiency == least
        assert listed == sorted(expected)
        assert found.number == len(listed)
        numbers.add(len(listed))
        for target in listed[-1:]:
            assert deficiency(hand.with_counts(target)) == 0
    assert len(numbers) > 2
