"""What stands before every page: who may ask, how much, and what a browser may do with it."""

import logging
import re
from collections.abc import Awaitable, Callable, Iterable
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mjopt.serve.rate import Rate, read_address

LOG: Final = logging.getLogger("mjopt.serve")

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
"""Sent with every answer that does not say otherwise."""

MOST_BYTES: Final = 1 << 20
"""Of what is posted: the largest certificate that a hand has is a tenth of it."""

LONGEST_ADDRESS: Final = 1 << 13

SAFE: Final = ("GET", "HEAD")
LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
HOST: Final = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::([0-9]{1,5}))?")

Broken = Callable[[Scope, Exception], Response]
Refusal = tuple[int, str, dict[str, str]]


class Guard:
    """ASGI middleware that refuses before a page is asked, and answers when a page breaks.

    Parameters
    ----------
    app
        What it guards.
    names
        Names by which the site may be called, ``NAME`` or ``NAME:PORT``. A page elsewhere
        whose name is made to point here is thus no way in. The address itself at which a
        request arrives is such a name too.
    port
        The port of names without one; None where any will do. The names of one's own machine
        are good with any, since a port may be forwarded, and nobody else can be called so;
        forms must still come from a page of the very same name and port.
    broken
        Makes the page that says that something went wrong here.
    rate
        How often each address may ask.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        names: Iterable[str],
        broken: Broken,
        port: int | None = None,
        rate: Rate | None = None,
    ) -> None:
        self._app = app
        self._names = {split_host(name) for name in names}
        self._port = port
        self._broken = broken
        self._rate = Rate() if rate is None else rate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        has_started = False

        async def send_guarded(message: Message) -> None:
            nonlocal has_started
            if message["type"] == "http.response.start":
                has_started = True
                sent = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    sent.setdefault(name, value)
                # A turn that is over must not come back with the Back button.
                is_match = scope["path"].startswith("/play")
                sent.setdefault("cache-control", "no-store" if is_match else "private")
            await send(message)

        if refused := self._refusal(scope):
            status, why, headers = refused
            await PlainTextResponse(why + "\n", status, headers)(scope, receive, send_guarded)
            return
        try:
            await self._app(scope, _bounded(receive), send_guarded)
        except ClientDisconnect:  # nobody waits for what could be said
            pass
        except Exception as error:
            LOG.error(f"{scope['method']} {scope['path']}: {told(error)}")
            if has_started:
                raise  # half an answer: the connection is cut, so that it does not look whole
            await self._broken(scope, error)(scope, receive, send_guarded)

    def _refusal(self, scope: Scope) -> Refusal | None:  # noqa: PLR0911 - one line each
        headers = Headers(scope=scope)
        method, host = scope["method"], headers.get("host", "").lower()
        if not self._is_ours(host, scope):
            return 400, "this site is not served under that name (mjopt serve --name NAME)", {}
        if not self._rate.takes(scope.get("client")):
            return 429, "too many requests: try again in a moment", {"retry-after": "1"}
        if len(scope["path"]) + len(scope["query_string"]) > LONGEST_ADDRESS:
            return 414, f"an address of more than {LONGEST_ADDRESS} bytes", {}
        from_where = headers.get("sec-fetch-site", "")
        if method in SAFE:
            is_part = headers.get("sec-fetch-mode", "navigate") != "navigate"
            if is_part and from_where in ("cross-site", "same-site"):
                return 403, "pages elsewhere may link here, and load nothing from here", {}
            return None
        if method != "POST":
            return 405, "only GET, HEAD and POST are answered", {"allow": "GET, HEAD, POST"}
        origins = (f"http://{host}", f"https://{host}")
        if headers.get("origin", "").lower() not in origins or from_where not in (
            "",
            "same-origin",
        ):
            return 403, "forms are taken from this site's own pages only", {}
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:20]) > MOST_BYTES:
            return 413, f"more than {MOST_BYTES} bytes", {}
        return None

    def _is_ours(self, host: str, scope: Scope) -> bool:
        name, port = split_host(host)
        if name in LOOPBACK and (name, None) in self._names:
            return True
        port = port or 80
        if not name or (name, port) in self._names:
            return bool(name)
        arrived = read_address(scope.get("server"))
        is_ours = (name, None) in self._names or (arrived is not None and name == str(arrived))
        return is_ours and self._port in (None, port)


def split_host(host: str) -> tuple[str, int | None]:
    """Return name and port of what a browser calls a site; an empty name where it is none.

    Examples
    --------
    >>> split_host("localhost:8000"), split_host("[::1]"), split_host("me@localhost")
    (('localhost', 8000), ('::1', None), ('', None))
    """
    found = HOST.fullmatch(host.lower())
    if found is None:
        return "", None
    return found[1].strip("[]"), int(found[2]) if found[2] else None


def as_name(host: str) -> str:
    """Write an address as an address of the web has it."""
    return f"[{host}]" if ":" in host else host


def told(error: Exception) -> str:
    """Say in one line what broke, and where."""
    while isinstance(error, ExceptionGroup):  # what a stream's tasks make of it
        error = error.exceptions[0]
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = f" ({trace.tb_frame.f_code.co_filename}:{trace.tb_lineno})" if trace else ""
    return f"{type(error).__name__}: {' '.join(str(error).split())}{where}"


def _bounded(receive: Receive) -> Callable[[], Awaitable[Message]]:
    """Refuse to read on where a body is longer than it may be, whatever was announced."""
    read = 0

    async def receive_bounded() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if read > MOST_BYTES:
            raise HTTPException(413, f"more than {MOST_BYTES} bytes")
        return message

    return receive_bounded
