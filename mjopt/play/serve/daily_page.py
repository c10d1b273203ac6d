"""The page `/daily`: the hand of a day, played alone, the same for everyone."""

from collections.abc import Callable
from contextlib import suppress
from datetime import date

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from mjopt.errors import FileError, GameError
from mjopt.hands.tiles import FULL
from mjopt.play.puzzles.daily import daily_hand, play_daily
from mjopt.play.puzzles.record import PlayerRecord, utc_date
from mjopt.play.serve.app_context import Site
from mjopt.play.serve.browser_cookie import browser_of
from mjopt.play.serve.hand_page import spread, views_of
from mjopt.play.serve.language import gettext
from mjopt.play.serve.request_parsing import text_fields


def update_record(
    site: Site, request: Request, change: Callable[[PlayerRecord], PlayerRecord]
) -> None:
    """Change the record of a browser; HTTPException 400 without a cookie, 503 if unsaved."""
    if not (browser := browser_of(request)):
        raise HTTPException(400, "allow cookies of this site: a record belongs to a browser")
    try:
        site.records.update(browser, change)
    except FileError as error:  # its text would show a path
        raise HTTPException(503, f"the answer cannot be saved ({error.detail})") from error


def routes(site: Site) -> list[BaseRoute]:
    """Return the routes of the page."""
    records = site.records

    def daily(request: Request) -> Response:
        browser, today = browser_of(request), utc_date(records.clock())
        day = _read_day(request.query_params.get("day") or today.isoformat())
        own = records.look(browser).discards(day)
        if day != today and not own:
            raise HTTPException(404, gettext("only the hand of today can be played"))
        hand, now = daily_hand(day), play_daily(daily_hand(day).seed, own)
        played = records.played_by_others(browser, day)
        others = [play_daily(hand.seed, discards) for discards in played]
        decision = now.decisions[-1]
        kept = decision.hand.counts
        if decision.drawn is not None:
            kept = decision.after(decision.drawn).counts
        return site.page(
            "daily.html",
            here="/puzzles",
            title=gettext("The hand of %(day)s") % {"day": day},
            day=day,
            hand=hand,
            practice=now,
            kept=spread(kept),
            others=[practice for practice in others if practice.is_over],
            moves="".join(own),
            **views_of(FULL),
        )

    def throw(request: Request, form: dict[str, str]) -> Response:
        day, today = _read_day(form.get("day", "")), utc_date(records.clock())

        def add(record: PlayerRecord) -> PlayerRecord:
            discards = record.discards(day)
            if day != today and not discards:
                raise HTTPException(409, gettext("the hand of this day is over"))
            if form.get("number") != str(len(discards)):  # sent twice
                return record
            discards += (form.get("throw", ""),)
            play_daily(daily_hand(day).seed, discards)  # raises an error if it is not possible
            return record.with_daily(day, discards)

        update_record(site, request, add)
        return RedirectResponse(f"/daily?day={day}", 303)

    async def post_throw(request: Request) -> Response:
        return await site.run(throw, request, await text_fields(request))

    return [
        Route("/daily", site.endpoint(daily), name="daily"),
        Route("/daily", post_throw, methods=["POST"]),
    ]


def _read_day(text: str) -> date:
    with suppress(ValueError, GameError):
        if len(text) == len("2026-11-26"):
            return daily_hand(date.fromisoformat(text)).day
    raise HTTPException(400, gettext("no day: expected a date such as 2026-11-26"))
