"""Puzzles, the hand of a day and playing on, in a browser: keys, no script, small screens."""

import re

import pytest
from helpers.browsing import number
from play.browser.served import Served
from play.browser.visit import NARROW, WIDE, Open
from playwright.sync_api import Page, expect

from mjopt.chances.advice.position import Position
from mjopt.play.puzzles.puzzle import shipped_puzzles
from mjopt.play.serve.hand_form import position_address

PUZZLE = next(iter(shipped_puzzles().values()))
PAGE = position_address(Position.parse(PUZZLE.position), "/puzzles/position")
LANDSCAPE = (740, 360)


@pytest.mark.parametrize("size", [WIDE, NARROW, LANDSCAPE], ids=["wide", "phone", "landscape"])
def test_puzzle_is_answered_and_explained(site: Served, visit: Open, size: tuple[int, int]) -> None:
    session = visit(site, PAGE, size=size, dark=size == NARROW)
    page = session.page
    assert session.findings() == []
    assert session.overflow() == 0

    page.locator(f'.hand button[value="{PUZZLE.best}"]').first.click()
    expect(page.get_by_role("heading", name="Right!")).to_be_visible()
    expect(page.locator("#why")).to_be_visible()  # filled in without reloading
    expect(page.locator("#pending")).to_have_count(0)
    assert session.findings() == []
    assert session.overflow() == 0


@pytest.mark.usefixtures("without_search")
def test_puzzle_is_answered_by_keys(site: Served, visit: Open) -> None:
    page = visit(site, PAGE).page
    buttons = page.locator(".hand button")
    buttons.first.focus()
    page.keyboard.press("Tab")
    expect(buttons.nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".hand button")).to_have_count(0)


def test_puzzle_needs_no_script(site: Served, visit: Open) -> None:
    page = visit(site, PAGE, script=False).page
    page.locator(f'.hand button[value="{PUZZLE.best}"]').first.click()
    expect(page.get_by_role("heading", name="Right!")).to_be_visible()
    page.wait_for_load_state()
    rest = page.get_by_role("link", name="Show all")  # by its text it is not found in a noscript
    if rest.count():  # not known yet
        rest.click()
    expect(page.locator("#why")).to_be_visible()
    page.get_by_role("link", name="Next puzzle").click()
    expect(page.locator(".hand button")).not_to_have_count(0)


def throw_last(page: Page) -> None:
    """Throw the last tile of the hand, and wait for the whole next page."""
    thrown = page.locator('[name="number"]').input_value()
    page.locator(".hand button").last.click()
    after = page.locator(f'[name="number"]:not([value="{thrown}"])')
    expect(after.or_(page.get_by_role("row", name="Expert")).first).to_be_attached()
    page.wait_for_load_state()


def throw_by_requests(page: Page, address: str) -> None:
    """Throw drawn tiles without the page, by its cookie, until few draws are left."""
    text = page.content()
    while tiles := re.findall('<button [^>]*name="throw" value="([^"]*)"', text):
        if re.search(r"\b[12] draws? to come", text):
            break
        [day] = re.findall('name="day" value="([^"]*)"', text)
        form = {"day": day, "number": number(text), "throw": tiles[-1]}
        answer = page.request.post(f"{address}/daily", form=form, headers={"origin": address})
        text = answer.text()
    page.reload()


@pytest.mark.usefixtures("without_search")
@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_hand_of_the_day_is_played_to_its_end(site: Served, visit: Open, script: bool) -> None:
    session = visit(site, "/puzzles", script=script, size=NARROW)
    page = session.page
    page.get_by_role("link", name="Play the hand of today").click()
    page.wait_for_url("**/daily*")
    for _ in range(2):
        throw_last(page)
    throw_by_requests(page, site.address)
    while page.locator(".hand button").count():
        throw_last(page)
    expect(page.get_by_role("row", name="Expert")).to_contain_text("won after")
    page.get_by_role("link", name="Judge each throw").click()
    expect(page.locator("table.throws")).to_be_visible()


@pytest.mark.usefixtures("without_search")
def test_hand_is_played_on_against_agents(site: Served, visit: Open) -> None:
    session = visit(site, PAGE, size=NARROW, dark=True)
    page = session.page
    page.locator(".hand button").first.click()
    page.get_by_role("link", name="Play on from here").click()
    page.wait_for_url("**/play/from**")
    assert session.findings() == []
    assert session.overflow() == 0
    page.get_by_role("button", name="Play on from here").click()
    expect(page.locator(".match")).to_be_visible()
    held = Position.parse(PUZZLE.position).hand.num_tiles
    expect(page.locator('.own button[name="move"]')).to_have_count(held)


@pytest.mark.usefixtures("without_search")
def test_navigation_leads_to_practice_and_puzzles(site: Served, visit: Open) -> None:
    page = visit(site).page
    for name in ("Practice", "Puzzles"):
        page.get_by_role("navigation").get_by_role("link", name=name).click()
        current = page.locator('nav a[aria-current="page"]')
        expect(current).to_have_text(name)
