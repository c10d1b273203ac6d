"""Hints on the page of a match: weights, deficiency and expected draws."""

import html
import re
from urllib.parse import parse_qsl, urlsplit

import pytest
from helpers.browsing import answer, hold_searches, searched, start_match
from helpers.endless_advice import find_nothing
from helpers.table_talk import GIVER, word

from mjopt import advise
from mjopt.chances.advice.position import Position
from mjopt.hands.tiles import FULL
from mjopt.play.game.moves import Action, Move
from mjopt.play.game.positions import best_move, position_of
from mjopt.play.serve import background_advice
from mjopt.play.serve.advice_words import chance_words, lost_words, why_words
from mjopt.play.serve.hints import advised, describe_advice
from mjopt.play.serve.tiles import tile_words


def test_hints_show_weights(opened):
    client, _ = opened("123m4455p678s113z", draws="5z")
    _, text = start_match(client, hints="l2")
    assert '<p class="advice"><span>Discard 3z: its weight of 0 is the least</span>' in text
    assert re.search(r'class="tile hint" name="move" value="3z"', text)
    rows = re.findall(
        r'<tr( class="now")?><th scope="row"><svg[^>]*aria-label="([^"]*)".*?</th>(.*?)</tr>',
        text,
    )
    locked = [words for _, words, cells in rows if "locked chow" in cells]
    assert locked == ["one of characters", "two of characters", "three of characters"]
    assert all("<td>-1</td>" in cells for _, _, cells in rows if "locked chow" in cells)
    [chosen] = [words for mark, words, _ in rows if mark]
    assert chosen == "west wind"


def test_hints_for_calls_of_weight_and_never_calling_players(opened):
    for hints, expected in (("l3", "total weight"), ("l1", "This player never calls")):
        client, _ = opened("147m258p369s1277z", GIVER, draws="9s 7z")
        address, text = start_match(client, hints=hints)
        text = answer(client, address, text, "9s")
        assert expected in text
        assert '<p class="advice"><span>P' in text


def test_hints_for_thirteen_orphans(opened):
    client, _ = opened("19m19p19s1234567z", draws="5p")
    _, text = start_match(client, hints="l1")
    assert "Discard 5p: its weight of 2 is the greatest, for thirteen orphans" in text


@pytest.mark.parametrize("hints", ["deficiency", "draws", "deficiency:method=tree-search"])
def test_hints_show_deficiency_useful_tiles_and_expected_draws(opened, hints):
    client, _ = opened("123456m789p1146s", draws="1z")
    _, text = start_match(client, hints=hints)
    [num] = re.findall(r'<p class="advice"><span>Discard 1z: .*?(\d+) tiles improve', text)
    assert ("draws on average" in text) == (hints == "draws")
    hint = text[text.index('class="reasons"') :]
    first = re.search(r"<tbody>\s*(<tr.*?</tr>)", hint, re.DOTALL)[1]
    assert '<td class="missing">1</td>' in first
    assert re.search(r"<td>\d+\.\d\d</td>", first)
    assert "five of bamboos" in first
    assert f"<b>{num}</b>" in first
    assert "×4</span>" in first


def test_hints_are_off_by_default(opened):
    text = start_match(opened()[0])[1]
    assert 'class="advice"' not in text
    assert 'class="reasons"' not in text


def sheet_of(text):
    """Return the rows of the sheet: tile or action, chance to win, loss."""
    rows = re.findall(r'<tr(?: class="now")?><th scope="row">(.*?)</th>(.*?)</tr>', text, re.DOTALL)
    return [
        (
            " ".join(re.findall(r'aria-label="([^"]*)"', head)) or head.strip(),
            *re.findall(r'<td class="num(?: lost)?">([^<]*)</td>', cells)[:2],
        )
        for head, cells in rows
    ]


def test_best_chance_to_win_is_the_advice_on_the_position(opened):
    client, matches = opened("445m34677p2346s5z", draws="5z")
    address, _ = start_match(client, hints="win-chance")
    text, _ = searched(client, address)
    session = matches.look(address.removeprefix("/play/")).session
    advice = advise(position_of(session.view, session.options))
    assert advice.best.name == "discard 6s"
    assert f"Discard 6s: wins {chance_words(advice.best)} within 17 draws." in text
    assert html.escape(why_words(advice, advice.best)) in text
    assert re.findall(r'<button class="tile hint" name="move" value="(\w+)"', text) == ["6s"]
    rows = sheet_of(text)
    assert len(rows) == len(advice.options)
    for (tile, chance, lost), option in zip(rows, advice.options, strict=True):
        assert tile == tile_words(option.kind)
        assert (chance, lost) == (chance_words(option), lost_words(option))
    assert "0.0 %" not in text
    [link] = re.findall(r'<a href="([^"]*)">Analyse this position</a>', text)
    fields = dict(parse_qsl(urlsplit(html.unescape(link)).query))
    assert Position.of_fields(fields) == advice.position


