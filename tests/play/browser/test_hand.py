"""The hand page in a browser: clicks, keys, paste, no JavaScript, verification, links."""

import json
import re
from pathlib import Path

import pytest
from helpers.browsing import hold_searches, search_nothing
from helpers.waits import MOMENT
from play.browser.served import Served
from play.browser.visit import NARROW, WIDE, HeldRequests, Look, Open, Serve
from playwright.sync_api import expect

from mjopt.cli.main import execute
from mjopt.play.serve.background_advice import BackgroundAdvice
from mjopt.play.serve.tiles import spoken

PAPER = "/?hand=4569m13445788p2s4z"
PRACTICE = "/practice?hand=123456m789p1146s1z&draws=4&seed=4&wait=1&moves=1z8p7z7s4p"
HANDS = {
    "with discards": "/?hand=123456m789p1146s1z&draws=4&wait=1",
    "a call": "/?hand=2378m345p6688s11z&offered=4m&draws=4&wait=1",
    "all forms": "/?hand=1358m2469p1379s13z&forms=standard&forms=seven_pairs&draws=4",
    "refused": "/?hand=12x",
    "too many draws": "/?hand=123456m789p1146s1z&draws=200&turn=3",
    "two readings": "/?hand=B1B2B3",
    "seen tiles": "/?hand=23m67p44s1z&melds=345m+777z&seen=2255z&draws=4",
    "a win": "/?hand=11122233344455s&draws=4&wait=1",
    "108 tiles": "/?hand=123m456p&tiles=m0",
    "Taiwan": "/?hand=123456789m123p12358s&rules=taiwan",
    "Taiwan before the draw": "/?hand=123456789m123p1235s&rules=taiwan",
    "a win of other rules": "/?hand=147m258p369s11222z&rules=mcr",
    "unknown rules": "/?hand=12m&rules=tokyo",
    "proof of other rules": "/proof?hand=147m258p369s11223z&rules=mcr",
    "proof": "/proof?hand=4569m13445788p2s4z",
    "practice": "/practice?hand=123456m789p1146s1z&seed=4&moves=1z",
    "end of a practice": PRACTICE,
}
MARK_MESSAGES = """{
    const Native = EventSource;
    EventSource = class extends Native {
        constructor(...how) {
            super(...how);
            this.addEventListener("message", () => {
                document.documentElement.dataset.message = "read";
            });
        }
    };
}"""
"""Marks the page once a message is read: its own listener is called in the same task."""
BAD = (
    "12x",
    "<script>alert(1)</script>",
    "1m\u202e2m",
    "123m" * 3000,
)


