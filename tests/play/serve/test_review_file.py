"""A reviewed game as one self-contained page with every discard."""

import re
from collections import Counter
from dataclasses import replace

import pytest
from helpers.short_log import THREE_PLAYERS as THREE
from helpers.tenhou_writing import written
from helpers.three_players import east_only
from helpers.watched_games import record

from mjopt.cli.main import execute
from mjopt.play.game.events import TILE_NAMES
from mjopt.play.game.log_replay import replay_round
from mjopt.play.game.moves import Action
from mjopt.play.review.api import review_games
from mjopt.play.review.detect_format import read_games
from mjopt.play.serve.review_file import review_page


@pytest.fixture(scope="module")
def found():
    [(line, game)] = read_games(THREE.encode())
    return review_games([("three.json", line, game)], by="draws")


def sections(page):
    return re.findall(r'<section class="step" id="step-(\d+)".*?</section>', page, re.S)


def test_every_discard_is_on_the_page(found):
    page = review_page(found)
    assert sorted(map(int, sections(page))) == list(range(len(found.judged.discards)))
    for row in found.discards:
        assert (
            re.search(rf"\b{row['deficiency']} tiles? (is|are) missing", page) or row["moves_away"]
        )
    assert "Expected draws" in page
    assert page.count("<b>East 1, turn 1, seat 0</b>") == 1


def test_names_with_control_characters_are_escaped():
    [(line, game)] = read_games(THREE.replace("<b>a</b>", r"a\u0000\u001b[2J").encode())
    page = review_page(review_games([("three.json", line, game)]), named=True)
    assert r"a\x00\x1b[2J" in page
    assert not set(page) & {"\0", "\x1b"}


def test_page_needs_no_request(found):
    page = review_page(found)
    assert not re.search(r'(?:src|href)="(?!#)|@import|url\(|https?://(?!www\.w3\.org)', page)
    used = {word.split("/")[0] for row in re.findall(r"<i>(.*?)</i>", page) for word in row.split()}
    assert len(used) > 20
    assert used <= set(re.findall(r'id="([0-9][mpsz])"', page))
    assert used <= set(TILE_NAMES)


def test_step_shows_every_tile_visible_to_the_seat(found):
    """Each step shows the seat's own hand and all discards, but no other hand."""
    page, game = review_page(found), found.judged.games[0]
    tables = list(replay_round(game.rounds[0], game.rules))
    rows = re.findall(r'id="step-(\d+)".*?aria-label="discard(.*?)<figure', page, re.S)
    written = {int(at): Counter(re.findall(r"\b\d[mpsz]\b(?!/x)", text)) for at, text in rows}
    expected, river, hands = {}, Counter(), [list(hand) for hand in game.rounds[0].hands]
    for _, event in tables:
        if event.action is Action.DRAW:
            hands[event.seat].append(event.tile)
        if event.action is Action.DISCARD:
            own = Counter(TILE_NAMES[tile] for tile in hands[event.seat])
            expected[len(expected)] = own + own + river + Counter([TILE_NAMES[event.tile]])
            hands[event.seat].remove(event.tile)
            river[TILE_NAMES[event.tile]] += 1
    assert set(written) == set(expected)
    for at, count in expected.items():
        assert not count - written[at], at


def test_calls_are_shown_at_their_step():
    [(line, game)] = read_games(record("gmjbg", 1).encode())
    found = review_games([("", line, game)], by="draws")
    page = review_page(found)
    calls = list(found.calls)
    assert {call["made"] for call in calls} == {True, False}
    for call in calls:
        verb = "Called a" if call["made"] else "Passed up a"
        said = f"{verb} {call['call']}: missing tiles {call['without']} to {call['with']}, useful"
        tiles = " ".join(dict.fromkeys((call["tile"], *call["held"].split())))
        assert re.search(rf"{said} tiles [^<]* <i>{tiles}</i>", page)
    made = sum(call["made"] for call in calls)
    assert f"<summary>{made} call{'s' * (made != 1)}, " in page
    assert page.count("expected draws") >= len(calls)
    assert len(page) < 4000 * len(found.judged.discards) + 60_000  # tiles are text


def test_links_target_steps_and_the_first_step_comes_last(found):
    page = review_page(found)
    ids = set(re.findall(r'id="([^"]+)"', page))
    assert set(re.findall(r'href="#(step-\d+)"', page)) <= ids
    assert sections(page)[-1] == "0"  # the other steps hide it when one of them is the target


def test_requested_names_are_shown_and_escaped(found):
    assert "&lt;b&gt;a&lt;/b&gt;" not in review_page(found)
    named = review_page(found, named=True)
    assert "&lt;b&gt;a&lt;/b&gt;" in named
    assert "<b>a</b>" not in named


def test_review_of_one_seat(found):
    page = review_page(found, seat=1)
    rows = int((found.judged.discards.seat == 1).sum())
    assert len(sections(page)) == rows == 1


def test_discards_that_move_away_are_listed():
    away = THREE.replace("[45], [60],[21", "[45], [31],[21")  # 1s from a complete chow
    [(line, game)] = read_games(away.encode())
    found = review_games([("", line, game)])
    assert found.judged.discards.moves_away.tolist().count(True) == 1
    page = review_page(found)
    assert "1 discard moves further from a win<" in page
    assert "Moves further from a win: " in page


def test_game_without_discards_has_a_page(found):
    judged = found.judged
    empty = replace(found, judged=replace(judged, discards=judged.discards.where(slice(0, 0))))
    assert sections(review_page(empty)) == []


def test_command_writes_the_complete_page(tmp_path, capsys):
    log = tmp_path / "three.json"
    log.write_text(THREE)
    assert execute(["review", str(log), "-o", str(tmp_path / "page.html")]) == 0
    assert (tmp_path / "page.html").read_text().startswith("<!DOCTYPE html>")
    capsys.readouterr()
    assert execute(["review", str(log), str(log), "-o", str(tmp_path / "two.html")]) == 2
    assert "games 2, expected one for a page" in capsys.readouterr().err
    assert not (tmp_path / "two.html").exists()


def test_a_north_set_aside_is_shown_but_is_no_meld_of_the_hand():
    deals = east_only(1)
    assert any(event.action is Action.NORTH for deal in deals for event in deal.events)
    [(line, game)] = read_games(written(*deals, seats=3).encode())
    review = review_games([("three.mjlog", line, game)])
    page = review_page(review)
    assert len(sections(page)) == len(review.judged.discards) > 50
