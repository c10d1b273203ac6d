"""The pages `/play` and `/play/ID`: a match against three agents."""

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
from mjopt.serve.app_context import Site
from mjopt.serve.board import WINDS, TileView, board_at, kinds_of, tile_view
from mjopt.serve.file_index import id_of
from mjopt.serve.hints import hint_of
from mjopt.serve.match_session import SECONDS, YOU, Setting, Sitting, players
from mjopt.serve.match_store import ENDING, FullError, Matches, Seen, StaleError, UnknownError
from mjopt.serve.request_parsing import fields_of
from mjopt.serve.security_middleware import LOOPBACK
from mjopt.serve.tile_sprite import tile_words

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
    Ending.FOUR_KONGS: "four kongs stand",
    Ending.FAULT: "{} broke the game",
}
MOST_DIGITS: Final = 10
_COPIES: Final = {Action.PONG: 3, Action.KONG: 4, Action.CLOSED_KONG: 4}


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Something that a person may do: a button."""

    move: str  # what is posted
    words: str  # what it says; empty for a tile to throw
    tiles: tuple[TileView, ...]  # what it shows
    is_default: bool  # whether it happens when time runs out: it has the focus


def routes(site: Site) -> list[BaseRoute]:
    """Return the routes of the pages."""
    matches = Matches(site.settings.games)
    is_own = site.settings.host in LOOPBACK

    def start(_: Request) -> Response:
        found, damaged = matches.unfinished() if is_own else ([], [])
        return site.page(
            "play_start.html",
            here="/play",
            title="Play a match",
            rules=RULE_SETS,
            players=players(),
            chosen=Setting(),
            seconds=SECONDS,
            zip=zip,
            unfinished=found,
            damaged=damaged,
            is_kept=site.settings.games is not None,
        )

    async def begin(request: Request) -> Response:
        setting = setting_of(await fields_of(request))
        name = await site.work(_answered, matches.begin, setting)
        return RedirectResponse(f"/play/{name}", 303)

    def show(name: str, *, status: int = 200, message: str = "") -> HTMLResponse:
        seen = _answered(matches.look, name)
        watch = f"/games/{id_of(name + ENDING)}" if matches.folder else ""
        context = page_of(seen) | {"name": name, "message": message, "watch": watch}
        return site.page("play.html", status=status, here="/play", **context)

    def show_match(request: Request) -> Response:
        return show(request.path_params["name"])

    def act(name: str, form: Mapping[str, str]) -> Response:
        text = form.get("number", "")
        number = int(text) if text.isdecimal() and len(text) < MOST_DIGITS else -1
        try:
            if "next" in form:
                _answered(matches.next_hand, name, number)
            else:
                _answered(matches.play, name, number, form.get("move", ""))
        except (StaleError, GameError) as error:
            status = 409 if isinstance(error, StaleError) else 400
            return show(name, status=status, message=str(error))
        return RedirectResponse(f"/play/{name}", 303)

    async def answer(request: Request) -> Response:
        return await site.work(act, request.path_params["name"], await fields_of(request))

    async def records(request: Request) -> Response:
        seen = await site.work(_answered, matches.look, request.path_params["name"])
        text = "".join(f"{line}\n" for line in seen.sitting.match.lines)
        headers = {"content-disposition": 'attachment; filename="match.txt"'}
        return PlainTextResponse(text, headers=headers)

    return [
        Route("/play", site.endpoint(start), name="play"),
        Route("/play", begin, methods=["POST"]),
        Route("/play/{name}", site.endpoint(show_match), name="match"),
        Route("/play/{name}", answer, methods=["POST"]),
        Route("/play/{name}/records.txt", records, name="records"),
    ]


def _answered(function: Callable[..., Any], *args: Any) -> Any:
    """Ask the matches; what is not the asker's to mend is told with its status."""
    try:
        return function(*args)
    except (UnknownError, FileError) as error:
        raise HTTPException(404, str(error)) from None
    except FullError as error:
        raise HTTPException(503, str(error)) from None
    except OSError as error:
        told = f"the match cannot be written ({error.strerror}): nothing has happened"
        raise HTTPException(503, told) from None


def setting_of(form: Mapping[str, str]) -> Setting:
    """Return what a form chooses.

    Examples
    --------
    >>> chosen = setting_of({"rules": "jj", "seconds": "none", "player2": "draws"})
    >>> chosen.rules, chosen.players, chosen.seconds
    ('jj', ('l1', 'draws', 'l3'), None)
    """
    none = Setting()
    text = form.get("seconds", str(none.seconds))
    if text not in {str(seconds or "none") for seconds in SECONDS}:
        raise GameError(f"{text[:20]!r} seconds, expected 5, 15 or none")
    return Setting(
        rules=form.get("rules", none.rules),
        players=tuple(form.get(f"player{n}", one) for n, one in enumerate(none.players, start=1)),
        seconds=None if text == "none" else int(text),
        hints=form.get("hints", ""),
    )


