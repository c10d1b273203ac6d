"""Readers of logs: equal events from both Tenhou formats, and one-line errors."""

import gzip
import json
import random
import re
from dataclasses import replace
from urllib.parse import quote

import numpy as np
import pytest
from helpers.tenhou_writing import written
from helpers.three_players import east_only
from helpers.weaving import unwoven

from mjopt.errors import FileError
from mjopt.play.game import GMJBG, JJ, M0_RULES, Action, legal_moves, shuffle_wall, start, step
from mjopt.play.game.events import KIND_OF, TILE_NAMES, Event
from mjopt.play.game.log import LogRound, riichi_rules
from mjopt.play.game.log_repair import repair_round
from mjopt.play.game.log_replay import replay_round
from mjopt.play.game.log_sequence import sequence_flaws
from mjopt.play.game.record import write_record
from mjopt.play.game.state import Ending
from mjopt.play.review import mjopt_log, round_order, tenhou_json, tenhou_xml
from mjopt.play.review.api import review, review_games
from mjopt.play.review.detect_format import read_games

NUMBERS = ("01", "15")

FIGURE_A3 = """3(1)6938143:0306081112121516171821222326;
0(0)8348346:02030409121316222324252828;
1(1)5998331:02050812131415162223242526;
2(1)2192733:01040505111317192020212127;
3D060M290D151P151D162D163M053D050M280D293P293D280M120D281M111B111M231D232M182D183M073D070M260D12\
1M141D143P143D260M190D19"""


def games(data):
    """Read and replay the games of a file, or raise the first error."""
    games = [game for _, game in read_games(data)]
    for game in games:
        if isinstance(game, FileError):
            raise game
        check_game(game)
    return games


def check_round(deal, rules):
    """Raise the first flaw of a round."""
    repaired, _ = repair_round(deal, rules)
    for flaw in (repaired.cut, *repaired.flaws):
        if flaw:
            raise FileError(flaw)
    return deal


def check_game(game):
    """Raise the first flaw of a game."""
    for deal in game.rounds:
        check_round(deal, game.rules)
    for flaw in (*game.unread, *game.flaws, *sequence_flaws(game)[1]):
        raise FileError(flaw)


def xml_of(logs, number):
    return (logs / "tenhou-mjlog" / f"game-{number}.mjlog").read_bytes()


def json_of(logs, number):
    return (logs / "tenhou-json" / f"game-{number}.jsonl").read_bytes()


@pytest.mark.parametrize("number", NUMBERS)
def test_both_tenhou_formats_give_the_same_events(logs, number):
    [by_xml], [by_json] = games(xml_of(logs, number)), games(json_of(logs, number))
    assert len(by_xml.rounds) == len(by_json.rounds) >= 1
    for first, second in zip(by_xml.rounds, by_json.rounds, strict=True):
        assert first == second


def test_every_log_is_read_completely(logs):
    rounds = discards = 0
    for path in sorted(logs.glob("*/game-*")):
        for game in games(path.read_bytes()):
            rounds += len(game.rounds)
            discards += sum(e.action is Action.DISCARD for deal in game.rounds for e in deal.events)
    assert (rounds, discards) == (2 * 17 + 12, 2 * 843 + 477)


def test_gzip_and_address_hold_the_same_game(logs):
    [plain] = games(xml_of(logs, "01"))
    assert games(gzip.compress(xml_of(logs, "01"))) == [plain]
    lines = [json.loads(line) for line in json_of(logs, "01").splitlines()]
    whole = dict(lines[0], log=[deal for line in lines for deal in line["log"]])
    text = json.dumps(whole, ensure_ascii=False)
    for form in (text, json.dumps(whole, indent=1), f"https://tenhou.net/6/#json={quote(text)}"):
        [game] = games(form.encode())
        assert game.rounds == plain.rounds


def test_names_may_contain_line_separators(logs):
    lines = [json.loads(line) for line in json_of(logs, "01").splitlines()]
    names = ["a\u2028", "b\x85", "c\u2029", "d"]
    told = [json.dumps(line | {"name": names}, ensure_ascii=False) for line in lines]
    [game] = games("\r\n".join(told).encode())
    assert game.names == tuple(names)


