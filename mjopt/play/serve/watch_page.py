"""The pages below `/games`: lists of recorded games, and a game step by step."""

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from mjopt._internal.file_index import Listed
from mjopt._internal.sanitize import shorten
from mjopt.errors import FileError
from mjopt.play.game.rules import SEATS
from mjopt.play.matches.game_library import (
    EXAMPLES,
    damage,
    example_files,
    find_record_file,
    first_line,
    is_match,
    lines_of,
    num_lines,
    record_files,
)
from mjopt.play.riichi.record import read_line
from mjopt.play.riichi.replay import mjai_lines_of, watch_line
from mjopt.play.serve.app_context import Site
from mjopt.play.serve.browser_cookie import browser_of
from mjopt.play.serve.language import gettext, ngettext
from mjopt.play.serve.request_parsing import PAGE_SIZE, paginate, parse_number
from mjopt.play.serve.step_view import JUMPS, GameView, about_hand, player_words, rule_words


def routes(site: Site) -> list[BaseRoute]:
    """Return the routes of the pages."""
    folder = site.settings.games

    def find(request: Request) -> Listed:
        """Return the file with an id; 404 if it is not in the list."""
        file = find_record_file(folder, browser_of(request), request.path_params["id"])
        if file is None:
            raise HTTPException(404, "no such games here")
        return file

    def line_of(request: Request) -> str:
        lines = lines_of(find(request), request.path_params["game"], 1)
        if not lines or not lines[0]:
            raise HTTPException(404, "no such game here")
        return lines[0]

    def files(request: Request) -> Response:
        found = record_files(folder, browser_of(request))
        if not found:  # an example is better than an empty list
            return games_of(request, *example_files().values())
        on_page, at_page = paginate(list(found.values()), request)
        return site.page(
            "watch_files.html",
            here="/games",
            title=gettext("Watch"),
            files=[_file(file) for file in on_page],
            at_page=at_page,
        )

    def games(request: Request) -> Response:
        return games_of(request, find(request))

    def games_of(request: Request, file: Listed) -> Response:
        numbers, at_page = paginate(range(1, num_lines(file) + 1), request)
        lines = lines_of(file, numbers[0], len(numbers)) if numbers else []
        return site.page(
            "watch_list.html",
            here="/games",
            title=title_of(file),
            is_example=file.path == EXAMPLES,
            is_stored=folder is not None,
            address=f"/games/{file.id}",
            games=[_game(n, text) for n, text in zip(numbers, lines, strict=False) if text],
            at_page=at_page,
        )

    def game(request: Request) -> Response:
        file, number = find(request), request.path_params["game"]
        watched = watch_line(line := line_of(request))
        seat = parse_number(request, "seat", 0, len(SEATS))
        at = parse_number(request, "step", 0, len(watched.states) - 1)
        before = lines_of(file, 1, number - 1) if is_match(file) else None
        view = GameView(watched, seat - 1 if seat else None, about_hand(line, before))
        rules = watched.states[0].table.rules
        return site.page(
            "watch_game.html",
            here="/games",
            title=gettext("%(name)s, game %(number)d") % {"name": title_of(file), "number": number},
            rules=rule_words(rules.name),
            review=f"/review/{file.id}?game={number}&seat={seat - 1 if seat else 'all'}",
            back=f"/games/{file.id}?page={(number - 1) // PAGE_SIZE + 1}",
            export=f"/games/{file.id}/{number}",
            s=view.step(at),
            seat=seat,
            seats=list(enumerate([gettext("all open"), *map(view.who, SEATS)])),
            looking=f"&seat={seat}" if seat else "",
            names=JUMPS,
            body=view.curve.body,
        )

    def record(request: Request) -> Response:
        return PlainTextResponse(f"{line_of(request)}\n")

    def mjai(request: Request) -> Response:
        lines = "\n".join(mjai_lines_of(line_of(request)))
        return Response(f"{lines}\n", media_type="application/x-ndjson")

    return [
        Route("/games", site.endpoint(files), name="watch"),
        Route("/games/{id}", site.endpoint(games)),
        Route("/games/{id}/{game:int}", site.endpoint(game), name="watch game"),
        Route("/games/{id}/{game:int}/record.txt", site.endpoint(record)),
        Route("/games/{id}/{game:int}/game.mjson", site.endpoint(mjai)),
    ]


def title_of(listed: Listed) -> str:
    """Return the title of a file: a match by its date, or the name."""
    if listed.path == EXAMPLES:
        return gettext("Games of computer players")
    return (
        gettext("Match of %(date)s") % {"date": listed.written} if is_match(listed) else listed.name
    )


def _file(listed: Listed) -> dict[str, object]:
    first = _game(1, first_line(listed))  # for an invalid record, only the error
    return {
        "id": listed.id,
        "name": title_of(listed),
        "what": ngettext("%(num)d hand", "%(num)d hands", num_lines(listed))
        % {"num": num_lines(listed)}
        if is_match(listed)
        else f"{listed.size / 1000:,.0f} kB",
        "error": damage(listed),
        "names": first.get("names", ()),
        "rules": first.get("rules", ""),
        "time": listed.written,
    }


def _game(number: int, line: str) -> dict[str, object]:
    """Return the entry of a record in a list, or the error of an invalid line."""
    try:
        record = read_line(line)
    except FileError as error:
        return {"line": number, "error": shorten(str(error), 200)}
    return {
        "line": number,
        "error": "",
        "names": list(map(player_words, record.names)),
        "rules": rule_words(record.rules.name),
        "ending": shorten(gettext(record.ending)),
        "scores": [f"{points:+d}" for points in record.scores],
    }
