"""The kernel that follows the automaton at many moments of time at once."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mjopt.runtime.kernels import kernel


@kernel
def moment_kernel(
    steps: NDArray[np.int32],
    wins: NDArray[np.bool_],
    gaps: NDArray[np.bool_],
    chances: NDArray[np.float64],
) -> Any:
    """Return the probability to be incomplete at each moment, shape (Q,).

    Parameters
    ----------
    steps, wins
        The automaton.
    gaps
        Shape (K,): whether a gap in the ranks follows each kind.
    chances
        Shape (K, 5, Q): the probability of so many copies of each kind at each moment,
        independent of the other kinds.
    """
    num_states, num_moments = steps.shape[0], chances.shape[2]
    now = np.zeros((num_states, num_moments))
    after = np.zeros((num_states, num_moments))
    on = np.zeros(num_states, np.bool_)
    on_after = np.zeros(num_states, np.bool_)
    now[0] = 1.0
    on[0] = True
    for kind in range(chances.shape[0]):
        for state in range(num_states):
            if not on[state]:
                continue
            for copies in range(5):
                target = steps[state, copies]
                if gaps[kind]:
                    target = steps[steps[target, 0], 0]
                if wins[target] or chances[kind, copies].max() == 0.0:
                    continue
                on_after[target] = True
                for q in range(num_moments):
                    after[target, q] += now[state, q] * chances[kind, copies, q]
            on[state] = False
            now[state] = 0.0
        now, after = after, now
        on, on_after = on_after, on
    return now.sum(axis=0)
