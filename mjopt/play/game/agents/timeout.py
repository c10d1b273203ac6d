"""A time limit for the decisions of agents that run in this process."""

import _thread
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import numpy as np

from mjopt.play.game.moves import Move
from mjopt.play.game.observation import View
from mjopt.play.game.play import Agent, sees_all
from mjopt.play.game.state import State

HAS_TIMER: Final = hasattr(signal, "setitimer")
# Windows has no timer signal: a thread sends a signal that is otherwise unused.
SIGNAL: Final[signal.Signals] = (
    signal.SIGALRM if HAS_TIMER else getattr(signal, "SIGBREAK", signal.SIGABRT)
)

AGAIN: Final = 1.0
"""Seconds after which the signal is repeated: one that arrives just before a read of input does
not interrupt it, and Python forgets an exception that is raised in some callbacks."""


@dataclass(frozen=True, slots=True)
class TimeLimited:
    """An agent whose decisions are interrupted after a time limit."""

    agent: Agent
    seconds: float

    @property
    def name(self) -> str:
        """Return the agent's name."""
        return self.agent.name

    @property
    def sees_all(self) -> bool:
        """Whether the agent sees all tiles."""
        return sees_all(self.agent)

    def show(self, state: State) -> None:
        """Show the agent all tiles."""
        self.agent.show(state)  # type: ignore[attr-defined]  # it sees all

    def choose(self, view: View, moves: tuple[Move, ...], *, rng: np.random.Generator) -> Move:
        """Return the agent's move, or raise TimeoutError.

        Python code is interrupted anywhere, a call of compiled code only when it returns.
        """
        with timeout_after(self.seconds):
            return self.agent.choose(view, moves, rng=rng)


@contextmanager
def timeout_after(seconds: float) -> Iterator[None]:
    """Raise TimeoutError in the block after some seconds, and again until the block is left.

    For the main thread only.
    """
    is_left = False

    def raise_timeout(*_: object) -> None:
        if not is_left:
            raise TimeoutError(f"no answer within {seconds:g} s")

    before, stopped = signal.signal(SIGNAL, raise_timeout), threading.Event()
    try:
        try:
            _start_signals(seconds, stopped)
            yield
        finally:
            is_left = True  # a signal that arrives just before raises once more
    finally:
        is_left = True
        stopped.set()
        if HAS_TIMER:
            signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(SIGNAL, before)


def _start_signals(seconds: float, stopped: threading.Event) -> None:
    """Send the signal after some seconds and repeatedly; a thread does it until the event."""
    if HAS_TIMER:
        signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
        return

    def send() -> None:
        pause = seconds
        while not stopped.wait(pause):
            _thread.interrupt_main(SIGNAL)
            pause = AGAIN

    threading.Thread(target=send, daemon=True).start()


def with_time_limit(agent: Agent, seconds: float) -> Agent:
    """Return an agent that raises TimeoutError at the time limit.

    Signals work only in the main thread: in another thread the agent is returned unchanged,
    and the caller must check the time after the answer.
    """
    if threading.current_thread() is threading.main_thread():
        return TimeLimited(agent, seconds)
    return agent
