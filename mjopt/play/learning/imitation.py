"""Imitation data: games of another agent, with all discards that it rates best."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields

import numpy as np

from mjopt._internal.sanitize import short_repr
from mjopt._internal.user_module import UserCode
from mjopt.errors import GameError
from mjopt.play.game.agents.greedy import RatingAgent
from mjopt.play.game.agents.registry import read_agent, without_alias
from mjopt.play.game.engine import legal_moves, step
from mjopt.play.game.events import DISCARDS
from mjopt.play.game.moves import Action, Move
from mjopt.play.game.observation import View, view_of
from mjopt.play.game.play import Agent
from mjopt.play.game.rules import NUM_SEATS
from mjopt.play.game.state import State
from mjopt.play.game.wall import agent_stream
from mjopt.play.learning.actions import (
    NUM_CHANNELS,
    NUM_TYPES,
    action_mask,
    action_number,
    legal_actions,
    transition_number,
)
from mjopt.play.learning.config import Configuration
from mjopt.play.learning.env import current_seat, initial_state
from mjopt.play.learning.planes import encode, encode_masked
from mjopt.play.learning.replay_buffer import Samples, SearchedDecision, collect


@dataclass(frozen=True)
class Teacher:
    """An agent that is imitated; one that rates hands also reports the moves that tie.

    Examples
    --------
    >>> Teacher.from_text("draws").name
    'draws'
    >>> Teacher.from_text("process:bot")
    Traceback (most recent call last):
    mjopt.errors.GameError: 'process:bot' is another program, expected an agent ...
    """

    name: str
    agent: Agent
    tied: list[int]  # discards that tied at its last choice; none if it rates no hands

    @classmethod
    def from_text(cls, text: str) -> "Teacher":
        """Make a teacher from the text of an agent.

        Raises GameError if the agent is unknown, sees all tiles, or is another program.
        """
        agent = without_alias(read_agent(text))
        if hasattr(agent, "close"):
            raise GameError(f"{short_repr(text)} is another program", expected="an agent in Python")
        tied: list[int] = []
        if isinstance(agent, RatingAgent):
            agent = _watched(agent, tied)
        return cls(agent.name, agent, tied)

    def choose_with_ties(
        self, view: View, moves: tuple[Move, ...], *, rng: np.random.Generator
    ) -> tuple[Move, list[Move]]:
        """Return the agent's move and all moves that it rates the same (discards only)."""
        self.tied.clear()
        with UserCode(type(self.agent), f"agent {self.agent.name} fails", GameError):
            move = self.agent.choose(view, moves, rng=rng)
        if not (isinstance(move, Move) and move in moves):
            raise GameError(f"agent {self.agent.name}: {short_repr(move)} is not a legal move")
        if move.action not in DISCARDS or not self.tied:
            return move, [move]
        return move, [Move(Action.DISCARD, kind) for kind in self.tied]


def _watched(agent: RatingAgent, tied: list[int]) -> Agent:
    """Return the same agent with a list that receives the best discards of each choice."""

    class Watched(type(agent)):  # type: ignore[misc]
        def pick(
            self,
            view: View,
            hand: tuple[int, ...],
            called: int,
            best: list[int],
            rng: np.random.Generator,
        ) -> int:
            tied[:] = best
            kind: int = super().pick(view, hand, called, best, rng)
            return kind

    arguments = {
        parameter.name: getattr(agent, parameter.name)
        for parameter in fields(agent)
        if parameter.init
    }
    watched: Agent = Watched(**arguments)
    return watched


def play_teacher_games(
    teacher: Teacher,
    config: Configuration,
    games: Iterable[int],
    *,
    seed: int,
    full: bool = False,
    advance: Callable[[], object] | None = None,
) -> Samples:
    """Play games of four copies of a teacher; return every decision with the best moves.

    Each game depends only on the seed and its number. With ``full`` the policies have full numbers,
    for the perfect agent.
    """
    kinds = config.kinds

    def play(game: int) -> tuple[int, list[SearchedDecision], tuple[int, ...]]:
        state, decisions = initial_state(config, seed, game), []
        *rngs, hidden_rng = (agent_stream(seed, game, seat) for seat in range(NUM_SEATS + 1))
        while (seat := state.to_move) is not None:
            moves = legal_moves(state)
            move, tied = teacher.choose_with_ties(view_of(state, seat), moves, rng=rngs[seat])
            decisions.append(
                _decision(state, move, tied, config, dealt=hidden_rng if full else None)
            )
            state = step(state, move)
        if advance is not None:
            advance()
        return game, decisions, state.outcome.scores if state.outcome else (0, 0, 0, 0)

    return collect(
        map(play, games), kinds=kinds, width=(NUM_CHANNELS if full else NUM_TYPES) * kinds
    )


def _decision(
    state: State,
    move: Move,
    good: list[Move],
    config: Configuration,
    *,
    dealt: np.random.Generator | None,
) -> SearchedDecision:
    """Return a decision; with a generator for hidden tiles it has full numbers."""

    def number(move: Move) -> int:
        if dealt is None:
            return action_number(move, state)
        return transition_number(state, move, step(state, move), player_state=config.player_state)

    seat, places = current_seat(state), [number(best) for best in good]
    return SearchedDecision(
        planes=encode_masked(state, seat, config, dealt) if dealt else encode(state, seat, config),
        mask=action_mask(legal_actions(state, config.declare), config.kinds),
        places=np.array(places),
        shares=np.full(len(places), 1 / len(places)),
        action=number(move),
        seat=seat,
    )
