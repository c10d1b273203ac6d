"""Every page passes axe-core, has no box on another and loads nothing from third parties."""

import pytest
from play.browser.visit import NARROW, SCHEMES, WIDE, Look

PAGES = (
    "/",
    "/proof",
    "/practice?seed=1",
    "/puzzles",
    "/daily",
    "/play/from?hand=23m67p44s1z&melds=345m,777z&seen=1122334455667s&draws=5",
    "/play",
    "/games",
    "/review",
    "/statistics",
    "/decision?hand=22557m234p34789s3z&draws=6&thrown=3z",
    "/nothing",
)


@pytest.mark.usefixtures("without_search")
@pytest.mark.parametrize("path", PAGES)
def test_page_is_accessible_and_self_contained(look: Look, path: str) -> None:
    page = look(path)
    found = []
    for size in (WIDE, NARROW):
        for dark, rule in SCHEMES.items():
            page.set_screen(size=size, dark=dark)
            found += [f"{size[0]} px, dark: {dark}: {line}" for line in page.findings(rule)]
        found += [f"{size[0]} px: {line}" for line in page.overlaps()]
    assert found == []
