"""The pages of puzzles, of the daily hand, and of playing on from a position."""

import re
from datetime import date

import pytest
from helpers.browsing import OWNER, QUIET, answer, browser, hold_searches, number, search_nothing
from helpers.page_text import in_notation

from mjopt.chances.advice.position import Position
from mjopt.play.game import GMJBG, agent_stream, replay, run_game, shuffle_wall
from mjopt.play.game.agents.registry import read_agent
from mjopt.play.game.positions import position_of
from mjopt.play.game.record import read_record
from mjopt.play.puzzles.daily import daily_hand, play_daily
from mjopt.play.puzzles.puzzle import shipped_puzzles
from mjopt.play.puzzles.store import SUFFIX
from mjopt.play.serve import puzzles_page
from mjopt.play.serve.hand_form import position_address

DAY = date(2026, 11, 26)
NOON = 1_795_694_400.0  # of that day
NEXT_DAY = 86_400.0
GAME = 5  # seed of a game with a puzzle
PUZZLE = next(iter(shipped_puzzles().values()))
FIELDS = Position.parse(PUZZLE.position).to_fields()
PAGE = position_address(Position.parse(PUZZLE.position), "/puzzles/position")


@pytest.fixture
def visit(tmp_path):
    """Return a client of a site with a folder on that day."""
    with browser(tmp_path) as (client, _):
        client.app.state.site.records.clock = lambda: NOON
        yield client


@pytest.fixture
def unsearched(monkeypatch):
    """Search nothing: a search that is abandoned ends its process."""
    search_nothing(monkeypatch)


def text_of(answer):
    """Return the text of a page without its tags."""
    main = answer.text[answer.text.index("<main") :]
    return " ".join(re.sub(r"<[^>]+>", " ", in_notation(main)).split())


def throw(client, *, tile, number, day=DAY):
    """Throw a tile of the daily hand."""
    return client.post("/daily", data={"day": str(day), "number": number, "throw": tile})


def play_as_expert(client, count=None):
    """Play the hand of the day as the expert does; return the last page."""
    expert = daily_hand(DAY).expert
    names = expert.decisions[0].hand.tiles.names
    pages = [
        throw(client, tile=names[kind], number=place)
        for place, kind in enumerate(expert.thrown[:count])
    ]
    return pages[-1]


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


def test_each_throw_can_be_judged(visit, unsearched):
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
        ({"day": "2026-11-25", "number": "0", "throw": "1m"}, 400),
        ({"day": "2026-11-27", "number": "0", "throw": "1m"}, 400),
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
    for page in (visit.get("/puzzles"), visit.get("/daily"), throw(visit, tile="1m", number=0)):
        assert page.status_code in (400, 503)
        assert "not JSON" in text_of(page)
        assert str(tmp_path) not in page.text
    assert path.read_text() == "my notes"


def test_record_needs_a_cookie(visit):
    visit.cookies.clear()
    answer = throw(visit, tile="1m", number=0)

    assert answer.status_code == 400
    assert "allow cookies" in text_of(answer)


# Puzzles ------------------------------------------------------------------------------------


def other_tile():
    """Return a tile of the puzzle that is not the best one."""
    hand = Position.parse(PUZZLE.position).hand
    names = [name for name, held in zip(hand.tiles.names, hand.counts, strict=True) if held]
    return next(name for name in names if name != PUZZLE.best)


def judge(client, position=PUZZLE.position):
    """Wait for the advice on a position, without the time limit of a page."""
    client.app.state.site.advice.submit(Position.parse(position)).result()


def reply(client, tile, number=0):
    """PuzzleAnswer the puzzle."""
    return client.post("/puzzles/position", data={**FIELDS, "throw": tile, "number": number})


def test_next_puzzle_is_one_that_is_shipped(visit, unsearched):
    page = visit.get("/puzzles")
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page.text))
    fields.pop("number")

    assert Position.of_fields(fields).to_text() in shipped_puzzles()
    assert "Right!" not in text_of(page)


