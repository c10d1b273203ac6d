"""Replays in a browser: keys, links, statistics, reports and standalone files."""

import re
from pathlib import Path

import pytest
from helpers.short_log import THREE_PLAYERS
from helpers.watched_games import record
from play.browser.served import Served
from play.browser.visit import NARROW, SCHEMES, WIDE, Open, Serve, Visit, new_context, wait_in
from playwright.sync_api import Browser, Page, expect

from mjopt.play.game.game_replay import watch
from mjopt.play.review.api import review, review_games
from mjopt.play.review.detect_format import read_games
from mjopt.play.serve.replay_file import record_page
from mjopt.play.serve.review_file import review_page
from mjopt.play.serve.review_remarks import describe_chance
from mjopt.play.serve.step_view import GameView
from mjopt.play.serve.tiles import spoken

LOGS = Path(__file__).parents[2] / "data" / "logs" / "tenhou-mjlog"
LOG = LOGS / "game-01.mjlog"
SHORT = LOGS / "game-15.mjlog"


@pytest.fixture
def full(serve: Serve, tmp_path: Path) -> Served:
    games = tmp_path / "games"
    games.mkdir()
    lines = [record("gmjbg", 1), "damaged", record("jj", 0), record("m0", 0)]
    (games / "games.txt").write_text("\n".join(lines))
    return serve(games=games)


def to_game(visit: Visit, line: int = 1) -> str:
    visit.goto("/games")
    visit.page.get_by_role("link", name="games.txt").click()
    visit.page.get_by_role("link", name=str(line), exact=True).click()
    visit.page.wait_for_url(f"**/{line}")  # loaded, so that the page's script listens to keys
    return visit.page.url


def test_watch_pages_are_accessible(full: Served, visit: Open) -> None:
    page = visit(full, "/games", refusals=True)
    address = to_game(page).removeprefix(full.address)
    last = len(watch(record("gmjbg", 1)).states) - 1
    files = address.rpartition("/")[0]
    found = []
    queries = ("?step=20&seat=2", f"?step={last}", "?step=x")
    for path in (
        "/games",
        files,
        *(address + query for query in queries),
        "/statistics",
    ):
        page.goto(path)
        for size, dark in ((WIDE, False), (NARROW, True)):
            page.set_screen(size=size, dark=dark)
            found += page.findings()
            assert page.overflow() == 0, path
    assert found == []


def test_game_is_navigated_by_keys(full: Served, visit: Open) -> None:
    visited = visit(full, "/games")
    to_game(visited)
    page, game = visited.page, watch(record("gmjbg", 1))
    expect(page.locator("[name=step]")).to_have_value("0")
    before = page.evaluate("history.length")
    at = 0
    for key, name in (
        ("ArrowRight", "next"),
        ("n", "next-change"),
        ("c", "next-call"),
        ("ArrowLeft", "previous"),
        ("p", "previous-change"),
        ("End", "last"),
        ("b", "previous-call"),
        ("Home", "first"),
    ):
        at = GameView(game).step(at)["jumps"][name]
        page.keyboard.press(key)
        expect(page.locator("[name=step]")).to_have_value(str(at))
        expect(page).to_have_url(re.compile(rf"\?step={at}$"))
        expect(page.locator("#live")).not_to_be_empty()
    assert page.evaluate("history.length") == before
    page.locator("[name=step]").focus()
    page.keyboard.press("n")  # in a text field it is not a shortcut
    expect(page.locator("[name=step]")).to_have_value("0")


def test_steps_before_the_answer_count_one_after_another(full: Served, visit: Open) -> None:
    visited = visit(full, "/games")
    to_game(visited)
    page = visited.page
    page.evaluate("on = document.querySelector('[data-jump=next]'); on.click(); on.click()")
    expect(page.locator("[name=step]")).to_have_value("2")
    page.evaluate(
        """for (const key of ["ArrowRight", "ArrowRight", "ArrowLeft", "ArrowRight"])
            document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}))"""
    )
    expect(page.locator("[name=step]")).to_have_value("4")


