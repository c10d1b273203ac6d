"""Matches in a browser: clicks, keys, the clock, every call and every ending."""

import re
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from helpers.arranged_game import JUNK, NO_5P
from helpers.browsing import hold_searches
from helpers.table_talk import GIVER, Clock, dealt, judge_hand
from play.browser.player import BUTTON, Player
from play.browser.visit import NARROW, SCHEMES, Open, Serve, Visit
from playwright.sync_api import Locator, expect

from mjopt import advise
from mjopt.chances.advice.advise import NORMAL, QUICK
from mjopt.chances.advice.options import Advice
from mjopt.cli.main import execute
from mjopt.play.matches.match_store import Matches
from mjopt.play.serve.background_advice import BackgroundAdvice
from mjopt.play.serve.tiles import spoken

CHOWS = "3467p147m258s123z"
LEFT = "333666m444777s5m"  # discards a 5p that it draws
SHORT = 61  # the seed of a match that takes thirty decisions
RIICHI = 3  # the seed of a match of riichi
OTHERS = {"rules": "m0", "player1": "deficiency", "player2": "l3", "player3": "deficiency"}

Table = Callable[..., Player]

pytestmark = pytest.mark.usefixtures("without_search")  # of the background, also after a hand


@pytest.fixture
def table(serve: Serve, visit: Open) -> Table:
    """Start a match with prepared hands or with seeds."""

    def start(
        *hands: str,
        seed: int | None = None,
        folder: Path | None = None,
        clock: Clock | None = None,
        chosen: dict[str, str] | None = None,
        look: dict[str, Any] | None = None,
        **draws: str,
    ) -> Player:
        more: dict[str, Any] = {"new_seed": lambda: None, "deal": dealt([*hands], **draws)}
        if seed is not None:
            more = {"new_seed": iter(range(seed, seed + 100)).__next__}
        if clock is not None:
            more["clock"] = clock
        site = serve(matches=Matches(folder, **more), games=folder)
        page: Visit = visit(site, "/play", refusals=True, **(look or {}))
        return Player(page).begin(**(chosen or {}))

    return start


def check_records(player: Player, path: Path, hands: int, capsys: Any) -> None:
    """Expect records that `mjopt replay` accepts."""
    player.records(path)
    assert len(path.read_text(encoding="utf-8").splitlines()) == hands
    capsys.readouterr()
    assert execute(["replay", str(path)]) == 0, capsys.readouterr()


def test_complete_match_is_played_by_keys(table: Table, tmp_path: Path, capsys: Any) -> None:
    player = table(seed=SHORT, chosen=OTHERS)
    hands = 1
    while True:
        while not player.is_over():
            move = player.simple()
            # Enter presses the focused button; the others have a key in their label.
            player.type("Enter" if move == player.default() else " ".join(move.replace(" ", "")))
        expect(player.page.locator("#live")).not_to_be_empty()
        player.wait_for_guard()
        if not player.page.get_by_role("button", name="Next hand").count():
            break
        player.type("n")
        hands += 1
    player.says("The match is over")
    check_records(player, tmp_path / "match.txt", hands, capsys)


def test_tile_is_discarded_by_its_keys(table: Table) -> None:
    player = table(JUNK, draws="5p")
    player.type("5 p")
    player.says("You: discarded 5p")


def wait_out(player: Player, clock: Clock) -> None:
    """Advance the clock of the server and of the page."""
    before = player.shown()
    clock.now += 6.5
    player.page.clock.run_for(6500)
    before.wait_for_element_state("hidden")


def on_the_clock(table: Table, clock: Clock, *hands: str, **draws: str) -> Player:
    player = table(*hands, clock=clock, chosen={"seconds": "5"}, **draws)
    player.page.clock.install()
    player.page.reload()
    expect(player.page.locator("#clock")).to_be_visible()
    return player


def test_timeout_on_a_turn_discards_the_drawn_tile(table: Table) -> None:
    clock = Clock()
    player = on_the_clock(table, clock, JUNK, draws="5p")
    assert player.default() == "5p"
    wait_out(player, clock)
    player.says("Time ran out: Discard 5p")
    player.says("You: discarded 5p")
    expect(player.page.locator("#live")).to_contain_text("Time ran out")


