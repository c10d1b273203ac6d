"""The normal agent's network in NumPy, for playing without JAX.

Batch normalisation with fixed means is a factor and an offset, folded into the kernels.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mjopt.learning.config import Configuration
from mjopt.learning.weights import EPSILON, Arrays, check_arrays

Floats = NDArray[np.float32]
Layer = tuple[Floats, Floats]
"""A kernel, shape ``(3, in, out)``, and an offset, shape ``(out,)``."""


class NumpyNetwork:
    """The normal agent's network.

    Raises LearningError if the arrays do not fit the configuration.

    Examples
    --------
    >>> from mjopt.learning.config import PRESETS
    >>> from mjopt.learning.weights import initial_arrays
    >>> config = PRESETS["tiny"]
    >>> arrays = initial_arrays(config, "normal", np.random.default_rng(1))
    >>> NumpyNetwork(config, arrays).logits(np.zeros((118, 27))).shape
    (270,)
    """

    def __init__(self, config: Configuration, arrays: Arrays) -> None:
        check_arrays(arrays, config, "normal", what="normal agent")
        self.config = config
        self.stem = _folded(arrays, "normal.tower.stem")
        self.blocks = [
            [_folded(arrays, "normal.tower.blocks", (block, place)) for place in range(2)]
            for block in range(config.normal_blocks)
        ]
        self.policy = _folded(arrays, "normal.policy")
        self.moves = (arrays["normal.moves.kernel"], arrays["normal.moves.offset"])

    def logits(self, planes: NDArray[Any]) -> Floats:
        """Return logits, shape ``(10 K,)``, of planes, shape ``(118, K)``."""
        x = _rectified(_convolve(planes.T.astype(np.float32), self.stem))
        for first, second in self.blocks:
            inner = _convolve(_rectified(_convolve(x, first)), second)
            inner += x
            x = _rectified(inner)
        return _convolve(_rectified(_convolve(x, self.policy)), self.moves).T.ravel()


def _folded(arrays: Arrays, name: str, at: tuple[int, ...] = ()) -> Layer:
    """Return a batch-normalised convolution as one kernel and one offset."""
    parts = ("kernel", "scale", "offset", "mean", "variance")
    kernel, scale, offset, mean, variance = (
        arrays[f"{name}.{part}"][at].astype(np.float64) for part in parts
    )
    factor = scale / np.sqrt(variance + EPSILON)
    return (kernel * factor).astype(np.float32), (offset - mean * factor).astype(np.float32)


def _convolve(x: Floats, layer: Layer) -> Floats:
    """Return the convolution of ``(K, in)`` along the kinds, ``(K, out)``.

    One matrix product for each of the three offsets: the products are small enough that BLAS uses
    no threads. With threads, synchronisation took 8 ms instead of 0.6 on a busy machine.
    """
    kernel, offset = layer
    answer: Floats = x @ kernel[1]
    answer += offset
    answer[1:] += x[:-1] @ kernel[0]
    answer[:-1] += x[1:] @ kernel[2]
    return answer


def _rectified(x: Floats) -> Floats:
    return np.maximum(x, 0, out=x)
