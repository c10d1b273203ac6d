"""Browser fixtures: Debian's Chromium, restricted to the local host.

Without Chromium the tests are skipped and the summary reports it;
with ``MJOPT_BROWSER=required`` they fail.
"""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from helpers.browsing import search_nothing, wait_for_searches
from play.browser.served import Served, served
from play.browser.visit import OPTIONS, WIDE, Look, Open, Serve, Visit, chromium_path
from playwright.sync_api import Browser, Error, sync_playwright

from mjopt.play.serve.app_context import Settings


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark all tests of this folder as browser tests."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker("browser")


# Not session-scoped: Playwright's event loop would conflict with those of other test files.
@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Start the browser; skip or fail if it is missing."""
    path = chromium_path()
    missing = pytest.fail if os.environ.get("MJOPT_BROWSER") == "required" else pytest.skip
    if path is None:
        missing("no Chromium found: apt-get install chromium, or MJOPT_CHROMIUM=PATH")
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=path, args=OPTIONS)
        except Error as error:
            missing(f"{path} does not start: {error}")
        yield browser
        browser.close()


@pytest.fixture(scope="module", autouse=True)
def _patient() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        wait_for_searches(patch)
        yield


@pytest.fixture
def without_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out what pages compute in the background: most tests need no advice.

    A review waits for its first answer, so a test of one needs a site of its own.
    """
    search_nothing(monkeypatch)


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Serve a site with the given settings until the test ends."""
    with ExitStack() as running:
        yield lambda matches=None, **settings: running.enter_context(
            served(Settings(**settings), matches)
        )


@pytest.fixture(scope="module")
def site() -> Iterator[Served]:
    """Serve a site with default settings, shared by the tests of a file."""
    with served(Settings()) as running:
        yield running


@pytest.fixture
def visit(chromium: Browser) -> Iterator[Open]:
    """Open pages; any complaint of a page fails the test."""
    visits: list[Visit] = []

    def begin(site: Served, path: str = "/", **how: object) -> Visit:
        visits.append(Visit(chromium, site, **how))  # type: ignore[arg-type]
        visits[-1].goto(path)
        return visits[-1]

    yield begin
    for each in visits:
        each.close()
    assert not [line for each in visits for line in each.complaints]


@pytest.fixture(scope="module")
def shared_visit(chromium: Browser, site: Served) -> Iterator[Visit]:
    """Open a browser context for all pages of a file that are only looked at."""
    visit = Visit(chromium, site, refusals=True)
    yield visit
    visit.close()


@pytest.fixture
def look(shared_visit: Visit) -> Iterator[Look]:
    """Go to pages of the site without a new browser context for each, which takes longer."""
    shared_visit.complaints.clear()

    def go(path: str) -> Visit:
        shared_visit.set_screen(size=WIDE, dark=False)
        shared_visit.goto(path)
        return shared_visit

    yield go
    assert not shared_visit.complaints
