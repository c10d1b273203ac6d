"""The match pages: offers, moves, errors and restarts."""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.arranged_game import JUNK, act, all_pass, arranged
from helpers.browsing import (
    HERE,
    OWNER,
    QUIET,
    Wire,
    answer,
    buttons,
    number,
    search_nothing,
    start_match,
)
from helpers.page_text import in_notation
from helpers.table_talk import GIVER, Clock, judge_hand, simple, word
from starlette.testclient import TestClient

from mjopt.play.game import GAME_RULES, GMJBG, JJ, Ending, Phase, replay
from mjopt.play.game.agents.registry import agents_at_hand
from mjopt.play.game.table import GameTable
from mjopt.play.matches.match_session import (
    MAIN,
    MatchSettings,
    available_agents,
    play_move,
    start_session,
)
from mjopt.play.matches.match_store import Matches, MatchView
from mjopt.play.serve.app import make_app
from mjopt.play.serve.app_context import Settings
from mjopt.play.serve.browser_cookie import COOKIE
from mjopt.play.serve.match_view import match_context


@pytest.fixture(autouse=True)
def without_search(monkeypatch):
    search_nothing(monkeypatch)


def finish(matches, name):
    """Play a hand to its end on the server, without the page."""
    while not (session := matches.look(name).session).state.is_over:
        matches.play(name, session.number, word(session, simple(session)))
    return session


def test_documentation_lists_all_built_in_players():
    page = (Path(__file__).parents[3] / "docs" / "reference" / "page.md").read_text(
        encoding="utf-8"
    )
    assert all(f"`{spec}`" in page for spec in agents_at_hand())


def test_match_is_configured_and_started(opened):
    client, matches = opened()
    assert {*agents_at_hand()} - {"ceiling"} <= set(available_agents("jj"))
    for rules in GAME_RULES:
        text = client.get(f"/play?rules={rules}").text
        assert f'<a href="?rules={rules}" aria-current="true">' in text
        assert f'name="rules" value="{rules}"' in text
        every = client.get(f"/play?rules={rules}&more=1").text
        for key in available_agents("jj"):
            plays = key in available_agents(rules)
            assert text.count(f'<option value="{key}"') == 4 * (plays and key in MAIN)
            assert every.count(f'<option value="{key}"') == 4 * plays
    assert ">Beginner: discards isolated tiles first</option>" in text
    address, text = start_match(client, rules="jj", player2="draws", seconds="15", hints="l3")
    [one] = matches.unfinished(OWNER)[0]
    assert address == f"/play/{one.name}"
    assert matches.look(one.name).session.setting == MatchSettings(
        rules="jj", players=("l1", "draws", "l1"), seconds=15, hints="l3"
    )


def chosen_options(text):
    """Return the chosen options of a page."""
    return re.findall(r'<option value="([^"]*)" selected>', text)


def test_settings_are_remembered_in_the_browser(opened):
    client, _ = opened()
    assert chosen_options(client.get("/play").text) == ["l1", "l2", "l3", "none", "0.5"]
    fields = {"player2": "normal:taught", "hints": "draws", "seconds": "15", "pace": "1"}
    start_match(client, rules="jj", sound="on", **fields)
    text = client.get("/play").text
    assert chosen_options(text) == ["l1", "normal:taught", "l1", "15", "draws", "1"]
    assert 'name="rules" value="jj"' in text
    assert 'name="sound" checked' in text
    other = client.get("/play?rules=m0").text  # which that player does not play
    assert chosen_options(other) == ["l1", "l2", "l1", "15", "draws", "1"]


@pytest.mark.parametrize("cookie", ["", "x", "rules=riichi&pace=9", "player1=bot.py:Bot", "%ff&="])
def test_invalid_cookie_is_ignored(opened, cookie):
    client, _ = opened()
    page = client.get("/play", headers={"cookie": f"play={cookie}"})
    assert chosen_options(page.text) == ["l1", "l2", "l3", "none", "0.5"]


