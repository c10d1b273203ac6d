"""The trained normal agent as a player, with its network in NumPy."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.files import sha256_of
from mjopt._internal.registry import Parameter
from mjopt._internal.sanitize import plain
from mjopt.errors import ArgumentError, FileError
from mjopt.play.game.moves import Move
from mjopt.play.game.observation import View
from mjopt.play.game.rules import GameRules
from mjopt.play.learning.actions import legal_numbers
from mjopt.play.learning.config import Configuration
from mjopt.play.learning.planes import encode_view
from mjopt.play.learning.weights import EPSILON, Arrays, check_arrays, load_agent, weights_file

TRAINED: Final = Path(__file__).parent / "trained"
SHIPPED: Final = ("taught",)
"""Names of the included weights (docs/results/learning.md has the training command)."""

Floats = NDArray[np.float32]
Layer = tuple[Floats, Floats]
"""A kernel, shape ``(3, in, out)``, and an offset, shape ``(out,)``."""


class NumpyNetwork:
    """The normal agent's network in NumPy, for playing without JAX.

    Batch normalisation with fixed means is a factor and an offset, folded into the kernels.

    Raises FileError if the arrays do not fit the configuration.

    Examples
    --------
    >>> from mjopt.play.learning.config import PRESETS
    >>> from mjopt.play.learning.weights import initial_arrays
    >>> config = PRESETS["tiny"]
    >>> arrays = initial_arrays(config, "normal", np.random.default_rng(1))
    >>> NumpyNetwork(config, arrays).logits(np.zeros((118, 27))).shape
    (270,)
    """

    def __init__(self, config: Configuration, arrays: Arrays) -> None:
        check_arrays(arrays, config, "normal", what="normal agent")
        self.config = config
        self.stem = _folded_layer(arrays, "normal.tower.stem")
        self.blocks = [
            [_folded_layer(arrays, "normal.tower.blocks", (block, place)) for place in range(2)]
            for block in range(config.normal_blocks)
        ]
        self.policy = _folded_layer(arrays, "normal.policy")
        self.moves = (arrays["normal.moves.kernel"], arrays["normal.moves.offset"])

    def logits(self, planes: NDArray[np.number]) -> Floats:
        """Return logits, shape ``(10 K,)``, of planes, shape ``(118, K)``."""
        x = _relu(_convolve(planes.T.astype(np.float32), self.stem))
        for first, second in self.blocks:
            inner = _convolve(_relu(_convolve(x, first)), second)
            inner += x
            x = _relu(inner)
        return _convolve(_relu(_convolve(x, self.policy)), self.moves).T.ravel()


def _folded_layer(arrays: Arrays, name: str, at: tuple[int, ...] = ()) -> Layer:
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
    result: Floats = x @ kernel[1]
    result += offset
    result[1:] += x[:-1] @ kernel[0]
    result[:-1] += x[1:] @ kernel[2]
    return result


def _relu(x: Floats) -> Floats:
    return np.maximum(x, 0, out=x)


@dataclass(frozen=True, slots=True)
class NormalAgent:
    """Take the move that a trained network finds most probable; it needs only NumPy.

    This is the normal agent of a file of weights. Ties are broken at random. The planes of the
    scores are 0, since a view has no scores.

    Parameters
    ----------
    file
        The file or training folder as written by the caller; ``taught`` is included in the package.
    network
        The network.
    weights_digest
        The SHA-256 of the file.

    References
    ----------
    .. [1] Ouyang and Zhou (2023), doi:10.3390/electronics12112453, section 3.2.

    Examples
    --------
    >>> NormalAgent.from_text("")
    Traceback (most recent call last):
    mjopt.errors.ArgumentError: normal: no file, expected normal:FILE.npz or a training folder
    >>> NormalAgent.from_text("taught").config.rules
    'jj,ready=0'
    """

    shipped: ClassVar = SHIPPED
    file: str
    network: NumpyNetwork = field(repr=False, compare=False)
    weights_digest: str

    @classmethod
    def from_text(cls, text: str) -> "NormalAgent":
        """Read the weights in a file.

        Raises
        ------
        ArgumentError
            If no file is named.
        FileError
            If the file cannot be read, or does not hold a normal agent.
        """
        file = text.strip()
        if not file:
            raise ArgumentError(
                "no file", argument="normal", expected="normal:FILE.npz or a training folder"
            )
        path = TRAINED / f"{file}.npz" if file in SHIPPED else weights_file(Path(file))
        try:
            config, arrays = load_agent(path, "normal")
            return cls(file, NumpyNetwork(config, arrays), sha256_of(path))
        except OSError as error:
            raise FileError(f"{plain(str(path))}: {error.strerror or error}") from None

    @classmethod
    def list_options(cls) -> list[Parameter]:
        """Return the parameters that ``from_text`` reads."""
        return [Parameter("FILE", is_needed=True)]

    @property
    def config(self) -> Configuration:
        """The configuration of the training."""
        return self.network.config

    @property
    def name(self) -> str:
        """Its name: ``normal:FILE``."""
        return plain(f"normal:{self.file}")

    def check_rules(self, rules: GameRules) -> None:
        """Raise an ArgumentError if it was trained for other rules."""
        self.config.check_rules(rules, self.name)

    def choose(self, view: View, moves: tuple[Move, ...], *, rng: np.random.Generator) -> Move:
        """Return the most probable move."""
        config = self.config
        self.check_rules(view.rules)
        legal = legal_numbers(
            moves, tile=view.tile, drawn=view.drawn, kinds=config.kinds, declare=config.declare
        )
        numbers = list(legal)
        logits = self.network.logits(encode_view(view, config))[numbers]
        best = np.flatnonzero(logits == logits.max())
        place = best[0] if len(best) == 1 else rng.choice(best)
        return legal[numbers[place]]
