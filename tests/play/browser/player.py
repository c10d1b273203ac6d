"""A test player who plays a match in the browser by clicks or keys."""

import re
from typing import Any

from play.browser.visit import Visit
from playwright.sync_api import ElementHandle, expect

from mjopt.play.serve.tiles import spoken

BUTTON = 'main button[name="move"]'
WITHOUT_TIME = "Object.defineProperty(Event.prototype, 'timeStamp', { get: () => 0 })"
"""On a busy machine the two keys of a tile may be further apart than the page allows."""


class Player:
    """A match on an open page."""

    def __init__(self, visit: Visit) -> None:
        self.visit, self.page = visit, visit.page
        self.page.add_init_script(WITHOUT_TIME)

    def begin(self, *, rules: str = "gmjbg", seconds: str = "none", **fields: str) -> "Player":
        """Configure a match and deal its first hand."""
        page = self.page
        page.locator(f'.rules a[href="?rules={rules}"]').click()
        page.wait_for_url(f"**/play?rules={rules}")  # the choices are made on that page
        page.locator('select[name="seconds"]').select_option(seconds)
        if "pace" in fields:
            page.locator('select[name="pace"]').select_option(fields.pop("pace"))
        for name, value in {"player1": "l1", "player2": "l1", "player3": "l1", **fields}.items():
            page.locator(f'select[name="{name}"]').select_option(value)
        page.get_by_role("button", name="Deal the first hand").click()
        page.wait_for_url(re.compile("/play/.+"))
        return self

    def offers(self) -> list[str]:
        """Return the values of the buttons for the possible moves."""
        self.page.wait_for_load_state()
        found: list[str] = self.page.locator(BUTTON).evaluate_all(
            "all => all.map(button => button.value)"
        )
        return found

    def default(self) -> str:
        """Return the move on timeout: the value of the focused button."""
        return str(self.page.locator(f"{BUTTON}[autofocus]").get_attribute("value"))

    def shown(self) -> ElementHandle:
        """Return the current content element, detached once the page is updated."""
        main = self.page.query_selector("main")
        assert main is not None
        return main

    def wait_for_guard(self) -> None:
        """Wait until clicks and keys are accepted, some time after a new decision."""
        expect(self.page.locator("main form[inert]")).to_have_count(0)

    def click(self, move: str) -> None:
        """Make a move by clicking its button."""
        before = self.shown()
        self.page.locator(f'{BUTTON}[value="{move}"]').first.click()
        before.wait_for_element_state("hidden")

    def type(self, keys: str) -> None:
        """Make a move by typing keys."""
        before = self.shown()
        self.wait_for_guard()
        for key in keys.split():
            self.page.keyboard.press(key)
        before.wait_for_element_state("hidden")

    def is_over(self) -> bool:
        """Return whether the hand has ended."""
        return "is over" in self.page.locator("h1").inner_text()

    def says(self, words: str) -> None:
        """Expect a text on the page, in which pictures of tiles count as their names."""
        expect(self.page.locator("main")).to_contain_text(spoken(words))

    def simple(self) -> str:
        """Return a win or call if one is offered, else the focused move."""
        offers = self.offers()
        for begins in ("h", "k", "p"):
            for move in offers:
                if move.split()[0] == begins:
                    return move
        return self.default()

    def records(self, path: Any) -> None:
        """Download the records of the finished hands."""
        with self.page.expect_download() as started:
            self.page.get_by_role("link", name="Records of the hands so far").click()
        started.value.save_as(path)
