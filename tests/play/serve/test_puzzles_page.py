"""The pages of puzzles and of the daily hand."""

import re
from datetime import date

import pytest
from helpers.browsing import OWNER, browser

from mjopt.play.puzzles.daily import daily_hand, play_daily
from mjopt.play.puzzles.store import SUFFIX

DAY = date(2026, 11, 26)
NOON = 1_795_694_400.0  # of that day
NEXT_DAY = 86_400.0


@pytest.fixture
def visit(tmp_path):
    """Return a client of a site with a folder on that day."""
    with browser(tmp_path) as (client, _):
        client.app.state.site.records.clock = lambda: NOON
        yield client


def text_of(answer):
    """Return the text of a page without its tags."""
    main = answer.text[answer.text.index("<main") :]
    return " ".join(re.sub(r"<[^>]+>", " ", main).split())


def throw(client, *, tile, number, day=DAY):
    """Throw a tile of the daily hand."""
    return client.post("/daily", data={"day": str(day), "number": number, "throw": tile})


def play_as_expert(client, count=None):
    """Play the hand of the day as the expert does; return the last page."""
    expert = daily_hand(DAY).expert
    for number, kind in enumerate(expert.thrown[:count]):
        tile = expert.decisions[0].hand.tiles.names[kind]
        answer = throw(client, tile=tile, number=number)
    return answer


def test_daily_hand_is_the_same_for_everyone(visit):
    page = visit.get("/daily").text
    dealt = play_daily(daily_hand(DAY).seed, ()).decisions[0].hand

    held = re.findall(r'name="throw" value="(\w\w)"', page)
    assert [held.count(name) for name in dealt.tiles.names] == [*dealt.counts]


def test_finished_hand_is_compared_and_kept(visit, tmp_path):
    page = text_of(play_as_expert(visit))
    assert "You won after 12 draws" in page
    assert "You won after 12 draws Expert won after 12 draws" in page
    assert "Others on this server none yet" in page

    with browser(tmp_path) as (again, _):
        again.app.state.site.records.clock = lambda: NOON + NEXT_DAY
        overview = text_of(again.get("/puzzles"))
        assert f"{DAY} won after 12 draws" in overview
        assert "1 day in a row" in overview
        assert "Play the hand of today" in overview
        assert text_of(again.get(f"/daily?day={DAY}")) == page


def test_each_throw_can_be_judged(visit):
    page = play_as_expert(visit).text
    address = re.search(r'href="(/practice\?[^"]+)"', page)[1].replace("&amp;", "&")

    assert "You won after 12 draws" in text_of(visit.get(address))


def test_hand_is_continued_after_a_restart(visit, tmp_path):
    play_as_expert(visit, 3)
    with browser(tmp_path) as (again, _):
        again.app.state.site.records.clock = lambda: NOON
        assert "Continue" in text_of(again.get("/puzzles"))
        assert 'name="number" value="3"' in again.get("/daily").text


def test_throw_sent_twice_counts_once(visit):
    tile = re.findall(r'name="throw" value="(\w\w)"', visit.get("/daily").text)[0]
    for _ in range(2):
        page = throw(visit, tile=tile, number=0).text
        assert 'name="number" value="1"' in page


def test_others_on_the_server_are_counted(visit):
    play_as_expert(visit)
    visit.cookies.clear()
    visit.get("/daily")  # a new browser
    page = text_of(play_as_expert(visit))

    assert "Others on this server 1 of 1 won" in page


@pytest.mark.parametrize(
    ("data", "status"),
    [
        ({"day": str(DAY), "number": "0", "throw": "9z"}, 400),
        ({"day": str(DAY), "number": "0", "throw": ""}, 400),
        ({"day": str(DAY), "number": "0"}, 400),
        ({"day": "2026-11-25", "number": "0", "throw": "1m"}, 409),
        ({"day": "2026-11-27", "number": "0", "throw": "1m"}, 409),
        ({"day": "yesterday", "number": "0", "throw": "1m"}, 400),
        ({"day": "20261126", "number": "0", "throw": "1m"}, 400),
        ({"day": "0001-01-01", "number": "0", "throw": "1m"}, 400),
        ({}, 400),
    ],
)
def test_impossible_throws_are_refused_and_not_kept(visit, tmp_path, data, status):
    answer = visit.post("/daily", data=data)

    assert answer.status_code == status
    assert "Traceback" not in answer.text
    assert [*tmp_path.iterdir()] == []


def test_other_days_cannot_be_opened(visit):
    assert visit.get("/daily?day=2026-11-25").status_code == 404
    assert visit.get("/daily?day=x").status_code == 400


def test_damaged_record_is_named_in_one_line_and_stays(visit, tmp_path):
    path = tmp_path / f"{OWNER}{SUFFIX}"
    path.write_text("my notes")
    for answer in (visit.get("/puzzles"), visit.get("/daily"), throw(visit, tile="1m", number=0)):
        assert answer.status_code in (400, 503)
        assert "not JSON" in text_of(answer)
        assert str(tmp_path) not in answer.text
    assert path.read_text() == "my notes"


def test_record_needs_a_cookie(visit):
    visit.cookies.clear()
    answer = throw(visit, tile="1m", number=0)

    assert answer.status_code == 400
    assert "allow cookies" in text_of(answer)
