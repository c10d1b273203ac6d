"""Decisions that take too long are broken off."""

import threading
import time

import pytest
from helpers.game_tables import RNG, moves, view
from helpers.scripted_agents import Sleeping

from mjopt.game import M0_RULES
from mjopt.game.agents import FirstLegal
from mjopt.game.agents.timeout import with_time_limit

SEEN = view(M0_RULES, "16m234p567p345s789s")


def test_a_sleeping_agent_is_woken():
    agent = with_time_limit(Sleeping(), 0.1)
    with pytest.raises(TimeoutError, match="no answer within 0.1 s"):
        agent.choose(SEEN, moves(SEEN), rng=RNG)
    assert agent.name == "sleeping"


def test_a_quick_agent_is_not():
    agent = with_time_limit(FirstLegal(), 5)
    assert agent.choose(SEEN, moves(SEEN), rng=RNG) == moves(SEEN)[0]
    time.sleep(0.01)  # no alarm is left that could ring later


def test_without_alarms_the_agent_is_left_as_it_is():
    found = []
    agent = FirstLegal()
    thread = threading.Thread(target=lambda: found.append(with_time_limit(agent, 1)))
    thread.start()
    thread.join()
    assert found == [agent]
