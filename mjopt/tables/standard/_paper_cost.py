"""Signatures: the properties of one suit that determine the paper's cost.

A piece lies inside one suit, so a predecomposition is a choice of pieces for each suit.
Eq. 8 and its special cases depend on the numbers of melds and pmelds, whether there is a
pair, whether two pairs are of one kind, and, for four melds and nothing else, whether all
unused tiles are fourth copies of pongs. The signature of a suit lists the combinations of
these that are possible.
"""

from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from mjopt._internal.jit import inner, kernel
from mjopt.tables.standard.packed import pack
from mjopt.tables.suits.state_index import num_states, one_type_counts, state_numbers

# Eq. 8 of Yan and Li (2023): m melds and n pmelds cost 9 - 2m - n, and one more if m + n = 5 and
# there is no pair, or two equal pairs (special case 1), or if m = 4, n = 0 and both tiles left over
# are fourth copies of pongs (special case 2). docs/results/paper-cost.md compares the least cost
# with the deficiency on all hands; `mjopt.hands.predecomposition` computes the cost of one choice
# of pieces.
#
# A whole hand has a signature, too, because each condition follows from those of its suits: there
# is no pair if no suit has one, equal pairs lie in one suit, and a tile of a hand is spare in its
# suit. A signature has four sets of pairs (m, n). While a suit is searched, (m, n) is bit 11 m + n
# of a 64-bit word, so pieces are added to all choices by one shift; a signature keeps the 20 bits
# in use, `BIT`.

ANY, NO_PAIR, ONE_EACH, SPARE = range(4)
"""The four words of a signature, each a set of bits.

``ANY``: m melds and n pmelds fit in the suit. ``NO_PAIR``: they fit without a pair.
``ONE_EACH``: they fit with a pair, and no two pairs are of one kind. ``SPARE``: m melds
fit with an unused tile that is not the fourth copy of one of their pongs.
"""

BIT: Final = np.full((5, 6), -1, dtype=np.int64)
"""The bit for m melds and n pmelds; -1 where m + n exceeds five."""

for _m in range(5):
    for _n in range(6 - _m):
        BIT[_m, _n] = BIT.max() + 1

Words = npt.NDArray[np.uint32]
Integers = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]
Labels = npt.NDArray[np.int8]

_ROW: Final = 11  # bits from one number of melds to the next: sums of pmelds never reach it
_FITS: Final = sum(1 << (_ROW * m + n) for m in range(5) for n in range(6 - m))
_MELDS_ONLY: Final = sum(1 << (_ROW * m) for m in range(5))


@inner
def _extend(
    now: Integers, later: Integers, melds: int, pmelds: int, pairs: int, is_spare: bool
) -> None:
    """Add pieces of one rank to every choice so far, as bits ``_ROW * m + n``."""
    by = _ROW * melds + pmelds
    later[ANY] |= now[ANY] << by & _FITS
    if pairs == 0:
        later[NO_PAIR] |= now[NO_PAIR] << by & _FITS
        later[ONE_EACH] |= now[ONE_EACH] << by & _FITS
    elif pairs == 1:
        later[ONE_EACH] |= (now[ONE_EACH] | now[NO_PAIR]) << by & _FITS
    if pmelds == 0:
        # Special case 2 is about four melds and nothing else, so only choices without pmelds
        # matter.
        spare = now[SPARE]
        if is_spare:
            spare |= now[ANY] & _MELDS_ONLY
        later[SPARE] |= spare << by & _FITS


