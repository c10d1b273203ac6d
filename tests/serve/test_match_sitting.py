"""A person and three agents: whole matches, what time does, and the same again from a file."""

import json

import pytest
from helpers.arranged_game import JUNK
from helpers.table_talk import GIVER, QUIET, dealt, simple

from mjopt.errors import FileError, GameError
from mjopt.game import GMJBG, PASS, Action, Ending, Move, Phase, read_record, replay
from mjopt.serve import match_session as module
from mjopt.serve.match_session import Setting, begin, next_hand, play, players, plays, read_sitting


def kept(sitting):
    return read_sitting(json.loads(json.dumps(sitting.to_document())))


@pytest.mark.parametrize("rules", ["gmjbg", "m0", "jj"])
def test_a_whole_match_is_the_same_after_every_move(rules):
    players = ("l3", "deficiency", "l2")
    sitting = begin(Setting(rules=rules, players=players, seat=2, seconds=None), 11)
    seeds, numbers = iter(range(12, 99)), []
    while not (sitting.state.is_over and sitting.match.is_over):
        numbers.append(sitting.number)
        if sitting.state.is_over:
            sitting = next_hand(sitting, next(seeds))
        else:
            assert sitting.state.to_move == 2
            sitting = play(sitting, simple(sitting))
        assert sum(sitting.points) == 0
        if len(numbers) % 15 == 0 or sitting.state.is_over:
            assert kept(sitting) == sitting
    assert numbers == sorted(set(numbers))
    records = [read_record(line) for line in sitting.match.lines]
    assert [record.seed for record in records] == list(range(11, 11 + len(records)))
    assert {record.names for record in records} == {("l3", "deficiency", "you", "l2")}
    for record in records:
        replay(record)
    with pytest.raises(GameError, match="no hand is to be dealt now"):
        next_hand(sitting, 1)
    with pytest.raises(GameError):
        play(sitting, PASS)


@pytest.mark.parametrize("text", players())
def test_every_player_that_can_be_chosen_plays(text):
    rules = "m0" if plays(text, "m0") else "jj"
    sitting = begin(Setting(rules=rules, players=(text, "l1", "l1"), seconds=None), 3)
    for _ in range(2):
        sitting = play(sitting, sitting.default())
    assert kept(sitting) == sitting
    assert not sitting.fault


def test_an_agent_answers_the_same_whatever_was_asked_before():
    setting = Setting(players=("deficiency:method=ndde", "l3", "l1"), seconds=None)
    first = play(begin(setting, 5), Move(Action.DISCARD, begin(setting, 5).state.drawn))
    again = begin(setting, 5)
    for _ in range(2):
        play(again, again.options[-1])
    assert play(again, Move(Action.DISCARD, again.state.drawn)) == first


def test_an_agent_that_fails_ends_the_hand_and_the_match_goes_on(monkeypatch):
    class Failing:
        name = "l2"

        def choose(self, view, moves, *, rng):
            raise ZeroDivisionError("one over zero")

    read = module.read_agent
    sitting = begin(QUIET, 1)
    monkeypatch.setattr(module, "read_agent", lambda _: Failing())
    sitting = play(sitting, sitting.default())
    assert (sitting.state.outcome.ending, sitting.match.dealers) == (Ending.FAULT, (0, 1))
    assert "ZeroDivisionError" in read_record(sitting.match.lines[0]).fault
    monkeypatch.setattr(module, "read_agent", read)
    assert kept(sitting) == sitting
    assert not next_hand(sitting, 2).state.is_over


def test_what_time_does_on_a_turn_on_an_offer_and_after_a_call():
    sitting = begin(QUIET, None, dealt([JUNK], draws="5p"))
    assert sitting.default() == Move(Action.DISCARD, GMJBG.tiles.names.index("5p"))  # the drawn
    called = begin(QUIET, None, dealt(["147m258p369s1277z", GIVER], draws="9s 7z"))
    called = play(called, called.default())
    assert called.view.phase is Phase.CLAIM
    assert called.default() == PASS
    after = play(called, Move(Action.PONG, GMJBG.tiles.names.index("7z")))
    assert after.view.phase is Phase.CALLED
    assert GMJBG.tiles.names[after.default().kind] == "2z"


def test_an_own_draw_wins_by_itself_unless_that_is_chosen_otherwise():
    deal = dealt(["123456789m123p1s"], draws="1s")
    for wins, action in ((True, Action.WIN), (False, Action.DISCARD)):
        setting = Setting(players=("l1",) * 3, wins_by_itself=wins)
        assert begin(setting, None, deal).default().action is action


def test_the_number_tells_nothing_of_what_others_were_asked():
    """Only the person's own answers are counted, though those of all are kept."""
    sitting = begin(Setting(seconds=None), 8)
    for count in range(1, 9):
        sitting = play(sitting, sitting.default())
        if sitting.state.is_over:
            break
        assert sitting.number == 1000 + count
    assert len(sitting.moves) > sitting.own


def test_news_are_what_happened_since_the_last_decision():
    sitting = begin(QUIET, 1)
    events = len(sitting.state.table.events)
    thrown = sitting.default()
    sitting = play(sitting, thrown)
    seats = [event.seat for event in sitting.news]
    assert sitting.news[0][1:] == (thrown.action, thrown.kind)
    assert seats == sorted(seats)
    assert all(event.action is not Action.DRAW for event in sitting.news)
    assert len(sitting.state.table.events) > events


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"players": ("l1", "l2")}, "2 players"),
        ({"players": ("l1", "l2", "process:rm")}, "player 'process:rm', expected one of l1"),
        ({"players": ("l1", "l2", "bot.py:Bot")}, "player 'bot.py:Bot'"),
        ({"hints": "bot.py:Bot"}, "player 'bot.py:Bot'"),
        ({"seat": 4}, "seat 4"),
        ({"seconds": 0}, "0 seconds"),
        ({"rules": "x"}, "unknown rules"),
    ],
)
def test_what_cannot_be_chosen_is_refused(change, expected):
    with pytest.raises(GameError, match=expected):
        Setting(**change)


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
    setting = Setting(rules="m0", players=("l1",) * 3, seat=1, seconds=None)
    document = begin(setting, 1).to_document()
    assert document["moves"]
    place = document
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    with pytest.raises(FileError, match="not a match"):
        read_sitting(document)


def test_a_hand_too_many_is_refused():
    setting = Setting(rules="m0", players=("l1",) * 3, seconds=None)
    sitting, seeds = begin(setting, 1), iter(range(2, 50))
    while not (sitting.state.is_over and sitting.match.is_over):
        over = sitting.state.is_over
        sitting = next_hand(sitting, next(seeds)) if over else play(sitting, simple(sitting))
    document = sitting.to_document()
    document["lines"] = list(sitting.match.lines)
    with pytest.raises(FileError, match="after the end"):
        read_sitting(document)
