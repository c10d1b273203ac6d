"""Somebody who looks at the site: a browser's context and page, and what they complain about."""

import os
import re
import shutil
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe
from browser.served import Served
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, expect

AXE = Axe().axe_script
WIDE, NARROW = (1280, 900), (360, 740)
LONG = 60_000  # milliseconds: nothing here is about how fast the machine is
expect.set_options(timeout=LONG)

# Nothing but this machine has an address: the pages need no other. Root needs the second.
OPTIONS = (
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
)
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
REFUSED = re.compile(r"Failed to load resource: the server responded with a status of 4\d\d")


def chromium_path() -> str | None:
    """Return where Chromium is, or None."""
    told = os.environ.get("MJOPT_CHROMIUM")
    return told or next(filter(None, map(shutil.which, NAMES)), None)


class Visit:
    """A page of the site in a browser that has never been there.

    Every request to elsewhere, error of a script and breach of the site's policy is a complaint.
    With ``refusals`` pages may be refused in the course of it.
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
        self.context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if dark else "light",
            java_script_enabled=script,
            reduced_motion="reduce",
            accept_downloads=True,
        )
        self.context.set_default_timeout(LONG)
        self.context.on("request", self._look_at)
        self.page: Page = self.context.new_page()
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.complaints.append(f"script: {error}"))

    def goto(self, path: str) -> None:
        """Go to a page of the site."""
        self.page.goto(self.site.address + path)

    def close(self) -> None:
        """Leave."""
        self.context.close()

    def _look_at(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.hostname != "127.0.0.1" and address.scheme not in ("blob", "file"):
            self.complaints.append(f"asks elsewhere: {request.url}")

    def _hear(self, said: ConsoleMessage) -> None:
        if said.type == "error" and not (self._refusals and REFUSED.match(said.text)):
            self.complaints.append(f"{self.page.url}: {said.text}")

    def look(self, *, size: tuple[int, int], dark: bool) -> None:
        """Look at the same page on another screen."""
        self.page.set_viewport_size({"width": size[0], "height": size[1]})
        self.page.emulate_media(color_scheme="dark" if dark else "light")

    def overflow(self) -> int:
        """Return how far the page goes beyond the screen's right edge, in pixels."""
        width: int = self.page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        return width

    def findings(self) -> list[str]:
        """Return what axe-core finds."""
        if self.page.evaluate("typeof axe") == "undefined":  # half a megabyte, once a page
            self.page.evaluate(AXE)
        found: dict[str, Any] = self.page.evaluate("axe.run({ resultTypes: ['violations'] })")
        return [
            f"{self.page.url}: {rule['id']}: {rule['help']}: {node['html'][:200]}"
            for rule in found["violations"]
            for node in rule["nodes"]
        ]


Serve = Callable[..., Served]
"""Serves a site with some settings, until the test ends."""

Open = Callable[..., Visit]
"""Opens a page of a site; what it complains about fails the test."""
