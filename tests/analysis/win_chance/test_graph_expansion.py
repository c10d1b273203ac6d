"""Graph expansion by kernels and by NumPy: the same hands, edges and wins in the same order."""

import numpy as np
import pytest

from mjopt import Hand
from mjopt.analysis.win_chance.graph import SearchSpace
from mjopt.analysis.win_chance.graph_expansion import expand_graph
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
    space = SearchSpace(hand=hand, wall=wall, forms=forms, deficiency=lacks, waste=waste)
    return expand_graph(space, limit)


@pytest.mark.parametrize(("text", "called", "forms", "waste"), CASES)
def test_edges_join_states_of_the_class(text, called, forms, waste):
    """An edge is a draw and a discard, and its tiles match the two states."""
    graph = grown(text, called, forms, waste)
    assert graph.num_states > 1
    assert (graph.left >= 0).all()
    assert len(np.unique(graph.states, axis=0)) == graph.num_states
    for state, kind, full in zip(graph.edge_state, graph.edge_kind, graph.edge_full, strict=True):
        tiles = graph.states[state].astype(int)
        tiles[kind] += 1
        others = graph.states[graph.edge_state[graph.edge_full == full]]
        assert (np.abs(others - tiles).sum(axis=1) == 1).all()


def test_no_graph_if_the_limit_is_too_low():
    number = grown(*CASES[0]).num_states
    assert grown(*CASES[0], number).num_states == number
    assert grown(*CASES[0], number - 1) is None
