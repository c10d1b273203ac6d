"""The game as a PettingZoo environment whose agents move in turn (AEC)."""

from typing import ClassVar, Final

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from mjopt._internal.sanitize import short_repr
from mjopt._internal.validation import as_whole
from mjopt.errors import ArgumentError, GameError
from mjopt.play.game.engine import start, step
from mjopt.play.game.observation import view_of
from mjopt.play.game.rules import SEATS
from mjopt.play.game.state import State
from mjopt.play.game.wall import shuffle_wall
from mjopt.play.learning.actions import NUM_TYPES, action_mask, legal_actions
from mjopt.play.learning.config import Configuration
from mjopt.play.learning.planes import encode_view

Observation = dict[str, NDArray[np.uint8]]

AGENTS: Final = tuple(f"player_{seat}" for seat in SEATS)
"""Names of the agents by seat; ``player_0`` deals."""

MAX_SEED: Final = 1 << 63


class MahjongEnv(AECEnv[str, Observation, int]):  # type: ignore[misc]
    """One hand of Mahjong for four agents.

    The observation of an agent holds the planes of its view, as the learning agent sees it, and the
    mask of its legal actions, which is all zero while another agent decides. The reward is the
    change of points at the end of the hand, 0 before. The render mode is ``ansi``, to render the
    visible tiles as text, or None.
    """

    metadata: ClassVar[dict[str, object]] = {
        "name": "mjopt_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(self, config: Configuration, render_mode: str | None = None) -> None:
        super().__init__()
        if not (render_mode is None or (isinstance(render_mode, str) and render_mode == "ansi")):
            raise ArgumentError(
                argument="render_mode", value=short_repr(render_mode), expected="'ansi' or None"
            )
        self.config, self.render_mode = config, render_mode
        self.possible_agents = list(AGENTS)
        num_actions = NUM_TYPES * config.kinds
        self._observation_space = spaces.Dict(
            {
                "observation": spaces.Box(0, 1, (config.num_planes, config.kinds), np.uint8),
                "action_mask": spaces.Box(0, 1, (num_actions,), np.int8),
            }
        )
        self._action_space = spaces.Discrete(num_actions)
        self._rng = np.random.default_rng()
        self._state: State | None = None

    def observation_space(self, agent: str) -> spaces.Space[object]:  # noqa: ARG002 - PettingZoo's
        """Return the space of observations, the same for every agent."""
        return self._observation_space

    def action_space(self, agent: str) -> spaces.Space[object]:  # noqa: ARG002 - PettingZoo's
        """Return the space of actions, the same for every agent."""
        return self._action_space

    @property
    def state_of_game(self) -> State:
        """The state of the hand; GameError before the first reset."""
        if self._state is None:
            raise GameError("no hand yet: call reset() first")
        return self._state

    def reset(
        self,
        seed: int | None = None,
        options: dict[str, object] | None = None,  # noqa: ARG002 - PettingZoo's
    ) -> None:
        """Deal a hand; the options are not read.

        The seed, 0 or more, is that of this hand and of those after it; None continues.
        """
        if seed is not None:
            number = as_whole(seed)
            if number is None or number < 0:
                raise ArgumentError(
                    argument="seed", value=short_repr(seed), expected="0, 1, 2, ..."
                )
            self._rng = np.random.default_rng(number)
        rules = self.config.rule_set
        wall = shuffle_wall(int(self._rng.integers(MAX_SEED)), 0, rules.tiles)
        self._state = start(rules, wall)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, object]] = {agent: {} for agent in AGENTS}
        self._select()

    def _select(self) -> None:
        """Select the agent that decides next; after the end of the hand, finish all agents."""
        state = self.state_of_game
        if state.to_move is not None:
            self.agent_selection = AGENTS[state.to_move]
            return
        assert state.outcome is not None
        self.rewards = dict(zip(AGENTS, state.outcome.scores, strict=True))
        self.terminations = dict.fromkeys(AGENTS, True)

    def observe(self, agent: str) -> Observation:
        """Return the observation of an agent."""
        state, seat = self.state_of_game, AGENTS.index(agent)
        legal = legal_actions(state, self.config.declare) if state.to_move == seat else ()
        return {
            "observation": encode_view(view_of(state, seat), self.config),
            "action_mask": action_mask(legal, self.config.kinds).astype(np.int8),
        }

    def step(self, action: int | None) -> None:
        """Take an action of the selected agent."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        state = self.state_of_game
        legal = legal_actions(state, self.config.declare)
        move = legal.get(int(action)) if action is not None else None
        if move is None:
            raise GameError(
                "not legal", argument="action", value=f"{short_repr(action)} of {agent}"
            )
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        self._state = step(state, move)
        self._select()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Return the tiles that the selected agent sees, as text."""
        if self.render_mode is None:
            return None
        view = view_of(self.state_of_game, AGENTS.index(self.agent_selection))
        rivers = zip(AGENTS, view.table.rivers, strict=True)
        names = view.tiles.names
        lines = [f"{agent}: {' '.join(names[kind] for kind in river)}" for agent, river in rivers]
        return "\n".join([*lines, f"{self.agent_selection} holds {view.as_hand().to_text()}"])

    def close(self) -> None:
        """Release nothing: the environment holds no resources."""
