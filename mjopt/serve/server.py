"""The server: one process that listens on this machine until it is told to stop."""

import socket
import webbrowser
from collections.abc import Callable
from contextlib import suppress

import uvicorn

from mjopt.errors import MjoptError
from mjopt.serve.app import LOOPBACK, make_app
from mjopt.serve.site import Settings


def serve(
    settings: Settings, *, say: Callable[[str], None] = print, open_page: bool = False
) -> None:
    """Serve the site until Ctrl-C.

    Parameters
    ----------
    settings
        How it is served.
    say
        Tells a line: the address, and a warning where others can reach it.
    open_page
        Open the address in a browser.

    Raises
    ------
    MjoptError
        If the address cannot be listened on.
    """
    with _listen(settings) as listening:
        port = listening.getsockname()[1]
        name = f"[{settings.host}]" if ":" in settings.host else settings.host
        address = f"http://{name}:{port}/"
        if settings.host not in LOOPBACK:
            say(f"warning: {settings.host} can be reached from other machines")
        say(f"serving on {address} (Ctrl-C ends it)")
        if open_page:
            webbrowser.open(address)
        config = uvicorn.Config(
            make_app(settings),
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=1,
            ws="none",
        )
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[listening])


def _listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listening = socket.socket(family)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((settings.host, settings.port))
    except (OSError, OverflowError) as error:
        listening.close()
        told = getattr(error, "strerror", None) or error
        raise MjoptError(f"{settings.host}, port {settings.port}: {told}") from None
    return listening
