"""The pages `/play` and `/play/ID`: play a match against three agents."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from typing import Final, ParamSpec, TypeVar
from urllib.parse import parse_qsl, urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from mjopt._internal.file_index import file_id
from mjopt.errors import FileError, GameError
from mjopt.hands.winning_forms import STANDARD
from mjopt.play.game.agents.human import describe_move
from mjopt.play.game.events import CALLS, DISCARDS
from mjopt.play.game.moves import NO_KIND, Action, Move
from mjopt.play.game.public_state import Phase
from mjopt.play.game.rules import NUM_SEATS, RULE_SETS, SEATS
from mjopt.play.game.scoring import winning_form
from mjopt.play.game.state import Ending, Outcome
from mjopt.play.serve.app_context import Site
from mjopt.play.serve.board import WINDS, TileView, board_at, kinds_of, tile_view
from mjopt.play.serve.browser_cookie import browser_of, set_cookie
from mjopt.play.serve.hints import describe_hint, hint_of, short_name
from mjopt.play.serve.language import gettext
from mjopt.play.serve.match_session import (
    SECONDS,
    MatchSession,
    MatchSettings,
    available_agents,
)
from mjopt.play.serve.match_store import SUFFIX, MatchView, owner_of
from mjopt.play.serve.request_parsing import text_fields
from mjopt.play.serve.tiles import tile_words

P = ParamSpec("P")
R = TypeVar("R")

HAPPENED: Final[dict[Action, str]] = {
    Action.WIN: "%(player)s: wins with %(tile)s",
    Action.DISCARD: "%(player)s: discards %(tile)s",
    Action.READY: "%(player)s: is ready, discards %(tile)s",
    Action.CHOW: "%(player)s: chow of %(tile)s",
    Action.PONG: "%(player)s: pong of %(tile)s",
    Action.KONG: "%(player)s: kong of %(tile)s",
    Action.ADDED_KONG: "%(player)s: adds %(tile)s to a pong",
    Action.CLOSED_KONG: "%(player)s: closed kong of %(tile)s",
    Action.FAULT: "%(player)s: breaks the game",
}
CALL_NAMES: Final[dict[Action, str]] = {
    Action.WIN: "Win",
    Action.READY: "Ready",
    Action.CHOW: "Chow",
    Action.PONG: "Pong",
    Action.KONG: "Kong",
    Action.ADDED_KONG: "Added kong",
    Action.CLOSED_KONG: "Closed kong",
    Action.PASS: "Pass",
}
ENDINGS: Final[dict[Ending, str]] = {
    Ending.DISCARD: "%(winner)s won with %(tile)s, discarded by %(payer)s",
    Ending.OWN_DRAW: "%(winner)s won with %(tile)s, drawn from the wall",
    Ending.REPLACEMENT: "%(winner)s won with %(tile)s, the replacement tile of a kong",
    Ending.ROBBED_KONG: "%(winner)s won with %(tile)s, robbed from the kong of %(payer)s",
    Ending.WALL_EMPTY: "Drawn game: no tile is left to draw",
    Ending.FOUR_KONGS: "Drawn game: four kongs were declared",
    Ending.FAULT: "%(payer)s broke the game",
}
SIDES: Final = ("own", "next", "across", "before")
PACES: Final = ("0", "0.25", "0.5", "1", "2")  # seconds a move of another player is shown
MAX_DIGITS: Final = 10
COOKIE: Final = "play"
_COPIES: Final = {Action.PONG: 3, Action.KONG: 4, Action.CLOSED_KONG: 4}


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How a match is shown: seconds for each move of another player, and whether it clicks."""

    pace: str = "0.5"
    sound: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A button for a legal move.

    Parameters
    ----------
    move
        The posted value.
    words
        The label; empty for a discard.
    tiles
        The tiles on the button.
    is_default
        Whether this move is made when time runs out; if so, the button has the focus.
    is_hint
        Whether the hint is this move.
    """

    move: str
    words: str
    tiles: tuple[TileView, ...]
    is_default: bool
    is_hint: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownMove:
    """A public move since the person's last decision, shown before the next one."""

    words: str
    side: str  # of the board, one of SIDES
    part: str  # list that its tile or meld is the end of: ``river``, ``melds``, or empty
    call: str = ""  # announcement of a call


