"""The pages `/play` and `/play/ID`: play a match against three agents."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from datetime import datetime
from functools import partial
from http import HTTPStatus
from typing import Final, ParamSpec, TypeVar
from urllib.parse import parse_qsl, urlencode

from sse_starlette import EventSourceResponse
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from mjopt._internal.file_index import file_id
from mjopt.chances.advice.advise import NORMAL, QUICK
from mjopt.errors import FileError, GameError, MissingExtraError
from mjopt.play.game.rules import GAME_RULES, RIICHI_GAME
from mjopt.play.matches.judged_hands import OpenHand
from mjopt.play.matches.match_session import (
    SECONDS,
    MatchSession,
    MatchSettings,
    available_agents,
    offered_agents,
)
from mjopt.play.matches.match_store import SUFFIX, MatchView, owner_of
from mjopt.play.matches.own_matches import own_rating
from mjopt.play.riichi.rules import get_table_rules
from mjopt.play.serve.app_context import Site
from mjopt.play.serve.board import points_words
from mjopt.play.serve.browser_cookie import browser_of, set_cookie
from mjopt.play.serve.language import gettext
from mjopt.play.serve.match_view import (
    PACES,
    Look,
    discard_position,
    hinted_position,
    match_context,
    other_players,
)
from mjopt.play.serve.request_parsing import text_fields
from mjopt.play.serve.step_view import player_words

P = ParamSpec("P")
R = TypeVar("R")

MAX_DIGITS: Final = 10
PAUSE: Final = 0.3  # seconds between two looks at the progress
COOKIE: Final = "play"
RULES: Final = (*GAME_RULES, RIICHI_GAME.name)
"""The rules on offer, by name."""


def routes(site: Site) -> list[BaseRoute]:
    """Return the routes of the pages."""
    return [*_start_routes(site), *_match_routes(site), *_file_routes(site)]


def _start_routes(site: Site) -> list[BaseRoute]:
    """Return the routes that list and start matches."""
    matches = site.matches

    def start_page(request: Request) -> Response:
        unfinished, damaged = matches.unfinished(browser_of(request))
        kept = _kept_choices(request)
        chosen, look = _nearest_settings(kept | dict(request.query_params)), parse_look(kept)
        has_all = "more" in request.query_params
        return site.page(
            "play_start.html",
            here="/play",
            title=gettext("Play a match"),
            rules=RULES,
            missing=_missing_rules(),
            points_words=points_words,
            players=offered_agents(chosen.rules, *chosen.players, chosen.hints, has_all=has_all),
            has_all=has_all,
            chosen=chosen,
            look=look,
            seconds=SECONDS,
            paces=PACES,
            unfinished=[
                (
                    one.name,
                    one.session,
                    datetime.fromtimestamp(one.time),
                    other_players(one.session),
                )
                for one in unfinished
            ],
            damaged=damaged,
            is_stored=matches.folder is not None,
        )

    async def start(request: Request) -> Response:
        form, browser = await text_fields(request), browser_of(request)
        setting, look = parse_settings(form), parse_look(form)
        if not browser:
            raise HTTPException(400, "allow cookies of this site: a match belongs to a browser")
        name = await site.run(_with_status, matches.start, setting, browser)
        return _keep_choices(request, RedirectResponse(f"/play/{name}", 303), setting, look)

    return [
        Route("/play", site.endpoint(start_page), name="play"),
        Route("/play", start, methods=["POST"]),
    ]


def _match_routes(site: Site) -> list[BaseRoute]:
    """Return the routes of one match."""
    matches = site.matches

    def show(
        request: Request,
        name: str,
        *,
        status: int = 200,
        message: str = "",
        view: MatchView | None = None,
    ) -> HTMLResponse:
        pace = float(parse_look(_kept_choices(request)).pace)
        view = view or _with_status(matches.look, name, pace)
        rating = own_rating(matches, owner_of(name)) if view.session.match.is_over else None
        context = _context(site, request, name, view) | {"message": message, "rating": rating}
        return HTMLResponse(site.render("play.html", here="/play", **context), status)

    async def match_page(request: Request) -> Response:
        name, browser = request.path_params["name"], browser_of(request)
        if browser and not owner_of(name):  # begun before matches had owners
            new = await site.run(_with_status, matches.claim, name, browser)
            return RedirectResponse(f"/play/{new}", 303)
        _own_match(request)
        pace = float(parse_look(_kept_choices(request)).pace)
        view = await site.run(_with_status, matches.look, name, pace)
        session = view.session
        for position in filter(None, (hinted_position(session), discard_position(session))):
            if not site.advice.known(position):
                await site.advice.wait([(position, QUICK), (position, NORMAL)], browser, 0)
        if hand := await site.run(_ended_hand, site, session):
            site.jobs.ask(hand.judge)
        return await site.run(show, request, name, view=view)

    def apply_form(request: Request, form: Mapping[str, str]) -> Response:
        name, text = _own_match(request), form.get("number", "")
        number = int(text) if text.isdecimal() and len(text) < MAX_DIGITS else -1
        response = RedirectResponse(f"/play/{name}", 303)
        try:
            if "pace" in form:
                look = parse_look(form)
                _with_status(matches.show_hints, name, form.get("hints", ""))
                setting = _with_status(matches.look, name).session.setting
                _keep_choices(request, response, setting, look)
            elif "next" in form:
                _with_status(matches.next_hand, name, number)
            else:
                _with_status(matches.play, name, number, form.get("move", ""))
        except GameError as error:
            return show(request, name, status=400, message=str(error))
        except HTTPException as error:
            if error.status_code != HTTPStatus.CONFLICT:
                raise
            return show(request, name, status=error.status_code, message=error.detail)
        return response

    async def play(request: Request) -> Response:
        return await site.run(apply_form, request, await text_fields(request))

    return [
        Route("/play/{name}", match_page, name="match"),
        Route("/play/{name}", play, methods=["POST"]),
        Route("/play/{name}/events", partial(_send_parts, site)),
    ]


async def _send_parts(site: Site, request: Request) -> Response:
    """Send the parts of a match's page that need a search, as HTML, when more is known."""
    name, query = _own_match(request), request.query_params
    session = await site.run(_with_status, site.matches.session, name)
    if query.get("number") != str(session.number):
        return Response(status_code=204)  # the page of an earlier decision: it asks no more

    def render(template: str, *, has_stopped: bool = False) -> dict[str, str]:
        view = MatchView(session, None, None)
        context = _context(site, request, name, view, has_stopped=has_stopped)
        return {"data": site.render(template, **context)}

    async def parts() -> AsyncIterator[dict[str, str]]:
        if position := hinted_position(session):
            for effort in (NORMAL,) if query.get("effort") == NORMAL else (QUICK, NORMAL):
                await site.advice.wait([(position, effort)], browser_of(request))
                has_stopped = effort == NORMAL and not site.advice.known(position)
                yield await site.run(render, "play_hint_parts.html", has_stopped=has_stopped)
            if discarded := discard_position(session):
                await site.advice.wait([(discarded, NORMAL)], browser_of(request))
                yield await site.run(render, "play_judged.html", has_stopped=True)
        elif hand := await site.run(_ended_hand, site, session):
            while site.jobs.ask(hand.judge):
                await asyncio.sleep(PAUSE)
            yield await site.run(render, "play_decisions.html")

    return EventSourceResponse(parts())