def test_right_answer_is_rated_and_explained(visit):
    assert "Right!" in text_of(reply(visit, PUZZLE.best))
    judge(visit)
    page = text_of(visit.get(PAGE))
    assert f"wins at least {float(PUZZLE.at_least):.2%}".replace("%", " %") in page
    assert "useful tiles left: " in page.lower()  # why
    assert int(re.search(r"Your rating in puzzles: (\d+)", page)[1]) > 1500
    assert "1 of 1 answer right" in text_of(visit.get("/puzzles"))


def test_wrong_answer_comes_back(visit):
    assert "Not the best one" in text_of(reply(visit, other_tile()))
    judge(visit)
    page = text_of(visit.get(PAGE))
    assert "comes back in ten minutes" in page
    assert f"Discard {other_tile()}: " in page
    assert 'name="number" value="0"' in visit.get("/puzzles").text  # another puzzle

    visit.app.state.site.records.clock = lambda: NOON + 600
    assert "Repeat 1 puzzle" in text_of(visit.get("/puzzles"))
    assert 'name="number" value="1"' in visit.get("/puzzles").text
    assert 'name="throw"' in visit.get(PAGE).text
    assert "Only the first answer counts" in text_of(reply(visit, PUZZLE.best, 1))
    assert 'name="number" value="0"' in visit.get("/puzzles").text


def test_repeated_answer_is_not_rated(visit, unsearched):
    before = re.search(r"Your rating in puzzles: (\d+)", text_of(reply(visit, other_tile())))[1]
    visit.app.state.site.records.clock = lambda: NOON + 600

    assert f"Your rating in puzzles: {before}" in text_of(reply(visit, PUZZLE.best, 1))


def test_answer_sent_twice_counts_once(visit, unsearched):
    for _ in range(2):
        reply(visit, PUZZLE.best)
    assert "1 of 1 answer right" in text_of(visit.get("/puzzles"))


def test_answer_survives_a_restart(visit, tmp_path):
    reply(visit, other_tile())
    judge(visit)
    page = text_of(visit.get(PAGE))
    with browser(tmp_path) as (again, _):
        judge(again)
        again.app.state.site.records.clock = lambda: NOON + 1
        assert text_of(again.get(PAGE)) == page


def test_event_is_sent_when_the_chances_are_known(visit, monkeypatch):
    may_begin = hold_searches(monkeypatch)
    monkeypatch.setattr(puzzles_page, "PATIENCE", 0)
    reply(visit, PUZZLE.best)
    page = visit.get(PAGE).text
    may_begin.set()
    address = re.search(r'data-events="([^"]*)"', page)[1].replace("&amp;", "&")

    assert "data: ready" in visit.get(address).text
    assert "Why" in text_of(visit.get(PAGE))


def test_puzzle_links_to_the_analysis_and_to_a_hand_against_agents(visit, unsearched):
    page = reply(visit, PUZZLE.best).text.replace("&amp;", "&")
    position = Position.parse(PUZZLE.position)

    assert f'href="{position_address(position)}"' in page
    assert f'href="{position_address(position, "/play/from")}"' in page
    assert visit.get(position_address(position)).status_code == 200


def test_position_without_a_lead_is_no_puzzle(visit):
    judge(visit, "445m34677p2346s55z draws=1")
    page = visit.get("/puzzles/position?hand=445m34677p2346s55z&draws=1")

    assert page.status_code == 404
    assert "no discard is proven to lead here by 3 points" in text_of(page)


@pytest.mark.parametrize(
    "query",
    [
        "",
        "hand=12x",
        "hand=11111m",
        "hand=445m34677p2346s55z&draws=200",
        "hand=445m34677p2346s55z&draws=-1",
        "hand=445m34677p2346s55z&seen=5555z",
        "hand=445m34677p2346s55z&offered=5z",
        "hand=445m34677p2346s55z&tiles=x",
        "hand=23m67p44s1z&called=9",
    ],
)
@pytest.mark.parametrize("path", ["/puzzles/position", "/play/from"])
def test_impossible_positions_are_one_line(visit, path, query):
    page = visit.get(f"{path}?{query}")

    assert page.status_code == 400
    assert "Traceback" not in page.text


def test_tile_that_is_not_held_is_refused(visit, tmp_path):
    for tile in ("", "9z", "0m", "back"):
        assert reply(visit, tile).status_code == 400
    assert [*tmp_path.iterdir()] == []


