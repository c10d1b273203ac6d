"""Number of nearest complete hands and of decompositions, for many hands."""

from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.validation import whole
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.tables.labels.batch import label
from mjopt.tables.rows._array_input import as_hands
from mjopt.tables.rows.validation import tiles_by_length
from mjopt.tables.standard.packed import pack
from mjopt.tables.suits.costs import NUM_COSTS, cost_vectors
from mjopt.tables.suits.state_index import one_type_counts, state_copies

Counts = NDArray[np.uint8]
Integers = NDArray[np.int64]


@cache
def suit_words(num_kinds: int) -> tuple[NDArray[np.int32], Integers, int]:
    """Build a small automaton that accepts all complete suits of nine ranks, or of seven honours.

    A word is the copies of a suit filled with a given number of melds and possibly the eye. Merging
    prefixes with the same continuations leaves a few hundred nodes, which are visited once for each
    suit state instead of 21,743 words.

    The result is the node of the next layer after 0..4 copies of a kind, shape (kinds, nodes, 5);
    the number of nodes of each layer, the dead state included, shape (kinds + 1,); and the initial
    node. Node 0 is the dead state, if no word continues like that; after the last kind, node
    ``1 + share`` is for the share ``2 * melds + eye``.

    Examples
    --------
    >>> _, num_nodes, _ = suit_words(7)
    >>> num_nodes.max() < 100
    np.True_
    """
    costs = cost_vectors(num_kinds, has_chows=num_kinds == 9)
    place = 5 ** np.arange(num_kinds - 1, -1, -1)
    ends: NDArray[np.integer] = np.zeros(5**num_kinds, np.int32)
    for share in range(NUM_COSTS):
        copies = one_type_counts(3 * (share // 2) + 2 * (share % 2), num_kinds)
        codes = copies @ place
        ends[codes[costs[codes, share] == 0]] = share + 1
    layers, sizes = [], [NUM_COSTS + 1]
    for _ in range(num_kinds):
        rows, ends = np.unique(ends.reshape(-1, COPIES + 1), axis=0, return_inverse=True)
        ends = ends.ravel()
        if rows[0].any():  # node 0 must be the dead state
            rows, ends = np.concatenate([np.zeros_like(rows[:1]), rows]), ends + 1
        layers.append(rows)
        sizes.append(len(rows))
    after = np.zeros((num_kinds, max(sizes), COPIES + 1), np.int32)
    for kind, rows in enumerate(reversed(layers)):
        after[kind, : len(rows)] = rows
    return after, np.array(sizes[::-1]), int(ends[0])


def num_targets(counts: "Counts", *, tiles: TileSet | None = None, called: int = 0) -> "Integers":
    """Count the nearest complete hands of each hand, standard form.

    Parameters
    ----------
    counts
        Copies per kind, shape (N, 27) or (N, 34).
    tiles
        The tile set; by default ``M0`` for 27 kinds and ``FULL`` for 34.
    called
        Number of called melds.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> hand = Hand.parse("1112345678999m1p")
    >>> num_targets(np.array([hand.counts], np.uint8))
    array([12])
    """
    from mjopt.datasets.labels import _count_kernels

    called = whole(called, "called")
    counts = as_hands(counts, called, tiles)
    found = np.zeros(len(counts), np.int64)
    if not len(counts):
        return found
    numbers = pack(counts, tiles=tiles)
    sizes = [len(suit.ranks) for suit in tiles_by_length(counts.shape[1], tiles).suits]
    suits = np.empty(numbers.shape, np.int64)
    costs, ways, offset = [], [], 0
    for num_kinds in sorted(set(sizes), reverse=True):
        columns = np.flatnonzero(np.array(sizes) == num_kinds)
        states, which = np.unique(numbers[:, columns], return_inverse=True)
        some = np.empty((2, len(states), 10), np.int64)
        copies = state_copies(states, num_kinds)
        _count_kernels.nearest_of_suits(copies, *suit_words(num_kinds), *some)
        suits[:, columns] = which.reshape(numbers[:, columns].shape) + offset
        costs.append(some[0])
        ways.append(some[1])
        offset += len(states)
    _count_kernels.count_targets(
        suits, np.concatenate(costs), np.concatenate(ways), 4 - called, found
    )
    return found


def num_decompositions(
    counts: "Counts", *, tiles: TileSet | None = None, called: int = 0
) -> "Integers":
    """Count the decompositions of each hand into melds and an eye; 0 if it is not complete.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> hand = Hand.parse("11122233344455s")
    >>> num_decompositions(np.array([hand.counts], np.uint8))
    array([4])
    """
    counts = as_hands(counts, called, tiles)
    known = tiles_by_length(counts.shape[1], tiles)
    found = np.zeros(len(counts), np.int64)
    full = counts.sum(axis=1, dtype=np.int64) == 14 - 3 * called
    full &= label(counts, tiles=known, called=called) == 0
    for row in np.flatnonzero(full).tolist():
        hand = counts[row].tolist()
        without, with_eye = 1, 0
        for suit, part in zip(known.suits, known.slices, strict=True):
            none, eye = _suit_splits(tuple(hand[part]), suit.has_chows)
            without, with_eye = without * none, with_eye * none + without * eye
        found[row] = with_eye
    return found


@lru_cache(maxsize=1 << 16)
def _suit_splits(held: tuple[int, ...], has_chows: bool) -> tuple[int, int]:
    """Count the ways to split the end of a suit into melds, without and with an eye."""
    if not held:
        return 1, 0
    without = with_eye = 0
    first, *rest = held
    for chows in range(1 + (min(held[:3]) if has_chows and len(held) > 2 else 0)):
        left = [rest[0] - chows, rest[1] - chows, *rest[2:]] if chows else rest
        none, eye = _suit_splits(tuple(left), has_chows)
        if first - chows in (0, 3):
            without, with_eye = without + none, with_eye + eye
        elif first - chows == 2:
            with_eye += none
    return without, with_eye