@kernel
def _sign_all(states: Bytes, order: Integers, bit: Integers, found: Words) -> None:  # noqa: PLR0912 - one search
    """Compute the signature of every state by a dynamic program over the ranks.

    Pieces that begin on a rank use copies of the next two ranks. States are in lexicographic
    order, so the results for the ranks shared with the previous state are reused.
    """
    held = np.zeros(11, np.int64)
    held[0] = -1  # matches no state
    ways = np.zeros((10, 5, 5, 4), np.int64)  # by copies taken from this rank and the next
    ways[0, 0, 0, ANY] = ways[0, 0, 0, NO_PAIR] = 1
    for i in order:
        same = 0
        while same < 8 and held[same] == states[i, same]:
            same += 1
        # ways[t + 1] depends on the copies of ranks up to t + 2 alone. The first `same` ranks are
        # those of the state before, so ways[same - 2] and all before it are still valid.
        for t in range(same, 9):
            held[t] = states[i, t]
        for t in range(max(same - 2, 0), 9):
            # ways[t, taken, above] holds the choices of pieces that begin before rank t and use so
            # many copies of rank t and of rank t + 1.
            now, later = ways[t], ways[t + 1]
            later[:] = 0
            # A pchow belongs to S if its missing tile is not held four times.
            waits = (t > 0 and held[t - 1] < 4) or (t < 7 and held[t + 2] < 4)
            for taken in range(held[t] + 1):
                for above in range(held[t + 1] + 1):
                    if now[taken, above, ANY] == 0:
                        continue
                    free = held[t] - taken
                    chows = min(free, held[t + 1] - above, held[t + 2])
                    for chow in range(chows + 1):
                        nexts = min(free - chow, held[t + 1] - above - chow) if waits else 0
                        for next_to in range(nexts + 1):
                            gaps = min(free - chow - next_to, held[t + 2] - chow)
                            for gap in range((gaps if held[t + 1] < 4 else 0) + 1):
                                rest = free - chow - next_to - gap
                                for pong in range(rest // 3 + 1):
                                    for pair in range((rest - 3 * pong) // 2 + 1):
                                        melds, pmelds = chow + pong, next_to + gap + pair
                                        if melds > 4 or melds + pmelds > 5:
                                            continue
                                        # A tile left over next to its own pong is the fourth copy:
                                        # not spare.
                                        left = rest - 3 * pong - 2 * pair
                                        _extend(
                                            now[taken, above],
                                            later[above + chow + next_to, chow + gap],
                                            melds,
                                            pmelds,
                                            pair,
                                            left > 0 and pong == 0,
                                        )
        # Pieces that would reach beyond the ninth rank found no copies there, so all choices end
        # here.
        whole = ways[9, 0, 0]
        for m in range(5):
            for n in range(6 - m):
                here = _ROW * m + n
                for word in range(3):
                    if whole[word] >> here & 1:
                        found[i, word] |= np.uint32(1) << np.uint32(bit[m, n])
            if whole[SPARE] >> (_ROW * m) & 1:
                found[i, SPARE] |= np.uint32(1) << np.uint32(m)


def suit_signatures() -> tuple[npt.NDArray[np.uint8], Words]:
    """List every suit state of at most fourteen tiles, shape ``(405350, 9)``, with its signature.

    States are in order of the number of tiles, then lexicographic. A signature is the words
    ``ANY``, ``NO_PAIR``, ``ONE_EACH`` and ``SPARE``: shape ``(405350, 4)``, uint32.
    """
    states = np.concatenate([one_type_counts(size) for size in range(15)])
    found = np.zeros((len(states), 4), dtype=np.uint32)
    order = np.lexsort(states.T[::-1])  # neighbours share many ranks
    _sign_all(states, order, BIT, found)
    return states, found


@inner
def _join_words(one: Words, two: Words, bit: Integers, out: Words) -> None:
    """Join two signatures: any pieces of the first with any pieces of the second."""
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
                    # One pair in each suit is allowed, since pairs of two suits differ: only a suit
                    # with two equal pairs spoils `ONE_EACH`.
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


@inner
def least_cost(words: Words, bit: Integers, special_case_2: bool) -> int:
    """Return the minimum of Eq. 8 over all predecompositions with this signature."""
    unit = np.uint32(1)
    best = 99
    for m in range(5):
        for n in range(6 - m):
            i = np.uint32(bit[m, n])
            if not (words[0] >> i) & unit:
                continue
            cost = 9 - 2 * m - n
            if m + n == 5:
                # One more without a pair, or if every choice has two pairs of one kind.
                if not (words[2] >> i) & unit:
                    cost += 1
            elif m == 4 and n == 0 and special_case_2 and not (words[3] >> np.uint32(4)) & unit:
                cost += 1
            best = min(best, cost)
    return best


@kernel
def join_pairs(words: Words, bit: Integers, first: Integers, second: Integers, out: Words) -> None:
    """Join the signatures of every listed pair of classes."""
    for i in range(len(first)):
        _join_words(words[first[i]], words[second[i]], bit, out[i])


@kernel
def judge_hands(
    pair_words: Words,
    pair_costs: Labels,
    pair_sizes: Bytes,
    words: Words,
    costs: Labels,
    sizes: Bytes,
    bit: Integers,
    values: Labels,
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
def _least_costs(words: Words, bit: Integers, out: Labels) -> None:
    """Write the minimum of Eq. 8 for every signature of a whole hand."""
    for row in range(len(words)):
        out[row] = least_cost(words[row], bit, True)


@cache
def _words_by_state() -> Words:
    """Return the signature of every state number; computed once per process in two seconds."""
    states, signatures = suit_signatures()
    words = np.zeros((num_states(9), 4), np.uint32)
    words[state_numbers(states)] = signatures
    return words


def paper_costs(counts: npt.NDArray[np.uint8]) -> npt.NDArray[np.int8]:
    """Return the paper's cost of hands of M0, shape ``(N, 27)``, with nothing called.

    Both special cases are applied.

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
