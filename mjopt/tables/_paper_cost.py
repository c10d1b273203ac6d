"""Signatures: all that the paper's cost can see of one suit.

A piece lies inside one suit, so a predecomposition is a choice of pieces suit by
suit. Eq. 8 and its special cases read from it: the numbers of melds and pmelds,
whether there is a pair, whether two pairs are of one kind, and, for four melds and
nothing else, whether all tiles left over are fourth copies of pongs. For one suit it
is therefore enough to know which of these can be had together.
"""

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mjopt.runtime.kernels import kernel
from mjopt.tables.packed import pack
from mjopt.tables.states import num_states, one_type_counts, state_numbers

ANY, NO_PAIR, ONE_EACH, SPARE = range(4)
"""The four words of a signature, each a set of bits.

``ANY``: m melds and n pmelds fit in the suit. ``NO_PAIR``: they do without a pair.
``ONE_EACH``: they do with a pair, and no two pairs of one kind. ``SPARE``: m melds
fit so that a tile is left which is not the fourth copy of one of their pongs.
"""

BIT: Final = np.full((5, 6), -1, dtype=np.int64)
"""The bit of m melds and n pmelds; -1 where m + n is above five."""

for _m in range(5):
    for _n in range(6 - _m):
        BIT[_m, _n] = BIT.max() + 1

Words = npt.NDArray[np.uint32]

_CHOW, _PONG, _PAIR, _PCHOW = range(4)


@kernel
def _pieces(held: Any, shapes: Any, uses: Any) -> Any:
    """Fill in the set S of a suit (cases 1 to 5); return how many elements it has."""
    number = 0
    uses[:] = 0
    for t in range(9):
        if held[t] == 0:
            continue
        if t <= 6 and held[t + 1] > 0 and held[t + 2] > 0:
            shapes[number] = _CHOW
            uses[number, t : t + 3] = 1
            number += 1
        if held[t] >= 3:
            shapes[number] = _PONG
            uses[number, t] = 3
            number += 1
        if held[t] >= 2:
            shapes[number] = _PAIR
            uses[number, t] = 2
            number += 1
        below = t > 0 and held[t - 1] < 4
        above = t < 7 and held[t + 2] < 4
        if t <= 7 and held[t + 1] > 0 and (below or above):
            shapes[number] = _PCHOW
            uses[number, t : t + 2] = 1
            number += 1
        if t <= 6 and held[t + 2] > 0 and held[t + 1] < 4:
            shapes[number] = _PCHOW
            uses[number, t] = 1
            uses[number, t + 2] = 1
            number += 1
    return number


@kernel
def _fits(left: Any, uses: Any, piece: Any) -> bool:
    for t in range(9):  # noqa: SIM110 - an array expression here doubles the whole run
        if uses[piece, t] > left[t]:
            return False
    return True


@kernel
def _note(left: Any, m: Any, n: Any, pairs: Any, pongs: Any, bit: Any, words: Any) -> None:
    """Enter what the pieces chosen so far make. ``pairs``: 0 none, 1 each once, 2 twins."""
    one = np.uint32(1)
    here = one << np.uint32(bit[m, n])
    words[0] |= here
    if pairs < 2:
        words[1 + pairs] |= here
    if n == 0:
        for t in range(9):
            if left[t] > 0 and not (pongs >> t) & 1:
                words[3] |= one << np.uint32(m)
                break


