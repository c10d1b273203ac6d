"""Kernels for large graphs; for small ones the same is done in NumPy, with nothing to compile."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mjopt.runtime.jit import kernel

Longs = NDArray[np.int64]
Bytes = NDArray[np.int8]
Flags = NDArray[np.bool_]
Targets = NDArray[np.int32]


@kernel
def upper_kernel(
    starts: Longs,
    state: Longs,
    full: Longs,
    copies: Longs,
    wins: Longs,
    size: int,
    one: int,
    values: Longs,
    target: Targets,
) -> None:
    """Fill the bounds from above, and the policy that follows them.

    Parameters
    ----------
    starts
        Shape (S + 1,): where the edges of each state begin.
    state, full, copies
        Shape (E,), by state: the state, its full hand, the copies that can be drawn.
    wins
        Shape (S,): the copies that win.
    size, one
        Tiles in the wall, and what stands for certainty.
    values
        Shape (n + 1, S), zeros.
    target
        Shape (n, E): by draws made, the state each draw leads to, or -1.
    """
    draws = target.shape[0]
    best = np.empty(full.max() + 1 if full.size else 0, np.int64)
    chosen = np.empty(best.size, np.int32)
    for m in range(1, draws + 1):
        best[:] = -1
        now, t = values[m - 1], draws - m
        for edge in range(full.size):
            worth = now[state[edge]]
            if worth > best[full[edge]]:
                best[full[edge]] = worth
                chosen[full[edge]] = state[edge]
        for s in range(starts.size - 1):
            total = wins[s] * (one - now[s])
            for edge in range(starts[s], starts[s + 1]):
                gain = best[full[edge]] - now[s]
                total += copies[edge] * gain
                keeps = gain > 0 and copies[edge] > 0
                target[t, edge] = chosen[full[edge]] if keeps else -1
            values[m, s] = min(one, now[s] - (-total // (size - t)))


@kernel
def caps_kernel(
    target: Targets,
    starts: Longs,
    kinds: Longs,
    win_starts: Longs,
    win_kinds: Longs,
    states: NDArray[np.uint8],
    held: Longs,
    left: Longs,
    news: Longs,
    reached: Flags,
    caps: Bytes,
) -> None:
    """Fill the states that a policy reaches, and what may be gone there.

    Parameters
    ----------
    target, starts, kinds
        The policy; the edges of each state, and the kinds drawn.
    win_starts, win_kinds
        Likewise the draws that win.
    states, held, left, news
        The hands, the first hand, copies left, tiles that it does not hold.
    reached, caps
        Shapes (n + 1, S) and (n + 1, S, K); with the first states set at 0.
    """
    num_kinds = held.size
    refused = np.empty(num_kinds, np.bool_)
    for t in range(target.shape[0]):
        for s in range(states.shape[0]):
            if not reached[t, s]:
                continue
            refused[:] = left[s] > 0
            for place in range(win_starts[s], win_starts[s + 1]):
                refused[win_kinds[place]] = False
            for edge in range(starts[s], starts[s + 1]):
                there = target[t, edge]
                if there < 0:
                    continue
                x = kinds[edge]
                refused[x] = False
                reached[t + 1, there] = True
                gone = t + 1 - news[there]
                for z in range(num_kinds):
                    full = np.int64(states[s, z]) + (z == x)
                    most = np.int64(caps[t, s, z])
                    most += full > states[there, z] and full > held[z]
                    most += z == x and states[s, z] < held[z]
                    most = min(most, left[there, z], gone)
                    caps[t + 1, there, z] = max(np.int64(caps[t + 1, there, z]), most)
            if refused.any():
                reached[t + 1, s] = True
                gone = t + 1 - news[s]
                for z in range(num_kinds):
                    most = min(np.int64(caps[t, s, z]) + refused[z], left[s, z], gone)
                    caps[t + 1, s, z] = max(np.int64(caps[t + 1, s, z]), most)


@kernel
def lower_kernel(
    target: Targets,
    starts: Longs,
    kinds: Longs,
    win_starts: Longs,
    win_kinds: Longs,
    states: NDArray[np.uint8],
    held: Longs,
    left: Longs,
    news: Longs,
    reached: Flags,
    caps: Bytes,
    size: int,
    one: int,
    a: Longs,
) -> None:
    """Fill a, shape (n + 1, S) of zeros, of V >= a - b . delta; b is kept for one layer alone."""
    draws, num_states, num_kinds = target.shape[0], states.shape[0], held.size
    b = np.zeros((num_states, num_kinds), np.int64)
    after = np.zeros((num_states, num_kinds), np.int64)
    gains, slope = np.empty(num_kinds, np.int64), np.empty(num_kinds, np.int64)
    spread, widest = np.empty(num_kinds, np.int64), np.empty(num_kinds, np.int64)
    for m in range(1, draws + 1):
        t = draws - m
        now = size - t
        for s in range(num_states):
            if not reached[t, s]:
                after[s] = 0
                continue
            slope[:] = 0
            spread[:] = 0
            widest[:] = 0
            for z in range(num_kinds):
                gains[z] = -b[s, z]
            for place in range(win_starts[s], win_starts[s + 1]):
                x = win_kinds[place]
                gains[x] = one - a[m - 1, s]
                copies, cap = left[s, x], np.int64(caps[t, s, x])
                for z in range(num_kinds):
                    drop = b[s, z]
                    rise = max(drop, 0)
                    slope[z] += copies * drop
                    spread[z] += cap * rise
                    widest[z] = max(widest[z], rise)
            for edge in range(starts[s], starts[s + 1]):
                there = target[t, edge]
                if there < 0:
                    continue
                x = kinds[edge]
                copies, cap = left[s, x], np.int64(caps[t, s, x])
                gain = a[m - 1, there] - a[m - 1, s]
                if states[s, x] < held[x]:
                    gain -= b[there, x]
                for z in range(num_kinds):
                    full = np.int64(states[s, z]) + (z == x)
                    if full > states[there, z] and full > held[z]:
                        gain -= b[there, z]
                    drop = b[s, z] - b[there, z]
                    rise = max(drop, 0)
                    slope[z] += copies * drop
                    spread[z] += cap * rise
                    widest[z] = max(widest[z], rise)
                gains[x] = gain
            total: Any = np.int64(0)
            gone = t - news[s]
            for z in range(num_kinds):
                total += left[s, z] * gains[z]
                more = gains[z] - slope[z] + min(spread[z], gone * widest[z])
                after[s, z] = b[s, z] - (-more // now)
            a[m, s] = a[m - 1, s] + total // now
        b, after = after, b
