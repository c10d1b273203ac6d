"""The cookie that identifies a browser: its matches belong to it, its queries are limited."""

import re
import secrets
from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE: Final = "mjopt-browser"
NUM_BYTES: Final = 16  # of the random value, and of its digest
VALUE: Final = re.compile(r"[A-Za-z0-9_-]{22}")  # either of them in base 64
YEAR: Final = 365 * 86_400  # seconds


def browser_of(request: Request) -> str:
    """Return the digest of a browser's cookie; empty if it sent none.

    The digest names the owner of a match in addresses and file names, where the cookie itself
    must not appear.
    """
    value = request.cookies.get(COOKIE, "")
    if not VALUE.fullmatch(value):
        return ""
    return urlsafe_b64encode(sha256(value.encode()).digest()[:NUM_BYTES]).decode().rstrip("=")


def set_cookie(
    response: Response, request: Request, name: str, value: str, *, path: str = "/"
) -> None:
    """Set a cookie for a year, for this site only, and for TLS only if the browser uses TLS."""
    headers, scheme = request.headers, request.url.scheme
    is_tls = "https" in (scheme, headers.get("x-forwarded-proto", "").lower())
    response.set_cookie(
        name,
        value,
        max_age=YEAR,
        path=path,
        httponly=True,
        samesite="lax",
        secure=is_tls or headers.get("origin", "").startswith("https://"),
    )


class BrowserMiddleware:
    """ASGI middleware that gives each browser its cookie, with the first page."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and set the cookie unless the browser has sent it."""
        if scope["type"] != "http" or scope["path"].startswith("/static/"):
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        is_new = not browser_of(request)

        async def send_with_cookie(message: Message) -> None:
            # Forms renew the cookie: their origin shows whether the browser uses TLS.
            if message["type"] == "http.response.start" and (is_new or request.method == "POST"):
                value = secrets.token_urlsafe(NUM_BYTES) if is_new else request.cookies[COOKIE]
                only_cookie = Response()
                set_cookie(only_cookie, request, COOKIE, value)
                headers = MutableHeaders(scope=message)
                headers.append("set-cookie", only_cookie.headers["set-cookie"])
            await send(message)

        await self._app(scope, receive, send_with_cookie)
