"""The application: the pages behind their guard, the files they need, and errors in words."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from http import HTTPStatus
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import BaseRoute, Route
from starlette.types import Scope

from mjopt.errors import MjoptError
from mjopt.serve import hand_page, play_page, reports_page, statistics_page, watch_page
from mjopt.serve.app_context import Settings, Site
from mjopt.serve.hand_analysis import warm
from mjopt.serve.security_middleware import LOOPBACK, Guard, as_name

Handler = Callable[[Request, Exception], HTMLResponse]

PAGES: Final = (hand_page, play_page, watch_page, statistics_page, reports_page)
WORDS: Final = {404: "there is no page {1}", 405: "{1} does not answer to {0}"}


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
        site.warm(warm)
        yield
        site.close()

    routes: list[BaseRoute] = [Route("/static/{name}", site.files.send)]
    for page in PAGES:
        routes += page.routes(site)
    handlers = {HTTPException: _refused, MjoptError: _bad_input}
    app = Starlette(
        routes=routes,
        middleware=_middleware(site),
        exception_handlers={kind: partial(tell, site) for kind, tell in handlers.items()},
        lifespan=lifespan,
    )
    app.state.site = site
    return app


def _middleware(site: Site) -> Sequence[Middleware]:
    settings = site.settings
    names = (*map(as_name, (*LOOPBACK, settings.host)), *settings.names)
    return [
        Middleware(Guard, names=names, port=settings.port, broken=partial(_broken, site)),
        Middleware(GZipMiddleware, minimum_size=500),
    ]


def _refused(site: Site, request: Request, error: Exception) -> HTMLResponse:
    assert isinstance(error, HTTPException)
    status, message = error.status_code, error.detail
    if message == HTTPStatus(status).phrase:  # nobody found words for it
        message = WORDS.get(status, message).format(request.method, request.url.path[:100])
    title = "No such page" if status == HTTPStatus.NOT_FOUND else "Not so"
    return site.page(
        "error.html", status=status, headers=error.headers, title=title, message=message
    )


def _bad_input(site: Site, _: Request, error: Exception) -> HTMLResponse:
    return site.page("error.html", status=400, title="Not so", message=str(error))


def _broken(site: Site, _: Scope, error: Exception) -> HTMLResponse:
    message = (
        f"something went wrong here ({type(error).__name__}): where mjopt serve was started, "
        "a line says what"
    )
    return site.page("error.html", status=500, title="Our fault", message=message)
