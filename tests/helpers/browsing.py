"""A text browser that plays matches by posting the buttons of a page."""

import asyncio
import html
import re
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future, InvalidStateError
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any, Final

import pytest
from helpers.page_text import in_notation
from helpers.waits import LONG
from starlette.requests import Request
from starlette.testclient import TestClient

from mjopt.chances.advice.options import Advice
from mjopt.play.matches.match_store import Matches
from mjopt.play.serve import decision_page, hand_page, practice_page, puzzles_page, uploaded_review
from mjopt.play.serve.app import make_app
from mjopt.play.serve.app_context import Settings
from mjopt.play.serve.background_advice import BackgroundAdvice
from mjopt.play.serve.browser_cookie import COOKIE, browser_of

HERE = "http://127.0.0.1:8000"
VISITOR: Final = "a" * 22  # value of the cookie
OWNER: Final = browser_of(
    Request({"type": "http", "headers": [(b"cookie", f"{COOKIE}={VISITOR}".encode())]})
)
"""The owner of the matches of that visitor."""

QUIET = {"player1": "l1", "player2": "l1", "player3": "l1", "seconds": "none"}


def search_nothing(patch: pytest.MonkeyPatch) -> None:
    """Start no worker processes and wait for none: no page gets advice that takes long."""
    patch.setattr(BackgroundAdvice, "submit", lambda *_: Future())
    for module in (decision_page, hand_page, practice_page, puzzles_page, uploaded_review):
        patch.setattr(module, "PATIENCE", 0)


def wait_for_searches(patch: pytest.MonkeyPatch) -> None:
    """Let pages that wait for all advice wait longer than 60 s, which a busy machine may need."""
    for module in (hand_page, practice_page, puzzles_page):
        patch.setattr(module, "LONG_PATIENCE", LONG)


def hold_searches(patch: pytest.MonkeyPatch) -> Event:
    """Begin no search before the event that is returned is set."""
    may_begin, submit = Event(), BackgroundAdvice.submit

    def later(advice: BackgroundAdvice, *query: Any) -> "Future[Advice]":
        answer: Future[Advice] = Future()

        def begin() -> None:
            may_begin.wait(LONG)
            try:
                found = submit(advice, *query).result(LONG)
            except CancelledError:
                answer.cancel()
                return
            with suppress(InvalidStateError):  # cancelled meanwhile
                answer.set_result(found)

        Thread(target=begin, daemon=True).start()
        return answer

    patch.setattr(BackgroundAdvice, "submit", later)
    return may_begin


@contextmanager
def browser(folder: Path | None = None, **more: Any) -> Iterator[tuple[TestClient, Matches]]:
    """Yield a client of a site with a cookie, and the site's matches."""
    made = Matches(folder, **more)
    app = make_app(Settings(games=folder), matches=made)
    cookies = {COOKIE: VISITOR}
    with TestClient(app, base_url=HERE, headers={"origin": HERE}, cookies=cookies) as client:
        yield client, made


def start_match(client: TestClient, **choices: str) -> tuple[str, str]:
    """Start a match; return its path and its page."""
    page = client.post("/play", data={**QUIET, **choices})
    assert page.status_code == 200
    return str(page.url).removeprefix(HERE), in_notation(page.text)


def answer(client: TestClient, path: str, text: str, move: str) -> str:
    """Make a move on a page; return the next page."""
    page = client.post(path, data={"number": number(text), "move": move})
    assert page.status_code == 200, page.text
    return in_notation(page.text)


def searched(client: TestClient, path: str) -> tuple[str, list[str]]:
    """Return the page of a match once its searches are done, and what the events filled in."""
    address, *_ = re.findall(r'data-events="([^"]*)"', client.get(path).text)
    stream = client.get(html.unescape(address))
    assert stream.status_code == 200
    events = [
        "\n".join(re.findall(r"^data: ?(.*?)\r?$", event, re.MULTILINE))
        for event in re.split(r"\r?\n\r?\n", in_notation(stream.text))
        if "data:" in event
    ]
    return in_notation(client.get(path).text), events


def buttons(text: str) -> list[str]:
    """Return the move that each button of a page posts."""
    return re.findall(r'<button [^>]*name="move" value="([^"]*)"', text)


def number(text: str) -> str:
    """Return the number of the decision on a page."""
    [found] = set(re.findall(r'name="number" value="(\d+)"', text))
    return found


class Wire:
    """Call the ASGI application directly and return the raw bytes.

    About ten times as fast as the browser above, for tests of thousands of pages.
    """

    def __init__(self, app: Any) -> None:
        self.app, self._loop = app, asyncio.new_event_loop()

    def close(self) -> None:
        """Close the event loop."""
        self._loop.close()

    def ask(self, method: str, path: str, body: bytes = b"") -> tuple[int, bytes]:
        """Return the status, and headers and body as one byte string."""
        return self._loop.run_until_complete(self.visit(path, method=method, body=body))

    async def visit(
        self,
        path: str,
        *,
        method: str = "GET",
        body: bytes = b"",
        cookie: str = VISITOR,
        stays: float | None = None,
    ) -> tuple[int, bytes]:
        """Ask as :meth:`ask`; with a time in seconds, the client leaves after it."""
        sent: list[bytes] = []
        path, _, query = path.partition("?")
        status = 0

        requests = [{"type": "http.request", "body": body}]

        async def receive() -> dict[str, Any]:
            if requests:
                return requests.pop()
            await asyncio.sleep(LONG if stays is None else stays)
            return {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            nonlocal status
            status = message.get("status", status)
            sent.extend(b": ".join(pair) + b"\n" for pair in message.get("headers", ()))
            sent.append(message.get("body", b""))

        host = HERE.removeprefix("http://").encode()
        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "headers": [
                (b"host", host),
                (b"origin", HERE.encode()),
                *([(b"cookie", f"{COOKIE}={cookie}".encode())] if cookie else []),
                (b"content-length", str(len(body)).encode()),
                (b"content-type", b"application/x-www-form-urlencoded"),
            ],
            "client": None,  # no address, so no rate limit
            "server": ("127.0.0.1", 8000),
            "scheme": "http",
            "http_version": "1.1",
            "root_path": "",
        }
        await self.app(scope, receive, send)
        return status, b"".join(sent)
