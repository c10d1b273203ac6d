"""Decisions are interrupted at the time limit."""

import signal
import threading
import time
from contextlib import suppress

import pytest
from helpers.game_tables import RNG, moves, view
from helpers.scripted_agents import Sleeping
from helpers.waits import BRIEF, LONG, MOMENT, POLL

from mjopt.play.game import M0_RULES
from mjopt.play.game.agents import FirstLegal, timeout
from mjopt.play.game.agents.timeout import with_time_limit

SEEN = view(M0_RULES, "16m234p567p345s789s")


def test_slow_decision_is_interrupted():
    agent = with_time_limit(Sleeping(), BRIEF)
    with pytest.raises(TimeoutError, match=f"no answer within {BRIEF:g} s"):
        agent.choose(SEEN, moves(SEEN), rng=RNG)
    assert agent.name == "sleeping"


@pytest.mark.parametrize("has_timer", sorted({timeout.HAS_TIMER, False}))
def test_decision_that_misses_the_first_signal_is_interrupted(
    has_timer: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timeout, "HAS_TIMER", has_timer)
    monkeypatch.setattr(timeout, "AGAIN", POLL)

    class Deaf(Sleeping):
        def choose(self, *seen, **more):
            for _ in range(3):
                with suppress(TimeoutError):
                    super().choose(*seen, **more)
            return super().choose(*seen, **more)

    with pytest.raises(TimeoutError):
        with_time_limit(Deaf(), POLL).choose(SEEN, moves(SEEN), rng=RNG)
    time.sleep(MOMENT)  # no signal comes after the end


def test_quick_decision_is_not_interrupted():
    before = signal.getsignal(timeout.SIGNAL)
    agent = with_time_limit(FirstLegal(), LONG)
    assert agent.choose(SEEN, moves(SEEN), rng=RNG) == moves(SEEN)[0]
    assert signal.getsignal(timeout.SIGNAL) is before
    if timeout.HAS_TIMER:
        assert signal.getitimer(signal.ITIMER_REAL)[0] == 0  # the timer was cancelled


def test_agent_is_unchanged_outside_the_main_thread():
    found = []
    agent = FirstLegal()
    thread = threading.Thread(target=lambda: found.append(with_time_limit(agent, LONG)))
    thread.start()
    thread.join()
    assert found == [agent]
