"""Security headers, same-origin forms, and a limit on request bodies.

The Host header is checked by Starlette's ``TrustedHostMiddleware``. Rate limits and slow clients
are left to a reverse proxy: this server is meant for one machine.
"""

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

MAX_BODY: Final = 1 << 16
"""Largest request body in bytes: a hundred times a filled form."""
MAX_BODY_AT: Final = {"/verify": 1 << 20, "/review": 8_100_000}
"""Larger limits by path: ten times the largest certificate of a hand."""


class SecurityMiddleware:
    """ASGI middleware that sets security headers and refuses unsafe requests.

    A request that may change something (any method but GET and HEAD) must carry an ``Origin``
    header that equals the site it is sent to, so that no other website can post forms here.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer 403 or 413."""
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
        limit = MAX_BODY_AT.get(scope["path"], MAX_BODY)
        if scope["method"] not in ("GET", "HEAD") and not _is_same_origin(headers):
            app = PlainTextResponse("forms are accepted from this site's own pages only\n", 403)
        elif _announces_more(headers.get("content-length", "0"), limit):
            app = PlainTextResponse(f"more than {limit} bytes\n", 413)
        await app(scope, _limited(receive, limit), send_with_headers)


def _is_same_origin(headers: Headers) -> bool:
    origin, host = headers.get("origin", "").lower(), headers.get("host", "").lower()
    return origin in (f"http://{host}", f"https://{host}")


def _announces_more(content_length: str, limit: int) -> bool:
    is_number = content_length.isascii() and content_length.isdecimal()
    return not is_number or len(content_length) > 20 or int(content_length) > limit


def _limited(receive: Receive, limit: int) -> Receive:
    """Stop reading a body that is longer than allowed, whatever its announced length."""
    num_bytes = 0

    async def receive_limited() -> Message:
        nonlocal num_bytes
        message = await receive()
        num_bytes += len(message.get("body", b""))
        if num_bytes > limit:
            raise HTTPException(413, f"more than {limit} bytes")
        return message

    return receive_limited
