"""`mjopt serve`: the page, in a browser on this machine."""

from pathlib import Path
from typing import Annotated

from typer import Option

from mjopt._internal.optional_deps import SERVE, need
from mjopt.cli.output import warn
from mjopt.errors import FileError, MjoptError


def command(
    *,
    port: Annotated[int, Option(help="Where to listen; 0 for any port that is free.")] = 8000,
    host: Annotated[
        str, Option(help="Another address than this machine's own: others can then reach it.")
    ] = "127.0.0.1",
    name: Annotated[
        list[str] | None,
        Option(help="Another NAME or NAME:PORT by which it is called; repeatable."),
    ] = None,
    games: Annotated[
        str | None, Option(help="Keep matches there, and watch its records.", metavar="DIR")
    ] = None,
    reports: Annotated[
        str | None, Option(help="Show its studies and battles.", metavar="DIR")
    ] = None,
    open_page: Annotated[bool, Option("--open", help="Open the page in a browser.")] = False,
) -> None:
    """Serve the page until Ctrl-C: look at a hand, play a match, watch a game.

    Example: `mjopt serve --games games --open`
    """
    need(*SERVE, extra="serve")
    from mjopt.serve.app_context import Settings
    from mjopt.serve.security_middleware import split_host
    from mjopt.serve.server import serve

    if not 0 <= port < 65_536:
        raise MjoptError(f"--port {port}, expected 0 to 65535")
    for called in name or ():
        if not split_host(called)[0]:
            raise MjoptError(f"--name {called}, expected NAME or NAME:PORT")
    folders = []
    for option, text in (("--games", games), ("--reports", reports)):
        if text is not None and not Path(text).is_dir():
            raise FileError(f"{option} {text}: no such folder")
        folders.append(None if text is None else Path(text))
    settings = Settings(
        host=host, port=port, names=tuple(name or ()), games=folders[0], reports=folders[1]
    )
    serve(settings, say=warn, open_page=open_page)
