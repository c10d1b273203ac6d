"""Matches in a browser: clicks, keys, the clock, every call and every ending."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from browser.player import BUTTON, Player
from browser.visit import NARROW, WIDE, Open, Serve, Visit
from helpers.arranged_game import JUNK
from helpers.table_talk import GIVER, Clock, dealt
from playwright.sync_api import expect

from mjopt.cli.main import execute
from mjopt.serve.match_store import Matches

CHOWS = "3467p147m258s123z"
LEFT = "333666m444777s5m"  # discards a 5p that it draws
SHORT = 61  # the seed of a match that takes thirty decisions
OTHERS = {"rules": "m0", "player1": "deficiency", "player2": "l3", "player3": "deficiency"}

Table = Callable[..., Player]


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
        if not player.page.get_by_role("button", name="Next hand").count():
            break
        player.type("n")
        hands += 1
    player.says("The match is over")
    check_records(player, tmp_path / "match.txt", hands, capsys)


def test_tile_is_discarded_by_its_keys(table: Table) -> None:
    player = table(JUNK, draws="5p")
    player.type("5 p")
    player.says("you: throws five of dots")


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
    player.says("Time ran out: throws five of dots")
    player.says("you: throws five of dots")
    expect(player.page.locator("#live")).to_contain_text("Time ran out")


def test_chow_is_called_by_keys(table: Table) -> None:
    player = table(CHOWS, "", "", LEFT, draws="9s 1z 1z 5p")
    player.type("9 s")
    assert set(player.offers()) == {"c 3p", "c 4p", "c 5p", "n"}
    expect(player.page.locator(f'{BUTTON}[value="c 4p"]')).to_have_accessible_name(
        "Chow four of dots five of dots six of dots"
    )
    player.type("c 4 p")
    player.says("you: chow of four of dots, five of dots, six of dots")


def test_pong_is_called_by_a_click(table: Table) -> None:
    player = table("147m258p369s1277z", GIVER, draws="9s 7z")
    player.click("9s")
    player.click("p")
    player.says("you: pong of red dragon")


def test_win_shows_an_accessible_result(table: Table) -> None:
    player = table("123456789m123p7z", GIVER, draws="9s 7z")
    player.click("9s")
    player.click("h")
    player.says("win with red dragon, thrown by l1 (South)")
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
    player.page.get_by_role("link", name="gmjbg against l1, l1, l1").first.click()
    assert player.offers()


def test_match_is_playable_without_javascript(table: Table) -> None:
    player = table(seed=SHORT, chosen=OTHERS, look={"script": False})
    for _ in range(5):
        number = player.page.locator('input[name="number"]')
        before = number.input_value()
        player.page.locator(f'{BUTTON}[value="{player.simple()}"]').first.click()
        expect(number).not_to_have_value(before)


def test_match_pages_are_accessible(table: Table) -> None:
    hints = {"hints": "draws"}
    player = table("123m456p78s1122z5m", GIVER, draws="9s 7z", chosen=hints)
    for size in (WIDE, NARROW):
        player.visit.set_screen(size=size, dark=size == NARROW)
        assert player.visit.findings() == []
        assert player.visit.overflow() == 0


def test_decision_is_visible_on_a_phone_without_scrolling(table: Table) -> None:
    """A full hand, three chows, a pong and the clock are visible without scrolling."""
    hand = "2345566m456p1122z"
    player = table(hand, GIVER, draws="9s 4m", chosen={"seconds": "15", "hints": "l3"})
    player.visit.set_screen(size=(360, 640), dark=False)
    player.page.reload()
    assert len(player.offers()) >= 1
    form = player.page.locator("form.hand").bounding_box()
    assert form is not None
    assert 0 <= form["y"] < form["y"] + form["height"] <= 640
    folded = player.page.locator(".hint details")
    assert player.page.locator(".hint tbody tr:visible").count() == 3
    folded.locator("summary").first.click()
    assert player.page.locator(".hint tbody tr:visible").count() > 3


def test_hints_are_off_by_default(table: Table) -> None:
    player = table(JUNK, draws="5p")
    assert player.page.locator(".hint").count() == 0
    player = table(JUNK, draws="5p", chosen={"hints": "l3"})
    player.says("Hint: l3 would throw")
    player.says("Weight")
