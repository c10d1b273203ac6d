"""A visit to the site: a browser context, its page and its complaints."""

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe
from helpers.waits import LONG, wait_until
from play.browser.served import Served
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    Route,
    expect,
)

AXE = Axe().axe_script
OVERLAPS = Path(__file__).with_name("overlaps.js").read_text(encoding="utf-8")
WIDE, NARROW = (1280, 900), (360, 740)
SCHEMES: dict[bool, str | None] = {False: None, True: "color-contrast"}
"""The rules of axe-core for a light and a dark page: in dark mode only the colours change."""
MILLISECONDS = 1000
expect.set_options(timeout=MILLISECONDS * LONG)

# The first option blocks all hosts but the local one. Root needs the second.
OPTIONS = (
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
)
# The first has no window and needs two thirds of the time.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
REFUSED = re.compile(r"Failed to load resource: the server responded with a status of 4\d\d")


def chromium_path() -> str | None:
    """Return the path of Chromium, or None."""
    return os.environ.get("MJOPT_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


def new_context(browser: Browser, **options: Any) -> BrowserContext:
    """Return a browser context whose actions wait as long as all tests do."""
    context = browser.new_context(**options)
    context.set_default_timeout(MILLISECONDS * LONG)
    return context


class HeldRequests:
    """The requests of a page to some addresses, unanswered until the test answers them."""

    def __init__(self, page: Page, pattern: str) -> None:
        self._page, self._routes = page, list[Route]()
        page.route(pattern, lambda route: self._routes.append(route))  # noqa: PLW0108 - no built-in

    def first(self) -> Route:
        """Wait for the first request. Its event may come after the page has loaded."""
        wait_in(self._page, lambda: self._routes, "nothing is requested")
        return self._routes[0]


def wait_in(page: Page, is_so: Callable[[], object], what: str) -> None:
    """Wait until a condition is true, while the events of the browser are received."""
    wait_until(is_so, what, lambda seconds: page.wait_for_timeout(MILLISECONDS * seconds))


class Visit:
    """A page of the site in a fresh browser context.

    Requests to other hosts, script errors and violations of the security policy are complaints.
    With ``refusals`` error statuses are allowed.
    """

    def __init__(
        self,
        browser: Browser,
        site: Served,
        *,
        size: tuple[int, int] = WIDE,
        dark: bool = False,
        script: bool = True,
        refusals: bool = False,
    ) -> None:
        self.site = site
        self.complaints: list[str] = []
        self._refusals = refusals
        self.context = new_context(
            browser,
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if dark else "light",
            java_script_enabled=script,
            reduced_motion="reduce",
            accept_downloads=True,
        )
        self.context.on("request", self._check_request)
        self.page: Page = self.context.new_page()
        self.page.on("console", self._check_console)
        self.page.on("pageerror", lambda error: self.complaints.append(f"script: {error}"))

    def goto(self, path: str) -> None:
        """Go to a page of the site."""
        self.page.goto(self.site.address + path)

    def close(self) -> None:
        """Close the page and its context."""
        self.context.close()

    def _check_request(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.hostname != "127.0.0.1" and address.scheme not in ("blob", "file"):
            self.complaints.append(f"request to another host: {request.url}")

    def _check_console(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not (self._refusals and REFUSED.match(message.text)):
            self.complaints.append(f"{self.page.url}: {message.text}")

    def set_screen(self, *, size: tuple[int, int], dark: bool) -> None:
        """Show the page with another screen size and colour scheme."""
        self.page.set_viewport_size({"width": size[0], "height": size[1]})
        self.page.emulate_media(color_scheme="dark" if dark else "light")

    def overflow(self) -> int:
        """Return the horizontal overflow of the page in pixels."""
        self.page.wait_for_load_state()
        width: int = self.page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        return width

    def overlaps(self) -> list[str]:
        """Return the boxes that lie on others or cut their text, and the overflow of the page."""
        self.page.wait_for_load_state()  # of its style sheets too
        found: list[str] = self.page.evaluate(OVERLAPS)
        return found

    def boxes(self, selector: str) -> list[dict[str, float]]:
        """Return the places of elements on the screen, by one request for all of them."""
        self.page.wait_for_load_state()
        found: list[dict[str, float]] = self.page.locator(selector).evaluate_all(
            "all => all.map(one => one.getBoundingClientRect().toJSON())"
        )
        return found

    def findings(self, rule: str | None = None) -> list[str]:
        """Return the violations found by axe-core: of one of its rules, or of all."""
        self.page.wait_for_load_state()  # of its style sheets too
        if self.page.evaluate("typeof axe") == "undefined":  # half a megabyte, loaded once per page
            self.page.evaluate(AXE)
        options = {"resultTypes": ["violations"]} | ({"runOnly": rule} if rule else {})
        found: dict[str, Any] = self.page.evaluate("options => axe.run(options)", options)
        return [
            f"{self.page.url}: {broken['id']}: {broken['help']}: {node['html'][:200]}"
            for broken in found["violations"]
            for node in broken["nodes"]
        ]


Serve = Callable[..., Served]
"""Serves a site with some settings, until the test ends."""

Open = Callable[..., Visit]
"""Opens a page of a site; any complaint fails the test."""

Look = Callable[[str], Visit]
"""Goes to a page of the shared site; any complaint fails the test."""
