"""The pages below `/review`: upload a log, and see it reviewed decision by decision."""

import asyncio
from collections.abc import AsyncIterator
from functools import lru_cache
from http import HTTPStatus
from typing import Final, NamedTuple
from urllib.parse import urlencode

from sse_starlette import EventSourceResponse
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from mjopt._internal.file_index import Listed
from mjopt.chances.advice.advise import NORMAL, QUICK
from mjopt.chances.advice.options import Advice
from mjopt.chances.advice.position import Position
from mjopt.errors import FileError
from mjopt.play.matches.game_library import find_record_file, lines_of, num_lines
from mjopt.play.matches.match_session import YOU
from mjopt.play.review.api import LogEntry, Review, read_named, review_games
from mjopt.play.review.chance import ChanceJudge
from mjopt.play.review.chance_evaluation import judge_of
from mjopt.play.review.cost import costliest
from mjopt.play.review.detect_format import ADDRESS as LOCAL_ADDRESS
from mjopt.play.review.log_store import LogStore, UploadedLog
from mjopt.play.review.tenhou_address import fetch_log, is_address, parse_address
from mjopt.play.serve.app_context import Settings, Site
from mjopt.play.serve.browser_cookie import browser_of
from mjopt.play.serve.chance_chart import draw_chances
from mjopt.play.serve.decision_page import decision_page
from mjopt.play.serve.language import gettext, language
from mjopt.play.serve.request_parsing import parse_number
from mjopt.play.serve.review_file import LINKS, ReviewView, standalone_page
from mjopt.play.serve.security import MAX_BODY_AT
from mjopt.play.serve.watch_page import title_of

MAX_BODY: Final = MAX_BODY_AT["/review"]
MAX_VIEWS: Final = 8
PATIENCE: Final = 0.1  # seconds that a page waits for advice
PAUSE: Final = 0.3  # seconds between two looks at the progress
STRIDE: Final = 10  # positions judged until the page is shown again
PASTED: Final = "pasted text"
MAX_STAGE: Final = 1_000_000_000
MAX_FLAWS: Final = 3  # shown of a game
MAX_UPLOAD: Final = 8_000_000  # bytes of a log
MAX_SHOWN: Final = 100_000  # characters of a pasted text that are sent back with an error


class ShownReview(NamedTuple):
    """The content of a page of a review."""

    log: UploadedLog | Listed
    game: int
    seat: int | None
    view: ReviewView
    judge: ChanceJudge
    at: int  # the step
    position: Position | None  # of the step


