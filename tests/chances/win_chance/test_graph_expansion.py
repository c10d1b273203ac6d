"""The graph of hands of a class: its edges, and the limit on its size."""

import numpy as np
import pytest

from mjopt import Hand
from mjopt.chances.win_chance.graph import SearchSpace
from mjopt.chances.win_chance.graph_expansion import expand_graph
from mjopt.hands.rules.read_forms import check_forms
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
    forms = check_forms(forms, hand.tiles)
    space = SearchSpace(hand=hand, wall=wall, forms=forms, deficiency=lacks, waste=waste)
    return expand_graph(space, limit)


@pytest.mark.parametrize(("text", "called", "forms", "waste"), CASES)
def test_edges_join_states_of_the_class(text, called, forms, waste):
    """The state and the drawn tile of each edge are the full hand of that edge."""
    graph = grown(text, called, forms, waste)
    assert graph.num_states > 1
    assert (graph.left >= 0).all()
    assert len(np.unique(graph.states, axis=0)) == graph.num_states
    full = graph.states[graph.edge_state].astype(int)
    full[np.arange(len(full)), graph.edge_kind] += 1
    _, first, number = np.unique(graph.edge_full, return_index=True, return_inverse=True)
    assert (full == full[first][number]).all()
    assert len(np.unique(full[first], axis=0)) == len(first)


def test_no_graph_if_the_limit_is_too_low():
    number = grown(*CASES[0]).num_states
    assert grown(*CASES[0], number).num_states == number
    assert grown(*CASES[0], number - 1) is None


def neighbours(space, counts):
    """Yield the drawn kind and each hand of the class that a draw and a discard lead to."""
    held, tiles = space.hand.counts, space.hand.tiles
    for kind, copies in enumerate(space.wall):
        if counts[kind] == 4 or copies <= max(0, counts[kind] - held[kind]):
            continue
        full = [n + (k == kind) for k, n in enumerate(counts)]
        if label_one(full, space.hand.called, forms=space.forms, tiles=tiles) == 0:
            continue
        for thrown in range(len(full)):
            after = tuple(n - (k == thrown) for k, n in enumerate(full))
            if min(after) < 0:
                continue
            new = sum(max(0, n - m) for n, m in zip(after, held, strict=True))
            if any(
                new + label_one(after, space.hand.called, forms=(form,), tiles=tiles) <= limit
                for form, limit in zip(space.forms, space.limits, strict=True)
            ):
                yield kind, after


@pytest.mark.parametrize(
    ("text", "called", "forms", "waste", "limits"),
    [
        ("2355m", 3, ("standard",), 1, ()),
        ("2355m", 3, ("standard",), 2, ()),
        ("3366m5599p1133s1z", 0, ("standard", "seven_pairs"), 1, ()),
        ("1122334455m66p8s", 0, ("standard", "seven_pairs"), 0, (2, 1)),
        ("19m19p19s1234566z", 0, ("thirteen_orphans",), 1, ()),
    ],
)
def test_graph_is_that_of_an_exhaustive_search(text, called, forms, waste, limits):
    hand = Hand.parse(text, called=called)
    rng = np.random.default_rng(7)
    wall = tuple(int(rng.integers(copies + 1)) for copies in hand.unseen)
    lacks = label_one(hand.counts, called, forms=forms)
    forms = check_forms(forms, hand.tiles)
    space = SearchSpace(
        hand=hand, wall=wall, forms=forms, deficiency=lacks, waste=waste, limits=limits
    )
    graph = expand_graph(space)
    reached, ahead, moves = {hand.counts}, [hand.counts], set()
    while ahead:
        before = ahead.pop()
        for kind, after in neighbours(space, before):
            if after != before:
                moves.add((before, kind, after))
            if after not in reached:
                reached.add(after)
                ahead.append(after)
    states = [tuple(row) for row in graph.states.tolist()]
    assert set(states) == reached
    in_full = {}
    for state, full in zip(graph.edge_state.tolist(), graph.edge_full.tolist(), strict=True):
        in_full.setdefault(full, []).append(state)
    found = {
        (states[state], kind, states[after])
        for state, kind, full, copies in zip(
            graph.edge_state.tolist(),
            graph.edge_kind.tolist(),
            graph.edge_full.tolist(),
            graph.edge_left.tolist(),
            strict=True,
        )
        for after in in_full[full]
        if after != state and copies > 0
    }
    assert found == moves