def test_chow_is_called_by_keys(table: Table) -> None:
    player = table(CHOWS, "", "", LEFT, draws="9s 1z 1z 5p")
    player.type("9 s")
    assert set(player.offers()) == {"c 3p", "c 4p", "c 5p", "n"}
    expect(player.page.locator(f'{BUTTON}[value="c 4p"]')).to_have_accessible_name(
        "Chow four of dots five of dots six of dots"
    )
    player.type("c 4 p")
    player.says("You: chow 4p, 5p, 6p")


def test_pong_is_called_by_a_click(table: Table) -> None:
    player = table("147m258p369s1277z", GIVER, draws="9s 7z")
    player.click("9s")
    player.click("p")
    player.says("You: pong 7z")


def test_win_shows_an_accessible_result(table: Table) -> None:
    player = table("123456789m123p7z", GIVER, draws="9s 7z")
    player.click("9s")
    player.click("h")
    player.says("won with 7z, discarded by Beginner (South)")
    assert player.page.locator('use[href$="#back"]').count() == 0
    assert player.offers() == []
    found = player.visit.findings()
    player.visit.set_screen(size=NARROW, dark=True)
    assert found + player.visit.findings() == []
    assert player.visit.overflow() == 0


def test_second_answer_to_a_decision_is_refused(table: Table) -> None:
    """Two tabs: after one has answered, the other cannot answer the same decision."""
    player = table(JUNK, draws="5p")
    url = player.page.url
    other = player.visit.context.new_page()
    other.goto(url)
    player.click("5p")
    after = sorted(player.offers())
    other.locator(f'{BUTTON}[value="1m"]').first.click()
    expect(other.locator(".error")).to_contain_text("the game has moved on")
    other.wait_for_load_state()
    assert sorted(str(b.get_attribute("value")) for b in other.locator(BUTTON).all()) == after
    player.page.reload()
    assert sorted(player.offers()) == after


def test_page_is_unchanged_by_reload_and_restart(
    table: Table, serve: Serve, tmp_path: Path
) -> None:
    player = table(seed=5, folder=tmp_path)
    for _ in range(3):
        player.click(player.default())
    offers, path = player.offers(), player.page.url.partition("/play")[2]
    player.page.reload()
    assert player.offers() == offers
    again = serve(games=tmp_path)  # all state of the first server is in its files
    player.page.goto(f"{again.address}/play{path}")
    assert player.offers() == offers
    player.click(player.default())
    player.page.goto(f"{again.address}/play")
    player.page.get_by_role("link", name="Continue").first.click()
    player.page.wait_for_url(f"**{path}")
    assert player.offers()


def test_match_is_playable_without_javascript(table: Table) -> None:
    player = table(seed=SHORT, chosen=OTHERS, look={"script": False})
    for _ in range(5):
        number = player.page.locator('input[name="number"]')
        before = number.input_value()
        player.page.locator(f'{BUTTON}[value="{player.simple()}"]').first.click()
        expect(number).not_to_have_value(before)


def test_match_pages_are_accessible(table: Table) -> None:
    hints = {"hints": "deficiency"}
    player = table("123m456p78s1122z5m", GIVER, draws="9s 7z", chosen=hints)
    player.page.locator(".more summary").evaluate_all("all => all.forEach(one => one.click())")
    player.page.get_by_role("button", name="In detail").click()
    for size in SIZES:
        for dark, rule in SCHEMES.items():
            player.visit.set_screen(size=size, dark=dark)
            assert player.visit.findings(rule) == []
            assert player.visit.overflow() == 0


def test_winning_button_is_in_focus(table: Table) -> None:
    player = table("123456789m123p7z", GIVER, draws="9s 7z")
    player.click("9s")
    win = player.page.get_by_role("button", name="Win red dragon")
    expect(win).to_be_focused()
    assert player.default() == "h"
    player.type("Enter")
    player.says("You (East) won with 7z")


def number(player: Player) -> str:
    return player.page.locator("form.hand input[name=number]").input_value()


