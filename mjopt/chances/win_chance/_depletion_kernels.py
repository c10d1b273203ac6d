"""Kernels for bounds of the chance to win that count depleted tiles: drawn and discarded ones.

Callers allocate the arrays, as for `_policy_kernels`.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import inner, kernel
from mjopt.chances.win_chance._policy_kernels import PolicyRows
from mjopt.chances.win_chance.graph import WORDS, GraphArrays
from mjopt.hands.tiles import COPIES

# Two backward inductions over the number of draws, proved in docs/reference/optimal-play.md under
# "T1 and T3 in full" and "T6 in full": lower_kernel is one step of T3, for the rows of a policy;
# full_hands_kernel and hands_kernel are the two halves of one step of T6, for all states. For each
# hand they keep a number a and a slope b_z for each kind z, so that a - b . delta bounds the value
# for every vector delta of depleted copies at once. Without slopes a state would be a hand and a
# wall.
# Numbers are in units of 2**-48 and are rounded so that they remain bounds: a down and b up in T3,
# a up and b down in T6. `//` rounds down, -(-x // n) up.
# Slopes are rows of WIDTH numbers for every tile set: with a constant length LLVM vectorises the
# inner loops without a remainder. Kinds that the tile set lacks keep the slope 0.

Longs = NDArray[np.int64]
Bytes = NDArray[np.int8]
Flags = NDArray[np.bool_]
Words = NDArray[np.uint64]

WIDTH: Final = 40
"""Kinds, padded to whole vector registers for every tile set."""

LEVELS: Final = 10
"""Number of weights: 0 for kinds that are hardly ever depleted, 9 for half a copy or more."""

SHARE: Final = 12  # bits of the fraction of a slope that is kept

_ONE, _FOUR = np.uint64(1), np.uint64(15)
_FIRST = np.uint64(0x1111111111111111)  # the first bit of each kind
# Sums of one hand by kind. They share one array, so that LLVM knows that they do not overlap and
# vectorises the loops over them.
_SLOPE, _SPREAD, _WIDEST, _MORE, _OWN, _GAIN, _CAP, _WEIGH = range(0, 8 * WIDTH, WIDTH)


class LowerLayers(NamedTuple):
    """Working memory of `lower_kernel`: a and b of two numbers of draws, zeros.

    Each is two rows longer than the longest layer, since rows are numbered from 2: at index 0, a
    is 1 (a win), and at index 1 it is 0 (no row).
    """

    a: Longs
    b: Longs  # shape (R, WIDTH)
    above: Longs
    after: Longs  # shape (R, WIDTH)


class UpperWork(NamedTuple):
    """Working memory of `depletion_kernel`, zeros."""

    b: Longs  # slopes of the hands with m - 1 draws left, shape (S, WIDTH)
    after: Longs  # the same with m draws left
    top: Longs  # T of the full hands, shape (F + 1,); the last is a win
    slopes: Longs  # q of the full hands, shape (F + 1, WIDTH)
    needs: Longs  # slack that q needs by weight, then the share that is kept; shape (LEVELS,)
    sums: Longs  # shape (8 * WIDTH,)


@kernel
def depletion_caps_kernel(
    graph: GraphArrays, rows: PolicyRows, reached: Flags, caps: Words, refused: Words
) -> None:
    """Find the rows that some roots lead to, and the most depleted copies of each kind there.

    ``rows`` is the result of `follow_kernel`. In ``reached``, by row, only the roots are set.
    ``caps`` is an output of shape (R, 3), zeros: copies in unary, four bits for each kind, as many
    set as copies. ``refused`` is working memory of shape (3,).
    """
    row_states, begins, move_starts, moves, stays = rows
    room, num_new = graph.room, graph.num_new
    # The caps of a row are the union of the caps of the rows before it: in unary the greater of
    # two numbers of copies is a bitwise or, and one more is a shift, for 16 kinds at once. At most
    # t - num_new copies are depleted in all, and no more of a kind than the wall held.
    # Rows of draw t are final when the loop reaches them, because moves lead to the next draw only.
    # On 22557m234p34789s3z with waste 2 and 18 draws this took .56 of the time of a loop over
    # kinds.
    for t in range(begins.size - 2):
        end = begins[t + 1]
        for row in range(begins[t], end):
            if not reached[row]:
                continue
            s = row_states[row]
            # `most * _FIRST` repeats four bits for all kinds; `(room & _FIRST) * _FOUR` sets the
            # four bits of each kind of which the wall had a copy. Kinds that a move keeps are then
            # taken out.
            most = (_ONE << np.uint64(min(t - num_new[s], 4))) - _ONE
            for w in range(WORDS):
                caps[row, w] &= room[s, w] & (most * _FIRST)
                refused[w] = (room[s, w] & _FIRST) * _FOUR
            for move in range(move_starts[row], move_starts[row + 1]):
                word = moves[move]
                at, x, y = (word >> 14) - 2 + end, word >> 8 & 63, word >> 2 & 63
                refused[x >> 4] &= ~_bits(_FOUR, x)
                if at < end:
                    continue
                reached[at] = True
                for w in range(WORDS):
                    caps[at, w] |= caps[row, w]
                if word & 2:
                    caps[at, x >> 4] |= _one_more(caps[row, x >> 4], x)
                if word & 1:
                    caps[at, y >> 4] |= _one_more(caps[row, y >> 4], y)
            all_refused = np.uint64(0)
            for w in range(WORDS):
                all_refused |= refused[w]
            if stays[row] > 1 and all_refused:
                at = stays[row] - 2 + end
                reached[at] = True
                for w in range(WORDS):
                    # One copy more of all refused kinds: the bits of each kind move up by one. The
                    # bit that leaves a kind is cleared in the next one, and the lowest bit is set.
                    before = caps[row, w]
                    caps[at, w] |= before | (before << _ONE & ~_FIRST | _FIRST) & refused[w]


@inner
def _bits(bits: np.uint64, kind: int) -> np.uint64:
    """Shift four bits to the position of a kind."""
    return bits << np.uint64(4 * (kind & 15))


@inner
def _one_more(word: np.uint64, kind: int) -> np.uint64:
    """Return the bits of a kind with one copy more."""
    bits = word >> np.uint64(4 * (kind & 15)) & _FOUR
    return _bits((bits << _ONE | _ONE) & _FOUR, kind)


@inner
def _copies(word: np.uint64, kind: int) -> np.int64:
    """Count the bits that are set for a kind."""
    bits = np.int64(word >> np.uint64(4 * (kind & 15)) & _FOUR)
    return (bits & 1) + (bits >> 1 & 1) + (bits >> 2 & 1) + (bits >> 3)


@inner
def _quotient(number: np.int64, by: int, share: float) -> np.int64:
    """Return ``number // by``, rounded down; ``share`` is ``1 / by``.

    The second product corrects the error of the first. This takes a fifth of the time of ``//``,
    since the processor vectorises multiplications.
    """
    # The rest `number - near * by` is small, and exact as a float. Half a unit more, divided by
    # `by`, is at least 1 / (2 by) away from every integer, so that rounding cannot change its
    # floor.
    near = np.int64(number * share)
    return near + np.int64(np.floor((number - near * by + 0.5) * share))


@inner(inline=True)
def _keep_within(limit: int, row: int, a: Longs, b: Longs) -> None:
    """Cut the slopes of a row to the limit where that keeps a bound, else use the bound 0."""
    widest, below = abs(a[row]), np.int64(0)
    for z in range(WIDTH):
        widest = max(widest, abs(b[row, z]))
    if widest > limit:
        # A positive slope that is cut matters only where a copy of its kind is depleted. The bound
        # is at most 0 there, and so it holds, if a and all that negative slopes can add are
        # together within the limit.
        for z in range(WIDTH):
            b[row, z] = min(max(b[row, z], -limit), limit)
            below -= min(b[row, z], 0)
        if abs(a[row]) > limit or a[row] + COPIES * below > limit:
            a[row] = 0
            for z in range(WIDTH):
                b[row, z] = 0


@kernel
def lower_kernel(  # noqa: PLR0912 - one loop over the moves of a row
    left: Bytes,
    num_new: Longs,
    rows: PolicyRows,
    reached: Flags,
    caps: Words,
    weighs: Longs,
    t: int,
    size: int,
    limit: int,
    layers: LowerLayers,
    sums: Longs,
) -> bool:
    """Find a' and b' of V >= a' - b' . delta after t draws, from a and b after one more draw.

    Returns whether no kept kind is ever depleted in these rows. With x a kept kind, h_x the hand
    after it, and D_x = b(h) - b(h_x) (docs/reference/optimal-play.md):

        a' = a + sum of u_x G_x / (N - t)
        b'_z = b_z + [G_z - sum over kept x of u_x D_x(z) + charges to z] / (N - t).

    The only term that is not linear is delta_x D_x(z) delta_z. It is charged to z times the cap of
    x, or to x times the cap of z, whichever is estimated to cost less.

    ``left`` and ``num_new`` are arrays of the graph; ``rows``, ``reached`` and ``caps`` come from
    `follow_kernel` and `depletion_caps_kernel`. ``weighs``, shape (S, K): how much a bound of the
    depletion of each kind costs; if it is empty, a product is always charged to z. ``size`` is the
    number of tiles in the wall; no number exceeds ``limit``, as in the checker. ``layers`` has a
    and b, and the outputs a' and b'; their first rows begin at index 2. ``sums`` is working memory
    of shape (8 * WIDTH,).
    """
    is_lossless, is_weighed, num_kinds = True, weighs.size > 0, left.shape[1]
    a, b, above, after = layers
    now, share = size - t, 1 / (size - t)
    for row in range(rows.begins[t], rows.begins[t + 1]):
        if not reached[row]:
            continue
        s, own = rows.states[row], rows.stays[row]
        if not reached[rows.begins[t + 1] + own - 2]:
            own = 1
        # `own` is the row after a refused draw, whose bounds are a(h) and b(h) of the formula.
        # Where no draw is refused there may be no such row: index 1 stands for the bound 0.
        here, lost, all_copies = a[own], t - num_new[s], np.int64(0)
        for z in range(_OWN):
            sums[z] = 0
        for z in range(WIDTH):
            sums[_OWN + z], sums[_GAIN + z] = b[own, z], -b[own, z]
        if is_weighed:
            for z in range(num_kinds):
                sums[_CAP + z] = _copies(caps[row, z >> 4], z)
                sums[_WEIGH + z] = weighs[s, z]
        for move in range(rows.move_starts[row], rows.move_starts[row + 1]):
            word = rows.moves[move]
            at, x, y = word >> 14, word >> 8 & 63, word >> 2 & 63
            # G_x: with one more depleted copy of x or y where the move says so.
            gain = a[at] - here
            if word & 2:
                gain -= b[at, x]
            if word & 1:
                gain -= b[at, y]
            sums[_GAIN + x] = gain
            copies, cap = np.int64(left[s, x]), _copies(caps[row, x >> 4], x)
            all_copies += copies
            is_lossless &= cap == 0
            for z in range(WIDTH):
                sums[_SLOPE + z] -= copies * b[at, z]
            if cap == 0 or not is_weighed:  # charge everything to z
                for z in range(WIDTH):
                    rise = max(sums[_OWN + z] - b[at, z], 0)
                    sums[_SPREAD + z] += cap * rise
                    sums[_WIDEST + z] = max(sums[_WIDEST + z], rise)
                continue
            weigh = sums[_WEIGH + x]
            total = np.int64(0)
            most = np.int64(0)
            for z in range(WIDTH):
                rise = np.int64(max(sums[_OWN + z] - b[at, z], 0))
                is_spared = weigh * sums[_CAP + z] < cap * sums[_WEIGH + z]
                spared = rise if is_spared else np.int64(0)
                total += sums[_CAP + z] * spared
                most = max(most, spared)
                sums[_SPREAD + z] += cap * (rise - spared)
                sums[_WIDEST + z] = max(sums[_WIDEST + z], rise - spared)
            # All delta_z add up to `lost`, and each is within its cap: two bounds of their sum
            # times slopes.
            sums[_MORE + x] = min(total, lost * most)
        gained, into = np.int64(0), row - rows.begins[t] + 2
        for z in range(num_kinds):
            gained += left[s, z] * sums[_GAIN + z]
        above[into] = here + gained // now
        for z in range(WIDTH):
            more = sums[_GAIN + z] - all_copies * sums[_OWN + z] - sums[_SLOPE + z]
            more += min(sums[_SPREAD + z], lost * sums[_WIDEST + z]) + sums[_MORE + z]
            after[into, z] = sums[_OWN + z] - _quotient(-more, now, share)
        _keep_within(limit, into, above, after)
    return is_lossless


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
            slope = sums[_OWN + z] + _quotient(sums[_GAIN + z] + sums[_SLOPE + z], now, share)
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
