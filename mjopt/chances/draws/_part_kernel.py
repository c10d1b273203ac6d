"""Kernel for expected draws: count the draws from one part of a hand by the class they lead to.

Callers pass preallocated buffers, as for `_joint_kernels`.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import kernel

# The draws from a part, counted by their number, are the coefficients of one of the four
# polynomials whose products `_joint_kernels` adds up (docs/reference/expected-draws.md,
# "Counting"). A part is read kind by kind through the layers of its automaton: a draw of a kind is
# a step from a state of one layer to a state of the next.

CHOICES: Final = np.array(
    [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 2, 1, 0, 0], [1, 3, 3, 1, 0], [1, 4, 6, 4, 1]]
)
"""Binomial coefficients: ways to draw some (column) of the copies of a kind (row)."""

Small = NDArray[np.int32]
Ways = NDArray[np.int64]


@kernel
def part_kernel(
    steps: Small,
    starts: Ways,
    ends: Ways,
    part: Small,
    choices: Ways,
    counted: Ways,
    lists: Small,
    out: Ways,
    out_most: Ways,
) -> None:
    """Count the draws from one part that lead to each class.

    No number exceeds the ways to draw half of 60 tiles, so 64 bits suffice.

    - ``steps``, shape (S, 5): the states of the next layer after 0..4 copies, layer by layer
    - ``starts``, (K,): the first row of each layer
    - ``ends``, (K + 1,): before each kind and after the last one, the state that is complete, or -1
    - ``part``, (K, 2): for each kind the copies held and those in the wall
    - ``choices``: ``CHOICES``
    - ``counted``, ``lists``: buffers of shapes (2, S', W) and (5, S'), all zero, for the states of
      any layer
    - ``out``, (C, W), all zero: output, counts by class and number of draws
    - ``out_most``, (C,), all -1: output, the most draws that lead to each class
    """
    ways, after = counted[0], counted[1]
    active, fresh, listed = lists[0], lists[1], lists[2]
    most, most_after = lists[3], lists[4]  # most draws that lead to an active state
    num_active = 1
    active[0] = 0
    ways[0, 0] = 1
    # `ways` has the polynomials of all states that the kinds so far can lead to, listed in
    # `active`: few of a layer, since the held tiles are known. All other rows are zero.
    for kind in range(part.shape[0]):
        held, left, start = part[kind, 0], part[kind, 1], starts[kind]
        num_fresh = 0
        for place in range(num_active):
            state = active[place]
            for drawn in range(left + 1):
                target = steps[start + state, held + drawn]
                # This state completes the hand with any tiles to come: no such draw is counted.
                if target == ends[kind + 1]:
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
        state = active[place]
        out_most[state] = most[state]
        for before in range(most[state] + 1):
            out[state, before] = ways[state, before]
