"""Where one game of a file ends and the next begins, and the spellings of files of games."""

import json
from urllib.parse import quote

import pytest

from mjopt.errors import FileError
from mjopt.play.review import detect_format
from mjopt.play.review.api import review
from mjopt.play.review.detect_format import read_games

HANDS = [
    [11, 11, 11, 12, 12, 12, 13, 13, 13, 21, 21, 37, 39],
    [14, 15, 16, 17, 18, 19, 21, 22, 23, 24, 25, 26, 27],
    [28, 29, 31, 32, 33, 34, 35, 36, 37, 38, 39, 14, 16],
    [17, 18, 19, 21, 22, 23, 24, 25, 26, 27, 28, 29, 31],
]


def deal(number=0, honba=0, points=(25000,) * 4, change=None):
    """Return a round of tenhou.net/6 in which each seat draws and discards once."""
    tracks = [part for hand in HANDS for part in (hand, [42], [42])]
    end = ["九種九牌"] if change is None else ["流局", list(change)]
    return [[number, honba, 0], list(points), [15], [], *tracks, end]


def document(*deals, name=("a", "b", "c", "d"), **more):
    return {"title": ["", ""], "name": list(name), "rule": {"aka": 1}, **more, "log": list(deals)}


def lines(*documents):
    return "\n".join(json.dumps(each) for each in documents)


def rounds(text):
    """Return the line of each game, and the names of its rounds."""
    found = []
    for line, game in read_games(text.encode()):
        assert not isinstance(game, FileError), game
        found.append((line, [each.name for each in game.rounds]))
    return found


UNNAMED = ("", "", "", "")


def test_documents_of_one_game_are_joined():
    parts = document(deal(0)), document(deal(0, 1), deal(1)), document(deal(2))
    names = ["East 1", "East 1, counter 1", "East 2", "East 3"]
    assert rounds(lines(*parts)) == [(1, names)]
    bare = [{"log": part["log"]} for part in parts[1:]]  # nothing said twice
    assert rounds(lines(parts[0], *bare)) == [(1, names)]


@pytest.mark.parametrize(
    "change",
    [
        {"name": ["a", "b", "c", "e"]},
        {"title": ["", "another day"]},
        {"ref": "another"},
        {"rule": {"aka": 0}},
    ],
)
def test_another_player_title_reference_or_rule_is_another_game(change):
    first, second = document(deal(0), ref="one"), document(deal(1), ref="one") | change
    assert rounds(lines(first, second)) == [(1, ["East 1"]), (2, ["East 2"])]
    names = [game.names for _, game in read_games(lines(first, second).encode())]
    assert names == [tuple("abcd"), tuple(second["name"])]


def test_a_round_that_does_not_follow_begins_another_game():
    for name in (tuple("abcd"), UNNAMED):
        parts = [document(deal(number), name=name) for number in (0, 1, 0, 1)]
        games = [(1, ["East 1", "East 2"]), (3, ["East 1", "East 2"])]
        assert rounds(lines(*parts)) == games


def test_unnamed_rounds_are_one_game_only_if_they_are_consecutive_and_points_fit():
    start = document(deal(0, change=(1000, -1000, 0, 0)), name=UNNAMED)
    fits = document(deal(1, points=(26000, 24000, 25000, 25000)), name=UNNAMED)
    assert len(rounds(lines(start, fits))) == 1
    assert len(rounds(lines(start, document(deal(1), name=UNNAMED)))) == 2
    later = document(deal(2, points=(26000, 24000, 25000, 25000)), name=UNNAMED)
    assert len(rounds(lines(start, later))) == 2


def test_names_that_differ_keep_their_own_shares():
    two = document(deal(0)), document(deal(0), name=("Eve", "Fay", "Gus", "Hal"), rule={"aka": 0})
    found = [game for _, game in read_games(lines(*two).encode())]
    assert [(game.names[0], game.rules.reds) for game in found] == [
        ("a", (1, 1, 1)),
        ("Eve", (0, 0, 0)),
    ]


def test_addresses_and_lists_hold_the_same_games():
    one, two = document(deal(0)), document(deal(0), name=list("efgh"))
    expected = [["East 1"], ["East 1"]]
    address = "https://tenhou.net/6/#json="
    packed = [address + quote(json.dumps(each)) for each in (one, two)]
    bare = [address + json.dumps(each) for each in (one, two)]
    for text in (
        "\n".join(packed),
        "\n".join(f"{each}&ts=0" for each in packed),
        "\r\n\r\n".join(f"\ufeff{each}&ts=0&tw=3  " for each in bare),
        f"{packed[0]}\n{json.dumps(two)}",
        json.dumps([one, two]),
        json.dumps([one, two], indent=1),
        lines([one], [two]),
    ):
        assert [names for _, names in rounds(text)] == expected
    assert rounds(f"{packed[0]}&ts=0") == [(1, ["East 1"])]


def test_an_address_that_is_no_text_is_one_line():
    with pytest.raises(FileError, match="line 1: not JSON"):
        list(read_games(b"https://tenhou.net/6/#json=%ff"))


