"""Bounds on the win chance in small worlds of ten rule sets, against every play."""

import json
import random
from fractions import Fraction
from itertools import islice

import pytest
from reference_implementations.win_chance_rules import (
    Reference,
    RuleWorld,
    rule_sets,
    small_worlds,
)

import mjopt
from mjopt.proofs.win_chance_check import verify_win_chance

ROUNDING = Fraction(1, 10**9)
RULE_SETS = rule_sets()


def check(world: RuleWorld) -> bool:
    """Check bounds, exact values, advice and the certificate; return whether a win is possible."""
    hand, forms = world.hand, world.hand.rules
    play = mjopt.optimal_play(
        hand, wall=world.wall, draws=world.draws, waste=world.waste, forms=forms
    )
    everything = Reference(world)
    within = Reference(world, play.searched().graph.space.limits)
    assert min(everything.deficiencies(hand.counts)) == play.deficiency
    values = {}
    for row in play.discards:
        best, value = everything.chance(row.kind), within.chance(row.kind)
        assert best is not None
        assert row.lower <= best <= row.upper_any
        if value is not None:
            values[row.kind] = value
            assert value <= row.upper
            assert row.lower <= row.upper
            if row.is_exact:
                assert abs(row.value - value) < ROUNDING
    if play.best_proven and play.best.kind in values:
        assert values[play.best.kind] > max(values.values()) - ROUNDING
    position = mjopt.Position(hand=hand, wall=world.wall, draws=world.draws, forms=forms.forms)
    for option in mjopt.advise(position).options:
        if option.action in ("discard", "draw"):
            best = everything.chance(option.kind)
            assert option.at_least <= best <= option.at_most
    if play.searched().graph.roots:
        claims = verify_win_chance(json.dumps(play.to_certificate())).file.claims
        assert claims[0].lower <= play.best.lower * 2**48 + 1
    return any(values.values())


def check_some(name: str, seed: int, number: int) -> int:
    worlds = small_worlds(RULE_SETS[name], random.Random(seed))
    return sum(map(check, islice(worlds, number)))


@pytest.mark.parametrize("name", ["file one-suit", "equal_pairs", "knitted", "distinct_and_groups"])
def test_bounds_hold_for_every_play(name: str) -> None:
    check_some(name, 1, 2)


@pytest.mark.slow
@pytest.mark.parametrize("name", RULE_SETS)
def test_bounds_hold_for_every_play_of_many_worlds(name: str) -> None:
    assert check_some(name, 2, 50) > 5
