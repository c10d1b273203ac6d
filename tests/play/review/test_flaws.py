"""Flaws of a log: every round that can be replayed is judged, and one line names the rest."""

import json
import re
from dataclasses import replace

import pytest

from mjopt.cli.main import execute
from mjopt.errors import FileError
from mjopt.play.game.log_repair import repair_round
from mjopt.play.game.log_sequence import is_next, sequence_flaws
from mjopt.play.review.api import read_source, review_games
from mjopt.play.review.collector import DecisionCollector
from mjopt.play.review.detect_format import read_games

FORMS = ("tenhou-mjlog/game-01.mjlog", "tenhou-json/game-01.jsonl", "mjai/game-02.jsonl")


def read(data):
    [(_, game)] = read_games(data)
    return game


def judged(game, **more):
    return review_games([("log", 1, game)], **more)


def texts(found):
    return [flaw.why for flaw in found.flaws]


def rows_of(found, names):
    """Return the rows of some rounds, with the game and the round by its name."""
    return [row for row in found.discards if row["round"] in names]


@pytest.fixture(scope="module")
def whole(longest):
    return judged(longest)


def test_real_games_have_no_flaw(logs):
    collector = DecisionCollector(is_strict=True)
    for path in sorted(logs.glob("*/game-*")):
        assert collector.add(read(path.read_bytes())) == []
    assert (len(collector.games), collector.num_unread) == (5, 0)


def test_points_that_do_not_continue_are_one_flaw(longest, whole):
    rounds = list(longest.rounds)
    points = tuple(number + 1000 for number in rounds[4].points)
    rounds[4] = replace(rounds[4], points=points)
    found = judged(replace(longest, rounds=tuple(rounds)))
    assert len(found.flaws) == 2  # before and after it
    for why, deal in zip(texts(found), rounds[4:6], strict=True):
        assert why.startswith(f"{deal.name}: [")
        assert "points, but the previous round ends with" in why
    assert list(found.discards) == list(whole.discards)
    [refused] = judged(replace(longest, rounds=tuple(rounds)), strict=True).refused
    assert refused.why == texts(found)[0]


def test_a_missing_round_is_named(longest, whole):
    rounds = longest.rounds
    found = judged(replace(longest, rounds=rounds[:4] + rounds[5:]))
    assert texts(found) == ["East 3, counter 1 comes right after East 2, counter 2"]
    names = {deal.name for deal in rounds} - {"East 3"}
    assert list(found.discards) == rows_of(whole, names)
    assert found.num_unread == 0


def test_a_round_that_comes_twice_is_judged_once(longest, whole):
    rounds = longest.rounds
    found = judged(replace(longest, rounds=rounds[:4] + rounds[3:]))
    assert texts(found) == [f"{rounds[3].name} comes twice: judged once"]
    assert list(found.discards) == list(whole.discards)


def test_a_round_that_cannot_be_replayed_is_left_out(longest, whole):
    rounds = list(longest.rounds)
    rounds[2] = replace(rounds[2], events=rounds[2].events[1:])
    found = judged(replace(longest, rounds=tuple(rounds)))
    [why] = texts(found)
    assert why.startswith(f"not judged: {rounds[2].name}, turn 1: ")
    names = {deal.name for deal in rounds} - {rounds[2].name}
    assert list(found.discards) == rows_of(whole, names)
    assert found.num_unread == found.summary.rounds_refused == 1
    assert rounds[2] not in found.judged.games[0].rounds
    [refused] = judged(replace(longest, rounds=tuple(rounds)), strict=True).refused
    assert refused.why == why.removeprefix("not judged: ")


def test_a_game_without_a_round_that_can_be_replayed_is_refused(longest):
    rounds = tuple(replace(deal, events=deal.events[1:]) for deal in longest.rounds[:2])
    found = judged(replace(longest, rounds=rounds))
    assert found.flaws == ()
    assert [refused.why[:15] for refused in found.refused] == ["East 1, turn 1:"]


@pytest.mark.parametrize("form", FORMS)
def test_damage_to_one_round_costs_no_other_round_in_any_format(logs, form):
    text = (logs / form).read_text()
    game = read(text.encode())
    begin = {"tenhou-mjlog": "<INIT ", "tenhou-json": '{"title"', "mjai": '{"type":"start_kyoku"'}
    starts = [match.start() for match in re.finditer(begin[form.split("/")[0]], text)]
    half = starts[3] + (starts[4] - starts[3]) // 2
    element = max(half, text.find("<", half))
    for at, damage in ((half, "\n{\n"), (half, "\n<<\n"), (element, '<X y="1"/>')):
        damaged = read((text[:at] + damage + text[at:]).encode())
        rounds = list(damaged.rounds)
        found = [deal for deal in rounds if deal.name == game.rounds[3].name]
        rounds = [deal for deal in rounds if deal not in found]
        found = [repair_round(deal, game.rules)[0] for deal in found]
        for deal in found:
            if deal.cut:
                assert deal.events == game.rounds[3].events[: len(deal.events)]
            else:
                assert deal.events == game.rounds[3].events
        assert rounds == [*game.rounds[:3], *game.rounds[4:]]
        whys = [*damaged.unread, *(why for deal in found for why in (deal.cut, *deal.flaws) if why)]
        assert 1 <= len(whys) <= 3
        assert all("\n" not in why and len(why) < 300 for why in whys)
        assert sequence_flaws(damaged)[1] == []


