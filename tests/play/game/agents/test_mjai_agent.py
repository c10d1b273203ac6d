"""Bots that speak mjai at our tables: messages, answers, faults."""

import json
import shlex
import sys
from collections import Counter
from pathlib import Path

import pytest
from helpers.game_tables import moves, view
from helpers.waits import BRIEF

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
    mjai_lines,
    run_game,
    shuffle_wall,
    start,
    step,
    view_of,
)
from mjopt.play.game.agents import MjaiAgent, read_agent
from mjopt.play.game.play import decide
from mjopt.play.game.table import GameTable
from mjopt.play.mjai import Player

BOT = str(Path(__file__).parents[3] / "data" / "players" / "mjai_bot.py")
RULES = [GMJBG, M0_RULES, JJ]


def bot(behaviour="drawn", mark="", *flags):
    words = [*flags, sys.executable, BOT, behaviour, mark]
    return read_agent(f"{behaviour}=mjai:{shlex.join(words)}")


def play(agents, *, rules=GMJBG, game=0, dealer=0):
    rngs = [agent_stream(3, game, seat) for seat in range(4)]
    wall = shuffle_wall(3, game, rules.tiles)
    return run_game(agents, wall, rules=rules, rngs=rngs, dealer=dealer, seed=3, game=game)


class InProcess:
    """Stands for a running program: a player of this process."""

    def __init__(self, agent, **options):
        self.player = Player(agent, **options)
        self.messages = []

    def ask(self, message, seconds):
        self.messages += message if isinstance(message, list) else [message]
        return json.loads(json.dumps(self.player.react(json.dumps(message))))

    def stop(self):
        pass


def seated(agent, *, single=False, **options):
    made = MjaiAgent(("in-process",), single=single)
    made._running = InProcess(agent, **options)
    return made


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
def test_four_players_speak_mjai_without_a_fault(rules):
    """Every message is checked by the players; their answers by the game."""
    endings = Counter()
    for game in range(4):
        agents = [
            seated("random", calls="free", seed=game),
            seated("deficiency", calls="free"),
            seated("first", calls="free", single=True),
            seated("l3", riichi=False),
        ]
        result = play(agents, rules=rules, game=game, dealer=game)
        assert result.fault is None, result.fault
        endings[result.outcome.ending] += 1
    assert endings.total() == 4


def test_four_programs_one_of_them_ours():
    """Two games, so that the programs play on; one bot gets its seat as a word."""
    ours = read_agent(f"mjai:{shlex.join([sys.executable, '-m', 'mjopt', 'mjai', 'l3'])}")
    agents = [ours, bot(), bot("reach", "{seat}"), bot("drawn", "", "--single")]
    try:
        for game in range(2):
            result = play(agents[game:] + agents[:game], game=game)
            assert result.fault is None, result.fault
    finally:
        for agent in agents:
            agent.close()


@pytest.mark.parametrize("single", [False, True])
def test_messages_are_those_of_the_record_as_the_seat_sees_them(single):
    agents = [
        read_agent("random"),
        seated("l3", single=single, calls="free"),
        *[read_agent("first")] * 2,
    ]
    result = play(agents, game=5)
    sent = agents[1]._running.messages
    logged = [json.loads(line) for line in mjai_lines(result.line)]
    assert [m["type"] for m in sent] == [
        m["type"] for m in logged if m["type"] not in ("end_kyoku", "end_game")
    ] + ["end_kyoku", "end_game"]
    for message, full in zip(sent, logged, strict=True):
        if message["type"] == "start_kyoku":
            assert sorted(message["tehais"][1]) == sorted(full["tehais"][1])
            assert message["tehais"][0] == ["?"] * 13
            assert (message["dora_marker"], message["scores"]) == ("N", [25_000] * 4)
        elif message["type"] in ("tsumo", "chi", "pon", "daiminkan", "ankan", "kakan"):
            is_hidden = message["type"] == "tsumo" and message["actor"] != 1
            assert message == (full | {"pai": "?"} if is_hidden else full)


