"""Agents in other processes: messages, answers, faults and the end of the process."""

import json
import os
import re
import shlex
import signal
import sys
from pathlib import Path

import pytest
from helpers.game_tables import RNG, called, moves, view
from helpers.processes import PROC, marked, wait_until_gone
from helpers.waits import BRIEF, FOREVER, LONG, MOMENT

from mjopt.errors import ArgumentError, GameError
from mjopt.hands.blocks import Shape
from mjopt.hands.tiles import FULL, M0
from mjopt.play import battle
from mjopt.play.game import (
    GMJBG,
    JJ,
    M0_RULES,
    PASS,
    Action,
    Event,
    Move,
    agent_stream,
    legal_moves,
    run_game,
    shuffle_wall,
    start,
    step,
    view_of,
)
from mjopt.play.game.agents import ProcessAgent, read_agent
from mjopt.play.game.agents.json_protocol import message_of, move_text, read_answer
from mjopt.play.game.agents.program import RunningProgram
from mjopt.play.tournaments import BattleConfig
from mjopt.play.tournaments.results import FAULTS

PLAYER = str(Path(__file__).parents[3] / "data" / "players" / "player.py")

IS_THERE = PROC.exists() and hasattr(os, "killpg")
POSIX = pytest.mark.skipif(not IS_THERE, reason="groups of processes are found in /proc")


@pytest.fixture
def player():
    made = []

    def make(behaviour="last", time_limit=LONG, mark=""):
        command = (sys.executable, PLAYER, behaviour, mark)
        made.append(ProcessAgent(command, time_limit=time_limit))
        return made[-1]

    yield make
    for agent in made:
        agent.close()


def test_message_contains_the_view_of_the_seat():
    events = (Event(0, Action.DRAW, -1), Event(0, Action.DISCARD, 20), Event(1, Action.CHOW, 19))
    seen = view(
        GMJBG,
        "33m24688p678s1z",
        melds=[called((19, 20, 21), Shape.CHOW)],
        events=events,
        seat=1,
    )
    assert message_of(seen, moves(seen)[:2]) == {
        "Pong": "",
        "Chi": "234S",
        "Kong": "",
        "Seat": "1",
        "History": ["0,Draw,", "0,Discard,3S", "1,Chi,234S"],
        "Hand": "33M24688P678S1Z",
        "Tile": "1Z",
        "Legal": ["Discard,3M", "Discard,2P"],
        "Rules": "gmjbg",
    }


def test_melds_are_listed_by_shape():
    melds = [
        called((0, 0, 0), Shape.PONG),
        called((4, 4, 4, 4), Shape.KONG),
        called((8, 8, 8), Shape.PONG),
    ]
    claim = view(M0_RULES, "44p55s", melds=melds, tile="4p")
    message = message_of(claim, moves(claim))
    assert (message["Pong"], message["Kong"], message["Chi"]) == ("111M,999M", "5555M", "")
    assert message["Tile"] == "4P"
    assert message["Legal"] == ["Hu,4P", "Pong,444P", "Pass,"]


@pytest.mark.parametrize(
    ("word", "tiles", "move"),
    [
        ("Discard", "5M", Move(Action.DISCARD, 4)),
        ("discard", "5m", Move(Action.DISCARD, 4)),
        ("Ready", "5M", Move(Action.READY, 4)),
        ("Chi", "234S", Move(Action.CHOW, 19)),
        ("Pong", "222M", Move(Action.PONG, 1)),
        ("Kong", "3333S", Move(Action.KONG, 20)),
        ("AddKong", "3333S", Move(Action.ADDED_KONG, 20)),
        ("CloseKong", "1111Z", Move(Action.CLOSED_KONG, 27)),
        ("Hu", "9P", Move(Action.WIN, 17)),
        ("Pass", "", PASS),
    ],
)
def test_answers_and_moves_convert_both_ways(word, tiles, move):
    answer = {"Code": 100, "Err_msg": "", "Action_type": word, "Action_content": tiles}
    assert read_answer(answer, (), FULL) == move
    assert move_text(move, FULL).upper() == f"{word},{tiles}".upper()