def test_advice_judges_calls_and_may_name_passing(opened):
    client, matches = opened("147m258p369s1277z", GIVER, draws="9s 7z")
    address, text = start_match(client, hints="win-chance")
    answer(client, address, text, "9s")
    text, _ = searched(client, address)
    session = matches.look(address.removeprefix("/play/")).session
    advice = advise(position_of(session.view, session.options))
    assert {option.action for option in advice.options} == {"pong", "pass"}
    assert [row[0].split()[0] for row in sheet_of(text)] == [
        "red" if option.meld else "pass" for option in advice.options
    ]
    found = best_move(advice, session.options)
    hinted = re.findall(r'<button name="move" value="([^"]*)" class="[^"]* hint"', text)
    assert hinted == [word(session, found[1])]


def test_nothing_is_advised_when_nothing_can_be_won():
    advice = advise("147m258p369s12345z draws=1")
    assert describe_advice(advice) == ("Nothing can be won with the own draws that are left.", "")
    assert advised((Move(Action.DISCARD, 27),), advice).move is None


def test_no_option_is_named_before_the_search_has_an_answer():
    advice = advise("147m258p369s12345z", effort="quick")
    text, reasons = describe_advice(advice)
    assert re.fullmatch(r"Candidates: discard \w+; discard \w+; discard \w+\.", text)
    assert reasons == ""
    hint = advised((Move(Action.DISCARD, 27),), advice)
    assert hint.move is None
    assert hint.is_searching


FAR = "147m258p369s1234z"  # at first only candidates are known


def test_page_is_sent_before_the_search_and_events_fill_it_in(opened, monkeypatch):
    client, _ = opened(FAR, draws="5z")
    may_begin = hold_searches(monkeypatch)
    address, text = start_match(client, hints="win-chance")
    assert "Searching …" in text
    assert f'<noscript> <a href="{address}">Look again</a></noscript>' in text
    assert 'class="tile hint"' not in text
    may_begin.set()
    later, events = searched(client, address)
    assert "Candidates: " in events[0]
    assert "Searching …" in events[0]
    for last in (events[-1], later):
        assert 'id="advice" data-hinted=", the hint" data-move="' in last
        assert "about" in last
        assert "Searching" not in last
        assert "data-events" not in last
    assert len(sheet_of(events[-1])) == 14


def test_search_that_fails_ends_in_a_sentence(opened, monkeypatch):
    monkeypatch.setattr(background_advice, "compute_advice", find_nothing)
    client, _ = opened(FAR, draws="5z")
    address, _ = start_match(client, hints="win-chance")
    _, events = searched(client, address)
    assert "Searching …" in events[0]
    assert f'The search has stopped. <a href="{address}">Look again</a>' in events[-1]
    assert "data-events" not in events[-1]


def test_no_discard_is_judged_after_a_pass(opened):
    client, matches = opened("147m258p369s1277z", GIVER, draws="9s 7z 1z 1z 1z")
    address, text = start_match(client, hints="win-chance")
    for move in ("9s", "n"):
        text = answer(client, address, text, move)
    session = matches.look(address.removeprefix("/play/")).session
    assert session.news[0].action is Action.DISCARD
    assert session.news[0].seat != session.seat
    assert '<p class="muted" id="judged"></p>' in text


@pytest.mark.parametrize("tile", ["1z", "1m"])
def test_last_discard_is_judged_by_its_position(opened, tile):
    client, matches = opened("123456m789p1146s", draws="1z")
    address, text = start_match(client, hints="win-chance")
    session = matches.look(address.removeprefix("/play/")).session
    advice = advise(position_of(session.view, session.options))
    answer(client, address, text, tile)
    text, events = searched(client, address)
    words = "lost nothing."
    if tile != "1z":
        lost = lost_words(advice.option(FULL.names.index(tile)))
        words = f"lost {lost} against: discard 1z."
    for part in (text, events[-1]):
        assert f'id="judged">Your last discard, {tile}, {words}</p>' in part


def test_judging_that_fails_ends_in_a_sentence(opened, monkeypatch):
    monkeypatch.setattr(background_advice, "compute_advice", find_nothing)
    client, _ = opened("123456789m67p11s", "234567m234567s1z", draws="1z")
    address, text = start_match(client)
    answer(client, address, text, "1z")
    event = client.get(f"{address}/events?number=1001").text
    for part in (event, client.get(address).text):
        assert f'The search has stopped. <a href="{address}">Look again</a>' in part
        assert "data-events" not in part


def test_events_of_an_earlier_decision_end_at_once(opened):
    client, _ = opened(FAR, draws="5z")
    address, text = start_match(client, hints="win-chance")
    answer(client, address, text, "5z")
    assert client.get(f"{address}/events?number=1000").status_code == 204