def routes(site: Site) -> list[BaseRoute]:
    """Return the routes of the pages."""
    matches = site.matches

    def start_page(request: Request) -> Response:
        unfinished, damaged = matches.unfinished(browser_of(request))
        kept = _kept_choices(request)
        chosen, look = _nearest_settings(kept | dict(request.query_params)), parse_look(kept)
        return site.page(
            "play_start.html",
            here="/play",
            title=gettext("Play a match"),
            rules=RULE_SETS,
            players=available_agents(chosen.rules),
            chosen=chosen,
            look=look,
            seconds=SECONDS,
            paces=PACES,
            unfinished=[
                (one.name, one.session, datetime.fromtimestamp(one.time), _others(one.session))
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

    def show(request: Request, name: str, *, status: int = 200, message: str = "") -> HTMLResponse:
        look = parse_look(_kept_choices(request))
        view = _with_status(matches.look, name, float(look.pace))
        watch = f"/games/{file_id(name + SUFFIX)}" if matches.folder else ""
        context = match_context(view, look) | {"name": name, "message": message, "watch": watch}
        return HTMLResponse(site.render("play.html", here="/play", **context), status)

    def match_page(request: Request) -> Response:
        name, browser = request.path_params["name"], browser_of(request)
        if browser and not owner_of(name):  # begun before matches had owners
            return RedirectResponse(f"/play/{_with_status(matches.claim, name, browser)}", 303)
        return show(request, _own_match(request))

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

    def delete_page(request: Request) -> Response:
        session = _with_status(matches.look, _own_match(request)).session
        title = gettext("Delete this match?")
        return site.page(
            "play_delete.html", here="/play", title=title, session=session, names=_others(session)
        )

    def delete(request: Request) -> Response:
        _with_status(matches.delete, _own_match(request))
        return RedirectResponse("/play", 303)

    def records(request: Request) -> Response:
        view = _with_status(matches.look, _own_match(request))
        text = "".join(f"{line}\n" for line in view.session.match.lines)
        headers = {"content-disposition": 'attachment; filename="match.txt"'}
        return PlainTextResponse(text, headers=headers)

    return [
        Route("/play", site.endpoint(start_page), name="play"),
        Route("/play", start, methods=["POST"]),
        Route("/play/{name}", site.endpoint(match_page), name="match"),
        Route("/play/{name}", play, methods=["POST"]),
        Route("/play/{name}/delete", site.endpoint(delete_page), name="delete"),
        Route("/play/{name}/delete", site.endpoint(delete), methods=["POST"]),
        Route("/play/{name}/records.txt", site.endpoint(records), name="records"),
    ]


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
    """Parse the choices of the start page.

    Examples
    --------
    >>> settings = parse_settings({"rules": "jj", "seconds": "15", "player2": "draws"})
    >>> settings.rules, settings.players, settings.seconds
    ('jj', ('l1', 'draws', 'l3'), 15)
    """
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
    """Parse pace and sound; an unknown pace is the default.

    Examples
    --------
    >>> parse_look({"pace": "1", "sound": "on"})
    Look(pace='1', sound=True)
    """
    pace = form.get("pace", "")
    return Look(pace=pace, sound="sound" in form) if pace in PACES else Look()


def _nearest_settings(fields: Mapping[str, str]) -> MatchSettings:
    """Return remembered settings as far as they are possible under the chosen rules."""
    rules = fields.get("rules")
    known = {"rules": rules} if rules in RULE_SETS else {}
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


def match_context(view: MatchView, look: Look | None = None) -> dict[str, object]:
    """Return the variables of the template of a match.

    Until the hand has ended, they are computed from the person's observation and public
    information only.
    """
    session = view.session
    match, state, setting = session.match, session.state, session.setting
    names = _names(session)
    seat_names = [_seat_name(session, names, seat) for seat in SEATS]
    hint = None
    if setting.hints and session.options:
        hint = hint_of(session.view, session.options, setting.hints)
    discards, calls = _choices(session, hint.move if hint else None)
    outcome = state.outcome
    return {
        "title": _title(session),
        "session": session,
        "look": look or Look(),
        "paces": PACES,
        "players": available_agents(setting.rules),
        "fields": _fields_of(setting),
        "board": board_at(state, session.seat, names=tuple(names), points=session.points),
        "prompt": _prompt(session, seat_names),
        "timeout": move_words(view.timeout_move) if view.timeout_move else "",
        "steps": _steps(session, seat_names),
        "discards": discards,
        "calls": calls,
        "time_left": view.time_left,
        "outcome": outcome,
        "end": _describe_end(session, outcome, seat_names) if outcome else "",
        "names": names,
        "seat_names": seat_names,
        "ranking": sorted(SEATS, key=lambda seat: -match.standing[seat]),
        "places": [1 + sum(other > own for other in match.standing) for own in match.standing],
        "hint": hint,
        "hint_words": describe_hint(hint, _hint_words(hint.move)) if hint else "",
        "as_tile": tile_view,
        "move_words": move_words,
    }


def move_words(move: Move) -> str:
    """Describe a move.

    Examples
    --------
    >>> move_words(Move(Action.CHOW, 2)), move_words(Move(Action.PASS))
    ('Chow three of characters, four of characters, five of characters', 'Pass')
    """
    return _named(move, tile_words)


def _hint_words(move: Move) -> str:
    return _named(move, short_name)


def _named(move: Move, name: Callable[[int], str]) -> str:
    tile = ", ".join(map(name, kinds_of(move)))
    templates = {
        Action.DISCARD: gettext("Discard %(tile)s"),
        Action.READY: gettext("Declare ready, discard %(tile)s"),
        Action.WIN: gettext("Win with %(tile)s"),
        Action.PASS: gettext("Pass"),
    }
    template = templates.get(move.action)
    if template is None:
        return gettext("%(call)s %(tile)s") % {
            "call": gettext(CALL_NAMES[move.action]),
            "tile": tile,
        }
    return template % {"tile": tile}


def _others(session: MatchSession) -> list[str]:
    """Return the other players in words."""
    return [name for seat, name in enumerate(_names(session)) if seat != session.seat]


def _names(session: MatchSession) -> list[str]:
    """Return the players by seat, in words."""
    agents = available_agents(session.setting.rules)
    names = [gettext(agents[spec].name) for spec in session.setting.players]
    names.insert(session.seat, gettext("You"))
    return names


def _seat_name(session: MatchSession, names: Sequence[str], seat: int) -> str:
    """Return player and wind of a seat."""
    wind = WINDS[(seat - session.state.table.dealer) % NUM_SEATS]
    return gettext("%(player)s (%(wind)s)") % {"player": names[seat], "wind": gettext(wind)}


def _title(session: MatchSession) -> str:
    number = {"number": session.hand_number}
    if not session.state.is_over:
        return gettext("Hand %(number)d") % number
    if session.match.is_over:
        return gettext("The match is over")
    return gettext("Hand %(number)d is over") % number


def _prompt(session: MatchSession, seat_names: list[str]) -> str:
    if session.state.is_over:
        return ""
    view = session.view
    if view.phase in (Phase.CLAIM, Phase.ROB):
        template = gettext("%(player)s discarded %(tile)s: take it?")
        if view.phase is Phase.ROB:
            template = gettext("%(player)s adds %(tile)s to a pong: take it?")
        return template % {"player": seat_names[view.table.turn], "tile": tile_words(view.tile)}
    if view.drawn == NO_KIND:
        return gettext("Your turn: discard a tile.")
    template = gettext("You drew %(tile)s: discard a tile.")
    if session.options[0].action is Action.WIN:
        template = gettext("You drew %(tile)s: you can win.")
    return template % {"tile": tile_words(view.drawn)}


def _steps(session: MatchSession, seat_names: list[str]) -> list[ShownMove]:
    """Return the moves since the person's last decision, its own first."""
    steps = []
    for event, after in zip(session.news, (*session.news[1:], None), strict=False):
        part = ""
        if event.action in DISCARDS and not (after and after.action in CALLS):
            part = "river"
        elif event.action in CALLS or event.action is Action.CLOSED_KONG:
            part = "melds"
        side = (event.seat - session.seat) % NUM_SEATS
        player = gettext("You") if side == 0 else seat_names[event.seat]
        call = gettext(CALL_NAMES.get(event.action, ""))
        tile = ", ".join(map(tile_words, kinds_of(event)))
        words = gettext(HAPPENED[event.action]) % {"player": player, "tile": tile}
        steps.append(ShownMove(words=words, side=SIDES[side], part=part, call=call))
    return steps


def _choices(session: MatchSession, hint: Move | None) -> tuple[dict[str, Choice], list[Choice]]:
    """Return the possible discards by tile name, and all other moves."""
    if not session.options:
        return {}, []
    names, default = session.match.rules.tiles.names, session.default()
    discards: dict[str, Choice] = {}
    calls: list[Choice] = []
    for move in session.options:
        kinds = [*kinds_of(move)] * _COPIES.get(move.action, 1)
        choice = Choice(
            move=describe_move(move, names),
            words=gettext(CALL_NAMES.get(move.action, "")),
            tiles=tuple(map(tile_view, kinds)),
            is_default=move == default,
            is_hint=move == hint,
        )
        if move.action is Action.DISCARD:
            discards[names[move.kind]] = choice
        else:
            calls.append(choice)
    return discards, calls


def _describe_end(session: MatchSession, outcome: Outcome, seat_names: list[str]) -> str:
    """Return who won how, or why nobody did."""
    payer = seat_names[outcome.payer] if outcome.payer >= 0 else ""
    template = gettext(ENDINGS[outcome.ending])
    if not outcome.winners:
        return template % {"payer": payer}
    winner = gettext(" and ").join(seat_names[seat] for seat in outcome.winners)
    values = {"winner": winner, "payer": payer, "tile": tile_words(outcome.kind)}
    hands = [session.state.winning_hand(seat) for seat in outcome.winners]
    forms = {winning_form(hand, session.match.rules) for hand in hands} - {STANDARD}
    special = [gettext(form.replace("_", " ")) for form in sorted(forms)]
    return ", ".join((template % values, *special))
