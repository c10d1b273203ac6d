"""Hints on the page of a match: weights, deficiency and expected draws."""

import re

import pytest
from helpers.browsing import answer, start_match
from helpers.table_talk import GIVER


def test_hints_show_weights(opened):
    client, _ = opened("123m4455p678s113z", draws="5z")
    _, text = start_match(client, hints="l2")
    assert '<p class="advice"><span>Discard west wind: its weight of 0 is the least</span>' in text
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
    [num] = re.findall(r'<p class="advice"><span>Discard east wind: .*?(\d+) tiles improve', text)
    assert ("draws on average" in text) == (hints == "draws")
    hint = text[text.index('class="reasons"') :]
    first = re.search(r"<tbody>\s*(<tr.*?</tr>)", hint, re.DOTALL)[1]
    assert "<td>1</td>" in first
    assert re.search(r"<td>\d+\.\d\d</td>", first)
    assert "five of bamboos" in first
    assert f"<b>{num}</b>" in first
    assert "×4</span>" in first


def test_hints_are_off_by_default(opened):
    text = start_match(opened()[0])[1]
    assert 'class="advice"' not in text
    assert 'class="reasons"' not in text


def test_hint_gives_the_chance_to_win(opened):
    client, _ = opened("445m34677p2346s5z", draws="5z")
    _, text = start_match(client, hints="win-chance")
    assert re.search(r"Discard 6s: wins 39\.7 % within 17 draws; 26 tiles improve", text)
    hinted = re.findall(r'<button class="tile hint" name="move" value="(\w+)"', text)
    assert hinted == ["6s"]
    first = re.search(r"<tbody>\s*(<tr.*?</tr>)", text, re.DOTALL)[1]
    assert 'aria-label="six of bamboos"' in first
    assert re.search(r"<td>39.7</td>", first)
