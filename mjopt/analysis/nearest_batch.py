"""Nearest complete hands by shortest paths from both ends of the network, for many hands."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from mjopt._internal.jit import is_few
from mjopt.hands.rules.classic_forms import UNREACHABLE, standard_template
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.models.shortest_path import FAR, network_layers
from mjopt.tables.rows._array_input import as_flags, flat

_CHUNK = 256  # hands at a time: about 4 MB of costs
_FEW = 1000  # hands: for fewer, NumPy is faster than loading numba

Bytes = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]
Places = npt.NDArray[np.int64]
Small = npt.NDArray[np.int16]


def nearest_kinds(
    counts: Sequence[Sequence[int]], unseen: Sequence[Sequence[int]], tiles: TileSet, called: int
) -> list[tuple[int, list[int]]]:
    """Return deficiency and drawn kinds of each hand; see :func:`nearest`."""
    held, left = np.array(counts, dtype=np.uint8), np.array(unseen, dtype=np.uint8)
    least, drawn = nearest(held, left, tiles, called)
    kinds = [np.flatnonzero(row).tolist() for row in drawn]
    return list(zip(least.tolist(), kinds, strict=True))


def nearest(counts: Bytes, unseen: Bytes, tiles: TileSet, called: int = 0) -> tuple[Small, Flags]:
    """Find the deficiency, shape ``(N,)``, and the drawn kinds, ``(N, K)``, of rows, standard form.

    Shortest paths from both ends of the network: an arc is on a cheapest path exactly if its cost,
    the cost to reach it and the cost after it add up to the minimum. Copies held, and copies that
    can arrive, have shape ``(N, K)``; together they are at most four. The deficiency is
    ``UNREACHABLE`` where no complete hand can be reached; a kind is drawn if some nearest complete
    hand draws it.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> hand = Hand.parse("1112345678999m")
    >>> row = np.array([hand.counts], np.uint8)
    >>> deficiency, drawn = nearest(row, 4 - row, hand.tiles)
    >>> deficiency.tolist(), np.flatnonzero(drawn[0]).tolist()
    ([1], [0, 1, 2, 3, 4, 5, 6, 7, 8])
    """
    if not is_few(len(counts), _FEW) and tiles.num_kinds <= 64:  # one bit for each kind
        return _compiled(counts, unseen, tiles, called)
    least = np.zeros(len(counts), np.int16)
    drawn = np.zeros((len(counts), tiles.num_kinds), bool)
    for start in range(0, len(counts), _CHUNK):
        part = slice(start, start + _CHUNK)
        least[part], drawn[part] = _nearest(counts[part], unseen[part], tiles, called)
    return least, drawn


def _compiled(counts: Bytes, unseen: Bytes, tiles: TileSet, called: int) -> tuple[Small, Flags]:
    from mjopt.tables.labels import _form_kernels

    least, masks = np.empty(len(counts), np.int16), np.empty(len(counts), np.uint64)
    begins, moves = _form_kernels.begins_chow(tiles), _form_kernels.MOVE_TABLE
    held, left = flat(counts), flat(unseen)
    _form_kernels.limited_waits(held, left, begins, 4 - called, moves, least, masks)
    least[least >= _form_kernels.FAR] = UNREACHABLE
    return least, as_flags(masks, tiles.num_kinds)


@lru_cache(maxsize=16)
def _by_head(tiles: TileSet, called: int) -> list[tuple[Places, Places]]:
    """Return for each layer the order of its arcs by head, and where each head begins."""
    lay = network_layers(standard_template(tiles), tiles, called)
    orders = []
    for low, high in pairwise(lay.bounds):
        order = np.argsort(lay.heads[low:high], kind="stable")
        firsts = np.unique(lay.heads[low:high][order], return_index=True)[1]
        orders.append((order, firsts))
    return orders


def _nearest(counts: Bytes, unseen: Bytes, tiles: TileSet, called: int) -> tuple[Small, Flags]:
    """Return deficiency and drawn kinds; cost arrays have shape (arcs or nodes, hands)."""
    lay, orders = network_layers(standard_template(tiles), tiles, called), _by_head(tiles, called)
    num_kinds, number = tiles.num_kinds, len(counts)
    held = counts.T.astype(np.int16)[:, None]
    use = np.arange(COPIES + 1, dtype=np.int16)[None, :, None]
    costs = np.maximum(use - held, 0)
    costs[use > held + unseen.T[:, None]] = FAR
    by_arc = costs.reshape(-1, number)[lay.flat]
    go = np.full((lay.num_nodes, number), FAR, np.int16)
    go[-1] = 0
    layers = list(pairwise(lay.bounds))
    for kind in range(num_kinds - 1, -1, -1):
        low, high = layers[kind]
        if low < high:
            through = go[lay.heads[low:high]]
            through += by_arc[low:high]
            best = np.minimum.reduceat(through, lay.firsts[kind], axis=0)
            np.minimum(best, FAR, out=go[lay.sources[kind]])
    come = np.zeros_like(go)
    drawn = np.zeros((num_kinds, number), bool)
    for kind, (low, high) in enumerate(layers):
        if low < high:
            through = come[lay.tails[low:high]]
            through += by_arc[low:high]
            order, firsts = orders[kind]
            heads = lay.heads[low:high]
            best = np.minimum.reduceat(through[order], firsts, axis=0)
            come[heads[order[firsts]]] = np.minimum(best, FAR)
            through += go[heads]
            takes = lay.flat[low:high, None] % (COPIES + 1) > held[kind]
            drawn[kind] = ((through == go[0]) & takes).any(axis=0)
    is_far = go[0] >= FAR
    drawn[:, is_far] = False
    return np.where(is_far, UNREACHABLE, go[0]).astype(np.int16), drawn.T
