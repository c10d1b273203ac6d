"""The layered graph of complete hands, built for the checker from the rules.

The formulation ``network`` builds the same graph with separate code; tests compare the two.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from mjopt.hands.tiles import COPIES, TileSet

Integers = npt.NDArray[np.int64]
State = tuple[int, int, int, int]  # melds, eyes, chows begun one kind back, two kinds back


@dataclass(frozen=True, eq=False)
class ProofGraph:
    """States between tile kinds, and arcs for the possible uses of each kind.

    A state is (melds so far, eyes so far, chows begun one kind back, chows begun
    two kinds back). Nodes are numbered by kind, then by state, counting only those
    on some path from the start to the end.

    Parameters
    ----------
    num_nodes
        Nodes; the first is the start, the last the end.
    tails, heads
        Nodes of each arc, shape (A,), tails ascending.
    kinds
        The kind that each arc belongs to.
    uses
        Copies of it that the arc takes, ``0..4``.
    """

    num_nodes: int
    tails: Integers
    heads: Integers
    kinds: Integers
    uses: Integers


def _moves(state: State, begins_chow: bool) -> dict[tuple[int, int, int], tuple[State, int]]:
    """Return the state after and the copies taken for each (chows, pongs, eyes) begun at a kind."""
    melds, eyes, one_back, two_back = state
    moves: dict[tuple[int, int, int], tuple[State, int]] = {}
    for chows in range(COPIES + 1 if begins_chow else 1):
        for pongs in (0, 1):
            for pairs in (0, 1):
                taken = one_back + two_back + chows + 3 * pongs + 2 * pairs
                after = (melds + chows + pongs, eyes + pairs, chows, one_back)
                if taken <= COPIES and after[0] <= 4 and after[1] <= 1:
                    moves[chows, pongs, pairs] = (after, taken)
    return moves


@lru_cache(maxsize=32)
def proof_graph(tiles: TileSet, called: int = 0) -> ProofGraph:
    """Build the graph of a tile set and a number of called melds, without nodes off all paths.

    Examples
    --------
    >>> from mjopt.hands.tiles import FULL
    >>> graph = proof_graph(FULL)
    >>> graph.num_nodes, len(graph.tails)
    (1466, 3975)
    """
    num_kinds = tiles.num_kinds
    begins = [kind in tiles.chow_starts for kind in range(num_kinds)]
    forward: list[set[State]] = [{(called, 0, 0, 0)}]
    for kind in range(num_kinds):
        forward.append(
            {after for state in forward[kind] for after, _ in _moves(state, begins[kind]).values()}
        )
    layers: list[list[State]] = [[(4, 1, 0, 0)]]
    for kind in range(num_kinds - 1, -1, -1):
        alive = set(layers[0])
        layers.insert(
            0,
            sorted(
                state
                for state in forward[kind]
                if any(after in alive for after, _ in _moves(state, begins[kind]).values())
            ),
        )
    layers[0] = [(called, 0, 0, 0)]  # kept even if the tile set has no complete hand
    number: list[dict[State, int]] = []
    total = 0
    for layer in layers:
        number.append({state: total + i for i, state in enumerate(layer)})
        total += len(layer)
    arcs = [
        (tail, number[kind + 1][after], kind, taken)
        for kind in range(num_kinds)
        for state, tail in number[kind].items()
        for after, taken in _moves(state, begins[kind]).values()
        if after in number[kind + 1]
    ]
    columns = np.array(arcs, dtype=np.int64).reshape(-1, 4).T
    tails, heads, kinds, uses = (np.ascontiguousarray(column) for column in columns)
    return ProofGraph(total, tails, heads, kinds, uses)
