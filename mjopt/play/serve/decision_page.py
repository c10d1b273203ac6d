"""The page `/decision`: a decision of a game as a puzzle, then its answer and the move played.

Its address holds the whole position, so that it lasts longer than the game. The costly decisions of
a review are shown one after another by the same template.
"""

from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from mjopt.chances.advice.advise import NORMAL
from mjopt.chances.advice.options import AdvisedOption
from mjopt.chances.advice.position import Position
from mjopt.chances.advice.why import LEAST_LOSS
from mjopt.play.serve.app_context import Site
from mjopt.play.serve.browser_cookie import browser_of
from mjopt.play.serve.hand_form import position_address
from mjopt.play.serve.hand_page import LONG_PATIENCE, PATIENCE, WORDS, ready_event, views_of
from mjopt.play.serve.language import gettext
from mjopt.play.serve.position_page import read_position, read_tile
from mjopt.play.serve.review_file import DECISION

ALONE: Final = {"place": "", "number": 0, "last": 0, "before": "", "next": "", "step": ""}
"""Variables of the template for a decision that belongs to no review."""

SHOWN: Final = 6  # options in the table of an answer


async def decision_page(
    site: Site, request: Request, position: Position, thrown: str, place: dict[str, Any]
) -> Response:
    """Return a decision as a puzzle; with a tile in the query, its answer."""
    chosen = read_tile(request.query_params, "throw", position)
    queries = [(position, NORMAL)]
    patience = LONG_PATIENCE if "wait" in request.query_params else PATIENCE
    await site.advice.wait(queries, browser_of(request), patience if chosen else 0)
    advice = site.advice.known(position)
    names = position.hand.tiles.names
    rows = list[AdvisedOption]() if advice is None else [*advice.options]
    told = {tile: advice.option(names.index(tile)) for tile in (chosen, thrown) if tile and advice}
    row = told.get(chosen)
    is_best = row is not None and row.lost is not None and row.lost < LEAST_LOSS
    return site.page(
        "decision.html",
        here="/review",
        title=gettext("A decision"),
        position=position,
        thrown=thrown,
        chosen=chosen,
        advice=advice,
        told=told,
        is_best=is_best and row is not None and not row.is_lost_proven,
        rows=[one for at, one in enumerate(rows) if at < SHOWN or one in told.values()],
        address=position_address(position, DECISION, thrown=thrown),
        link=position_address,
        views=views_of(position.hand.tiles),
        again=f"{request.url.path}?{request.url.query}",
        **(WORDS | place),
    )


def routes(site: Site) -> list[BaseRoute]:
    """Return the routes of the page."""

    async def show(request: Request) -> Response:
        position = read_position(request.query_params)
        if not position.hand.is_full:
            raise HTTPException(400, gettext("a decision needs a hand after its draw"))
        thrown = read_tile(request.query_params, "thrown", position)
        place = ALONE | {"fields": position.to_fields() | {"thrown": thrown}}
        return await decision_page(site, request, position, thrown, place)

    async def events(request: Request) -> Response:
        """Send an event when the advice on a decision is known."""
        return ready_event(site, request, [(read_position(request.query_params), NORMAL)])

    return [Route(DECISION, show, name="decision"), Route(f"{DECISION}/events", events)]