def test_own_games_give_their_costly_decisions(visit, tmp_path):
    assert "No game of yours is kept here yet" in text_of(visit.get("/puzzles/own"))

    (tmp_path / "games.txt").write_text(f"{game_with_puzzle()}\n")
    page = visit.get("/puzzles/own")
    assert page.url.path.endswith("/replay")
    assert "decision 1 of " in text_of(page)
    assert "Which discard wins most often?" in text_of(page)


def game_with_puzzle():
    """Return the record of a game of the person with a puzzle among its last positions."""
    agents = [read_agent(name) for name in ("l3", "l1", "l3", "l2")]
    rngs = [agent_stream(GAME, 0, seat) for seat in range(4)]
    line = run_game(
        agents, shuffle_wall(GAME, 0, GMJBG.tiles), rules=GMJBG, rngs=rngs, seed=GAME, game=0
    ).line
    return line.replace("names=l3,", "names=you,")


# Playing on ---------------------------------------------------------------------------------


def test_play_on_says_that_swap_calls_are_allowed(visit):
    says = "Here a called tile may be discarded at once."
    offered = "2378m345p6688s11z draws=3 offered=4m"
    called = "1456m67p11678s melds=234m draws=3"
    for text, is_said in (
        (offered, False),
        (f"{offered} swaps=no", True),
        (called, False),
        (f"{called} barred=1m4m", True),
    ):
        page = visit.get(position_address(Position.parse(text), "/play/from"))
        assert (says in text_of(page)) == is_said


def test_play_on_begins_at_the_position(visit, tmp_path):
    text = "445m34677p2346s55z seen=123m77z draws=2"
    position = Position.parse(text)
    page = visit.get(position_address(position, "/play/from"))
    assert "Play on from here" in text_of(page)

    match = visit.post("/play/from", data={**position.to_fields(), **QUIET})
    name = match.url.path.removeprefix("/play/")
    session = visit.app.state.site.matches.look(name).session
    known = position_of(session.view, session.options)
    assert (known.hand, known.wall, known.draws) == (position.hand, position.wall, 2)

    with browser(tmp_path) as (again, matches):  # restarted
        page, state = again.get(match.url.path).text, matches.look(name).session.state
        assert state == session.state
        while 'name="move"' in page:
            page = answer(again, match.url.path, page, default_move(page))
        line = again.get(f"{match.url.path}/records.txt").text
        again_page = again.get(
            re.search(r'href="(/play/from[^"]*)"', page)[1].replace("&amp;", "&")
        )
        assert "Play on from here" in text_of(again_page)
        assert "Review this match" not in page  # its history is invented
        assert "not finished a hand here" in text_of(again.get("/statistics"))
    assert "The match is over" in page
    assert replay(line).is_over
    assert read_record(line).seed is None


def default_move(page):
    """Return the move with the focus."""
    [button] = re.findall(r"<button [^>]*autofocus[^>]*>", page)
    return re.search(r'value="([^"]+)"', button)[1]


def test_offered_tile_can_be_taken(visit):
    position = Position.parse("2378m345p6688s11z draws=6 offered=4m")
    page = visit.post("/play/from", data={**position.to_fields(), **QUIET}).text

    assert "4m: take it?" in in_notation(page)
    assert number(page) == "1000"


@pytest.mark.parametrize(
    "data",
    [
        {"hand": "445m34677p2346s55z", "draws": "0"},
        {"hand": "445m34677p2346s55z", "seen": "1122334455667799s"},
        {"hand": "23m67p44s1z", "called": "2", "draws": "6"},
        {"hand": "445m34677p2346s55z", "draws": "6", "player1": "bot.py:Bot"},
        {"hand": "445m34677p2346s55z", "draws": "6", "player1": "normal:taught"},
        {"hand": ""},
        {},
    ],
)
def test_impossible_beginnings_are_refused(visit, tmp_path, data):
    page = visit.post("/play/from", data={**QUIET, **data})

    assert page.status_code == 400
    assert "Traceback" not in page.text
    assert [*tmp_path.iterdir()] == []