class ReviewPages:
    """The pages of a site; reviews and their views are kept for the next request."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.games, self.logs = site.settings.games, LogStore(site.settings.games)
        self.reviewed = lru_cache(MAX_VIEWS)(_review)
        self.look = lru_cache(MAX_VIEWS)(_look)

    def chosen(self, request: Request) -> ShownReview:
        """Return what a request is about; by default the person's seat, or 0."""
        key = request.path_params["id"]
        log = self.logs.find(key) or find_record_file(self.games, browser_of(request), key)
        if log is None:
            raise HTTPException(404, gettext("no such game: it was deleted, or is no longer kept"))
        game = parse_number(request, "game", 1, _num_games(log))
        review = self.reviewed(log, game)
        names, seat = review.judged.games[0].names, None
        if "seat" not in request.query_params:
            seat = names.index(YOU) if YOU in names else 0
        elif request.query_params["seat"] != "all":
            seat = parse_number(request, "seat", 0, len(names) - 1)
        view, judge = self.look(review, seat, language())
        at = parse_number(request, "step", 0, max(len(view.steps) - 1, 0))
        position = view.position(at) if view.steps else None
        return ShownReview(log, game, seat, view, judge, at, position)

    def form(self, problem: str = "", pasted: str = "", status: int = 200) -> Response:
        """Return the page with the form."""
        return self.site.page(
            "review_upload.html",
            status=status,
            here="/review",
            title=gettext("Review a game"),
            problem=problem,
            pasted=pasted if len(pasted) <= MAX_SHOWN else "",
            most=MAX_UPLOAD // 1_000_000,
            fetches=self.site.settings.is_local,
            is_stored=self.games is not None,
        )

    async def upload(self, request: Request) -> Response:
        """Keep a posted log, and go to its review."""
        site, text = self.site, ""
        try:
            form = await request.form(max_files=1, max_fields=3, max_part_size=MAX_BODY)
            pasted = form.get("pasted")
            text = pasted.strip() if isinstance(pasted, str) else ""
            name, data, seat = await _posted_log(form.get("log"), text, site.settings)
            key = await site.run(self.logs.add, name, data)
            log = self.logs.find(key)
            if log and len(log.games) == 1:  # errors are shown beside the field
                await site.run(self.reviewed, log, 1)
        except FileError as error:
            return self.form(str(error), text, 400)
        except HTTPException as error:
            if error.status_code != HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
                raise
            words = gettext("a log of more than %(most)d MB: split it, or compress it")
            return self.form(words % {"most": MAX_UPLOAD // 1_000_000}, status=413)
        return RedirectResponse(f"/review/{key}{seat}", 303)

    async def review(self, request: Request) -> Response:
        """Show a step of a review, with what is known of the chances to win."""
        shown = await self.site.run(self.chosen, request)
        self.site.jobs.ask(shown.judge)
        advice = None
        if shown.position is not None:
            efforts = [(shown.position, QUICK), (shown.position, NORMAL)]
            await self.site.advice.wait(efforts, browser_of(request), PATIENCE)
            if (advice := self.site.advice.latest(shown.position)) is not None:
                shown.judge.add(advice)
        return await self.site.run(self.page, request, shown, advice)

    def page(self, request: Request, shown: ShownReview, advice: Advice | None) -> Response:
        """Return the page of a step."""
        log, judge, view = shown.log, shown.judge, shown.view
        is_advised = advice is not None and advice.effort == NORMAL
        stage = _stage(judge, is_advised)  # read first: the page may show more, never less
        is_judged, by_chance = not judge.tasks(), view.by_chance(judge)
        curve = view.steps[shown.at].curve if view.steps else None
        moves = by_chance.moves(shown.at) if view.steps else []
        part = "all" if shown.seat is None else shown.seat
        name = log.name if isinstance(log, UploadedLog) else title_of(log)
        rest = f"&seat={part}&game={shown.game}"
        words = {"said_by": "", "words": curve.words if curve else ""}
        is_final = is_judged and (advice is None or is_advised)
        events = f"{request.url.path}/progress?step={shown.at}{rest}&stage={stage}"
        return self.site.page(
            "uploaded_review.html",
            here="/review",
            title=gettext("Review of %(name)s") % {"name": name},
            address=request.url.path,
            game=shown.game,
            num_games=_num_games(log),
            seat=part,
            seats=list(enumerate(view.names)),
            moves=moves,
            chart=draw_chances(moves),
            r=(by_chance if is_judged else view).overview(),
            s=by_chance.step(shown.at, advice) | words if curve else None,
            body=curve.body if curve else "",
            names=LINKS,
            rest=rest,
            flaws="; ".join(flaw.why for flaw in view.review.flaws[:MAX_FLAWS]),
            judge=judge,
            is_judged=is_judged,
            events="" if is_final else events,
        )

    async def replay(self, request: Request) -> Response:
        """Show the costly decisions one after another, each as a puzzle."""
        shown = await self.site.run(self.chosen, request)
        self.site.jobs.ask(shown.judge)
        view = shown.view if shown.judge.tasks() else shown.view.by_chance(shown.judge)
        path, asked = request.url.path, request.query_params
        query = {"game": shown.game} | ({"seat": asked["seat"]} if "seat" in asked else {})
        earlier = f"{path}?{urlencode(query | {'game': shown.game - 1})}" if shown.game > 1 else ""
        costly = [at for at in costliest(view.rows) if view.position(at)]
        if "step" in asked and shown.position:
            at = shown.at
        elif costly:
            at = costly[0]
        elif earlier:  # the hand before it
            return RedirectResponse(earlier, 303)
        else:
            raise HTTPException(404, gettext("no discard of this player is known to be costly"))
        number = costly.index(at) + 1 if at in costly else 0

        def address(step: int, path: str = path) -> str:
            return f"{path}?{urlencode(query | {'step': step})}"

        place = {
            "place": view.where(at),
            "number": number,
            "last": len(costly),
            "before": address(costly[number - 2]) if number > 1 else "",
            "next": address(costly[number]) if number < len(costly) else earlier,
            "step": address(at, path.removesuffix("/replay")),
            "fields": query | {"step": at},
        }
        position, thrown = view.position(at), view.thrown(at)
        assert position is not None
        return await decision_page(self.site, request, position, thrown, place)

    async def progress(self, request: Request) -> Response:
        """Send an event when a page has more to show than at the stage it was sent with."""
        shown = await self.site.run(self.chosen, request)
        judge, position, advice = shown.judge, shown.position, self.site.advice
        stage = parse_number(request, "stage", 0, MAX_STAGE)

        def is_unchanged() -> bool:
            is_advised = position is not None and advice.known(position) is not None
            return _stage(judge, is_advised) == stage

        async def events() -> AsyncIterator[dict[str, str]]:
            future = advice.submit(position, NORMAL, browser_of(request)) if position else None
            try:
                while is_unchanged() and (
                    self.site.jobs.ask(judge) or (future is not None and not future.done())
                ):
                    await asyncio.sleep(PAUSE)
            finally:
                if future:
                    future.cancel()
            if not is_unchanged():
                yield {"data": "ready"}

        return EventSourceResponse(events())

    def download(self, request: Request) -> Response:
        """Return a review as one file."""
        shown = self.chosen(request)
        view, judge = shown.view, shown.judge
        text = standalone_page(view if judge.tasks() else view.by_chance(judge))
        headers = {"content-disposition": 'attachment; filename="review.html"'}
        return Response(text, media_type="text/html", headers=headers)


def routes(site: Site) -> list[BaseRoute]:
    """Return the routes of the pages."""
    pages = ReviewPages(site)
    return [
        Route("/review", site.endpoint(lambda _: pages.form()), name="review"),
        Route("/review", pages.upload, methods=["POST"]),
        Route("/review/{id}", pages.review, name="uploaded review"),
        Route("/review/{id}/replay", pages.replay),
        Route("/review/{id}/progress", pages.progress),
        Route("/review/{id}/review.html", site.endpoint(pages.download)),
    ]


def _review(log: UploadedLog | Listed, game: int) -> Review:
    found = review_games([_entry(log, game)], has_positions=True)
    if found.refused:
        refusal = found.refused[0]
        raise FileError(f"{refusal.source}, line {refusal.line}: {refusal.why}")
    return found


def _stage(judge: ChanceJudge, is_advised: bool) -> int:
    """Return a number that changes when a page of a review has more to show."""
    return judge.num_judged // STRIDE * 4 + (not judge.tasks()) * 2 + is_advised


def _look(review: Review, seat: int | None, _language: str) -> tuple[ReviewView, ChanceJudge]:
    assert review.collected is not None
    return ReviewView(review, seat, named=True), judge_of(review.collected, seat)


async def _posted_log(
    part: UploadFile | str | None, text: str, settings: Settings
) -> tuple[str, bytes, str]:
    """Return name, content and query of a log: a file, a text, or an address that names it."""
    name, data, query = PASTED, text.encode(), ""
    if isinstance(part, UploadFile) and part.filename:
        name, data = part.filename, await part.read()
    elif is_address(text) and not LOCAL_ADDRESS.match(text):
        if not settings.is_local:
            raise FileError(gettext("this server fetches no logs: choose the file"))
        address = parse_address(text)
        data = await run_in_threadpool(fetch_log, address.id)
        name, query = address.id, f"?seat={address.seat}"
    if len(data) > MAX_UPLOAD:
        raise HTTPException(413)
    if not data:
        raise FileError(gettext("no log: choose a file, or paste its text"))
    return name, data, query


def _num_games(log: UploadedLog | Listed) -> int:
    return len(log.games) if isinstance(log, UploadedLog) else num_lines(log)


def _entry(log: UploadedLog | Listed, game: int) -> LogEntry:
    """Return a game of an upload, or of the games that can be watched."""
    if isinstance(log, UploadedLog):
        return log.games[game - 1]
    [line] = lines_of(log, game, 1)
    name = gettext("game %(number)d") % {"number": game}
    return next(read_named(name, line.encode(), is_alone=True))
