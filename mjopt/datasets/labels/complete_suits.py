"""All complete suits as one small automaton.

Every way to fill a suit with so many melds, and perhaps the eye, is a word of copies.
Merging beginnings that can be continued in the same ways leaves an automaton of a few
hundred nodes, which is walked once for each suit state instead of 21,743 words.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mjopt.hands.tiles import COPIES
from mjopt.tables.costs import NUM_COSTS, cost_vectors
from mjopt.tables.states import one_type_counts


@dataclass(frozen=True, eq=False, slots=True)
class SuitWords:
    """The automaton, layer by layer.

    Parameters
    ----------
    after
        Shape (kinds, nodes, 5): the node of the next layer for 0..4 copies, 0 for none.
    num_nodes
        Nodes of each layer, one longer; node 0 is none.
    first
        The node it begins in.
    share
        The share ``2 * melds + eye`` of every last node, -1 for node 0.
    """

    after: NDArray[np.int32]
    num_nodes: NDArray[np.int64]
    first: int
    share: NDArray[np.int64]


@cache
def suit_words(num_kinds: int) -> SuitWords:
    """Merge the words of nine ranks, or of seven honours.

    Examples
    --------
    >>> words = suit_words(7)
    >>> words.num_nodes.max() < 100
    np.True_
    """
    costs = cost_vectors(num_kinds, has_chows=num_kinds == 9)
    place = 5 ** np.arange(num_kinds - 1, -1, -1)
    ends: NDArray[Any] = np.zeros(5**num_kinds, np.int32)
    for share in range(NUM_COSTS):
        copies = one_type_counts(3 * (share // 2) + 2 * (share % 2), num_kinds)
        codes = copies @ place
        ends[codes[costs[codes, share] == 0]] = share + 1
    layers, sizes = [], [NUM_COSTS + 1]
    for _ in range(num_kinds):
        rows, ends = np.unique(ends.reshape(-1, COPIES + 1), axis=0, return_inverse=True)
        ends = ends.ravel()
        if rows[0].any():  # node 0 must be the one with no continuation
            rows, ends = np.concatenate([np.zeros_like(rows[:1]), rows]), ends + 1
        layers.append(rows)
        sizes.append(len(rows))
    after = np.zeros((num_kinds, max(sizes), COPIES + 1), np.int32)
    for kind, rows in enumerate(reversed(layers)):
        after[kind, : len(rows)] = rows
    return SuitWords(
        after=after,
        num_nodes=np.array(sizes[::-1]),
        first=int(ends[0]),
        share=np.arange(-1, NUM_COSTS),
    )
