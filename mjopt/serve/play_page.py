"""The pages `/play` and `/play/ID`: play a match against three agents."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from mjopt.errors import FileError, GameError
from mjopt.game.agents.human import describe_move
from mjopt.game.moves import NO_KIND, PASS, Action, Move
from mjopt.game.public_state import Event, Phase
from mjopt.game.rules import NUM_SEATS, RULE_SETS, SEATS
from mjopt.game.scoring import winning_form
from mjopt.game.state import Ending, Outcome
from mjopt.hands.winning_forms import FORMS, STANDARD
from mjopt.serve.app_context import LOOPBACK, Site
from mjopt.serve.board import WINDS, TileView, board_at, kinds_of, tile_view
from mjopt.serve.file_index import file_id
from mjopt.serve.hints import hint_of
from mjopt.serve.match_session import (
    SECONDS,
    YOU,
    MatchSession,
    MatchSettings,
    available_agents,
)
from mjopt.serve.match_store import SUFFIX, MatchView, SaveError, StaleError, UnknownError
from mjopt.serve.request_parsing import text_fields
from mjopt.serve.tiles import tile_words

HAPPENED: Final[dict[Action, str]] = {
    Action.WIN: "wins with {}",
    Action.DISCARD: "throws {}",
    Action.READY: "is ready, throws {}",
    Action.CHOW: "chow of {}",
    Action.PONG: "pong of {}",
    Action.KONG: "kong of {}",
    Action.ADDED_KONG: "adds {} to a pong",
    Action.CLOSED_KONG: "closed kong of {}",
    Action.FAULT: "breaks the game",
}
OFFERS: Final[dict[Action, str]] = {
    Action.WIN: "Win with",
    Action.READY: "Ready, throw",
    Action.CHOW: "Chow",
    Action.PONG: "Pong",
    Action.KONG: "Kong",
    Action.ADDED_KONG: "Kong, add to the pong",
    Action.CLOSED_KONG: "Closed kong",
    Action.PASS: "Pass",
}
ENDINGS: Final[dict[Ending, str]] = {
    Ending.DISCARD: "thrown by {}",
    Ending.OWN_DRAW: "its own draw",
    Ending.REPLACEMENT: "the replacement tile of a kong",
    Ending.ROBBED_KONG: "robbed from the kong of {}",
    Ending.WALL_EMPTY: "no tile is left to draw",
    Ending.FOUR_KONGS: "four kongs were declared",
    Ending.FAULT: "{} broke the game",
}
MAX_DIGITS: Final = 10
_COPIES: Final = {Action.PONG: 3, Action.KONG: 4, Action.CLOSED_KONG: 4}


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
    """

    move: str
    words: str
    tiles: tuple[TileView, ...]
    is_default: bool


def routes(site: Site) -> list[BaseRoute]:
    """Return the routes of the pages."""
    matches = site.matches
    is_local = site.settings.host in LOOPBACK

    def start_page(_: Request) -> Response:
        unfinished, damaged = matches.unfinished() if is_local else ([], [])
        return site.page(
            "play_start.html",
            here="/play",
            title="Play a match",
            rules=RULE_SETS,
            players=available_agents(),
            chosen=MatchSettings(),
            seconds=SECONDS,
            zip=zip,
            unfinished=unfinished,
            damaged=damaged,
            is_stored=matches.folder is not None,
        )

    async def start(request: Request) -> Response:
        setting = parse_settings(await text_fields(request))
        name = await site.run(_with_status, matches.start, setting)
        return RedirectResponse(f"/play/{name}", 303)

    def show(name: str, *, status: int = 200, message: str = "") -> HTMLResponse:
        view = _with_status(matches.look, name)
        watch = f"/games/{file_id(name + SUFFIX)}" if matches.folder else ""
        context = match_context(view) | {"name": name, "message": message, "watch": watch}
        return site.page("play.html", status=status, here="/play", **context)

    def match_page(request: Request) -> Response:
        return show(request.path_params["name"])

    def apply_form(name: str, form: Mapping[str, str]) -> Response:
        text = form.get("number", "")
        number = int(text) if text.isdecimal() and len(text) < MAX_DIGITS else -1
        try:
            if "next" in form:
                _with_status(matches.next_hand, name, number)
            else:
                _with_status(matches.play, name, number, form.get("move", ""))
        except GameError as error:
            status = 409 if isinstance(error, StaleError) else 400
            return show(name, status=status, message=str(error))
        return RedirectResponse(f"/play/{name}", 303)

    async def play(request: Request) -> Response:
        return await site.run(apply_form, request.path_params["name"], await text_fields(request))

    def records(request: Request) -> Response:
        view = _with_status(matches.look, request.path_params["name"])
        text = "".join(f"{line}\n" for line in view.session.match.lines)
        headers = {"content-disposition": 'attachment; filename="match.txt"'}
        return PlainTextResponse(text, headers=headers)

    return [
        Route("/play", site.endpoint(start_page), name="play"),
        Route("/play", start, methods=["POST"]),
        Route("/play/{name}", site.endpoint(match_page), name="match"),
        Route("/play/{name}", play, methods=["POST"]),
        Route("/play/{name}/records.txt", site.endpoint(records), name="records"),
    ]


