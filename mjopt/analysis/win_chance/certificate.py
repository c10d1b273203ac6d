"""A certificate of play: the class, a policy and what they prove, for a checker to judge."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from mjopt.analysis.win_chance.depletion_upper_bound import charged_values
from mjopt.analysis.win_chance.graph import Graph
from mjopt.analysis.win_chance.lower_bound import Followed, Sloped, find_caps, lower_values
from mjopt.analysis.win_chance.policy import Policy
from mjopt.analysis.win_chance.search import Found
from mjopt.analysis.win_chance.upper_bound import SCALE

FORMAT: Final = "mjopt-play"
RECOMPUTED: Final = "recomputed"  # by the checker, which needs no more than the policy
SAME: Final = "same"  # moves as with one draw less made


def to_document(
    found: Found, kinds: Sequence[int], *, with_numbers: bool = False
) -> dict[str, Any]:
    """Return the certificate of some discards.

    Parameters
    ----------
    found
        What is known of the class.
    kinds
        Discards, -1 for none. What is gone is bounded for all of them together: fewer
        discards, tighter lower bounds.
    with_numbers
        Write the bounds of every state too: the file is ten times as large.
    """
    graph, policy, world = found.graph, found.policy, found.graph.world
    roots = [graph.roots[kind] for kind in kinds]
    size, weights = sum(world.wall), found.weights
    caps = find_caps(graph, policy, np.array(roots))
    upper: Any = RECOMPUTED
    bounds: Any = RECOMPUTED
    if with_numbers:
        upper = found.upper.T.tolist()
        bounds = _numbers(lower_values(graph, policy, size, caps, weights, with_b=True))
        if weights is not None:
            upper = _numbers(charged_values(graph, found.upper, size, weights, with_b=True))
    lower, _ = Followed(graph, policy, size, roots, weights).bounds(roots)
    guide = {}
    if weights is not None:
        guide = {"weights": ["".join(map(str, row)) for row in weights.tolist()]}
    bounds_of = found.bounds()
    return {
        "format": FORMAT,
        "version": 2 if guide else 1,
        "tiles": world.hand.tiles.name,
        "hand": list(world.hand.counts),
        "called": world.hand.called,
        "forms": list(world.forms),
        "wall": list(world.wall),
        "draws": found.draws,
        "waste": world.waste,
        "deficiency": world.deficiency,
        "scale": SCALE,
        "states": ["".join(map(str, counts)) for counts in graph.states.tolist()],
        **guide,
        "upper": upper,
        "policy": _moves(graph, policy, caps.reached.any(axis=0)),
        "lower": bounds,
        "claims": [
            {
                "discard": kind,
                "state": root,
                "lower": low,
                "upper": bounds_of[kind][1],
            }
            for kind, root, low in zip(kinds, roots, lower, strict=True)
        ],
    }


def _numbers(bounds: Sloped) -> dict[str, Any]:
    """Return a and b by state, those of b that are not 0."""
    losses = [
        [{str(kind): int(b[s, kind]) for kind in np.flatnonzero(b[s])} for b in bounds.b]
        for s in range(bounds.a.shape[1])
    ]
    return {"a": bounds.a.T.tolist(), "b": losses}


def _moves(graph: Graph, policy: Policy, reached: Any) -> list[Any]:
    """Return by state and draws made what is kept: drawn, thrown, the state it leads to."""
    wins: list[list[list[int]]] = [[] for _ in range(graph.num_states)]
    for state, kind in zip(graph.win_state.tolist(), graph.win_kind.tolist(), strict=True):
        wins[state].append([kind, -1, -1])
    found: list[list[Any]] = [[] for _ in range(graph.num_states)]
    last: list[Any] = [None] * graph.num_states
    for t in range(len(policy.leaves)):
        kept, leaves = policy.moves(graph, t, reached)
        moves = [[*some] if is_in else [] for some, is_in in zip(wins, reached, strict=True)]
        for state, *move in zip(
            graph.edge_state[kept].tolist(),
            graph.edge_kind[kept].tolist(),
            (leaves >> 1 & 63).tolist(),
            (leaves >> 7).tolist(),
            strict=True,
        ):
            moves[state].append(move)
        for state, some in enumerate(moves):
            found[state].append(SAME if some == last[state] else some)
            last[state] = some
    return found
