"""Kernels that bound the value of every play from above and account for depleted tiles.

Depleted tiles are those drawn and discarded. Callers allocate the arrays, as for `_policy_kernels`.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import kernel
from mjopt.chances.win_chance._slopes import WIDTH, quotient
from mjopt.chances.win_chance.graph import GraphArrays

# full_hands_kernel and hands_kernel are the two halves of one step of T6, proved in
# docs/reference/optimal-play.md under "T6 in full", for all states. `_slopes` says how bounds are
# stored and rounded.

Longs = NDArray[np.int64]
Bytes = NDArray[np.int8]

LEVELS: Final = 10
"""Number of weights: 0 for kinds that are hardly ever depleted, 9 for half a copy or more."""

SHARE: Final = 12  # bits of the fraction of a slope that is kept

# Sums of one hand by kind, in one array as in `_lower_kernels`.
_SLOPE, _OWN, _GAIN, _CAP = range(0, 4 * WIDTH, WIDTH)


class UpperWork(NamedTuple):
    """Working memory of `full_hands_kernel` and `hands_kernel`, zeros."""

    b: Longs  # slopes of the hands with m - 1 draws left, shape (S, WIDTH)
    after: Longs  # the same with m draws left
    top: Longs  # T of the full hands, shape (F + 1,); the last is a win
    slopes: Longs  # q of the full hands, shape (F + 1, WIDTH)
    needs: Longs  # slack that q needs by weight, then the share that is kept; shape (LEVELS,)
    sums: Longs  # shape (4 * WIDTH,)


@kernel
def full_hands_kernel(  # noqa: PLR0912 - one loop over the discards
    graph: GraphArrays,
    full_starts: Longs,
    order: Longs,
    weights: Bytes,
    t: int,
    before: Longs,
    upper: Longs,
    work: UpperWork,
) -> None:
    """Find T and q of V <= T - q . delta for each full hand after a draw, the draw t + 1.

    T - q . delta must be at least v_y - b(h_y) . delta for every discard y and every possible
    delta. T is the greatest v, and q starts as the slopes of that hand.

    ``order`` has the edges sorted by full hand, ``full_starts`` the start of each full hand and end
    of the last. ``weights``, shape (S, K), 0..9: priority of each kind for keeping its slope; 0
    keeps none. t draws were made before. ``before`` and ``upper``, shape (S,): a and the bounds of
    T1 after the discard. ``work`` has b after the discard, and the outputs T and q.
    """
    states, held, left, num_new = graph.states, graph.held, graph.left, graph.num_new
    b, _, top, slopes, needs, sums = work
    num_kinds = held.size
    for f in range(full_starts.size - 1):
        begin, end = full_starts[f], full_starts[f + 1]
        s, y = graph.leaving[order[begin]] >> 7, graph.kinds[order[begin]]
        is_back = np.int64(states[s, y]) >= held[y]
        gone = t + 1 - num_new[s] - is_back
        if gone < 0:  # the hand needs more draws
            continue
        chosen, may_win = np.int64(-1), False
        for edge in range(begin, end):
            s, y = graph.leaving[order[edge]] >> 7, graph.kinds[order[edge]]
            worth = before[s]
            if np.int64(states[s, y]) >= held[y]:
                worth -= b[s, y]
            if chosen < 0 or worth > top[f]:
                top[f] = worth
                chosen = s
            may_win = may_win or upper[s] > 0
        if not may_win:  # all values stay 0
            continue
        s, y = graph.leaving[order[begin]] >> 7, graph.kinds[order[begin]]
        for z in range(num_kinds):
            sums[_CAP + z] = max(min(left[s, z] - (z == y and is_back), gone), 0)
        # Each discard below cuts from these slopes, and q is the least of all cuts. So the order
        # does not matter, and no cut breaks the condition of a discard before it, since the
        # condition grows with q.
        for z in range(WIDTH):
            sums[_OWN + z] = slopes[f, z] = b[chosen, z]
        for edge in range(begin, end):
            s, y = graph.leaving[order[edge]] >> 7, graph.kinds[order[edge]]
            slack = top[f] - before[s]
            if np.int64(states[s, y]) >= held[y]:
                slack += b[s, y]
            need, widest = np.int64(0), np.int64(0)
            for z in range(WIDTH):
                rise = max(sums[_OWN + z] - b[s, z], 0)
                sums[_GAIN + z] = rise
                need += rise * sums[_CAP + z]
                widest = max(widest, rise)
            if min(need, gone * widest) <= slack:
                continue
            # Reduce q towards b(h_y): the kinds of the highest weights keep their slopes while
            # the slack T - v_y suffices, those of the next weight keep a part.
            for level in range(LEVELS):
                needs[level] = 0
            for z in range(num_kinds):
                needs[weights[chosen, z]] += sums[_GAIN + z] * sums[_CAP + z]
            for level in range(LEVELS - 1, -1, -1):
                need = needs[level]
                needs[level] = 1 << SHARE if need <= slack else (slack << SHARE) // need
                slack = max(slack - need, 0)
            for z in range(num_kinds):
                rise, part = sums[_GAIN + z], needs[weights[chosen, z]]
                kept = sums[_OWN + z] - rise + (rise * part >> SHARE)
                slopes[f, z] = min(slopes[f, z], kept)


@kernel
def hands_kernel(  # noqa: PLR0912 - one loop over the draws
    graph: GraphArrays,
    weights: Bytes,
    t: int,
    size: int,
    one: int,
    slip: int,
    before: Longs,
    upper: Longs,
    values: Longs,
    work: UpperWork,
) -> None:
    """Find a' and b' of V <= a' - b' . delta for each hand after t draws.

    a' = a + sum of u_x G_x / (N - t), and b'_z = b_z + [l_z + sum of u_x D_x(z)] / (N - t), with
    l_x = G_x - max of (D_x)+ . delta.

    ``graph``, ``weights`` and ``t`` are as for `full_hands_kernel`. ``size`` is the number of tiles
    in the wall, ``one`` the integer that represents probability 1, ``slip`` the amount by which a'
    may exceed ``upper``. Shape (S,): ``before``, a after one more draw; ``upper``, the bounds of T1
    after t draws; ``values``, the output a'. ``work`` has b, T and q after one more draw, and the
    output b'.
    """
    states, held, left = graph.states, graph.held, graph.left
    b, after, top, slopes, _, sums = work
    num_kinds, num_full = held.size, np.int64(top.size - 1)
    now, share = size - t, 1 / (size - t)
    for s in range(states.shape[0]):
        gone = t - graph.num_new[s]
        if gone < 0 or upper[s] == 0:
            values[s] = upper[s]
            for z in range(WIDTH):
                after[s, z] = 0
            continue
        # At first every draw counts as refused, G_x = -b_x and D_x = 0. Each draw that can be kept
        # then replaces its terms.
        total = np.int64(0)
        for z in range(num_kinds):
            sums[_CAP + z] = left[s, z]
        for z in range(WIDTH):
            sums[_SLOPE + z] = 0
            sums[_OWN + z], sums[_GAIN + z] = b[s, z], -b[s, z]
            total -= sums[_CAP + z] * b[s, z]
        won = graph.win_starts[s + 1]
        # Winning draws have negative places, edges the others: both share the code of one loop. A
        # win is the full hand of number num_full, with T = 1 and q = 0.
        for place in range(graph.win_starts[s] - won, graph.starts[s + 1] - graph.starts[s]):
            if place < 0:
                x, made = graph.win_kinds[won + place], num_full
            else:
                edge = graph.starts[s] + place
                x, made = graph.kinds[edge], np.int64(graph.full[edge])
            copies = np.int64(left[s, x])
            if copies <= 0:
                continue
            gain = top[made] - before[s]
            if np.int64(states[s, x]) < held[x]:
                gain -= slopes[made, x]
            need, widest = np.int64(0), np.int64(0)
            for z in range(WIDTH):
                drop = slopes[made, z] - sums[_OWN + z]
                sums[_SLOPE + z] += copies * drop
                drop = max(drop, 0)
                need += sums[_CAP + z] * drop
                widest = max(widest, drop)
            sums[_GAIN + x] = gain - min(need, gone * widest)
            total += copies * (gain + sums[_OWN + x])
        values[s] = before[s] - (-total // now)
        is_bound = -one <= values[s] <= upper[s] + slip
        widest = np.int64(0)
        for z in range(num_kinds):
            slope = sums[_OWN + z] + quotient(sums[_GAIN + z] + sums[_SLOPE + z], now, share)
            if weights[s, z] == 0:
                slope = min(slope, 0)
            widest = max(widest, abs(slope))
            after[s, z] = slope
        # T1, with slopes of 0, is a bound too: it replaces a bound that is clearly greater, or
        # slopes above 1.
        if not is_bound or widest > one:
            values[s] = upper[s]
            for z in range(WIDTH):
                after[s, z] = 0
