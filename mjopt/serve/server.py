"""The server: one process that listens on this machine until it is told to stop."""

import asyncio
import ipaddress
import logging
import signal
import socket
import sys
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any, Final

import uvicorn
from starlette.types import ASGIApp

from mjopt.errors import MjoptError
from mjopt.serve.app_context import Settings
from mjopt.serve.connection import Connection
from mjopt.serve.security_middleware import LOG, LOOPBACK, as_name, split_host

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
SILENT: Final = logging.CRITICAL + 1
LONGEST_HEAD: Final = 1 << 14
"""Bytes of an address and headers together."""


def serve(
    settings: Settings, *, say: Callable[[str], None] = print, open_page: bool = False
) -> None:
    """Serve the site until Ctrl-C or SIGTERM, and leave these to whoever listens to them else.

    Parameters
    ----------
    settings
        How it is served.
    say
        Tells a line: the address, a warning where others can reach it, what went wrong.
    open_page
        Open the address in a browser.

    Raises
    ------
    MjoptError
        If the address cannot be listened on.
    """
    with listen(settings) as listening, _telling(say):
        bound, port = listening.getsockname()[:2]
        where = ipaddress.ip_address(bound.partition("%")[0])
        host = settings.host
        names = names_here(host) if where.is_unspecified else ()
        if where.is_unspecified:  # all addresses of this machine, and none that can be asked for
            host = "127.0.0.1" if where.version == 4 else "::1"
        address = f"http://{as_name(host)}:{port}/"
        if not where.is_loopback:
            say(f"warning: {settings.host} can be reached from other machines, and asks nobody who")
        say(f"serving on {address} (Ctrl-C ends it)")
        if names:
            said = ", ".join(f"http://{name}:{port}/" for name in names)
            say(f"from other machines: {said}")
        if open_page:
            webbrowser.open(address)
        _run(replace(settings, port=port, names=(*settings.names, *names)), listening)


def names_here(host: str) -> tuple[str, ...]:
    """Return what others may call this machine, where it listens at all its addresses.

    The address from which it would reach others, and its name: nothing is sent, and no server
    of names is asked.
    """
    found = []
    family, other = (
        (socket.AF_INET6, "2001:db8::1") if ":" in host else (socket.AF_INET, "192.0.2.1")
    )
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asking:
        asking.connect((other, 9))
        found.append(as_name(asking.getsockname()[0].partition("%")[0]))
    found.append(socket.gethostname().lower())
    known = (*LOOPBACK, "localhost.localdomain")
    return tuple(name for name in found if split_host(name)[0] not in ("", *known))


def make_server(app: ASGIApp) -> uvicorn.Server:
    """Return the server of an application; it leaves signals to whoever runs it."""
    config = uvicorn.Config(
        app,
        loop="asyncio",
        http=Connection,
        ws="none",
        h11_max_incomplete_event_size=LONGEST_HEAD,
        log_config=None,
        log_level=SILENT,  # what is to be told, the guard tells
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    return _Server(config)


def _run(settings: Settings, listening: socket.socket) -> None:
    from mjopt.serve.app import make_app  # the address is told before all of this is loaded

    server = make_server(make_app(settings))

    async def run() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, told: LOG.error(told["message"]))
        await server.serve(sockets=[listening])

    with _stopped_by_signals(server):
        asyncio.run(run())


class _Server(uvicorn.Server):
    """A server that leaves signals alone: raised again inside its loop, they would break it."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@contextmanager
def _stopped_by_signals(server: uvicorn.Server) -> Iterator[None]:
    """Let a signal stop the server, and raise it again once all is closed."""
    caught: list[int] = []

    def stop(which: int, _: Any) -> None:
        server.force_exit = bool(caught)  # the second one does not wait
        server.should_exit = True
        caught.append(which)

    former = {which: signal.getsignal(which) for which in SIGNALS}
    handled = [which for which in SIGNALS if former[which] is not signal.SIG_IGN]
    for which in handled:
        signal.signal(which, stop)
    try:
        yield
    finally:
        for which in handled:
            signal.signal(which, former[which])
    if caught:
        signal.raise_signal(caught[0])


@contextmanager
def _telling(say: Callable[[str], None]) -> Iterator[None]:
    """Tell what is logged of the site."""

    class Telling(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            say(record.getMessage())

    handler = Telling()
    LOG.addHandler(handler)
    try:
        yield
    finally:
        LOG.removeHandler(handler)


def listen(settings: Settings) -> socket.socket:
    """Return a socket that listens at an address, or raise what is wrong with that."""
    host, port = settings.host, settings.port or 0
    # Without the protocol, asyncio lets small answers wait for each other, 40 ms each.
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if sys.platform == "win32":  # there, the other option would let two servers share a port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen()  # whoever comes before all is loaded, waits
    except (OSError, OverflowError, ValueError) as error:
        listening.close()
        told = getattr(error, "strerror", None) or error
        raise MjoptError(f"{host}, port {port}: {told}") from None
    return listening