def test_the_printed_line_of_the_article_is_refused():
    with pytest.raises(FileError, match="East 1, turn 2: seat 0 discard 5p, but it holds no 5p"):
        games(FIGURE_A3.encode())


def test_a_consistent_line_of_jj_is_read():
    # Seat 0 is dealt 1m to 9m, 1p 1p 1p 2p 9s: it throws 9s and wins on 2p.
    log = (
        "0(0)100:0102030405060708091111111229; 1(0)100:01020304050607080913131317;"
        "2(0)100:01020304050607080914141418; 3(0)100:01020304050607080915151519;"
        "0D291M121D120H12"
    )
    [game] = games(log.encode())
    events = game.rounds[0].events
    assert [event.action for event in events] == [
        *(Action.DRAW, Action.DISCARD, Action.DRAW, Action.DISCARD, Action.WIN)
    ]
    assert events[-1].other == 1
    with pytest.raises(FileError, match="away from a win"):
        games(log.replace("1M121D120H12", "1M141D140H14").encode())


def play(rules, number):
    """Play a game of random moves, wins taken now and then, and return its record."""
    rng = np.random.default_rng(number)
    state = start(rules, shuffle_wall(5, number, rules.tiles))
    while not state.is_over:
        moves = legal_moves(state)
        wins = moves[0].action is Action.WIN and rng.random() < 0.5
        state = step(state, moves[0 if wins else int(rng.integers(len(moves)))])
    return write_record(state, names=list("abcd"), seed=5, game=number), state


@pytest.mark.parametrize("rules", [GMJBG, M0_RULES, JJ], ids=lambda rules: rules.name)
def test_our_records_replay_to_the_same_end(rules):
    for number in range(15):
        line, state = play(rules, number)
        game = mjopt_log.read(line)
        check_game(game)
        [deal] = game.rounds
        for table, _ in replay_round(deal, game.rules):
            last = table
        held = last.hands
        assert held == state.hands
        assert last.table.live == state.table.live
        assert deal.change == state.outcome.scores


MELDS = [(46185, "pong"), (6367, "chow"), (45067, "pong")]


