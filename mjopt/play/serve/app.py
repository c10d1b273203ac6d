"""The Starlette application: routes of all pages, middleware, error pages."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from mjopt.errors import MjoptError
from mjopt.play.matches.match_store import Matches
from mjopt.play.serve import (
    daily_page,
    decision_page,
    hand_page,
    play_page,
    position_page,
    practice_page,
    proof_page,
    puzzles_page,
    statistics_page,
    uploaded_review,
    watch_page,
)
from mjopt.play.serve.app_context import LOG, LOOPBACK, Settings, Site
from mjopt.play.serve.browser_cookie import BrowserMiddleware, set_cookie
from mjopt.play.serve.language import COOKIE, LANGUAGES, LanguageMiddleware
from mjopt.play.serve.request_parsing import text_fields
from mjopt.play.serve.security import HEADERS, DisconnectMiddleware, SecurityMiddleware

_FIRST_PAGE: Final = 1.0  # seconds after the start in which only pages are computed
PAGES: Final = (
    hand_page,
    proof_page,
    practice_page,
    puzzles_page,
    daily_page,
    position_page,
    play_page,
    watch_page,
    uploaded_review,
    decision_page,
    statistics_page,
)


def make_app(
    settings: Settings, *, matches: Matches | None = None, warms_up: bool = False
) -> Starlette:
    """Return the application that serves the site; it may warm up in the background."""
    site = Site(settings, matches)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        if warms_up:
            asyncio.get_running_loop().call_later(_FIRST_PAGE, site.advice.warm_up)
        yield
        site.close()

    def http_error(request: Request, error: Exception) -> HTMLResponse:
        assert isinstance(error, HTTPException)
        status, message = error.status_code, error.detail
        path = request.url.path[:100]
        if message == HTTPStatus(status).phrase:  # raised by Starlette, not by a page
            default = {404: f"there is no page {path}", 405: f"{path} accepts no {request.method}"}
            message = default.get(status, message)
        title = "Page not found" if status == HTTPStatus.NOT_FOUND else "Error"
        return site.page(
            "error.html", status=status, headers=error.headers, title=title, message=message
        )

    def bad_input(_: Request, error: Exception) -> HTMLResponse:
        return site.page("error.html", status=400, title="Error", message=str(error))

    def internal_error(request: Request, error: Exception) -> HTMLResponse:
        if not isinstance(error, ClientDisconnect):
            LOG.error(f"{request.method} {request.url.path}: {describe_error(error)}")
        message = (
            f"internal error ({type(error).__name__}): the terminal that runs mjopt serve "
            "shows the details"
        )
        return site.page(
            "error.html", status=500, headers=HEADERS, title="Internal error", message=message
        )

    routes: list[BaseRoute] = [
        Mount("/static", StaticFiles(packages=[("mjopt.play.serve", "static")])),
        Route("/language", change_language, methods=["POST"]),
    ]
    for page in PAGES:
        routes += page.routes(site)
    names = (*LOOPBACK, settings.host, *settings.names)
    hosts = [f"[{name}]" if ":" in name else name for name in names]
    app = Starlette(
        routes=routes,
        middleware=[
            Middleware(SecurityMiddleware),
            Middleware(TrustedHostMiddleware, allowed_hosts=hosts, www_redirect=False),
            Middleware(GZipMiddleware, minimum_size=500),
            Middleware(LanguageMiddleware),
            Middleware(BrowserMiddleware),
            Middleware(DisconnectMiddleware),
        ],
        exception_handlers={
            HTTPException: http_error,
            MjoptError: bad_input,
            Exception: internal_error,
        },
        lifespan=lifespan,
    )
    app.state.site = site
    return app


async def change_language(request: Request) -> Response:
    """Store the chosen language in a cookie, and return to the page with the form."""
    chosen = (await text_fields(request)).get("language", "")
    if chosen not in LANGUAGES:
        raise HTTPException(
            400, f"no language of that name, expected one of {', '.join(LANGUAGES)}"
        )
    page = urlsplit(request.headers.get("referer", ""))
    is_ours = page.netloc == request.headers["host"] and page.path.startswith("/")
    back = page._replace(scheme="", netloc="", path=f"/{page.path.lstrip('/')}", fragment="")
    response = RedirectResponse(back.geturl() if is_ours else "/", 303)
    set_cookie(response, request, COOKIE, chosen)
    return response


def describe_error(error: Exception) -> str:
    """Return type, message and origin of an unexpected error in one line."""
    while isinstance(error, ExceptionGroup):  # raised by the task group of a streamed response
        error = error.exceptions[0]
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    origin = f" ({trace.tb_frame.f_code.co_filename}:{trace.tb_lineno})" if trace else ""
    return f"{type(error).__name__}: {' '.join(str(error).split())}{origin}"
