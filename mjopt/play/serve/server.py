"""Run the site with uvicorn until Ctrl-C or SIGTERM."""

import ipaddress
import logging
import signal
import socket
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from types import FrameType
from typing import Final

import uvicorn
from starlette.types import ASGIApp

from mjopt._internal.sanitize import plain
from mjopt.errors import ArgumentError
from mjopt.play.serve.app_context import LOG, LOOPBACK, Settings

SILENT: Final = logging.CRITICAL + 1
MAX_HEAD: Final = 1 << 14  # bytes of a request line and its headers together
MAX_CONNECTIONS: Final = 512  # a process can usually have 1,024 files open


def serve(
    settings: Settings, *, report: Callable[[str], None] = print, open_page: bool = False
) -> None:
    """Serve the site until Ctrl-C or SIGTERM, then raise the signal again.

    Lines are reported: the address, a warning if other machines can connect, errors.
    """
    with listen(settings) as listening, _log_to(report):
        bound, port = listening.getsockname()[:2]
        address = ipaddress.ip_address(bound.partition("%")[0])
        names: tuple[str, ...] = ()
        host = settings.host
        if address.is_unspecified:  # all addresses of this machine
            names = public_names(host)
            host = "127.0.0.1" if address.version == 4 else "::1"
        url = f"http://{_in_url(host)}:{port}/"
        if not address.is_loopback:
            report(f"warning: other machines can connect to {settings.host}, without a password")
        report(f"serving on {url} (Ctrl-C to stop)")
        if names:
            urls = ", ".join(f"http://{_in_url(name)}:{port}/" for name in names)
            report(f"from other machines: {urls}")
        if open_page:
            webbrowser.open(url)
        from mjopt.play.serve.app import make_app  # a slow import: show the address first

        settings = replace(settings, port=port, names=(*settings.names, *names))
        app = make_app(settings, warms_up=True)
        _run(make_server(app), listening)


def _run(server: uvicorn.Server, listening: socket.socket) -> None:
    """Run a server until a signal ends it.

    uvicorn shuts down at SIGINT and SIGTERM and raises them again; so does this at SIGHUP, whose
    exception the event loop would print.
    """
    received: list[int] = []

    def shut_down(number: int, _: FrameType | None) -> None:
        received.append(number)
        server.should_exit = True

    before = signal.getsignal(signal.SIGHUP)
    if before is not signal.SIG_IGN:
        signal.signal(signal.SIGHUP, shut_down)
    try:
        server.run(sockets=[listening])
    finally:
        signal.signal(signal.SIGHUP, before)
        for number in received[:1]:
            signal.raise_signal(number)


def public_names(host: str) -> tuple[str, ...]:
    """Return the address and name by which other machines can reach a server on all addresses.

    The address is the one of the default route. This sends no packet and queries no name server.
    """
    names = []
    family, remote = (
        (socket.AF_INET6, "2001:db8::1") if ":" in host else (socket.AF_INET, "192.0.2.1")
    )
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((remote, 9))
        names.append(probe.getsockname()[0].partition("%")[0])
    names.append(socket.gethostname().lower())
    return tuple(name for name in names if name and name not in LOOPBACK)


def make_server(app: ASGIApp) -> uvicorn.Server:
    """Return the uvicorn server of an application."""
    config = uvicorn.Config(
        app,
        loop="asyncio",
        http="h11",
        ws="none",
        h11_max_incomplete_event_size=MAX_HEAD,
        limit_concurrency=MAX_CONNECTIONS,
        log_config=None,
        log_level=SILENT,  # the application logs its own errors, in one line each
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    return uvicorn.Server(config)


def listen(settings: Settings) -> socket.socket:
    """Return a socket that listens on the address of the settings.

    MjoptError if the address cannot be used.
    """
    host, port = settings.host, settings.port
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family)
    except (OSError, OverflowError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ArgumentError(f"{host}, port {port}: {reason}") from None
    # Accepted sockets inherit this option; without it, small responses are delayed by 40 ms each.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


@contextmanager
def _log_to(report: Callable[[str], None]) -> Iterator[None]:
    """Report log messages of the site and of its event loop, each as a line of text.

    The event loop logs that a client sent bytes that are no HTTP after its answer, with a
    traceback of uvicorn.
    """

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            line, error = (
                record.getMessage().partition("\n")[0],
                record.exc_info and record.exc_info[1],
            )
            report(f"{line} ({plain(repr(error))})" if error else line)

    handler, logs = Handler(), (LOG, logging.getLogger("asyncio"))
    for log in logs:
        log.addHandler(handler)
    try:
        yield
    finally:
        for log in logs:
            log.removeHandler(handler)
