"""The pages below `/review`: upload a log, and see it reviewed decision by decision."""

from collections import OrderedDict
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from threading import Lock
from typing import Final

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from mjopt._internal.sanitize import MESSAGE, shorten
from mjopt.errors import FileError
from mjopt.play.review.api import LogEntry, Review, read_named, review_games
from mjopt.play.serve.app_context import Site
from mjopt.play.serve.language import gettext, language
from mjopt.play.serve.request_parsing import parse_number
from mjopt.play.serve.review_file import LINKS, ReviewView, review_page

MAX_LOGS: Final = 16  # kept in memory
MAX_VIEWS: Final = 8
MAX_GAMES: Final = 1000  # listed of one log
PASTED: Final = "pasted text"
MAX_SEATS: Final = 4
MAX_FLAWS: Final = 3  # shown of a game
MAX_UPLOAD: Final = 8_000_000  # bytes of a posted log; security.py refuses more before reading


@dataclass(frozen=True, slots=True)
class UploadedLog:
    """A log and its games that can be read."""

    name: str
    games: list[LogEntry] = field(repr=False)


class UploadedLogs:
    """The last uploaded logs, in memory, by a digest of their content."""

    def __init__(self) -> None:
        self._logs: OrderedDict[str, UploadedLog] = OrderedDict()
        self._lock = Lock()

    def add(self, name: str, data: bytes) -> str:
        """Read a log and return its id; FileError if no game in it can be read."""
        entries = list(read_named(shorten(name), data, is_alone=True))
        games = [entry for entry in entries if not isinstance(entry[2], FileError)]
        if not games:
            source, line, error = entries[0] if entries else (name, 1, "no game")
            raise FileError(shorten(f"{source}, line {line}: {error}", MESSAGE))
        key = sha256(data).hexdigest()[:16]
        with self._lock:
            self._logs[key] = UploadedLog(shorten(name), games[:MAX_GAMES])
            self._logs.move_to_end(key)
            while len(self._logs) > MAX_LOGS:
                self._logs.popitem(last=False)
        return key

    def find(self, key: str) -> UploadedLog:
        """Return a log; 404 if it is not kept."""
        with self._lock:
            if key not in self._logs:
                raise HTTPException(404, gettext("this log is no longer kept: upload it again"))
            return self._logs[key]


def routes(site: Site) -> list[BaseRoute]:
    """Return the routes of the pages."""
    logs = UploadedLogs()

    @lru_cache(maxsize=MAX_VIEWS)
    def reviewed(key: str, game: int) -> Review:
        found = review_games([logs.find(key).games[game - 1]])
        if found.refused:
            refusal = found.refused[0]
            raise FileError(f"{refusal.source}, line {refusal.line}: {refusal.why}")
        return found

    @lru_cache(maxsize=MAX_VIEWS)
    def view_of(key: str, game: int, seat: int | None, _language: str) -> ReviewView:
        return ReviewView(reviewed(key, game), seat, named=True)

    def chosen(request: Request) -> tuple[str, int, int | None]:
        """Return id, game and seat of a request; seat 0 unless it names another, or all."""
        key = request.path_params["id"]
        game = parse_number(request, "game", 1, len(logs.find(key).games))
        is_all = request.query_params.get("seat") == "all"
        return key, game, None if is_all else parse_number(request, "seat", 0, MAX_SEATS - 1)

    def form_page(problem: str = "", pasted: str = "", status: int = 200) -> Response:
        return site.page(
            "review_upload.html",
            status=status,
            here="/review",
            title=gettext("Review a game"),
            problem=problem,
            pasted=pasted[:MAX_UPLOAD],
            most=MAX_UPLOAD // 1_000_000,
        )

    def upload_page(_: Request) -> Response:
        return form_page()

    async def upload(request: Request) -> Response:
        form = await request.form(max_files=1, max_fields=3, max_part_size=MAX_UPLOAD)
        part, pasted = form.get("log"), form.get("pasted")
        text = pasted.strip() if isinstance(pasted, str) else ""
        name, data = PASTED, text.encode()
        if isinstance(part, UploadFile) and part.filename:
            name, data = part.filename, await part.read()
        if not data:
            return form_page(gettext("no log: choose a file, or paste its text"), status=400)
        try:
            key = await site.run(logs.add, name, data)
            if len(logs.find(key).games) == 1:  # so that its errors are shown beside the field
                await site.run(reviewed, key, 1)
        except FileError as error:
            return form_page(str(error), text, 400)
        return RedirectResponse(f"/review/{key}", 303)

    def review(request: Request) -> Response:
        key, game, seat = chosen(request)
        log, found = logs.find(key), reviewed(key, game)
        names = found.judged.games[0].names
        if seat is not None and seat >= len(names):
            raise HTTPException(400, f"seat {seat}, expected 0 to {len(names) - 1}")
        view = view_of(key, game, seat, language())
        at = parse_number(request, "step", 0, max(len(view.steps) - 1, 0))
        curve = view.steps[at].curve if view.steps else None
        part = "all" if seat is None else seat
        return site.page(
            "uploaded_review.html",
            here="/review",
            title=gettext("Review of %(name)s") % {"name": log.name},
            key=key,
            game=game,
            num_games=len(log.games),
            seat=part,
            seats=[(number, shorten(name)) for number, name in enumerate(names)],
            r=view.overview(),
            s=view.step(at) | {"said_by": "", "words": curve.words} if curve else None,
            body=curve.body if curve else "",
            names=LINKS,
            rest=f"&seat={part}&game={game}",
            flaws="; ".join(flaw.why for flaw in found.flaws[:MAX_FLAWS]),
        )

    def download(request: Request) -> Response:
        key, game, seat = chosen(request)
        text = review_page(reviewed(key, game), seat=seat, named=True)
        headers = {"content-disposition": 'attachment; filename="review.html"'}
        return Response(text, media_type="text/html", headers=headers)

    return [
        Route("/review", site.endpoint(upload_page), name="review"),
        Route("/review", upload, methods=["POST"]),
        Route("/review/{id}", site.endpoint(review), name="uploaded review"),
        Route("/review/{id}/review.html", site.endpoint(download)),
    ]
