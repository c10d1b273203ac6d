"""The page `/daily`: the hand of a day, played alone, the same for everyone."""

from collections.abc import Callable
from functools import partial

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from mjopt.errors import FileError
from mjopt.hands.tiles import FULL
from mjopt.play.puzzles.daily import daily_hand, finished_hands, play_daily, read_day, throw_tile
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
        day = read_day(request.query_params.get("day") or today.isoformat())
        own = records.look(browser).discards(day)
        if day != today and not own:
            raise HTTPException(404, gettext("only the hand of today can be played"))
        hand, now = daily_hand(day), play_daily(daily_hand(day).seed, own)
        played = records.played_by_others(browser, day)
        return site.page(
            "daily.html",
            here="/puzzles",
            title=gettext("The hand of %(day)s") % {"day": day},
            day=day,
            hand=hand,
            practice=now,
            kept=spread(now.decisions[-1].kept),
            others=finished_hands(hand.seed, played),
            moves="".join(own),
            views=views_of(FULL),
        )

    async def throw(request: Request) -> Response:
        form, today = await text_fields(request), utc_date(records.clock())
        day = read_day(form.get("day", ""))
        tile, number = form.get("throw", ""), form.get("number", "")
        add = partial(throw_tile, day=day, tile=tile, number=number, today=today)
        await site.run(update_record, site, request, add)
        return RedirectResponse(f"/daily?day={day}", 303)

    return [
        Route("/daily", site.endpoint(daily), name="daily"),
        Route("/daily", throw, methods=["POST"]),
    ]