@pytest.mark.parametrize("path", HANDS.values(), ids=HANDS)
def test_answer_pages_are_accessible(
    look: Look, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "wait=1" not in path:  # then the page is seen before the chances are known
        search_nothing(monkeypatch)
    page = look(path)
    found = page.findings()
    page.set_screen(size=NARROW, dark=True)
    assert found + page.findings() == []
    assert page.overflow() == 0


@pytest.mark.usefixtures("without_search")
def test_hand_is_entered_by_clicks(site: Served, visit: Open) -> None:
    page = visit(site).page
    palette = page.locator(".palette")
    for name in ("1m", "2m", "3m", "1z", "1z"):
        before = page.locator(".hand button").count()
        palette.locator(f'button[value="{name}"]').click()
        expect(page.locator(".hand button")).to_have_count(before + 1)
    expect(page.locator("#hand")).to_have_value("123m11z")
    expect(page).to_have_url(re.compile("hand=123m11z"))
    page.locator('.hand button[value="2m"]').click()
    expect(page.locator("#hand")).to_have_value("13m11z")
    page.go_back()
    expect(page.locator("#hand")).to_have_value("123m11z")
    page.reload()
    expect(page.locator("#hand")).to_have_value("123m11z")


@pytest.mark.usefixtures("without_search")
@pytest.mark.parametrize("size", [(1280, 800), NARROW, (740, 360)])
def test_palette_stays_where_it_is_while_tiles_are_pressed(
    site: Served, visit: Open, size: tuple[int, int]
) -> None:
    page = visit(site, size=size).page
    places = """() => [...document.querySelectorAll(".palette button")].map(
        (each) => each.getBoundingClientRect().top + scrollY)"""
    before = page.evaluate(places)
    for number, name in enumerate(re.findall("..", "1m2m3m0m5m0p1s1s9s1z1z1z7z"), 1):
        page.locator(f'.palette button[value="{name}"]').click()
        expect(page.locator(".hand button")).to_have_count(number)
        assert page.evaluate(places) == before
    expect(page.locator("#hand")).to_have_value("12305m0p119s1117z")
    assert page.locator('.palette button[value="0m"]').is_disabled()


@pytest.mark.parametrize("by", ["mouse", "key"])
def test_press_counts_although_the_answer_changes_meanwhile(
    serve: Serve, visit: Open, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    """A button that is replaced between press and release would not be clicked."""
    may_begin = hold_searches(monkeypatch)
    page = visit(serve(), "/?hand=123456m789p1146s").page
    button = page.locator('.palette button[value="1z"]')
    expect(page.locator("#pending")).to_have_count(1)
    button.scroll_into_view_if_needed()
    button.hover()
    button.focus()
    if by == "mouse":
        page.mouse.down()
    else:
        page.keyboard.down("Space")
    page.evaluate("document.querySelector('main').dataset.old = ''")
    with page.expect_response(lambda answer: "hand=" in answer.url and "chances" not in answer.url):
        may_begin.set()
    page.wait_for_timeout(1000 * MOMENT)  # the answer must not be shown
    if by == "mouse":
        page.mouse.up()
    else:
        page.keyboard.up("Space")
    expect(page.locator(".hand button")).to_have_count(14)
    expect(page.locator("main[data-old]")).to_have_count(0)


@pytest.mark.usefixtures("without_search")
@pytest.mark.parametrize(
    ("before", "presses", "after"),
    [
        ("1146s1z", (".palette [value='1m']", ".palette [value='7z']"), "1m1146s17z"),
        ("1146s1z", (".palette [value='1s']",) * 3, "111146s1z"),  # there is no fifth copy
        ("1146s1z", (".hand [value='1s']",) * 3, "46s1z"),
        ("1146s1z", (".palette [value='7z']", ".hand [value='1z']"), "1146s7z"),
        ("123456m789p1146s1z", ("[data-jump='throw-1z']", ".hand [value='1s']"), "123456m789p146s"),
    ],
)
def test_presses_before_the_answer_count_one_after_another(
    site: Served, visit: Open, before: str, presses: tuple[str, ...], after: str
) -> None:
    page = visit(site, f"/?hand={before}").page
    page.evaluate(
        "all => all.map((each) => document.querySelector(each)).forEach((each) => each.click())",
        presses,
    )
    expect(page.locator("#hand")).to_have_value(after)


@pytest.mark.usefixtures("without_search")
@pytest.mark.parametrize("pause", [0, MOMENT])
def test_text_typed_before_the_answer_to_a_press_counts_too(
    site: Served, visit: Open, pause: float
) -> None:
    page = visit(site, "/?hand=4569m13445788p2s").page
    held = HeldRequests(page, "**/?hand=*add=*")
    page.locator('.palette button[value="4z"]').click()
    page.locator("#draws").fill("7")
    answer = held.first()
    page.wait_for_timeout(1000 * pause)  # whether the text is asked for before the answer or after
    answer.continue_()
    expect(page.locator("table.ranks thead")).to_contain_text("within 7 draws")
    expect(page.locator("#hand")).to_have_value("4569m13445788p2s4z")


def test_draws_are_typed_beside_the_answer(site: Served, visit: Open) -> None:
    page = visit(site, "/?hand=123456m789p1146s1z", refusals=True).page
    field = page.locator("#draws")
    field.press_sequentially("7")
    expect(page.locator("table.ranks thead")).to_contain_text("within 7 draws")
    expect(page).to_have_url(re.compile("&draws=7$"))
    expect(field).to_be_focused()
    page.keyboard.insert_text("00")  # at once: after a pause, the answer would be to 70 draws
    problem = "700 draws from a wall of 122 tiles, expected 0 to 122"
    expect(page.locator("#draws-problem")).to_have_text(problem)
    expect(page.locator("[data-events]")).to_have_count(0)  # the chances have arrived
    expect(page.locator("#draws-problem")).to_have_text(problem)
    expect(page.locator("table.ranks thead")).to_contain_text("within 7 draws")
    field.press("Backspace")
    field.press("Backspace")
    expect(page.locator(".error")).to_have_count(0)


def test_calls_of_a_game_go_when_another_tile_is_offered(site: Served, visit: Open) -> None:
    page = visit(site, "/?hand=2378m345p6688s11z&offered=4m&calls=234m:9", refusals=True).page
    page.locator("#offered").select_option("8s")
    expect(page).to_have_url(re.compile("offered=8s$"))
    expect(page.locator("table.ranks")).to_contain_text("pong")
    page.locator("#more summary").click()
    page.locator("#calls").press_sequentially("234m:9")
    expect(page.locator("#calls-problem")).to_be_visible()


@pytest.mark.usefixtures("without_search")
def test_keys_typed_anywhere_go_to_the_field(site: Served, visit: Open) -> None:
    page = visit(site).page
    page.locator("main").focus()
    page.keyboard.type("123m55z")
    expect(page.locator("#hand")).to_be_focused()
    expect(page.locator(".hand button")).to_have_count(5)
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    page.keyboard.type("m")
    expect(page.locator(".hand button")).to_have_count(4)
    expect(page.locator("#live")).not_to_be_empty()


@pytest.mark.usefixtures("without_search")
def test_answer_follows_the_text_while_it_is_typed(site: Served, visit: Open) -> None:
    page = visit(site, "/?hand=4569m13445788p2s", refusals=True).page
    before, field = page.evaluate("history.length"), page.locator("#hand")
    field.press("End")
    field.press_sequentially("4")
    expect(page.locator(".slot .error")).to_contain_text("ranks without a suit")
    expect(page.locator("#say")).to_contain_text("3 tiles from a win")  # the last answer stays
    field.press_sequentially("z")
    expect(page.locator("table.ranks tbody tr:not(.reason)")).to_have_count(12)
    expect(field).to_be_focused()
    expect(page).to_have_url(re.compile("hand=4569m13445788p2s4z"))
    assert page.evaluate("history.length") == before
    field.press("Home")
    field.press("Delete")
    field.press_sequentially("1")  # the caret stays where it is
    expect(page).to_have_url(re.compile("hand=1569m13445788p2s4z"))


@pytest.mark.usefixtures("without_search")
def test_chances_that_arrive_late_do_not_undo_a_change_of_the_text(
    site: Served, visit: Open
) -> None:
    page, asked = visit(site).page, list[str]()
    page.add_init_script(MARK_MESSAGES)
    events, held = HeldRequests(page, "**/chances?**"), HeldRequests(page, "**/?hand=1569m*")
    page.goto(f"{site.address}/?hand=4569m13445788p5s2z")
    message = events.first()
    page.on("request", lambda request: asked.append(request.url))
    # At once: a text in between, if its answer came, would close the stream of messages.
    page.locator("#hand").fill("1569m13445788p5s2z")
    answer = held.first()
    message.fulfill(content_type="text/event-stream", body="data: chances\n\n")
    expect(page.locator("html[data-message]")).to_have_count(1)
    answer.continue_()
    expect(page).to_have_url(re.compile("hand=1569m13445788p5s2z"))
    for key in ("Home", "Delete", "3"):
        page.locator("#hand").press(key)
    expect(page).to_have_url(re.compile("hand=3569m13445788p5s2z"))
    assert not [address for address in asked if "/?hand=4569m" in address]


@pytest.mark.usefixtures("without_search")
def test_message_about_an_unfinished_text_stays_when_chances_arrive(
    site: Served, visit: Open
) -> None:
    page = visit(site, refusals=True).page
    events = HeldRequests(page, "**/chances?**")
    page.goto(f"{site.address}/?hand=4569m13445788p3s")
    page.locator("#hand").press("End")
    page.locator("#hand").press_sequentially("4")
    expect(page.locator(".slot .error")).to_contain_text("ranks without a suit")
    page.evaluate("document.querySelector('main').id = 'before'")
    events.first().fulfill(content_type="text/event-stream", body="data: chances\n\n")
    expect(page.locator("#before")).to_have_count(0)
    expect(page.locator("#hand")).to_have_value("4569m13445788p3s4")
    expect(page.locator(".slot .error")).to_contain_text("ranks without a suit")


@pytest.mark.usefixtures("without_search")
def test_enter_submits_a_pasted_hand(site: Served, visit: Open) -> None:
    page = visit(site).page
    page.locator("#hand").fill("4569m13445788p2s4z")
    page.keyboard.press("Enter")
    expect(page.locator("#say")).to_contain_text("3 tiles from a win")
    expect(page.locator("table.ranks tbody tr")).not_to_have_count(0)


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_chances_are_filled_in_without_a_jump(
    serve: Serve, visit: Open, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    may_begin = hold_searches(monkeypatch)
    page = visit(serve(), PAPER, size=size).page
    below = ["#near", "#examples"] if size == WIDE else []
    places = f"""() => {["#say", "#draws", "table.ranks", *below]}.map(
        (each) => document.querySelector(each).getBoundingClientRect().top)"""
    expect(page.locator("table.ranks td").nth(0)).to_have_text("…")
    before = page.evaluate(places)
    may_begin.set()
    expect(page.locator("#pending")).to_have_count(0)
    said = spoken("Discard 4z: wins at least 32.85 % within 18 draws")
    expect(page.locator(".best")).to_contain_text(said)
    assert page.evaluate(places) == before


def test_search_that_ends_without_an_answer_leaves_a_sentence(
    serve: Serve, visit: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def wait(*_: object) -> bool:
        return False

    monkeypatch.setattr(BackgroundAdvice, "wait", wait)
    page = visit(serve(), PAPER).page
    for place in (".best", "#pending"):
        expect(page.locator(place)).to_contain_text("The search has stopped: reload the page")
    expect(page.locator("#live")).to_contain_text("The search has stopped")


def test_answer_is_in_the_first_screen_with_the_same_words(site: Served, visit: Open) -> None:
    visited = visit(site, PAPER + "&wait=1")
    page, words = visited.page, visited.page.locator("#say").inner_text()
    rows = page.locator("table.ranks tbody tr")
    for size in ((1280, 800), NARROW):
        visited.set_screen(size=size, dark=False)
        shown = [page.locator("#say"), page.locator(".best"), rows.nth(0)]
        shown += [rows.nth(7)] if size[0] > 1000 else []
        for part in shown:
            box = part.bounding_box()
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= size[1], part
        assert page.locator("#say").is_visible()
        assert page.locator("#say").inner_text() == words


@pytest.mark.usefixtures("without_search")
@pytest.mark.parametrize("script", [True, False])
def test_phone_shows_the_ranking_below_the_hand(site: Served, visit: Open, script: bool) -> None:
    visited = visit(site, "/?hand=4569m13445788p2s4z", size=(390, 844), script=script)
    header, ranking = visited.boxes("header, table.ranks")
    assert header["height"] < 50
    assert ranking["top"] < 844 * 0.6
    page = visited.page
    draws = page.locator("#draws")
    expect(draws).to_be_hidden()
    page.locator("#options > summary").click()
    draws.fill("7")
    draws.press("Enter")
    expect(page.locator("table.ranks thead")).to_contain_text("within 7 draws")
    expect(draws).to_be_visible(visible=script)  # a page that is loaded again is short


@pytest.mark.usefixtures("without_search")
def test_language_is_chosen_from_the_header(site: Served, visit: Open) -> None:
    page = visit(site, "/?hand=19m", size=NARROW, script=False).page
    page.locator(".language summary").click()
    page.get_by_role("button", name="日本語").click()
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    expect(page).to_have_url(re.compile("hand=19m$"))


def test_row_is_compared_with_the_best_by_a_click(site: Served, visit: Open) -> None:
    page = visit(site, PAPER + "&wait=1").page
    reason = page.locator(".reason")
    expect(reason).to_have_count(0)
    page.locator("table.ranks tbody tr:not(.reason)").nth(4).locator("td.lost").click()
    expect(reason).to_contain_text("it loses about 3.6")
    expect(page).to_have_url(re.compile("compare=discard"))
    expect(page.locator("tr.now + tr.reason")).to_have_count(1)
    page.go_back()
    expect(reason).to_have_count(0)
    page.locator("a.compare").nth(2).focus()
    page.keyboard.press("Enter")
    expect(reason).to_contain_text(spoken("Discard 1p: "))
    assert page.evaluate("document.activeElement.className") == "compare"


def test_row_throws_its_tile_and_keeps_the_tile_set(site: Served, visit: Open) -> None:
    page = visit(site, "/?hand=123456m789p1146s1z&wait=1", refusals=True).page
    row = page.locator("table.ranks tbody tr").filter(has=page.locator('[data-jump="throw-1z"]'))
    mean = row.locator("td").last.inner_text()
    row.get_by_role("link", name="throw east wind").click()
    expect(page.locator("#hand")).to_have_value("123456m789p1146s")
    expect(page.locator(".facts tr").last).to_contain_text(mean)
    expect(page.locator(".seen")).to_contain_text("Seen elsewhere")
    expect(page.locator(".switch b")).to_have_text("136 with honours")
    page.locator(".switch a[href$=m0]").click()
    expect(page.locator("#more .error")).to_contain_text("M0 has no honours")
    expect(page.locator(".slot .error")).to_have_count(0)
    page.go_back()
    expect(page.locator(".switch b")).to_have_text("136 with honours")


@pytest.mark.usefixtures("without_search")
def test_two_readings_are_offered_as_links(site: Served, visit: Open) -> None:
    page = visit(site, refusals=True).page
    page.locator("#hand").fill("B1B2B3")
    expect(page.locator(".slot .error a")).to_have_text(["paper", "botzone"])
    page.locator(".slot .error a").first.click()
    expect(page.locator('.hand button[value="1s"]')).to_have_count(1)
    expect(page.locator("#notation")).to_have_value("paper")


@pytest.mark.usefixtures("without_search")
def test_two_tabs_keep_their_hands(site: Served, visit: Open) -> None:
    first = visit(site, "/?hand=123m")
    second = first.context.new_page()
    second.goto(site.address + "/?hand=55z")
    first.page.locator('.palette button[value="4m"]').click()
    expect(first.page.locator("#hand")).to_have_value("1234m")
    second.locator('.palette button[value="6z"]').click()
    expect(second.locator("#hand")).to_have_value("556z")
    first.page.reload()
    expect(first.page.locator("#hand")).to_have_value("1234m")


@pytest.mark.usefixtures("without_search")
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


@pytest.mark.usefixtures("without_search")
@pytest.mark.parametrize("script", [True, False])
def test_invalid_hands_show_a_one_line_error(site: Served, visit: Open, script: bool) -> None:
    page = visit(site, script=script, refusals=True).page
    for text in BAD if script else BAD[:1]:
        page.goto(site.address + "/")
        page.locator("#hand").fill(text)
        page.get_by_role("button", name="Analyse").click()
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
    page.wait_for_url(re.compile("hand=445m"))
    expect(page.locator("#say")).to_contain_text("tiles from a win")
    if page.get_by_role("link", name="Show the final ranking").count():
        page.get_by_role("link", name="Show the final ranking").click()
    expect(page.locator(".best")).to_contain_text(spoken("Discard 6s: wins at least 43.40 %"))
    page.get_by_role("link", name="Proof", exact=True).click()
    page.get_by_role("button", name="Check the certificate of this hand").click()
    expect(page.locator(".verdict")).to_contain_text("accepted")


@pytest.mark.parametrize("script", [True, False])
def test_hand_is_practised_to_the_end(site: Served, visit: Open, script: bool) -> None:
    page = visit(site, "/?hand=123456m789p1146s1z&draws=4", script=script).page
    page.get_by_role("link", name="Practise this hand").click()
    page.wait_for_url("**/practice?**")
    for throws in range(1, 6):
        page.locator('.hand button[name="throw"]').last.click()
        page.wait_for_url(re.compile(rf"moves=(\w\w){{{throws}}}$"))
        if not page.locator('.hand button[name="throw"]').count():
            break
    expect(page.locator("#say")).to_contain_text(re.compile("You won|used up"))
    rows = page.locator("table.throws tbody tr")
    if script:
        expect(page.locator("#pending")).to_have_count(0)
    elif page.get_by_role("link", name="Show all").count():
        page.get_by_role("link", name="Show all").click()
    expect(rows.nth(0)).to_contain_text(re.compile(r"\d\d\.\d\d\s%"))
    page.get_by_role("link", name="analyse throw 1", exact=True).click()
    expect(page.locator("#hand")).to_have_value("123456m789p1146s1z")


@pytest.mark.usefixtures("without_search")
def test_practice_is_played_by_keyboard(site: Served, visit: Open) -> None:
    page = visit(site, "/practice?hand=123456m789p1146s1z&seed=4").page
    page.locator('.hand button[value="1z"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator(".hand button.drawn")).to_have_count(1)
    assert page.evaluate("document.activeElement.closest('main') !== null")


@pytest.mark.usefixtures("without_search")
def test_certificate_is_downloaded_and_verified(site: Served, visit: Open, tmp_path: Path) -> None:
    page = visit(site, "/proof?hand=4569m13445788p2s4z").page
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


@pytest.mark.usefixtures("without_search")
def test_rules_are_chosen_from_a_list(site: Served, visit: Open) -> None:
    page = visit(site, "/?hand=123456789m12p").page
    rules = page.get_by_label("Rules", exact=True)
    rules.focus()
    page.keyboard.press("T")
    expect(page).to_have_url(re.compile("rules=taiwan"))
    expect(rules).to_be_focused()
    page.get_by_role("textbox", name="Hand").fill("123456789m123p12358s")
    expect(page.locator("#say")).to_have_text("1 tile from a win: five melds and a pair")
    expect(page.locator(".ranks tbody tr:not(.reason)")).to_have_count(17)
