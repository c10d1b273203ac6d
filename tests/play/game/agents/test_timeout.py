"""Decisions are interrupted at the time limit."""

import threading
import time

import pytest
from helpers.game_tables import RNG, moves, view
from helpers.scripted_agents import Sleeping

from mjopt.play.game import M0_RULES
from mjopt.play.game.agents import FirstLegal
from mjopt.play.game.agents.timeout import with_time_limit

SEEN = view(M0_RULES, "16m234p567p345s789s")


def test_slow_decision_is_interrupted():
    agent = with_time_limit(Sleeping(), 0.1)
    with pytest.raises(TimeoutError, match="no answer within 0.1 s"):
        agent.choose(SEEN, moves(SEEN), rng=RNG)
    assert agent.name == "sleeping"


def test_quick_decision_is_not_interrupted():
    agent = with_time_limit(FirstLegal(), 5)
    assert agent.choose(SEEN, moves(SEEN), rng=RNG) == moves(SEEN)[0]
    time.sleep(0.01)  # the timer was cancelled


def test_agent_is_unchanged_outside_the_main_thread():
    found = []
    agent = FirstLegal()
    thread = threading.Thread(target=lambda: found.append(with_time_limit(agent, 1)))
    thread.start()
    thread.join()
    assert found == [agent]