def test_settings_are_changed_within_a_match(opened):
    client, _ = opened()
    address, text = start_match(client)
    assert 'data-pace="0.5"' in text
    page = client.post(address, data={"hints": "l3", "pace": "0", "sound": "on"})
    assert re.search('data-pace="0" .*data-sound', page.text)
    assert 'class="advice"' in page.text
    assert number(page.text) == number(text)
    assert client.post(address, data={"hints": "l9", "pace": "0"}).status_code == 400


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({"rules": "mcr"}, "unknown, expected"),
        ({"player1": "process:rm -rf"}, "expected one of l1"),
        ({"player2": "folder/bot.py:Bot"}, "expected one of l1"),
        ({"player3": "normal:taught"}, "under the rules gmjbg, expected one of l1"),
        ({"player3": ""}, "expected one of l1"),
        ({"hints": "<script>alert(1)</script>"}, "&lt;script&gt;alert(1)&lt;/script&gt;"),
        ({"seconds": "0"}, "expected 5, 15 or none"),
        ({"seconds": "1e9"}, "expected 5, 15 or none"),
    ],
)
def test_invalid_choices_show_an_error(opened, chosen, expected):
    client, matches = opened()
    page = client.post("/play", data={**QUIET, **chosen})
    assert page.status_code == 400
    assert expected in page.text
    assert "<script>alert" not in page.text
    assert not matches.unfinished(OWNER)[0]


def test_complete_match_is_played_by_buttons(opened, monkeypatch):
    made = Matches(new_seed=iter(range(50, 99)).__next__)
    wire = Wire(make_app(Settings(), matches=made))
    _, sent = wire.ask("POST", "/play", b"rules=m0&seconds=none&player3=deficiency")
    address = re.search(rb"/play/[\w-]{22}\.[\w-]{22}", sent)[0].decode()
    hands = 0
    while True:
        status, sent = wire.ask("GET", address)
        text = sent.decode()
        assert status == 200
        if moves := buttons(text):
            move = next((m for m in ("h", "k", "p") if m in moves), moves[-1])
            body = f"number={number(text)}&move={move.replace(' ', '+')}"
        elif "next" in text and "Next hand:" in text:
            hands += 1
            body = f"number={number(text)}&next=1"
        else:
            break
        assert wire.ask("POST", address, body.encode())[0] == 303
    wire.close()
    session = made.look(address.removeprefix("/play/")).session
    assert session.match.is_over
    assert hands == len(session.match.lines) - 1
    assert "<h1>The match is over</h1>" in text
    rows = re.findall(r"<td>(\d)</td><th[^>]*>[^<]*</th>(.*?)</tr>", text)
    found = [
        (int(place), *map(int, re.findall(r"<td[^>]*>([^<]*)</td>", cells)))
        for place, cells in rows
    ]
    scores = zip(
        session.state.outcome.scores, session.match.standing, session.match.won, strict=True
    )
    expected = sorted(scores, key=lambda row: -row[1])
    assert [row[1:] for row in found] == expected
    for place, _, points, _ in found:
        assert place == 1 + sum(row[1] > points for row in expected)


def test_match_is_played_again_with_the_same_players(opened):
    client, matches = opened(rules=None)
    fields = {"rules": "m0", "player3": "deficiency", "seconds": "15", "hints": "l2"}
    address, _ = start_match(client, pace="2", **fields)
    name = address.removeprefix("/play/")
    while not (session := matches.look(name).session).match.is_over:
        if session.state.is_over:
            matches.next_hand(name, session.number)
        else:
            matches.play(name, session.number, word(session, simple(session)))
    text = client.get(address).text
    assert re.search(r"Your rating in matches is \d+ ± \d+ after 1 match\.", text)
    form = text[text.index('action="/play" class="row"') : text.index("Again with the same")]
    again = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form))
    assert again["pace"] == "2"
    page = client.post("/play", data=again)
    other = str(page.url).rpartition("/")[2]
    assert other != name
    assert matches.look(other).session.setting == session.setting


CHOWS = "3467p147m258s123z"
LEFT = "333666m444777s5m"
"""Who holds it throws a 5p that it draws."""