@kernel
def _explore(left: Any, shapes: Any, uses: Any, number: Any, bit: Any, words: Any) -> None:
    """Try every multiset of at most five pieces, in order; a stack instead of recursion.

    (Compiled functions that call themselves cannot be kept in numba's cache.)
    """
    chosen = np.zeros(6, np.int64)  # the piece added at each depth
    coming = np.zeros(6, np.int64)  # the piece to try next at each depth
    melds = np.zeros(6, np.int64)
    pairs = np.zeros(6, np.int64)
    pongs = np.zeros(6, np.int64)
    depth = 0
    _note(left, 0, 0, 0, 0, bit, words)
    while depth >= 0:
        piece = coming[depth]
        if depth == 5 or piece == number:
            depth -= 1
            if depth >= 0:
                left += uses[chosen[depth]]
            continue
        coming[depth] += 1
        shape = shapes[piece]
        if (shape <= _PONG and melds[depth] == 4) or not _fits(left, uses, piece):
            continue
        left -= uses[piece]
        chosen[depth] = piece
        melds[depth + 1] = melds[depth] + (shape <= _PONG)
        pongs[depth + 1] = pongs[depth]
        pairs[depth + 1] = pairs[depth]
        if shape == _PONG:
            for t in range(9):
                if uses[piece, t] == 3:
                    pongs[depth + 1] |= 1 << t
        elif shape == _PAIR:
            twins = depth > 0 and chosen[depth - 1] == piece
            pairs[depth + 1] = 2 if twins else max(1, pairs[depth])
        depth += 1
        coming[depth] = piece
        _note(left, melds[depth], depth - melds[depth], pairs[depth], pongs[depth], bit, words)


@kernel
def _sign_all(states: Any, bit: Any, found: Any) -> None:
    shapes = np.zeros(48, np.int64)
    uses = np.zeros((48, 9), np.int64)
    left = np.zeros(9, np.int64)
    words = np.zeros(4, np.uint32)
    for i in range(len(states)):
        left[:] = states[i]
        number = _pieces(left, shapes, uses)
        words[:] = 0
        _explore(left, shapes, uses, number, bit, words)
        found[i] = words


def suit_signatures(*, threads: int = 2) -> tuple[npt.NDArray[np.uint8], Words]:
    """List every suit state of at most fourteen tiles with its signature.

    Parameters
    ----------
    threads
        Threads to use; the result does not depend on them.

    Returns
    -------
    states : ndarray of uint8, shape (405350, 9)
        By number of tiles, then in lexicographic order.
    signatures : ndarray of uint32, shape (405350, 4)
        The words ``ANY``, ``NO_PAIR``, ``ONE_EACH`` and ``SPARE``.
    """
    states = np.concatenate([one_type_counts(size) for size in range(15)])
    weights = 5 ** np.arange(9)
    codes, mirrored = states @ weights, states[:, ::-1] @ weights
    # A state and its mirror image have the same signature: sign one of each.
    where = np.flatnonzero(codes <= mirrored)
    found = np.zeros((len(where), 4), dtype=np.uint32)
    # Small slices, dealt in turn: full states take far longer than empty ones.
    slices = [slice(i, i + 1024) for i in range(0, len(where), 1024)]
    with ThreadPoolExecutor(max_workers=threads) as pool:
        list(pool.map(lambda s: _sign_all(states[where[s]], BIT, found[s]), slices[::-1]))
    order = np.argsort(codes[where])
    lookup = order[np.searchsorted(codes[where][order], np.minimum(codes, mirrored))]
    return states, found[lookup]


@kernel
def _join_words(one: Any, two: Any, bit: Any, out: Any) -> None:
    """Join two signatures: any pieces of the one with any pieces of the other."""
    unit = np.uint32(1)
    out[:] = 0
    for m1 in range(5):
        for n1 in range(6 - m1):
            i = np.uint32(bit[m1, n1])
            if not (one[0] >> i) & unit:
                continue
            for m2 in range(5 - m1):
                for n2 in range(6 - m1 - m2 - n1):
                    j = np.uint32(bit[m2, n2])
                    if not (two[0] >> j) & unit:
                        continue
                    here = unit << np.uint32(bit[m1 + m2, n1 + n2])
                    out[0] |= here
                    none1, none2 = (one[1] >> i) & unit, (two[1] >> j) & unit
                    pair1, pair2 = (one[2] >> i) & unit, (two[2] >> j) & unit
                    if none1 and none2:
                        out[1] |= here
                    if (pair1 and (none2 or pair2)) or (none1 and pair2):
                        out[2] |= here
                    if n1 == 0 and n2 == 0:
                        spare1 = (one[3] >> np.uint32(m1)) & unit
                        spare2 = (two[3] >> np.uint32(m2)) & unit
                        if spare1 or spare2:
                            out[3] |= unit << np.uint32(m1 + m2)