def test_a_game_of_many_unreadable_rounds_is_refused():
    text = json.dumps({"log": [[1]] * 1000})
    for document in (text, '<GO type="1"/>' + "<INIT/>" * 1000, '{"type":"start_kyoku"}\n' * 500):
        assert isinstance(read(document.encode()), FileError)


@pytest.mark.parametrize("broken", ["{", '{"log": 3}', '{"type": 3}'])
@pytest.mark.parametrize("form", FORMS[1:])
def test_reading_ends_after_many_broken_lines(logs, tmp_path, form, broken):
    """A good game among them is read or refused, and memory stays bounded."""
    path = tmp_path / "log"
    path.write_text((logs / form).read_text() + f"{broken}\n" * 5000)
    collected = list(read_source(path, is_alone=True))
    assert len(collected) <= 1102
    texts = [str(game) for _, _, game in collected if isinstance(game, FileError)]
    assert all("\n" not in text and len(text) < 300 for text in texts)


def test_a_declaration_of_a_hand_that_is_not_ready_is_a_flaw(longest):
    """The declarer throws a tile that it needs; the rest of the round still replays."""
    text = (
        '{"type":"start_kyoku","bakaze":"E","kyoku":1,"honba":0,"kyotaku":0,"oya":0,'
        '"scores":[25000,25000,25000,25000],"dora_marker":"8s","tehais":['
        '["1m","3m","2m","2m","2m","2m","4p","5p","6p","7s","8s","9s","E"],'
        '["9m","1p","1p","9p","9p","1s","9s","E","S","W","N","P","F"],'
        '["3m","3m","4m","4m","5m","5m","6m","6m","7m","7m","2p","3p","4p"],'
        '["5s","5s","6s","6s","7s","7s","8m","8m","9m","9m","8p","8p","9p"]]}\n'
        '{"type":"tsumo","actor":0,"pai":"8m"}\n{"type":"reach","actor":0}\n'
        '{"type":"dahai","actor":0,"pai":"1m","tsumogiri":false}\n'
        '{"type":"reach_accepted","actor":0}\n{"type":"tsumo","actor":1,"pai":"7p"}\n'
        '{"type":"dahai","actor":1,"pai":"7p","tsumogiri":true}\n'
    )
    end = '{"type":"ryukyoku","reason":"sufonrenta","deltas":[0,0,0,0]}\n'
    found = judged(read((text + end).encode()))
    why = "East 1, turn 1: seat 0 discard 1m: declared, but the hand is not ready"
    assert texts(found) == [why]
    assert len(found.judged.discards) == 2
    assert judged(read((text + end).encode()), strict=True).refused[0].why == why
    assert texts(judged(read(text.encode())))[1:] == ["East 1, turn 2: the round has no end"]
    wall = end.replace("sufonrenta", "fanpai")
    [_, why] = texts(judged(read((text + wall).encode())))
    assert why == "East 1, turn 2: wall empty, but 68 tiles remain"


def test_signs_of_points_may_be_written(logs):
    text = (logs / "tenhou-mjlog" / "game-15.mjlog").read_text()
    signed = re.sub(r'sc="([^"]*)"', lambda sc: re.sub(r"(?<=,)(?=[1-9])", "+", sc[0]), text)
    assert "+" in signed
    assert read(signed.encode()) == read(text.encode())


@pytest.mark.parametrize(
    ("before", "deal", "is_right"),
    [
        ((0, 1, 0), (0, 1, 1), True),
        ((0, 1, 3), (0, 2, 0), True),
        ((0, 1, 3), (0, 2, 4), True),
        ((0, 4, 0), (1, 1, 0), True),
        ((0, 1, 0), (0, 1, 0), False),
        ((0, 1, 3), (0, 2, 1), False),
        ((0, 1, 0), (0, 3, 0), False),
        ((0, 3, 0), (1, 1, 0), False),
        ((1, 1, 0), (0, 2, 0), False),
    ],
)
def test_rounds_that_follow_each_other(longest, before, deal, is_right):
    first, second = (
        replace(longest.rounds[0], wind=wind, number=number, honba=honba)
        for wind, number, honba in (before, deal)
    )
    assert is_next(first, second) == is_right
    of_three = replace(first, hands=first.hands[:3])
    assert is_next(of_three, replace(second, wind=1, number=1)) == (before[:2] == (0, 3))


def test_the_command_judges_and_names_the_rest(logs, tmp_path, capsys):
    """Exit status 1 only if something was not judged; --strict refuses the game."""
    text = (logs / "tenhou-json" / "game-15.jsonl").read_text()
    path, folder = tmp_path / "game.json", str(tmp_path / "out")
    path.write_text(text.replace("[25000,", "[26000,", 1).replace("26000,25000", "26000,24000", 1))
    assert execute(["review", str(path)]) == 0
    ran = capsys.readouterr()
    [line] = ran.err.splitlines()
    assert "points, but the previous round ends with" in line
    assert "1 game, 2 rounds" in ran.out
    assert execute(["review", str(path), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [flaw["line"] for flaw in document["flaws"]] == [1]
    assert (document["refusals"], document["rounds_refused"]) == ([], 0)
    assert execute(["review", str(path), "-o", folder, "-j", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["flaws"] == document["flaws"]
    assert execute(["review", str(path), "--strict"]) == 1
    assert "0 games" in capsys.readouterr().out
    path.write_text(text + '{"name": ["A", "B", "C", "D"], "log": [[1]]}')
    assert execute(["review", str(path), "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert (document["games"], document["rounds"], document["rounds_refused"]) == (1, 2, 1)