@pytest.mark.parametrize(("code", "name"), MELDS)
def test_calls_are_unpacked(code, name):
    meld = tenhou_xml.unpack(code)
    kinds = sorted(tile // 4 for tile in (meld.tile, *meld.held))
    assert meld.action.word == name
    assert kinds in ([kinds[0]] * 3, [kinds[0], kinds[0] + 1, kinds[0] + 2])


def test_a_missing_event_and_a_discard_not_held_are_refused(logs):
    [game] = games(xml_of(logs, "01"))
    deal = game.rounds[0]
    kinds = range(34)
    for at, event in enumerate(deal.events):
        without = replace(deal, events=(*deal.events[:at], *deal.events[at + 1 :]))
        if event.action is not Action.DORA:
            with pytest.raises(FileError, match="East 1, turn|the round has no end"):
                check_round(without, game.rules)
        if event.action is Action.DISCARD:
            held = {tile for tile, e in _holds(deal, game.rules, at)}
            other = next(kind for kind in kinds if kind not in held)
            wrong = event._replace(tile=other)
            changed = replace(deal, events=(*deal.events[:at], wrong, *deal.events[at + 1 :]))
            with pytest.raises(FileError, match=TILE_NAMES[other]):
                check_round(changed, game.rules)


def _holds(deal, rules, at):
    for place, (table, event) in enumerate(replay_round(deal, rules)):
        if place == at:
            return [(KIND_OF[tile], event) for tile in table.tiles(event.seat)]
    raise AssertionError(at)


def test_a_fifth_copy_is_refused(logs):
    [game] = games(xml_of(logs, "15"))
    deal = game.rounds[0]
    first = deal.hands[0][0]
    hands = (deal.hands[0], *((first,) * 2 + hand[2:] for hand in deal.hands[1:]))
    with pytest.raises(FileError, match="a fifth|at most 1"):
        check_round(replace(deal, hands=hands), game.rules)


def test_points_must_continue_from_round_to_round(logs):
    text = json_of(logs, "01").decode().replace("33700,16300", "33600,16400")
    with pytest.raises(FileError, match="points, but the previous round ends with"):
        games(text.encode())


DAMAGED = {
    b"": "no log of a game",
    b"hello": "no log of a game",
    b"PK\x03\x04": "a zip archive",
    b"\x1f\x8b\x08 no gzip": "gzip that cannot be unpacked",
    b"\xff\xff": "not UTF-8 text at byte 0",
    b"\xff\xfe": "no log of a game",
    b"{": "line 1: not JSON",
    b'{"log": 3}': "no 'log'",
    b'{"log": [[1]]}': "round 1 of the log: not a round",
    b'{"type": "tsumo", "actor": 0, "pai": "1m"}': "message 1: draw before the first start_kyoku",
    b'{"type": "start_game", "type": "x"}': "line 1: not JSON",
    b"<mjloggm></mjloggm>": "no round in the log",
    b'<!DOCTYPE x [<!ENTITY a "b">]><mjloggm/>': "character 1: not an element",
    b'<GO type="169"/><N who="&lt;" m="1"/>': "character 17: not an element",
    b'<GO type="x"/>': "<GO> at character 1: type 'x', expected a whole number",
    b'<GO type="1" type="2"/>': "<GO> at character 1: gives type twice, with different values",
    b'<GO type="1"/><INIT/>': "<INIT> at character 15: no attribute oya",
    b'<GO type="1"/><T1/>': "<T> at character 15: before the first <INIT>",
    b'{"name": 5, "log": []}': "name 5, expected the names of the players",
    b"<T12/>": "before the first <INIT>",
    b"game1 rules=": "fields rules, expected",
    b"0(0)1:01;": "expected a seat such as",
}


@pytest.mark.parametrize("data", DAMAGED, ids=lambda data: repr(data)[:30])
def test_damaged_logs_are_refused_in_one_line(data):
    with pytest.raises(FileError, match=DAMAGED[data]) as caught:
        games(data)
    assert "\n" not in str(caught.value)


MJAI_MUTATIONS = (
    ('"honba":0', '"honba":' + "9" * 4000, "East 1: honba 999.*, expected 0 to 999: ignored"),
    ('"kyoku":1', '"kyoku":1e308', "East 1: number 1.*, expected 1 to 4: ignored"),
    (
        '"scores":[25000,25000,25000,25000]',
        '"scores":[25000]',
        "East 1: points of 1 seats, not 4: ignored",
    ),
    (
        '"type":"dahai",',
        '"type":"ankan","consumed":[],',
        "not judged: East 1: message 4: closed kong of no tiles",
    ),
    ('"tehais":[[', '"tehais":[["1m",', "not judged: .*seat 0 is dealt 14 tiles"),
)


@pytest.mark.parametrize(("old", "new", "why"), MJAI_MUTATIONS)
def test_a_damaged_mjai_round_is_one_short_line(logs, old, new, why):
    text = (logs / "mjai" / "game-02.jsonl").read_text()
    assert old in text
    [(line, game)] = read_games(text.replace(old, new, 1).encode())
    [refused] = review_games([("log", line, game)], strict=True).refused
    assert re.search(why.removeprefix("not judged: "), refused.why)
    found = review_games([("log", line, game)])
    assert found.refused == ()
    assert found.num_unread == why.startswith("not judged")
    assert re.fullmatch(f"{why}.*", found.flaws[0].why)
    for problem in (refused, *found.flaws):
        assert len(problem.why) <= 300


def test_a_tournament_log_shows_its_red_fives_in_the_tiles(logs):
    lines = [json.loads(line) for line in json_of(logs, "01").splitlines()]
    lists = [json.dumps(line | {"rule": ["第三回", "lobby 1234"]}) for line in lines]
    [whole], [game] = games(json_of(logs, "01")), games("\n".join(lists).encode())
    assert game.rounds == whole.rounds
    without = [json.dumps(line | {"rule": {"disp": "", "aka": 0}}) for line in lines]
    with pytest.raises(FileError, match="the rule has no red fives, but hands hold some: ignored"):
        games("\n".join(without).encode())


def test_mjai_without_scores_is_read_with_a_note(logs):
    text = (logs / "mjai" / "game-02.jsonl").read_text()
    [whole] = games(text.encode())
    [game] = games(re.sub(r'"scores":\[[^]]*\],', "", text).encode())
    assert [deal.points for deal in game.rounds] == [deal.points for deal in whole.rounds]
    assert [deal.events for deal in game.rounds] == [deal.events for deal in whole.rounds]
    assert game.rounds[0].notes == ("the log has no scores: 25,000 for each seat assumed",)
    [game] = games(re.sub(r'"(scores|deltas)":\[[^]]*\],?', "", text).replace(",}", "}").encode())
    assert {deal.points for deal in game.rounds} == {(25_000,) * 4}


def test_the_end_of_a_round_may_lack_its_points(logs):
    text = xml_of(logs, "15").decode()
    cut = re.sub(r'(<(?:RYUUKYOKU|AGARI) [^>]*?) sc="[^"]*"', r"\1", text)
    assert cut != text
    [whole], [game] = games(text.encode()), games(cut.encode())
    assert [deal.events for deal in game.rounds] == [deal.events for deal in whole.rounds]
    assert {deal.change for deal in game.rounds} == {()}


LARGE = {
    "XML": b"<GO" + b' a=""' * 900_000 + b"/>",
    "JSON": b'{"log": [' + b"[], " * 1_100_000 + b"[]]}",
    "mjai": b'{"type":"start_game"}\n' + (b'{"type":"none"' + b" " * 1000 + b"}\n") * 5000,
    "JJ": b"0(0)1:" + b"01" * 2_200_000,
}


@pytest.mark.parametrize("name", LARGE)
def test_a_game_of_more_than_four_mebibytes_is_refused(name):
    with pytest.raises(FileError, match="more than 4 MiB in one game"):
        games(LARGE[name])


@pytest.mark.parametrize(
    "line", [b"game1", b'{"type":"start_game"}\n{"type":"start_kyoku"}', b"0(x)\n"]
)
def test_a_file_of_refused_games_is_not_read_to_the_end(line, tmp_path):
    """A file of 64 MiB may hold ten million of them."""
    path = tmp_path / "games"
    path.write_bytes((line + b"\n") * 3000)
    found = review([path])
    assert len(found.refused) == 1001
    assert found.refused[-1].why == "more than 1,000 games refused; the rest is not read"


def test_an_element_has_at_most_100_attributes():
    with pytest.raises(FileError, match="character 1: not an element"):
        games(b"<GO" + b"".join(b' a%d=""' % number for number in range(101)) + b"/>")


def test_a_gzip_bomb_is_refused():
    bomb = gzip.compress(b"<" * ((1 << 26) + 1))
    with pytest.raises(FileError, match="more than 64 MiB"):
        games(bomb)


def mutated(data, rng):
    """Return data with bytes changed, removed or repeated, or truncated."""
    at = rng.randrange(len(data))
    kind = rng.randrange(5)
    if kind == 0:
        return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
    if kind == 1:
        return data[:at] + data[at + rng.randrange(1, 40) :]
    if kind == 2:
        return data[:at]
    if kind == 3:
        return data[:at] + data[max(0, at - rng.randrange(60)) : at] + data[at:]
    return gzip.compress(data)[: -rng.randrange(1, 200)]


def test_random_damage_gives_one_line_or_a_game(logs):
    rng = random.Random(16)
    mjai = (logs / "mjai" / "game-02.jsonl").read_bytes().splitlines(keepends=True)
    round_end = mjai.index(b'{"type":"end_kyoku"}\n') + 1
    originals = [xml_of(logs, "15"), json_of(logs, "15"), b"".join([*mjai[:round_end], mjai[-1]])]
    told = []
    for _ in range(150):
        data = mutated(rng.choice(originals), rng)
        try:
            games(data)
        except FileError as error:
            told.append(str(error))
    assert len(told) > 120
    assert all("\n" not in text and len(text) < 300 for text in told)


def test_an_ambiguous_call_of_equal_tiles_gets_a_note():
    """Both other seats discard 5z before seat 2 acts; the log does not distinguish the tiles."""
    hand = [21, 22, 23, 24, 25, 26, 27, 28, 29]
    bamboos = [31, 32, 33, 34, 35, 36, 37, 38, 39]
    deal = [
        *([0, 0, 0], [35000] * 3, [11], []),
        *([*hand, 41, 42, 43, 44], [45, 19], [60, 60]),
        *([*bamboos, 41, 42, 43, 44], [45], [60]),
        *([*hand, 41, 42, 45, 45], ["p454545"], [41]),
        ["四風連打", [0, 0, 0]],
    ]
    document = {"rule": {"disp": "三鳳南喰赤", "aka": 1}, "name": ["a", "b", "c"], "log": [deal]}
    game = tenhou_json.read(document)
    check_game(game)
    assert game.rounds[0].draw_reason is Ending.FOUR_WINDS
    [note] = game.rounds[0].notes
    assert "does not say which of two equal tiles was called" in note


CALLS = (Action.CHOW, Action.PONG, Action.KONG, Action.ADDED_KONG, Action.CLOSED_KONG)


def deal_of_calls(number):
    """Return a random deal with many calls; a win on a discard gets a second winner."""
    rules = GMJBG
    rng = np.random.default_rng(number)
    state = start(rules, shuffle_wall(9, number, rules.tiles))
    while not state.is_over:
        moves = legal_moves(state)
        calls = [m for m in moves if m.action in CALLS]
        throws = [m for m in moves if m.action is Action.DISCARD]
        some = calls if calls and rng.random() < 0.9 else throws or [moves[-1]]
        if moves[0].action is Action.WIN and rng.random() < 0.7:
            some = moves[:1]
        state = step(state, some[int(rng.integers(len(some)))])
    record = write_record(state, names=list("abcd"), seed=9, game=number)
    [deal] = mjopt_log.read(record).rounds
    win = deal.events[-1]
    if win.action is Action.WIN and win.other != win.seat:
        second = next(seat for seat in range(4) if seat not in (win.seat, win.other))
        return replace(deal, events=(*deal.events, win._replace(seat=second)))
    return deal


def test_the_order_of_play_is_recovered_from_the_seats():
    winners = 0
    for number in range(25):
        deal = deal_of_calls(number)
        winners = max(winners, sum(event.action is Action.WIN for event in deal.events))
        document = unwoven(deal)
        tracks, result = tenhou_json.tracks_of(document, 4), tenhou_json.result_of(document, 4)
        found = list(round_order.orders(tracks, deal.dealer, result, ()))
        assert [order.events for order in found if not order.cut] == [deal.events]
    assert winners == 2


def test_xml_of_random_games_is_read_back():
    """Includes every call, kongs of each kind and several winners."""
    seen = set()
    for number in range(60):
        deal = deal_of_calls(number)
        [read] = tenhou_xml.read(written(deal)).rounds
        assert read.events == deal.events
        seen |= {event.action for event in deal.events}
    assert {
        Action.CHOW,
        Action.PONG,
        Action.KONG,
        Action.ADDED_KONG,
        Action.CLOSED_KONG,
        Action.WIN,
    } <= seen


def test_three_players_set_norths_aside_and_play_without_2m_to_8m():
    hands = (
        *((9, 10, 11, 12, 13, 14, 15, 16, 17, 27, 27, 30, 31),),
        *((18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 28, 30),),
        *((9, 10, 11, 12, 13, 14, 15, 16, 17, 30, 32, 32, 32),),
    )
    events = (
        Event(0, Action.DRAW, 33),
        Event(0, Action.DISCARD, 33, is_drawn=True),
        Event(1, Action.DRAW, 0),
        Event(1, Action.DISCARD, 27),
        Event(0, Action.PONG, 27, other=1, tiles=(27, 27)),
        Event(0, Action.NORTH, 30),
    )
    rules = riichi_rules(3)
    deal = LogRound(wind=0, number=1, dealer=0, points=(), hands=hands, events=events)
    with pytest.raises(FileError, match="north 4z out of turn"):
        check_round(deal, rules)  # a pong draws no tile
    events = (
        *events[:2],
        Event(1, Action.DRAW, 0),
        Event(1, Action.NORTH, 30),
        Event(2, Action.WIN, 30, other=1),
    )
    robbed = replace(deal, events=events)
    assert check_round(robbed, rules) is robbed
    [read] = tenhou_xml.read(written(robbed, seats=3)).rounds
    assert read.events == events
    wrong = replace(
        deal, events=(events[0], Event(0, Action.DISCARD, 33), Event(1, Action.DRAW, 3))
    )
    with pytest.raises(FileError, match="4m is not in the game"):
        check_round(wrong, rules)


def test_three_player_games_are_read_back():
    """XML gives the same events, and one order of the JSON format is the true one."""
    seen, rounds = set(), 0
    for seed in range(12):
        deals = east_only(seed)
        [game] = games(written(*deals, seats=3).encode())
        assert (game.rules.seats, len(game.names), len(game.rounds)) == (3, 3, 3)
        assert [deal.name for deal in game.rounds] == ["East 1", "East 2", "East 3"]
        for deal, read in zip(deals, game.rounds, strict=True):
            assert read == deal
            document = unwoven(deal, 3)
            tracks, result = tenhou_json.tracks_of(document, 3), tenhou_json.result_of(document, 3)
            turned = tuple(event.tile for event in deal.events if event.action is Action.DORA)
            assert (deal.events, "") in round_order.orders(tracks, deal.dealer, result, turned)
            seen |= {event.action for event in deal.events}
            rounds += deal.draw_reason is Ending.WALL_EMPTY
        judged = review_games([("", 1, game)]).judged
        assert not judged.discards.unseen[:, 1:8].any()
        assert Action.CHOW not in {call.called.action for call in judged.calls}
    assert seen == set(Action) - {Action.CHOW, Action.PASS, Action.FAULT}
    assert 0 < rounds < 36


def test_impossible_events_of_three_players_are_refused():
    deals = east_only(2)
    text = written(*deals, seats=3)
    tile = re.search(r"<D(\d+)/>", text)[1]
    for wrong, said in (
        (text.replace(f"<D{tile}/>", "<D5/>", 1), "2m"),
        (text.replace('<GO type="19"/>', '<GO type="3"/>', 1), "."),
        (text.replace("<T", "<W", 1), "there are 3 seats"),
        (text.replace('ten="350', 'ten="340', 1), "points, but the previous round ends with"),
    ):
        assert wrong != text
        with pytest.raises(FileError, match=said):
            games(wrong.encode())


@pytest.mark.parametrize(
    ("address", "message"),
    [
        (
            "https://tenhou.net/3/?log=2019010100gm-0009-0000-abcd1234&tw=1",
            "tenhou.net/0/log/?2019",
        ),
        ("tenhou.net/0/?log=2019010100gm-0009-0000-abcd1234", "tenhou.net/0/log/?2019"),
        ("https://tenhou.net/2/?q=123m456p789s1122z", "mjopt deficiency 123m456p789s1122z"),
        ("https://mahjongsoul.game.yo-star.com/?paipu=190101-a_b", "Mahjong Soul converted to"),
        ("https://game.maj-soul.com/1/?paipu=190101-a_b", "Mahjong Soul converted to"),
        ("https://example.org/game", "an address, expected a log saved as a file"),
    ],
)
def test_an_address_without_a_log_names_the_file_to_save(address, message, tmp_path):
    for source in (address, tmp_path / "game.txt"):
        (tmp_path / "game.txt").write_text(f"{address}\n")
        with pytest.raises(FileError) as error:
            review(source)
        assert message in str(error.value)
        assert "no such file" not in str(error.value)