def test_short_forms_mean_the_legal_move():
    can = (Move(Action.WIN, 17), Move(Action.CLOSED_KONG, 20), PASS)
    answer = {"Action_type": "Hu", "Action_content": ""}
    assert read_answer(answer, can, M0) == can[0]
    answer = {"Action_type": "Kong", "Action_content": "3333S"}
    assert read_answer(answer, can, M0) == can[1]
    assert read_answer({"Action_type": "Pass"}, can, M0) == PASS


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Pong", "expected a JSON object"),
        ({}, "Action_type None, expected one of Hu"),
        ({"Action_type": "Sleep"}, "Action_type 'Sleep'"),
        ({"Action_type": "Discard", "Action_content": "1Z"}, "Action_content '1Z'"),
        ({"Action_type": "Discard", "Action_content": 5}, "Action_content 5"),
        ({"Code": 500, "Err_msg": "illegal"}, "reports code 500: illegal"),
        ({"Code": 100, "Err_msg": "lost"}, "reports code 100: lost"),
    ],
)
def test_invalid_answers_are_refused(answer, expected):
    with pytest.raises(GameError, match="^[^\n]*$") as caught:
        read_answer(answer, (), M0)
    assert expected in str(caught.value)


def test_one_process_plays_several_games(player):
    agent = player()
    others = read_agent("random")
    for game in range(3):
        result = run_game(
            [others, agent, others, others],
            shuffle_wall(1, game, JJ.tiles),
            rules=JJ,
            rngs=[agent_stream(1, game, seat) for seat in range(4)],
        )
        assert result.fault is None
        assert agent._running.process.poll() is None
    agent.close()
    agent.close()  # may be repeated


def play(agent):
    result = run_game(
        [agent, *[read_agent("random")] * 3],
        shuffle_wall(1, 0, M0),
        rules=M0_RULES,
        rngs=[agent_stream(1, 0, seat) for seat in range(4)],
    )
    assert agent._running is None or agent._running.process.poll() is None
    return result


@pytest.mark.parametrize(
    ("behaviour", "reason", "text"),
    [
        ("dead", "crash", "ended with status 7"),
        ("babble", "crash", "'hello' is not JSON"),
        ("torn", "crash", "'Action_type' is given twice"),
        ("error", "crash", "reports code 500: illegal"),
        ("cheat", "illegal", "win"),
        ("surrogate", "crash", "reports code 100: \\ud800\\x1b[2J"),
        ("talkative", "crash", "reports code 100: very very"),
        ("endless", "crash", "1048576 bytes without an end of line"),
        ("binary", "crash", "is not JSON: 'utf-8' codec can't decode"),
    ],
)
def test_failing_program_forfeits_the_game(player, behaviour, reason, text):
    result = play(player(behaviour))
    assert result.fault is not None
    assert (result.fault.seat, result.fault.reason) == (0, reason)
    assert text in result.fault.text
    assert result.fault.text.isprintable()
    assert len(result.fault.text) < 500
    assert result.outcome.scores == (-3, 1, 1, 1)


def test_early_answer_forfeits_the_game(player):
    """The extra line is an error, or an illegal answer to the next request."""
    result = play(player("twice"))
    assert result.fault is not None
    assert "before its request" in result.fault.text or result.fault.reason == "illegal"


def test_flood_of_output_forfeits_the_game(player):
    """The first line may be read as an answer, which is invalid."""
    agent = player("flood")
    result = play(agent)
    assert result.fault.reason == "crash"
    assert "before its request" in result.fault.text or "Action_type" in result.fault.text


@POSIX
@pytest.mark.parametrize("behaviour", ["helper", "stray helper"])
def test_program_is_stopped_with_its_process_group(player, behaviour, tmp_path):
    """A child outside the group survives, and an open output does not delay the end."""
    mark = str(tmp_path)
    agent = player(behaviour, mark=mark)
    assert play(agent).fault is None
    is_stray = behaviour == "stray helper"
    try:
        agent.close()
        wait_until_gone(marked(mark) if not is_stray else [])
        assert len(marked(mark)) == is_stray
    finally:
        for subprocess_agent in marked(mark):
            os.kill(subprocess_agent.pid, signal.SIGKILL)


@POSIX
def test_program_that_ignores_sigterm_is_killed(player, tmp_path):
    agent = player("stubborn", time_limit=1.0, mark=str(tmp_path))
    result = play(agent)
    assert result.fault.text == "no answer within 1 s"
    wait_until_gone(marked(str(tmp_path)))


