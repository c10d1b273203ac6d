"""Blockwise formulation: tightening drops columns and keeps the optimum."""

import random

import pytest
from helpers.small_forms import FIVE, SMALL_FORMS, deal_hand
from helpers.support import deal, hands, limits
from hypothesis import given, settings
from hypothesis import strategies as st

from mjopt import FULL, M0, UNREACHABLE, Hand, solve
from mjopt.hands.blocks import eye
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.classic_forms import is_classic, standard_template
from mjopt.hands.rules.rule_file import get_rules
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.rules.template import Template
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.models import brute_force
from mjopt.models.block_variables import Supply, all_columns, drop_dominated
from mjopt.models.blockwise import Blockwise
from mjopt.models.shortest_path import distances
from mjopt.models.solvers.mathopt import root_bound
from mjopt.models.solvers.registry import default_solver


@settings(max_examples=150)
@given(data=st.data())
def test_tightening_keeps_the_optimum(data: st.DataObject) -> None:
    hand = data.draw(hands())
    unseen = data.draw(limits(hand))
    engine = default_solver()
    found = [engine.solve(Blockwise(tighten=t).build(hand, unseen)) for t in (True, False)]
    values = [UNREACHABLE if r.is_infeasible else r.objective for r in found]
    assert values == [brute_force.deficiency(hand, unseen=unseen)] * 2


def test_tightening_drops_columns_and_raises_the_bound() -> None:
    rng = random.Random(8)
    higher = 0
    for _ in range(40):
        hand = deal(rng, M0, suits=2)
        tight, plain = (Blockwise(tighten=t).build(hand) for t in (True, False))
        assert tight.num_variables < 0.7 * plain.num_variables
        low, high = root_bound(plain), root_bound(tight)
        assert low <= high + 1e-6
        assert high <= brute_force.deficiency(hand) + 1e-6
        higher += high > low + 1e-6
    assert higher > 5


def test_rounding_cuts_are_of_kinds_that_a_block_can_span() -> None:
    """8m and 9m are neighbours, although no chow begins there; 9m and 1p are not."""
    rows = Blockwise().build(Hand.parse("889m112456p123s77z")).rows
    cuts = [name.removeprefix("half_") for name in rows.names if name.startswith("half_")]
    assert cuts == ["8m_9m", "1p_2p", "4p_5p_6p", "1s_2s_3s"]


def test_without_a_host_no_column_is_dropped() -> None:
    """Every kind is held or limited, so no kind can represent another."""
    hand = Hand.parse("1112345678999m1p")
    cap = (1,) * 27
    supply = Supply.of(HandQuery(hand, unseen=cap), standard_template(M0))
    columns = all_columns(supply)
    assert drop_dominated(columns, supply) == (columns, frozenset())


def test_sites_and_host_do_not_overlap() -> None:
    rng = random.Random(5)
    for number in range(200):
        called = number % 4
        size = 14 - 3 * called
        hand = deal(rng, FULL, size=size, called=called, num_kinds=rng.choice([None, 8]))
        supply = Supply.of(HandQuery(hand), standard_template(FULL))
        kept, free = drop_dominated(all_columns(supply), supply)
        scratch = [column for column in kept if not column.held]
        assert free
        assert sum(column.is_meld for column in scratch) == 1
        sites = {column.part.block.kinds[0] for column in scratch if not column.is_meld}
        assert len(sites) == 2
        assert not sites & free


@pytest.mark.parametrize("name", ["knitted", "flush", "missing_suit", "doubled", "laizi"])
def test_tightening_keeps_the_optimum_of_templates(name: str) -> None:
    form, rng = SMALL_FORMS[name], random.Random(name)
    for _ in range(6):
        hand, unseen = deal_hand(rng, form)
        values = [
            solve(hand, model=Blockwise(tighten=t), unseen=unseen, solver="highs").value
            for t in (True, False)
        ]
        assert values == [brute_force.deficiency(hand, unseen=unseen, forms=(form,))] * 2


def test_tightening_keeps_the_optimum_under_rules_of_large_sets() -> None:
    """Fixed tiles, kinds left out and five melds: where columns may be dropped and where not."""
    rng = random.Random(4)
    for rules in map(get_rules, ("taiwan", "half-flush", "mcr")):
        form = next(form for form in rules.forms if not is_classic((form,)))
        for called in (0, 1, 2):
            wall = [kind for kind in range(rules.tiles.num_kinds) for _ in range(4)]
            counts = [0] * rules.tiles.num_kinds
            for kind in rng.sample(wall, rules.size - 3 * called - rng.choice([0, 1, 6])):
                counts[kind] += 1
            hand = Hand.from_counts(counts, called=called, partial=True, rules=rules)
            value = distances(HandQuery(hand, form, general=True))[form]
            assert solve(hand, forms=form, solver="highs").value == value


def test_a_kind_that_only_singles_or_pairs_use_has_one_column() -> None:
    query = HandQuery("1122334455667m8p", "seven_pairs")
    [template] = query.templates(query.forms[0])
    program = Blockwise().write_template(query, template)
    assert program.num_variables == 27
    assert program.objective[:7] == (0,) * 6 + (1,)
    assert program.pieces == tuple((eye(kind),) for kind in range(27))


@pytest.mark.parametrize("tighten", [True, False])
def test_pair_and_fixed_tiles_do_not_take_the_same_tiles(tighten: bool) -> None:
    """Only pairs use the kinds before that of the fixed tiles."""
    template = Template(fixed=(0, 0, 0, 0, 2), pairs=2, kinds=(0, 1, 2, 3, 4))
    form = WinningForm("pairs_and_fixed", FIVE, (template,))
    hand = Hand.from_counts((2, 1, 1, 0, 2), rules=RuleSet.of_form(form))
    assert solve(hand, model=Blockwise(tighten=tighten), solver="highs").value == 1