def page_of(seen: Seen) -> dict[str, Any]:
    """Return what the template of a match is given.

    Until the hand has ended it is made of the person's view alone, and of what everyone sees.
    """
    sitting = seen.sitting
    match, state, setting = sitting.match, sitting.state, sitting.setting
    who = [_who(sitting, seat) for seat in SEATS]
    discards, calls = _choices(sitting)
    outcome = state.outcome
    hint = None
    if setting.hints and sitting.options:
        hint = hint_of(sitting.view, sitting.options, setting.hints)
    late = None
    if seen.late is not None:
        late = HAPPENED[seen.late.action] if seen.late != PASS else "passes"
        late = late.format(tile_words(seen.late.kind))
    return {
        "title": _title(sitting),
        "sitting": sitting,
        "board": board_at(state, sitting.seat, names=match.names, points=sitting.points),
        "prompt": _prompt(sitting, who),
        "late": late,
        "news": [_told(event, who, sitting) for event in sitting.news],
        "discards": discards,
        "calls": calls,
        "left": seen.left,
        "outcome": outcome,
        "end": _end(sitting, outcome, who) if outcome else "",
        "who": who,
        "won": match.won,
        "hint": hint,
        "hint_words": move_words(hint.move) if hint else "",
        "as_tile": tile_view,
        "move_words": move_words,
    }


def move_words(move: Move) -> str:
    """Say a move.

    Examples
    --------
    >>> move_words(Move(Action.CHOW, 2)), move_words(PASS)
    ('Chow three of characters, four of characters, five of characters', 'Pass')
    """
    words = "Throw" if move.action is Action.DISCARD else OFFERS[move.action]
    return f"{words} {_words(move)}".strip()


def _words(did: Move | Event) -> str:
    return ", ".join(map(tile_words, kinds_of(did)))


def _who(sitting: Sitting, seat: int) -> str:
    """Name a seat: its wind in this hand, and who plays."""
    wind = WINDS[(seat - sitting.state.table.dealer) % NUM_SEATS]
    return f"{sitting.match.names[seat]} ({wind})"


def _title(sitting: Sitting) -> str:
    if not sitting.state.is_over:
        return f"Hand {sitting.hand_number}"
    return "The match is over" if sitting.match.is_over else f"Hand {sitting.hand_number} is over"


def _prompt(sitting: Sitting, who: list[str]) -> str:
    if sitting.state.is_over:
        return ""
    view = sitting.view
    if view.phase in (Phase.CLAIM, Phase.ROB):
        verb = "threw" if view.phase is Phase.CLAIM else "adds to a pong"
        return f"{who[view.table.turn]} {verb} {tile_words(view.tile)}: take it?"
    drawn = f"You drew {tile_words(view.drawn)}. " if view.drawn != NO_KIND else ""
    win = "You can win. " if sitting.options[0].action is Action.WIN else ""
    return f"{drawn}{win}Your turn: throw a tile."


def _told(event: Event, who: list[str], sitting: Sitting) -> str:
    name = YOU if event.seat == sitting.seat else who[event.seat]
    return f"{name}: {HAPPENED[event.action].format(_words(event))}"


def _choices(sitting: Sitting) -> tuple[dict[str, Choice], list[Choice]]:
    """Return the tiles that may be thrown by name, and everything else that may be done."""
    if not sitting.options:
        return {}, []
    names, default = sitting.match.rules.tiles.names, sitting.default()
    discards: dict[str, Choice] = {}
    calls: list[Choice] = []
    for move in sitting.options:
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


def _end(sitting: Sitting, outcome: Outcome, who: list[str]) -> str:
    how = ENDINGS[outcome.ending].format(who[outcome.payer] if outcome.payer >= 0 else "")
    if outcome.is_drawn_game:
        return f"Drawn game: {how}"
    if outcome.ending is Ending.FAULT:
        return how
    hands = [sitting.state.winning_hand(seat) for seat in outcome.winners]
    forms = {winning_form(hand, sitting.match.rules) for hand in hands}
    how += "".join(f", {FORMS[form]}" for form in sorted(forms - {STANDARD}))
    verb = "win" if sitting.seat in outcome.winners or len(hands) > 1 else "wins"
    winners = " and ".join(who[seat] for seat in outcome.winners)
    return f"{winners} {verb} with {tile_words(outcome.kind)}, {how}"
