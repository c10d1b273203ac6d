"""Watching games, statistics and reports in a browser."""

import re
from pathlib import Path

import pytest
from browser.served import Served
from browser.visit import NARROW, Open, Serve
from helpers.watched_games import record
from playwright.sync_api import Page, expect

from mjopt.cli.main import execute
from mjopt.serve import counted_games, statistics_page

RULES = ("gmjbg", "m0")


@pytest.fixture
def games(tmp_path: Path) -> Path:
    lines = [record(rules, 0) for rules in RULES]
    (tmp_path / "games.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


@pytest.fixture
def watched(serve: Serve, games: Path) -> Served:
    return serve(games=games)


def at(page: Page) -> int:
    return int(page.locator('input[name="step"]').input_value())


def to_game(page: Page) -> None:
    page.locator('main a[href^="/games/"]').first.click()
    page.wait_for_url(re.compile(r"/games/\w+$"))
    page.locator('main a[href^="/games/"]').first.click()
    expect(page.locator('input[name="step"]')).to_be_visible()


def test_a_game_step_by_step_by_keys(watched: Served, visit: Open) -> None:
    page = visit(watched, "/games").page
    to_game(page)
    assert at(page) == 0
    step = page.locator('input[name="step"]')
    page.locator("main").focus()
    page.keyboard.press("ArrowRight")
    expect(step).to_have_value("1")
    expect(page.locator("#live")).not_to_be_empty()
    page.keyboard.press("n")
    expect(step).not_to_have_value("1")
    page.keyboard.press("End")
    expect(step).to_have_value(str(step.get_attribute("max")))
    expect(page.locator(".happened")).to_contain_text(re.compile("win|drawn", re.I))
    page.keyboard.press("Home")
    expect(step).to_have_value("0")
    page.keyboard.press("ArrowRight")
    expect(step).to_have_value("1")
    page.reload()
    assert at(page) == 1


def test_without_script_a_game_is_links(watched: Served, visit: Open) -> None:
    page = visit(watched, "/games", script=False).page
    to_game(page)
    for number in (1, 2):
        page.locator('a[data-jump="next"]').click()
        expect(page.locator('input[name="step"]')).to_have_value(str(number))
    page.locator('select[name="seat"]').select_option("2")
    page.get_by_role("button", name="Show").click()
    assert page.locator('use[href$="#back"]').count() >= 39


def test_everybody_can_watch(watched: Served, visit: Open) -> None:
    page = visit(watched, "/games")
    to_game(page.page)
    page.page.keyboard.press("End")
    expect(page.page.locator(".happened strong")).to_be_visible()
    found = page.findings()
    page.look(size=NARROW, dark=True)
    assert found + page.findings() == []
    assert page.overflow() == 0


def test_a_page_of_a_game_needs_nothing_else(
    watched: Served, visit: Open, games: Path, tmp_path: Path
) -> None:
    target = tmp_path / "game.html"
    assert execute(["replay", str(games / "games.txt"), "--page", str(target)]) == 0
    page = visit(watched, "/games")
    page.page.goto(target.as_uri())
    expect(page.page.locator("section.step:visible")).to_have_count(1)
    page.page.locator("section.step:visible a[href^='#step-']").first.click()
    expect(page.page.locator("section.step:visible")).to_have_count(1)
    assert page.findings() == []
    page.look(size=NARROW, dark=True)
    assert page.overflow() == 0


def test_more_games_are_played(
    serve: Serve, visit: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for module in (counted_games, statistics_page):
        monkeypatch.setattr(module, "MORE", 200)
    page = visit(serve(games=tmp_path), "/statistics").page
    page.get_by_role("button", name="Play 200 more").first.click()
    expect(page.locator("main")).to_contain_text(re.compile("200 played here"))
    expect(page.locator(".job")).to_have_count(0)
