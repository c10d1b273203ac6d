"""`mjopt serve`: serve the page for a local browser."""

import re
from pathlib import Path
from typing import Annotated

from typer import Option

from mjopt._internal.optional_deps import PLAY, need
from mjopt.cli.output import warn
from mjopt.errors import ArgumentError, FileError


def command(
    *,
    port: Annotated[int, Option(help="Port to listen on; 0 for any free port.")] = 8000,
    host: Annotated[
        str,
        Option(
            help="Address to listen on: others can connect unless it is 127.0.0.1. Other host "
            "names of this server, as a proxy has, follow after commas.",
            metavar="ADDRESS[,NAME...]",
        ),
    ] = "127.0.0.1",
    games: Annotated[
        str | None,
        Option(help="Folder of matches and game records.", metavar="DIR"),
    ] = None,
    open_page: Annotated[bool, Option("--open", help="Open the page in a browser.")] = False,
) -> None:
    """Serve the page until Ctrl-C: analyse a hand, play a match, watch a game.

    Example: `mjopt serve --games games --open`
    """
    need(*PLAY, extra="play")
    from mjopt.play.serve.app_context import Settings
    from mjopt.play.serve.server import serve

    if not 0 <= port < 65_536:
        raise ArgumentError(argument="--port", value=str(port), expected="0 to 65535")
    address, *names = (name.strip() for name in host.split(","))
    for name in names:
        if not re.fullmatch(r"[A-Za-z0-9_.-]+", name):
            raise ArgumentError(argument="--host", value=host, expected=f"host names, not {name!r}")
    folder = None if games is None else Path(games)
    if folder is not None and not folder.is_dir():
        raise FileError(f"--games {games}: no such folder")
    settings = Settings(host=address, port=port, names=tuple(names), games=folder)
    serve(settings, report=warn, open_page=open_page)
