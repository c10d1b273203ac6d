"""Matches of a person and three agents: play, timeouts and restoring from a file."""

import json

import pytest
from helpers.arranged_game import JUNK
from helpers.table_talk import GIVER, QUIET, dealt, simple

from mjopt.errors import FileError, GameError
from mjopt.play.game import GMJBG, PASS, Action, Ending, Move, Phase, read_record, replay
from mjopt.play.matches import match_session as module
from mjopt.play.matches.match_session import (
    MatchSettings,
    available_agents,
    next_hand,
    play_move,
    read_session,
    start_session,
)


def kept(session):
    return read_session(json.loads(json.dumps(session.to_document())))


@pytest.mark.parametrize("rules", ["gmjbg", "m0", "jj"])
def test_match_is_restored_exactly_after_every_move(rules):
    players = ("l3", "deficiency", "l2")
    session = start_session(MatchSettings(rules=rules, players=players, seat=2, seconds=None), 11)
    seeds, numbers = iter(range(12, 99)), []
    while not (session.state.is_over and session.match.is_over):
        numbers.append(session.number)
        if session.state.is_over:
            session = next_hand(session, next(seeds))
        else:
            assert session.state.to_move == 2
            session = play_move(session, simple(session))
        assert sum(session.points) == 0
        if len(numbers) % 15 == 0 or session.state.is_over:
            assert kept(session) == session
    assert numbers == sorted(set(numbers))
    records = [read_record(line) for line in session.match.lines]
    assert [record.seed for record in records] == list(range(11, 11 + len(records)))
    assert {record.names for record in records} == {("l3", "deficiency", "you", "l2")}
    for record in records:
        replay(record)
    with pytest.raises(GameError, match="no hand can be dealt now"):
        next_hand(session, 1)
    with pytest.raises(GameError):
        play_move(session, PASS)


@pytest.mark.parametrize("text", available_agents("m0") | available_agents("jj"))
def test_every_listed_player_plays(text):
    rules = "m0" if text in available_agents("m0") else "jj"
    session = start_session(MatchSettings(rules=rules, players=(text, "l1", "l1"), seconds=None), 3)
    for _ in range(2):
        session = play_move(session, session.default())
    assert kept(session) == session
    assert not session.fault


def test_agent_choice_is_independent_of_earlier_requests():
    setting = MatchSettings(players=("deficiency:method=ndde", "l3", "l1"), seconds=None)
    first = play_move(
        start_session(setting, 5), Move(Action.DISCARD, start_session(setting, 5).state.drawn)
    )
    again = start_session(setting, 5)
    for _ in range(2):
        play_move(again, again.options[-1])
    assert play_move(again, Move(Action.DISCARD, again.state.drawn)) == first


def test_failing_agent_ends_only_the_hand(monkeypatch):
    class Failing:
        name = "l2"

        def choose(self, view, moves, *, rng):
            raise ZeroDivisionError("one over zero")

    read = module.read_agent
    session = start_session(QUIET, 1)
    monkeypatch.setattr(module, "read_agent", lambda _: Failing())
    session = play_move(session, session.default())
    assert (session.state.outcome.ending, session.match.dealers) == (Ending.FAULT, (0, 1))
    assert "ZeroDivisionError" in read_record(session.match.lines[0]).fault
    monkeypatch.setattr(module, "read_agent", read)
    assert kept(session) == session
    assert not next_hand(session, 2).state.is_over


def test_default_moves_on_timeout():
    session = start_session(QUIET, None, dealt([JUNK], draws="5p"))
    # The drawn tile is discarded.
    assert session.default() == Move(Action.DISCARD, GMJBG.tiles.names.index("5p"))
    called = start_session(QUIET, None, dealt(["147m258p369s1277z", GIVER], draws="9s 7z"))
    called = play_move(called, called.default())
    assert called.view.phase is Phase.CLAIM
    assert called.default() == PASS
    after = play_move(called, Move(Action.PONG, GMJBG.tiles.names.index("7z")))
    assert after.view.phase is Phase.CALLED
    assert GMJBG.tiles.names[after.default().kind] == "2z"


@pytest.mark.parametrize(
    ("hand", "draws", "other"),
    [("123456789m123p1s", "1s", Action.DISCARD), ("123456789m123p7z", "9s 7z", Action.PASS)],
)
def test_win_is_declared_on_timeout_unless_disabled(hand, draws, other):
    deal = dealt([hand, GIVER], draws=draws)
    for wins, action in ((True, Action.WIN), (False, other)):
        setting = MatchSettings(players=("l1",) * 3, wins_by_itself=wins)
        session = start_session(setting, None, deal)
        if other is Action.PASS:  # the win is offered on a discard
            session = play_move(session, session.default())
        assert session.options[0].action is Action.WIN
        assert session.default().action is action


