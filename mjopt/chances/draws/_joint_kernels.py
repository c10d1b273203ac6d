"""Kernels for expected draws: join the parts of a hand, whose draws are counted by class.

The kernel that joins parts multiplies polynomials at evaluation points. It is written once and
compiled twice: for numbers modulo a prime below 2**29, and for floating point with ``prime`` zero.
Modulo such a prime a product is below 2**58, so that 63 of them and a remainder fit into 64 bits
before they must be reduced.

Callers pass preallocated buffers: the code for allocating and freeing arrays took a third
of the compile time of these kernels.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import inner, kernel, specialised

# ways(i), the sets of i tiles of the wall that leave a hand incomplete, is the coefficient of x**i
# in a sum of products of four polynomials, one for each part of the hand, over all classes of parts
# that do not complete it (docs/reference/expected-draws.md, "Counting"). `_part_kernel` counts the
# coefficients of one part. The joint kernel multiplies values at points instead of coefficients: a
# product of polynomials is then one product for each point, in an inner loop that LLVM vectorises.
# Arrays have classes as rows and points as columns, so that this loop runs over contiguous memory.
# Rows of all parts are one below the other, and `starts` finds those of a part.

MOST_PRODUCTS: Final = 63

PARTS: Final = 4
"""Parts of a hand: two of each half."""


Small = NDArray[np.int32]
Costs = NDArray[np.int8]
Ways = NDArray[np.int64]
Flags = NDArray[np.bool_]
Values = NDArray[np.uint32] | NDArray[np.uint64] | NDArray[np.float64]
Number = np.uint64 | float


@inner(inline=True)
def _add_product(total: Values, one: Values, two: Values) -> None:
    number = total.dtype.type
    for q in range(total.size):
        total[q] += number(one[q]) * number(two[q])


@inner(inline=True)
def _clear(total: Values) -> None:
    for q in range(total.size):
        total[q] = 0


@inner(inline=True)
def _reduce(total: Values, prime: Number, out: Values) -> None:
    """Write a total, reduced modulo the prime."""
    for q in range(total.size):
        out[q] = total[q] % prime if prime else total[q]


@inner(inline=True)
def _evaluate(
    ways: Ways, most: Ways, table: Values, prime: Number, total: Values, out: Values, on: Flags
) -> None:
    """Evaluate the polynomial of every class at every point."""
    number = total.dtype.type
    for c in range(len(ways)):
        on[c] = most[c] >= 0
        if on[c]:
            _clear(total)
            for draws in range(most[c] + 1):
                # At most 64 products of factors below the prime: their sum is below 2**6 * 2**58.
                if ways[c, draws]:
                    times = number(ways[c, draws])
                    if prime:
                        times %= prime
                    for q in range(total.size):
                        total[q] += times * number(table[draws, q])
            _reduce(total, prime, out[c])


@inner(inline=True)
def _join(
    codes: Small,
    one: Values,
    one_on: Flags,
    two: Values,
    two_on: Flags,
    prime: Number,
    totals: Values,
    added: Small,
    half: Values,
) -> None:
    """Combine two parts to a half: for each class, the sum of the products that lead to it."""
    for p in range(len(added)):
        added[p] = 0
        _clear(totals[p])
    for a in range(codes.shape[0]):
        if not one_on[a]:
            continue
        for b in range(codes.shape[1]):
            if not two_on[b]:
                continue
            p = codes[a, b]
            # A total holds at most `added` products and one remainder, so it fits in 64 bits.
            if added[p] == MOST_PRODUCTS:
                _reduce(totals[p], prime, totals[p])
                added[p] = 0
            _add_product(totals[p], one[a], two[b])
            added[p] += 1
    for p in range(len(added)):
        _reduce(totals[p], prime, half[p])


@inner(inline=True)
def _sum_incomplete(
    costs: Costs,
    half: Values,
    added: Small,
    worth: Values,
    has_worth: Flags,
    prime: Number,
    totals: Values,
    above: Values,
) -> None:
    """Add up, for each class of a half, the classes of the other that leave the hand incomplete.

    Classes with equal costs are added before they are multiplied by the draws of jokers.
    """
    total, sums = totals[0], totals[1]
    for p in range(costs.shape[0]):
        _clear(total)
        for cost in range(len(worth)):
            if not has_worth[cost]:
                continue
            _clear(sums)
            for o in range(costs.shape[1]):
                if costs[p, o] == cost and added[o]:
                    for q in range(sums.size):
                        sums[q] += half[o, q]
            _reduce(sums, prime, above[p])
            _add_product(total, above[p], worth[cost])
        _reduce(total, prime, above[p])


@inner(inline=True)
def _sum_beside(
    codes: Small,
    above: Values,
    two: Values,
    two_on: Flags,
    prime: Number,
    total: Values,
    beside: Values,
) -> None:
    """Add up, for each class of a part, the products of all that leaves the hand incomplete."""
    for a in range(codes.shape[0]):
        added = 0
        _clear(total)
        for b in range(codes.shape[1]):
            if two_on[b]:
                _add_product(total, above[codes[a, b]], two[b])
                added += 1
                if added == MOST_PRODUCTS:
                    _reduce(total, prime, total)
                    added = 0
        _reduce(total, prime, beside[a])


@inner(inline=True)
def _sum_products(one: Values, on: Flags, two: Values, prime: Number, total: Values) -> None:
    _clear(total)
    added = 0
    for a in range(len(on)):
        if on[a]:
            _add_product(total, one[a], two[a])
            added += 1
            if added == MOST_PRODUCTS:
                _reduce(total, prime, total)
                added = 0
    _reduce(total, prime, total)


@inner(inline=True)
def _transform_back(values: Values, back: Values, prime: Number, out: Values) -> None:
    """Convert values at the points to the requested numbers (matrix-vector product)."""
    number = out.dtype.type
    for r in range(len(back)):
        out[r] = 0
        for q in range(values.size):
            out[r] += number(back[r, q]) * number(values[q])
            if prime and q % MOST_PRODUCTS == MOST_PRODUCTS - 1:
                out[r] %= prime
    _reduce(out, prime, out)


def _joint_counts(
    ways: Ways,
    most: Ways,
    starts: Ways,
    places: Ways,
    codes: tuple[Small, Small, Small, Small],
    costs: tuple[Costs, Costs],
    tables: Values,
    worth: Values,
    has_worth: Flags,
    back: Values,
    prime: Number,
    values: Values,
    on: Flags,
    halves: Values,
    totals: Values,
    added: Small,
    out: Values,
) -> None:
    """Count the draws that leave a hand incomplete, for many variants that replace one part.

    Variant v has the parts of the first hand, except for its own one at index ``places[v]``.

    - ``ways``, shape (N, W), and ``most``, (N,): ways by class and draws, and the most draws or -1,
      of the four parts of the first hand and of that of each variant, one below the other
    - ``starts``, (5 + V,): the first row of each part, and the number of rows
    - ``places``, (V,): index of the part that each variant replaces
    - ``codes``, (A, B), (B, A), (C, D) and (D, C): the class of a half by those of its parts
    - ``costs``, (P, O) and (O, P): the tiles that a hand misses, by the classes of both halves
    - ``tables``, (4 or 1, W, Q): by number of draws from a part, the value of one way at each point
    - ``worth``, (M, Q), and ``has_worth``, (M,): by the tiles that a hand misses, the value of the
      draws of jokers that leave it incomplete; and whether there are such draws
    - ``back``, (R, Q): matrix from values at the points to the requested numbers
    - ``prime``: the modulus; 0 for floating point
    - ``values``, ``on``, ``halves``, ``totals``, ``added``: buffers of shapes (N, Q), (N,),
      (3, H, Q), (H + 1, Q) and (H,), where H is at least 2 and every number of classes; values and
      halves have the type of the tables, totals that of ``out``
    - ``out``, (V, R): output; its type is used for the computation
    """
    room = len(added)
    half, above, beside, total = halves[0], halves[1], halves[2], totals[room]
    for part in range(len(starts) - 1):
        place = part if part < PARTS else places[part - PARTS]
        first, last, table = starts[part], starts[part + 1], tables[place % len(tables)]
        _evaluate(
            ways[first:last], most[first:last], table, prime, total, values[first:], on[first:last]
        )
    # The count is linear in the polynomials of each part. So all that goes with a class of the
    # replaced part is added up once, in `beside`, and each variant takes one product for each of
    # its classes.
    for side in range(2):
        one, two = 2 - 2 * side, 3 - 2 * side  # the parts of the other half
        is_joined = False
        for place in range(2 * side, 2 * side + 2):
            other = place + 1 - 2 * (place % 2)
            is_summed = False
            for v in range(len(places)):
                if places[v] != place:
                    continue
                if not is_joined:
                    _join(
                        codes[2] if side == 0 else codes[0],
                        values[starts[one] :],
                        on[starts[one] :],
                        values[starts[two] :],
                        on[starts[two] :],
                        prime,
                        totals,
                        added,
                        half,
                    )
                    _sum_incomplete(
                        costs[side], half, added, worth, has_worth, prime, totals, above
                    )
                    is_joined = True
                if not is_summed:
                    # Then one product per class covers every variant of this part.
                    _sum_beside(
                        _codes_at(codes, place),
                        above,
                        values[starts[other] :],
                        on[starts[other] :],
                        prime,
                        total,
                        beside,
                    )
                    is_summed = True
                first, last = starts[PARTS + v], starts[PARTS + v + 1]
                _sum_products(values[first:], on[first:last], beside, prime, total)
                _transform_back(total, back, prime, out[v])


@inner(inline=True)
def _codes_at(codes: tuple[Small, Small, Small, Small], place: int) -> Small:
    """Return the codes of a half whose rows are the classes of one of its parts."""
    if place < 2:
        return codes[0] if place == 0 else codes[1]
    return codes[2] if place == 2 else codes[3]


joint_kernel = kernel(specialised(_joint_counts, "joint_kernel"))
"""Modulo a prime."""
float_joint_kernel = kernel(specialised(_joint_counts, "float_joint_kernel"))
"""In floating point."""


@kernel
def most_draws_kernel(
    most: Ways,
    starts: Ways,
    left: Small,
    right: Small,
    costs: Costs,
    more: Ways,
    reached: Ways,
) -> int:
    """Return the most draws that leave a hand incomplete; -1 if it is complete.

    ``most`` and ``starts``, shapes (N,) and (5,): the most draws that lead to each class of four
    parts, or -1, and the first row of each part. ``left``, ``right`` and ``costs``: the class of
    each half by those of its parts, and the tiles that a hand misses. ``more``, shape (M,): by the
    tiles that a hand misses, the most draws of jokers that leave it incomplete, or -1. ``reached``
    is a buffer of shape (2, H), all -1.
    """
    for side in range(2):
        codes = left if side == 0 else right
        first, second = starts[2 * side], starts[2 * side + 1]
        for a in range(codes.shape[0]):
            for b in range(codes.shape[1]):
                p = codes[a, b]
                if most[first + a] >= 0 and most[second + b] >= 0:
                    draws = most[first + a] + most[second + b]
                    reached[side, p] = draws if draws > reached[side, p] else reached[side, p]
    greatest = -1
    for p in range(costs.shape[0]):
        for o in range(costs.shape[1]):
            jokers = more[costs[p, o]]
            if jokers >= 0 and reached[0, p] >= 0 and reached[1, o] >= 0:
                draws = reached[0, p] + reached[1, o] + jokers
                greatest = draws if draws > greatest else greatest
    return greatest
