"""Slopes of bounds by tile kind, as the kernels of T3 and T6 store and divide them."""

from typing import Final

import numpy as np

from mjopt._internal.jit import inner

# T3 and T6 are backward inductions over the number of draws. For each hand they keep a number a and
# a slope b_z for each kind z, so that a - b . delta bounds the value for every vector delta of
# depleted copies at once. Without slopes a state would be a hand and a wall.
# Numbers are in units of 2**-48 and are rounded so that they remain bounds: a down and b up in T3,
# a up and b down in T6. `//` rounds down, -(-x // n) up.
# Slopes are rows of WIDTH numbers for every tile set: with a constant length LLVM vectorises the
# inner loops without a remainder. Kinds that the tile set lacks keep the slope 0.

WIDTH: Final = 40
"""Kinds, padded to whole vector registers for every tile set."""


@inner
def quotient(number: np.int64, by: int, share: float) -> np.int64:
    """Return ``number // by``, rounded down; ``share`` is ``1 / by``.

    The second product corrects the error of the first. This takes a fifth of the time of ``//``,
    since the processor vectorises multiplications.
    """
    # The rest `number - near * by` is small, and exact as a float. Half a unit more, divided by
    # `by`, is at least 1 / (2 by) away from every integer, so that rounding cannot change its
    # floor.
    near = np.int64(number * share)
    return near + np.int64(np.floor((number - near * by + 0.5) * share))
