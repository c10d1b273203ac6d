"""The perfect agent as a player: a tree search that sees all tiles."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from mjopt._internal.files import sha256_of
from mjopt._internal.registry import Parameter, read_options, split_options
from mjopt._internal.sanitize import plain, short_repr
from mjopt.errors import ArgumentError, FileError
from mjopt.play.game.moves import Move
from mjopt.play.game.observation import View
from mjopt.play.game.rules import GameRules
from mjopt.play.game.state import State
from mjopt.play.learning.actions import legal_numbers
from mjopt.play.learning.config import Configuration
from mjopt.play.learning.mcts import search_actions
from mjopt.play.learning.mcts_config import ROOTS, Model, SearchSettings
from mjopt.play.learning.weights import load_agent, weights_file

STATES = ("learned", "real")


@dataclass(slots=True)
class TreeSearchAgent:
    """Search a tree with a trained network and a view of all tiles; it needs JAX.

    This is the perfect agent of a file of weights. It sees every tile, so it serves for
    measurements only: it plays in battles with ``perfect_information``, and is an error elsewhere.

    References
    ----------
    .. [1] Ouyang and Zhou (2023), doi:10.3390/electronics12112453, sections 3.1 and 4.2.

    Examples
    --------
    >>> TreeSearchAgent.from_text("")
    Traceback (most recent call last):
    mjopt.errors.ArgumentError: mcts: no file, expected mcts:FILE.npz or a training folder
    """

    sees_all: ClassVar[bool] = True

    file: str  # as written by the caller
    config: Configuration  # of the training
    model: Model = field(repr=False, compare=False)
    settings: SearchSettings
    # `learned`: states of the learned model; `real`: states of the engine
    states: str = "learned"
    weights_digest: str = ""  # the SHA-256 of the file
    _state: State | None = field(default=None, repr=False, compare=False)

    @classmethod
    def from_text(cls, text: str) -> "TreeSearchAgent":
        """Read the weights in a file, and the options after it: ``FILE.npz,simulations=100``.

        Raises FileError if the file does not hold a perfect agent, ArgumentError if an option is
        not valid, MissingExtraError if JAX is not installed.
        """
        file, *words = split_options(text) or [""]
        if not file:
            raise ArgumentError(
                "no file", argument="mcts", expected="mcts:FILE.npz or a training folder"
            )
        what = f"agent 'mcts:{text}'"
        options = read_options(words, what=what, error=ArgumentError, meanings={"none": None})
        changes = {name: value for name, value in options if value is not None}
        path = weights_file(Path(file))
        try:
            config, arrays = load_agent(path, "perfect")
            digest = sha256_of(path)
        except OSError as error:
            raise FileError(f"{plain(str(path))}: {error.strerror or error}") from None
        settings, states = _settings(config, changes)
        from mjopt.play.learning.networks import PerfectModel  # with JAX

        model = PerfectModel(config, arrays, rows=1)  # one decision at a time
        return cls(file, config, model, settings, states, digest)

    @classmethod
    def list_options(cls) -> list[Parameter]:
        """Return the parameters that ``from_text`` reads."""
        return [
            Parameter("FILE", is_needed=True),
            Parameter("simulations", low=1),
            Parameter("root", choices=ROOTS),
            Parameter("states", "learned", STATES),
        ]

    @property
    def name(self) -> str:
        """Its name: the file and the search."""
        search = f"{self.settings.root}-{self.settings.simulations}"
        return plain(f"mcts:{self.file}-{search}{'-real' if self.states == 'real' else ''}")

    def check_rules(self, rules: GameRules) -> None:
        """Raise an ArgumentError if it was trained for other rules."""
        self.config.check_rules(rules, self.name)

    def show(self, state: State) -> None:
        """Take the state of its next decision."""
        self._state = state

    def choose(self, view: View, moves: tuple[Move, ...], *, rng: np.random.Generator) -> Move:
        """Return the best move of a search."""
        state, self._state = self._state, None
        if state is None:
            raise ArgumentError(f"{self.name} sees all tiles, but no state was shown to it")
        self.check_rules(view.rules)
        config = self.config
        legal = legal_numbers(
            moves, tile=view.tile, drawn=view.drawn, kinds=config.kinds, declare=config.declare
        )
        if len(legal) == 1:
            return next(iter(legal.values()))
        is_real, settings = self.states == "real", self.settings
        [action] = search_actions(
            self.model, [state], config, settings=settings, rngs=[rng], is_real=is_real
        )
        return legal[int(action)]


def _settings(config: Configuration, changes: dict[str, Any]) -> tuple[SearchSettings, str]:
    """Return the search settings of the configuration, changed by options."""
    states = changes.pop("states", STATES[0])
    if states not in STATES:
        raise ArgumentError(f"states={states}", argument="mcts", expected=tuple(STATES))
    if unknown := sorted(set(changes) - {"simulations", "root"}):
        expected = "simulations, root or states"
        raise ArgumentError(f"mcts has no option {short_repr(unknown[0])}", expected=expected)
    settings = SearchSettings(
        simulations=changes.get("simulations", config.evaluation_simulations),
        root=str(changes.get("root", config.root)),
        exploration=config.exploration,
    )
    return settings, states
