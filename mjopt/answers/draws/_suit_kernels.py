"""The kernel that counts the draws of one suit, class by class."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjopt.runtime.kernels import kernel

WIDTH: Final = 37
"""Draws from one suit: none to all 36 of its tiles."""

CHOICES: Final = np.array(
    [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 2, 1, 0, 0], [1, 3, 3, 1, 0], [1, 4, 6, 4, 1]]
)
"""Ways to draw so many (column) of so many copies (row)."""

Small = NDArray[np.int32]
Ways = NDArray[np.int64]


@kernel
def suit_kernel(
    steps: Small,
    wins: NDArray[np.bool_],
    after_gap: Small,
    suit: Small,
    choices: NDArray[np.int64],
    out: Ways,
) -> None:
    """Count the draws from one suit that lead to each class.

    No number exceeds the draws of so many of 36 tiles, at most C(36, 18) = 9,075,135,300:
    64 bits hold them all.

    Parameters
    ----------
    steps, wins, after_gap
        The automaton, and the class of each state once a gap follows (-1: complete).
    suit
        Shape (K, 5): of each kind the copies held, those in the wall, the least and
        most that may be held in the end, and whether a gap in the ranks follows it.
    choices
        ``CHOICES``.
    out
        Shape (C, ``WIDTH``), all zero: by class and number of draws.
    """
    num_states = steps.shape[0]
    ways = np.zeros((num_states, WIDTH), np.int64)
    after = np.zeros((num_states, WIDTH), np.int64)
    active = np.empty(num_states, np.int32)
    fresh = np.empty(num_states, np.int32)
    listed = np.zeros(num_states, np.bool_)
    most = np.zeros(num_states, np.int32)  # draws behind a state that is active
    most_after = np.zeros(num_states, np.int32)
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
                if not listed[target]:
                    listed[target] = True
                    fresh[num_fresh] = target
                    num_fresh += 1
                    most_after[target] = 0
                most_after[target] = max(most_after[target], most[state] + drawn)
                times = choices[left, drawn]
                for before in range(most[state] + 1):
                    after[target, before + drawn] += times * ways[state, before]
        for place in range(num_active):
            ways[active[place], : most[active[place]] + 1] = 0
        for place in range(num_fresh):
            listed[fresh[place]] = False
        ways, after = after, ways
        most, most_after = most_after, most
        active, fresh = fresh, active
        num_active = num_fresh
    for place in range(num_active):
        number: Any = after_gap[active[place]]
        if number >= 0:
            out[number] += ways[active[place]]