@kernel
def least_cost(words: Any, bit: Any, special_case_2: Any) -> Any:
    """Return the least of Eq. 8 over all predecompositions with this signature."""
    unit = np.uint32(1)
    best = 99
    for m in range(5):
        for n in range(6 - m):
            i = np.uint32(bit[m, n])
            if not (words[0] >> i) & unit:
                continue
            cost = 9 - 2 * m - n
            if m + n == 5:
                # Without a pair, or with two of one kind at best: one more.
                if not (words[2] >> i) & unit:
                    cost += 1
            elif m == 4 and n == 0 and special_case_2 and not (words[3] >> np.uint32(4)) & unit:
                cost += 1
            best = min(best, cost)
    return best


@kernel
def join_pairs(words: Any, bit: Any, first: Any, second: Any, out: Any) -> None:
    """Join the signatures of every listed pair of classes."""
    for i in range(len(first)):
        _join_words(words[first[i]], words[second[i]], bit, out[i])


@kernel
def judge_hands(
    pair_words: Any,
    pair_costs: Any,
    pair_sizes: Any,
    words: Any,
    costs: Any,
    sizes: Any,
    bit: Any,
    values: Any,
) -> None:
    """Fill in (deficiency, least cost, least cost without special case 2) of every join.

    ``values`` has shape (pair classes, classes, 3); -1 where the tiles are not 14.
    """
    joined = np.zeros(4, np.uint32)
    for i in range(len(pair_sizes)):
        for j in range(len(sizes)):
            if pair_sizes[i] + sizes[j] != 14:
                values[i, j] = -1
                continue
            least = 99
            for m in range(5):
                for e in range(2):
                    cost = pair_costs[i, 2 * m + e] + costs[j, 2 * (4 - m) + 1 - e]
                    least = min(least, cost)
            _join_words(pair_words[i], words[j], bit, joined)
            values[i, j, 0] = least
            values[i, j, 1] = least_cost(joined, bit, True)
            values[i, j, 2] = least_cost(joined, bit, False)


@kernel
def _least_costs(words: Any, bit: Any, out: Any) -> None:
    """Write the least of Eq. 8 for every signature of a whole hand."""
    for row in range(len(words)):
        out[row] = least_cost(words[row], bit, True)


@cache
def _words_by_state() -> Words:
    """Return the signature of every state number; found once a process, in seconds."""
    states, signatures = suit_signatures(threads=1)
    words = np.zeros((num_states(9), 4), np.uint32)
    words[state_numbers(states)] = signatures
    return words


def paper_costs(counts: npt.NDArray[np.uint8]) -> npt.NDArray[np.int8]:
    """Return the paper's cost of hands of M0 with nothing called, both special cases applied.

    Parameters
    ----------
    counts
        Copies per kind, shape (N, 27).

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> hand = Hand.parse("B3333 C222267 D7777", notation="paper")
    >>> paper_costs(np.array([hand.counts], np.uint8))  # its deficiency is 3  # doctest: +SKIP
    array([2], dtype=int8)
    """
    found = np.zeros(len(counts), np.int8)
    if not len(counts):
        return found
    numbers, words = pack(counts), _words_by_state()
    rows = np.arange(len(counts))
    both, whole = np.zeros((2, len(counts), 4), np.uint32)
    join_pairs(words, BIT, numbers[:, 0].astype(np.int64), numbers[:, 1].astype(np.int64), both)
    parts = np.concatenate([both, words[numbers[:, 2]]])
    join_pairs(parts, BIT, rows, rows + len(counts), whole)
    _least_costs(whole, BIT, found)
    return found
