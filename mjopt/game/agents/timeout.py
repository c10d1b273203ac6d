"""An alarm for agents of this process: a decision that takes too long is broken off."""

import _thread
import signal
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from mjopt.game.moves import Move
from mjopt.game.observation import View
from mjopt.game.play import Agent, sees_all
from mjopt.game.state import State

HAS_TIMER: Final = hasattr(signal, "setitimer")
# Windows has no timer that sends a signal: a thread sends one that nothing else here uses.
SIGNAL: Final[int] = signal.SIGALRM if HAS_TIMER else getattr(signal, "SIGBREAK", signal.SIGABRT)


@dataclass(frozen=True, slots=True)
class Alarmed:
    """An agent that is stopped when it thinks for too long."""

    agent: Agent
    seconds: float

    @property
    def name(self) -> str:
        """The agent's."""
        return self.agent.name

    @property
    def sees_all(self) -> bool:
        """The agent's."""
        return sees_all(self.agent)

    def show(self, state: State) -> None:
        """Show the agent all tiles."""
        self.agent.show(state)  # type: ignore[attr-defined]  # it sees all

    def choose(self, view: View, moves: tuple[Move, ...], *, rng: np.random.Generator) -> Move:
        """Return the agent's move, or raise TimeoutError.

        Python code is broken off wherever it is; a compiled call only when it returns.
        """

        def ring(*_: Any) -> None:
            raise TimeoutError(f"no answer within {self.seconds:g} s")

        before = signal.signal(SIGNAL, ring)
        stop = _ring_after(self.seconds)
        try:
            return self.agent.choose(view, moves, rng=rng)
        finally:
            stop()
            signal.signal(SIGNAL, before)


def _ring_after(seconds: float) -> Callable[[], object]:
    """Send the signal after some seconds; return what stops that."""
    if HAS_TIMER:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        return lambda: signal.setitimer(signal.ITIMER_REAL, 0)
    timer = threading.Timer(seconds, _thread.interrupt_main, [SIGNAL])
    timer.daemon = True
    timer.start()
    return timer.cancel


def with_alarm(agent: Agent, seconds: float) -> Agent:
    """Return an agent that answers in time or raises TimeoutError.

    Where no alarm can be set, in another thread than the main one, the agent comes back as
    it is: it is then judged after it has answered.
    """
    if threading.current_thread() is threading.main_thread():
        return Alarmed(agent, seconds)
    return agent