def test_clicks_and_keys_are_ignored_after_a_new_decision(table: Table) -> None:
    """The clock of the page stands still, so that the test does not depend on speed."""
    player = table(JUNK, draws="5p")
    page, sent = player.page, list[str]()
    page.on("request", lambda request: sent.append(request.method))
    page.clock.install()
    page.reload()
    page.clock.pause_at("2100-01-01")
    tile = page.locator(f'{BUTTON}[value="1m"]').bounding_box()
    assert tile is not None
    page.mouse.dblclick(tile["x"] + 20, tile["y"] + 30)
    player.says("You: discarded 1m")
    assert number(player) == "1001"
    page.clock.run_for(299)
    page.mouse.click(tile["x"] + 20, tile["y"] + 30)
    page.keyboard.press("Enter")
    assert number(player) == "1001"
    page.clock.run_for(1)
    player.wait_for_guard()
    player.type("4 m")
    assert number(player) == "1002"
    assert sent.count("POST") == 2  # nothing was sent in between


def test_keys_typed_while_moves_are_shown_end_that_and_act(table: Table) -> None:
    """The clock of the page stands still: the moves of the others are shown until the keys."""
    player = table(JUNK, NO_5P, NO_5P, draws="5p 5z 6z 7z", chosen={"pace": "2"})
    page = player.page
    page.emulate_media(reduced_motion="no-preference")
    page.clock.install()
    page.reload()
    page.clock.pause_at("2100-01-01")
    player.click(player.default())
    expect(page.locator(".news li:visible")).to_have_count(1)
    before = player.shown()
    page.keyboard.press("4")
    page.keyboard.press("m")
    expect(page.locator(".now, .later")).to_have_count(0)
    expect(page.locator("form.hand[inert]")).to_have_count(1)
    page.clock.run_for(300)
    before.wait_for_element_state("hidden")
    player.says("You: discarded 4m")


THROWN = ["one of characters", "four of characters", "seven of characters", "two of dots"]


def test_match_is_played_at_full_typing_speed(table: Table) -> None:
    """The keys of all discards are typed at once; none is lost, and no decision is skipped."""
    player = table(JUNK, NO_5P, NO_5P, NO_5P, draws="5p 5z 6z 7z 5p 5z 6z 7z 5p 5z 6z 7z")
    for key in "1m4m7m2p":
        player.page.keyboard.press(key)
    expect(player.page.locator("form.hand input[name=number]")).to_have_value("1004")
    thrown = player.page.locator(".own .river").inner_html()
    assert [words for words in THROWN if words in thrown] == THROWN


def test_letter_after_a_number_is_a_suit(table: Table) -> None:
    player = table("147m258p369s1277z", GIVER, draws="9s 7z")
    player.type("9 s")
    player.wait_for_guard()
    assert player.offers() == ["p", "n"]
    sent = list[str]()
    player.page.on("request", lambda request: sent.append(request.method))
    player.page.keyboard.press("4")
    player.page.keyboard.press("p")
    player.page.keyboard.press("4")
    player.page.keyboard.press("n")
    assert not sent
    player.type("p")
    player.says("You: pong 7z")