def _context(
    site: Site, request: Request, name: str, view: MatchView, *, has_stopped: bool = False
) -> dict[str, object]:
    """Return the variables of the page of a match, with what is known of its searches."""
    session, look = view.session, parse_look(_kept_choices(request))
    position, hand = hinted_position(session), _ended_hand(site, session)
    advice = site.advice.latest(position) if position else None
    thrown = discard_position(session)
    discarded = site.advice.known(thrown) if thrown else None
    has_stopped |= hand is not None and site.jobs.has_stopped(hand.judge)
    effort = QUICK if advice is None else NORMAL
    found = match_context(
        view, look, advice=advice, hand=hand, has_stopped=has_stopped, discarded=discarded
    )
    return found | {
        "name": name,
        "file": file_id(name + SUFFIX) if site.matches.folder else "",
        "fields": _fields_of(session.setting),
        "player_words": player_words,
        "events": f"/play/{name}/events?number={session.number}&effort={effort}",
    }


def _file_routes(site: Site) -> list[BaseRoute]:
    """Return the routes that delete a match and download its records."""
    matches = site.matches

    def delete(request: Request) -> Response:
        _with_status(matches.delete, _own_match(request))
        return RedirectResponse("/play", 303)

    def delete_page(request: Request) -> Response:
        session = _with_status(matches.look, _own_match(request)).session
        title = gettext("Delete this match?")
        return site.page(
            "play_delete.html",
            here="/play",
            title=title,
            session=session,
            names=other_players(session),
        )

    def records(request: Request) -> Response:
        view = _with_status(matches.look, _own_match(request))
        text = "".join(f"{line}\n" for line in view.session.match.lines)
        headers = {"content-disposition": 'attachment; filename="match.txt"'}
        return PlainTextResponse(text, headers=headers)

    return [
        Route("/play/{name}/delete", site.endpoint(delete_page), name="delete"),
        Route("/play/{name}/delete", site.endpoint(delete), methods=["POST"]),
        Route("/play/{name}/records.txt", site.endpoint(records), name="records"),
    ]


