"""The trained normal agent as a player."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Final

import numpy as np

from mjopt._internal.files import sha256_of
from mjopt._internal.registry import Parameter
from mjopt._internal.sanitize import plain
from mjopt.errors import LearningError
from mjopt.game.moves import Move
from mjopt.game.observation import View
from mjopt.game.rules import RuleSet
from mjopt.learning.actions import legal_numbers
from mjopt.learning.config import Configuration
from mjopt.learning.numpy_network import NumpyNetwork
from mjopt.learning.planes import encode_view
from mjopt.learning.weights import load_agent

TRAINED: Final = Path(__file__).parent / "trained"
SHIPPED: Final = ("taught",)
"""Names of the included weights (docs/learning.md has the training command)."""


@dataclass(frozen=True, slots=True)
class NormalAgent:
    """The normal agent of a file of weights; it needs only NumPy.

    It plays the legal action of the highest probability, ties at random. The planes of the scores
    are 0, since a view has no scores.

    Parameters
    ----------
    file
        The file as written by the caller; ``taught`` is included in the package.
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
    mjopt.errors.LearningError: normal: no file, expected normal:FILE.npz
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
        LearningError
            If the file cannot be read, or does not hold a normal agent.
        """
        file = text.strip()
        if not file:
            raise LearningError("normal: no file, expected normal:FILE.npz")
        path = TRAINED / f"{file}.npz" if file in SHIPPED else Path(file)
        try:
            config, arrays = load_agent(path, "normal")
            return cls(file, NumpyNetwork(config, arrays), sha256_of(path))
        except OSError as error:
            raise LearningError(f"{plain(file)}: {error.strerror or error}") from None

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

    def check_rules(self, rules: RuleSet) -> None:
        """Raise a LearningError if it was trained for other rules."""
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
