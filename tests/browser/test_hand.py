"""The hand page in a browser: clicks, keys, paste, no JavaScript, verification, links."""

import json
import re
from pathlib import Path

import pytest
from browser.served import Served
from browser.visit import NARROW, WIDE, Open
from playwright.sync_api import expect

from mjopt.cli.main import execute

PAPER = "/?hand=4569m13445788p2s4z"
HANDS = {
    "with discards": "/?hand=123456m789p1146s1z",
    "a call": "/?hand=2378m345p6688s11z&call=4m",
    "all forms": "/?hand=1358m2469p1379s13z&forms=standard&forms=seven_pairs",
    "refused": "/?hand=12x",
}
BAD = (
    "12x",
    "<script>alert(1)</script>",
    "1m\u202e2m",
    "123m" * 3000,
)


@pytest.mark.parametrize("path", HANDS.values(), ids=HANDS)
def test_answer_pages_are_accessible(site: Served, visit: Open, path: str) -> None:
    page = visit(site, path, refusals=True)
    found = page.findings()
    page.set_screen(size=NARROW, dark=True)
    assert found + page.findings() == []
    assert page.overflow() == 0


def test_hand_is_entered_by_clicks(site: Served, visit: Open) -> None:
    page = visit(site).page
    palette = page.locator(".palette")
    for name in ("1m", "2m", "3m", "1z", "1z"):
        before = page.locator(".hand button").count()
        palette.locator(f'button[value="{name}"]').click()
        expect(page.locator(".hand button")).to_have_count(before + 1)
    expect(page.locator("#hand")).to_have_value("123m11z")
    assert "hand=123m11z" in page.url
    page.locator('.hand button[value="2m"]').click()
    expect(page.locator("#hand")).to_have_value("13m11z")
    page.go_back()
    expect(page.locator("#hand")).to_have_value("123m11z")
    page.reload()
    expect(page.locator("#hand")).to_have_value("123m11z")


def test_hand_is_entered_by_keys(site: Served, visit: Open) -> None:
    page = visit(site).page
    page.locator("main").focus()
    page.keyboard.type("123m")
    expect(page.locator("#hand")).to_have_value("123m")
    page.keyboard.type("55z")
    expect(page.locator("#hand")).to_have_value("123m55z")
    page.keyboard.press("Backspace")
    expect(page.locator("#hand")).to_have_value("123m5z")
    expect(page.locator("#live")).not_to_be_empty()


def test_enter_submits_a_pasted_hand(site: Served, visit: Open) -> None:
    page = visit(site).page
    page.locator("#hand").fill("4569m13445788p2s4z")
    page.keyboard.press("Enter")
    expect(page.locator("#say")).to_contain_text("deficiency")
    expect(page.locator("table.ranks tbody tr")).not_to_have_count(0)


def test_every_tab_stop_is_visible(site: Served, visit: Open) -> None:
    page = visit(site, PAPER).page
    unseen = []
    for _ in range(25):
        page.keyboard.press("Tab")
        shown = page.evaluate(
            """() => {
                const at = document.activeElement, style = getComputedStyle(at);
                const ring = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
                return [ring || style.boxShadow !== "none", at.outerHTML.slice(0, 80)];
            }"""
        )
        if not shown[0]:
            unseen.append(shown[1])
    assert unseen == []


@pytest.mark.parametrize("script", [True, False])
def test_invalid_hands_show_a_one_line_error(site: Served, visit: Open, script: bool) -> None:
    page = visit(site, script=script, refusals=True).page
    for text in BAD if script else BAD[:1]:
        page.goto(site.address + "/")
        page.locator("#hand").fill(text)
        page.get_by_role("button", name="Ask").click()
        expect(page.locator(".error")).to_have_count(1)
        words = page.locator(".error").inner_text()
        assert 5 < len(words) < 400, (text, words)
        assert "\n" not in words.strip()
        assert "Traceback" not in page.content()


def test_hand_page_works_without_javascript(site: Served, visit: Open) -> None:
    page = visit(site, script=False).page
    page.locator("#hand").fill("123m")
    page.locator('.palette button[value="1z"]').click()
    expect(page.locator("#hand")).to_have_value("123m1z")
    page.locator(".examples a").first.click()
    expect(page.locator("#say")).to_contain_text(re.compile("deficiency|wins", re.I))
    page.get_by_role("button", name="Check the certificate of this hand").click()
    expect(page.locator(".verdict")).to_contain_text("accepted")


def test_certificate_is_downloaded_and_verified(site: Served, visit: Open, tmp_path: Path) -> None:
    page = visit(site, PAPER).page
    path = tmp_path / "hand.json"
    with page.expect_download() as started:
        page.get_by_role("link", name="JSON", exact=True).first.click()
    started.value.save_as(path)
    assert execute(["verify", str(path)]) == 0

    page.get_by_role("button", name="Check the certificate of this hand").click()
    expect(page.locator(".verdict")).to_contain_text("accepted")

    document = json.loads(path.read_text(encoding="utf-8"))
    document["deficiency"] += 1
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps(document), encoding="utf-8")
    page.locator("#other summary").click()
    page.locator("#files").set_input_files(wrong)
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.locator(".verdict")).to_contain_text("refused")


def test_wide_and_narrow_screens_show_the_same_content(site: Served, visit: Open) -> None:
    page = visit(site, PAPER, size=WIDE)
    words = page.page.locator("#say").inner_text()
    page.set_screen(size=NARROW, dark=False)
    assert page.page.locator("#say").inner_text() == words
    assert page.page.locator("#say").is_visible()
