"""Kernels that find a policy in a graph of hands, and the hands that it reaches.

Callers allocate the arrays, and loops fill them: numba compiles an allocation or an assignment to a
slice for a tenth of a second, which the first search of a machine has to wait for.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import inner, kernel
from mjopt.chances.win_chance.graph import GraphArrays

# upper_kernel is one step of theorem T1 (docs/reference/optimal-play.md): if discarded tiles
# returned to the wall, the hand alone would determine a value U_m(h) with m draws left, and no play
# of the class exceeds it. A layer is one number for each state, and needs only the layer of one
# draw less. The discards that attain the maximum, one for each full hand, are a policy; T3 bounds
# its value from below (`_lower_kernels`).
# follow_kernel lists the pairs of a state and a number of draws that this policy reaches, since T3
# needs no others. Such a pair is a *row*. Rows are in order of draws, and moves lead to rows of the
# next draw only, so that one pass forward (caps) and one backward (bounds) are enough.

Longs = NDArray[np.int64]
Small = NDArray[np.int32]


class PolicyRows(NamedTuple):
    """The rows that a policy reaches, in order of the number of draws, and its moves.

    A row is a state after a number of draws. Only these rows are visited by the bounds, far fewer
    than all pairs of a state and a number of draws. The arrays may be longer than needed. The rows
    in ``moves`` and ``stays`` are rows of the next draw, numbered from 2: 0 is a win, and 1 means
    no row.
    """

    states: Longs  # the state of each row
    begins: Longs  # shape (n + 2,): the first row of each number of draws
    move_starts: Longs  # the first move of each row, and the end of the last
    # Encoded as row << 14 | drawn << 8 | discarded << 2, one bit if the state holds fewer of the
    # drawn kind than the first hand, and one bit if the discarded tile was drawn before.
    moves: Longs
    stays: Longs  # for each row, the row after a refused draw


@inner
def longer(keys: Longs) -> Longs:
    """Return a copy with more than twice the capacity."""
    more = np.empty(2 * keys.size + 64, np.int64)
    for place in range(keys.size):
        more[place] = keys[place]
    return more


@kernel
def upper_kernel(
    graph: GraphArrays, size: int, one: int, now: Longs, values: Longs, leaves: Small, best: Longs
) -> None:
    """Fill in the upper bounds (T1) of one more draw and the policy that is greedy for them.

    ``size`` is the number of tiles in the wall at that draw, ``one`` the integer that represents
    probability 1; ``now``, shape (S,), has the bounds with one draw less. Outputs: ``values``,
    shape (S,), and ``leaves``, shape (F,): by full hand, the encoded move. ``best`` is working
    memory of shape (F,).
    """
    starts, full, leaving, copies = graph.starts, graph.full, graph.leaving, graph.copies
    # U_m = U_{m-1} + sum of u_x (best_x - U_{m-1}) / (N - t), at most 1. The hand itself is among
    # the hands that its full hands leave, so that no term is negative.
    for f in range(best.size):
        best[f] = -1
    for s in range(starts.size - 1):
        for edge in range(starts[s], starts[s + 1]):
            if now[s] > best[full[edge]]:
                best[full[edge]] = now[s]
                leaves[full[edge]] = leaving[edge]
    for s in range(starts.size - 1):
        total = graph.wins[s] * (one - now[s])
        for edge in range(starts[s], starts[s + 1]):
            total += copies[edge] * (best[full[edge]] - now[s])
        values[s] = min(one, now[s] - (-total // size))


@kernel
def follow_kernel(  # noqa: PLR0912 - one loop over rows that grow
    graph: GraphArrays, leaves: Small, values: Longs, roots: Longs, begins: Longs, then: Longs
) -> PolicyRows:
    """Return the rows that a policy reaches from ``roots``, the first states.

    ``leaves`` and ``values`` are the policy, of shapes (n, F) and (n + 1, S). ``begins``, shape (n
    + 2,), zeros, is an output: the first row of each number of draws. ``then`` is working memory of
    shape (S,).
    """
    starts, win_starts, left = graph.starts, graph.win_starts, graph.left
    draws, count, num_moves = leaves.shape[0], roots.size, 0
    row_states, move_starts = longer(roots), longer(roots)
    stays, moves = longer(roots), longer(roots)
    begins[1] = count
    for t in range(draws):
        now, first_move = values[draws - t - 1], num_moves
        # First mark the states that follow with 2. Their rows are known once all are marked, so
        # moves name states until the last loop.
        for s in range(then.size):
            then[s] = 1
        for row in range(begins[t], begins[t + 1]):
            s = row_states[row]
            move_starts[row] = num_moves
            # No play wins from here: the row has no moves, and its bounds stay 0.
            if values[draws - t, s] == 0:
                continue
            ways = 1 + starts[s + 1] - starts[s] + win_starts[s + 1] - win_starts[s]
            if num_moves + ways > moves.size:
                moves = longer(moves)
            wanted = np.int64(0)
            for place in range(win_starts[s], win_starts[s + 1]):
                wanted |= 1 << graph.win_kinds[place]
                moves[num_moves] = graph.win_kinds[place] << 8
                num_moves += 1
            for edge in range(starts[s], starts[s + 1]):
                leaving, x = np.int64(leaves[t, graph.full[edge]]), graph.kinds[edge]
                there = leaving >> 7
                # A draw that gains nothing is refused: a kind that is not kept costs nothing when
                # it is depleted.
                if now[there] <= now[s] or left[s, x] <= 0:
                    continue
                then[there] = 2
                wanted |= 1 << x
                back = graph.states[s, x] < graph.held[x]
                thrown = (leaving & 126) << 1 | back << 1 | leaving & 1
                moves[num_moves] = there + 2 << 14 | x << 8 | thrown
                num_moves += 1
            for z in range(left.shape[1]):
                if left[s, z] > 0 and not wanted >> z & 1:
                    then[s] = 2  # the draw of z is refused
        for s in range(then.size):
            if then[s] == 2:
                if count + 1 == row_states.size:
                    row_states, stays, move_starts = (
                        longer(row_states),
                        longer(stays),
                        longer(move_starts),
                    )
                then[s], row_states[count] = count - begins[t + 1] + 2, s
                count += 1
        for row in range(begins[t], begins[t + 1]):
            stays[row] = then[row_states[row]]
        for move in range(first_move, num_moves):
            if moves[move] >> 14:  # not a win
                there = (moves[move] >> 14) - 2
                moves[move] = then[there] << 14 | moves[move] & (1 << 14) - 1
        begins[t + 2] = count
    move_starts[begins[draws]] = num_moves
    return PolicyRows(row_states, begins, move_starts, moves, stays)