def _ended_hand(site: Site, session: MatchSession) -> OpenHand | None:
    """Return the current hand if it has ended, unless its history was given by a position."""
    if not session.state.is_over or session.setting.position:
        return None
    return site.judged.open(session.match.lines[-1], session.seat)


def _own_match(request: Request) -> str:
    """Return the id of a match of this browser; 404 for any other, as if there were none."""
    name: str = request.path_params["name"]
    if not owner_of(name) or owner_of(name) != browser_of(request):
        raise HTTPException(404, "no such match in this browser")
    return name


def _with_status(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Call a method of the matches; turn a damaged file into an HTTP error."""
    try:
        return function(*args, **kwargs)
    except FileError as error:
        raise HTTPException(404, str(error)) from None


def parse_settings(form: Mapping[str, str]) -> MatchSettings:
    """Parse the choices of the start page."""
    default = MatchSettings()
    text = form.get("seconds", "none")
    if text not in {str(seconds or "none") for seconds in SECONDS}:
        raise GameError(argument="seconds", value=repr(text[:20]), expected="5, 15 or none")
    players = (form.get(f"player{n}", spec) for n, spec in enumerate(default.players, start=1))
    return MatchSettings(
        rules=form.get("rules", default.rules),
        players=tuple(players),
        seconds=None if text == "none" else int(text),
        hints=form.get("hints", ""),
    )


def parse_look(form: Mapping[str, str]) -> Look:
    """Parse pace and sound; an unknown pace is the default."""
    pace = form.get("pace", "")
    return Look(pace=pace, sound="sound" in form) if pace in PACES else Look()


def _nearest_settings(fields: Mapping[str, str]) -> MatchSettings:
    """Return remembered settings as far as they are possible under the chosen rules."""
    rules = fields.get("rules")
    known = {"rules": rules} if rules in RULES and rules not in _missing_rules() else {}
    agents = available_agents(known.get("rules", MatchSettings().rules))
    known |= {
        key: text
        for key, text in fields.items()
        if (key.startswith("player") and text in agents)
        or (key == "hints" and text in {"", *agents})
        or (key == "seconds" and text in {str(seconds or "none") for seconds in SECONDS})
    }
    return parse_settings(known)


def _kept_choices(request: Request) -> dict[str, str]:
    """Return the choices that the browser has remembered."""
    return dict(parse_qsl(request.cookies.get(COOKIE, "")[:1000]))


def _missing_rules() -> dict[str, str]:
    """Return the rules that cannot be played here, each with the reason."""
    missing = {}
    for name in RULES:
        try:
            get_table_rules(name)
        except MissingExtraError as error:
            missing[name] = str(error)
    return missing


def _keep_choices(
    request: Request, response: Response, setting: MatchSettings, look: Look
) -> Response:
    """Let the browser remember the choices."""
    fields = _fields_of(setting) | {"pace": look.pace} | ({"sound": "on"} if look.sound else {})
    set_cookie(response, request, COOKIE, urlencode(fields), path="/play")
    return response


def _fields_of(setting: MatchSettings) -> dict[str, str]:
    """Return settings as the fields of the start page."""
    players = {f"player{n}": spec for n, spec in enumerate(setting.players, start=1)}
    seconds = str(setting.seconds or "none")
    return {"rules": setting.rules, **players, "seconds": seconds, "hints": setting.hints}
