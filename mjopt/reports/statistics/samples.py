"""The values of two sides, as every test of two wants them."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mjopt.errors import StudyError

ALL_TIED = "all values are tied"
TOO_FEW = "not possible: a side has fewer than two runs"


def samples(
    first: ArrayLike, second: ArrayLike, *, paired: bool = False
) -> tuple[NDArray[np.float64], NDArray[np.float64], tuple[int, ...]]:
    """Return both sides, and how many values each has: one number if they are paired."""
    a, b = np.asarray(first, np.float64), np.asarray(second, np.float64)
    for side in (a, b):
        if side.ndim != 1 or not len(side):
            raise StudyError(f"sample of shape {side.shape}, expected a list of at least one value")
        if not np.isfinite(side).all():
            raise StudyError("a sample holds values that are not finite numbers")
    if paired and len(a) != len(b):
        raise StudyError(f"{len(a)} and {len(b)} values, expected pairs")
    return a, b, (len(a),) if paired else (len(a), len(b))
