"""No box lies on another and no text is cut, in all languages and on screens of all widths."""

from collections.abc import Iterator

import pytest
from helpers.short_log import THREE_PLAYERS
from play.browser.player import Player
from play.browser.served import served
from play.browser.visit import Visit
from playwright.sync_api import Browser

from mjopt.chances.advice.position import Position
from mjopt.play.matches.match_store import Matches
from mjopt.play.puzzles.puzzle import shipped_puzzles
from mjopt.play.serve.app_context import Settings
from mjopt.play.serve.hand_form import form_address, position_address
from mjopt.play.serve.hand_page import EXAMPLES
from mjopt.play.serve.language import LANGUAGES

WIDTHS = (320, 360, 390, 480, 600, 740, 768, 900, 1024, 1280, 1440, 1920)
HEIGHT = 900
SEED, MOVES = 3, 5
PUZZLE = Position.parse(next(iter(shipped_puzzles())))
TILE = PUZZLE.hand.tiles.names[
    next(kind for kind, copies in enumerate(PUZZLE.hand.counts) if copies)
]
Pages = tuple[Visit, dict[str, str]]
DRAWS = "&draws=3&wait=1"  # few, so that all chances are known soon


@pytest.fixture(scope="module")
def pages(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pages]:
    """Serve a site with a match and a review; yield a visit, and the address of each page."""
    log = tmp_path_factory.mktemp("layout") / "three.json"
    log.write_text(THREE_PLAYERS)
    with served(Settings(), Matches(new_seed=lambda: SEED)) as site:
        visit = Visit(chromium, site)
        addresses = {name: form_address(form) + DRAWS for name, form in EXAMPLES}
        addresses["decision"] = position_address(PUZZLE, "/decision", thrown=TILE, throw=TILE)
        addresses["puzzle"] = position_address(PUZZLE, "/puzzles/position")
        for rules in ("gmjbg", "riichi"):
            visit.goto("/play")
            player = Player(visit).begin(rules=rules, hints="none")
            for _ in range(MOVES):
                player.click(player.simple())
            addresses[f"match of {rules}"] = visit.page.url.removeprefix(site.address)
        visit.goto("/review")
        visit.page.set_input_files("#log", log)
        visit.page.get_by_role("button", name="Review").click()
        visit.page.wait_for_url("**/review/*")
        addresses["review"] = visit.page.url.removeprefix(site.address)
        yield visit, addresses
        visit.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_box_lies_on_another(pages: Pages, language: str) -> None:
    visit, addresses = pages
    visit.context.add_cookies([{"name": "language", "value": language, "url": visit.site.address}])
    found = []
    for name, address in addresses.items():
        visit.goto(address)
        for width in WIDTHS:
            visit.page.set_viewport_size({"width": width, "height": HEIGHT})
            found += [f"{name}, {width} px: {line}" for line in visit.overlaps()]
    assert found == []
