"""Layered automata read the costs of all tuples of copies, and their files are safe."""

import lzma
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from helpers.small_forms import random_template
from helpers.table_files import FOREIGN

from mjopt.hands.rules.classic_forms import standard_template
from mjopt.hands.rules.template import Template
from mjopt.hands.tiles import FULL, Suit, TileSet
from mjopt.tables.build_tables import SHIPPED_DEMANDS
from mjopt.tables.bundles import bundle_file, layers
from mjopt.tables.bundles.layers import (
    Demand,
    DemandLayers,
    Layers,
    both,
    demand_content,
    demand_file,
    demand_of,
    derive_demand,
    load_demand,
    read_after,
    restricted,
)
from mjopt.tables.suits.costs import part_costs

FOUR = TileSet("four", (Suit("m", "one", (1, 2, 3, 4)),))
SEVEN = TileSet("seven", (Suit("m", "one", (1, 2, 3, 4, 5, 6), has_chows=False),))
PAIRS = Template(fixed=(0,) * 6, pairs=3, kinds=tuple(range(6)))
DEMAND = demand_of(PAIRS, SEVEN, slice(0, 6))


def class_of(automaton: Layers, copies: Sequence[int]) -> int:
    """Return the class after some copies of each kind."""
    state = 0
    for steps, number in zip(automaton.steps, copies, strict=True):
        state = steps[state, number]
    return state


def demands() -> Iterator[Demand]:
    for seed in range(12):
        rng = np.random.default_rng(seed)
        kind = ("melds eyes", "pairs", "distinct fixed", "melds eyes joker all")[seed % 4]
        if (template := random_template(rng, FOUR, kind)) is not None:
            yield demand_of(template, FOUR, slice(0, 4))


@pytest.mark.parametrize("demand", list(demands()))
def test_classes_are_the_costs_of_one_hand(demand: Demand) -> None:
    shares, automaton = derive_demand(demand)
    small = restricted(automaton, [0])
    for copies in product(range(5), repeat=4):
        held = [0 if kind in demand.jokers else number for kind, number in enumerate(copies)]
        costs = part_costs(held, [4] * 4, demand.uses, demand.wanted)
        expected = [min(costs[share], demand.most) for share in shares]
        assert automaton.costs[class_of(automaton, copies)].tolist() == expected
        assert small.costs[class_of(small, copies)].tolist() == expected[:1]
    for steps in small.steps:
        assert len(np.unique(steps, axis=0)) == len(steps), "the smallest"


def test_two_automata_are_read_at_once_and_one_after_another() -> None:
    one, two = (found.layers for found in map(derive_demand, list(demands())[:2]))
    at_once = both(one, two)
    sums = (one.costs[:, None, :1] + two.costs[None, :, :1]).reshape(-1, 1)
    after = read_after(one, two, sums)
    rng = np.random.default_rng(0)
    for copies in rng.integers(0, 5, (200, 8)).tolist():
        first, second = class_of(one, copies[:4]), class_of(two, copies[:4])
        costs = at_once.costs[class_of(at_once, copies[:4])]
        assert costs.tolist() == [*one.costs[first], *two.costs[second]]
        total = one.costs[first, 0] + two.costs[class_of(two, copies[4:]), 0]
        assert after.costs[class_of(after, copies)] == [total]


# Files


def load() -> object:
    load_demand.cache_clear()
    shares, found = load_demand(DEMAND)
    return shares, found.costs.tolist(), [steps.tolist() for steps in found.steps]


def test_an_automaton_is_derived_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = load()
    (path,) = folder.iterdir()
    assert path.name == demand_file(DEMAND)
    monkeypatch.setattr(layers, "derive_demand", None)
    assert load() == expected


@pytest.mark.parametrize("content", FOREIGN)
def test_foreign_files_are_derived_again(folder: Path, content: bytes) -> None:
    expected = load()
    (path,) = folder.iterdir()
    written = path.read_bytes()
    path.write_bytes(content)
    assert load() == expected
    assert path.read_bytes() == written, "replaced"


def test_files_that_lead_out_of_their_arrays_are_derived_again(folder: Path) -> None:
    expected = load()
    (path,) = folder.iterdir()
    shares, found = derive_demand(DEMAND)
    for place in range(len(found.steps)):
        steps = list(found.steps)
        steps[place] = steps[place] + len(found.costs) * 5
        wrong = DemandLayers(shares, Layers(tuple(steps), found.costs))
        path.write_bytes(bundle_file.pack(*demand_content(wrong)))
        assert load() == expected
    wrong = DemandLayers(shares, Layers(found.steps[1:], found.costs))
    for content in (demand_content(wrong), (None, [])):
        path.write_bytes(bundle_file.pack(*content))
        assert load() == expected


@pytest.mark.parametrize("number", range(len(SHIPPED_DEMANDS)))
def test_shipped_files_are_reproducible(number: int) -> None:
    demand = SHIPPED_DEMANDS[number]
    derived = bundle_file.pack(*demand_content(derive_demand(demand)))
    shipped = (bundle_file.SHIPPED / demand_file(demand)).read_bytes()
    assert lzma.decompress(derived[32:]) == lzma.decompress(shipped[32:])
    assert demand_of(standard_template(FULL), FULL, slice(0, 9)) in SHIPPED_DEMANDS