def test_only_agents_that_play_the_rules_are_on_offer():
    for rules in ("gmjbg", "m0", "jj"):
        assert ("normal:taught" in available_agents(rules)) == (rules == "jj")
    assert [profile.name for profile in available_agents("m0").values()][:3] == [
        "Beginner",
        "Intermediate",
        "Advanced",
    ]


def test_decision_number_reveals_nothing_about_other_players():
    """The number counts only the person's answers, although all answers are stored."""
    session = start_session(MatchSettings(seconds=None), 8)
    for count in range(1, 9):
        session = play_move(session, session.default())
        if session.state.is_over:
            break
        assert session.number == 1000 + count
    assert len(session.moves) > session.num_own_moves


def test_news_lists_events_since_the_last_decision():
    session = start_session(QUIET, 1)
    events = len(session.state.table.events)
    thrown = session.default()
    session = play_move(session, thrown)
    seats = [event.seat for event in session.news]
    assert session.news[0][1:3] == (thrown.action, thrown.kind)
    assert seats == sorted(seats)
    assert all(event.action is not Action.DRAW for event in session.news)
    assert len(session.state.table.events) > events


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"players": ("l1", "l2")}, "2 players"),
        (
            {"players": ("l1", "l2", "process:rm")},
            "no player 'process:rm' under the rules gmjbg",
        ),
        ({"players": ("l1", "l2", "bot.py:Bot")}, "player 'bot.py:Bot'"),
        ({"hints": "bot.py:Bot"}, "player 'bot.py:Bot'"),
        ({"players": ("l1", "l2", "normal:taught")}, "under the rules gmjbg"),
        ({"seat": 4}, "seat 4"),
        ({"seconds": 0}, "seconds 0, expected"),
        ({"rules": "x"}, "rules .x.: unknown"),
    ],
)
def test_invalid_choices_are_refused(change, expected):
    with pytest.raises(GameError, match=expected):
        MatchSettings(**change)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("version",), 2),
        (("setting",), None),
        (("setting", "rules"), "x"),
        (("setting", "players"), ["l1", "l1", "bot.py:Bot"]),
        (("setting", "more"), 1),
        (("lines",), ["game1"]),
        (("lines",), 5),
        (("seed",), -1),
        (("seed",), "x"),
        (("moves",), "D"),
        (("moves",), "D99"),
        (("moves",), "X01"),
        (("moves",), "P01"),
        (("moves",), 7),
        (("moves",), ""),
    ],
)
def test_a_damaged_document_is_refused(path, value):
    setting = MatchSettings(rules="m0", players=("l1",) * 3, seat=1, seconds=None)
    document = start_session(setting, 1).to_document()
    assert document["moves"]
    place = document
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    with pytest.raises(FileError, match="not a match"):
        read_session(document)


def test_hand_that_begins_at_a_position_is_restored_and_ends_the_match():
    text = "445m34677p2346s55z seen=123m77z draws=3"
    session = start_session(MatchSettings(players=("l1",) * 3, position=text), 7)
    assert (session.news, kept(session)) == ((), session)

    while not session.state.is_over:
        session = play_move(session, session.default())
        assert kept(session) == session
    assert session.match.is_over
    assert read_record(session.match.lines[0]).seed is None
    assert replay(session.match.lines[0]).is_over


@pytest.mark.parametrize(
    "text",
    ["nonsense", "445m34677p2346s55z draws=0", "123456m789p11146s tiles=m0 draws=5", 5],
)
def test_damaged_position_is_refused(text):
    document = start_session(MatchSettings(rules="gmjbg"), 1).to_document()
    document["setting"]["position"] = text

    with pytest.raises(FileError) as refused:
        read_session(document)
    assert "\n" not in str(refused.value)


def test_extra_hand_is_refused():
    setting = MatchSettings(rules="m0", players=("l1",) * 3, seconds=None)
    session, seeds = start_session(setting, 1), iter(range(2, 50))
    while not (session.state.is_over and session.match.is_over):
        over = session.state.is_over
        session = next_hand(session, next(seeds)) if over else play_move(session, simple(session))
    document = session.to_document()
    document["lines"] = list(session.match.lines)
    with pytest.raises(FileError, match="after the end"):
        read_session(document)
