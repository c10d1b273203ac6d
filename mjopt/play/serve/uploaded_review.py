"""The pages below `/review`: upload a log, and see it reviewed decision by decision."""

from functools import lru_cache
from http import HTTPStatus
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from mjopt.errors import FileError
from mjopt.play.review.api import LogEntry, Review, read_named, review_games
from mjopt.play.review.detect_format import ADDRESS as LOCAL_ADDRESS
from mjopt.play.review.log_store import LogStore, UploadedLog
from mjopt.play.review.tenhou_address import fetch_log, is_address, parse_address
from mjopt.play.serve.app_context import Settings, Site
from mjopt.play.serve.browser_cookie import browser_of
from mjopt.play.serve.file_index import Listed
from mjopt.play.serve.game_library import lines_of, num_lines, record_files
from mjopt.play.serve.language import gettext, language
from mjopt.play.serve.match_session import YOU
from mjopt.play.serve.request_parsing import parse_number
from mjopt.play.serve.review_file import LINKS, ReviewView, review_page
from mjopt.play.serve.security import MAX_BODY_AT
from mjopt.play.serve.watch_page import title_of

MAX_BODY: Final = MAX_BODY_AT["/review"]
MAX_VIEWS: Final = 8
PASTED: Final = "pasted text"
MAX_FLAWS: Final = 3  # shown of a game
MAX_UPLOAD: Final = 8_000_000  # bytes of a log
MAX_SHOWN: Final = 100_000  # characters of a pasted text that are sent back with an error


def routes(site: Site) -> list[BaseRoute]:
    """Return the routes of the pages."""
    games, logs = site.settings.games, LogStore(site.settings.games)

    @lru_cache(maxsize=MAX_VIEWS)
    def reviewed(log: UploadedLog | Listed, game: int) -> Review:
        found = review_games([_entry(log, game)])
        if found.refused:
            refusal = found.refused[0]
            raise FileError(f"{refusal.source}, line {refusal.line}: {refusal.why}")
        return found

    @lru_cache(maxsize=MAX_VIEWS)
    def view_of(review: Review, seat: int | None, _language: str) -> ReviewView:
        return ReviewView(review, seat, named=True)

    def chosen(request: Request) -> tuple[UploadedLog | Listed, int, Review, int | None]:
        """Return log, game, review and seat of a request; by default the person's seat, or 0."""
        key = request.path_params["id"]
        log = logs.find(key) or record_files(games, browser_of(request)).get(key)
        if log is None:
            raise HTTPException(404, gettext("this log is no longer kept: upload it again"))
        game = parse_number(request, "game", 1, _num_games(log))
        review = reviewed(log, game)
        names = review.judged.games[0].names
        if "seat" not in request.query_params:
            return log, game, review, names.index(YOU) if YOU in names else 0
        is_all = request.query_params["seat"] == "all"
        seat = None if is_all else parse_number(request, "seat", 0, len(names) - 1)
        return log, game, review, seat

    def form_page(problem: str = "", pasted: str = "", status: int = 200) -> Response:
        return site.page(
            "review_upload.html",
            status=status,
            here="/review",
            title=gettext("Review a game"),
            problem=problem,
            pasted=pasted if len(pasted) <= MAX_SHOWN else "",
            most=MAX_UPLOAD // 1_000_000,
            fetches=site.settings.is_local,
            is_stored=games is not None,
        )

    def upload_page(_: Request) -> Response:
        return form_page()

    async def upload(request: Request) -> Response:
        text = ""
        try:
            form = await request.form(max_files=1, max_fields=3, max_part_size=MAX_BODY)
            pasted = form.get("pasted")
            text = pasted.strip() if isinstance(pasted, str) else ""
            name, data, seat = await _posted_log(form.get("log"), text, site.settings)
            key = await site.run(logs.add, name, data)
            if (log := logs.find(key)) and len(log.games) == 1:  # errors are shown beside the field
                await site.run(reviewed, log, 1)
        except FileError as error:
            return form_page(str(error), text, 400)
        except HTTPException as error:
            if error.status_code != HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
                raise
            words = gettext("a log of more than %(most)d MB: split it, or compress it")
            return form_page(words % {"most": MAX_UPLOAD // 1_000_000}, status=413)
        return RedirectResponse(f"/review/{key}{seat}", 303)

    def review(request: Request) -> Response:
        log, game, found, seat = chosen(request)
        view = view_of(found, seat, language())
        at = parse_number(request, "step", 0, max(len(view.steps) - 1, 0))
        curve = view.steps[at].curve if view.steps else None
        part = "all" if seat is None else seat
        name = log.name if isinstance(log, UploadedLog) else title_of(log)
        return site.page(
            "uploaded_review.html",
            here="/review",
            title=gettext("Review of %(name)s") % {"name": name},
            address=request.url.path,
            game=game,
            num_games=_num_games(log),
            seat=part,
            seats=list(enumerate(view.names)),
            r=view.overview(),
            s=view.step(at) | {"said_by": "", "words": curve.words} if curve else None,
            body=curve.body if curve else "",
            names=LINKS,
            rest=f"&seat={part}&game={game}",
            flaws="; ".join(flaw.why for flaw in found.flaws[:MAX_FLAWS]),
        )

    def download(request: Request) -> Response:
        _, _, found, seat = chosen(request)
        text = review_page(found, seat=seat, named=True)
        headers = {"content-disposition": 'attachment; filename="review.html"'}
        return Response(text, media_type="text/html", headers=headers)

    return [
        Route("/review", site.endpoint(upload_page), name="review"),
        Route("/review", upload, methods=["POST"]),
        Route("/review/{id}", site.endpoint(review), name="uploaded review"),
        Route("/review/{id}/review.html", site.endpoint(download)),
    ]


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
