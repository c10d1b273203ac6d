"""Serve the site in a thread of the tests on a free port."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import uvicorn
from helpers.waits import LONG
from starlette.applications import Starlette

from mjopt.play.matches.match_store import Matches
from mjopt.play.serve.app import make_app
from mjopt.play.serve.app_context import Settings, Site
from mjopt.play.serve.server import listen, make_server


@dataclass(frozen=True)
class Served:
    """A running site."""

    address: str
    app: Starlette

    @property
    def site(self) -> Site:
        """Return the state shared by its pages."""
        site: Site = self.app.state.site
        return site


@contextmanager
def served(settings: Settings, matches: Matches | None = None) -> Iterator[Served]:
    """Serve a site while the block runs."""
    with listen(replace(settings, port=0)) as listening:
        port = listening.getsockname()[1]
        app = make_app(replace(settings, port=port), matches=matches)
        server = make_server(app)
        thread = threading.Thread(target=_run, args=(server, listening), daemon=True)
        thread.start()
        try:
            yield Served(f"http://127.0.0.1:{port}", app)
        finally:
            server.should_exit = server.force_exit = True
            thread.join(LONG)
            app.state.site.close()  # a forced exit skips it


def _run(server: uvicorn.Server, listening: object) -> None:
    asyncio.run(server.serve(sockets=[listening]))  # type: ignore[list-item]
