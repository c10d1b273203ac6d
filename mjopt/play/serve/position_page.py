"""The page `/play/from`: a hand against agents that begins at a position."""

from collections.abc import Mapping
from dataclasses import replace

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from mjopt.chances.advice.position import Position
from mjopt.chances.advice.position_document import FIELDS
from mjopt.hands.notation.readings import MPSZ
from mjopt.hands.rules.classic_forms import names_of
from mjopt.play.game.position_start import PositionStart
from mjopt.play.matches.match_session import MatchSettings, offered_agents
from mjopt.play.serve.app_context import Site
from mjopt.play.serve.browser_cookie import browser_of
from mjopt.play.serve.hand_form import position_address
from mjopt.play.serve.hand_page import spread, views_of
from mjopt.play.serve.language import gettext
from mjopt.play.serve.play_page import parse_settings
from mjopt.play.serve.request_parsing import text_fields


def read_position(fields: Mapping[str, str]) -> Position:
    """Return the position of an address or a form."""
    return Position.of_fields({name: fields.get(name, "").strip() for name in FIELDS}, MPSZ)


def read_tile(fields: Mapping[str, str], name: str, position: Position) -> str:
    """Return a tile of the hand that a field names; empty if it is absent."""
    tile, names = fields.get(name, ""), position.hand.tiles.names
    if tile and (tile not in names or not position.hand.counts[names.index(tile)]):
        raise HTTPException(400, gettext("this tile is not in the hand"))
    return tile


def routes(site: Site) -> list[BaseRoute]:
    """Return the routes of the page."""

    def play_on(request: Request) -> Response:
        position = read_position(request.query_params)
        begin = PositionStart(position)
        return site.page(
            "play_from.html",
            here="/play",
            title=gettext("Play on from here"),
            position=position,
            begin=begin,
            missing_forms={*names_of(position.forms)} - {*names_of(begin.rules.forms)},
            chosen=MatchSettings().players,
            players=offered_agents(begin.rules.name, *MatchSettings().players),
            link=position_address,
            spread=spread,
            views=views_of(position.hand.tiles),
        )

    async def start(request: Request) -> Response:
        form, browser = await text_fields(request), browser_of(request)
        if not browser:
            raise HTTPException(400, "allow cookies of this site: a match belongs to a browser")
        position = read_position(form)
        setting = parse_settings(form | {"rules": PositionStart(position).rules.name})
        setting = replace(setting, position=position.to_text())
        name = await site.run(site.matches.start, setting, browser)
        return RedirectResponse(f"/play/{name}", 303)

    return [
        Route("/play/from", site.endpoint(play_on), name="play from"),
        Route("/play/from", start, methods=["POST"]),
    ]
