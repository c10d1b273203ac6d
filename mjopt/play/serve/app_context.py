"""Settings and shared objects of the site: templates, matches, jobs, worker threads."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from pathlib import Path
from typing import Final, ParamSpec, TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from mjopt.play.matches.judged_hands import JudgedHands
from mjopt.play.matches.match_store import Matches
from mjopt.play.puzzles.puzzle import initial_ratings
from mjopt.play.puzzles.store import PlayerRecords
from mjopt.play.serve.background_advice import BackgroundAdvice
from mjopt.play.serve.review_jobs import ReviewJobs
from mjopt.play.serve.templating import make_environment

P = ParamSpec("P")
R = TypeVar("R")
Endpoint = Callable[[Request], Awaitable[Response]]

LOG: Final = logging.getLogger("mjopt.play.serve")
THREADS: Final = 2  # threads that compute answers; more would wait for the interpreter lock
LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
NAVIGATION: Final = (
    ("/", "Hand"),
    ("/practice", "Practice"),
    ("/puzzles", "Puzzles"),
    ("/play", "Play"),
    ("/games", "Watch"),
    ("/review", "Review"),
    ("/statistics", "Statistics"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Settings of the site."""

    host: str = "127.0.0.1"
    port: int = 0  # to listen on; 0 takes any free port
    names: tuple[str, ...] = ()  # other host names that requests may use
    # Folder in which matches are stored, and whose game records can be watched.
    games: Path | None = None

    @property
    def is_local(self) -> bool:
        """Whether only this machine can connect; if so, visitors may have logs fetched."""
        return self.host in LOOPBACK and not self.names


class Site:
    """Objects that the routes of all pages share; matches by default in the folder of games."""

    def __init__(self, settings: Settings, matches: Matches | None = None) -> None:
        self.settings = settings
        self.matches = Matches(settings.games) if matches is None else matches
        self.records = PlayerRecords(settings.games, initial_ratings())
        self.advice = BackgroundAdvice()
        self.judged, self.jobs = JudgedHands(), ReviewJobs(self.advice)
        self._executor = ThreadPoolExecutor(THREADS, thread_name_prefix="mjopt-serve")

    def render(self, template: str, **context: object) -> str:
        """Render a template."""
        return make_environment(navigation=NAVIGATION).get_template(template).render(context)

    def page(
        self,
        template: str,
        *,
        status: int = 200,
        here: str = "",
        headers: Mapping[str, str] | None = None,
        **context: object,
    ) -> HTMLResponse:
        """Return a page as a response; `here` is its entry in the navigation."""
        return HTMLResponse(self.render(template, here=here, **context), status, headers)

    async def run(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Run a function in a worker thread; a missing file answers 404."""
        loop, context = asyncio.get_running_loop(), copy_context()  # with the language
        try:
            return await loop.run_in_executor(
                self._executor, lambda: context.run(function, *args, **kwargs)
            )
        except FileNotFoundError:  # deleted after the folder was listed
            raise HTTPException(404, "this file no longer exists") from None

    def endpoint(self, function: Callable[[Request], Response]) -> Endpoint:
        """Return an endpoint that calls a function in a worker thread."""

        async def respond(request: Request) -> Response:
            return await self.run(function, request)

        return respond

    def close(self) -> None:
        """Stop the worker threads, and end the worker processes."""
        self.jobs.close()
        self.advice.close()
        self._executor.shutdown(wait=False, cancel_futures=True)
