"""The layered graph: size, paths (the complete hands) and relaxation."""

import random
from collections import defaultdict

import pytest
from helpers.support import deal

from mjopt import FULL, M0, UNREACHABLE, Hand, TileSet, deficiency, solve
from mjopt.hands.rules.classic_forms import standard_template
from mjopt.hands.tiles import Suit
from mjopt.models import brute_force
from mjopt.models.network import Network, network_graph
from mjopt.models.solvers.mathopt import root_bound


def test_size_of_the_graph() -> None:
    graph = network_graph(standard_template(FULL), FULL)
    assert (len(graph.arcs), len(graph.rows), len(graph.nodes)) == (3975, 1465, 1466)


@pytest.mark.parametrize("called", range(5))
def test_paths_are_the_complete_hands_of_one_suit(called: int) -> None:
    """The tiles along the paths are exactly the complete hands."""
    tiles = TileSet("one suit", (Suit("m", "characters", tuple(range(1, 10))),))
    graph = network_graph(standard_template(tiles), tiles, called)
    hands: dict[int, set[tuple[int, ...]]] = defaultdict(set)
    hands[0].add(())
    for arc in graph.arcs:  # sorted by tail, so every tail is final
        hands[arc.head] |= {(*hand, arc.use) for hand in hands[arc.tail]}
    expected = brute_force.suit_choices(tiles.suits[0])[4 - called, 1]
    assert hands[len(graph.nodes) - 1] == {tuple(row) for row in expected.tolist()}


def test_paths_of_the_whole_set_are_counted() -> None:
    """Count distinct tile vectors along paths, with a set per node and suit."""
    for tiles, total in ((M0, 5_237_550), (FULL, 11_498_658)):
        graph = network_graph(standard_template(tiles), tiles)
        assert max(arc.use for arc in graph.arcs) == 4
        ways = defaultdict(int, {0: 1})
        for arc in graph.arcs:
            ways[arc.head] += ways[arc.tail]
        # Some hands decompose in several ways, so paths outnumber hands.
        assert ways[len(graph.nodes) - 1] > total


def test_rows_are_shared_between_hands() -> None:
    rng = random.Random(0)
    programs = [Network().build(deal(rng, M0)) for _ in range(2)]
    assert programs[0].rows is programs[1].rows
    assert programs[0].objective != programs[1].objective


def test_relaxation_is_always_tight() -> None:
    rng = random.Random(6)
    for i in range(12):
        tiles = (M0, FULL)[i % 2]
        called = i % 4
        hand = deal(rng, tiles, size=14 - 3 * called, called=called, num_kinds=(None, 6)[i % 2])
        bound = root_bound(Network().build(hand))
        assert bound == pytest.approx(brute_force.deficiency(hand), abs=1e-6)


def test_a_set_too_small_for_any_win_is_unreachable() -> None:
    tiles = TileSet("three kinds", (Suit("m", "characters", (1, 2, 3)),))
    hand = Hand.parse("111122223333m", tiles=tiles, partial=True)
    for model in ("network", "blockwise", "completion"):
        assert solve(hand, model=model).value == UNREACHABLE
    assert deficiency(hand) == UNREACHABLE