def mjai(*words):
    """Return messages: a word for each type, a number for each round."""
    hand = ["1p", "2p", "3p", "4p", "5p", "6p", "7p", "8p", "9p", "E", "E", "E", "S"]
    others = [[f"{rank}{suit}" for rank in "123456789"] + ["P", "F", "C", "N"] for suit in "sps"]
    for word in words:
        if isinstance(word, str):
            yield {"type": word}
            continue
        yield {
            "type": "start_kyoku",
            "bakaze": "E",
            "kyoku": word,
            "honba": 0,
            "kyotaku": 0,
            "oya": 0,
            "scores": [25000] * 4,
            "dora_marker": "S",
            "tehais": [hand, *others],
        }
        yield {"type": "tsumo", "actor": 0, "pai": "S"}
        yield {"type": "dahai", "actor": 0, "pai": "S", "tsumogiri": True}
        yield {"type": "ryukyoku", "reason": "sufonrenta", "deltas": [0] * 4}
        yield {"type": "end_kyoku"}


@pytest.mark.parametrize(
    "words",
    [
        ("start_game", 1, 2, "end_game", "start_game", 1, "end_game"),
        ("start_game", 1, 2, "start_game", 1),
        ("start_game", 1, 2, "end_game", 1),
        (1, 2, 1),
        (1, 2, "end_game", "none", 3),
    ],
)
def test_mjai_games_are_told_apart(words):
    messages = list(mjai(*words))
    for text in (lines(*messages), json.dumps(messages), lines(messages[:4], messages[4:])):
        found = [names for _, names in rounds(text)]
        assert [len(names) for names in found] == [2, 1]
        assert found[0] == ["East 1", "East 2"]


def test_two_mjai_games_as_one_list_a_line():
    one, two = list(mjai("start_game", 1)), list(mjai("start_game", 1, 2, "end_game"))
    text = "\ufeff" + lines(one, two)
    assert rounds(text) == [(1, ["East 1"]), (2, ["East 1", "East 2"])]


def test_a_list_may_be_longer_than_a_game(monkeypatch):
    games = [list(mjai("start_game", 1, 2, 3, "end_game")) for _ in range(6)]
    size = len(json.dumps(games[0]))
    monkeypatch.setattr(detect_format, "MOST_OF_GAME", size + size // 2)
    monkeypatch.setattr(detect_format, "MOST_OF_LIST", 7 * size)
    assert len(rounds(json.dumps([message for game in games for message in game]))) == 6
    documents = [document(deal(0), name=[name] * 4) for name in "abcdef"]
    monkeypatch.setattr(detect_format, "MOST_OF_GAME", 2 * len(json.dumps(documents[0])))
    assert len(rounds(json.dumps(documents))) == 6
    with pytest.raises(FileError, match="in one game"):
        rounds(json.dumps(documents + games * 3))


def test_two_xml_documents_are_two_games(logs):
    one, two = (
        (logs / "tenhou-mjlog" / f"game-{number}.mjlog").read_text().strip()
        for number in ("01", "15")
    )
    [(_, first)], [(_, second)] = read_games(one.encode()), read_games(two.encode())
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    bare = one.replace("</mjloggm>", "").replace('<mjloggm ver="2.3">', "")
    for text in (f"{one}\n{two}", f"{bare}\n{two}", f"{one}\n\ufeff{two}", one + head + two):
        assert list(read_games(text.encode())) == [
            (1, first),
            (1 if head in text else 2, second),
        ]


@pytest.mark.parametrize("text", ["[]", "[1, 2]", '["a"]', "[[]]"])
def test_lists_of_other_things_are_no_log(text):
    with pytest.raises(FileError, match="no log of a game"):
        list(read_games(text.encode()))


def test_a_broken_line_is_named_and_all_others_are_read(tmp_path):
    path = tmp_path / "games.jsonl"
    others = [document(deal(0), name=list(name)) for name in ("abcd", "efgh")]
    path.write_text(f"{lines(others[0])}\n{{\n{lines(others[1])}\n")
    found = review(path)
    assert [line for _, line in found.sources] == [1, 3]
    assert [(flaw.line, flaw.why[:29]) for flaw in found.flaws] == [
        (1, "not judged: line 2: not JSON "),
    ]


def test_three_players_are_those_who_hold_tiles():
    three = deal()
    three[1] = [35000] * 3
    three[13:16] = [], [], []
    three[7] = [19, 19, 19, 21, 22, 23, 24, 25, 26, 27, 41, 41, 42]
    three[4] = [11, 11, 11, 24, 25, 26, 27, 28, 29, 43, 43, 44, 44]
    three[10] = [31, 32, 33, 34, 35, 36, 37, 38, 39, 45, 45, 46, 46]
    for track in (5, 8, 11):
        three[track : track + 2] = [47], [47]
    for disp in ("3-Player South", "四人打", "", "三鳳南喰赤"):
        for rule in ({"disp": disp, "aka": 1}, [disp, "lobby"]):
            [(_, game)] = read_games(lines(document(three, rule=rule, name=UNNAMED)).encode())
            assert (game.rules.seats, game.names) == (3, ("",) * 3)
            [(_, game)] = read_games(lines(document(deal(), rule=rule, name="abc")).encode())
            assert (game.rules.seats, game.names) == (4, ("a", "b", "c", ""))
    absent = [*three[:13], three[-1]]
    [(_, game)] = read_games(lines(document(absent)).encode())
    assert game.rules.seats == 3