def test_one_of_three_chows_is_chosen(opened):
    client, matches = opened(CHOWS, "", "", LEFT, draws="9s 1z 1z 5p")
    address, text = start_match(client)
    text = answer(client, address, text, "9s")
    assert buttons(text) == ["c 3p", "c 4p", "c 5p", "n"]
    assert len(re.findall("<button [^>]*disabled", text)) == 13  # no tile can be discarded now
    assert "discarded 5p: take it?" in text
    text = answer(client, address, text, "c 4p")
    session = matches.look(address.removeprefix("/play/")).session
    [meld] = session.state.table.melds[0]
    assert meld.block.kinds == (12, 13, 14)
    assert session.view.phase is Phase.CALLED
    assert "You: chow 4p, 5p, 6p" in text
    assert len(buttons(text)) == 11
    assert buttons(text)[-1] == "3z"
    assert re.search(
        r'value="3z" aria-label="discard west wind" autofocus', text
    )  # the move on timeout


@pytest.mark.parametrize(
    ("hand", "move", "offered"),
    [
        ("147m258p369s1277z", "p", ["p", "n"]),
        ("147m258p369s1777z", "k", ["k", "p", "n"]),
        ("147m258p369s1777z", "p", ["k", "p", "n"]),
        ("147m258p369s1777z", "n", ["k", "p", "n"]),
    ],
)
def test_pong_kong_and_pass_are_offered_on_a_discard(opened, hand, move, offered):
    client, matches = opened(hand, GIVER, draws="9s 7z", replacements="9p")
    address, text = start_match(client)
    text = answer(client, address, text, "9s")
    assert buttons(text) == offered
    assert re.search(r'value="n" [^>]*aria-label="Pass" autofocus>Pass', text)
    text = answer(client, address, text, move)
    table = matches.look(address.removeprefix("/play/")).session.state.table
    sizes = [len(meld.block.kinds) for meld in table.melds[0]]
    assert sizes == {"p": [3], "k": [4], "n": []}[move]
    if move == "k":
        assert "You drew 9p" in text  # the replacement tile


def test_closed_and_added_kongs_are_declared(opened):
    client, matches = opened("147m258p369s7777z", draws="9s", replacements="9p")
    address, text = start_match(client)
    assert buttons(text)[0] == "k 7z"
    assert "Closed kong" in text
    text = answer(client, address, text, "k 7z")
    assert "You drew 9p" in text
    client, matches = opened("147m258p369s1277z", GIVER, draws="9s 7z 1m 1m 1m 7z")
    address, text = start_match(client)
    for move in ("9s", "p", "2z"):
        text = answer(client, address, text, move)
    while "k 7z" not in buttons(text) and "n" in buttons(text):
        text = answer(client, address, text, "n")
    assert "Added kong" in text
    answer(client, address, text, "k 7z")
    [meld] = matches.look(address.removeprefix("/play/")).session.state.table.melds[0]
    assert meld.is_kong


@pytest.mark.parametrize(
    ("hand", "draws", "moves", "expected"),
    [
        ("123456789m123p1s", "1s", ["h"], "won with 1s, drawn from the wall"),
        (
            "123456789m123p7z",
            "9s 7z",
            ["9s", "h"],
            "won with 7z, discarded by Beginner",
        ),
        ("19m19p19s1234567z", "1m", ["h"], "won with 1m, drawn from the wall"),
    ],
)
def test_win_shows_all_hands(opened, hand, draws, moves, expected):
    client, matches = opened(hand, GIVER, draws=draws)
    address, text = start_match(client)
    assert ('value="h"' in text) == (moves == ["h"])
    for move in moves:
        if move == "h":  # the main button, in focus
            assert re.search(r'value="h" class="primary" aria-label="Win [^"]*" autofocus', text)
        text = answer(client, address, text, move)
    assert f"You (East) {expected}" in text
    assert "#back" not in text
    [laid] = re.findall(r'<div class="won">.*?</div>', text, re.DOTALL)
    assert laid.count("<use") == 14
    assert laid.count('class="tile winning"') == 1
    assert laid.count('<span class="tiles">') == (1 if "19m19p" in hand else 5)
    assert (", thirteen orphans" in text) == ("19m19p" in hand)
    session = matches.look(address.removeprefix("/play/")).session
    assert f'<td class="num gain">{session.state.outcome.scores[0]:+d}</td>' in text
    assert not buttons(text)
    assert "Next hand: you deal" in text
    page = client.post(address, data={"number": number(text), "move": "9s"})
    assert page.status_code == 400
    assert "the hand has ended" in page.text