def _with_status(function: Callable[..., Any], *args: Any) -> Any:
    """Call a method of the matches; turn a missing match or a failed write into an HTTP error."""
    try:
        return function(*args)
    except (UnknownError, FileError) as error:
        raise HTTPException(404, str(error)) from None
    except SaveError as error:
        raise HTTPException(503, str(error)) from None


def parse_settings(form: Mapping[str, str]) -> MatchSettings:
    """Parse the choices of the start page.

    Examples
    --------
    >>> settings = parse_settings({"rules": "jj", "seconds": "none", "player2": "draws"})
    >>> settings.rules, settings.players, settings.seconds
    ('jj', ('l1', 'draws', 'l3'), None)
    """
    default = MatchSettings()
    text = form.get("seconds", str(default.seconds))
    if text not in {str(seconds or "none") for seconds in SECONDS}:
        raise GameError(f"{text[:20]!r} seconds, expected 5, 15 or none")
    players = (form.get(f"player{n}", spec) for n, spec in enumerate(default.players, start=1))
    return MatchSettings(
        rules=form.get("rules", default.rules),
        players=tuple(players),
        seconds=None if text == "none" else int(text),
        hints=form.get("hints", ""),
    )


def match_context(view: MatchView) -> dict[str, Any]:
    """Return the variables of the template of a match.

    Until the hand has ended, they are computed from the person's observation and public
    information only.
    """
    session = view.session
    match, state, setting = session.match, session.state, session.setting
    seat_names = [_seat_name(session, seat) for seat in SEATS]
    discards, calls = _choices(session)
    outcome = state.outcome
    hint = None
    if setting.hints and session.options:
        hint = hint_of(session.view, session.options, setting.hints)
    timeout = None
    if view.timeout_move is not None:
        move = view.timeout_move
        timeout = HAPPENED[move.action] if move != PASS else "passes"
        timeout = timeout.format(tile_words(move.kind))
    return {
        "title": _title(session),
        "session": session,
        "board": board_at(state, session.seat, names=match.names, points=session.points),
        "prompt": _prompt(session, seat_names),
        "timeout": timeout,
        "news": [_describe_event(event, seat_names, session) for event in session.news],
        "discards": discards,
        "calls": calls,
        "time_left": view.time_left,
        "outcome": outcome,
        "end": _describe_end(session, outcome, seat_names) if outcome else "",
        "seat_names": seat_names,
        "won": match.won,
        "hint": hint,
        "hint_words": move_words(hint.move) if hint else "",
        "as_tile": tile_view,
        "move_words": move_words,
    }


def move_words(move: Move) -> str:
    """Describe a move.

    Examples
    --------
    >>> move_words(Move(Action.CHOW, 2)), move_words(PASS)
    ('Chow three of characters, four of characters, five of characters', 'Pass')
    """
    words = "Throw" if move.action is Action.DISCARD else OFFERS[move.action]
    return f"{words} {_words(move)}".strip()


def _words(did: Move | Event) -> str:
    return ", ".join(map(tile_words, kinds_of(did)))


def _seat_name(session: MatchSession, seat: int) -> str:
    """Return player and wind of a seat."""
    wind = WINDS[(seat - session.state.table.dealer) % NUM_SEATS]
    return f"{session.match.names[seat]} ({wind})"


def _title(session: MatchSession) -> str:
    if not session.state.is_over:
        return f"Hand {session.hand_number}"
    return "The match is over" if session.match.is_over else f"Hand {session.hand_number} is over"


def _prompt(session: MatchSession, seat_names: list[str]) -> str:
    if session.state.is_over:
        return ""
    view = session.view
    if view.phase in (Phase.CLAIM, Phase.ROB):
        verb = "threw" if view.phase is Phase.CLAIM else "adds to a pong"
        return f"{seat_names[view.table.turn]} {verb} {tile_words(view.tile)}: take it?"
    drawn = f"You drew {tile_words(view.drawn)}. " if view.drawn != NO_KIND else ""
    win = "You can win. " if session.options[0].action is Action.WIN else ""
    return f"{drawn}{win}Your turn: throw a tile."


def _describe_event(event: Event, seat_names: list[str], session: MatchSession) -> str:
    name = YOU if event.seat == session.seat else seat_names[event.seat]
    return f"{name}: {HAPPENED[event.action].format(_words(event))}"


def _choices(session: MatchSession) -> tuple[dict[str, Choice], list[Choice]]:
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
            words=OFFERS.get(move.action, ""),
            tiles=tuple(map(tile_view, kinds)),
            is_default=move == default,
        )
        if move.action is Action.DISCARD:
            discards[names[move.kind]] = choice
        else:
            calls.append(choice)
    return discards, calls


def _describe_end(session: MatchSession, outcome: Outcome, seat_names: list[str]) -> str:
    how = ENDINGS[outcome.ending].format(seat_names[outcome.payer] if outcome.payer >= 0 else "")
    if outcome.is_drawn_game:
        return f"Drawn game: {how}"
    if outcome.ending is Ending.FAULT:
        return how
    hands = [session.state.winning_hand(seat) for seat in outcome.winners]
    forms = {winning_form(hand, session.match.rules) for hand in hands}
    how += "".join(f", {FORMS[form]}" for form in sorted(forms - {STANDARD}))
    verb = "win" if session.seat in outcome.winners or len(hands) > 1 else "wins"
    winners = " and ".join(seat_names[seat] for seat in outcome.winners)
    return f"{winners} {verb} with {tile_words(outcome.kind)}, {how}"