def test_links_keep_the_focus_and_choices_apply_at_once(full: Served, visit: Open) -> None:
    visited = visit(full, "/games")
    to_game(visited)
    page = visited.page
    page.get_by_role("link", name="on", exact=True).click()
    expect(page.locator("[name=step]")).to_have_value("1")
    expect(page.locator("a[data-jump=next]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("[name=step]")).to_have_value("2")
    page.locator("[name=seat]").select_option("3")
    expect(page.locator(".backs")).to_have_count(3)
    page.locator("a[data-jump=last]").click()
    expect(page.locator(".backs")).to_have_count(0)


def test_game_is_navigable_without_javascript(full: Served, visit: Open) -> None:
    page = visit(full, "/games", script=False).page
    page.get_by_role("link", name="games.txt").click()
    expect(page.locator("td.error")).to_have_count(1)
    page.get_by_role("link", name="3", exact=True).click()
    page.get_by_role("link", name="next change").click()
    at = watch(record("jj", 0)).changes()[0]
    expect(page.locator("[name=step]")).to_have_value(str(at))
    page.locator("[name=seat]").select_option("1")
    page.get_by_role("button", name="Show").click()
    expect(page.locator(".backs")).to_have_count(3)
    expect(page.locator("[name=step]")).to_have_value(str(at))


@pytest.mark.parametrize("script", [True, False])
def test_replay_file_works_offline(chromium: Browser, tmp_path: Path, script: bool) -> None:
    line = record("gmjbg", 1)
    game, file = watch(line), tmp_path / "game.html"
    file.write_text(record_page(line, title="One game"), encoding="utf-8")
    context = new_context(chromium, java_script_enabled=script)
    requests: list[str] = []
    complaints: list[str] = []
    context.on("request", lambda request: requests.append(request.url))
    page = context.new_page()
    page.on("console", lambda message: complaints.append(message.text))
    page.goto(file.as_uri())
    shown = page.locator("section.step:visible")
    expect(shown).to_have_count(1)
    expect(shown).to_have_attribute("id", "step-0")
    assert page.locator("#step-0 .tile").first.bounding_box()["width"] > 15
    # CSS rules on ancestors do not apply inside <use>.
    page.evaluate("document.querySelectorAll('style').forEach(one => one.sheet.disabled = true)")
    drawn = "[...document.querySelectorAll('#curve path')].map(one => getComputedStyle(one).fill)"
    assert page.evaluate(drawn).count("none") == 4  # lines, as on the page of a game
    page.evaluate("document.querySelectorAll('style').forEach(one => one.sheet.disabled = false)")
    at = game.changes()[0]
    shown.get_by_role("link", name="next change").click()
    expect(shown).to_have_attribute("id", f"step-{at}")
    if script:
        page.keyboard.press("End")
        expect(shown).to_have_attribute("id", f"step-{len(game.states) - 1}")
        page.keyboard.press("Home")
        expect(shown).to_have_attribute("id", "step-0")
    assert (requests, complaints) == ([file.as_uri()], [])
    context.close()


@pytest.mark.parametrize("script", [True, False])
def test_review_file_works_offline(chromium: Browser, tmp_path: Path, script: bool) -> None:
    """Tiles are text in the file; a script draws the visible ones, else they stay text."""
    [(number, game)] = read_games(record("gmjbg", 1).encode())
    source = review_page(review_games([("", number, game)]))
    file = tmp_path / "review.html"
    file.write_text(source, encoding="utf-8")
    context = new_context(chromium, java_script_enabled=script)
    complaints: list[str] = []
    pages = [context.new_page() for _ in range(2)]
    for at, page in ((0, pages[0]), (1, pages[0]), (40, pages[1])):
        page.on("console", lambda message: complaints.append(message.text))
        page.goto(file.as_uri() + f"#step-{at}" * bool(at))
        shown = page.locator("section.step:visible")
        expect(shown).to_have_attribute("id", f"step-{at}")
        step = source.partition(f'id="step-{at}"')[2].partition('class="step"')[0]
        tiles = sum(len(row.split()) for row in re.findall("<i>(.*?)</i>", step))
        expect(shown.locator("svg.tile")).to_have_count(tiles if script else 0)
        bars = len(re.findall(r"/[01]\.\d\d", step))
        expect(shown.locator("svg.value")).to_have_count(bars if script else 0)
        expect(shown.locator("i")).to_have_count(0 if script else step.count("<i>"))
    assert shown.locator(".own").bounding_box()["width"] > 100
    assert complaints == []
    context.close()


SIZES = ((1280, 800), NARROW, (740, 360))


@pytest.mark.usefixtures("without_search")
def test_board_is_in_the_first_screen(full: Served, visit: Open) -> None:
    """The whole board where it fits, and on every screen nothing overflows."""
    visited = visit(full, "/games")
    addresses = [f"{to_game(visited)}?step=20"]
    visited.goto("/review")
    visited.page.set_input_files("#log", LOG)
    visited.page.get_by_role("button", name="Review").click()
    visited.page.wait_for_url("**/review/*")
    addresses.append(f"{visited.page.url}?step=20")
    found = []
    for address in addresses:
        visited.page.goto(address)
        for size in SIZES:
            for dark, rule in SCHEMES.items():
                visited.set_screen(size=size, dark=dark)
                found += visited.findings(rule)
            assert visited.overflow() == 0
            check_board(visited, size)
    assert found == []


def check_board(visited: Visit, size: tuple[int, int]) -> None:
    board = visited.page.locator(".board").bounding_box()
    if size[0] == 1280:
        assert board["y"] + board["height"] <= 800
        assert board["height"] > 500
    else:
        remark = visited.page.locator(".told").bounding_box()
        assert remark["y"] >= board["y"] + board["height"]


@pytest.mark.usefixtures("without_search")
@pytest.mark.parametrize("script", [True, False])
def test_large_log_is_refused_on_the_page(
    serve: Serve, visit: Open, tmp_path: Path, script: bool
) -> None:
    """Browsers show an answer only if the server has read all of the upload."""
    page = visit(serve(), "/review", script=script, refusals=True).page
    log = tmp_path / "large.mjlog"
    log.write_bytes(bytes(60_000_000))
    page.set_input_files("#log", log)
    page.get_by_role("button", name="Review").click()
    expect(page.locator("#problem")).to_contain_text("more than 8 MB")
    page.set_input_files("#log", SHORT)
    page.get_by_role("button", name="Review").click()
    page.wait_for_url("**/review/*")


def is_judged(page: Page) -> bool:
    """Load a page again, and return whether nothing more will be filled in."""
    page.reload()
    return not page.locator("[data-events]").count()


@pytest.mark.parametrize("script", [True, False])
def test_chances_to_win_arrive(site: Served, visit: Open, tmp_path: Path, script: bool) -> None:
    """The page updates itself; without JavaScript it is loaded again."""
    log = tmp_path / "three.json"
    log.write_text(THREE_PLAYERS)
    [_, row] = [row for row in review(log, by="chance").discards if row["seat"] == 0]
    page = visit(site, "/review", script=script).page
    page.set_input_files("#log", log)
    page.get_by_role("button", name="Review").click()
    page.wait_for_url("**/review/*")
    page.goto(f"{page.url}?seat=0&step=1")
    if not script:
        wait_in(page, lambda: is_judged(page), "the review does not end")
    expect(page.locator("#judging")).to_be_hidden()
    expect(page.locator(".told")).to_contain_text(spoken(describe_chance(row)[1:]))
    expect(page.locator(".told")).to_contain_text(f"{row['draws_left']} own draws left")
    assert page.locator("a[data-jump=previous]").get_attribute("href").startswith("?step=0&seat=0")


@pytest.mark.usefixtures("without_search")
def test_review_on_the_page(serve: Serve, visit: Open) -> None:
    page = visit(serve(), "/review", refusals=True)
    page.page.set_input_files("#log", LOG)
    page.page.get_by_role("button", name="Review").click()
    page.page.wait_for_url("**/review/*")
    where = page.page.locator(".told b").first
    first = where.inner_text()
    moves = page.page.locator(".moves a")
    moves.nth(9).click()
    expect(page.page).to_have_url(re.compile(r"step=9&"))
    expect(where).not_to_have_text(first)
    page.page.keyboard.press("ArrowLeft")
    expect(page.page).to_have_url(re.compile(r"step=8&"))
    expect(moves.nth(8)).to_be_focused()
    page.page.keyboard.press("ArrowUp")
    expect(page.page).to_have_url(re.compile(r"step=7&"))
    page.page.keyboard.press("ArrowDown")
    expect(page.page).to_have_url(re.compile(r"step=8&"))
    expect(moves.nth(8)).to_be_focused()
    page.page.get_by_role("combobox", name="Player").select_option("2")
    expect(page.page).to_have_url(re.compile(r"seat=2"))
    page.page.get_by_role("link", name="Analyse this position").click()
    expect(page.page).to_have_url(re.compile(r"/\?hand="))