def test_a_drawn_game_shows_all_hands(opened):
    setting, ended = MatchSettings(players=("l1",) * 3, seconds=None), None
    for seed in range(1, 50):
        session = start_session(setting, seed)
        while not session.state.is_over:
            session = play_move(session, session.default())
        ended = session.state.outcome.ending
        if ended is Ending.WALL_EMPTY:
            break
    assert ended is Ending.WALL_EMPTY
    client, matches = opened(new_seed=lambda: seed)
    address, _ = start_match(client)
    name = address.removeprefix("/play/")
    while not (session := matches.look(name).session).state.is_over:
        matches.play(name, session.number, word(session, session.default()))
    text = client.get(address).text
    assert "Drawn game: no tile is left to draw" in text
    assert "#back" not in text
    table = text[: text.index('class="result"')]
    shown = Counter(re.findall(r"tiles\.svg#(\w+)", table))
    for kind, tile in enumerate(GMJBG.tiles.names):
        held = sum(hand[kind] for hand in session.state.hands)
        assert shown[tile] == held + session.state.table.shown[kind]


def test_end_of_a_hand_shows_the_own_wait_and_decisions(opened):
    """South wins with the tile that the person discards; 5p 8p would have won for it."""
    client, matches = opened("123456789m67p11s", "234567m234567s1z", draws="1z")
    address, text = start_match(client)
    text = answer(client, address, text, "1z")  # South wins
    assert "discarded by You (East)" in text
    [near] = re.findall(r'<p class="near">(.*?)</p>', text, re.DOTALL)
    waits = re.findall(r'aria-label="([^"]*)"', near)
    assert waits == ["five of dots", "eight of dots"]
    state = matches.look(address.removeprefix("/play/")).session.state
    left = sum(state.undrawn.count(GMJBG.tiles.names.index(tile)) for tile in ("5p", "8p"))
    assert f"({left} left in the wall)" in near
    assert "Decisions worth a look" not in text  # the discard was the best one


def test_costly_decisions_of_a_hand_are_shown_and_reviewed(opened):
    hands = "123456m123p45s77z", "234567m234567s1z"
    client, matches = opened(*hands, draws="9s 9p 9p 9p 1z")
    address, text = start_match(client)
    for tile in ("1m", "1z"):
        text = answer(client, address, text, tile)
    session = matches.look(address.removeprefix("/play/")).session
    assert session.state.is_over
    entries = re.findall(r"<li><b>turn (\d+)</b>(.*?)</li>", text)
    assert 1 <= len(entries) <= 3
    turn, first = entries[0]
    assert turn == "1"
    assert re.search(r'class="tile thrown" role="img" aria-label="one of characters', first)
    assert f'<div id="decisions" data-events="{address}/events?' in text
    hand = client.app.state.site.judged.open(session.match.lines[-1], 0)
    judge_hand(hand)
    text, events = client.get(address).text, client.get(f"{address}/events?number=1002").text
    assert '<div id="decisions">' in text
    assert '<div id="decisions">' in events
    first = re.search(r"<li><b>turn 1</b>(.*?)</li>", text)[1]
    lost = 100 * hand.judge.chances[0].lost
    assert f"loses about {lost:.1f} points" in first
    mean = 100 * hand.lost.lost / hand.lost.discards
    assert f"Chance to win lost per discard: {mean:.1f} points." in text
    statistics = client.get("/statistics").text
    assert f"<dd>{mean:.2f}</dd>" in statistics
    assert "is known of 1 hand." in statistics
    form = dict(re.findall(r'<input type="hidden" name="(pasted)" value="([^"]*)"', text))
    assert form["pasted"].splitlines() == list(session.match.lines)
    review = client.post("/review", data=form)
    assert review.status_code == 200
    assert "/review/" in str(review.url)


