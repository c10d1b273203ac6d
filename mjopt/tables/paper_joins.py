"""Joins of suits: signatures and deficiencies of two suits, and of a whole hand."""

from typing import Any

import numpy as np

from mjopt.runtime.kernels import kernel


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
