"""Which tiles the nearest complete hands still draw, for many hands at once."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from mjopt.hands.forms import UNREACHABLE
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.models.network import network_graph

_FAR = 90
_CHUNK = 256  # hands at a time: some 4 MB of costs

Small = npt.NDArray[np.int16]


@dataclass(frozen=True, slots=True, eq=False)
class Nearest:
    """What the nearest complete hands of each hand have in common.

    Parameters
    ----------
    deficiency
        Shape (N,), in tiles; ``UNREACHABLE`` where there is none.
    drawn
        Shape (N, K): whether some nearest complete hand draws that kind.
    """

    deficiency: npt.NDArray[np.int16]
    drawn: npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class _Arcs:
    """The arcs of one layer, in order of their tails, and how to order them by head."""

    tails: npt.NDArray[np.int64]
    heads: npt.NDArray[np.int64]
    uses: npt.NDArray[np.int64]
    first_of_tail: npt.NDArray[np.int64]
    by_head: npt.NDArray[np.int64]
    first_of_head: npt.NDArray[np.int64]


@lru_cache(maxsize=16)
def _arcs(tiles: TileSet, called: int) -> tuple[int, tuple[_Arcs, ...]]:
    graph = network_graph(tiles, called)
    table = np.array([(arc.tail, arc.head, arc.use) for arc in graph.arcs], dtype=np.int64)
    layer = np.array([graph.nodes[arc.tail].layer for arc in graph.arcs])
    layers = []
    for low, high in pairwise(np.searchsorted(layer, np.arange(tiles.num_kinds + 1)).tolist()):
        tails, heads, uses = table[low:high].T
        by_head = np.argsort(heads, kind="stable")
        layers.append(
            _Arcs(
                tails,
                heads,
                uses,
                np.unique(tails, return_index=True)[1],
                by_head,
                np.unique(heads[by_head], return_index=True)[1],
            )
        )
    return len(graph.nodes), tuple(layers)


def nearest(
    counts: npt.NDArray[np.uint8], unseen: npt.NDArray[np.uint8], tiles: TileSet, called: int = 0
) -> Nearest:
    """Find deficiency and drawn kinds of every row, standard form.

    Shortest paths from both ends of the network: an arc lies on a cheapest path
    exactly if what it costs, what leads to it and what follows add up to the least.

    Parameters
    ----------
    counts, unseen
        Copies held, and able to arrive, shape (N, K); together at most four.
    tiles
        The tile set of K kinds.
    called
        Melds on the table, the same for all rows.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> hand = Hand.parse("1112345678999m")
    >>> row = np.array([hand.counts], np.uint8)
    >>> found = nearest(row, 4 - row, hand.tiles)
    >>> found.deficiency.tolist(), np.flatnonzero(found.drawn[0]).tolist()
    ([1], [0, 1, 2, 3, 4, 5, 6, 7, 8])
    """
    parts = [
        _chunk(counts[i : i + _CHUNK], unseen[i : i + _CHUNK], tiles, called)
        for i in range(0, len(counts), _CHUNK)
    ]
    if not parts:
        return Nearest(np.zeros(0, np.int16), np.zeros((0, tiles.num_kinds), bool))
    return Nearest(
        np.concatenate([part.deficiency for part in parts]),
        np.concatenate([part.drawn for part in parts]),
    )


def _chunk(
    counts: npt.NDArray[np.uint8], unseen: npt.NDArray[np.uint8], tiles: TileSet, called: int
) -> Nearest:
    num_nodes, layers = _arcs(tiles, called)
    held = counts.astype(np.int16)[:, :, None]
    use = np.arange(COPIES + 1, dtype=np.int16)
    costs = np.maximum(use - held, 0)
    costs[use > held + unseen.astype(np.int16)[:, :, None]] = _FAR
    go: Small = np.zeros((len(counts), num_nodes), dtype=np.int16)
    come: Small = np.zeros((len(counts), num_nodes), dtype=np.int16)
    for kind in range(tiles.num_kinds - 1, -1, -1):
        arcs = layers[kind]
        through = costs[:, kind, arcs.uses] + go[:, arcs.heads]
        tails = arcs.tails[arcs.first_of_tail]
        go[:, tails] = np.minimum(np.minimum.reduceat(through, arcs.first_of_tail, axis=1), _FAR)
    least = go[:, 0]
    drawn = np.zeros((len(counts), tiles.num_kinds), dtype=bool)
    for kind, arcs in enumerate(layers):
        through = come[:, arcs.tails] + costs[:, kind, arcs.uses]
        nodes = arcs.heads[arcs.by_head][arcs.first_of_head]
        come[:, nodes] = np.minimum.reduceat(through[:, arcs.by_head], arcs.first_of_head, axis=1)
        np.minimum(come, _FAR, out=come)
        on_path = through + go[:, arcs.heads] == least[:, None]
        drawn[:, kind] = (on_path & (arcs.uses > held[:, kind])).any(axis=1)
    missing = least >= _FAR
    drawn[missing] = False
    return Nearest(np.where(missing, UNREACHABLE, least).astype(np.int16), drawn)