def test_stored_match_is_reviewed_without_an_upload(opened, tmp_path):
    client, matches = opened(folder=tmp_path)
    address, _ = start_match(client, rules="m0")
    finish(matches, address.removeprefix("/play/"))
    text = client.get(address).text
    [link] = re.findall(r'<a class="button" href="(/review/[^"]*)">Review this match', text)
    assert link.endswith("?game=1")
    assert client.get(link).status_code == 200
    turns = re.findall(r'<li><a href="(/review/[^"]*)">turn (\d+)</a>', text)
    assert turns
    for step, turn in turns:
        page = client.get(step.replace("&amp;", "&")).text
        assert f"turn {turn}, You" in page


def test_declaration_under_jj_rules(opened):
    client, matches = opened("123456m123p4588s", draws="9s", rules=JJ)
    address, text = start_match(client, rules="jj")
    assert "r 9s" in buttons(text)
    assert ">Ready <" in text
    text = answer(client, address, text, "r 9s")
    session = matches.look(address.removeprefix("/play/")).session
    assert session.state.table.ready[0]
    if not session.state.is_over:
        assert len({move for move in buttons(text) if move[0].isdecimal()}) <= 1


@pytest.mark.parametrize("fields", [{"move": "9z"}, {"move": "p"}, {"move": ""}, {}, {"next": "1"}])
def test_move_out_of_turn_is_refused(opened, fields):
    client, matches = opened(JUNK, draws="5p")
    address, text = start_match(client)
    page = client.post(address, data={"number": number(text), **fields})
    assert page.status_code == 400
    assert 'role="alert"' in page.text
    assert buttons(page.text) == buttons(text)
    assert matches.look(address.removeprefix("/play/")).session.number == 1000


@pytest.mark.parametrize("old", ["", "x", "-1", "999", "9" * 30, "9" * 5000])
def test_outdated_decision_is_refused(opened, old):
    client, _ = opened()
    address, text = start_match(client)
    page = client.post(address, data={"number": old, "move": buttons(text)[0]})
    assert page.status_code == 409
    assert "the game has moved on" in page.text
    assert number(page.text) == number(text)


def test_page_shows_the_clock(opened):
    clock = Clock()
    client, _ = opened(clock=clock)
    address, text = start_match(client, seconds="5")
    assert 'data-left="5.00"' in text
    assert "<noscript>" in text
    drawn = re.search(
        r'class="tile drawn" name="move" value="(\w+)" aria-label="[^"]*" autofocus', text
    )[1]
    clock.now += 6.5
    late = client.post(address, data={"number": number(text), "move": buttons(text)[0]})
    assert late.status_code == 409
    assert f"Time ran out: Discard {drawn}." in in_notation(late.text)
    assert f"You: discarded {drawn}" in in_notation(late.text)
    left = float(re.search(r'data-left="([\d.]+)"', late.text)[1])
    others = len(re.findall(r'data-side="(?:next|across|before)"', late.text))
    assert left == 5 + others / 2  # their moves are shown first
    clock.now += 2
    assert f'data-left="{left - 2:.2f}"' in client.get(address).text
    assert "data-left" not in start_match(client, seconds="none")[1]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/play/x", 404),
        ("/play/" + "x" * 22, 404),
        ("/play/..%2f..%2fetc", 404),
        ("/play/%00", 404),
        ("/play/" + "x" * 22 + "/records.txt", 404),
    ],
)
def test_unknown_match_is_not_found(opened, tmp_path, path, status):
    client, _ = opened(folder=tmp_path)
    page = client.get(path)
    assert page.status_code == status
    if "%2f" not in path:
        assert "no such match" in page.text
        assert (
            client.post(path.removesuffix("/records.txt"), data={"move": "5m"}).status_code == 404
        )


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"x" * 2_000_000, 413),
        (b"a=1&" * 500, 400),
        (b"move=%00&number=1000", 400),
        (b"move=%ff&number=1000", 400),
        (b"move=<script>alert(1)</script>&number=1000", 400),
        (b"", 409),
    ],
)
def test_malformed_form_is_refused(opened, body, status):
    client, matches = opened()
    address, _ = start_match(client)
    kind = {"content-type": "application/x-www-form-urlencoded"}
    page = client.post(address, content=body, headers=kind)
    assert page.status_code == status
    assert "<script>alert" not in page.text
    assert matches.look(address.removeprefix("/play/")).session.number == 1000


