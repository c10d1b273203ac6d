"""What every page of the site shares: settings, templates, and threads for the work."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any, Final, ParamSpec, TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from mjopt.serve.files import Files
from mjopt.serve.security_middleware import LOG, told
from mjopt.serve.templating import templates

P = ParamSpec("P")
R = TypeVar("R")
Endpoint = Callable[[Request], Awaitable[Response]]

THREADS: Final = 2  # threads that work for the pages: what they wait for most holds no lock
MOST_WAITING: Final = 128  # pieces of work that may wait; whoever comes then is told to come back
NAVIGATION: Final = (
    ("/", "Hand"),
    ("/play", "Play"),
    ("/games", "Watch"),
    ("/statistics", "Statistics"),
    ("/reports", "Reports"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How the site is served.

    Parameters
    ----------
    host, port
        Where it listens; without a port, whoever runs it knows where that is.
    names
        Other names by which it may be called, ``NAME`` or ``NAME:PORT``.
    games
        The folder in which matches are kept, and whose records can be watched.
    reports
        The folder whose studies and battles are shown.

    Examples
    --------
    >>> Settings().host
    '127.0.0.1'
    """

    host: str = "127.0.0.1"
    port: int | None = None
    names: tuple[str, ...] = ()
    games: Path | None = None
    reports: Path | None = None


class Site:
    """The site: what the routes of each page are made with."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="mjopt-serve")
        self._waiting = 0
        self.is_ready = True
        self.files = Files()
        self.templates = templates(navigation=NAVIGATION, static=self.files.address)

    def warm(self, function: Callable[[], object]) -> None:
        """Do in a thread what first answers would wait for; meanwhile the site is not ready."""
        self.is_ready = False

        def run() -> None:
            try:
                function()
            except Exception as error:
                LOG.error(f"warming: {told(error)}")
            self.is_ready = True

        Thread(target=run, daemon=True, name="mjopt-warm").start()

    def render(self, template: str, **context: Any) -> str:
        """Return what a template makes of its context."""
        return self.templates.get_template(template).render(context)

    def page(
        self,
        template: str,
        *,
        status: int = 200,
        here: str = "",
        headers: Mapping[str, str] | None = None,
        **context: Any,
    ) -> HTMLResponse:
        """Return a whole page."""
        return HTMLResponse(self.render(template, here=here, **context), status, headers)

    async def work(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Do what takes longer than a moment in a thread; 503 if too much waits already."""
        if self._waiting >= MOST_WAITING:
            raise HTTPException(503, "too many questions at once: try again in a moment")
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._threads, lambda: function(*args, **kwargs))
        except FileNotFoundError:  # it was there when the folder was listed
            raise HTTPException(404, "what was to be shown is no longer there") from None
        finally:
            self._waiting -= 1

    def endpoint(self, function: Callable[[Request], Response]) -> Endpoint:
        """Return what answers a route by a function that is called in a thread."""

        async def answer(request: Request) -> Response:
            return await self.work(function, request)

        return answer

    def close(self) -> None:
        """Let the threads end."""
        self._threads.shutdown(wait=False, cancel_futures=True)
