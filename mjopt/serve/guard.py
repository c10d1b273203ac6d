"""What stands before every page: who may ask, how much, and what a browser may do with it."""

from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS: Final = {
    "content-security-policy": "default-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'; object-src 'none'",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
"""Sent with every answer that does not say otherwise."""

MOST_BYTES: Final = 1 << 20
"""Of what is posted: the largest certificate that a hand has is a tenth of it."""

SAFE: Final = ("GET", "HEAD")


class Guard:
    """ASGI middleware that refuses before a page is asked.

    Parameters
    ----------
    app
        What it guards.
    hosts
        Names by which the site may be called, without a port. A page elsewhere whose name
        is made to point here is thus no way in.
    """

    def __init__(self, app: ASGIApp, *, hosts: Iterable[str]) -> None:
        self._app = app
        self._hosts = frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                sent = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    sent.setdefault(name, value)
            await send(message)

        refused = self._refusal(scope["method"], Headers(scope=scope))
        app = self._app if refused is None else PlainTextResponse(refused[1] + "\n", refused[0])
        await app(scope, _bounded(receive), send_guarded)

    def _refusal(self, method: str, headers: Headers) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if _name(f"//{host}") not in self._hosts:
            return 400, "this site is not served under that name"
        if method not in SAFE:
            if method != "POST":
                return 405, "only GET and POST are answered"
            origin = headers.get("origin", "")
            if urlsplit(origin).netloc.lower() != host.lower():
                return 403, "forms are taken from this site's own pages only"
            length = headers.get("content-length", "0")
            if not length.isdecimal() or int(length) > MOST_BYTES:
                return 413, f"more than {MOST_BYTES} bytes"
        return None


def _name(address: str) -> str | None:
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None


def _bounded(receive: Receive) -> Receive:
    """Stop reading a body that was not announced, or is longer than announced."""
    read = 0

    async def receive_bounded() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if read > MOST_BYTES:
            return {"type": "http.disconnect"}
        return message

    return receive_bounded