def test_page_is_unchanged_and_match_is_listed_after_a_restart(opened, tmp_path):
    client, _ = opened(folder=tmp_path)
    address, text = start_match(client)
    other, _ = start_match(client, rules="jj")
    text = answer(client, address, text, buttons(text)[3])
    bad = tmp_path / f"{other.removeprefix('/play/')}.match.json"
    bad.write_text(bad.read_text()[:100])
    (tmp_path / ".hidden").write_text("")
    client, _ = opened(folder=tmp_path)
    assert in_notation(client.get(address).text) == text
    page = client.get("/play").text
    assert f'<a href="{address}">Continue</a>' in page
    [row] = re.findall(r'<tr><th scope="row">(.*?)</tr>', page)
    assert re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d<", row)
    assert re.findall(r"<td[^>]*>([^<]+)</td>", row) == [
        "With honours",
        "Beginner, Beginner, Beginner",
        "1",
        "0",
    ]
    assert f'<p class="error">{bad.name}: not JSON' in page
    assert client.get(other).status_code == 404


def test_matches_in_memory_are_listed_without_a_folder(opened):
    client, _ = opened()
    first, second = start_match(client)[0], start_match(client, rules="m0")[0]
    page = client.get("/play").text
    assert page.index(f'<a href="{second}">') < page.index(f'<a href="{first}">')
    assert "Matches are lost when the server stops" in page


def test_unfinished_match_is_deleted_after_confirmation(opened, tmp_path):
    client, matches = opened(folder=tmp_path)
    address, _ = start_match(client)
    assert f'<a href="{address}/delete">' in client.get("/play").text
    page = client.get(f"{address}/delete").text
    assert "Delete this match?" in page
    assert '<form method="post"' in page
    assert matches.unfinished(OWNER)[0]  # not yet
    page = client.post(f"{address}/delete")
    assert (str(page.url).rpartition("/")[2], page.status_code) == ("play", 200)
    assert matches.unfinished(OWNER) == ([], [])
    assert not list(tmp_path.iterdir())
    for answered in (client.get(address), client.post(f"{address}/delete")):
        assert answered.status_code == 404


def everything_about(client, address, watch):
    """Request every page and send every form of a match; return the pages."""
    asked = [client.get(path) for path in ("/play", "/games", "/statistics")]
    named = [address, f"{address}/delete", f"{address}/records.txt", watch, f"{watch}/1"]
    asked += [client.get(path) for path in named]
    forms = ({"number": "1000", "move": "5m"}, {"hints": "l3", "pace": "0"}, {"next": "1"})
    asked += [client.post(address, data=form) for form in forms]
    return [*asked, client.post(f"{address}/delete")]


WHERE = {
    "loopback": {},
    "behind a proxy": {"names": ("mjopt.example",)},
    "public": {"host": "192.168.1.2"},
}
STRANGERS = {"no cookie": "", "another browser": "b" * 22, "no cookie of ours": "not a cookie"}


@pytest.mark.parametrize(
    ("where", "cookie"),
    [
        *[("loopback", cookie) for cookie in STRANGERS],
        *[(where, "another browser") for where in [*WHERE][1:]],
        *[
            pytest.param(where, cookie, marks=pytest.mark.slow)
            for where in [*WHERE][1:]
            for cookie in ("no cookie", "no cookie of ours")
        ],
    ],
)
def test_match_belongs_to_the_browser_that_began_it(opened, tmp_path, where, cookie):
    client, matches = opened(folder=tmp_path)
    address, _ = start_match(client, rules="m0")
    finish(matches, address.removeprefix("/play/"))
    [file] = tmp_path.iterdir()
    before = file.read_bytes()
    [watch] = re.findall(r'<a href="(/games/\w+)">', client.get("/games").text)
    stranger = TestClient(
        make_app(Settings(games=tmp_path, **WHERE[where])),
        base_url=HERE,
        headers={"origin": HERE},
        cookies={COOKIE: STRANGERS[cookie]} if STRANGERS[cookie] else None,
    )

    start, games, statistics, *others = everything_about(stranger, address, watch)

    assert "Continue" not in start.text
    assert "Watch four hands of computer players" in games.text
    assert "You have not finished a hand" in statistics.text
    assert [page.status_code for page in others] == [404] * len(others)
    assert len({page.text for page in others if "match" in page.text}) == 1
    assert file.read_bytes() == before
    assert f'<a href="{address}">Continue</a>' in client.get("/play").text


