"""Kernels for expected draws: count one suit by class, and combine suits.

The kernels that combine suits multiply polynomials at evaluation points. They are written
once and compiled twice: for numbers modulo a prime below 2**29, and for floating point with
``prime`` zero. Modulo such a prime a product is below 2**58, so that 63 of them and a
remainder fit into 64 bits before they must be reduced.

Callers pass preallocated buffers: the code for allocating and freeing arrays took a third
of the compile time of these kernels.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import inner, kernel, specialised

MOST_PRODUCTS: Final = 63

WIDTH: Final = 37
"""Draws from one suit: none to all 36 of its tiles."""

CHOICES: Final = np.array(
    [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 2, 1, 0, 0], [1, 3, 3, 1, 0], [1, 4, 6, 4, 1]]
)
"""Binomial coefficients: ways to draw some (column) of the copies of a kind (row)."""

Small = NDArray[np.int32]
Ways = NDArray[np.int64]
Flags = NDArray[np.bool_]
Values = NDArray[np.uint32] | NDArray[np.uint64] | NDArray[np.float64]
Number = np.uint64 | float


@kernel
def suit_kernel(  # noqa: PLR0912 - one loop over the kinds
    steps: Small,
    wins: Flags,
    after_gap: Small,
    suit: Small,
    choices: Ways,
    counted: Ways,
    lists: Small,
    out: Ways,
) -> None:
    """Count the draws from one suit that lead to each class.

    No number exceeds the ways to draw tiles from 36, at most C(36, 18) = 9,075,135,300, so
    64 bits suffice.

    Parameters
    ----------
    steps, wins, after_gap
        The automaton, and the class of each state once a gap follows (-1: complete).
    suit
        Shape (K, 5): for each kind the copies held, the copies in the wall, the least and
        most copies allowed after the draws, and whether a gap in the ranks follows.
    choices
        ``CHOICES``.
    counted, lists
        Buffers of shapes (2, states, ``WIDTH``) and (5, states), all zero.
    out
        Output of shape (C, ``WIDTH``), all zero: counts by class and number of draws.
    """
    ways, after = counted[0], counted[1]
    active, fresh, listed = lists[0], lists[1], lists[2]
    most, most_after = lists[3], lists[4]  # most draws that lead to an active state
    num_active = 1
    active[0] = 0
    ways[0, 0] = 1
    for kind in range(suit.shape[0]):
        held, left, low, high = suit[kind, 0], suit[kind, 1], suit[kind, 2], suit[kind, 3]
        num_fresh = 0
        for place in range(num_active):
            state = active[place]
            for drawn in range(left + 1):
                copies = held + drawn
                if copies < low or copies > high:
                    continue
                target = steps[state, copies]
                if suit[kind, 4]:
                    target = steps[steps[target, 0], 0]
                if wins[target]:
                    continue
                if listed[target] == 0:
                    listed[target] = 1
                    fresh[num_fresh] = target
                    num_fresh += 1
                    most_after[target] = 0
                draws = most[state] + drawn
                most_after[target] = draws if draws > most_after[target] else most_after[target]
                times = choices[left, drawn]
                for before in range(most[state] + 1):
                    after[target, before + drawn] += times * ways[state, before]
        for place in range(num_active):
            for before in range(most[active[place]] + 1):
                ways[active[place], before] = 0
        for place in range(num_fresh):
            listed[fresh[place]] = 0
        ways, after = after, ways
        most, most_after = most_after, most
        active, fresh = fresh, active
        num_active = num_fresh
    for place in range(num_active):
        number = after_gap[active[place]]
        if number >= 0:
            for before in range(WIDTH):
                out[number, before] += ways[active[place], before]


@inner
def _add_product(total: Values, one: Values, two: Values) -> None:
    number = total.dtype.type
    for q in range(total.size):
        total[q] += number(one[q]) * number(two[q])


@inner
def _clear(total: Values) -> None:
    for q in range(total.size):
        total[q] = 0


@inner
def _reduce(total: Values, prime: Number, out: Values) -> None:
    """Write a total, reduced modulo the prime."""
    for q in range(total.size):
        out[q] = total[q] % prime if prime else total[q]


@inner
def _evaluate(
    ways: Ways, table: Values, prime: Number, total: Values, out: Values, on: Flags
) -> None:
    """Evaluate the polynomial of every class at every point."""
    number = total.dtype.type
    for c in range(ways.shape[0]):
        _clear(total)
        on[c] = False
        for draws in range(ways.shape[1]):
            if ways[c, draws]:
                on[c] = True
                times = number(ways[c, draws])
                if prime:
                    times %= prime
                for q in range(total.size):
                    total[q] += times * number(table[draws, q])
        if on[c]:
            _reduce(total, prime, out[c])


@inner
def _join(
    one: int,
    two: int,
    both: int,
    joins: Small,
    prime: Number,
    groups: Values,
    flags: Flags,
    totals: Values,
    added: Ways,
) -> None:
    """Combine two groups of suits, given by their indices."""
    for c in range(len(added)):
        flags[both, c] = False
        added[c] = 0
        _clear(totals[c])
    for a in range(len(added)):
        if not flags[one, a]:
            continue
        for b in range(len(added)):
            c = joins[a, b]
            if c < 0 or not flags[two, b]:
                continue
            flags[both, c] = True
            _add_product(totals[c], groups[one, a], groups[two, b])
            added[c] += 1
            if added[c] == MOST_PRODUCTS:
                _reduce(totals[c], prime, totals[c])
                added[c] = 0
    for c in range(len(added)):
        if flags[both, c]:
            _reduce(totals[c], prime, groups[both, c])


@inner
def _sum_compatible(
    rest: Values, rest_on: Flags, joins: Small, prime: Number, total: Values, out: Values
) -> None:
    """Add up, for each class, the classes that do not complete the hand with it."""
    for a in range(len(rest_on)):
        _clear(total)
        for b in range(len(rest_on)):
            if joins[a, b] >= 0 and rest_on[b]:
                for q in range(total.size):
                    total[q] += rest[b, q]
        _reduce(total, prime, out[a])


@inner
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


@inner
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
    suits: Ways,
    variants: Ways,
    places: Small,
    joins: Small,
    tables: Values,
    back: Values,
    prime: Number,
    groups: Values,
    flags: Flags,
    totals: Values,
    added: Ways,
    out: Values,
) -> None:
    """Count the draws that leave a hand incomplete, for many variants that replace one suit.

    Variant v has the suits of ``suits``, except for its own suit at index ``places[v]``.

    Parameters
    ----------
    suits, variants
        Shapes (S, C, W) and (V, C, W): ways by class and draws, of the original suits and
        of the replacements.
    places
        Shape (V,): index of the suit that each variant replaces.
    joins
        Shape (C, C): the class of two classes together; negative if complete.
    tables
        Shape (S or 1, W, Q): by number of draws, the value of one way at each point.
    back
        Shape (R, Q): matrix from values at the points to the requested numbers.
    prime
        The modulus; 0 for floating point.
    groups, flags, totals, added
        Buffers of shapes (3 S + 4, C, Q), (3 S + 3, C), (C + 1, Q) and (C,), the first two
        all zero; groups have the type of the tables, totals that of ``out``.
    out
        Output of shape (V, R); its type is used for the computation.
    """
    num_suits, num_classes = suits.shape[0], suits.shape[1]
    # Suits before each index, at it and from it on; both ends are the empty suit.
    at, after = num_suits + 1, 2 * num_suits + 1
    end = after + num_suits
    total, rest, rest_on, beside = totals[num_classes], groups[end + 1], flags[end + 1], end + 2
    flags[0, 0] = flags[end, 0] = True
    for q in range(total.size):
        groups[0, 0, q] = groups[end, 0, q] = 1
    first, last = num_suits, 0
    for v in range(len(places)):
        first = places[v] if places[v] < first else first
        last = places[v] if places[v] > last else last
    for s in range(num_suits):
        table = tables[s % len(tables)]
        _evaluate(suits[s], table, prime, total, groups[at + s], flags[at + s])
    for s in range(last):
        _join(s, at + s, s + 1, joins, prime, groups, flags, totals, added)
    for s in range(num_suits - 1, first, -1):
        _join(after + s + 1, at + s, after + s, joins, prime, groups, flags, totals, added)
    for s in range(num_suits):
        is_joined = False
        for v in range(len(variants)):
            if places[v] != s:
                continue
            if not is_joined:
                _join(s, after + s + 1, end + 1, joins, prime, groups, flags, totals, added)
                # Then one product per class covers every variant of this suit.
                _sum_compatible(rest, rest_on, joins, prime, total, groups[beside])
                is_joined = True
            _evaluate(variants[v], tables[s % len(tables)], prime, total, rest, rest_on)
            _sum_products(rest, rest_on, groups[beside], prime, total)
            _transform_back(total, back, prime, out[v])


joint_kernel = kernel(specialised(_joint_counts, "joint_kernel"))
"""Modulo a prime."""
float_joint_kernel = kernel(specialised(_joint_counts, "float_joint_kernel"))
"""In floating point."""


@kernel
def most_draws_kernel(most: Ways, joins: Small, reached: Ways) -> int:
    """Return the most draws that leave a hand incomplete; -1 if it is complete.

    Parameters
    ----------
    most
        Shape (S, C): for each suit the most draws that lead to each class, or -1.
    joins
        Shape (C, C): the class of two classes together; negative if complete.
    reached
        Buffer of shape (S + 1, C), all -1.
    """
    num_suits, num_classes = most.shape
    reached[0, 0] = 0
    for s in range(num_suits):
        for a in range(num_classes):
            for b in range(num_classes):
                c = joins[a, b]
                if c >= 0 and reached[s, a] >= 0 and most[s, b] >= 0:
                    draws = reached[s, a] + most[s, b]
                    reached[s + 1, c] = draws if draws > reached[s + 1, c] else reached[s + 1, c]
    greatest = -1
    for c in range(num_classes):
        greatest = reached[num_suits, c] if reached[num_suits, c] > greatest else greatest
    return greatest