@pytest.mark.parametrize(
    ("behaviour", "expected"),
    [
        ("pass", 'answer {"type": "none"} is not a legal move'),
        ("other", "of another seat than 0"),
        ("list", 'answer [{"type": "none"}], expected an mjai action'),
        ("untyped", 'answer {"actor": 0}, expected an mjai action'),
        ("win", '"hora"'),
        ("draw", 'answer {"type": "ryukyoku"} is not a legal move'),
        ("unknown", "is not a legal move"),
        ("unheld", '"pai": "5pr"'),
        ("tile", '"pai": "0p"'),
        ("kong", 'answer {"type": "ankan", "actor": 0, "consumed": []} is not a legal move'),
        ("babble", "answer 'hello' is not JSON"),
        ("dead", "the process ended with status 7"),
    ],
)
def test_bot_that_breaks_the_protocol_loses_with_its_message(behaviour, expected):
    result = play([bot(behaviour), *[read_agent("l1")] * 3])
    assert result.fault is not None
    assert result.fault.seat == 0
    assert expected in result.fault.text
    assert result.fault.text.isprintable()
    assert result.outcome.scores == (-3, 1, 1, 1)


def test_late_bot_loses():
    agent = bot("late")
    agent.agent.time_limit = BRIEF
    result = play([agent, *[read_agent("l1")] * 3])
    assert (result.fault.reason, result.fault.text) == ("slow", f"no answer within {BRIEF:g} s")


def test_declaration_is_a_discard_without_rules_for_it(tmp_path):
    log = tmp_path / "bot.log"
    agent = bot("reach", str(log))
    try:
        result = play([*[read_agent("l1")] * 3, agent])
    finally:
        agent.close()
    assert result.fault is None
    events = [event for line in log.read_text().splitlines() for event in json.loads(line)]
    own = [e["type"] for e in events if e.get("actor") == 3]
    assert own[:4] == ["tsumo", "reach", "dahai", "reach_accepted"]
    assert own.count("reach") == 1
    # With the declaration of jj the hand must be ready.
    assert '"dahai"' in play([*[read_agent("l1")] * 3, bot("reach")], rules=JJ).fault.text


def choose(answer, seen, can):
    """Return the move of an agent whose program gives an answer."""

    class Fixed:
        def ask(self, message, seconds):
            return answer if message[-1]["type"] != "start_game" else {"type": "none"}

        def stop(self):
            pass

    agent = MjaiAgent(("fixed",))
    agent._running = Fixed()
    return agent.choose(seen, can, rng=agent_stream(1, 0, 0))


def test_seven_pairs_and_nine_kinds_count_as_no_action():
    """A program wins with seven pairs, which do not win under gmjbg."""
    events = (Event(0, Action.DRAW, -1),)
    pairs = view(GMJBG, "1133557799m1133p", events=events)
    hora = {"type": "hora", "actor": 0, "target": 0, "pai": "3p"}
    assert choose(hora, pairs, moves(pairs)) == Move(Action.DISCARD, pairs.drawn)
    nine = view(GMJBG, "19m19p19s123z22344p", events=events)
    assert choose({"type": "ryukyoku"}, nine, moves(nine)) == Move(Action.DISCARD, nine.drawn)
    offer = (Event(3, Action.DRAW, -1), Event(3, Action.DISCARD, 11))
    waiting = view(GMJBG, "1133557799m113p", tile="3p", events=offer)
    assert choose(hora, waiting, (PASS,)) == PASS


@pytest.mark.parametrize(
    ("answer", "move"),
    [
        ({"type": "chi", "pai": "3m", "consumed": ["4m", "5mr"]}, Move(Action.CHOW, 2)),
        ({"type": "pon", "pai": "3m", "consumed": ["3m", "3m"]}, Move(Action.PONG, 2)),
        ({"type": "daiminkan", "pai": "3m", "consumed": ["3m"] * 3}, Move(Action.KONG, 2)),
        ({"type": "none"}, PASS),
    ],
)
def test_answers_are_read(answer, move):
    events = (Event(3, Action.DRAW, -1), Event(3, Action.DISCARD, 2))
    seen = view(GMJBG, "333455m123p1234z", tile="3m", events=events)
    assert choose(answer, seen, moves(seen)) == move


def test_program_may_join_a_game():
    """Its past draws are unknown: the messages are those of a hand that fits."""
    for game in range(3):
        state = start(GMJBG, shuffle_wall(8, game, GMJBG.tiles))
        players, rng = [read_agent("first"), read_agent("random")], agent_stream(1, game, 0)
        while state.to_move is not None and len(state.table.events) < 60:
            seat = state.to_move
            move = players[seat % 2].choose(view_of(state, seat), legal_moves(state), rng=rng)
            state = step(state, move)
            if state.to_move is not None:
                agent = seated("l1")
                answer = decide(agent, GameTable(state), state.to_move, rng)
                assert isinstance(answer, Move), answer
                assert agent._running.player._seat.view().hand == state.hands[state.to_move]