def test_match_without_an_owner_belongs_to_the_first_browser_that_opens_it(opened, tmp_path):
    name = Matches(tmp_path).start(MatchSettings(rules="m0", players=("l1",) * 3))
    client, _ = opened(folder=tmp_path)
    assert name not in client.get("/play").text
    assert client.post(f"/play/{name}", data={"move": "5m"}).status_code == 404

    opened_page = client.get(f"/play/{name}")

    assert str(opened_page.url) == f"{HERE}/play/{name}.{OWNER}"
    assert [path.name for path in tmp_path.iterdir()] == [f"{name}.{OWNER}.match.json"]
    assert f'<a href="/play/{name}.{OWNER}">Continue</a>' in client.get("/play").text
    other = TestClient(client.app, base_url=HERE, cookies={COOKIE: "b" * 22})
    for address in (f"/play/{name}", f"/play/{name}.{OWNER}"):
        assert other.get(address).status_code == 404


def test_playing_needs_cookies(opened):
    client, matches = opened()
    client.cookies.clear()
    page = client.post("/play", data=QUIET)
    assert page.status_code == 400
    assert "allow cookies" in page.text
    assert matches.unfinished() == ([], [])


def test_records_contain_only_ended_hands(opened):
    client, matches = opened()
    address, text = start_match(client, rules="m0")
    assert client.get(f"{address}/records.txt").text == ""
    assert "records.txt" not in text
    session = finish(matches, address.removeprefix("/play/"))
    assert f"{address}/records.txt" in client.get(address).text
    assert "/games/" not in client.get(address).text.split("<main")[1]  # it is not stored in a file
    page = client.get(f"{address}/records.txt")
    assert page.headers["content-disposition"].startswith("attachment")
    [line] = page.text.splitlines()
    assert replay(line).outcome == session.state.outcome
    client.post(address, data={"number": str(session.number), "next": "1"})
    assert client.get(f"{address}/records.txt").text == f"{line}\n"


def test_ended_hand_can_be_watched(opened, tmp_path):
    client, matches = opened(folder=tmp_path)
    address, text = start_match(client, rules="m0")
    assert "step by step" not in text
    finish(matches, address.removeprefix("/play/"))
    [watch] = re.findall(r'<a href="(/games/\w+/1)">hand 1</a>', client.get(address).text)
    page = client.get(watch)
    assert page.status_code == 200
    assert "You (" in page.text


def test_kong_can_be_robbed():
    hands = ["123456m123s46p11z", "55p19m19s123456z", "", ""]
    state = arranged(GMJBG, hands, draws="9s 9m 5p 8m 8m 8m 5p")
    for thrown in ("D9s", "D9m"):
        state = all_pass(act(state, thrown))
    state = act(state, "D5p")
    while state.table.phase is Phase.CLAIM:
        state = act(state, "P5p" if state.to_move == 1 else "N")
    for thrown in ("D2z", "D8m", "D8m", "D8m"):
        state = all_pass(act(state, thrown))
    state = act(state, "A5p")
    session = replace(
        start_session(MatchSettings(seconds=None, hints="l3"), 1), table=GameTable(state)
    )
    page = match_context(MatchView(session, None, None))
    assert [choice.move for choice in page["calls"]] == ["h", "n"]
    assert page["prompt"] == "Beginner (South) added 5p to a pong: take it?"
    assert not page["discards"]
    won = play_move(session, session.options[0])
    assert won.state.outcome.ending is Ending.ROBBED_KONG
    end = match_context(MatchView(won, None, None))["end"]
    assert end == ("You (East) won with 5p, robbed from the kong of Beginner (South)")
