"""The checker of lower bounds, condition by condition, and its graph."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mjopt import FULL, TILE_SETS, UNREACHABLE, Hand
from mjopt.errors import CertificateError
from mjopt.hands.tiles import Suit, TileSet
from mjopt.models import brute_force
from mjopt.proofs.bounds import check_cut, check_potentials, orphans_bound, pairs_bound
from mjopt.proofs.graph import ProofGraph, standard_graph


def refusal(check: Callable[..., Any], *arguments: Any) -> str:
    try:
        check(*arguments)
    except CertificateError as error:
        return str(error)
    return ""


def graph(*arcs: tuple[int, int, int, int]) -> ProofGraph:
    """Return a graph of arcs (tail, head, kind, copies used)."""
    columns = np.array(arcs).T
    return ProofGraph(int(columns[1].max()) + 1, *columns)


@pytest.mark.parametrize("held", [0, 1, 2, 3])
def test_potential_may_fall_by_the_copies_missing_and_no_more(held):
    one = graph((0, 1, 0, 2))
    cost = max(0, 2 - held)
    check_potentials(one, (held,), (4,), [cost, 0], cost)
    reason = refusal(check_potentials, one, (held,), (4,), [cost + 1, 0], cost)
    assert reason == (
        f"arc 0 of kind 0: potential {cost + 1} at node 0 exceeds cost {cost} plus 0 at node 1"
    )


def test_only_an_arc_of_copies_that_cannot_arrive_is_closed():
    """Three arcs of two, three and four copies, while three can be reached."""
    three = graph((0, 1, 0, 2), (1, 2, 0, 3), (2, 3, 0, 4))
    check_potentials(three, (0,), (3,), [14, 12, 9, 0], 14)
    assert refusal(check_potentials, three, (0,), (3,), [15, 12, 9, 0], 14).startswith("arc 0 ")
    assert refusal(check_potentials, three, (0,), (3,), [15, 13, 9, 0], 14).startswith("arc 1 ")
    assert refusal(check_potentials, three, (0,), (4,), [14, 12, 9, 0], 14).startswith("arc 2 ")
    check_cut(three, (3,), [0, 1, 2])
    assert refusal(check_cut, three, (3,), [0]) == "arc 0 of kind 0 leaves the cut at node 0"
    assert refusal(check_cut, three, (3,), [0, 1]) == "arc 1 of kind 0 leaves the cut at node 1"
    assert refusal(check_cut, three, (4,), [0, 1, 2]) == "arc 2 of kind 0 leaves the cut at node 2"
    assert refusal(check_cut, three, (3,), [1, 2]) == "the cut does not hold the start"
    assert refusal(check_cut, three, (3,), [0, 1, 2, 3]) == "the cut holds the end"
    check_cut(three, (1,), [0])
    check_cut(three, (2,), [1, 0])


@pytest.mark.parametrize(("held", "cost"), [(0, 2), (1, 2), (2, 1), (3, 0), (5, 0)])
def test_joker_costs_a_tile_only_if_it_is_drawn(held, cost):
    """One arc takes two natural tiles, which are held, and two jokers after one before it."""
    columns = np.array([(0, 1, 0, 2, 1, 3)]).T
    one = ProofGraph(2, *columns)
    check_potentials(one, (2,), (2,), [cost, 0], cost, (held, 9))
    reason = refusal(check_potentials, one, (2,), (2,), [cost + 1, 0], cost, (held, 9))
    assert reason.startswith("arc 0 of kind 0")
    check_potentials(one, (2,), (2,), [99, 0], 99, (min(held, 2), 2))


def test_arc_is_closed_beyond_the_jokers_that_exist():
    columns = np.array([(0, 1, 0, 0, 0, 1), (1, 2, 1, 0, 1, 3)]).T
    two = ProofGraph(3, *columns)
    check_cut(two, (4, 4), [0], (0, 0))
    check_cut(two, (4, 4), [0, 1], (1, 2))
    leaves = "arc 1 of kind 1 leaves the cut at node 1"
    assert refusal(check_cut, two, (4, 4), [0, 1], (0, 3)) == leaves
    assert refusal(check_cut, two, (4, 4), [0], (0, 1)).startswith("arc 0 ")


@pytest.mark.parametrize(
    ("value", "is_inside"), [(-100, False), (-99, True), (99, True), (100, False)]
)
@pytest.mark.parametrize("node", [0, 1])
def test_first_potential_out_of_range_is_refused(value, is_inside, node):
    two = graph((0, 2, 0, 4), (1, 2, 0, 4))
    potentials = [0, 0, 0]
    potentials[node] = value
    reason = refusal(check_potentials, two, (0,), (4,), potentials, -99)
    assert (reason == "potentials: not whole numbers in -99..99") != is_inside


@pytest.mark.parametrize("cut", [[0, -1], [0, 4], [0, True], [0, 1.0], [0, "1"]])
def test_first_node_out_of_range_is_refused(cut):
    three = graph((0, 1, 0, 2), (1, 2, 0, 3), (2, 3, 0, 4))
    assert refusal(check_cut, three, (1,), cut) == "the cut: not nodes in 0..3"


def test_cut_may_name_every_node_but_once():
    three = graph((0, 1, 0, 2), (1, 2, 0, 3), (2, 3, 0, 4))
    assert refusal(check_cut, three, (4,), [0, 1, 2, 3, 0]) == "the cut names a node twice"
    assert refusal(check_cut, three, (4,), [3, 2, 1, 0]) == "the cut holds the end"


def test_graph_without_a_complete_hand_has_a_start():
    """Two kinds without chows: no four melds and an eye; the start alone is the cut."""
    empty = standard_graph(TileSet("few", (Suit("m", "few", (1, 2), has_chows=False),)))
    assert empty.num_nodes == 2
    check_cut(empty, (4, 4), [0])


@pytest.mark.parametrize("form", ["seven_pairs", "thirteen_orphans"])
def test_bounds_of_special_forms_match_brute_force(form):
    """Kinds held twice, once and not at all, and kinds that cannot be held once or twice."""
    rng = np.random.default_rng(4)
    orphans = [kind for kind in range(34) if kind >= 27 or kind % 9 in (0, 8)]
    values = set()
    for trial in range(24):
        kinds = rng.choice(orphans if trial % 2 else 34, 13, replace=False)[: 8 + trial % 6]
        held = [0] * 34
        for kind in kinds:
            held[kind] = min(int(rng.integers(1, 3)), 14 - sum(held))
        unseen = [min(4 - h, int(rng.choice([0, 1, 2], p=[0.03, 0.3, 0.67]))) for h in held]
        reach = tuple(h + u for h, u in zip(held, unseen, strict=True))
        if form == "seven_pairs":
            bound = pairs_bound(tuple(held), reach, 0)
        else:
            bound = orphans_bound(tuple(held), reach, 0, orphans)
        hand = Hand.from_counts(held, tiles=FULL, partial=True)
        expected = brute_force.deficiency(hand, unseen=unseen, forms=(form,))
        assert bound == (None if expected == UNREACHABLE else expected)
        values.add(bound)
    assert len(values) > 3


def test_special_forms_need_all_tiles_in_the_hand():
    seven = (2,) * 7
    assert pairs_bound(seven, seven, 0) == 0
    assert pairs_bound(seven, seven, 1) is None
    assert pairs_bound(seven, (*seven[:6], 1), 0) is None
    assert pairs_bound((3,) * 7, (4,) * 7, 0) == 0
    assert pairs_bound((0,) * 9, (2,) * 9, 0) == 14
    thirteen = (1,) * 13
    assert orphans_bound(thirteen, (*thirteen[1:], 2), 0, range(13)) == 1
    assert orphans_bound(thirteen, thirteen, 0, range(13)) is None
    assert orphans_bound(thirteen, (2,) * 13, 1, range(13)) is None
    assert orphans_bound((*thirteen[1:], 0), (*(2,) * 12, 0), 0, range(13)) is None
    assert orphans_bound((2, *thirteen[1:]), (2,) * 13, 0, range(13)) == 0
    assert orphans_bound((2, 2, *thirteen[2:]), (2,) * 13, 0, range(13)) == 0
    assert orphans_bound((0,) * 13, (2,) * 13, 0, range(13)) == 14
    assert orphans_bound((3, *thirteen[1:]), (4,) * 13, 0, range(13)) == 0
    assert orphans_bound((3, *thirteen[1:]), (4,) * 13, 0, range(12)) is None


@pytest.mark.parametrize("tiles", TILE_SETS.values(), ids=lambda tiles: tiles.name)
@pytest.mark.parametrize("called", range(5))
def test_every_path_of_the_proof_graph_is_a_complete_hand(tiles, called):
    """Shortest paths are deficiencies, for every tile set and 0 to 4 called melds."""
    one = standard_graph(tiles, called)
    rng = np.random.default_rng(called)
    for _ in range(2):
        held = np.zeros(tiles.num_kinds, int)
        for kind in rng.choice(np.repeat(np.arange(tiles.num_kinds), 4), 14 - 3 * called, False):
            held[kind] += 1
        far = np.full(one.num_nodes, 99)
        far[-1] = 0
        costs = np.maximum(one.uses - held[one.kinds], 0)
        for arc in range(len(one.tails) - 1, -1, -1):
            tail, head = one.tails[arc], one.heads[arc]
            far[tail] = min(far[tail], costs[arc] + far[head])
        hand = Hand.from_counts(held.tolist(), tiles=tiles, called=called)
        assert far[0] == brute_force.deficiency(hand)
