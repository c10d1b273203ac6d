"""Growth by kernels against growth in NumPy: the same hands, edges and wins, in the same order."""

import numpy as np
import pytest
from helpers.ways import plain_ways

from mjopt import Hand
from mjopt.analysis.win_chance.graph import World
from mjopt.analysis.win_chance.graph_expansion import grow_graph
from mjopt.tables.lookup import label_one

CASES = [
    ("3336778m57p234s17z", 0, ("standard",), 1),
    ("3336778m57p234s17z", 0, ("standard",), 0),
    ("1155m2288p37s1236z", 0, ("standard", "seven_pairs", "thirteen_orphans"), 1),
    ("1155m2288p37s1236z", 0, ("seven_pairs",), 1),
    ("159m1119p19s12346z", 0, ("thirteen_orphans",), 0),
    ("112233m445566p19s", 0, ("standard", "seven_pairs"), 1),
    ("23344m", 3, ("standard",), 4),
    ("2355m466p1z", 2, ("standard", "seven_pairs"), 1),
    ("123m456m789m1239p", 0, ("standard",), 1),
]


def grown(text, called, forms, waste, limit=None):
    hand = Hand.parse(text, called=called)
    rng = np.random.default_rng(len(text))
    wall = tuple(int(rng.integers(copies + 1)) for copies in hand.unseen)
    lacks = label_one(hand.counts, called, forms=forms)
    world = World(hand=hand, wall=wall, forms=forms, deficiency=lacks, waste=waste)
    found = []
    for is_plain in (True, False):
        with plain_ways(is_plain):
            found.append(grow_graph(world, limit))
    return found


@pytest.mark.parametrize(("text", "called", "forms", "waste"), CASES)
def test_both_ways_grow_the_same_graph(text, called, forms, waste):
    plain, compiled = grown(text, called, forms, waste)
    assert plain.num_states > 1
    assert plain.roots == compiled.roots
    for name in ("states", "left", "news", "edge_state", "edge_kind", "win_state", "win_kind"):
        one, two = getattr(plain, name), getattr(compiled, name)
        assert np.array_equal(one, two), name
    # Full hands may have other numbers: one for one.
    pairs = set(zip(plain.edge_full.tolist(), compiled.edge_full.tolist(), strict=True))
    assert len(pairs) == len(np.unique(plain.edge_full)) == len(np.unique(compiled.edge_full))


def test_both_ways_give_up_at_the_same_number_of_hands():
    """As many hands as there are may be asked for, and no fewer."""
    number = grown(*CASES[0])[0].num_states
    assert [graph.num_states for graph in grown(*CASES[0], number)] == [number, number]
    assert grown(*CASES[0], number - 1) == [None, None]