def test_time_limit_covers_writing():
    running = RunningProgram((sys.executable, "-c", f"import time; time.sleep({FOREVER})"))
    with pytest.raises(TimeoutError, match=f"no answer within {BRIEF:g} s"):
        running.exchange(b"x" * (1 << 22), BRIEF)
    running.stop()
    assert running.process.poll() is not None


def play_every_state(behaviour, log):
    """Play with --every-state; return the result and the messages that the program received."""
    words = [sys.executable, PLAYER, behaviour, str(log)]
    agent = read_agent(f"looks=process:--every-state {shlex.join(words)}")
    try:
        result = run_game(
            [*[read_agent("random")] * 2, agent, read_agent("random")],
            shuffle_wall(1, 0, M0),
            rules=M0_RULES,
            rngs=[agent_stream(1, 0, seat) for seat in range(4)],
        )
    finally:
        agent.close()
    return result, [json.loads(line) for line in log.read_text().splitlines()]


def test_every_state_is_sent_and_only_the_seat_to_move_answers(tmp_path):
    result, messages = play_every_state("client", tmp_path / "log")
    assert result.fault is None
    state = start(M0_RULES, shuffle_wall(1, 0, M0))
    others, rngs = read_agent("random"), [agent_stream(1, 0, seat) for seat in range(4)]
    expected = []
    while (seat := state.to_move) is not None:
        seen, can = view_of(state, 2), legal_moves(state)
        expected.append({**message_of(seen, can if seat == 2 else ()), "Seat": str(seat)})
        move = can[-1] if seat == 2 else others.choose(view_of(state, seat), can, rng=rngs[seat])
        state = step(state, move)
    expected.append({**message_of(view_of(state, 2), ()), "Seat": ""})
    assert messages == [{**message, "You": "2"} for message in expected]
    assert {message["Seat"] for message in messages} == {"0", "1", "2", "3", ""}


def test_answer_for_another_seat_forfeits_the_game(tmp_path):
    result, _ = play_every_state("eager client", tmp_path / "log")
    assert result.fault.seat == 2  # an early answer, or an invalid answer to the next request
    assert "before its request" in result.fault.text or "Action_type" in result.fault.text


def test_time_limit_covers_states_without_an_answer():
    sleeps = (sys.executable, "-c", f"import time; time.sleep({FOREVER})")
    agent = ProcessAgent(sleeps, time_limit=BRIEF, every_state=True)
    seen = view(M0_RULES, "16m234p567p345s789s")

    def fill_the_pipe():
        for _ in range(10_000):
            agent.watch(seen, 1)

    with pytest.raises(TimeoutError, match=f"a state was not read within {BRIEF:g} s"):
        fill_the_pipe()
    assert agent._running is None


def test_late_program_is_stopped_and_restarted(player):
    agent = player("late", time_limit=MOMENT)
    result = battle([agent, *[read_agent("random")] * 3], rules="m0", seed=1, games=1, rounds=1)
    assert FAULTS[result.rows["fault"][0]] == "slow"
    assert f"no answer within {MOMENT:g} s" in result.faults[0]
    assert agent._running is None  # a late answer must not become the next one
    agent.time_limit = LONG  # the restart may be slow on a busy machine
    seen = view(M0_RULES, "16m234p567p345s789s")
    assert agent.choose(seen, moves(seen), rng=RNG) == moves(seen)[-1]


def test_missing_program_is_refused():
    seen = view(M0_RULES, "16m234p567p345s789s")
    with pytest.raises(GameError, match="cannot start no-such-program: No such file"):
        ProcessAgent(("no-such-program",)).choose(seen, moves(seen), rng=RNG)


@pytest.mark.parametrize("seconds", [0, -1, 1e-9, 1e300, float("inf"), float("nan")])
def test_time_limits_out_of_range_are_refused(seconds):
    refusal = f"time_limit {seconds}, expected 0.001 to 86400 seconds"
    with pytest.raises(ArgumentError, match=re.escape(refusal)):
        ProcessAgent(("x",), time_limit=seconds)
    with pytest.raises(ArgumentError, match=re.escape(refusal)):
        BattleConfig(agents=("l1",) * 4, games=1, time_limit=seconds)
