"""Screenshots for the docs: ``PYTHONPATH=tests python -m play.browser.pictures FOLDER``."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from helpers.watched_games import record
from play.browser.player import Player
from play.browser.served import served
from play.browser.visit import OPTIONS, Visit, chromium_path
from playwright.sync_api import Browser, Page, expect, sync_playwright

from mjopt.play.matches.match_store import Matches
from mjopt.play.serve.app_context import Settings

MOST_BYTES = 120_000
HAND = "/?hand=445m34677p2346s55z&wait=1"
SEED, MOVES = 3, 5
STEP = 30
JUDGED = 900_000  # milliseconds: a game is judged by chance, which takes minutes
LOG = Path(__file__).parents[2] / "data" / "logs" / "tenhou-mjlog" / "game-01.mjlog"


def main(folder: Path) -> None:
    """Write screenshots of a hand, a match, a replay and a review."""
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright, TemporaryDirectory() as games:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=OPTIONS)
        (Path(games) / "games.txt").write_text(record("gmjbg", 0) + "\n", encoding="utf-8")
        with served(Settings(), Matches(new_seed=lambda: SEED)) as site:
            visit = Visit(browser, site)
            visit.goto(HAND)
            keep(browser, visit.page, folder / "hand.webp")
            visit.goto("/play")
            player = Player(visit).begin(
                player1="l1", player2="l2", player3="l3", hints="win-chance"
            )
            moves = 0
            while moves < MOVES or "n" not in player.offers():
                player.click(player.simple())
                moves += 1
            keep(browser, visit.page, folder / "play.webp")
        with served(Settings(games=Path(games))) as site:
            visit = Visit(browser, site)
            visit.goto("/games")
            for _ in range(2):
                visit.page.locator('main a[href^="/games/"]').first.click()
                visit.page.wait_for_load_state()
            visit.page.goto(f"{visit.page.url}?step={STEP}")
            keep(browser, visit.page, folder / "watch.webp")
            visit.goto("/review")
            visit.page.locator("#log").set_input_files(LOG)
            visit.page.get_by_role("button", name="Review").click()
            expect(visit.page.locator("#judging")).to_be_hidden(timeout=JUDGED)
            visit.page.locator(".costly a").first.click()
            visit.page.wait_for_url("**step=*")
            visit.page.evaluate("scrollTo(0, 0)")
            keep(browser, visit.page, folder / "review.webp")
        browser.close()


def keep(browser: Browser, page: Page, path: Path) -> None:
    """Write a screenshot as WebP, encoded by the browser."""
    shot = page.screenshot(type="png")
    blank = browser.new_context().new_page()
    blank.route("http://127.0.0.1/shot.png", lambda route: route.fulfill(body=shot))
    blank.route("http://127.0.0.1/", lambda route: route.fulfill(body="", content_type="text/html"))
    blank.goto("http://127.0.0.1/")
    text = blank.evaluate(
        """async () => {
            const blob = await (await fetch("/shot.png")).blob();
            const bits = await createImageBitmap(blob);
            const canvas = new OffscreenCanvas(bits.width, bits.height);
            canvas.getContext("2d").drawImage(bits, 0, 0);
            const packed = await canvas.convertToBlob({ type: "image/webp", quality: 0.8 });
            return [...new Uint8Array(await packed.arrayBuffer())];
        }"""
    )
    blank.context.close()
    content = bytes(text)
    assert len(content) < MOST_BYTES, f"{path}: {len(content)} bytes"
    path.write_bytes(content)
    print(f"{path}: {len(content)} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
