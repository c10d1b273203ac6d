"""Signatures: all that the paper's cost can see of one suit.

A piece lies inside one suit, so a predecomposition is a choice of pieces suit by
suit. Eq. 8 and its special cases read from it: the numbers of melds and pmelds,
whether there is a pair, whether two pairs are of one kind, and, for four melds and
nothing else, whether all tiles left over are fourth copies of pongs. For one suit it
is therefore enough to know which of these can be had together.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mjopt.runtime.kernels import kernel
from mjopt.tables.states import one_type_counts

ANY, NO_PAIR, ONE_EACH, SPARE = range(4)
"""The four words of a signature, each a set of bits.

``ANY``: m melds and n pmelds fit in the suit. ``NO_PAIR``: they do without a pair.
``ONE_EACH``: they do with a pair, and no two pairs of one kind. ``SPARE``: m melds
fit so that a tile is left which is not the fourth copy of one of their pongs.
"""

_NUMBER = np.full((5, 6), -1, dtype=np.int64)
for _m in range(5):
    for _n in range(6 - _m):
        _NUMBER[_m, _n] = _NUMBER.max() + 1
NUM_BITS: Final = int(_NUMBER.max()) + 1

Words = npt.NDArray[np.uint32]


def bit_of() -> npt.NDArray[np.int64]:
    """Return the bit of (m, n), shape (5, 6); -1 where m + n is above five.

    Examples
    --------
    >>> bit_of()[0, 0], bit_of()[4, 1], NUM_BITS
    (np.int64(0), np.int64(19), 20)
    """
    return _NUMBER.copy()


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
        list(pool.map(lambda s: _sign_all(states[where[s]], _NUMBER, found[s]), slices[::-1]))
    order = np.argsort(codes[where])
    lookup = order[np.searchsorted(codes[where][order], np.minimum(codes, mirrored))]
    return states, found[lookup]
