"""Middleware: security headers, refusal of cross-site requests and large bodies, disconnects.

The Host header is checked by Starlette's ``TrustedHostMiddleware``. Rate limits and slow clients
are left to a reverse proxy: this server is meant for one machine.
"""

import asyncio
from contextlib import suppress
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
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
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
"""Headers of every response that does not set them itself."""

SAFE: Final = ("GET", "HEAD")
MAX_BODY: Final = 1 << 16
"""Largest request body in bytes: a hundred times a filled form."""
MAX_BODY_AT: Final = {"/verify": 1 << 20, "/review": 8_100_000}
"""Larger limits by path: ten times the largest certificate of a hand."""
MAX_DISCARDED: Final = 1 << 30
"""Largest body that is read to its end, since browsers show no answer before they have sent it."""


class SecurityMiddleware:
    """ASGI middleware that sets security headers and refuses unsafe requests.

    A request that may change something (any method but GET and HEAD) must carry an ``Origin``
    header that equals the site it is sent to, so that no other website can post forms here. Other
    sites may link to a page, but not load it into their own, which would cost processor time
    unseen: browsers announce that in the ``Sec-Fetch`` headers.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer 400, 403 or 413."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                # The Back button must not return to an earlier turn of a match.
                is_match = scope["path"].startswith("/play")
                headers.setdefault("cache-control", "no-store" if is_match else "no-cache")
            await send(message)

        headers, app = Headers(scope=scope), self._app
        limit, length = MAX_BODY_AT.get(scope["path"], MAX_BODY), headers.get("content-length", "0")
        if scope["method"] in SAFE:
            is_accepted = _is_own_or_link(headers)
        else:
            receive = _limited(receive, limit, is_refused=_announces_more(length, limit))
            is_accepted = _is_same_origin(headers)
        if "content-length" in headers and "transfer-encoding" in headers:
            # Two lengths: a proxy may take a part of this body for the next request. RFC 9112, 6.3.
            app = PlainTextResponse(
                "Content-Length and Transfer-Encoding exclude each other\n",
                400,
                headers={"connection": "close"},
            )
        elif not is_accepted:
            app = PlainTextResponse("only links and this site's own pages are accepted\n", 403)
        elif _announces_more(length, MAX_DISCARDED):
            app = PlainTextResponse(f"more than {limit} bytes\n", 413)
        await app(scope, receive, send_with_headers)


class DisconnectMiddleware:
    """ASGI middleware that stops answering a GET request when its client has left."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and cancel the answer if the client disconnects."""
        if scope["type"] != "http" or scope["method"] not in SAFE:
            await self._app(scope, receive, send)
            return
        messages = [await receive()]

        async def receive_again() -> Message:
            return messages.pop() if messages else await receive()

        async def disconnect() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass

        answer = asyncio.ensure_future(self._app(scope, receive_again, send))
        left = asyncio.ensure_future(disconnect())
        try:
            await asyncio.wait((answer, left), return_when=asyncio.FIRST_COMPLETED)
        finally:
            left.cancel()
            if not answer.done():
                answer.cancel()
        with suppress(asyncio.CancelledError):
            await answer


def _is_same_origin(headers: Headers) -> bool:
    origin, host = headers.get("origin", "").lower(), headers.get("host", "").lower()
    return origin in (f"http://{host}", f"https://{host}")


def _is_own_or_link(headers: Headers) -> bool:
    """Return whether a GET request comes from this site, its user or a link."""
    if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
        kind = headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest")
        return kind == ("navigate", "document")
    return "origin" not in headers or _is_same_origin(headers)


def _announces_more(content_length: str, limit: int) -> bool:
    is_number = content_length.isascii() and content_length.isdecimal()
    return not is_number or len(content_length) > 20 or int(content_length) > limit


def _limited(receive: Receive, limit: int, *, is_refused: bool) -> Receive:
    """Refuse a body that is or is announced to be too long, after discarding the rest of it."""
    num_bytes = limit + 1 if is_refused else 0

    async def receive_limited() -> Message:
        nonlocal num_bytes
        message = await receive()
        num_bytes += len(message.get("body", b""))
        if num_bytes <= limit:
            return message
        while message.get("more_body") and num_bytes <= MAX_DISCARDED:
            message = await receive()
            num_bytes += len(message.get("body", b""))
        raise HTTPException(413, f"more than {limit} bytes")

    return receive_limited
