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
def lower_kernel(  # noqa: PLR0912, PLR0915 - one recursion over the graph
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
    weighs: Longs,
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
    own = np.empty(num_kinds, np.int64)
    total: Any
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
            own[:] = 0
            gone = t - news[s]
            for z in range(num_kinds):
                gains[z] = -b[s, z]
            for place in range(win_starts[s], win_starts[s + 1]):
                x = win_kinds[place]
                gains[x] = one - a[m - 1, s]
                copies, cap = left[s, x], np.int64(caps[t, s, x])
                total, most = np.int64(0), np.int64(0)
                for z in range(num_kinds):
                    drop = b[s, z]
                    rise, other = max(drop, 0), np.int64(caps[t, s, z])
                    slope[z] += copies * drop
                    if weighs[s, x] * other < weighs[s, z] * cap:
                        total += other * rise
                        most = max(most, rise)
                    else:
                        spread[z] += cap * rise
                        widest[z] = max(widest[z], rise)
                own[x] = min(total, gone * most)
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
                total, most = np.int64(0), np.int64(0)
                for z in range(num_kinds):
                    drop = b[s, z] - b[there, z]
                    rise, other = max(drop, 0), np.int64(caps[t, s, z])
                    slope[z] += copies * drop
                    if weighs[s, x] * other < weighs[s, z] * cap:
                        total += other * rise
                        most = max(most, rise)
                    else:
                        spread[z] += cap * rise
                        widest[z] = max(widest[z], rise)
                own[x] = min(total, gone * most)
                gains[x] = gain
            total = np.int64(0)
            for z in range(num_kinds):
                total += left[s, z] * gains[z]
                more = gains[z] - slope[z] + min(spread[z], gone * widest[z]) + own[z]
                after[s, z] = b[s, z] - (-more // now)
            a[m, s] = a[m - 1, s] + total // now
        b, after = after, b


@kernel
def charged_kernel(  # noqa: PLR0912, PLR0915 - two loops over the graph that tell one story
    full_starts: Longs,
    full_state: Longs,
    full_kind: Longs,
    starts: Longs,
    kinds: Longs,
    full: Longs,
    win_starts: Longs,
    win_kinds: Longs,
    states: NDArray[np.uint8],
    held: Longs,
    left: Longs,
    news: Longs,
    weights: Bytes,
    size: int,
    one: int,
    slip: int,
    upper: Longs,
    a: Longs,
) -> None:
    """Fill a, shape (n + 1, S) of zeros, of V <= a - b . delta; b is kept for one layer alone.

    Parameters
    ----------
    full_starts, full_state, full_kind
        The edges in the order of their full hands, and where each begins and the last ends.
    starts, kinds, full
        Where the edges of each state begin, the kinds drawn, the full hands.
    win_starts, win_kinds
        Likewise the draws that win.
    states, held, left, news
        The hands, the first hand, copies left, tiles that it does not hold.
    weights
        Shape (S, K), 0..9: of kinds, which are to keep their slopes; none of those of 0.
    size, one
        Tiles in the wall, and what stands for certainty.
    slip
        By how much a may pass them.
    upper
        The bounds of T1, shape (n + 1, S).
    """
    draws, num_states, num_kinds = a.shape[0] - 1, states.shape[0], held.size
    num_full = full_starts.size - 1
    b = np.zeros((num_states, num_kinds), np.int64)
    after = np.zeros((num_states, num_kinds), np.int64)
    top = np.zeros(num_full, np.int64)
    slopes = np.zeros((num_full, num_kinds), np.int64)
    cap, rise = np.zeros(num_kinds, np.int64), np.zeros(num_kinds, np.int64)
    base = np.zeros(num_kinds, np.int64)
    low, total_slope = np.zeros(num_kinds, np.int64), np.zeros(num_kinds, np.int64)
    for m in range(1, draws + 1):
        t = draws - m
        now = size - t
        for f in range(num_full):
            begin, end = full_starts[f], full_starts[f + 1]
            chosen = np.int64(-1)
            for edge in range(begin, end):
                s, y = full_state[edge], full_kind[edge]
                worth = a[m - 1, s]
                if np.int64(states[s, y]) >= held[y]:
                    worth -= b[s, y]
                if chosen < 0 or worth > top[f]:
                    top[f] = worth
                    chosen = s
            s, y = full_state[begin], full_kind[begin]
            gone = t + 1 - news[s] - (np.int64(states[s, y]) >= held[y])
            gone = max(gone, 0)
            for z in range(num_kinds):
                copies = left[s, z] - (z == y and np.int64(states[s, y]) >= held[y])
                cap[z] = max(min(copies, gone), 0)
                base[z] = b[chosen, z]
                slopes[f, z] = base[z]
            for edge in range(begin, end):
                s, y = full_state[edge], full_kind[edge]
                slack = top[f] - a[m - 1, s]
                if np.int64(states[s, y]) >= held[y]:
                    slack += b[s, y]
                need, widest = np.int64(0), np.int64(0)
                for z in range(num_kinds):
                    rise[z] = max(base[z] - b[s, z], 0)
                    need += rise[z] * cap[z]
                    widest = max(widest, rise[z])
                if min(need, gone * widest) <= slack:
                    continue
                for level in range(9, -1, -1):
                    need = np.int64(0)
                    for z in range(num_kinds):
                        if weights[chosen, z] == level:
                            need += rise[z] * cap[z]
                    if need <= slack:
                        slack -= need
                        continue
                    share = (slack << 12) // need
                    slack = np.int64(0)
                    for z in range(num_kinds):
                        if weights[chosen, z] == level:
                            kept = base[z] - rise[z] + (rise[z] * share >> 12)
                            slopes[f, z] = min(slopes[f, z], kept)
        for s in range(num_states):
            gone = t - news[s]
            total: Any = np.int64(0)
            for z in range(num_kinds):
                total_slope[z] = 0
                low[z] = -b[s, z]
                total -= left[s, z] * b[s, z]
            for place in range(win_starts[s], win_starts[s + 1]):
                x = win_kinds[place]
                need, widest = np.int64(0), np.int64(0)
                for z in range(num_kinds):
                    total_slope[z] -= left[s, x] * b[s, z]
                    need += left[s, z] * max(-b[s, z], 0)
                    widest = max(widest, -b[s, z])
                gain = one - a[m - 1, s]
                low[x] = gain - min(need, gone * widest)
                total += left[s, x] * (gain + b[s, x])
            for edge in range(starts[s], starts[s + 1]):
                x, f = kinds[edge], full[edge]
                if left[s, x] <= 0:
                    continue
                gain = top[f] - a[m - 1, s]
                if np.int64(states[s, x]) < held[x]:
                    gain -= slopes[f, x]
                need, widest = np.int64(0), np.int64(0)
                for z in range(num_kinds):
                    drop = slopes[f, z] - b[s, z]
                    total_slope[z] += left[s, x] * drop
                    need += left[s, z] * max(drop, 0)
                    widest = max(widest, drop)
                low[x] = gain - min(need, gone * widest)
                total += left[s, x] * (gain + b[s, x])
            a[m, s] = a[m - 1, s] - (-total // now)
            is_bound = gone >= 0 and -one <= a[m, s] <= upper[m, s] + slip
            for z in range(num_kinds):
                after[s, z] = b[s, z] + (low[z] + total_slope[z]) // now
                if weights[s, z] == 0:
                    after[s, z] = min(after[s, z], 0)
                is_bound = is_bound and abs(after[s, z]) <= one
            if not is_bound:
                a[m, s] = upper[m, s]
                after[s] = 0
        b, after = after, b
