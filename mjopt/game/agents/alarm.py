"""An alarm for agents of this process: a decision that takes too long is broken off."""

import signal
import threading
from dataclasses import dataclass
from typing import Any

import numpy as np

from mjopt.game.moves import Move
from mjopt.game.play import Agent
from mjopt.game.view import View


@dataclass(frozen=True, slots=True)
class Alarmed:
    """An agent that is stopped when it thinks for too long."""

    agent: Agent
    seconds: float

    @property
    def name(self) -> str:
        """The agent's."""
        return self.agent.name

    def choose(self, view: View, moves: tuple[Move, ...], *, rng: np.random.Generator) -> Move:
        """Return the agent's move, or raise TimeoutError.

        Python code is broken off wherever it is; a compiled call only when it returns.
        """

        def ring(*_: Any) -> None:
            raise TimeoutError(f"no answer within {self.seconds:g} s")

        before = signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, self.seconds)
        try:
            return self.agent.choose(view, moves, rng=rng)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)


def with_alarm(agent: Agent, seconds: float) -> Agent:
    """Return an agent that answers in time or raises TimeoutError.

    Where no alarm can be set (another thread than the main one, or a system without
    them) the agent comes back as it is: it is then judged after it has answered.
    """
    has_alarms = hasattr(signal, "setitimer")
    if has_alarms and threading.current_thread() is threading.main_thread():
        return Alarmed(agent, seconds)
    return agent
