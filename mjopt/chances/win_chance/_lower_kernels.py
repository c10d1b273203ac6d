"""Kernels that bound the value of a policy from below and account for depleted tiles.

Depleted tiles are those drawn and discarded. Callers allocate the arrays, as for `_policy_kernels`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import inner, kernel
from mjopt.chances.win_chance._policy_kernels import PolicyRows
from mjopt.chances.win_chance._slopes import WIDTH, quotient
from mjopt.chances.win_chance.graph import WORDS, GraphArrays
from mjopt.hands.tiles import COPIES

# lower_kernel is one step of T3, proved in docs/reference/optimal-play.md under "T1 and T3 in
# full", for the rows of a policy. `_slopes` says how bounds are stored and rounded.

Longs = NDArray[np.int64]
Bytes = NDArray[np.int8]
Flags = NDArray[np.bool_]
Words = NDArray[np.uint64]

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
            after[into, z] = sums[_OWN + z] - quotient(-more, now, share)
        _keep_within(limit, into, above, after)
    return is_lossless
