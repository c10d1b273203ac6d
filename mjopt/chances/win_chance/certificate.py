"""Certificates of win chances: the class, a policy and the bounds they prove."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjopt.chances.win_chance.bounds import (
    SCALE,
    Policy,
    PolicyBounds,
    Values,
    depletion_bounds,
)
from mjopt.chances.win_chance.graph import Graph
from mjopt.chances.win_chance.search import SearchBounds
from mjopt.hands.rules.classic_forms import default_forms, names_of
from mjopt.hands.rules.document import definitions, tiles_document

Numbers = str | dict[str, object]
Moves = str | list[list[int]]  # drawn, discarded, next state

FORMAT: Final = "mjopt-play"
RECOMPUTED: Final = "recomputed"  # the checker recomputes the bounds from the policy
SAME: Final = "same"  # the same moves as one draw earlier


def to_document(
    found: SearchBounds, kinds: Sequence[int], *, with_numbers: bool = False
) -> dict[str, Any]:
    """Return a certificate of some discards as a JSON-ready document.

    Kind -1 is a hand before its draw. Depletion is bounded for all discards together: fewer
    discards give tighter lower bounds. ``with_numbers`` also writes the bounds of every state; the
    file is ten times as large.
    """
    graph, policy, space = found.graph, found.policy, found.graph.space
    roots = [graph.roots[kind] for kind in kinds]
    size, weights = sum(space.wall), found.weights
    policy_bounds = PolicyBounds(graph, policy, size, roots, weights)
    upper: Numbers | list[list[int]] = RECOMPUTED
    lower: Numbers = RECOMPUTED
    if with_numbers:
        a = np.zeros_like(found.upper)
        b = np.zeros((*a.shape, len(space.wall)), np.int64)
        values, _ = policy_bounds.bounds(roots, (a, b))
        lower, upper = _numbers(a, b), found.upper.T.tolist()
        if weights is not None:
            b = np.zeros_like(b)
            upper = _numbers(depletion_bounds(graph, found.upper, size, weights, b), b)
    else:
        values, _ = policy_bounds.bounds(roots)
    guide = {}
    if weights is not None:
        guide = {"weights": ["".join(map(str, row)) for row in weights.tolist()]}
    bounds_of = found.bounds()
    document = {
        "format": FORMAT,
        "version": 2 if guide else 1,
        "tiles": space.hand.tiles.name,
        "hand": list(space.hand.counts),
        "called": space.hand.called,
        "forms": list(names_of(space.forms)),
        "wall": list(space.wall),
        "draws": found.draws,
        "waste": space.waste,
        "deficiency": space.deficiency,
        "scale": SCALE,
        "states": ["".join(map(str, counts)) for counts in graph.states.tolist()],
        **guide,
        "upper": upper,
        "policy": _moves(graph, policy, policy_bounds.reached),
        "lower": lower,
        "claims": [
            {
                "discard": kind,
                "state": root,
                "lower": value,
                "upper": bounds_of[kind][1],
            }
            for kind, root, value in zip(kinds, roots, values, strict=True)
        ],
    }
    hand = space.hand
    if space.forms == default_forms(hand.tiles) and hand.tiles.is_built_in:
        return document
    return document | {
        "version": 3,
        "tiles": tiles_document(hand.tiles),
        "size": hand.size,
        "melds": [meld.text(hand.tiles) for meld in hand.melds],
        "definitions": definitions(space.forms),
        "limits": [*space.limits],
        "weights": guide.get("weights"),
    }


def _numbers(a: Values, b: Values) -> dict[str, object]:
    """Return a, and the nonzero entries of b, by state and draws left."""
    losses = [
        [{str(kind): int(row[kind]) for kind in np.flatnonzero(row)} for row in rows]
        for rows in b.transpose(1, 0, 2)
    ]
    return {"a": a.T.tolist(), "b": losses}


def _moves(graph: Graph, policy: Policy, reached: NDArray[np.bool_]) -> list[list[Moves]]:
    """Return the moves of the policy by state and draws made: drawn, discarded, next state."""
    wins: list[list[list[int]]] = [[] for _ in range(graph.num_states)]
    for state, kind in zip(graph.win_state.tolist(), graph.win_kind.tolist(), strict=True):
        wins[state].append([kind, -1, -1])
    found: list[list[Moves]] = [[] for _ in range(graph.num_states)]
    last: list[list[list[int]] | None] = [None] * graph.num_states
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
