"""The application: the pages behind their guard, the files they need, and errors in words."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from threading import Thread
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from mjopt.errors import MjoptError
from mjopt.serve import hand_page, play_page, reports_page, statistics_page, watch_page
from mjopt.serve.analysis import warm
from mjopt.serve.guard import Guard
from mjopt.serve.site import Settings, Site
from mjopt.serve.tiles import sprite

Handler = Callable[[Request, Exception], HTMLResponse]

PAGES: Final = (hand_page, play_page, watch_page, statistics_page, reports_page)
LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")


def make_app(settings: Settings) -> Starlette:
    """Return the application that serves the site.

    Parameters
    ----------
    settings
        How it is served.

    Examples
    --------
    >>> make_app(Settings()).url_path_for("hand")
    '/'
    """
    site = Site(settings)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        Thread(target=warm, name="mjopt-warm", daemon=True).start()
        yield
        site.close()

    routes: list[BaseRoute] = [
        Route("/static/tiles.svg", tiles_svg),
        Mount("/static", StaticFiles(packages=[("mjopt.serve", "static")])),
    ]
    for page in PAGES:
        routes += page.routes(site)
    handlers = {HTTPException: _refused, MjoptError: _bad_input}
    app = Starlette(
        routes=routes,
        middleware=_middleware(settings),
        exception_handlers={kind: partial(tell, site) for kind, tell in handlers.items()},
        lifespan=lifespan,
    )
    app.state.site = site
    return app


def _middleware(settings: Settings) -> Sequence[Middleware]:
    return [
        Middleware(Guard, hosts={*LOOPBACK, settings.host}),
        Middleware(GZipMiddleware, minimum_size=500),
    ]


async def tiles_svg(_: Request) -> Response:
    """Send the pictures of the tiles."""
    return Response(
        sprite(), media_type="image/svg+xml", headers={"cache-control": "public, max-age=86400"}
    )


def _refused(site: Site, _: Request, error: Exception) -> HTMLResponse:
    assert isinstance(error, HTTPException)
    return site.page("error.html", status=error.status_code, title="Not so", message=error.detail)


def _bad_input(site: Site, _: Request, error: Exception) -> HTMLResponse:
    return site.page("error.html", status=400, title="Not so", message=str(error))