def test_hint_is_filled_in_and_marked_when_it_is_known(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    known, asked = dict[str, Advice](), list[tuple[str, "Future[Advice]"]]()

    def submit(_: object, __: object, effort: str = NORMAL, *___: object) -> "Future[Advice]":
        asked.append((effort, Future()))
        return asked[-1][1]

    def find(effort: str) -> None:
        known[effort] = advise("123456m789p1146s1z draws=3", effort=effort)
        for wanted, future in asked:
            if wanted == effort and future.set_running_or_notify_cancel():
                future.set_result(known[effort])

    monkeypatch.setattr(BackgroundAdvice, "submit", submit)
    monkeypatch.setattr(BackgroundAdvice, "known", lambda _, __, effort=NORMAL: known.get(effort))
    player = table("123456m789p1146s", draws="1z", chosen={"hints": "win-chance"})
    page, advice = player.page, player.page.locator("#advice")
    expect(advice).to_contain_text("Searching …")
    assert page.locator(".hand .hint").count() == 0
    page.get_by_role("button", name="In detail").click()
    button = page.locator(f'{BUTTON}[value="1z"]')
    for effort, searching in ((QUICK, 1), (NORMAL, 0)):
        find(effort)
        expect(page.locator(".searching")).to_have_count(searching)
        expect(page.locator("#reasons tbody tr")).to_have_count(len(known[effort].options))
        expect(page.locator("#reasons")).to_be_visible()
        expect(page.locator(".hand .hint")).to_have_count(1)
        expect(button).to_have_accessible_name("discard east wind, just drawn, the hint")
    expect(page.locator("#live")).to_contain_text(spoken("Discard 1z"))


def test_last_discard_is_judged_while_a_button_is_pressed(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stream ends before the button is released: what it has sent is shown then."""
    monkeypatch.undo()  # searches run
    may_begin = hold_searches(monkeypatch)
    player = table("123456m789p1146s", draws="1z", chosen={"hints": "win-chance"})
    player.click("1z")
    page = player.page
    expect(page.locator("#judged")).to_have_text("Searching …")
    page.get_by_role("button", name="In detail").hover()
    page.mouse.down()
    with page.expect_event("requestfinished", lambda request: "/events?" in request.url):
        may_begin.set()
    expect(page.locator("#judged")).to_have_text("Searching …")
    page.mouse.up()
    expect(page.locator("#judged")).to_have_text(spoken("Your last discard, 1z, lost nothing."))
    expect(page.locator("#reasons")).to_be_visible()
    expect(page.locator("[data-events]")).to_have_count(0)
    player.says("wins")


def test_search_that_ends_without_an_answer_leaves_a_sentence(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def wait(*_: object) -> bool:
        return False

    monkeypatch.setattr(BackgroundAdvice, "wait", wait)
    player = table("123456m789p1146s", draws="1z", chosen={"hints": "win-chance"})
    player.says("The search has stopped. Look again")
    expect(player.page.locator("[data-events]")).to_have_count(0)


SIZES = [(1280, 800), (360, 740), (740, 360)]


def boxes(player: Player, size: tuple[int, int]) -> list[dict[str, float]]:
    """Return the places of the hand, the table and the messages."""
    player.visit.set_screen(size=size, dark=False)
    tiles = player.visit.boxes("form.hand button.tile")[:13]
    parts = player.visit.boxes(".middle, .river, .prompt, .calls, form.hand, .board")
    assert len(tiles) == 13
    assert len(parts) > 6
    return tiles + parts


def test_nothing_moves_when_calls_appear(table: Table) -> None:
    """A full hand, then three chows, a hint and the clock."""
    chosen = {"seconds": "15", "hints": "l3"}
    player = table(CHOWS, "", "", LEFT, draws="9s 1z 1z 5p", chosen=chosen, clock=Clock())
    before = [boxes(player, size) for size in SIZES]
    player.click("9s")
    assert player.offers() == ["c 3p", "c 4p", "c 5p", "n"]
    assert [boxes(player, size) for size in SIZES] == before


def test_table_is_visible_without_scrolling(table: Table) -> None:
    player = table(seed=3, chosen={"hints": "deficiency", "player1": "l3"})
    for _ in range(12):
        player.click(player.default())
    for size in SIZES:
        player.visit.set_screen(size=size, dark=True)
        check_table_is_visible(player, size)


def check_table_is_visible(player: Player, size: tuple[int, int]) -> None:
    page, (width, height) = player.page, size
    page.evaluate("scrollTo(0, 0)")
    form = page.locator("form.hand").bounding_box()
    assert form is not None
    assert form["y"] + form["height"] <= height
    tiles = player.visit.boxes(".river .tile, .melds .tile, .seat:not(.own) .holds .tile")
    assert len(tiles) > 3 * 13
    for box in tiles:
        assert box["width"] > 0 < box["height"]
        assert box["x"] >= 0 <= box["y"]
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= form["y"]
    assert player.visit.overflow() == 0
    if size[0] == 1280:
        assert page.evaluate("document.documentElement.scrollHeight") <= height
    else:  # the hand stays at the bottom
        page.evaluate("scrollTo(0, 9999)")
        assert page.locator("form.hand").bounding_box() == form


def test_moves_are_shown_one_after_another(table: Table) -> None:
    player = table(JUNK, NO_5P, NO_5P, draws="5p 5z 6z 7z", chosen={"pace": "2"})
    page = player.page
    page.emulate_media(reduced_motion="no-preference")
    page.clock.install()
    page.reload()
    page.clock.pause_at("2100-01-01")
    shown = page.locator(".news li:visible")
    for skip in ("", "click", "key"):
        player.click(player.default())
        expect(shown).to_have_count(1)
        expect(page.locator(".river .tile:visible")).to_have_count(
            page.locator(".own .river .tile").count() * 4 - 3
        )
        for count in (2, 3):
            page.clock.run_for(1999)
            expect(shown).to_have_count(count - 1)
            page.clock.run_for(1)
            expect(shown).to_have_count(count)
            expect(page.locator(".now")).to_have_count(1)
        if skip == "click":
            page.mouse.click(640, 300)
        elif skip == "key":
            page.keyboard.press("x")
        else:
            page.clock.run_for(2000)
        expect(shown).to_have_count(4)
        expect(page.locator(".now, .later")).to_have_count(0)
        expect(page.locator("form.hand[inert]")).to_have_count(1)
        page.clock.run_for(300)
        expect(page.locator("form.hand[inert]")).to_have_count(0)


def test_hint_focus_hover_and_last_discard_look_different(table: Table) -> None:
    player = table(seed=3, chosen={"hints": "deficiency"})
    player.click(player.default())
    page = player.page
    hinted, last = page.locator(".hand .hint"), page.locator(".river .last")
    expect(hinted).to_have_count(1)
    expect(last).to_have_count(1)
    player.wait_for_guard()  # it moves the focus
    style = """(element, [part, pseudo]) => {
        const found = getComputedStyle(part ? element.querySelector(part) : element, pseudo);
        return [found.outlineStyle, found.outlineColor, found.borderTopColor, found.translate,
                found.transform, found.content].join(" ");
    }"""
    plain = page.locator(".hand button.tile:enabled:not(.hint)").first
    looks = [last.evaluate(style, [None, None]), hinted.evaluate(style, [None, "::before"])]
    page.keyboard.press("Tab")
    looks += [page.locator(":focus").evaluate(style, [None, None])]
    plain.hover()
    looks += [plain.evaluate(style, ["svg", None])]
    assert len(set(looks)) == 4


def open_sheet(table: Table, **look: Any) -> tuple[Player, Locator]:
    """Deal a hand with hints, and open the one in detail by the keyboard."""
    player = table("235566m456p1122z", draws="9s", chosen={"hints": "deficiency"}, look=look)
    sheet = player.page.locator("#reasons")
    expect(sheet).to_be_hidden()
    player.page.get_by_role("button", name="In detail").press("Enter")
    expect(sheet).to_be_visible()
    return player, sheet


def test_hint_in_detail_is_a_sheet_over_the_table(table: Table) -> None:
    player, sheet = open_sheet(table)
    for size in SIZES:
        player.visit.set_screen(size=size, dark=False)
        box = sheet.bounding_box()
        assert box is not None
        assert box["x"] >= 0 <= box["y"]
        assert box["x"] + box["width"] <= size[0]
        assert box["y"] + box["height"] <= size[1]
        tops = sheet.locator("tbody tr").evaluate_all(
            """rows => rows.map(row =>
                [...row.querySelectorAll('.tile')].map(tile => tile.getBoundingClientRect().y))"""
        )
        for row in tops:  # the tiles in one row
            assert max(row) - min(row) < 1
        assert player.visit.findings() == []
    player.page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    for size in SIZES:
        player.visit.set_screen(size=size, dark=False)
        assert player.visit.overflow() == 0


def test_sheet_closes_by_its_button_and_by_a_move(table: Table) -> None:
    player, sheet = open_sheet(table)
    player.page.get_by_role("button", name="Close").click()
    expect(sheet).to_be_hidden()
    player.page.get_by_role("button", name="In detail").click()
    player.page.locator(f'{BUTTON}[value="9s"]').click()
    player.says("You: discarded 9s")
    expect(sheet).to_be_hidden()


def test_sheet_opens_and_closes_without_javascript(table: Table) -> None:
    player, sheet = open_sheet(table, script=False)
    player.page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()


def test_result_stands_beside_the_table(table: Table) -> None:
    """The screen is at its smallest when the result appears and the button is focused."""
    small_first = SIZES[::-1]
    hands = ("123456789m67p11s", "234567m234567s1z")
    player = table(*hands, draws="1z", look={"size": small_first[0]})
    player.click("1z")
    player.says("You too could have won")
    for size in small_first:
        player.visit.set_screen(size=size, dark=False)
        check_result(player, size)


def check_result(player: Player, size: tuple[int, int]) -> None:
    page = player.page
    expect(page.get_by_role("button", name="Next hand")).to_be_focused()
    result = page.locator(".result").bounding_box()
    assert result is not None
    tiles = player.visit.boxes(".board .tile")
    assert len(tiles) == 4 * 13 + 2  # the winning tile is in the river and in the hand
    for box in tiles:
        assert 0 <= box["left"] <= box["right"] <= size[0]
        assert 0 <= box["top"] <= box["bottom"] <= size[1]
        assert box["right"] <= result["x"] or box["bottom"] <= result["y"]
    button = page.get_by_role("button", name="Next hand").bounding_box()
    assert button is not None
    assert button["y"] + button["height"] <= size[1]
    assert player.visit.overflow() == 0
    for dark, rule in SCHEMES.items():
        player.visit.set_screen(size=size, dark=dark)
        assert player.visit.findings(rule) == []


def test_losses_are_filled_in_when_they_are_known(table: Table) -> None:
    """The hand is judged here, and not in the background."""
    player = table("123456789m67p11s", "234567m234567s1z", draws="1z")
    player.click("1z")
    site = player.visit.site.site
    session = site.matches.look(player.page.url.rpartition("/")[2]).session
    hand = site.judged.open(session.match.lines[-1], session.seat)
    assert hand is not None
    judge_hand(hand)
    player.says("Chance to win lost per discard: 0.0 points.")
    expect(player.page.locator("#decisions[data-pending]")).to_have_count(0)
    expect(player.page.get_by_role("button", name="Next hand")).to_be_focused()


def test_match_is_reviewed_by_one_click(table: Table) -> None:
    player = table("123456789m67p11s", "234567m234567s1z", draws="1z")
    player.click("1z")
    player.page.get_by_role("button", name="Review this match").click()
    player.page.wait_for_url(re.compile("/review/"))
    expect(player.page.locator(".board")).to_be_visible()


def test_nineteenth_discard_continues_the_third_row(table: Table) -> None:
    player = table(seed=3)
    player.click(player.default())
    expect(player.page.locator(".own .river li")).to_have_count(1)
    rows = player.page.locator(".own .river").evaluate(
        """river => {
            while (river.children.length < 21) river.append(river.lastElementChild.cloneNode(true));
            return [...river.children].map(tile => Math.round(tile.getBoundingClientRect().y));
        }"""
    )
    assert [rows.count(y) for y in sorted(set(rows))] == [6, 6, 9]


def test_hints_are_off_by_default(table: Table) -> None:
    player = table(JUNK, draws="5p")
    assert player.page.locator(".hint, .advice").count() == 0
    player = table(JUNK, draws="5p", chosen={"hints": "l3"})
    player.says("its weight of 0 is the least")


def test_riichi_match_of_four_rounds_is_played_by_keys(
    table: Table, tmp_path: Path, capsys: Any
) -> None:
    """Round, indicators, points and the value of each win are on the table at every width."""
    pytest.importorskip("jansou")
    experts = {f"player{n}": "deficiency" for n in (1, 2, 3)}
    player = table(seed=RIICHI, chosen={"rules": "riichi", **experts})
    page, hands, rounds, values = player.page, 1, set[str](), 0
    while True:
        while not player.is_over():
            rounds.add(page.locator(".middle .about").inner_text()[:6])
            expect(page.locator(".middle .indicators .tile").first).to_be_visible()
            move = player.simple()
            player.type("Enter" if move == player.default() else " ".join(move.replace(" ", "")))
        values += page.locator(".result .value").count()
        player.wait_for_guard()
        if not page.get_by_role("button", name="Next hand").count():
            break
        player.type("n")
        hands += 1
    assert {"East 1", "East 2", "East 3", "East 4"} <= rounds
    assert values > 1
    player.says("The match is over")
    check_records(player, tmp_path / "match.txt", hands, capsys)
